"""What a seat knows: all that follows from its evidence under a model, on demand; and how that grows in a game."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import wraps
from random import Random
from typing import Any, NamedTuple, TypeVar

import numpy as np

from cluedo.ai.knowledge.evidence import Evidence, EvidenceReader
from cluedo.ai.knowledge.gains import (
    best_in_rooms,
    countable,
    entropy,
    gain,
    sampled_gains,
    shortlist,
)
from cluedo.ai.knowledge.kernels.programme import Deals, Floats
from cluedo.ai.knowledge.models import CHOICE, UNIFORM, Model
from cluedo.ai.knowledge.posterior import Posterior, TooManyDeals, compile_counting
from cluedo.ai.knowledge.reasons import Explanation, explain
from cluedo.ai.knowledge.sat import SatDeducer
from cluedo.engine.cards import Category, Triple, UnknownCard
from cluedo.engine.commands import Accusation
from cluedo.engine.errors import CluedoError, safe_repr
from cluedo.engine.game import Game
from cluedo.engine.validation import whole_number
from cluedo.engine.view import PlayerView

__all__ = ["Best", "Proof", "SeatKnowledge", "after_each_turn", "uncertainty"]

_NOTHING = 1e-9
"""Bits that are only what rounding leaves of none."""
_SEED = 1
"""Of the deals that questions are judged by: the same evidence always gives the same answer."""
_MANY = 20_000
"""Deals that gains are estimated from."""

T = TypeVar("T")


class Proof(NamedTuple):
    """A card proved to be at a place, or not to be there (places as in :class:`Evidence`)."""

    card: int
    place: int
    there: bool


class Best(NamedTuple):
    """A hypothesis, and the bits about the envelope that it is expected to tell."""

    cards: Triple
    bits: float


def _kept(find: Callable[[SeatKnowledge], T]) -> Callable[[SeatKnowledge], T]:
    """A property's function, whose answer is kept until the evidence grows."""

    @wraps(find)
    def kept(known: SeatKnowledge) -> T:
        return known.recall(find, lambda: find(known))

    return kept


class SeatKnowledge:
    """What one person knows of a deal. All answers are for the evidence as it is now, also after it has grown.

    Any question raises InconsistentEvidence where no deal fits. Where the deals are too many to count, what is
    proved is known all the same, and odds are sampled (see :attr:`exact`). Should even that find none, odds,
    envelopes, bits and questions are None or empty.

    Args:
        evidence: the facts.
        model: what the deals that fit are weighed by.
        reader: what :meth:`read` goes on with; :meth:`of` makes it.
    """

    def __init__(self, evidence: Evidence, model: Model = CHOICE, reader: EvidenceReader | None = None):
        self.evidence = evidence
        self.model = model
        self._posterior = Posterior(evidence, model)
        self._taken = -1
        self._kept: dict[Hashable, Any] = {}
        self._reader = reader

    @classmethod
    def of(cls, view: PlayerView, model: Model = CHOICE) -> SeatKnowledge:
        """What a seat of a game knows by its view; later views are for :meth:`read`."""
        reader = EvidenceReader(view)
        return cls(reader.evidence, model, reader)

    def read(self, view: PlayerView) -> None:
        """Take in what happened since the last view of the seat.

        Raises:
            CluedoError: :meth:`of` did not make it; or the view is of another seat or game, or older, as after an undo.
        """
        if self._reader is None:
            raise CluedoError("only what SeatKnowledge.of has made of a view can read later ones")
        self._reader.read(view)

    def __reduce__(self) -> tuple[type[SeatKnowledge], tuple[Evidence, Model, EvidenceReader | None]]:
        """Pickle and copy what all answers follow from, and none of them."""
        return SeatKnowledge, (self.evidence, self.model, self._reader)

    @staticmethod
    def prepare(model: Model = CHOICE) -> None:
        """Compile, or load, what odds and questions need; else the first answer after the installation waits for it."""
        known = SeatKnowledge(compile_counting(model).evidence, model)
        known.best()
        _ = known.best_by_room

    def recall(self, key: Hashable, find: Callable[[], T]) -> T:
        """The cached value of a key for the evidence as it is now; computed by ``find`` if there is none."""
        if self._taken != len(self.evidence.facts):
            self._taken = len(self.evidence.facts)
            self._kept = {}
        if key not in self._kept:
            self._kept[key] = find()
        found: T = self._kept[key]
        return found

    # ---- cards and places ----------------------------------------------------------------------

    @property
    @_kept
    def deals(self) -> int | None:
        """How many deals fit, or about how many; None where nothing is known of it."""
        return None if self._counted is None else self._counted.deals

    @property
    def exact(self) -> bool:
        """Whether odds and the number of deals are exact. If not, they are sampled, and have errors."""
        return self._counted is None or self._counted.exact

    @property
    def deals_error(self) -> float:
        """The relative error of ``deals`` (half the 95 % interval); 0 if they are counted."""
        return 0.0 if self._counted is None else self._counted.deals_error

    @property
    def errors(self) -> Floats:
        """The errors of ``odds`` (half the 95 % intervals), an array (cards, places); 0 if they are counted."""
        if self._counted is None:
            return np.zeros((self.evidence.deck.size, self.evidence.places))
        return self._counted.errors

    @property
    def error(self) -> float:
        """The greatest of ``errors``."""
        return float(self.errors.max())

    @property
    @_kept
    def odds(self) -> Floats | None:
        """P(card at place), an array (cards, places), the envelope last; 0.0 and 1.0 are proved."""
        return None if self._counted is None else self._counted.marginals.copy()

    @property
    @_kept
    def chances(self) -> list[list[float | None]]:
        """By card, then by place, the probability; 0.0 and 1.0 are proved, None is open and unknown."""
        if self.odds is not None:
            rows: list[list[float | None]] = self.odds.tolist()
            return rows
        solver = SatDeducer(self.evidence)
        places, cards = range(self.evidence.places), range(self.evidence.deck.size)
        statuses = [[solver.status(card, place) for place in places] for card in cards]
        return [[None if status is None else float(status) for status in row] for row in statuses]

    def status(self, card: int, place: int) -> bool | None:
        """True: proved to be there; False: proved not to be; None: open."""
        chance = self.chances[card][place]
        return None if chance is None or 0.0 < chance < 1.0 else chance == 1.0

    @property
    @_kept
    def proofs(self) -> frozenset[Proof]:
        """All that is proved."""
        return frozenset(
            Proof(card, place, chance == 1.0)
            for card, row in enumerate(self.chances)
            for place, chance in enumerate(row)
            if chance in (0.0, 1.0)
        )

    def why(self, card: int, place: int, *, seconds: float = 0.2) -> Explanation:
        """Why a card is or is not at a place, or what is open about it.

        ``seconds`` bounds the search for a smallest reason.

        Raises:
            CluedoError: there is no such card or place.
            TooManyDeals: it is open, and how likely it is cannot be counted.
        """
        if card not in range(self.evidence.deck.size):
            raise UnknownCard("{card} is not the id of a card of this deck", card=safe_repr(card))
        if place not in range(self.evidence.places):
            most = self.evidence.places - 1
            raise CluedoError("a place is a number from 0 to {most}, not {place}", most=most, place=safe_repr(place))
        return self.recall((card, place, seconds), lambda: self._explained(card, place, seconds))

    # ---- the envelope --------------------------------------------------------------------------

    @property
    @_kept
    def envelopes(self) -> list[tuple[Triple, float]]:
        """Every possible envelope with its probability, likeliest first."""
        return [] if self._counted is None else self._counted.envelopes()

    def envelope_error(self, cards: Triple) -> float:
        """The error of an envelope's probability (half the 95 % interval); 0 if it is counted."""
        if self._counted is None:
            return 0.0
        at = tuple(card - ids.start for card, ids in zip(cards, self.evidence.deck.ids, strict=True))
        return float(self._counted.joint_errors[at])

    @property
    @_kept
    def bits(self) -> float | None:
        """The uncertainty about the envelope, in bits; exactly 0 once it is proved."""
        if self._counted is None:
            return None
        bits = entropy(self._counted.joint)
        return bits if bits > _NOTHING else 0.0

    @property
    @_kept
    def settled(self) -> tuple[int | None, int | None, int | None]:
        """By category, the card that is proved to be in the envelope, or None."""
        envelope = self.evidence.envelope
        suspect, weapon, room = (
            next((card for card in ids if self.chances[card][envelope] == 1.0), None) for ids in self.evidence.deck.ids
        )
        return suspect, weapon, room

    @property
    def certain(self) -> bool:
        """Whether the whole envelope is proved."""
        return None not in self.settled

    def chance(self, cards: Triple) -> float:
        """How likely an envelope is, where it can be counted: exactly 1 and 0 where that is proved."""
        found = dict(self.envelopes).get(cards, 0.0)
        # Where the envelope is proved, rounding may still have left a hair.
        return float(round(found)) if self.certain else found

    def sample(self, random: Random, count: int) -> Deals:
        """Random deals that fit, drawn by their weights: an array (count, cards) of places.

        Raises:
            TooManyDeals: none can be found.
        """
        return self._posterior.sample(random, count)

    # ---- what to ask ---------------------------------------------------------------------------

    def gain(self, cards: Triple) -> float:
        """The bits that asking about these three cards is expected to tell me about the envelope.

        Raises:
            UnknownCard: they are not the ids of a suspect, a weapon and a room.
        """
        self._check(cards)
        if self.estimated:
            return self.recall(cards, lambda: float(sampled_gains(self._posterior, [cards], self._many_deals)[0]))
        return self.recall(cards, lambda: gain(self._posterior, cards))

    @property
    @_kept
    def estimated(self) -> bool:
        """Whether the gains of questions are estimated from sampled deals, because counting would take long."""
        return not countable(self._posterior)

    def best(self, count: int = 1, rooms: Sequence[int] | None = None, *, also: Sequence[Triple] = ()) -> list[Best]:
        """The best hypotheses, the best first, of a shortlist and those that are named ``also``; none for a spectator.

        Args:
            count: how many, at most.
            rooms: the ids of the rooms where they may be made; None for all.
            also: others that are to be considered.

        Raises:
            CluedoError: none are wanted.
            UnknownCard: an id is not that of a room.
        """
        if whole_number(count, 1) is None:
            raise CluedoError("ask for 1 question or more, not {count}", count=safe_repr(count))
        if rooms is None:
            rooms = self.evidence.deck.rooms
        self._check(rooms, [Category.ROOM] * len(rooms))
        if self.evidence.me is None or self._counted is None:
            return []
        posterior, key = self._counted, ("short", count, tuple(rooms))
        short = self.recall(key, lambda: shortlist(posterior, rooms, count, Random(_SEED))) if len(rooms) else []
        found = [Best(triple, self.gain(triple)) for triple in dict.fromkeys([*also, *short])]
        return sorted(found, key=lambda best: (-best.bits, best.cards))[:count]

    @property
    @_kept
    def best_by_room(self) -> list[Best]:
        """The best hypothesis of each room, in deck order, quickly estimated.

        Empty for a spectator, or if all is known.
        """
        if self.evidence.me is None or self._counted is None or self.certain:
            return []
        return [Best(*found) for found in best_in_rooms(self._counted, Random(_SEED))]

    # ---- inside --------------------------------------------------------------------------------

    def _check(self, cards: Sequence[int], categories: Iterable[Category] = Category) -> None:
        """Raise UnknownCard unless these are ids of cards of these categories: the kernels take any number for one."""
        for why in map(self.evidence.deck.wrong_card, cards, categories):
            if why is not None:
                raise UnknownCard(why)

    @property
    @_kept
    def _counted(self) -> Posterior | None:
        """The posterior, brought up to date; None where the deals are too many to count."""
        try:
            self._posterior.update()
            _ = self._posterior.joint
        except (TooManyDeals, MemoryError):
            return None
        return self._posterior

    @property
    @_kept
    def _many_deals(self) -> Deals:
        """What gains are estimated from: drawn once for all questions."""
        return self._posterior.sample(Random(_SEED), _MANY)

    def _explained(self, card: int, place: int, seconds: float) -> Explanation:
        try:
            return explain(self.evidence, card, place, model=self.model, seconds=seconds)
        except MemoryError:
            raise TooManyDeals from None


def after_each_turn(game: Game) -> Iterator[Game]:
    """Replay a game: yields it as it was dealt, then after every turn, the last one even if that turn is not over.

    It is the same :class:`Game` object each time, further on. A right accusation is left out, so that the last
    position is what the seats knew before the solution was shown.
    """
    again = game.at_deal()
    yield again
    whole = True
    for command in game.commands:
        if isinstance(command, Accusation) and command.cards == game.state.deal.envelope:
            break
        turn = again.state.turn
        again.execute(command)
        whole = again.state.turn > turn or again.over
        if whole:
            yield again
    if not whole:
        yield again


def uncertainty(game: Game, model: Model = UNIFORM) -> Floats:
    """What each seat did not know of the envelope, in bits: an array (turns + 1, seats).

    Row 0 is the deal, row t what was known after turn t; a right accusation, which tells everybody everything, is
    left out of it. Every seat is judged by its own views. NaN where the deals that fit are too many to count.
    """
    rows: list[list[float]] = []
    seats = [SeatKnowledge.of(game.dealt(seat), model) for seat in range(game.table.seats)]
    for position in after_each_turn(game):
        row = []
        for seat, known in enumerate(seats):
            bits: float | None = 0.0
            if not rows or rows[-1][seat] != 0.0:  # what is proved stays proved
                known.read(position.view(seat))
                bits = known.bits
            row.append(math.nan if bits is None else bits)
        rows.append(row)
    return np.array(rows)
