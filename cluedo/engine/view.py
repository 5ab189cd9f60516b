"""The view of a seat: all that it may know of the game, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from cluedo.engine import commands
from cluedo.engine.board import Board, Reach
from cluedo.engine.cards import Deck, Triple
from cluedo.engine.events import Event, Peeked, Secret
from cluedo.engine.rules import Rules
from cluedo.engine.state import Reason, Step, Table

__all__ = ["BLOCK", "Past", "PlayerView", "Seen", "last_events"]

BLOCK = 32
"""Events after which a new block of a log begins."""

Past: TypeAlias = tuple[tuple[Event, ...], ...]
"""What everybody saw, in order, in blocks: so a log grows by one event without being copied whole."""

Seen: TypeAlias = tuple[tuple[int, Secret], ...]
"""The cards that somebody saw though not everybody did, each with the number of its event, in order."""


def last_events(
    past: Past, recent: tuple[Event, ...], seen: Sequence[tuple[int, Secret]], time: int, since: int
) -> tuple[Event, ...]:
    """The events from number ``since`` up to number ``time``, which is left out and the number of all of them.

    ``recent`` is the last block of ``past``; ``seen`` takes the place of what everybody saw.
    """
    first, there = len(past), len(recent)
    wanted = time - max(since, 0)
    while there < wanted:
        first -= 1
        there += len(past[first])
    events = [*chain(*past[first:], recent)][max(there - wanted, 0) :] if wanted > 0 else []
    for number, event in reversed(seen):
        if number < since:
            break
        events[number - time] = event
    return tuple(events)


class PlayerView(NamedTuple):
    """The game as one seat sees it at one moment: immutable, and complete for honest play.

    A named tuple, because a view is made for every decision of every player. Cards and places are
    ids; :attr:`deck` and :attr:`board` tell their names.

    Attributes:
        table: what never changes: board, deck, rules, suspects, hand sizes, who started.
        seat: whose view this is.
        hand: the mask of the cards that this seat holds.
        turn: turns begun so far. ``active``: the seat whose turn it is.
        to_act: the seat that has to decide now, and ``step`` what.
        dice: this turn's roll, or None. ``reach``: where the active pawn may walk to now.
        place: where the active pawn stands.
        pawns: by suspect, the place of the pawn. ``weapons``: by weapon, the place of its room.
        taken: the mask of the squares that pawns stand on.
        used: by seat, the place of the room that it has used up (rule 7), or -1.
        eliminated: the mask of the seats that have accused wrongly.
        hypothesis: this turn's suspect, weapon and room, or None.
        refuted_by: the seat that showed a card to it, or None; the last of several (rule 19).
        card_shown: that card, if this seat showed or saw it, else None.
        peeked: the position in the pool that the active seat has looked at this turn, or None (rule 15).
        face_up: the mask of the cards that lie open for all: those left over, and hands laid open (rules 14 and 18).
        winner: the seat that won, or None; ``reason``: how the game ended, or None while it goes on.
        past: with ``recent`` and ``seen``, where :attr:`events` come from; ``time``: how many there are. Tuples all
            the way down, because all views share the table's log: no player may change it for the others.
    """

    table: Table
    seat: int
    hand: int
    turn: int
    active: int
    to_act: int
    step: Step
    dice: tuple[int, ...] | None
    reach: Reach
    place: int
    pawns: tuple[int, ...]
    weapons: tuple[int, ...]
    taken: int
    used: tuple[int, ...]
    eliminated: int
    hypothesis: Triple | None
    refuted_by: int | None
    card_shown: int | None
    peeked: int | None
    face_up: int
    winner: int | None
    reason: Reason | None
    past: Past
    recent: tuple[Event, ...]
    seen: Seen
    time: int

    @property
    def looked_at(self) -> set[int]:
        """The positions in the pool that this seat has looked at."""
        return {event.position for _, event in self.seen if isinstance(event, Peeked)}

    @property
    def board(self) -> Board:
        """The board."""
        return self.table.board

    @property
    def deck(self) -> Deck:
        """The cards."""
        return self.table.deck

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self.table.rules

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened so far, as this seat saw it."""
        return self.events_since(0)

    def events_since(self, time: int) -> tuple[Event, ...]:
        """Those after the first ``time``: what is new to somebody who has an earlier view."""
        return last_events(self.past, self.recent, self.seen, self.time, time)

    def legal(self) -> list[commands.Command]:
        """What this seat may do now; empty when another one has to decide."""
        return commands.legal(self) if self.to_act == self.seat else []
