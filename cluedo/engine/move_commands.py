"""The commands of a move: roll and walk, take a secret passage, or stay (rules 4, 5 and 12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from cluedo.engine import events
from cluedo.engine.base_command import Command, cached_events, not_now
from cluedo.engine.board import NOWHERE
from cluedo.engine.cards import not_int
from cluedo.engine.errors import safe_repr
from cluedo.engine.events import Event
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import ACCUSE, ASK, MOVE, WALK, State, replaced

if TYPE_CHECKING:  # a view lists its commands, so it comes after this module
    from cluedo.engine.view import PlayerView

__all__ = ["Move", "Roll", "SecretPassage", "Stay"]

_moved = cached_events(events.Moved)
_passage_taken = cached_events(events.PassageTaken)
_rolled = cached_events(events.Rolled, 4096)  # six dice of a hundred sides have many faces
_stayed = cached_events(events.Stayed)

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
            return not_now(cls.intent, situation.step)
        if situation.table.free:
            return _NO_DICE
        return None

    why_not = obstacle

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
        return _ROLL_FIRST if situation.step is MOVE else not_now(cls.intent, situation.step)

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
            return not_now(cls.intent, situation.step)
        if situation.table.free:
            return _NO_PASSAGES
        if situation.table.board.passage(situation.place) < 0:
            return _NO_PASSAGE_HERE
        return None

    why_not = obstacle

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
        return None if situation.step is WALK or situation.step is MOVE else not_now(cls.intent, situation.step)

    why_not = obstacle

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
