"""Compiled: a hash table from the key of a state to its number, for one layer after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.compiled import compiled
from cluedo.ai.knowledge.programme import Ints

__all__ = ["find", "mask_for"]

_MIX = 0x9E3779B97F4A7C1


@compiled
def mask_for(states: int) -> int:
    """One less than a power of two: the slots for so many states at most, of which no more than half are taken."""
    mask = 255
    while mask < 2 * states:
        mask = 2 * mask + 1
    return mask


@compiled
def find(key: int, keys: Ints, table: NDArray[np.int32], mask: int, states: int) -> int:
    """The number of ``key`` among this layer's states; ``states``, and stored in ``keys``, if it is new.

    The first ``mask`` + 1 slots of the ``table`` are in use, and hold -1 when a layer begins. Every bit of the key has
    a say in where the search begins: a product alone carries nothing down, so that keys which differ only in high bits
    would begin at one slot.
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
