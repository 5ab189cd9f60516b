"""Statistics, each formula with its source."""

from __future__ import annotations

from math import sqrt
from typing import Final

__all__ = ["Z95", "wilson_interval"]

Z95: Final = 1.959963984540054
"""The 97.5 % quantile of the normal distribution: two-sided 95 %."""


def wilson_interval(successes: int, trials: int, z: float = Z95) -> tuple[float, float]:
    """The score interval of a proportion, from 0 to 1.

    It holds what it promises for few trials and for proportions near 0 and 1, where the usual
    p ± z·sqrt(p(1 - p)/n) does not. Source: E. B. Wilson, "Probable inference, the law of
    succession, and statistical inference", J. Am. Stat. Assoc. 22 (1927), 209-212:
    (p + z²/2n ± z·sqrt(p(1 - p)/n + z²/4n²)) / (1 + z²/n).

    Raises:
        ValueError: without trials, or for more successes than trials.
    """
    if not 0 <= successes <= trials or not trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    share = successes / trials
    square = z * z / trials
    middle = share + square / 2
    half = z * sqrt(share * (1 - share) / trials + square / (4 * trials))
    # At the ends the interval closes exactly; rounding would leave it an ulp off.
    low = 0.0 if successes == 0 else (middle - half) / (1 + square)
    high = 1.0 if successes == trials else (middle + half) / (1 + square)
    return low, high
