"""Compiled: what kernels of every kind call.

Random numbers, a hash table for programmes that find their states one by one, the rules of the notebook, and what numba
compiles faster than numpy's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge import notebook
from cluedo.ai.knowledge.kernels.compiled import Kernel, compiled, copied
from cluedo.ai.knowledge.kernels.programme import Floats, Ints

__all__ = [
    "GOLDEN",
    "cleared",
    "count",
    "envelope_number",
    "find",
    "greatest",
    "log_sum",
    "mask_for",
    "mixed",
    "propagate",
    "uniform",
    "unit",
]

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


_MIX = 0x9E3779B97F4A7C1
"""What a key is multiplied by, to spread keys over the slots of the table."""


@compiled
def mask_for(states: int) -> int:
    """The number of slots, less one, of a hash table of which so many states fill no more than half; 2**n - 1."""
    mask = 255
    while mask < 2 * states:
        mask = 2 * mask + 1
    return mask


@compiled
def find(key: int, keys: Ints, table: NDArray[np.int32], mask: int, states: int) -> int:
    """The number of ``key`` among this layer's states; a new key gets the number ``states`` and is stored in ``keys``.

    The first ``mask`` + 1 slots of the hash table are in use, and hold -1 when a layer begins. The key's high bits are
    added to its low ones first: in a product high bits do not influence low ones, so that keys which differ only in
    high bits would begin at the same slot.
    """
    slot = ((key ^ (key >> 31)) * _MIX >> 33) & mask
    while True:
        index: int = table[slot]
        if index < 0:
            table[slot] = states
            keys[states] = key
            return states
        if keys[index] == key:
            return index
        slot = (slot + 1) & mask


Array = TypeVar("Array", bound=np.ndarray[Any, Any])


def _kernels_of(*rules: Callable[..., Any]) -> Iterator[Kernel[..., Any]]:
    """Kernels of the rules of the notebook, which call one another."""
    globals_ = dict(vars(notebook))
    for rule in rules:
        globals_[rule.__name__] = Kernel(copied(rule, globals_))
        yield globals_[rule.__name__]


count: Callable[[int], int]
propagate: Callable[..., bool]  # on arrays here
count, *_, propagate = _kernels_of(
    *(notebook.count, notebook._one_place_each, notebook._hands, notebook._events, notebook.propagate)
)


@compiled
def cleared(values: Array) -> Array:
    """An array, after writing zeros into it. numba takes three times as long to compile ``np.zeros``."""
    values[:] = 0
    return values


@compiled
def greatest(values: Floats) -> float:
    """The greatest of some values. numba takes ten times as long to compile ``values.max()``."""
    top = -np.inf
    for index in range(values.shape[0]):
        top = max(top, values[index])
    return top


@compiled
def log_sum(values: Floats) -> float:
    """log(Σ exp(values)), of one value or more."""
    top, total = greatest(values), 0.0
    for index in range(values.shape[0]):
        total += np.exp(values[index] - top)
    return top + float(np.log(total))


@compiled
def envelope_number(deal: NDArray[np.int8], envelope: int, sizes: tuple[int, int, int]) -> int:
    """Where the envelope of a deal stands in an array of all of them, all in one row; its shape is ``sizes``."""
    suspects, weapons, rooms = sizes
    number = 0
    for card in range(suspects + weapons + rooms):
        if deal[card] == envelope:
            if card < suspects:
                number += card * weapons * rooms
            elif card < suspects + weapons:
                number += (card - suspects) * rooms
            else:
                number += card - suspects - weapons
    return number
