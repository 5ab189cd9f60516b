"""How the levels walk to the rooms where they want to ask, or have to accuse."""

from __future__ import annotations

from random import Random

from cluedo.ai.choosing import may_ask_here, pick
from cluedo.ai.player import Movement
from cluedo.engine.commands import Accusation, Roll, SecretPassage, Stay, move
from cluedo.engine.state import WALK
from cluedo.engine.view import PlayerView

__all__ = ["toward_rooms", "walk", "way_to_accuse"]

_ROLL, _SECRET_PASSAGE, _STAY = Roll(), SecretPassage(), Stay()


def toward_rooms(view: PlayerView, wanted: int, random: Random) -> Movement:
    """One decision of a walk towards the rooms in ``wanted``, a mask over places.

    A room that is used up (rule 7) does not count: any other room has to come first. Which of those
    left is left to chance among those within reach; if none is, the nearest one, by a shortest way
    round the pawns as they stand; if no step leads nearer, the next nearest; at last any square, so
    that two pawns cannot block each other for ever.

    Before the dice are thrown, these count as within reach: the room where one may stay and ask, the
    room behind a secret passage, and the rooms within an average roll, or else the nearest one.
    """
    if view.table.free:
        return walk(view, wanted, random)
    board, here = view.table.board, view.place
    used = view.used[view.active]
    if used >= 0:
        # Back there nothing could be asked; and the way to it leads through another room (rule 7).
        wanted = wanted & ~(1 << used) or board.all_rooms & ~(1 << used)
    if view.step is WALK:
        return walk(view, wanted, random)
    if here < board.rooms_at:
        return _ROLL
    sure = []
    if wanted >> here & 1 and may_ask_here(view):
        sure.append(here)
    passage = board.passage(here)
    if passage >= 0 and wanted >> passage & 1:
        sure.append(passage)
    if not sure:
        return _ROLL
    rules = view.rules
    average = rules.dice * (rules.sides + 1) // 2
    others = [(steps, room) for steps, room in board.nearest[here] if wanted >> room & 1 and room not in sure]
    near = [room for steps, room in others if steps <= average] or [room for _, room in others[:1]]
    choice = pick(random, sure + near)
    if choice == here:
        return _STAY
    return _SECRET_PASSAGE if choice == passage else _ROLL


def walk(view: PlayerView, wanted: int, random: Random) -> Movement:
    """The end of a walk to the rooms in ``wanted``, a mask over places, where a walk is due; used up or not."""
    board, here, reach = view.table.board, view.place, view.reach
    rooms = [room for room in reach.rooms if wanted >> room & 1]
    if view.table.free and wanted >> here & 1:
        rooms.append(here)
    if rooms:
        choice = pick(random, rooms)
        return _STAY if choice == here else move(choice)
    if not reach.mask:
        return _STAY
    blocked = view.taken & ~(1 << here)
    for _, room in board.nearest[here]:
        if wanted >> room & 1:
            ends = board.toward(room, here, reach.mask, blocked)
            if ends:
                return move((ends & -ends).bit_length() - 1)
    return move(reach.pick(random))


def way_to_accuse(view: PlayerView, decided: Accusation, random: Random) -> Movement:
    """One decision of the way to the room of an accusation that has to be made there (rule 17).

    Unlike the way to a question, it may lead back into a room that is used up (rule 7).
    """
    board = view.table.board
    to = decided.room + board.room_offset
    if view.place == to:
        return _STAY
    if view.table.free or view.step is WALK:
        return walk(view, 1 << to, random)
    return _SECRET_PASSAGE if board.passage(view.place) == to else _ROLL
