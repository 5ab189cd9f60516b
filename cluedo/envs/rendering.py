"""Renders what everybody at the table sees of a game, but nobody's cards: as text or as a picture."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.errors import SetupError
from cluedo.engine.geometry import rooms_of
from cluedo.engine.view import PlayerView

__all__ = ["RENDER_MODES", "check_render_mode", "render_view"]

RENDER_MODES: Final = ("ansi", "human", "rgb_array")

_SIDE: Final = 14
"""Pixels of a square."""
_CORRIDOR: Final = (255, 255, 215)
_OUTSIDE: Final = (60, 60, 60)


def check_render_mode(mode: str | None) -> None:
    """Raise :class:`SetupError` for an unknown mode."""
    if mode is not None and mode not in RENDER_MODES:
        modes = ", ".join(RENDER_MODES)
        raise SetupError("a game is rendered as {modes}, not {mode!r}", modes=modes, mode=mode)


def render_view(view: PlayerView, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Render a view in a mode; None if it was printed (``human``), or nothing is to be rendered."""
    if mode == "rgb_array":
        return _board_as_pixels(view)
    if mode == "human":
        print(_board_as_text(view))
    return _board_as_text(view) if mode == "ansi" else None


def _board_as_text(view: PlayerView) -> str:
    """The board as text with a sign for each pawn, and who has to decide what.

    Small letters are doors and capitals are rooms, as in the files of maps; pawns are digits, by suspect from 0.
    """
    board, table = view.board, view.table
    rows = [list(line) for line in board.map.grid or ()]
    for suspect, place in enumerate(view.pawns):
        if rows and not board.is_room(place):
            rows[place // board.stride][place % board.stride] = str(suspect % 10)
    lines = ["".join(row) for row in rows]
    for seat, suspect in enumerate(table.suspects):
        lines.append(f"{suspect} {table.name(seat)}, seat {seat}: {board.node(view.pawns[suspect])}")
    named = "" if view.hypothesis is None else f" {table.deck.listed(view.hypothesis)}"
    lines.append(f"turn {view.turn} of {table.name(view.active)}: {table.name(view.to_act)}, {view.step.name}{named}")
    return "\n".join(lines) + "\n"


def _board_as_pixels(view: PlayerView) -> NDArray[np.uint8]:
    """The board as RGB pixels, (height, width, 3): rooms and pawns in their colours. A deck alone is a row of cells."""
    board = view.board
    picture = _empty_board(board)
    for suspect, place in enumerate(view.pawns):
        x, y = _where(board, place, suspect)
        picture[y + 2 : y + _SIDE - 2, x + 2 : x + _SIDE - 2] = 0
        picture[y + 3 : y + _SIDE - 3, x + 3 : x + _SIDE - 3] = _colour(board.map.suspects[suspect].colour)
    return picture


def _empty_board(board: Board) -> NDArray[np.uint8]:
    squares = np.full((board.height, board.width, 3), _OUTSIDE, np.uint8)
    for (x, y), room in rooms_of(board).items():
        squares[y, x] = _colour(board.map.rooms[room].colour)
    for square in bits(board.squares):
        squares[square // board.stride, square % board.stride] = _CORRIDOR
    picture = squares.repeat(_SIDE, axis=0).repeat(_SIDE, axis=1)
    for square in bits(board.squares):
        x, y = square % board.stride * _SIDE, square // board.stride * _SIDE
        picture[y, x : x + _SIDE] = picture[y : y + _SIDE, x] = (220, 220, 180)
        if square in board.door_room:
            behind = board.map.rooms[board.door_room[square] - board.rooms_at]
            picture[y + 5 : y + _SIDE - 4, x + 5 : x + _SIDE - 4] = _colour(behind.colour)
    return picture


def _where(board: Board, place: int, suspect: int) -> tuple[int, int]:
    """The corner of the square where a pawn is drawn: in a room, one square for each suspect."""
    if not board.is_room(place):
        return place % board.stride * _SIDE, place // board.stride * _SIDE
    room = place - board.rooms_at
    inside = [square for square, k in rooms_of(board).items() if k == room]
    x, y = inside[suspect * len(inside) // len(board.map.suspects)] if inside else (room, 0)
    return min(x, board.width - 1) * _SIDE, y * _SIDE


def _colour(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
