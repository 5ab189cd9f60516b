"""Where a seat can choose to ask, and what it may name."""

from __future__ import annotations

from random import Random

from cluedo.ai.choosing import pick
from cluedo.ai.walking import may_ask_here
from cluedo.engine.cards import Category, bits
from cluedo.engine.commands import Hypothesis, all_own, hypothesis
from cluedo.engine.state import WALK
from cluedo.engine.view import PlayerView

__all__ = ["allowed_hypothesis", "rooms_to_ask_in"]


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


def allowed_hypothesis(view: PlayerView, suspect: int, weapon: int, random: Random) -> Hypothesis:
    """A hypothesis about a suspect and a weapon in the room one is in.

    Where all three would be one's own and may not be (rule 16), a weapon that is not is named instead.
    """
    room = view.place - view.table.board.room_offset
    if all_own(suspect, weapon, room, view):
        weapon = pick(random, bits(view.deck.masks[Category.WEAPON] & ~view.hand))
    return hypothesis(suspect, weapon, room)
