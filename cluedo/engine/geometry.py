"""The shape of a board, for drawings: where rooms, walls, doors, names, trapdoors and pawns are, and pawns' letters.

The square ``(x, y)`` covers x to x + 1 and y to y + 1, y downwards.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from cluedo.engine.board import Board
from cluedo.engine.cards import Deck
from cluedo.engine.graph import WALL

__all__ = [
    "FLOOR",
    "INK",
    "LINES",
    "SECRET",
    "WALLS",
    "YARD",
    "Square",
    "doors",
    "edge",
    "enclosed_squares",
    "hatch",
    "ink_on",
    "is_narrow",
    "middle",
    "name_lines",
    "pawn_codes",
    "rooms_of",
    "spots",
    "walls",
    "weapon_codes",
    "weapon_spots",
]

FLOOR, LINES, WALLS, YARD, INK, SECRET = "#f3ecd9", "#dccfae", "#4a3f35", "#ddd5c4", "#2b2420", "#7a2e2e"
"""The colours of a drawing: corridors, the lines between their squares, walls, yards, letters, secret passages."""

Square: TypeAlias = tuple[int, int]
Point: TypeAlias = tuple[float, float]
Edge: TypeAlias = tuple[Point, Point]
"""The two ends of a side of a square."""


@lru_cache(maxsize=64)
def rooms_of(board: Board) -> Mapping[Square, int]:
    """By square inside a room, the room's number."""
    index = {room.symbol: k for k, room in enumerate(board.map.rooms)}
    return {(x, y): index[symbol] for x, y, symbol in board.map.symbols() if symbol in index}


def enclosed_squares(board: Board) -> set[Square]:
    """The closed squares inside the board, such as a stairwell or a yard."""
    walls = {(x, y) for x, y, symbol in board.map.symbols() if symbol == WALL}
    outside = [(x, y) for x, y in walls if x in (0, board.width - 1) or y in (0, board.height - 1)]
    while outside:
        x, y = outside.pop()
        if (x, y) in walls:
            walls.remove((x, y))
            outside += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return walls


def _node(board: Board, place: int) -> Square:
    return place % board.stride, place // board.stride


def _way_in(square: Square, room: int, rooms: Mapping[Square, int]) -> Square:
    """The step that leads from a door square into its room."""
    x, y = square
    return next((dx, dy) for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)) if rooms.get((x + dx, y + dy)) == room)


def edge(square: Square, step: Square) -> Edge:
    """The two ends of the side of a square that lies in the direction of a step."""
    x, y = square[0] + 0.5 + step[0] / 2, square[1] + 0.5 + step[1] / 2
    along = (abs(step[1]) / 2, abs(step[0]) / 2)
    return (x - along[0], y - along[1]), (x + along[0], y + along[1])


def doors(board: Board) -> list[tuple[Square, Square]]:
    """Each door: its square, and the step into the room."""
    rooms = rooms_of(board)
    return [
        (square, _way_in(square, room - board.rooms_at, rooms))
        for square, room in ((_node(board, place), room) for place, room in board.door_room.items())
    ]


def walls(board: Board) -> list[Edge]:
    """The sides of squares round every room, and round the corridor where there is nothing beyond; none at a door."""
    rooms = rooms_of(board)
    kinds: dict[Square, int] = {
        (x, y): rooms.get((x, y), -1 if board.is_corridor(x, y) else -2) for x, y, _ in board.map.symbols()
    }
    gaps = {edge(square, step) for square, step in doors(board)}
    found = []
    for x in range(-1, board.width):
        for y in range(-1, board.height):
            for step in ((1, 0), (0, 1)):
                here, there = kinds.get((x, y), -2), kinds.get((x + step[0], y + step[1]), -2)
                side = edge((x, y), step)
                if here != there and side not in gaps:
                    found.append(side)
    return found


@lru_cache(maxsize=1024)
def middle(board: Board, room: int) -> Point:
    """Where a room's name goes: the middle of its bounding box, or its square nearest to that."""
    squares = [square for square, k in rooms_of(board).items() if k == room]
    xs, ys = [x for x, _ in squares], [y for _, y in squares]
    x, y = (min(xs) + max(xs) + 1) / 2, (min(ys) + max(ys) + 1) / 2
    if all((int(u), int(v)) in squares for u in (x - 0.25, x + 0.25) for v in (y - 0.25, y + 0.25)):
        return x, y  # and no wall runs through it
    near = min(squares, key=lambda square: abs(square[0] + 0.5 - x) + abs(square[1] + 0.5 - y))
    return near[0] + 0.5, near[1] + 0.5


@lru_cache(maxsize=1024)
def name_lines(board: Board, room: int) -> tuple[Sequence[str], int]:
    """A room's name in lines that fit into the room, and how many squares it may take beside the arrows of doors."""
    _, y = middle(board, room)
    rooms = rooms_of(board)
    width = max(sum(1 for (_, row), k in rooms.items() if k == room and row == int(y)), 1)
    lines = textwrap.wrap(board.map.rooms[room].name, max(int(width * 1.9), 6), break_long_words=False)
    level = any(
        dx and rooms[u + dx, v] == room and abs(v + 0.75 - y) < 0.5 * len(lines) + 0.3
        for (u, v), (dx, _) in doors(board)
    )
    return lines, max(width - level, 1)  # it stands in the middle, so an arrow at one side takes from both


def spots(board: Board, pawns: Sequence[int]) -> list[Point]:
    """By suspect, the middle of the pawn: on its square, or beside the others below the name of its room."""
    found = []
    for place, aside in zip(pawns, _asides(pawns), strict=True):
        if board.is_room(place):
            u, v = middle(board, place - board.rooms_at)
            _, bottom = _column(board, place - board.rooms_at, u)
            found.append((u + 0.85 * aside, min(v + 1.1, bottom - 0.45)))
        else:
            x, y = _node(board, place)
            found.append((x + 0.5, y + 0.5))
    return found


def weapon_spots(board: Board, weapons: Sequence[int]) -> list[Point]:
    """By weapon, the middle of what marks it: beside the others above the name of its room."""
    found = []
    for place, aside in zip(weapons, _asides(weapons), strict=True):
        room = place - board.rooms_at
        u, v = middle(board, room)
        top, _ = _column(board, room, u)
        lines, _ = name_lines(board, room)
        found.append((u + 1.05 * aside, max(v - 0.7 - 0.6 * len(lines), top + 0.45)))
    return found


def _asides(places: Sequence[int]) -> Iterator[float]:
    """How many steps to the right of the middle each stands among those at the same place."""
    all_there, before = Counter(places), Counter[int]()
    for place in places:
        yield before[place] - (all_there[place] - 1) / 2
        before[place] += 1


@lru_cache(maxsize=4096)
def _column(board: Board, room: int, at: float) -> tuple[int, int]:
    """Where a room begins and ends, from top to bottom, in one column."""
    rows = [y for (x, y), k in rooms_of(board).items() if k == room and x == int(at)]
    return min(rows), max(rows) + 1


def hatch(board: Board, room: int, other: int) -> Point:
    """Where a passage comes up: the room's square nearest the other room, clear of the name and the doors."""
    rooms = rooms_of(board)
    x, y = middle(board, room)
    far = middle(board, other)
    thresholds = [
        (sx + 0.5 + dx, sy + 0.5 + dy) for (sx, sy), (dx, dy) in doors(board) if rooms[sx + dx, sy + dy] == room
    ]

    def cost(square: Square) -> float:
        u, v = square[0] + 0.5, square[1] + 0.5
        on_name = abs(v - y) < 0.9 and abs(u - x) < 0.14 * len(board.map.rooms[room].name) + 0.7
        by_door = any(abs(u - p) + abs(v - q) < 1.5 for p, q in thresholds)
        return float(((u - far[0]) ** 2 + (v - far[1]) ** 2) ** 0.5 + 8 * by_door + 16 * on_name)

    square = min((square for square, k in rooms.items() if k == room), key=cost)
    return square[0] + 0.5, square[1] + 0.5


def ink_on(colour: str) -> str:
    """Dark or white letters, whichever can be read on a colour ``#rrggbb``."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 120 else "#ffffff"


def pawn_codes(deck: Deck) -> tuple[str, ...]:
    """Two letters for each suspect, all different: the first two of the name where that will do."""
    return _codes(deck.names[card] for card in deck.suspects)


def weapon_codes(deck: Deck) -> tuple[str, ...]:
    """Two small letters for each weapon, all different."""
    codes = _codes(deck.names[card] for card in deck.weapons)
    return tuple("".join(letter.lower()[0] for letter in code) for code in codes)


def is_narrow(letter: str) -> bool:
    """Whether a letter takes one column of a terminal."""
    is_mark = unicodedata.category(letter).startswith("M")  # stands on the letter before it
    return not is_mark and unicodedata.east_asian_width(letter) not in "WF"


def _codes(names: Iterable[str]) -> tuple[str, ...]:
    """Two letters for each name; a capital ß or a small İ is two letters, of which the first is taken."""
    codes: list[str] = []
    for name in names:
        letters = [letter for letter in name if letter.isalnum() and is_narrow(letter)] or ["?"]
        tried = [letters[0].upper()[0] + letter.lower()[0] for letter in [*letters[1:], *"0123456789"]]
        codes.append(next((code for code in tried if code not in codes), f"{len(codes):02}"))
    return tuple(codes)
