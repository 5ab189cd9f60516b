"""Compiled: splitmix64 (Steele, Lea and Flood 2014), a generator of random numbers whose state is one word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.compiled import compiled

__all__ = ["GOLDEN", "mixed", "uniform", "unit"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""What is added to the state for each number."""

_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_UNIT = 1.0 / (1 << 53)


@compiled
def mixed(word: np.uint64) -> np.uint64:
    """The word that a state gives."""
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


@compiled
def unit(word: np.uint64) -> float:
    """A word as a number from 0 up to 1."""
    return float(word >> _11) * _UNIT


@compiled
def uniform(states: NDArray[np.uint64], which: int) -> float:
    """The next number from 0 up to 1 of one of several generators."""
    states[which] += GOLDEN
    return unit(mixed(states[which]))
