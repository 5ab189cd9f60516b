"""Rebuilds the view of a seat from the messages of the protocol, for players of ours that are served as bots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from pydantic_core import to_json

from cluedo.engine.board import NOWHERE, Board, Reach
from cluedo.engine.codec import read_event
from cluedo.engine.events import Event, HypothesisMade, Peeked, Shown, as_seen_by
from cluedo.engine.mapfile import MapFile
from cluedo.engine.rules import Rules
from cluedo.engine.state import MOVE, WALK, Step, Table
from cluedo.engine.view import BLOCK, Past, PlayerView, Seen

__all__ = ["SeatGame"]

_STEPS: Final = {step.name.lower(): step for step in Step}


class SeatGame:
    """A game rebuilt from the messages to one seat: its views equal those of the game itself.

    Args:
        game: the message that begins it.
    """

    def __init__(self, game: Mapping[str, Any]):
        board = _board(to_json(game["map"]))
        deck = board.deck
        rules = Rules.model_validate(game["rules"])
        suspects = tuple(deck.id(player["suspect"]) for player in game["players"])
        sizes = tuple(player["cards"] for player in game["players"])
        open_cards = deck.mask(game["open_cards"])
        self.table = Table(board, rules, suspects, sizes, game["first"], game["pool"], open_cards)
        self.seat: int = game["seat"]
        self._hand = deck.mask(game["hand"])
        self._past: Past = ()
        self._recent: tuple[Event, ...] = ()
        self._seen: Seen = ()
        self._time = 0
        self._asker = 0

    def add_events(self, entries: Iterable[Mapping[str, Any]]) -> list[Event]:
        """Add events from a message; returns them as this seat saw them."""
        board, recent, new = self.table.board, [*self._recent], []
        for entry in entries:
            event = read_event(entry, board, self._asker)
            new.append(event)
            if type(event) is HypothesisMade:
                self._asker = event.seat
            elif (type(event) is Shown or type(event) is Peeked) and event.card is not None:
                self._seen += ((self._time, event),)
                event = as_seen_by(event, None)
            recent.append(event)
            self._time += 1
            if len(recent) == BLOCK:
                self._past += (tuple(recent),)
                recent.clear()
        self._recent = tuple(recent)
        return new

    def view(self, state: Mapping[str, Any]) -> PlayerView:
        """The seat's view, from the state in a message and the events so far."""
        table, board, deck = self.table, self.table.board, self.table.deck
        at = board.numbers
        pawns = tuple([at[node if type(node) is str else tuple(node)] for node in state["pawns"].values()])
        step, active, dice, shown = _STEPS[state["step"]], state["active"], state["dice"], state["card_shown"]
        place = pawns[table.suspects[active]]
        taken = 0
        for pawn in pawns:
            if pawn < board.rooms_at:
                taken |= 1 << pawn
        return PlayerView(
            table=table,
            seat=self.seat,
            hand=self._hand,
            turn=state["turn"],
            active=active,
            to_act=state["to_act"],
            step=step,
            dice=dice and tuple(dice),
            reach=_reach(table, step, place, dice, taken),
            place=place,
            pawns=pawns,
            weapons=tuple([at[room] for room in state["weapons"].values()]),
            taken=taken,
            used=tuple([-1 if room is None else at[room] for room in state["used"]]),
            eliminated=sum([1 << seat for seat in state["eliminated"]]),
            hypothesis=state["hypothesis"] and deck.triple(state["hypothesis"]),
            refuted_by=state["refuted_by"],
            card_shown=None if shown is None else deck.id(shown),
            peeked=state["peeked"],
            face_up=deck.mask(state["face_up"]),
            winner=state.get("winner"),
            reason=state.get("reason"),
            past=self._past,
            recent=self._recent,
            seen=self._seen,
            time=self._time,
        )


@lru_cache(maxsize=8)
def _board(text: bytes) -> Board:
    """The board of a map that came in a message; each is made once."""
    return Board(MapFile.model_validate_json(text))


def _reach(table: Table, step: Step, place: int, dice: Sequence[int] | None, taken: int) -> Reach:
    """Where the active pawn may walk to: it follows from the rest."""
    if step is WALK and dice is not None:
        return table.board.reach(place, sum(dice), taken)
    return table.board.other_rooms(place) if step is MOVE and table.free else NOWHERE
