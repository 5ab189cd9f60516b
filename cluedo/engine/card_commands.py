"""The commands about cards: to ask, to show, to look into the pool, to accuse (rules 6 to 10 and 15 to 19)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Self

from cluedo.engine import events
from cluedo.engine.base_command import Command, cached_events, not_now
from cluedo.engine.cards import Category, Triple, bits, not_int, triple_mask
from cluedo.engine.errors import safe_repr
from cluedo.engine.events import Event
from cluedo.engine.phrase import Phrase, one_of
from cluedo.engine.state import ACCUSE, ASK, END, MOVE, OVER, REFUTE, WALK, State, replaced

if TYPE_CHECKING:  # a view lists its commands, so it comes after this module
    from cluedo.engine.view import PlayerView

__all__ = ["Accusation", "Hypothesis", "Peek", "ShowCard", "all_own"]

_accused = cached_events(events.Accused)
_hypothesis_made = cached_events(events.HypothesisMade)

_ONE_HYPOTHESIS = Phrase("only one hypothesis is allowed in a turn (rule 6)")
_IN_A_ROOM = Phrase("a hypothesis is made in a room (rule 6)")
_USED_UP = Phrase(
    "you have already asked in this room: enter another one first, or be moved here by somebody's hypothesis (rule 7)"
)
_NOTHING_TO_REFUTE = Phrase("there is nothing to refute now (rule 9)")
_NOT_ALL_OWN = Phrase("one of the three cards at least is not the asker's own (rule 16)")
_NO_PEEKING = Phrase("nobody looks into the pool under these rules (rule 15)")
_NO_POOL = Phrase("no card lies face down beside the board (rule 15)")
_ANSWERED = Phrase("only a player whose hypothesis nobody could answer looks at a card of the pool (rule 15)")
_ONE_PEEK = Phrase("only one card of the pool is looked at in a turn (rule 15)")
_ACCUSE_IN_A_ROOM = Phrase("an accusation is made in the room that it names (rule 17)")
_ACCUSE_LATER = Phrase("an accusation comes at the end of a turn, after the move (rule 10)")


@dataclass(frozen=True, slots=True)
class _ThreeCards(Command):
    """The base class of commands that name a suspect, a weapon and a room."""

    suspect: int
    weapon: int
    room: int

    detail = "cards"

    @property
    def cards(self) -> Triple:
        """The three cards."""
        return self.suspect, self.weapon, self.room

    def _wrong_card(self, situation: State | PlayerView) -> Phrase | None:
        """Say which of the three is not a card of its category, whatever object it is; None if all are."""
        deck = situation.table.deck
        suspects, weapons, rooms = deck.ids
        suspect, weapon, room = self.suspect, self.weapon, self.room
        numbers = type(suspect) is type(weapon) is type(room) is int
        if numbers and suspect in suspects and weapon in weapons and room in rooms:
            return None
        return next(filter(None, map(deck.wrong_card, self.cards, Category)), None)


@dataclass(frozen=True, slots=True)
class Hypothesis(_ThreeCards):
    """Ask the others about a suspect, a weapon and the room one is in."""

    intent = Phrase("a hypothesis")
    word = "hypothesis"

    @classmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        if situation.step is ASK:
            return None
        if situation.step is ACCUSE:
            if situation.hypothesis is not None:
                return _ONE_HYPOTHESIS
            if not situation.table.board.is_room(situation.place):
                return _IN_A_ROOM
            return _USED_UP
        return not_now(cls.intent, situation.step)

    @classmethod
    def options(cls, situation: State | PlayerView) -> Iterator[Self]:
        deck, here = situation.table.deck, situation.table.board.room_card(situation.place)
        for suspect, weapon in product(deck.suspects, deck.weapons):
            if not all_own(suspect, weapon, here, situation):
                yield cls(suspect, weapon, here)

    def why_not(self, situation: State | PlayerView) -> Phrase | None:
        reason = self.obstacle(situation) or self._wrong_card(situation)
        if reason is not None:
            return reason
        table = situation.table
        here = table.board.room_card(situation.place)
        if self.room != here:
            names = table.deck.names
            return Phrase(
                "a hypothesis is about the room that the asker is in, {here}, not {named} (rule 6)",
                here=names[here],
                named=names[self.room],
            )
        return _NOT_ALL_OWN if all_own(self.suspect, self.weapon, self.room, situation) else None

    def apply(self, state: State) -> tuple[Event, ...]:
        table, seat, room = state.table, state.active, state.place
        suspect = self.suspect
        state.hypothesis = suspect, self.weapon, self.room
        state.asked[seat] += 1
        state.used = replaced(state.used, seat, room)
        if state.pawns[suspect] != room:
            state.put_pawn(suspect, room)
            owner = table.seat_of[suspect]
            if owner >= 0 and state.used[owner] != -1:
                state.used = replaced(state.used, owner, -1)
        weapon = self.weapon - len(state.pawns)  # the ids of weapons follow on those of suspects
        if state.weapons[weapon] != room:
            state.weapons = replaced(state.weapons, weapon, room)
        return _hypothesis_made(seat, suspect, self.weapon, self.room) + _asked_on(state, seat)


@dataclass(frozen=True, slots=True)
class ShowCard(Command):
    """Show the asker one of the three cards."""

    card: int

    intent = Phrase("showing a card")
    word = "show"
    detail = "card"
    secret = True

    @staticmethod
    def choices(situation: State | PlayerView) -> int:
        """The mask of the cards that may be shown."""
        if situation.hypothesis is None:
            return 0
        return situation.hand & triple_mask(situation.hypothesis)

    @classmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        return None if situation.step is REFUTE else _NOTHING_TO_REFUTE

    @classmethod
    def options(cls, situation: State | PlayerView) -> Iterator[Self]:
        for card in bits(cls.choices(situation)):
            yield cls(card)

    def why_not(self, situation: State | PlayerView) -> Phrase | None:
        if (obstacle := self.obstacle(situation)) is not None:
            return obstacle
        if type(self.card) is not int:
            return not_int(self.card)
        choices = self.choices(situation)
        if self.card < 0 or not choices >> self.card & 1:
            names = situation.table.deck.names_in(choices)
            return Phrase(
                "the card shown has to be one that was named and that its player holds: {cards} (rule 9)",
                cards=one_of(names),
            )
        return None

    def apply(self, state: State) -> tuple[Event, ...]:
        shower, asker = state.to_act, state.active
        state.refuted_by, state.card_shown = shower, self.card
        shown = events.Shown(shower, asker, self.card)
        if state.table.rules.refuters == "all":
            return (shown, *_asked_on(state, shower))
        state.step, state.to_act = ACCUSE, asker
        return (shown,)


@dataclass(frozen=True, slots=True)
class Peek(Command):
    """Look at the card at a position of the pool, from 0, and put it back."""

    position: int

    intent = Phrase("a look into the pool")
    word = "peek"
    detail = "position"
    secret = True

    @classmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        if not situation.table.rules.peek:
            return _NO_PEEKING
        if not situation.table.pool_size:
            return _NO_POOL
        if situation.peeked is not None:
            return _ONE_PEEK
        if situation.step is not ACCUSE:
            return not_now(cls.intent, situation.step)
        return _ANSWERED if situation.hypothesis is None or situation.refuted_by is not None else None

    @classmethod
    def options(cls, situation: State | PlayerView) -> Iterator[Self]:
        for position in range(situation.table.pool_size):
            yield cls(position)

    def why_not(self, situation: State | PlayerView) -> Phrase | None:
        if (obstacle := self.obstacle(situation)) is not None:
            return obstacle
        if type(self.position) is not int:
            return not_int(self.position)
        size = situation.table.pool_size
        if not 0 <= self.position < size:
            return Phrase(
                "{position} is not a position in the pool, which are 0 to {last} (rule 15)",
                position=safe_repr(self.position),
                last=size - 1,
            )
        return None

    def apply(self, state: State) -> tuple[Event, ...]:
        state.peeked = self.position
        return (events.Peeked(state.active, self.position, state.deal.pool[self.position]),)


@dataclass(frozen=True, slots=True)
class Accusation(_ThreeCards):
    """Say what is in the envelope: whoever is right wins, whoever is wrong is out of the game."""

    intent = Phrase("an accusation")
    word = "accusation"

    @classmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        if situation.step is ASK or situation.step is ACCUSE:
            table = situation.table
            if table.accused_here and not table.board.is_room(situation.place):
                return _ACCUSE_IN_A_ROOM
            return None
        if situation.step is MOVE or situation.step is WALK:
            return _ACCUSE_LATER
        return not_now(cls.intent, situation.step)

    @classmethod
    def options(cls, situation: State | PlayerView) -> Iterator[Self]:
        table = situation.table
        suspects, weapons, rooms = table.deck.ids
        if table.accused_here:
            here = table.board.room_card(situation.place)
            rooms = range(here, here + 1)
        for suspect, weapon, room in product(suspects, weapons, rooms):
            yield cls(suspect, weapon, room)

    def why_not(self, situation: State | PlayerView) -> Phrase | None:
        reason, table = self.obstacle(situation) or self._wrong_card(situation), situation.table
        if reason is None and table.accused_here:
            here, names = table.board.room_card(situation.place), table.deck.names
            if self.room != here:
                return Phrase(
                    "an accusation names the room that it is made in, {here}, not {named} (rule 17)",
                    here=names[here],
                    named=names[self.room],
                )
        return reason

    def apply(self, state: State) -> tuple[Event, ...]:
        seat, cards = state.active, self.cards
        correct = cards == state.deal.envelope
        if correct:
            state.winner, state.reason, state.step = seat, "solved", OVER
        else:
            state.eliminated |= 1 << seat
            room = state.table.board.door_room.get(state.place)
            if room is not None:
                state.put_pawn(state.table.suspects[seat], room)
            state.step = END
        accused = _accused(seat, *cards, correct)
        if correct or not state.table.rules.wrong_shows_hand:
            return accused
        hand = state.deal.hands[seat]
        state.face_up |= hand
        return (*accused, events.HandShown(seat, tuple(bits(hand))))


def all_own(suspect: int, weapon: int, room: int, situation: State | PlayerView) -> bool:
    """Whether three cards are all the asker's own where that is not allowed (rule 16)."""
    if not situation.table.not_all_own:
        return False
    named = triple_mask((suspect, weapon, room))
    return situation.hand & named == named


def _asked_on(state: State, last: int) -> tuple[Event, ...]:
    """Ask the seats after ``last``, up to the asker: each passes until one has to show a card (rule 9)."""
    assert state.hypothesis is not None
    named = triple_mask(state.hypothesis)
    asker, hands = state.active, state.deal.hands
    seats = len(hands)
    other = (last + 1) % seats
    while other != asker and not hands[other] & named:
        other = (other + 1) % seats
    state.step, state.to_act = ACCUSE if other == asker else REFUTE, other
    return _passes(last, other, seats)


@cache
def _passes(last: int, stop: int, seats: int) -> tuple[Event, ...]:
    """The passes of the seats between two, clockwise."""
    return tuple([events.Passed(seat % seats) for seat in range(last + 1, stop + seats if stop <= last else stop)])
