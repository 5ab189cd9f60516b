"""How close the other players are to winning, and whether it is better to wait than to guess.

What each opponent can know is worked out in deals drawn from the posterior, and weighed by how well they use it. A
player who would have known the envelope from a whole notebook, and did not accuse, probably keeps none. The same
silence makes the deals less likely in which they would have known; and a hypothesis about a card makes the deals less
likely in which the asker would know where that card is.

The numbers about how people play are fitted to games: ``python -m research.solving_times`` prints all but the
priors, and says from which games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log, log2, prod
from typing import Any, NamedTuple

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
    "SOLVERS",
    "STRANGE",
    "Judged",
    "Namer",
    "OpponentKind",
    "Opponents",
    "Outlook",
    "RaceSetting",
    "Solver",
    "WeighedEnvelopes",
    "own_terms",
    "terms",
    "value_of_waiting",
    "weighed_cards",
    "weighed_envelopes",
]

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Namer:
    """A way to name cards.

    Attributes:
        cards: λ and ρ, the relative weights of naming a card of one's own, and one known to be elsewhere.
        rooms: the same for the room that one asks in.
    """

    cards: tuple[float, float]
    rooms: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Solver:
    """A way to solve the case: how one keeps notes, and how soon one accuses.

    Attributes:
        name: the player whose games were looked at.
        notes: 0: cards held and shown to one; 1: also one's own unanswered questions; 2: all that was said.
        prior: how likely a player solves it so, beforehand.
        names: how they name cards, and how likely that is beforehand.
        solves: by :func:`terms`, the log odds that they win in a turn to come, by a proof or a guess.
        accuses: the log odds that they accuse in a turn that they begin, rightly or not; None where they do not guess.
    """

    name: str
    notes: int
    prior: float
    names: tuple[tuple[Namer, float], ...]
    solves: tuple[float, ...]
    accuses: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class OpponentKind:
    """A kind of opponent: how they solve the case, and how they name cards.

    Attributes:
        solver, namer: these.
        prior: how likely a player is of this kind, beforehand.
    """

    solver: Solver
    namer: Namer
    prior: float


class RaceSetting(NamedTuple):
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
    def of(cls, evidence: Evidence) -> RaceSetting:
        """The setting at a table."""
        return cls(evidence.seats, float(evidence.free), log2(prod(len(ids) for ids in evidence.deck.ids)))


BOX_BITS = log2(6 * 6 * 9)
"""The bits of the envelopes of the box: six suspects, six weapons, nine rooms."""


def terms(bits: _Floats, turns: _Floats, *setting: float | _Floats) -> _Floats:
    """The terms of the linear model of the log odds of solving the case, an array (…, 14).

    ``bits`` are open by somebody's notes; ``turns``, from 1, says which of their turns to come is meant, nobody having
    won before it; ``setting`` are the three numbers of :class:`RaceSetting`.
    """
    bits, turns, seats, free, size = np.broadcast_arrays(bits, turns, *setting)
    late, more, larger = np.log(turns), seats - 4.0, size - BOX_BITS
    found = [np.ones_like(bits), (bits < 1e-9).astype(float), bits, bits**2, bits**3, late, bits * late, late**2]
    return np.stack([*found, more, more * bits, free, free * bits, larger, larger * bits], -1)


def own_terms(bits: _Floats, best: _Floats, turns: _Floats, *setting: float | _Floats) -> tuple[_Floats, _Floats]:
    """The terms of the linear models of one's own log odds: of a proof (…, 13), and of a right guess (…, 12).

    ``bits`` are what is unknown of the envelope, ``best`` is the probability of the likeliest one; the rest is as for
    :func:`terms`.
    """
    bits, best, turns, seats, free, size = np.broadcast_arrays(bits, best, turns, *setting)
    late, more, larger, odds = np.log(turns), seats - 4.0, size - BOX_BITS, np.log(best / (1.0 - best))
    one = np.ones_like(bits)
    at_table = [more, free, free * bits, larger, larger * bits]
    proof = [one, bits, bits**2, bits**3, late, bits * late, late**2, more * bits, *at_table]
    guess = [one, odds, bits, late, odds * late, bits * late, late**2, *at_table]
    return np.stack(proof, -1), np.stack(guess, -1)


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
LAPSE = 0.002
"""How likely somebody misses an envelope that their notes prove, or accuses wrongly who does not guess."""
_PLAIN = Namer((1.0, 1.0), (1.0, 1.0))
_HIDING = Namer((0.03, 0.03), (0.3, 0.03))
_HIDING_ROOMS = Namer((0.03, 0.03), (0.03, 0.03))
_MIXED = Namer((0.7, 0.03), (1.4, 0.08))
_OWN = Namer((8.0, 0.03), (0.3, 0.03))
SOLVERS = (
    Solver(
        "easy",
        0,
        0.18,
        ((_PLAIN, 0.8), (_HIDING, 0.1), (_MIXED, 0.1)),
        (0.074, 0.0, -3.838, 0.296, -0.048, -0.399, 1.08, -0.338, -0.017, -0.185, 0.438, -0.042, -0.06, -0.291),
    ),
    Solver(
        "medium",
        1,
        0.18,
        ((_HIDING_ROOMS, 0.8), (_PLAIN, 0.1), (_MIXED, 0.1)),
        (2.085, 0.0, -2.778, 0.461, -0.026, 1.127, -0.184, 0.257, -0.13, 0.008, 0.955, -0.081, -0.156, -0.009),
    ),
    Solver(
        "hard",
        2,
        0.17,
        ((_HIDING, 0.5), (_HIDING_ROOMS, 0.2), (_MIXED, 0.2), (_PLAIN, 0.1)),
        (2.961, 3.875, -2.881, 0.534, -0.041, 1.201, 0.051, 0.226, -0.195, 0.111, 0.273, 0.044, -0.935, 0.175),
    ),
    Solver(
        "expert",
        2,
        0.22,
        ((_MIXED, 0.6), (_HIDING, 0.15), (_HIDING_ROOMS, 0.15), (_PLAIN, 0.1)),
        (4.581, 1.251, -3.3, 0.664, -0.053, 0.082, 0.398, -0.374, 0.111, 0.088, -0.205, 0.107, -1.332, 0.274),
        (4.881, 1.439, -3.596, 0.814, -0.07, 0.0, 0.0, 0.0, 0.125, 0.1, 0.79, -0.199, -1.357, 0.334),
    ),
    Solver(
        "habit:guess=0.25",
        2,
        0.15,
        ((_HIDING, 0.3), (_HIDING_ROOMS, 0.25), (_MIXED, 0.25), (_PLAIN, 0.1), (_OWN, 0.1)),
        (9.642, 0.03, -5.32, 0.914, -0.063, 0.875, 0.139, 0.15, 0.002, 0.086, 0.392, 0.002, -1.463, 0.305),
        (16.586, 0.0, -8.43, 1.418, -0.091, 0.0, 0.0, 0.0, 0.298, 0.028, 0.806, -0.147, -1.164, 0.287),
    ),
    Solver(
        "habit:own=1",
        2,
        0.1,
        ((_OWN, 1.0),),
        (-0.505, 7.036, -2.28, 0.372, -0.029, -0.588, 0.866, -1.402, 1.404, -0.117, -0.554, 0.188, -0.838, -0.066),
    ),
)
"""The ways to solve the case, the least able first."""
OPPONENT_KINDS = tuple(
    OpponentKind(solver, namer, solver.prior * share) for solver in SOLVERS for namer, share in solver.names
)
"""The kinds: how somebody names cards says little of how well they deduce and of how readily they guess."""
PROOF = (1.255, -1.891, 0.352, -0.029, -0.211, 0.335, -0.081, 0.096, -0.193, 1.295, -0.063, -0.983, 0.163)
"""By :func:`own_terms`, the log odds of proving the envelope in a turn to come, nobody having won before it."""
GUESS = (0.14, 0.41, -0.165, 0.178, -0.015, 0.117, 0.237, 0.298, 0.473, -0.015, -0.028, -0.057)
"""By :func:`own_terms`, the log odds of being right with a guess in that turn, where there is no proof."""

AHEAD = 12
"""How many turns to come are considered, at most."""

_FEW = 3  # sampled deals of an envelope, below which their weights say nothing

_NAMERS = list(dict.fromkeys((kind.solver.notes, *kind.namer.cards, *kind.namer.rooms) for kind in OPPONENT_KINDS))
_PRIOR = np.array([kind.prior for kind in OPPONENT_KINDS])
_NOTERS = np.array(_NAMERS, float), np.array([(solver.notes, log(LAPSE)) for solver in SOLVERS])
_NOTHING = np.empty(0)
_PROOF, _GUESS = np.array(PROOF), np.array(GUESS)


class Outlook:
    """How close each seat is to winning, as one player can judge it at one moment.

    Attributes:
        kinds: an array (seats, kinds): how likely the seat is of each kind.
        lasts: an array (seats, AHEAD): the probability that the seat has not won within so many of its next turns, from
            one on; 1 for oneself and for who is eliminated.
        weights: by sampled deal, how likely it makes what all the others did; they add up to 1.
        evidence: the log of how likely all that is, averaged over the deals, but for a term that is the same for all
            priors.
    """

    __slots__ = ("evidence", "kinds", "lasts", "weights")

    def __init__(self, judged: Judged, out: int, lasts: _Floats, prior: _Floats = _PRIOR):
        """``out`` is the mask of the seats that do not count, ``prior`` (kinds) is that of OPPONENT_KINDS.

        ``lasts`` (solvers, envelopes open, AHEAD) says how likely somebody has not won.
        """
        from cluedo.ai.knowledge.opponent_odds import Kinds, weigh  # numba is slow to import: only when it is used

        deals, seats, _ = judged.left.shape
        namers, winners, ways = _ways_of_kinds()
        kinds = Kinds(prior, namers, winners, ways, lasts, ALIKE, STRANGE)
        self.kinds = np.empty((seats, len(prior)))
        self.lasts = np.empty((seats, AHEAD))
        self.weights = np.empty(deals)
        self.evidence: float = weigh(*judged[1:], kinds, out, self.weights, self.kinds, self.lasts)

    def hazard(self, seat: int) -> float:
        """The probability that the seat wins in its next turn."""
        return 1.0 - float(self.lasts[seat, 0])

    @property
    def safety(self) -> _Floats:
        """The probability that nobody else has won before my next turn, the one after it, and so on: (AHEAD)."""
        safe: _Floats = self.lasts.prod(0)
        return safe


class Judged(NamedTuple):
    """What each seat knows in sampled deals, and how likely these make what it did.

    Attributes:
        deals: an array (deals, cards) of places.
        left: an array (deals, seats, ways to keep notes): how many envelopes are open.
        naming: an array (deals, seats, ways to name cards): the log of how likely its questions are.
        silence: an array (deals, seats, solvers): the log of how likely it does not accuse where it did not.
        asked: an array (deals): the log of how likely the model of the deals makes all questions; empty, if it does not
            weigh them.
    """

    deals: NDArray[np.int8]
    left: NDArray[np.int64]
    naming: _Floats
    silence: _Floats
    asked: _Floats

    def joined(self, more: Judged) -> Judged:
        """These deals and more."""
        pairs: Iterable[Any] = zip(self, more, strict=True)
        return Judged(*(np.concatenate(pair) for pair in pairs))


@cache
def _ways_of_kinds() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """For the kernels: of each kind the way to name cards and the solver, and of each solver the way to keep notes."""
    namers = [_NAMERS.index((kind.solver.notes, *kind.namer.cards, *kind.namer.rooms)) for kind in OPPONENT_KINDS]
    solvers = [SOLVERS.index(kind.solver) for kind in OPPONENT_KINDS]
    return np.array(namers), np.array(solvers), np.array([solver.notes for solver in SOLVERS])


class _Pace(NamedTuple):
    """How soon the solvers accuse, by the number of envelopes that are open to them.

    Attributes:
        lasts: an array (solvers, envelopes open, AHEAD): how likely they have not won within so many turns.
        silent, wrong: arrays (solvers, envelopes open): the logs of how likely they do not accuse in a turn, and accuse
            wrongly.
    """

    lasts: _Floats
    silent: _Floats
    wrong: _Floats


@cache
def _pace(setting: RaceSetting) -> _Pace:
    """The pace in a setting."""
    from cluedo.ai.knowledge.opponent_odds import survival  # numba is slow to import: only when it is used

    most = round(2.0**setting.bits)
    lasts, silent = np.empty((len(SOLVERS), most + 1, AHEAD)), np.empty((len(SOLVERS), most + 1, 1))
    at_table = setting.seats - 4.0, setting.free, setting.bits - BOX_BITS
    survival(np.array([solver.solves for solver in SOLVERS]), at_table, lasts)
    survival(np.array([solver.accuses or solver.solves for solver in SOLVERS]), at_table, silent)
    quiet = np.minimum(silent[:, :, 0], lasts[:, :, 0])
    return _Pace(lasts, np.log(quiet), np.log(np.maximum(lasts[:, :, 0] - quiet, LAPSE)))


def value_of_waiting(bits: float, best: float, setting: RaceSetting, safety: _Floats) -> float:
    """The probability of winning for a player who does not accuse now and plays on as well as possible.

    In each turn to come, if nobody else has won before, they prove the envelope, or guess where that is worth more than
    to wait on; the chances of both are linear in :func:`own_terms`.

    Args:
        bits: what is unknown of the envelope.
        best: the probability of the likeliest envelope, below 1.
        setting: where they play.
        safety: as :attr:`Outlook.safety`.
    """
    from cluedo.ai.knowledge.opponent_odds import race  # numba is slow to import: only when it is used

    at_table = setting.seats - 4.0, setting.free, setting.bits - BOX_BITS
    value: float = race(_PROOF, _GUESS, bits, best, at_table, safety)
    return value


class Opponents:
    """Follows the events of a game, and judges how close each opponent is to winning from what they can know.

    Args:
        evidence: what is known; it may grow.
        model: what the deals are drawn by.
    """

    __slots__ = ("_log", "_pace", "_read", "_seating", "evidence", "model", "setting")

    def __init__(self, evidence: Evidence, model: Model):
        self.evidence = evidence
        self.model = model
        self._log = EventRows()
        self._read = 0
        self._seating = Seating.of(evidence)
        self.setting = RaceSetting.of(evidence)
        self._pace = _pace(self.setting)

    def outlook(self, deals: NDArray[np.int8], seed: int) -> Outlook:
        """How close everybody is to winning, judged by some deals drawn from the posterior.

        ``seed``, up to 62 bits, decides which of several cards somebody was shown in a deal.
        """
        return self.weigh(self.judge(deals, seed))

    def weigh(self, judged: Judged) -> Outlook:
        """How close everybody is to winning, by what was judged since the last event."""
        return Outlook(judged, self.out, self._pace.lasts)

    def outlooks(self, deals: NDArray[np.int8], seed: int, priors: Sequence[_Floats]) -> list[Outlook]:
        """As :meth:`outlook`, for several priors of the kinds: arrays (kinds), 0 for kinds that do not sit there."""
        judged = self.judge(deals, seed)
        return [Outlook(judged, self.out, self._pace.lasts, prior) for prior in priors]

    @property
    def out(self) -> int:
        """The mask of the seats that do not count: oneself, and who has accused wrongly."""
        return self._log.out | (0 if self.evidence.me is None else 1 << self.evidence.me)

    def judge(self, deals: NDArray[np.int8], seed: int) -> Judged:
        """What everybody knows in these deals, and how likely these make what they did; ``seed`` as in `outlook`."""
        from cluedo.ai.knowledge.opponent_notes import WAYS, know  # numba is slow to import: only when it is used

        evidence, seats = self.evidence, self.evidence.seats
        for fact in evidence.facts[self._read :]:
            self._log.add(fact.turn, fact.event)
        self._read = len(evidence.facts)
        left = np.ones((len(deals), seats, WAYS), np.int64)
        naming, silence = np.empty((len(deals), seats, len(_NAMERS))), np.empty((len(deals), seats, len(SOLVERS)))
        me = -1 if evidence.me is None else evidence.me
        know(
            deals,
            self._log.rows,
            self._seating,
            me,
            *_NOTERS,
            self._pace.silent,
            self._pace.wrong,
            seed,
            left,
            naming,
            silence,
        )
        asked = log_asked(evidence, self.model, deals) if self.model.kinds else _NOTHING
        return Judged(deals, left, naming, silence, asked)


def weighed_cards(odds: _Floats, deals: NDArray[np.int8], weights: _Floats) -> _Floats:
    """How likely each card is in the envelope, an array like ``odds``, once deals drawn from them are weighed.

    A card is worth more or less as its deals are on average; as it was where few of them were drawn.
    """
    from cluedo.ai.knowledge.opponent_odds import weigh_cards  # numba is slow to import: only when it is used

    found = odds.copy()
    weigh_cards(deals, weights, int(deals.max()), _FEW, found)
    return found


class WeighedEnvelopes(NamedTuple):
    """The odds of the envelopes, once deals drawn from them are weighed by what the others did.

    Attributes:
        table: an array (suspects, weapons, rooms).
        likeliest: where the likeliest stands in it.
        error: the standard error of its odds; 1 if too few deals say something about it.
    """

    table: _Floats
    likeliest: tuple[int, int, int]
    error: float


def weighed_envelopes(joint: _Floats, deals: NDArray[np.int8], weights: _Floats) -> WeighedEnvelopes:
    """The odds of the envelopes, once deals drawn by their ``joint`` are weighed.

    An envelope is worth more or less as its deals are on average; as it was where few of them were drawn.
    """
    from cluedo.ai.knowledge.opponent_odds import weigh_envelopes  # numba is slow to import: only when it is used

    table = joint.copy()
    at, error = weigh_envelopes(deals, weights, _FEW, table)
    suspect, weapon, room = (int(number) for number in np.unravel_index(at, table.shape))
    return WeighedEnvelopes(table, (suspect, weapon, room), error)
