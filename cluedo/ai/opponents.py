"""The other players: what kinds of players there are, and how close each is to winning.

What each opponent can know is worked out in deals drawn from the posterior, and weighed by how well they use it. A
player who would have known the envelope from a whole notebook, and did not accuse, probably keeps none. The same
silence makes the deals less likely in which they would have known; and a hypothesis about a card, or a wrong
accusation, makes the deals less likely in which who made it would know where that card is.

The numbers of the kinds are fitted to games: ``python -m research.solving_times`` prints all but the priors, and says
from which games. Those of `expert` come from an earlier one; with what today's games give, it won no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import log
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.kernels.event_rows import EventRows, Seating
from cluedo.ai.knowledge.kernels.programme import Deals, EvidenceArrays, Floats, Ints
from cluedo.ai.knowledge.models import Model
from cluedo.ai.race import AHEAD, Race, survival_by_envelopes

if TYPE_CHECKING:
    from cluedo.ai.knowledge.kernels.opponent_likelihood import Habits

__all__ = [
    "ALIKE",
    "KINDS_PRIOR",
    "LAPSE",
    "OPPONENT_KINDS",
    "SOLVING_STYLES",
    "STRANGE",
    "DealLikelihoods",
    "NamingStyle",
    "OpponentKind",
    "Opponents",
    "Outlook",
    "SolvingStyle",
    "WeighedEnvelopes",
    "weighed_cards",
    "weighed_envelopes",
]


@dataclass(frozen=True, slots=True)
class NamingStyle:
    """A way to name cards.

    Attributes:
        cards: λ and ρ, the relative weights of naming a card of one's own, and one known to be elsewhere.
        rooms: the same for the room that one asks in.
        sticks: how often they name again the card that they named last, while it is open to them, whatever else is.
    """

    cards: tuple[float, float]
    rooms: tuple[float, float]
    sticks: float = 0.0


@dataclass(frozen=True, slots=True)
class SolvingStyle:
    """A way to solve the case: how one keeps notes, and how soon one accuses.

    Attributes:
        name: the player whose games were looked at.
        notes: 0: cards held and shown to one; 1: also one's own unanswered questions; 2: all that was said.
        prior: how likely a player solves it so, beforehand.
        names: how they name cards, and how likely that is beforehand.
        solves: by the terms of :func:`cluedo.ai.race.survival_by_envelopes`, the log odds that they win in a turn to
            come, by a proof or a guess.
        accuses: the log odds that they accuse in a turn that they begin, rightly or not; None where they do not guess.
    """

    name: str
    notes: int
    prior: float
    names: tuple[tuple[NamingStyle, float], ...]
    solves: tuple[float, ...]
    accuses: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class OpponentKind:
    """A kind of opponent: how they solve the case, and how they name cards.

    Attributes:
        solving, naming: these styles.
        prior: how likely a player is of this kind, beforehand.
    """

    solving: SolvingStyle
    naming: NamingStyle
    prior: float


STRANGE = 0.5
"""How likely it is, beforehand, that somebody names cards unlike all of these kinds; how they do then, the model says
that the deals are drawn by. It is one half because nothing is known of a stranger."""
ALIKE = 0.8
"""How likely all opponents are of one kind, beforehand. It was chosen by games against three `easy` on deals of seeds
880002 to 880005 and 990007. The priors of the kinds are the best of a dozen tried on 1,900 turns of games against every
level, an earlier `expert` and habits of the zoo, seeds 991001 to 991016: there the odds of winning by waiting came
nearer to how often it won, and guesses would have won more, at no loss against `easy`."""
LAPSE = 0.002
"""How likely somebody misses an envelope that their notes prove, or accuses wrongly who does not guess."""
_PLAIN = NamingStyle((1.0, 1.0), (1.0, 1.0))
_HIDING = NamingStyle((0.03, 0.03), (0.3, 0.03))
_HIDING_ROOMS = NamingStyle((0.03, 0.03), (0.03, 0.03))
# Wider than what is printed for `expert`, which names its own less often, (0.3, 0.03) and (0.5, 0.08): with that it won
# 8 to 18 points less, without a board, against strangers who ask what tells most, or name own cards as rooms alone.
_MIXED = NamingStyle((0.7, 0.03), (1.4, 0.08))
_OWN = NamingStyle((8.0, 0.03), (0.3, 0.03))
# Half of the time: `expert` does so 0.4 of it, `habit:ask=same` 0.6. What a good player thinks likeliest stays so for
# several turns, while who picks among the open cards seldom names one twice: that tells the two apart within two or
# three questions. Few who note little name the likeliest cards all the same. How likely each style sticks was chosen
# by games on seeds 61001 to 61051.
_STICKING, _MIXED_STICKING = replace(_HIDING, sticks=0.5), replace(_MIXED, sticks=0.5)
SOLVING_STYLES = (
    SolvingStyle(
        "easy",
        0,
        0.18,
        ((_PLAIN, 0.78), (_HIDING, 0.1), (_STICKING, 0.02), (_MIXED, 0.1)),
        (0.736, 0.0, -3.724, -0.03, -0.003, -0.351, 1.151, -0.388, -0.249, -0.086, -0.089, 0.095, 0.197, -0.386),
    ),
    SolvingStyle(
        "medium",
        1,
        0.18,
        ((_HIDING_ROOMS, 0.78), (_STICKING, 0.02), (_PLAIN, 0.1), (_MIXED, 0.1)),
        (1.894, 0.0, -2.289, 0.314, -0.019, 0.466, -0.043, 0.338, -0.126, 0.01, 0.619, 0.036, -0.034, -0.015),
    ),
    SolvingStyle(
        "hard",
        2,
        0.17,
        (
            (_HIDING, 0.46),
            (_STICKING, 0.03),
            (_HIDING_ROOMS, 0.21),
            (_MIXED, 0.18),
            (_MIXED_STICKING, 0.02),
            (_PLAIN, 0.1),
        ),
        (2.147, 5.01, -2.307, 0.426, -0.037, 0.195, 0.239, 0.285, -0.332, 0.143, 0.638, 0.031, -0.752, 0.155),
    ),
    SolvingStyle(
        "expert",
        2,
        0.22,
        (
            (_MIXED, 0.1),
            (_MIXED_STICKING, 0.45),
            (_HIDING, 0.05),
            (_STICKING, 0.25),
            (_HIDING_ROOMS, 0.1),
            (_PLAIN, 0.05),
        ),
        (2.834, 2.541, -1.979, 0.396, -0.036, -0.718, 0.428, -0.155, 0.102, 0.069, -0.184, 0.107, -0.852, 0.197),
        (3.657, 2.708, -2.381, 0.515, -0.046, 0.0, 0.0, 0.0, 0.296, 0.025, 0.024, 0.002, -0.973, 0.279),
    ),
    SolvingStyle(
        "habit:guess=0.25",
        2,
        0.15,
        (
            (_HIDING, 0.2),
            (_STICKING, 0.2),
            (_HIDING_ROOMS, 0.2),
            (_MIXED, 0.1),
            (_MIXED_STICKING, 0.15),
            (_PLAIN, 0.05),
            (_OWN, 0.1),
        ),
        (9.729, 0.042, -5.235, 0.882, -0.062, 0.094, 0.241, 0.37, -0.198, 0.128, 0.286, 0.049, -1.363, 0.274),
        (16.504, 0.0, -8.384, 1.41, -0.09, 0.0, 0.0, 0.0, 0.105, 0.061, 0.666, -0.123, -1.167, 0.291),
    ),
    SolvingStyle(
        "habit:own=1",
        2,
        0.1,
        ((_OWN, 1.0),),
        (1.333, 6.513, -3.807, 0.684, -0.051, 0.067, 0.716, -1.36, 0.95, 0.044, -0.891, 0.231, -0.343, -0.214),
    ),
)
"""The ways to solve the case, the least able first."""
OPPONENT_KINDS = tuple(
    OpponentKind(solving, naming, solving.prior * share)
    for solving in SOLVING_STYLES
    for naming, share in solving.names
)
"""The kinds: how somebody names cards says little of how well they deduce and of how readily they guess."""


_SPREAD = 0.4
"""The variance of the log of what an envelope's deals weigh on average, from one envelope to another: the fewer deals
were drawn of it, the less their weights count. Fitted by ``python -m research.few_deals``."""


def _naming_row(kind: OpponentKind) -> tuple[float, ...]:
    """A row of ``Habits.naming``, as the kernels take them."""
    return kind.solving.notes, *kind.naming.cards, *kind.naming.rooms, kind.naming.sticks


_NAMING_STYLES = list(dict.fromkeys(map(_naming_row, OPPONENT_KINDS)))
KINDS_PRIOR: Final = np.array([kind.prior for kind in OPPONENT_KINDS])
"""How likely somebody is of each of OPPONENT_KINDS, beforehand: an array (kinds)."""
_STYLES_OF_KINDS = (
    np.array([_NAMING_STYLES.index(_naming_row(kind)) for kind in OPPONENT_KINDS]),
    np.array([SOLVING_STYLES.index(kind.solving) for kind in OPPONENT_KINDS]),
    np.array([style.notes for style in SOLVING_STYLES]),
)
"""For the kernels: by kind, the naming style and the solving style; by solving style, the way to keep notes."""


class Outlook:
    """How close each seat is to winning, as one player can judge it at one moment.

    Attributes:
        weights: by sampled deal, how likely it makes what all the others did; they add up to 1.
        log_likelihood: the log of how likely all that is, averaged over the deals, but for a term that is the same for
            all priors.
    """

    def __init__(self, likelihoods: DealLikelihoods, out: int, survival: Floats, prior: Floats = KINDS_PRIOR):
        """``out`` is the mask of the seats that do not count; ``prior`` (kinds) is that of OPPONENT_KINDS, 0 for none.

        ``survival`` (solving styles, envelopes open, AHEAD) says how likely somebody has not won.
        """
        from cluedo.ai.knowledge.kernels.opponent_odds import (  # numba is slow to import: only when used
            Kinds,
            Weighed,
            weigh,
        )

        deals, seats, _ = likelihoods.left.shape
        self._left, self._out = likelihoods.left, out
        self._kinds = Kinds(prior, *_STYLES_OF_KINDS, survival, ALIKE, STRANGE)
        self._weighed = Weighed.sized(deals, seats, len(prior))
        found = likelihoods.naming, likelihoods.silence, likelihoods.asked
        self.log_likelihood: float = weigh(*found, self._kinds, self._weighed)
        self.weights = self._weighed.weights

    @cached_property
    def hazards(self) -> Floats:
        """By seat, the probability that it wins in its next turn; 0 for oneself and for who is eliminated."""
        from cluedo.ai.knowledge.kernels.opponent_odds import next_wins  # as above

        hazards = np.empty(self._left.shape[1])
        next_wins(self._left, self._weighed, self._kinds, self._out, hazards)
        return hazards

    @cached_property
    def survival(self) -> Floats:
        """The probability that nobody else has won before my next turn, the one after it, and so on: (AHEAD)."""
        from cluedo.ai.knowledge.kernels.opponent_odds import time_left  # as above

        survival = np.empty(AHEAD)
        time_left(self._left, self._weighed, self._kinds, self._out, survival)
        return survival


class DealLikelihoods(NamedTuple):
    """Sampled deals: what each seat knows in each, and how likely the deal makes what the seat did.

    Attributes:
        deals: an array (deals, cards) of places.
        left: an array (deals, seats, ways to keep notes): how many envelopes are open.
        naming: an array (deals, seats, naming styles): the log of how likely its questions are.
        silence: an array (deals, seats, solving styles): the log of how likely it does not accuse where it did
            not, and accuses wrongly where it did.
        asked: an array (deals): the log of how likely the model of the deals makes all questions; empty, if it does not
            weigh them.
    """

    deals: Deals
    left: Ints
    naming: Floats
    silence: Floats
    asked: Floats

    def joined(self, more: DealLikelihoods) -> DealLikelihoods:
        """These deals and more."""
        pairs: Iterable[Any] = zip(self, more, strict=True)
        return DealLikelihoods(*(np.concatenate(pair) for pair in pairs))


class _Pace(NamedTuple):
    """How soon players of each solving style accuse, by the number of envelopes that are open to them.

    Attributes:
        survival: an array (solving styles, envelopes open, AHEAD): how likely they have not won within so many turns.
        silent, wrong: arrays (solving styles, envelopes open): the logs of how likely they do not accuse in a turn, and
            accuse wrongly.
    """

    survival: Floats
    silent: Floats
    wrong: Floats


@cache
def _pace(race: Race) -> _Pace:
    """The pace of a race."""
    survival = np.stack([survival_by_envelopes(style.solves, race, AHEAD) for style in SOLVING_STYLES])
    accused = np.stack(
        [survival_by_envelopes(style.accuses or style.solves, race, 1)[:, 0] for style in SOLVING_STYLES]
    )
    quiet = np.minimum(accused, survival[:, :, 0])
    return _Pace(survival, _logs(quiet), _logs(np.maximum(survival[:, :, 0] - quiet, LAPSE)))


def _logs(table: Floats) -> Floats:
    """The logarithms of a table, by hand as in :func:`~cluedo.ai.race.survival_by_envelopes`."""
    return np.array([[log(chance) for chance in row] for row in table.tolist()])


class Opponents:
    """Follows the events of a game, and judges how close each opponent is to winning from what they can know.

    Args:
        evidence: what is known; it may grow.
        model: what the deals are drawn by.
    """

    __slots__ = ("_habits", "_log", "_pace", "_seating", "_taken", "evidence", "model", "race")

    def __init__(self, evidence: Evidence, model: Model):
        self.evidence = evidence
        self.model = model
        self._log = EventRows()
        self._taken = 0
        self._seating = Seating.of(evidence)
        self.race = Race.of(evidence)
        self._pace = _pace(self.race)
        self._habits: Habits | None = None

    def outlook(self, likelihoods: DealLikelihoods, prior: Floats = KINDS_PRIOR) -> Outlook:
        """How close everybody is to winning, by likelihoods found since the last event; ``prior`` as in `Outlook`."""
        return Outlook(likelihoods, self.out, self._pace.survival, prior)

    @property
    def out(self) -> int:
        """The mask of the seats that do not count: oneself, and who has accused wrongly."""
        return self._log.out | (0 if self.evidence.me is None else 1 << self.evidence.me)

    def likelihoods(self, deals: Deals, seed: int) -> DealLikelihoods:
        """What everybody knows in deals drawn from the posterior, and how likely these make what they did.

        ``seed``, up to 62 bits, decides which of several cards somebody was shown in a deal.
        """
        from cluedo.ai.knowledge.kernels.askers import log_asked  # numba is slow to import
        from cluedo.ai.knowledge.kernels.opponent_likelihood import Found, Habits, know  # as above
        from cluedo.ai.knowledge.kernels.opponent_notes import WAYS  # as above

        evidence, seats = self.evidence, self.evidence.seats
        for fact in evidence.facts[self._taken :]:
            self._log.add(fact.turn, fact.event)
        self._taken = len(evidence.facts)
        found = Found(
            np.ones((len(deals), seats, WAYS), np.int64),
            np.empty((len(deals), seats, len(_NAMING_STYLES))),
            np.empty((len(deals), seats, len(SOLVING_STYLES))),
        )
        me = -1 if evidence.me is None else evidence.me
        if self._habits is None:
            solving = np.array([(style.notes, log(LAPSE)) for style in SOLVING_STYLES])
            self._habits = Habits.of(np.array(_NAMING_STYLES, float), solving, self._pace.silent, self._pace.wrong)
        know(deals, self._log.rows, self._seating, me, self._habits, seed, found)
        asked = np.empty(len(deals) if self.model.kinds else 0)
        if self.model.kinds:
            log_asked(deals, EvidenceArrays.of(evidence, choice=False), evidence.free, self.model.rows, asked)
        return DealLikelihoods(deals, *found, asked)


def weighed_cards(odds: Floats, deals: Deals, weights: Floats, envelope: int) -> Floats:
    """How likely each card is in the envelope, an array like ``odds``, once deals drawn from them are weighed.

    A card is worth more or less as its deals are on average; the fewer were drawn, the less they count.
    """
    from cluedo.ai.knowledge.kernels.opponent_odds import weigh_cards  # numba is slow to import: only when it is used

    found = odds.copy()
    weigh_cards(deals, weights, envelope, _SPREAD, found)
    return found


class WeighedEnvelopes(NamedTuple):
    """The odds of the envelopes, once deals drawn from them are weighed by what the others did.

    Attributes:
        joint: an array (suspects, weapons, rooms).
        likeliest: where the likeliest stands in it.
        error: the standard error of its odds.
    """

    joint: Floats
    likeliest: tuple[int, int, int]
    error: float


def weighed_envelopes(
    joint: Floats, deals: Deals, weights: Floats, envelope: int, spread: float = _SPREAD
) -> WeighedEnvelopes:
    """The odds of the envelopes, once deals drawn by their ``joint`` are weighed.

    An envelope is worth more or less as its deals are on average; the fewer were drawn, the less they count.
    """
    from cluedo.ai.knowledge.kernels.opponent_odds import (
        weigh_envelopes,  # numba is slow to import: only when it is used
    )

    weighed = joint.copy()
    at, error = weigh_envelopes(deals, weights, envelope, spread, weighed)
    suspect, weapon, room = (int(number) for number in np.unravel_index(at, weighed.shape))
    return WeighedEnvelopes(weighed, (suspect, weapon, room), error)
