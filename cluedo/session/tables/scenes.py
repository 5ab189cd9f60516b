"""The board after each event: where pawns and weapons stand, and the way that a pawn walked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from cluedo.engine.board import Board
from cluedo.engine.events import Accused, Event, HypothesisMade, Moved, PassageTaken
from cluedo.engine.geometry import spots, weapon_spots
from cluedo.engine.state import Table, replaced

__all__ = ["Scene", "Walk", "first_scene", "next_scene", "pieces_json", "scene_json", "walk_to"]

Walk: TypeAlias = tuple[int, int, int]
"""Whence and where to a pawn walked, and the mask of the squares that others stood on: see :meth:`Board.way`."""


class Scene(NamedTuple):
    """The board after an event.

    Attributes:
        pawns, weapons: by suspect and by weapon, the place.
        walk: that of a pawn; None where none walked.
    """

    pawns: tuple[int, ...]
    weapons: tuple[int, ...]
    walk: Walk | None = None


def first_scene(board: Board) -> Scene:
    """The board at the deal."""
    return Scene(board.starts, board.weapon_starts)


def walk_to(board: Board, pawns: Sequence[int], suspect: int, to: int) -> Walk:
    """A pawn's walk to a place, from where the pawns stand."""
    taken = sum(1 << place for place in {*pawns} - {pawns[suspect]} if not board.is_room(place))
    return pawns[suspect], to, taken


def next_scene(table: Table, before: Scene, event: Event) -> Scene:
    """The board after one event more."""
    board, deck = table.board, table.deck
    pawns, weapons = before.pawns, before.weapons
    match event:
        case Moved(seat, to) | PassageTaken(seat, to):
            suspect = table.suspects[seat]
            walks = isinstance(event, Moved) and board.has_grid and not table.free
            walk = walk_to(board, pawns, suspect, to) if walks else None
            return Scene(replaced(pawns, suspect, to), weapons, walk)
        case HypothesisMade(_, suspect, weapon, room):
            there = board.room_place(room)
            return Scene(replaced(pawns, suspect, there), replaced(weapons, weapon - deck.weapons.start, there))
        case Accused(seat, correct=False):
            suspect = table.suspects[seat]
            inside = board.door_room.get(pawns[suspect], pawns[suspect])
            return Scene(replaced(pawns, suspect, inside), weapons)
    return Scene(pawns, weapons)


@lru_cache(maxsize=8192)
def scene_json(board: Board, scene: Scene) -> Mapping[str, Any]:
    """A scene as coordinates on the board, for JSON; cached, since all at a table get it."""
    walk = [board.node(place) for place in board.way(*scene.walk)] if scene.walk else []
    steps = [[node[0] + 0.5, node[1] + 0.5] for node in walk if not isinstance(node, str)]
    return pieces_json(board, scene.pawns, scene.weapons) | {"walk": steps}


def pieces_json(board: Board, pawns: Sequence[int], weapons: Sequence[int]) -> dict[str, Any]:
    """Where ``pawns`` and ``weapons`` are drawn, as coordinates on the board, for JSON; nothing for a deck alone."""
    if not board.has_grid:
        return {}
    return {
        "pawns": [[round(x, 2), round(y, 2)] for x, y in spots(board, pawns)],
        "weapons": [[round(x, 2), round(y, 2)] for x, y in weapon_spots(board, weapons)],
    }
