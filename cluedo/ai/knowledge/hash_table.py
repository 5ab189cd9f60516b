"""Compiled: a hash table from the keys of states to their numbers, for programmes that find their states one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.compiled import compiled
from cluedo.ai.knowledge.programme import Ints

__all__ = ["find", "mask_for"]

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
