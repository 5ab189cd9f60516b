"""How many cases the long tests take: all of them by hand, a share of them where time is short."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

SHARE = float(os.environ.get("CLUEDO_CASES", "1"))
"""The share of the cases, by the environment; CI takes fewer than one has tried by hand."""


def cases(number: int, least: int = 1) -> int:
    """As many of a number of cases as are to be tried, but so many at least."""
    return max(round(number * SHARE), least)


def some(things: Iterable[T], least: int) -> list[T]:
    """As many of some things as are to be tried, but so many at least, evenly spread over all of them."""
    listed = list(things)
    count = min(cases(len(listed), least), len(listed))
    return [listed[k * len(listed) // count] for k in range(count)]
