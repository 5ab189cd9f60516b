"""The commands: everything that a seat can do.

Each command answers three questions from one source: ``why_not`` says which rule forbids it, ``legal``
lists what is not forbidden, and ``apply`` may then simply do it. Legality depends on a
:class:`~cluedo.engine.state.Situation` alone, so that a player can ask it of a view just as the game asks it
of the state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import ClassVar, Self

from cluedo.engine import events
from cluedo.engine.board import NOWHERE
from cluedo.engine.cards import Category, Triple, bits, triple_mask
from cluedo.engine.errors import IllegalCommand, safe_repr
from cluedo.engine.events import Event
from cluedo.engine.phrase import Phrase, one_of
from cluedo.engine.state import ACCUSE, ASK, END, MOVE, OVER, REFUTE, WALK, Situation, State, Step, replaced

__all__ = [
    "KINDS",
    "Accusation",
    "Command",
    "EndTurn",
    "Hypothesis",
    "Move",
    "Peek",
    "Roll",
    "SecretPassage",
    "ShowCard",
    "Stay",
    "accusation",
    "all_own",
    "hypothesis",
    "legal",
    "move",
]

# Events are values with few possible contents: made once each, they cost a look-up afterwards. Not so what holds a
# secret, Shown and ShowCard: the hits of a cache, and which of its values are in use, would tell it.
_accused = cache(events.Accused)
_hypothesis_made = cache(events.HypothesisMade)
_moved = cache(events.Moved)
_passage_taken = cache(events.PassageTaken)
_passed = cache(events.Passed)
_rolled = lru_cache(maxsize=4096)(events.Rolled)  # six dice of a hundred sides have many faces
_stayed = cache(events.Stayed)
_turn_ended = cache(events.TurnEnded)

_WAITING = {
    MOVE: Phrase("the turn waits for a move"),
    WALK: Phrase("the dice are thrown, and the turn waits for a walk"),
    ASK: Phrase("the turn waits for a hypothesis, an accusation or its end"),
    REFUTE: Phrase("a card has to be shown first"),
    ACCUSE: Phrase("the turn waits for an accusation or its end"),
    END: Phrase("after a wrong accusation the turn can only end"),
    OVER: Phrase("the game is over"),
}

_NO_DICE = Phrase("there are no dice under free movement (rule 12)")
_ROLL_FIRST = Phrase("the dice are rolled before the walk (rule 4)")
_NO_PASSAGES = Phrase("there are no secret passages under free movement (rule 12)")
_NO_PASSAGE_HERE = Phrase("there is no secret passage here (rule 4)")
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
_STARTER_ALONE = Phrase("only the starting player looks at a card of the pool, before their first move (rule 21)")
_ONE_PEEK = Phrase("only one card of the pool is looked at in a turn (rule 15)")
_ACCUSE_IN_A_ROOM = Phrase("an accusation is made in the room that it names (rule 17)")
_ACCUSE_LATER = Phrase("an accusation comes at the end of a turn, after the move (rule 10)")


class Command(ABC):
    """What a seat does. Commands are values: frozen, comparable, with ids for cards and places."""

    __slots__ = ()

    intent: ClassVar[Phrase]
    """What the command is, for messages."""

    @classmethod
    @abstractmethod
    def legal(cls, situation: Situation) -> Iterator[Self]:
        """Every command of this kind that is allowed now, in a fixed order."""

    @abstractmethod
    def why_not(self, situation: Situation) -> Phrase | None:
        """Why the command is not allowed now, as a sentence that names the rule; None if it is."""

    def verify(self, situation: Situation) -> None:
        """Raise :class:`IllegalCommand`, saying why, unless the command is allowed now."""
        reason = self.why_not(situation)
        if reason is not None:
            raise IllegalCommand(reason)

    @abstractmethod
    def apply(self, state: State) -> tuple[Event, ...]:
        """Do it: change the state and say what happened. The command has been verified."""


class _Plain(Command):
    """A command without a choice in it."""

    __slots__ = ()

    @classmethod
    def legal(cls, situation: Situation) -> Iterator[Self]:
        command = cls()
        if command.why_not(situation) is None:
            yield command


@dataclass(frozen=True, slots=True)
class Roll(_Plain):
    """Throw the dice for a walk."""

    intent = Phrase("a roll")

    def why_not(self, situation: Situation) -> Phrase | None:
        if situation.step is not MOVE:
            return _wrong_step(self.intent, situation)
        if situation.table.free:
            return _NO_DICE
        return None

    def apply(self, state: State) -> tuple[Event, ...]:
        seat = state.active
        state.dice = dice = state.deal.dice[seat][state.rolled[seat]]
        state.rolled[seat] += 1
        start = state.place
        state.reach = state.table.board.reach(start, sum(dice), state.taken & ~(1 << start))
        state.step = WALK
        return (_rolled(seat, dice),)


@dataclass(frozen=True, slots=True)
class Move(Command):
    """Walk to a place within the roll; under free movement, enter a room."""

    to: int

    intent = Phrase("a walk")

    @staticmethod
    def obstacle(situation: Situation) -> Phrase | None:
        if situation.step is WALK or (situation.step is MOVE and situation.table.free):
            return None
        return _ROLL_FIRST if situation.step is MOVE else _wrong_step(Move.intent, situation)

    @classmethod
    def legal(cls, situation: Situation) -> Iterator[Self]:
        if cls.obstacle(situation) is None:
            for place in situation.reach.places:
                yield cls(place)

    def why_not(self, situation: Situation) -> Phrase | None:
        obstacle = self.obstacle(situation)
        if obstacle is not None:
            return obstacle
        if type(self.to) is not int or self.to < 0 or not situation.reach.mask >> self.to & 1:
            return self._why_not_there(situation)
        return None

    def _why_not_there(self, situation: Situation) -> Phrase:
        board, to = situation.table.board, self.to
        if type(to) is not int or not (board.is_room(to) or board.squares >> max(to, 0) & 1) or to >= board.places:
            return Phrase("{place} is not a place on this board", place=safe_repr(to))
        node = board.node(to)
        if situation.table.free:
            return Phrase(
                "under free movement you enter another room or stay; {place} is not another room (rule 12)", place=node
            )
        return Phrase("{place} cannot be reached with this roll round the other pawns (rule 5)", place=node)

    def apply(self, state: State) -> tuple[Event, ...]:
        _enter(state, self.to)
        return (_moved(state.active, self.to),)


@dataclass(frozen=True, slots=True)
class SecretPassage(_Plain):
    """Take the secret passage of the room one is in."""

    intent = Phrase("a secret passage")

    def why_not(self, situation: Situation) -> Phrase | None:
        if situation.step is not MOVE:
            return _wrong_step(self.intent, situation)
        if situation.table.free:
            return _NO_PASSAGES
        if situation.table.board.passage(situation.place) < 0:
            return _NO_PASSAGE_HERE
        return None

    def apply(self, state: State) -> tuple[Event, ...]:
        to = state.table.board.passage(state.place)
        _enter(state, to)
        return (_passage_taken(state.active, to),)


@dataclass(frozen=True, slots=True)
class Stay(_Plain):
    """Stay where one is."""

    intent = Phrase("staying")

    def why_not(self, situation: Situation) -> Phrase | None:
        return None if situation.step is WALK or situation.step is MOVE else _wrong_step(self.intent, situation)

    def apply(self, state: State) -> tuple[Event, ...]:
        _settle(state, state.place)
        return (_stayed(state.active),)


@dataclass(frozen=True, slots=True)
class Hypothesis(Command):
    """Ask the others about a suspect, a weapon and the room one is in."""

    suspect: int
    weapon: int
    room: int

    intent = Phrase("a hypothesis")

    @property
    def cards(self) -> Triple:
        """The three cards."""
        return self.suspect, self.weapon, self.room

    @staticmethod
    def obstacle(situation: Situation) -> Phrase | None:
        if situation.step is ASK:
            return None
        if situation.step is ACCUSE:
            if situation.hypothesis is not None:
                return _ONE_HYPOTHESIS
            if not situation.table.board.is_room(situation.place):
                return _IN_A_ROOM
            return _USED_UP
        return _wrong_step(Hypothesis.intent, situation)

    @classmethod
    def legal(cls, situation: Situation) -> Iterator[Self]:
        if cls.obstacle(situation) is None:
            deck, here = situation.table.deck, situation.table.board.room_card(situation.place)
            for suspect, weapon in product(deck.suspects, deck.weapons):
                if not all_own(suspect, weapon, here, situation):
                    yield cls(suspect, weapon, here)

    def why_not(self, situation: Situation) -> Phrase | None:
        obstacle = self.obstacle(situation)
        if obstacle is not None:
            return obstacle
        here = situation.place - situation.table.board.room_offset
        wrong = _wrong_card(self.suspect, self.weapon, self.room, situation)
        if wrong is None and self.room != here:
            names = situation.table.deck.names
            return Phrase(
                "a hypothesis is about the room that the asker is in, {here}, not {named} (rule 6)",
                here=names[here],
                named=names[self.room],
            )
        if wrong is None and all_own(self.suspect, self.weapon, self.room, situation):
            return _NOT_ALL_OWN
        return wrong

    def apply(self, state: State) -> tuple[Event, ...]:
        table, seat, room = state.table, state.active, state.place
        state.hypothesis = (self.suspect, self.weapon, self.room)
        state.used = replaced(state.used, seat, room)
        if state.pawns[self.suspect] != room:
            state.put_pawn(self.suspect, room)
            owner = table.seat_of[self.suspect]
            if owner >= 0:
                state.used = replaced(state.used, owner, -1)
        weapon = self.weapon - table.deck.weapons.start
        if state.weapons[weapon] != room:
            state.weapons = replaced(state.weapons, weapon, room)
        return (_hypothesis_made(seat, self.suspect, self.weapon, self.room), *_asked_on(state, seat))


@dataclass(frozen=True, slots=True)
class ShowCard(Command):
    """Show the asker one of the three cards."""

    card: int

    intent = Phrase("showing a card")

    @staticmethod
    def choices(situation: Situation) -> int:
        """The mask of the cards that may be shown."""
        if situation.hypothesis is None:
            return 0
        return situation.hand & triple_mask(situation.hypothesis)

    @staticmethod
    def obstacle(situation: Situation) -> Phrase | None:
        if situation.step is not REFUTE:
            return _NOTHING_TO_REFUTE
        return None

    @classmethod
    def legal(cls, situation: Situation) -> Iterator[Self]:
        if cls.obstacle(situation) is None:
            for card in bits(cls.choices(situation)):
                yield cls(card)

    def why_not(self, situation: Situation) -> Phrase | None:
        obstacle = self.obstacle(situation)
        if obstacle is not None:
            return obstacle
        choices = self.choices(situation)
        if type(self.card) is not int or self.card < 0 or not choices >> self.card & 1:
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

    @staticmethod
    def obstacle(situation: Situation) -> Phrase | None:
        rules = situation.table.rules
        if not rules.looks:
            return _NO_PEEKING
        if not situation.table.pool_size:
            return _NO_POOL
        if situation.peeked is not None:
            return _ONE_PEEK
        if rules.start_bonus == "peek" and situation.turn == 1 and situation.step is MOVE:
            return None
        if not rules.peek:
            return _STARTER_ALONE
        if situation.step is not ACCUSE:
            return _wrong_step(Peek.intent, situation)
        return _ANSWERED if situation.hypothesis is None or situation.refuted_by is not None else None

    @classmethod
    def legal(cls, situation: Situation) -> Iterator[Self]:
        if cls.obstacle(situation) is None:
            for position in range(situation.table.pool_size):
                yield cls(position)

    def why_not(self, situation: Situation) -> Phrase | None:
        obstacle = self.obstacle(situation)
        if obstacle is not None:
            return obstacle
        size = situation.table.pool_size
        if type(self.position) is not int or not 0 <= self.position < size:
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
class Accusation(Command):
    """Say what is in the envelope, and stake the game on it."""

    suspect: int
    weapon: int
    room: int

    intent = Phrase("an accusation")

    @property
    def cards(self) -> Triple:
        """The three cards."""
        return self.suspect, self.weapon, self.room

    @staticmethod
    def obstacle(situation: Situation) -> Phrase | None:
        if situation.step is ASK or situation.step is ACCUSE:
            table = situation.table
            if table.rules.accuse_in == "room" and not table.board.is_room(situation.place):
                return _ACCUSE_IN_A_ROOM
            return None
        if situation.step is MOVE or situation.step is WALK:
            return _ACCUSE_LATER
        return _wrong_step(Accusation.intent, situation)

    @classmethod
    def legal(cls, situation: Situation) -> Iterator[Self]:
        if cls.obstacle(situation) is None:
            table = situation.table
            suspects, weapons, rooms = table.deck.ids
            if table.rules.accuse_in == "room":
                here = table.board.room_card(situation.place)
                rooms = range(here, here + 1)
            for suspect, weapon, room in product(suspects, weapons, rooms):
                yield cls(suspect, weapon, room)

    def why_not(self, situation: Situation) -> Phrase | None:
        obstacle = self.obstacle(situation)
        if obstacle is not None:
            return obstacle
        wrong, table = _wrong_card(self.suspect, self.weapon, self.room, situation), situation.table
        if wrong is None and table.rules.accuse_in == "room":
            here, names = table.board.room_card(situation.place), table.deck.names
            if self.room != here:
                return Phrase(
                    "an accusation names the room that it is made in, {here}, not {named} (rule 17)",
                    here=names[here],
                    named=names[self.room],
                )
        return wrong

    def apply(self, state: State) -> tuple[Event, ...]:
        seat = state.active
        correct = (self.suspect, self.weapon, self.room) == state.deal.envelope
        if correct:
            state.winner, state.reason, state.step = seat, "solved", OVER
        else:
            state.eliminated |= 1 << seat
            room = state.table.board.door_room.get(state.place)
            if room is not None:
                state.put_pawn(state.table.suspects[seat], room)
            state.step = END
        accused = _accused(seat, self.suspect, self.weapon, self.room, correct)
        if correct or not state.table.rules.wrong_shows_hand:
            return (accused,)
        hand = state.deal.hands[seat]
        state.face_up |= hand
        return accused, events.HandShown(seat, tuple(bits(hand)))


@dataclass(frozen=True, slots=True)
class EndTurn(_Plain):
    """End one's turn."""

    intent = Phrase("the end of the turn")

    def why_not(self, situation: Situation) -> Phrase | None:
        step = situation.step
        return None if step is ACCUSE or step is ASK or step is END else _wrong_step(self.intent, situation)

    def apply(self, state: State) -> tuple[Event, ...]:
        seat, seats = state.active, len(state.used)
        if state.eliminated == (1 << seats) - 1:
            state.reason, state.step = "unsolved", OVER
        elif state.turn >= state.table.rules.max_turns:
            state.reason, state.step = "unfinished", OVER
        else:
            following = (seat + 1) % seats
            while state.eliminated >> following & 1:
                following = (following + 1) % seats
            state.begin_turn(following)
        return (_turn_ended(seat),)


KINDS: tuple[type[Command], ...] = (
    Roll,
    Move,
    SecretPassage,
    Stay,
    Hypothesis,
    ShowCard,
    Peek,
    Accusation,
    EndTurn,
)
"""Every kind of command, in the order in which a turn meets them."""

# Public commands are values with few possible contents: whoever gives many of them takes them from here.
accusation = cache(Accusation)
hypothesis = cache(Hypothesis)
move = cache(Move)


def legal(situation: Situation) -> list[Command]:
    """Every command that the seat to act may give now."""
    return [command for kind in KINDS for command in kind.legal(situation)]


def all_own(suspect: int, weapon: int, room: int, situation: Situation) -> bool:
    """Whether three cards are all the asker's own where that is not allowed (rule 16)."""
    if situation.table.rules.own_cards == "any":
        return False
    named = triple_mask((suspect, weapon, room))
    return situation.hand & named == named


def _wrong_step(intent: Phrase, situation: Situation) -> Phrase:
    return _not_now(intent, situation.step)


@cache
def _not_now(intent: Phrase, step: Step) -> Phrase:
    return Phrase("{intent} is not possible now: {waiting} (rule 4)", intent=intent, waiting=_WAITING[step])


def _wrong_card(suspect: int, weapon: int, room: int, situation: Situation) -> Phrase | None:
    """Which of the three is not a card of its category, if one is not; any object may stand here."""
    for k, card in enumerate((suspect, weapon, room)):
        if type(card) is not int or card not in situation.table.deck.ids[k]:
            return Phrase("{card} is not a {category} of this deck", card=safe_repr(card), category=Category(k).word)
    return None


def _asked_on(state: State, last: int) -> list[Event]:
    """Ask those after the seat ``last``, up to the asker: they pass until somebody has to show a card (rule 9)."""
    assert state.hypothesis is not None
    named = triple_mask(state.hypothesis)
    asker, seats, hands = state.active, len(state.used), state.deal.hands
    passed: list[Event] = []
    other = (last + 1) % seats
    while other != asker:
        if hands[other] & named:
            state.step, state.to_act = REFUTE, other
            return passed
        passed.append(_passed(other))
        other = (other + 1) % seats
    state.step, state.to_act = ACCUSE, asker
    return passed


def _enter(state: State, to: int) -> None:
    """Put the active pawn on a place that it moved to by itself."""
    seat = state.active
    state.put_pawn(state.table.suspects[seat], to)
    if to >= state.table.board.rooms_at and state.used[seat] not in (to, -1):
        state.used = replaced(state.used, seat, -1)
    _settle(state, to)


def _settle(state: State, here: int) -> None:
    """End the move: a hypothesis may follow, or not (rules 6 to 8)."""
    state.reach = NOWHERE
    fresh = state.used[state.active] != here or state.table.free
    state.step = ASK if here >= state.table.board.rooms_at and fresh else ACCUSE
