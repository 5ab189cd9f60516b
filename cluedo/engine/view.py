"""What one seat may know, and nothing else."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from cluedo.engine import commands
from cluedo.engine.board import Board, Reach
from cluedo.engine.cards import Deck
from cluedo.engine.events import Event, Shown
from cluedo.engine.rules import Rules
from cluedo.engine.state import Reason, Step, Table

__all__ = ["PlayerView", "SeatLog"]


class SeatLog:
    """The events as one seat saw them.

    All seats share the list of what everybody saw; each has its own cards seen beside it, so that a
    log holds no secret of another seat. The lists only ever grow; after an undo a game has new ones.
    """

    __slots__ = ("_private", "_public")

    def __init__(self, public: list[Event], private: dict[int, Shown]):
        self._public, self._private = public, private

    def between(self, start: int, stop: int) -> tuple[Event, ...]:
        """The events from number ``start`` up to number ``stop``, which is left out."""
        private = self._private
        return tuple([private.get(k, event) for k, event in enumerate(self._public[start:stop], start)])


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
        refuted_by: the seat that showed a card to it, or None.
        card_shown: that card, if this seat showed or saw it, else None.
        winner, reason: how the game ended; None while it goes on.
        log, time: where :attr:`events` come from.
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
    hypothesis: tuple[int, int, int] | None
    refuted_by: int | None
    card_shown: int | None
    winner: int | None
    reason: Reason | None
    log: SeatLog
    time: int

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
        return self.log.between(0, self.time)

    def events_since(self, time: int) -> tuple[Event, ...]:
        """Those after the first ``time``: what is new to somebody who has an earlier view."""
        return self.log.between(time, self.time)

    def legal(self) -> list[commands.Command]:
        """What this seat may do now; empty when another one has to decide."""
        return commands.legal(self) if self.to_act == self.seat else []

    def to_json(self) -> str:
        """All that the view holds, as JSON with sorted keys: equal texts are equal knowledge."""
        data: dict[str, Any] = {
            name: getattr(self, name) for name in self._fields if name not in ("table", "reach", "log")
        }
        table = self.table
        data["table"] = {
            "map": table.board.map.name,
            "rules": table.rules.model_dump(),
            "suspects": table.suspects,
            "hand_sizes": table.hand_sizes,
            "first": table.first,
        }
        data["reach"] = self.reach.places
        data["events"] = [repr(event) for event in self.events]
        return json.dumps(data, sort_keys=True)
