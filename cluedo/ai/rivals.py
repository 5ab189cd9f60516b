"""Who else is about to win, and whether waiting is worth more than a guess.

What each opponent can know is worked out in deals drawn from the posterior, and weighed by how well they use it: a
player who would have known, had they kept a whole notebook, and did not accuse, probably keeps none. The same silence
speaks against the deals in which they would have known; and whoever asks about a card speaks against the deals in which
they would know where it is.

The numbers about how people play stand in :mod:`cluedo.ai.opponents`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.event_rows import Seating, Spoken
from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.likelihood import log_asked
from cluedo.ai.knowledge.models import Model
from cluedo.ai.opponents import ALIKE, GUESS, PROOF, STRANGE, THINKERS, own_terms

__all__ = ["AHEAD", "Outlook", "Rivals", "value_of_waiting", "weighed_envelopes"]

AHEAD = 12
"""How many turns are looked ahead, at most."""

_MOST = 30.0  # log odds that are certainty enough
_FEW = 3  # sampled deals of an envelope, below which their weights say nothing

_KINDS = np.array([(thinker.notes, *thinker.cards, *thinker.rooms, thinker.lapse) for thinker in THINKERS])
_SOLVES = np.array([thinker.solves for thinker in THINKERS])
_PRIOR = np.array([thinker.prior for thinker in THINKERS])
_TURNS = np.arange(1.0, AHEAD + 1)


class Outlook:
    """How near each seat is to winning, as one player can judge it at a moment.

    Attributes:
        shares: an array (deals, seats, thinkers): how likely a sampled deal and the kind of a seat are, by what all the
            others did; those of a seat add up to 1.
        kinds: an array (seats, thinkers): how likely the seat is of each kind.
        lasts: an array (seats, AHEAD): the probability that the seat has not won within so many of its next turns, from
            one on; 1 for oneself and for who is eliminated.
        weights: by sampled deal, how likely it makes what all the others did; they add up to 1.
        evidence: the log of how likely all that is, averaged over the deals, but for a term that is the same for all
            priors.
    """

    __slots__ = ("evidence", "kinds", "lasts", "shares", "weights")

    def __init__(
        self,
        left: NDArray[np.float64],
        naming: NDArray[np.float64],
        silence: NDArray[np.float64],
        out: int,
        asked: NDArray[np.float64] | None,
        prior: NDArray[np.float64] = _PRIOR,
    ):
        """``left`` (deals, seats, ways to keep notes), ``naming`` and ``silence`` (…, kinds) come from `know`.

        ``out`` is the mask of the seats that do not count. ``asked`` (deals) is the log of how likely the deals' model
        makes what was asked; None, if it reads nothing into that. ``prior`` (kinds) is how likely each of THINKERS is
        beforehand.
        """
        from cluedo.ai.knowledge.others import outlast  # numba is slow to import: only when it is used

        # What was named tells of the kinds; of the deals too, unless somebody names cards unlike all of these kinds.
        less = -np.logaddexp.reduce(_weighed(naming, prior)[:, 0], axis=1)
        if asked is not None:
            less = np.logaddexp(less + np.log(STRANGE), -asked + np.log1p(-STRANGE))
        done = _weighed(naming + np.maximum(silence, -_MOST), prior)
        self.evidence = float(np.logaddexp.reduce(done[:, 0], axis=None)) - np.log(len(left))
        logs = done + less[:, None, None]
        shares = np.exp(logs - logs.max())
        self.shares = shares / shares.sum((0, 2), keepdims=True)
        self.kinds = self.shares.sum(0)
        self.weights = self.shares[:, 0].sum(1)
        self.lasts = np.ones((left.shape[1], AHEAD))
        for seat in range(left.shape[1]):
            if out >> seat & 1:
                continue
            self.lasts[seat] = 0.0
            for number, thinker in enumerate(THINKERS):
                by_deal = self.shares[:, seat, number]
                outlast(left[:, seat, thinker.notes], by_deal, _SOLVES[number], left.shape[1], self.lasts[seat])

    def hazard(self, seat: int) -> float:
        """The probability that the seat wins in its next turn."""
        return 1.0 - float(self.lasts[seat, 0])

    @property
    def safety(self) -> NDArray[np.float64]:
        """The probability that nobody else has won before my next turn, the one after it, and so on: (AHEAD)."""
        safe: NDArray[np.float64] = self.lasts.prod(0)
        return safe


def _weighed(likely: NDArray[np.float64], prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """The log of how likely a deal and the kind of a seat make it all, whatever the others are, like ``likely``.

    ``likely`` (deals, seats, kinds) is the log likelihood of each by itself. All at a table are of one kind with
    probability ALIKE, else each is of a kind of its own.
    """
    with np.errstate(divide="ignore"):
        logs = np.log(prior)
    single = logs + likely
    apart = np.logaddexp.reduce(single, axis=2)
    others = apart.sum(1, keepdims=True) - apart
    together = logs + likely.sum(1)
    found: NDArray[np.float64] = np.logaddexp(
        np.log(ALIKE) + together[:, None], np.log1p(-ALIKE) + others[:, :, None] + single
    )
    return found


def _chance(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability of log odds."""
    chance: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(odds, -_MOST, _MOST)))
    return chance


def value_of_waiting(bits: float, best: float, seats: int, safety: NDArray[np.float64]) -> float:
    """The probability of winning for who does not accuse now, and then plays on as well as they can.

    In each turn to come, if nobody else has won before, they prove the envelope, or guess where that is worth more than
    to wait on.

    Args:
        bits: what is unknown of the envelope.
        best: the probability of the likeliest envelope, below 1.
        seats: how many play.
        safety: as :attr:`Outlook.safety`.
    """
    inside, beginning = own_terms(np.full(AHEAD, bits), np.full(AHEAD, best), _TURNS, seats)
    proof, right = _chance(inside @ np.array(PROOF)), _chance(beginning @ np.array(GUESS))
    before = np.concatenate([[1.0], safety[:-1]])
    still = np.divide(safety, before, out=np.zeros(AHEAD), where=before > 0.0)
    value = 0.0
    for turn in range(AHEAD - 1, -1, -1):
        value = still[turn] * (proof[turn] + (1.0 - proof[turn]) * max(right[turn], value))
    return float(value)


class Rivals:
    """Follows what is said at the table, and judges from what each can know how near they are to winning.

    Args:
        evidence: what is known; it may grow.
        model: what the deals are drawn by.
    """

    __slots__ = ("_log", "_read", "evidence", "model")

    def __init__(self, evidence: Evidence, model: Model):
        self.evidence = evidence
        self.model = model
        self._log = Spoken()
        self._read = 0

    def outlook(self, deals: NDArray[np.int8], seed: int) -> Outlook:
        """How near everybody is to winning, judged by some deals drawn from a posterior of the model.

        ``seed``, up to 62 bits, decides which of several cards somebody was shown in a deal.
        """
        return self.outlooks(deals, seed, (_PRIOR,))[0]

    def outlooks(self, deals: NDArray[np.int8], seed: int, priors: Sequence[NDArray[np.float64]]) -> list[Outlook]:
        """The same for several priors of the kinds, each an array (kinds), 0 for those who do not sit there."""
        from cluedo.ai.knowledge.others import WAYS, know  # numba is slow to import: only when it is used

        evidence, seats = self.evidence, self.evidence.seats
        for fact in evidence.facts[self._read :]:
            self._log.add(fact.turn, fact.event)
        self._read = len(evidence.facts)
        left = np.zeros((len(deals), seats, WAYS))
        naming = np.zeros((len(deals), seats, len(THINKERS)))
        silence = np.zeros_like(naming)
        me = -1 if evidence.me is None else evidence.me
        know(deals, self._log.rows, Seating.of(evidence), me, _KINDS, _SOLVES, seed, left, naming, silence)
        asked = log_asked(evidence, self.model, deals) if self.model.kinds else None
        out = self._log.out | (0 if evidence.me is None else 1 << evidence.me)
        return [Outlook(left, naming, silence, out, asked, prior) for prior in priors]


def weighed_envelopes(
    joint: NDArray[np.float64], deals: NDArray[np.int8], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The odds of the envelopes, an array like ``joint``, once deals drawn from them are weighed by what others did.

    An envelope is worth more or less as its deals are on average; as it was where few of them were drawn.
    """
    cards = np.nonzero(deals == deals.max())[1].reshape(-1, 3) - [0, joint.shape[0], sum(joint.shape[:2])]
    found = np.ravel_multi_index(tuple(cards.T), joint.shape)
    counts = np.bincount(found, minlength=joint.size)
    sums = np.bincount(found, weights, joint.size) * len(deals)
    factors = np.where(counts >= _FEW, sums / np.maximum(counts, 1), 1.0)
    odds = joint * factors.reshape(joint.shape)
    total: NDArray[np.float64] = odds / odds.sum()
    return total
