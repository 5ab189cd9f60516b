"""Where a seat can choose to ask."""

from __future__ import annotations

from cluedo.ai.walking import may_ask_here
from cluedo.engine.state import WALK
from cluedo.engine.view import PlayerView

__all__ = ["rooms_to_ask_in"]


def rooms_to_ask_in(view: PlayerView) -> list[int]:
    """The rooms, as card ids, that the active seat can choose from for a hypothesis this turn.

    Before a roll these are its own room, if it may ask there, and the one behind a secret passage; after it its own
    room and those that the roll reaches; under free movement all of them. A room that is used up is none (rule 7).
    """
    board, here, used = view.table.board, view.place, view.used[view.active]
    places = {here} if may_ask_here(view) else set()
    if view.table.free or view.step is WALK:
        places.update(view.reach.rooms)
    elif board.passage(here) >= 0:
        places.add(board.passage(here))
    if not view.table.free:
        places.discard(used)
    return sorted(board.room_card(place) for place in places)
