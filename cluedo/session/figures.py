"""Figures as people read them, in the language spoken."""

from __future__ import annotations

from cluedo.language import number, tr

__all__ = ["percent"]


def percent(p: float, digits: int = 0) -> str:
    """A percentage; one that is neither 0 nor 1 does not look as if it were."""
    if p == 1.0:
        return tr("{share} %", share=100)
    least, share = 10.0**-digits, round(100 * p, digits)
    sign = ""
    if share == 0.0:
        sign, share = "<", least
    elif share == 100.0:
        sign, share = ">", 100.0 - least
    return tr("{share} %", share=sign + number(share, f".{digits}f"))
