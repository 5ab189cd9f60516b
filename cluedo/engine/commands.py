"""The commands: everything that a seat can do, one class each.

Each command answers three questions from one source: ``why_not`` says which rule forbids it, ``legal`` lists what is
not forbidden, and ``apply`` may then simply do it. The first two rest on an ``obstacle`` to all commands of a kind;
those with a choice in them add their ``options``, and why another one is none. Legality depends on nothing but what a
view has too, so that a player can ask it of a view just as the game asks it of the state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from cluedo.engine import events
from cluedo.engine.board import NOWHERE
from cluedo.engine.cards import Category, Triple, bits, not_int, triple_mask
from cluedo.engine.errors import safe_repr
from cluedo.engine.events import Event
from cluedo.engine.phrase import Phrase, one_of
from cluedo.engine.state import ACCUSE, ASK, END, MOVE, OVER, REFUTE, WALK, State, Step, replaced

if TYPE_CHECKING:
    from cluedo.engine.view import PlayerView

__all__ = [
    "COMMANDS",
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
    "all_own",
    "legal",
]

_WAITING = {
    MOVE: Phrase("the turn waits for a move"),
    WALK: Phrase("the dice are thrown, and the turn waits for a walk"),
    ASK: Phrase("the turn waits for a hypothesis, an accusation or its end"),
    REFUTE: Phrase("a card has to be shown first"),
    ACCUSE: Phrase("the turn waits for an accusation or its end"),
    END: Phrase("after a wrong accusation the turn can only end"),
    OVER: Phrase("the game is over"),
}


class Command(ABC):
    """Something that a seat does. Commands are frozen values that can be compared; cards and places are ids."""

    __slots__ = ()

    intent: ClassVar[Phrase]
    """What the command is, for messages."""

    word: ClassVar[str]
    """What it is called in files and in messages of programs."""

    detail: ClassVar[Literal["to", "card", "cards", "position"] | None] = None
    """The attribute that is chosen with it, also its key in files: a place, a card, three cards or a position."""

    secret: ClassVar[bool] = False
    """Whether its first event holds a card that some seats alone see."""

    silent: ClassVar[bool] = False
    """Whether it shows nobody anything but where a pawn stands, so that it may be taken back."""

    @classmethod
    @abstractmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        """Why no command of this kind is allowed now, as a sentence that names the rule; None if one may be."""

    @classmethod
    def options(cls, situation: State | PlayerView) -> Iterator[Self]:  # noqa: ARG003 - for those with a choice in them
        """Every command of this kind that is allowed where there is no obstacle, in a fixed order."""
        yield cls()

    @classmethod
    def legal(cls, situation: State | PlayerView) -> Iterator[Self]:
        """Every command of this kind that is allowed now, in a fixed order."""
        return cls.options(situation) if cls.obstacle(situation) is None else iter(())

    def why_not(self, situation: State | PlayerView) -> Phrase | None:
        """Why the command is not allowed now, as a sentence that names the rule; None if it is."""
        return self.obstacle(situation)

    @abstractmethod
    def apply(self, state: State) -> tuple[Event, ...]:
        """Do it: change the state and say what happened. The command has been verified."""


def _cached_events(kind: Callable[..., Event], most: int | None = None) -> Callable[..., tuple[Event, ...]]:
    """What makes events of one kind, each alone in a tuple, and keeps them: all, or the ``most`` that came last.

    Events are values with few possible contents: made once each, they cost a look-up afterwards. Not so what holds a
    secret, Shown and ShowCard: the hits of a cache, and which of its values are in use, would tell it.
    """
    return lru_cache(maxsize=most)(lambda *values: (kind(*values),))


@cache
def _not_now(intent: Phrase, step: Step) -> Phrase:
    """The reason that the turn waits for something else."""
    return Phrase("{intent} is not possible now: {waiting} (rule 4)", intent=intent, waiting=_WAITING[step])


# ---- a move: roll and walk, take a secret passage, or stay (rules 4, 5 and 12) -----------------------

_moved = _cached_events(events.Moved)
_passage_taken = _cached_events(events.PassageTaken)
_rolled = _cached_events(events.Rolled, 4096)  # six dice of a hundred sides have many faces
_stayed = _cached_events(events.Stayed)

_NO_DICE = Phrase("there are no dice under free movement (rule 12)")
_ROLL_FIRST = Phrase("the dice are rolled before the walk (rule 4)")
_NO_PASSAGES = Phrase("there are no secret passages under free movement (rule 12)")
_NO_PASSAGE_HERE = Phrase("there is no secret passage here (rule 4)")


@dataclass(frozen=True, slots=True)
class Roll(Command):
    """Throw the dice for a walk."""

    intent = Phrase("a roll")
    word = "roll"

    @classmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        if situation.step is not MOVE:
            return _not_now(cls.intent, situation.step)
        if situation.table.free:
            return _NO_DICE
        return None

    def apply(self, state: State) -> tuple[Event, ...]:
        seat = state.active
        state.dice = dice = state.deal.dice[seat][state.rolled[seat]]
        state.rolled[seat] += 1
        state.reach = state.table.board.reach(state.place, sum(dice), state.taken)
        state.step = WALK
        return _rolled(seat, dice)


@dataclass(frozen=True, slots=True)
class Move(Command):
    """Walk to a place within the roll; under free movement, enter a room."""

    to: int

    intent = Phrase("a walk")
    word = "move"
    detail = "to"
    silent = True

    @classmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        if situation.step is WALK or (situation.step is MOVE and situation.table.free):
            return None
        return _ROLL_FIRST if situation.step is MOVE else _not_now(cls.intent, situation.step)

    @classmethod
    def options(cls, situation: State | PlayerView) -> Iterator[Self]:
        for place in situation.reach.places:
            yield cls(place)

    def why_not(self, situation: State | PlayerView) -> Phrase | None:
        to = self.to
        if type(to) is int and to >= 0 and situation.reach.mask >> to & 1:
            return None  # nothing is within reach where no walk is due
        if (obstacle := self.obstacle(situation)) is not None:
            return obstacle
        if type(to) is not int:
            return not_int(to)
        board = situation.table.board
        if to not in range(board.places) or not (board.is_room(to) or board.squares >> to & 1):
            return Phrase("{place} is not a place on this board", place=safe_repr(to))
        node = board.node(to)
        if situation.table.free:
            return Phrase(
                "under free movement you enter another room or stay; {place} is not another room (rule 12)", place=node
            )
        return Phrase("{place} cannot be reached with this roll round the other pawns (rule 5)", place=node)

    def apply(self, state: State) -> tuple[Event, ...]:
        _enter(state, self.to)
        return _moved(state.active, self.to)


@dataclass(frozen=True, slots=True)
class SecretPassage(Command):
    """Take the secret passage of the room one is in."""

    intent = Phrase("a secret passage")
    word = "secret_passage"
    silent = True

    @classmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        if situation.step is not MOVE:
            return _not_now(cls.intent, situation.step)
        if situation.table.free:
            return _NO_PASSAGES
        if situation.table.board.passage(situation.place) < 0:
            return _NO_PASSAGE_HERE
        return None

    def apply(self, state: State) -> tuple[Event, ...]:
        to = state.table.board.passage(state.place)
        _enter(state, to)
        return _passage_taken(state.active, to)


@dataclass(frozen=True, slots=True)
class Stay(Command):
    """Stay where one is."""

    intent = Phrase("staying")
    word = "stay"
    silent = True

    @classmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        return None if situation.step is WALK or situation.step is MOVE else _not_now(cls.intent, situation.step)

    def apply(self, state: State) -> tuple[Event, ...]:
        _end_move(state, state.place)
        return _stayed(state.active)


def _enter(state: State, to: int) -> None:
    """Put the active pawn on a place that it moved to by itself."""
    seat = state.active
    state.put_pawn(state.table.suspects[seat], to)
    if to >= state.table.board.rooms_at and state.used[seat] not in (to, -1):
        state.used = replaced(state.used, seat, -1)
    _end_move(state, to)


def _end_move(state: State, here: int) -> None:
    """End the move: a hypothesis may follow, or not (rules 6 to 8)."""
    state.reach = NOWHERE
    fresh = state.used[state.active] != here or state.table.free
    state.step = ASK if here >= state.table.board.rooms_at and fresh else ACCUSE


# ---- cards: ask, show, look into the pool, accuse (rules 6 to 10 and 15 to 19) -----------------------

_accused = _cached_events(events.Accused)
_hypothesis_made = _cached_events(events.HypothesisMade)

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
        return _not_now(cls.intent, situation.step)

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
            return _not_now(cls.intent, situation.step)
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
        return _not_now(cls.intent, situation.step)

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


# ---- the end of a turn, and all of them --------------------------------------------------------------

_turn_ended = _cached_events(events.TurnEnded)


@dataclass(frozen=True, slots=True)
class EndTurn(Command):
    """End one's turn."""

    intent = Phrase("the end of the turn")
    word = "end_turn"

    @classmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        step = situation.step
        return None if step is ACCUSE or step is ASK or step is END else _not_now(cls.intent, situation.step)

    def apply(self, state: State) -> tuple[Event, ...]:
        seat, seats, eliminated = state.active, len(state.used), state.eliminated
        left = seats - eliminated.bit_count()
        if not left or (left == 1 and state.table.rules.last_wins):
            state.reason, state.step = "unsolved", OVER
            if left:
                state.winner = (~eliminated & (1 << seats) - 1).bit_length() - 1
        elif state.turn >= state.table.max_turns:
            state.reason, state.step = "unfinished", OVER
        else:
            following = (seat + 1) % seats
            while eliminated and eliminated >> following & 1:
                following = (following + 1) % seats
            state.begin_turn(following)
        return _turn_ended(seat)


COMMANDS: tuple[type[Command], ...] = (
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


def legal(situation: State | PlayerView) -> list[Command]:
    """Every command that the seat to act may give now."""
    return [command for kind in COMMANDS for command in kind.legal(situation)]
