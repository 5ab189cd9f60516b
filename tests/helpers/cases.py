"""How many cases the long tests take: all of them by hand, a share of them where time is short."""

from __future__ import annotations

import os

SHARE = float(os.environ.get("CLUEDO_CASES", "1"))
"""The share of the cases, by the environment; CI takes fewer than one has tried by hand."""


def cases(number: int, least: int = 1) -> int:
    """As many of a number of cases as are to be tried, but so many at least."""
    return max(round(number * SHARE), least)
