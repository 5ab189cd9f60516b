"""The hash table of states: keys are never taken for each other, whichever bits they differ in."""

from __future__ import annotations

import numpy as np
import pytest

from cluedo.ai.knowledge.kernels.common_kernels import find, mask_for


@pytest.mark.parametrize("low", [0, 20, 40, 52])
def test_keys_that_differ_in_any_bits_are_told_apart(low):
    """Ten bits of the key vary, those from ``low`` on: as they do where only a late clause is open."""
    wanted = np.arange(1 << 10, dtype=np.int64) << low
    mask = mask_for(len(wanted))
    keys, table = np.zeros(len(wanted), np.int64), np.full(mask + 1, -1, np.int32)
    for number, key in enumerate(wanted.tolist()):
        assert find(key, keys, table, mask, number) == number
    assert [find(key, keys, table, mask, len(wanted)) for key in wanted.tolist()] == list(range(len(wanted)))
    assert (keys == wanted).all()
    taken = table >= 0
    runs = np.diff(np.flatnonzero(np.concatenate([[True], ~taken, [True]]))) - 1
    assert runs.max() < 60, "searches stay short: keys do not crowd together"
