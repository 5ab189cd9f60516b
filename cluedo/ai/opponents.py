"""How close the other players are to winning, and whether it is better to wait than to guess.

What each opponent can know is worked out in deals drawn from the posterior, and weighed by how well they use it. A
player who would have known the envelope from a whole notebook, and did not accuse, probably keeps none. The same
silence makes the deals less likely in which they would have known; and a hypothesis about a card makes the deals less
likely in which the asker would know where that card is.

The numbers about how people play are fitted to games: ``python -m research.solving_times`` prints all but the
priors, and says from which games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.event_rows import EventRows, Seating
from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.models import Model, log_asked

__all__ = [
    "AHEAD",
    "ALIKE",
    "GUESS",
    "OPPONENT_KINDS",
    "PROOF",
    "STRANGE",
    "OpponentKind",
    "Opponents",
    "Outlook",
    "own_terms",
    "terms",
    "value_of_waiting",
    "weighed_envelopes",
]

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OpponentKind:
    """A kind of opponent: how they keep notes, what they name, and how soon they win.

    Attributes:
        name: the level whose games were looked at.
        notes: 0: cards held and shown to them; 1: also their own unanswered questions; 2: all that was said.
        prior: how likely a player is of this kind, beforehand.
        cards: λ and ρ, the relative weights of naming a card of their own, and one that they know to be elsewhere.
        rooms: the same for the room that they ask in.
        lapse: how likely they miss an envelope that their notes prove.
        solves: by :func:`terms`, the log odds that they win in a turn to come, by a proof or a guess.
    """

    name: str
    notes: int
    prior: float
    cards: tuple[float, float]
    rooms: tuple[float, float]
    lapse: float
    solves: tuple[float, ...]


def terms(bits: _Floats, turns: _Floats, seats: int | _Floats) -> _Floats:
    """The terms of the linear model of the log odds of solving the case, an array (…, 10).

    ``bits`` are open by somebody's notes; ``turns``, from 1, says which of their turns to come is meant, nobody having
    won before it.
    """
    bits, turns = np.broadcast_arrays(bits, turns)
    late, more = np.log(turns), np.zeros(bits.shape) + (seats - 4.0)
    return np.stack(
        [
            np.ones_like(bits),
            (bits < 1e-9).astype(float),
            bits,
            bits**2,
            bits**3,
            late,
            bits * late,
            late**2,
            more,
            more * bits,
        ],
        -1,
    )


def own_terms(bits: _Floats, best: _Floats, turns: _Floats, seats: int | _Floats) -> tuple[_Floats, _Floats]:
    """The terms of the linear models of one's own log odds: of a proof, and of a right guess.

    ``bits`` are what is unknown of the envelope, ``best`` is the probability of the likeliest one.
    """
    late, more = np.log(turns), np.zeros(bits.shape) + (seats - 4.0)
    odds = np.log(best / (1.0 - best))
    one = np.ones_like(bits)
    proof = np.stack([one, bits, bits**2, bits**3, late, bits * late, late**2, more, more * bits], -1)
    guess = np.stack([one, odds, bits, late, odds * late, bits * late, late**2, more], -1)
    return proof, guess


STRANGE = 0.5
"""How likely it is, beforehand, that somebody names cards unlike all of these kinds; how they do then, the model says
that the deals are drawn by. It is one half because nothing is known of a stranger."""
ALIKE = 0.8
"""How likely all opponents are of one kind, beforehand. It and the caution of `expert` were chosen by games against
three `easy` on deals of seeds 880002 to 880005 and 990007. The priors of the kinds are the best of a dozen tried on
1,900 turns of games against every level, an earlier `expert` and habits of the zoo, seeds 991001 to 991016: there
the odds of winning by waiting came nearer to how often it won, and guesses would have won more, at no loss against
`easy`.
"""
OPPONENT_KINDS = (
    OpponentKind(
        "easy",
        0,
        0.3,
        (1.0, 1.0),
        (1.0, 1.0),
        0.002,
        (0.646, 0.0, -4.413, 0.326, -0.062, -0.785, 1.328, -0.278, 0.112, -0.245),
    ),
    OpponentKind(
        "medium",
        1,
        0.25,
        (0.03, 0.03),
        (0.03, 0.03),
        0.002,
        (0.934, 0.0, -1.725, 0.235, -0.012, 0.421, -0.092, 0.286, 0.023, -0.032),
    ),
    OpponentKind(
        "hard",
        2,
        0.1,
        (0.03, 0.03),
        (0.3, 0.03),
        0.002,
        (2.473, 3.527, -2.746, 0.575, -0.048, 0.283, 0.192, 0.152, -0.144, 0.097),
    ),
    OpponentKind(
        "expert",
        2,
        0.2,
        (0.7, 0.03),  # between an earlier version of `expert`, with 0.5, and `expert` as it is, with 1
        (1.4, 0.08),
        0.002,
        (2.674, 2.897, -2.394, 0.505, -0.044, -0.895, 0.439, -0.07, -0.442, 0.138),
    ),
    OpponentKind(
        "habit:own=1",
        2,
        0.15,
        (8.0, 0.03),
        (0.3, 0.03),
        0.002,
        (2.362, 3.27, -5.086, 1.101, -0.08, -0.089, 0.616, -1.1, 0.934, -0.061),
    ),
)
"""The kinds, the least able first."""
PROOF = (2.381, -2.66, 0.536, -0.043, -0.196, 0.353, -0.107, -0.084, 0.074)
"""By :func:`own_terms`, the log odds of proving the envelope in a turn to come, nobody having won before it."""
GUESS = (-0.243, 0.63, 0.044, -0.084, -0.312, 0.054, -0.305, 0.084)
"""By :func:`own_terms`, the log odds of being right with a guess in that turn, where there is no proof."""

AHEAD = 12
"""How many turns to come are considered, at most."""

_MOST = 30.0  # log odds that are certainty enough
_FEW = 3  # sampled deals of an envelope, below which their weights say nothing

_KINDS = np.array([(kind.notes, *kind.cards, *kind.rooms, kind.lapse) for kind in OPPONENT_KINDS])
_SOLVES = np.array([kind.solves for kind in OPPONENT_KINDS])
_PRIOR = np.array([kind.prior for kind in OPPONENT_KINDS])
_TURNS = np.arange(1.0, AHEAD + 1)


class Outlook:
    """How close each seat is to winning, as one player can judge it at one moment.

    Attributes:
        shares: an array (deals, seats, kinds): how likely a sampled deal and the kind of a seat are, by what all the
            others did; those of a seat add up to 1.
        kinds: an array (seats, kinds): how likely the seat is of each kind.
        lasts: an array (seats, AHEAD): the probability that the seat has not won within so many of its next turns, from
            one on; 1 for oneself and for who is eliminated.
        weights: by sampled deal, how likely it makes what all the others did; they add up to 1.
        evidence: the log of how likely all that is, averaged over the deals, but for a term that is the same for all
            priors.
    """

    __slots__ = ("evidence", "kinds", "lasts", "shares", "weights")

    def __init__(
        self,
        left: _Floats,
        naming: _Floats,
        silence: _Floats,
        out: int,
        asked: _Floats | None,
        prior: _Floats = _PRIOR,
    ):
        """``left`` (deals, seats, ways to keep notes), ``naming`` and ``silence`` (…, kinds) come from `know`.

        ``out`` is the mask of the seats that do not count. ``asked`` (deals) is the log of how likely the model of the
        deals makes the hypotheses; None, if it does not weigh them. ``prior`` (kinds) is how likely each of
        OPPONENT_KINDS is beforehand.
        """
        from cluedo.ai.knowledge.opponent_notes import outlast  # numba is slow to import: only when it is used

        # What was named makes kinds more or less likely; deals too, unless somebody names cards unlike all these kinds.
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
            for number, kind in enumerate(OPPONENT_KINDS):
                by_deal = self.shares[:, seat, number]
                outlast(left[:, seat, kind.notes], by_deal, _SOLVES[number], left.shape[1], self.lasts[seat])

    def hazard(self, seat: int) -> float:
        """The probability that the seat wins in its next turn."""
        return 1.0 - float(self.lasts[seat, 0])

    @property
    def safety(self) -> _Floats:
        """The probability that nobody else has won before my next turn, the one after it, and so on: (AHEAD)."""
        safe: _Floats = self.lasts.prod(0)
        return safe


def _weighed(likely: _Floats, prior: _Floats) -> _Floats:
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
    found: _Floats = np.logaddexp(np.log(ALIKE) + together[:, None], np.log1p(-ALIKE) + others[:, :, None] + single)
    return found


def _chance(odds: _Floats) -> _Floats:
    """The probability that has these log odds."""
    chance: _Floats = 1.0 / (1.0 + np.exp(-np.clip(odds, -_MOST, _MOST)))
    return chance


def value_of_waiting(bits: float, best: float, seats: int, safety: _Floats) -> float:
    """The probability of winning for a player who does not accuse now and plays on as well as possible.

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


class Opponents:
    """Follows the events of a game, and judges how close each opponent is to winning from what they can know.

    Args:
        evidence: what is known; it may grow.
        model: what the deals are drawn by.
    """

    __slots__ = ("_log", "_read", "evidence", "model")

    def __init__(self, evidence: Evidence, model: Model):
        self.evidence = evidence
        self.model = model
        self._log = EventRows()
        self._read = 0

    def outlook(self, deals: NDArray[np.int8], seed: int) -> Outlook:
        """How close everybody is to winning, judged by some deals drawn from the posterior.

        ``seed``, up to 62 bits, decides which of several cards somebody was shown in a deal.
        """
        return self.outlooks(deals, seed, (_PRIOR,))[0]

    def outlooks(self, deals: NDArray[np.int8], seed: int, priors: Sequence[_Floats]) -> list[Outlook]:
        """As :meth:`outlook`, for several priors of the kinds: arrays (kinds), 0 for kinds that do not sit there."""
        from cluedo.ai.knowledge.opponent_notes import WAYS, know  # numba is slow to import: only when it is used

        evidence, seats = self.evidence, self.evidence.seats
        for fact in evidence.facts[self._read :]:
            self._log.add(fact.turn, fact.event)
        self._read = len(evidence.facts)
        left = np.zeros((len(deals), seats, WAYS))
        naming = np.zeros((len(deals), seats, len(OPPONENT_KINDS)))
        silence = np.zeros_like(naming)
        me = -1 if evidence.me is None else evidence.me
        know(deals, self._log.rows, Seating.of(evidence), me, _KINDS, _SOLVES, seed, left, naming, silence)
        asked = log_asked(evidence, self.model, deals) if self.model.kinds else None
        out = self._log.out | (0 if evidence.me is None else 1 << evidence.me)
        return [Outlook(left, naming, silence, out, asked, prior) for prior in priors]


def weighed_envelopes(joint: _Floats, deals: NDArray[np.int8], weights: _Floats) -> _Floats:
    """The odds of the envelopes, an array like ``joint``, once deals drawn from them are weighed by what others did.

    An envelope is worth more or less as its deals are on average; as it was where few of them were drawn.
    """
    cards = np.nonzero(deals == deals.max())[1].reshape(-1, 3) - [0, joint.shape[0], sum(joint.shape[:2])]
    found = np.ravel_multi_index(tuple(cards.T), joint.shape)
    counts = np.bincount(found, minlength=joint.size)
    sums = np.bincount(found, weights, joint.size) * len(deals)
    factors = np.where(counts >= _FEW, sums / np.maximum(counts, 1), 1.0)
    odds = joint * factors.reshape(joint.shape)
    total: _Floats = odds / odds.sum()
    return total
