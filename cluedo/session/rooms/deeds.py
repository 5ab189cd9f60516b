"""What a person does, as plain values: for a face in another process, or on another machine."""

from __future__ import annotations

from typing import Any

from cluedo.engine.commands import (
    Accusation,
    Command,
    EndTurn,
    Hypothesis,
    Move,
    Peek,
    Roll,
    SecretPassage,
    ShowCard,
    Stay,
)
from cluedo.engine.errors import IllegalCommand
from cluedo.engine.state import Table
from cluedo.session.actions import Deed, Naming, TakeBack

__all__ = ["deed_json", "read_deed"]


def deed_json(deed: Deed) -> dict[str, Any]:
    """A deed; one that needs cards has ``"name": true`` and perhaps the room that is given."""
    match deed:
        case Roll():
            return {"type": "roll"}
        case Move(to):
            return {"type": "move", "to": to}
        case SecretPassage():
            return {"type": "passage"}
        case Stay():
            return {"type": "stay"}
        case Naming(kind, room):
            return {"type": "ask" if kind is Hypothesis else "accuse", "name": True, "room": room}
        case Hypothesis() | Accusation():
            return {"type": "ask" if isinstance(deed, Hypothesis) else "accuse", "cards": list(deed.cards)}
        case ShowCard(card):
            return {"type": "show", "card": card}
        case Peek(position):
            return {"type": "peek", "position": position}
        case EndTurn():
            return {"type": "end"}
        case TakeBack():
            return {"type": "back"}
        case _:
            raise TypeError(f"{deed!r} has no form as plain values")


def read_deed(value: object, table: Table) -> Command | TakeBack:
    """The deed that somebody sent; raises :class:`IllegalCommand` for what is none."""
    places, cards = range(table.board.places), range(table.deck.size)
    match value:
        case {"type": "roll"}:
            return Roll()
        case {"type": "move", "to": int(to)} if to in places:
            return Move(to)
        case {"type": "passage"}:
            return SecretPassage()
        case {"type": "stay"}:
            return Stay()
        case {"type": "ask", "cards": [int(suspect), int(weapon), int(room)]} if {suspect, weapon, room} <= set(cards):
            return Hypothesis(suspect, weapon, room)
        case {"type": "accuse", "cards": [int(suspect), int(weapon), int(room)]} if {suspect, weapon, room} <= set(
            cards
        ):
            return Accusation(suspect, weapon, room)
        case {"type": "show", "card": int(card)} if card in cards:
            return ShowCard(card)
        case {"type": "peek", "position": int(position)} if position in range(table.pool_size):
            return Peek(position)
        case {"type": "end"}:
            return EndTurn()
        case {"type": "back"}:
            return TakeBack()
    raise IllegalCommand("this cannot be done in a game")
