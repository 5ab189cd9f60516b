"""Whether to accuse without a proof: the chance that a guess wins, against the chance to win by playing on.

The second depends mostly on how the others play, which a few hypotheses do not show. So it is worked out for three
kinds of table, from what the others can know there (:mod:`cluedo.ai.opponents`) and from how often players won who
played on at such tables. The hypotheses of a game only say how likely each of the three kinds is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from random import Random
from typing import NamedTuple

import numpy as np

from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.kernels.programme import Floats
from cluedo.ai.knowledge.models import CHOICE
from cluedo.ai.knowledge.seat_knowledge import SeatKnowledge
from cluedo.ai.opponents import OPPONENT_KINDS, Opponents, Outlook
from cluedo.ai.race import BOX_BITS, LEAST_GUESS, Race, value_of_waiting
from cluedo.engine.cards import Triple
from cluedo.engine.rules import BOX_RULES

__all__ = [
    "TABLE_KINDS",
    "Advice",
    "Chances",
    "TableKind",
    "advise",
    "chance_terms",
    "chances",
    "is_fitted_table",
    "outlooks",
]

_DEALS, _SEED = 240, 1  # drawn to judge what the others can know: the same evidence always gives the same figures
_EDGE = 1e-4  # probabilities are kept at least so far from 0 and 1
_FEW_BITS = 0.05  # fewer count as these where the logarithm is taken
_LOW, _HIGH = -1.0, 3.0  # log odds of winning by waiting below and above which they count for more, or less
_SEATS, _CARDS = range(3, 7), 21


@dataclass(frozen=True, slots=True)
class TableKind:
    """A kind of table, by how the other players play.

    Attributes:
        players: the levels whose tables it is fitted to.
        solving: how likely each of these solving styles is there, beforehand, with the first of its naming styles.
        share: how likely a table is of this kind, beforehand.
        wins: by :func:`chance_terms`, the log odds of winning for who plays on as `expert` does.
        right: by the same terms, the log odds that the likeliest envelope is the real one.
    """

    players: tuple[str, ...]
    solving: dict[str, float]
    share: float
    wins: tuple[float, ...]
    right: tuple[float, ...]

    @property
    def prior(self) -> Floats:
        """How likely each of OPPONENT_KINDS is, beforehand: an array (kinds)."""
        first = [kind.naming is kind.solving.names[0][0] for kind in OPPONENT_KINDS]
        shares = [self.solving.get(kind.solving.name, 0.0) for kind in OPPONENT_KINDS]
        return np.multiply(first, shares)


CARELESS = TableKind(
    ("easy", "medium"),
    {"easy": 0.55, "medium": 0.45},
    0.165,
    (2.327, 0.161, 0.179, -0.119, 0.254, 0.099, 0.0, 0.843, 0.268),
    (0.103, -0.08, 1.365, 0.208, 0.163, -0.033, 0.0, 0.049, -0.155),
)
"""They note only the cards that they see."""
CAREFUL = TableKind(
    ("hard", "hard:own_cards=never", "habit:own=1"),
    {"hard": 0.5, "habit:own=1": 0.5},
    0.235,
    (-0.008, 1.089, 0.533, 0.324, 0.399, -0.071, 0.71, -0.204, -0.759),
    (-0.249, -0.318, 0.948, 0.095, -0.108, -0.245, -0.383, 0.852, 0.065),
)
"""They draw every conclusion, and accuse with a proof."""
GUESSING = TableKind(
    ("expert",),
    {"expert": 1.0},
    0.599,
    (-0.929, 0.37, -0.277, 0.12, -0.583, -0.333, -0.081, 0.0, -0.51),
    (-0.155, 0.259, 0.704, 0.322, -0.986, -0.015, 0.165, -0.467, -0.057),
)
"""They draw every conclusion, and guess where that seems better than to wait."""
TABLE_KINDS = (CARELESS, CAREFUL, GUESSING)
"""The kinds; ``python -m research.chances`` prints `share`, `wins` and `right`."""


class Chances(NamedTuple):
    """How likely it is to win, at a table of each of TABLE_KINDS.

    Attributes:
        guesses: by accusing now, without a proof.
        waits: by not accusing in this turn, and playing on.
        shares: how likely the table is of each kind.
    """

    guesses: tuple[float, ...]
    waits: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def guess(self) -> float:
        """The chance of a guess, the kinds weighed by how likely they are."""
        return float(np.dot(self.guesses, self.shares))

    @property
    def wait(self) -> float:
        """The chance of playing on, the kinds weighed by how likely they are."""
        return float(np.dot(self.waits, self.shares))


class Advice(NamedTuple):
    """Whether to accuse at the end of one's turn.

    Attributes:
        cards: the likeliest envelope by the model that is shown.
        probability: how likely it is by that model; 1.0 is proof.
        chances: how likely it is to win by guessing it, and by not accusing; None where that is not known.
    """

    cards: Triple
    probability: float
    chances: Chances | None

    @property
    def proved(self) -> bool:
        """Whether there is no doubt."""
        return self.probability == 1.0

    @property
    def accuse(self) -> bool:
        """Whether to accuse: it is proved, or a guess is likelier to win than to play on.

        A guess has to be likelier both by the odds that are shown and as it was fitted to games.
        """
        if self.chances is None:
            return self.proved
        return min(self.probability, self.chances.guess) > self.chances.wait


def advise(known: SeatKnowledge) -> Advice | None:
    """The advice for what is known now; None for a spectator, and while the deals cannot be counted."""
    if known.evidence.me is None or not known.envelopes:
        return None
    cards, probability = known.envelopes[0]
    if not known.certain and is_fitted_table(known.evidence):
        # The figures are fitted to odds of the model `choice`, whichever model is shown.
        by_choice = known if known.model is CHOICE else SeatKnowledge(known.evidence, CHOICE)
        if by_choice.envelopes[0][1] >= LEAST_GUESS:
            return Advice(cards, probability, chances(by_choice, cards))
    return Advice(cards, probability, None)


def is_fitted_table(evidence: Evidence) -> bool:
    """Whether this is a table like those that the figures were fitted to and checked at.

    Three to six walk on a board with the 21 cards of the box, by its rules; five were not tried, but lie between. Where
    the game is given up sooner than in the box, who waits may win less often.
    """
    turns = max(BOX_RULES.max_turns, evidence.rules.max_turns)
    box = BOX_RULES.model_copy(update={"max_turns": turns, "starts": evidence.rules.starts})
    usual = evidence.rules == box and not evidence.free and evidence.counts == evidence.sizes
    return usual and evidence.seats in _SEATS and evidence.deck.size == _CARDS


def outlooks(known: SeatKnowledge) -> list[Outlook]:
    """How close the others are to winning, by what they can know: one outlook for each of TABLE_KINDS."""
    deals = known.sample(Random(_SEED), _DEALS)
    opponents = Opponents(known.evidence, known.model)
    likelihoods = opponents.likelihoods(deals, _SEED)
    return [opponents.outlook(likelihoods, kind.prior) for kind in TABLE_KINDS]


def chances(known: SeatKnowledge, cards: Triple) -> Chances:
    """How likely a guess of these cards wins, and playing on, where nothing is proved; the model is `choice`.

    Where nobody else is left in the race, playing on is certain to.
    """
    found = outlooks(known)
    seats, bits = known.evidence.seats, known.bits or 0.0
    waits, guesses = [], []
    for kind, outlook in zip(TABLE_KINDS, found, strict=True):
        waits.append(_chance(chance_terms(bits, known.envelopes[0][1], seats, outlook.survival), kind.wins))
        guesses.append(_chance(chance_terms(bits, known.chance(cards), seats, outlook.survival), kind.right))
    if not found[0].hazards.any():
        waits = [1.0] * len(TABLE_KINDS)
    likely = [outlook.log_likelihood + np.log(kind.share) for kind, outlook in zip(TABLE_KINDS, found, strict=True)]
    shares = np.exp(np.array(likely) - max(likely))
    return Chances(tuple(guesses), tuple(waits), tuple((shares / shares.sum()).tolist()))


def _chance(terms: Floats, weights: tuple[float, ...]) -> float:
    return float(1.0 / (1.0 + np.exp(-terms @ np.array(weights))))


def chance_terms(bits: float, best: float, seats: int, survival: Floats) -> Floats:
    """The terms of the linear models of the log odds to win, by playing on and by a guess: an array (9).

    After the constant come the log odds of winning by :func:`~cluedo.ai.race.value_of_waiting`: how close the others
    are to knowing the envelope, and yet did not accuse, says something of a guess as well. The last three let these
    odds, and those of the guess, count differently where they are low or high. They and the logarithm are there because
    fits to two thirds of the deals say better with them what came true in the other third.

    Args:
        bits: what is unknown of the envelope.
        best: the probability of the likeliest one.
        seats: how many play.
        survival: as :attr:`Outlook.survival`.
    """
    best = min(max(best, _EDGE), 1.0 - _EDGE)
    value = min(max(value_of_waiting(bits, best, Race(seats, 0.0, BOX_BITS), survival), _EDGE), 1.0 - _EDGE)
    waiting, guess = log(value / (1.0 - value)), log(best / (1.0 - best))
    plain = [1.0, waiting, guess, bits, log(max(bits, _FEW_BITS)), seats - 4.0]
    return np.array([*plain, max(_LOW - waiting, 0.0), max(waiting - _HIGH, 0.0), max(guess, 0.0)])
