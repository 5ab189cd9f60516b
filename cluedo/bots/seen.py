"""What a seat sees, rebuilt from what the protocol tells it, for players of ours that are served as bots."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from pydantic import TypeAdapter

from cluedo.engine.board import NOWHERE, Board, Reach
from cluedo.engine.cards import Deck, Triple
from cluedo.engine.codec import EventForm, read_event
from cluedo.engine.events import Event, HypothesisMade, Peeked, Shown, as_seen_by
from cluedo.engine.mapfile import MapFile
from cluedo.engine.rules import Rules
from cluedo.engine.state import MOVE, WALK, Step, Table
from cluedo.engine.view import BLOCK, Past, PlayerView, Seen

__all__ = ["SeenGame"]

_EVENTS: Final = TypeAdapter(list[EventForm])


class SeenGame:
    """A game as one seat is told of it: its views are equal to those that the game itself would give.

    Args:
        game: the message that begins it.
    """

    def __init__(self, game: Mapping[str, Any]):
        board = _board(json.dumps(game["map"], sort_keys=True))
        deck = board.deck
        rules = Rules.model_validate(game["rules"])
        suspects = tuple(deck.id(player["suspect"]) for player in game["players"])
        sizes = tuple(player["cards"] for player in game["players"])
        open_cards = deck.mask(game["open_cards"])
        self.table = Table.of(board, rules, suspects, sizes, game["first"], game["pool"], open_cards)
        self.seat: int = game["seat"]
        self._hand = deck.mask(game["hand"])
        self._past: Past = ()
        self._recent: tuple[Event, ...] = ()
        self._seen: Seen = ()
        self._time = 0
        self._asker = 0

    def hear(self, entries: Any) -> list[Event]:
        """Take note of events; they are given back as this seat saw them."""
        heard = []
        for form in _EVENTS.validate_python(entries):
            event = read_event(form, self.table.board, self._asker)
            if isinstance(event, HypothesisMade):
                self._asker = event.seat
            if isinstance(event, Shown | Peeked) and event.card is not None:
                self._seen += ((self._time, event),)
            self._recent = (*self._recent, as_seen_by(event, None))
            self._time += 1
            if len(self._recent) >= BLOCK:
                self._past, self._recent = (*self._past, self._recent), ()
            heard.append(as_seen_by(event, self.seat))
        return heard

    def view(self, state: Mapping[str, Any]) -> PlayerView:
        """What the seat may know, as the table stands and after the events heard so far."""
        table, board, deck = self.table, self.table.board, self.table.deck
        pawns = tuple(board.place(place) for place in state["pawns"].values())
        weapons = tuple(board.place(place) for place in state["weapons"].values())
        step, active = Step[state["step"].upper()], state["active"]
        place = pawns[table.suspects[active]]
        taken = sum(1 << pawn for pawn in pawns if not board.is_room(pawn))
        dice = None if state["dice"] is None else tuple(state["dice"])
        return PlayerView(
            table,
            self.seat,
            self._hand,
            state["turn"],
            active,
            state["to_act"],
            step,
            dice,
            _reach(table, step, place, dice, taken),
            place,
            pawns,
            weapons,
            taken,
            tuple(-1 if room is None else board.place(room) for room in state["used"]),
            sum(1 << seat for seat in state["eliminated"]),
            _triple(deck, state["hypothesis"]),
            state["refuted_by"],
            None if state["card_shown"] is None else deck.id(state["card_shown"]),
            state["peeked"],
            deck.mask(state["face_up"]),
            state.get("winner"),
            state.get("reason"),
            self._past,
            self._recent,
            self._seen,
            self._time,
        )


@lru_cache(maxsize=8)
def _board(text: str) -> Board:
    """The board of a map as it was told; one is made once."""
    return Board(MapFile.model_validate_json(text))


def _triple(deck: Deck, names: list[str] | None) -> Triple | None:
    return None if names is None else deck.triple(names)


def _reach(table: Table, step: Step, place: int, dice: tuple[int, ...] | None, taken: int) -> Reach:
    """Where the active pawn may walk to: it follows from the rest."""
    if step is WALK and dice is not None:
        return table.board.reach(place, sum(dice), taken & ~(1 << place))
    return table.board.other_rooms(place) if step is MOVE and table.free else NOWHERE
