"""Elo: differences in strength on the scale of chess, and the shares of games that they mean."""

from __future__ import annotations

from math import inf, log10

__all__ = ["elo_of_share", "share_of_elo"]


def elo_of_share(share: float) -> float:
    """The Elo difference at which the stronger of two wins that share: 400·log10(s/(1 - s)); ±inf at 1 and 0.

    >>> round(elo_of_share(0.75))
    191

    Source: A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978), with the logistic curve.
    Here the share is that of the games won by either of the two.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share is from 0 to 1, not {share}")
    if share in (0, 1):
        return inf if share else -inf
    return 400 * log10(share / (1 - share))


def share_of_elo(elo: float) -> float:
    """The share won at an Elo difference, 1/(1 + 10^(-elo/400)); the inverse of ``elo_of_share``."""
    power = 10 ** (-abs(elo) / 400)  # of the weaker one, so that no large difference overflows
    return (1 if elo >= 0 else power) / (1 + power)
