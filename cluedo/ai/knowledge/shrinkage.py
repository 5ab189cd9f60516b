"""Compiled: the odds of cards and envelopes, once the deals that were drawn from them are weighed.

What a few deals weigh on average is shrunk towards what all do: the fewer there are, the less they can tell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cluedo.ai.knowledge.common_kernels import cleared, envelope_number
from cluedo.ai.knowledge.compiled import compiled
from cluedo.ai.knowledge.programme import Deals, Floats

__all__ = ["weigh_cards", "weigh_envelopes"]

_LEAST = 1e-300  # so that no logarithm is infinite


class _Groups(NamedTuple):
    """Deals by what is in the envelope.

    Attributes:
        counts, sums, squares: (groups): how many deals each group has, and of their weights the sums, and those of the
            squares.
    """

    counts: Floats
    sums: Floats
    squares: Floats


@compiled
def _groups(size: int) -> _Groups:
    return _Groups(cleared(np.empty(size)), cleared(np.empty(size)), cleared(np.empty(size)))


@compiled
def _add(groups: _Groups, at: int, weight: float) -> None:
    groups.counts[at] += 1.0
    groups.sums[at] += weight
    groups.squares[at] += weight**2


@compiled
def _noise(groups: _Groups) -> float:
    """The variance of the weights within groups, relative to the square of their mean there."""
    spread, means = 0.0, 0.0
    for at in range(groups.counts.shape[0]):
        if groups.counts[at] > 1.0:
            square = groups.sums[at] ** 2 / groups.counts[at]
            spread += max(groups.squares[at] - square, 0.0)
            means += square * (1.0 - 1.0 / groups.counts[at])
    return spread / means if means > 0.0 else np.inf


@compiled
def _trust(drawn: float, noise: float, spread: float) -> float:
    """How far the mean weight of so many deals counts, from 0 to 1.

    Its log has the variance ``noise`` / n, and beforehand that of ``spread`` around 0: the best estimate is between the
    two (James and Stein, 1961).
    """
    return spread / (spread + noise / drawn) if drawn and noise < np.inf else 0.0


@compiled
def _worth(groups: _Groups, at: int, deals: int, noise: float, spread: float) -> float:
    """What the deals of a group weigh on average, over what all do, as far as so few of them can tell."""
    trust = _trust(groups.counts[at], noise, spread)
    if trust == 0.0:
        return 1.0
    return float(np.exp(np.log(max(groups.sums[at] * deals / groups.counts[at], _LEAST)) * trust))


@compiled
def weigh_cards(deals: Deals, weights: Floats, envelope: int, spread: float, odds: Floats) -> None:
    """Multiply the ``odds`` (cards) of being in the envelope by what the deals with the card there weigh on average.

    ``weights`` (deals) add up to 1; ``spread`` is as for :func:`weigh_envelopes`.
    """
    cards = _groups(odds.shape[0])
    for deal in range(deals.shape[0]):
        for card in range(odds.shape[0]):
            if deals[deal, card] == envelope:
                _add(cards, card, weights[deal])
    noise = _noise(cards)
    for card in range(odds.shape[0]):
        odds[card] *= _worth(cards, card, deals.shape[0], noise, spread)


@compiled
def weigh_envelopes(deals: Deals, weights: Floats, envelope: int, spread: float, table: Floats) -> tuple[int, float]:
    """Multiply a ``table`` of the odds of the envelopes by what their deals weigh on average, and scale it to 1.

    ``weights`` (deals) add up to 1; ``spread`` is the variance, from one envelope to another, of the log of what all
    its deals weigh on average. Returns where the likeliest stands, all in one row, and the standard error of its odds.
    """
    flat = table.reshape(-1)
    groups = _groups(flat.shape[0])
    for deal in range(deals.shape[0]):
        _add(groups, envelope_number(deals[deal], envelope, table.shape), weights[deal])
    noise = _noise(groups)
    total, best = 0.0, 0
    for at in range(flat.shape[0]):
        flat[at] *= _worth(groups, at, deals.shape[0], noise, spread)
        total += flat[at]
    for at in range(flat.shape[0]):
        flat[at] /= total
        if flat[at] > flat[best]:
            best = at
    drawn = groups.counts[best]
    # What the deals of an envelope, and those of all others, weigh on average varies as far as it is not known.
    variance = spread * (2.0 - _trust(drawn, noise, spread) - _trust(deals.shape[0] - drawn, noise, spread))
    return best, flat[best] * (1.0 - flat[best]) * np.sqrt(variance)
