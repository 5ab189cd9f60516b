"""Whole numbers that callers give."""

from __future__ import annotations

import numpy as np
import pytest

from cluedo.engine.whole_number import whole_number


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_a_whole_number_of_any_kind_is_read_as_an_int(value):
    number = whole_number(value, 0)
    assert (number, type(number)) == (3, int)


@pytest.mark.parametrize("value", [True, False, np.True_, 3.0, "3", None, b"3", [3]])
def test_nothing_else_is_one(value):
    assert whole_number(value, 0) is None


def test_the_bounds_belong_to_what_is_allowed():
    assert [whole_number(value, 2, 4) for value in range(1, 6)] == [None, 2, 3, 4, None]
    assert whole_number(10**30, 0) == 10**30
