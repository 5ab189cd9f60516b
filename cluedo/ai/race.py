"""How soon somebody solves the case, and whether it is better to wait than to guess.

The numbers are fitted to games: ``python -m research.solving_times`` prints them, says from which games, and has the
terms that they belong to in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, log2, prod
from typing import NamedTuple

import numpy as np

from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.kernels.programme import Floats

__all__ = [
    "AHEAD",
    "BOX_BITS",
    "GUESS",
    "LEAST_GUESS",
    "PROOF",
    "Race",
    "survival_by_envelopes",
    "value_of_waiting",
]

_MOST = 30.0  # log odds that are certainty enough


class Race(NamedTuple):
    """What of a game, beside what somebody knows, says how soon it is over.

    Attributes:
        seats: how many play.
        free: 1 where pawns go to any room, so that a question is asked in every turn; 0 where they walk.
        bits: those of all envelopes: the logarithm, to base 2, of how many there are.
    """

    seats: float
    free: float
    bits: float

    @classmethod
    def of(cls, evidence: Evidence) -> Race:
        """That at a table."""
        return cls(evidence.seats, float(evidence.free), log2(prod(len(ids) for ids in evidence.deck.ids)))


BOX_BITS = log2(6 * 6 * 9)
"""The bits of the envelopes of the box: six suspects, six weapons, nine rooms."""


PROOF = (1.145, -1.659, 0.314, -0.026, -0.139, 0.248, 0.036, 0.072, -0.081, 0.892, -0.008, -0.696, 0.107)
"""By its terms in :func:`value_of_waiting`, the log odds of proving the envelope in a turn to come."""
GUESS = (0.189, 0.535, -0.054, 0.145, -0.283, -0.025, 0.066, 0.186, 0.049, -0.001, -0.186, -0.021)
"""Likewise, the log odds of being right with a guess in that turn, where there is no proof."""

AHEAD = 12
"""How many turns to come are considered, at most."""

LEAST_GUESS = 0.1
"""A guess that is less likely to be right is not considered."""


def survival_by_envelopes(solves: Sequence[float], race: Race, turns: int) -> Floats:
    """How likely somebody has not won within so many of their turns: an array (envelopes open, turns).

    ``solves`` are coefficients, by term, of the log odds of winning in a turn, nobody having won before.
    """
    # By hand: numpy's logarithms and exponentials differ from one processor to the next in their last bit.
    more, free, larger = race.seats - 4.0, race.free, race.bits - BOX_BITS
    survival = np.ones((round(2.0**race.bits) + 1, turns))
    lates = [log(turn + 1.0) for turn in range(turns)]
    a = solves
    for envelopes in range(1, len(survival)):
        x = log2(envelopes)
        plain = a[0] + x * (a[2] + x * (a[3] + x * a[4])) + more * (a[8] + x * a[9])
        plain += free * (a[10] + x * a[11]) + larger * (a[12] + x * a[13])
        if envelopes == 1:
            plain += a[1]
        still = 1.0
        for turn, late in enumerate(lates):
            still /= 1.0 + exp(min(plain + late * (a[5] + x * a[6] + late * a[7]), _MOST))
            survival[envelopes, turn] = still
    return survival


def value_of_waiting(bits: float, best: float, race: Race, survival: Floats) -> float:
    """The probability of winning for a player who does not accuse now and plays on as well as possible.

    In each turn to come, if nobody else has won before, they prove the envelope, or guess where that is worth more than
    to wait on; the log odds of both are linear in terms of what is unknown, of the turn and of the table.

    Args:
        bits: what is unknown of the envelope.
        best: the probability of the likeliest envelope, below 1.
        race: that of the game.
        survival: as :attr:`cluedo.ai.opponents.Outlook.survival`.
    """
    more, free, larger = race.seats - 4.0, race.free, race.bits - BOX_BITS
    odds = log(best / (1.0 - best))
    a, b = PROOF, GUESS
    to_prove = a[0] + bits * (a[1] + bits * (a[2] + bits * a[3])) + more * (a[7] * bits + a[8])
    to_prove += free * (a[9] + a[10] * bits) + larger * (a[11] + a[12] * bits)
    to_guess = b[0] + odds * b[1] + bits * b[2] + more * b[7]
    to_guess += free * (b[8] + b[9] * bits) + larger * (b[10] + b[11] * bits)
    chances = [1.0, *survival.tolist()]
    value = 0.0
    for turn in reversed(range(len(survival))):
        late = log(turn + 1.0)
        proved = _chance(to_prove + late * (a[4] + bits * a[5] + late * a[6]))
        right = _chance(to_guess + late * (b[3] + odds * b[4] + bits * b[5] + late * b[6]))
        still = chances[turn + 1] / chances[turn] if chances[turn] > 0.0 else 0.0
        value = still * (proved + (1.0 - proved) * max(right, value))
    return value


def _chance(log_odds: float) -> float:
    return 1.0 / (1.0 + exp(-min(max(log_odds, -_MOST), _MOST)))
