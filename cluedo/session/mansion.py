"""A mansion for any number of rooms, laid out automatically.

Rooms stand in rows. Between two rows runs a corridor from the left edge to the right one, and between two
neighbours a corridor that ends at it: all two squares wide, so that nobody can close one. The rooms of a row are
wider and narrower by turns, and the next row the other way round, so that corridors do not cross the whole house.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final, NamedTuple

from cluedo.engine.errors import MapError
from cluedo.engine.graph import CORRIDOR

__all__ = ["Mansion", "lay_out", "start_squares"]

_WIDTH, _HEIGHT, _CORRIDOR = 6, 5, 2
"""Squares of a room, on average and exactly, and of a corridor."""

_NARROW, _WIDE = 3, 4
"""How the width of a row is shared out."""


class Mansion(NamedTuple):
    """A house: its grid as in a map file, and the pairs of rooms, by number, that secret passages join."""

    grid: tuple[str, ...]
    passages: tuple[tuple[int, int], ...]


class _Room(NamedTuple):
    """A room's upper left square and its width."""

    x: int
    y: int
    width: int


_STEP: Final = _HEIGHT + _CORRIDOR


def lay_out(symbols: Sequence[str]) -> Mansion:
    r"""A house whose rooms have these letters, at least three of them, from the upper left to the lower right.

    Every room has two doors or more. Passages join the corners, as far as they are different rooms.

    >>> print("\n".join(lay_out("ABC").grid))
    AAAAA..BBBBBBB
    AAAAA..BBBBBBB
    AAAAAabBBBBBBB
    AAAAA..BBBBBBB
    AAAAA..BBBBBBB
    .a.......b....
    ....c....c....
    CCCCCCCCCCCCCC
    CCCCCCCCCCCCCC
    CCCCCCCCCCCCCC
    CCCCCCCCCCCCCC
    CCCCCCCCCCCCCC
    """
    rows = _rows(len(symbols))
    across = max(map(len, rows)) * (_WIDTH + _CORRIDOR) - _CORRIDOR
    squares = [[CORRIDOR] * across for _ in range(len(rows) * _STEP - _CORRIDOR)]
    for i, row in enumerate(rows):
        for k, room in zip(row, _place_row(i, len(row), across), strict=True):
            for y in range(room.y, room.y + _HEIGHT):
                squares[y][room.x : room.x + room.width] = symbols[k] * room.width
            for x, y in _doors(room, above=i > 0, below=i < len(rows) - 1, left=k > row[0], right=k < row[-1]):
                squares[y][x] = symbols[k].lower()
    return Mansion(tuple("".join(row) for row in squares), _passages(rows))


def start_squares(grid: Sequence[str], count: int) -> list[tuple[int, int]]:
    """``(x, y)`` of ``count`` corridor squares without doors: spread along the edge, or over the house if need be.

    Raises:
        MapError: there are not as many.
    """
    edge = [(x, y) for x, y in _edge(len(grid[0]), len(grid)) if grid[y][x] == CORRIDOR]
    everywhere = [(x, y) for y, row in enumerate(grid) for x, square in enumerate(row) if square == CORRIDOR]
    free = edge if len(edge) >= count else everywhere
    if len(free) < count:
        raise MapError(
            "{count} pawns cannot start on a board with {free} corridor squares without a door",
            count=count,
            free=len(free),
        )
    return [free[k * len(free) // count] for k in range(count)]


def _rows(count: int) -> list[range]:
    """The numbers of the rooms, row by row; the outer rows are the longer ones."""
    rows = max(2, round(sqrt(count)))
    short, more = divmod(count, rows)
    outer_first = sorted(range(rows), key=lambda row: min(row, rows - 1 - row))
    ends, end = [], 0
    for row in range(rows):
        end += short + (outer_first.index(row) < more)
        ends.append(end)
    return [range(start, end) for start, end in zip([0, *ends], ends, strict=False)]


def _place_row(row: int, count: int, across: int) -> Iterator[_Room]:
    shares = [_WIDE if (row + k) % 2 else _NARROW for k in range(count)]
    squares = across - (count - 1) * _CORRIDOR
    ends = [round(squares * sum(shares[: k + 1]) / sum(shares)) for k in range(count)]
    for k, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
        yield _Room(start + k * _CORRIDOR, row * _STEP, end - start)


def _doors(room: _Room, *, above: bool, below: bool, left: bool, right: bool) -> Iterator[tuple[int, int]]:
    """The door squares of a room, by where corridors run along it; no other room has a door on its side of these."""
    near, far = room.x + room.width // 3, room.x + room.width - 1 - room.width // 3
    if below:
        yield near, room.y + _HEIGHT
    if above:
        yield far, room.y - 1
    if above and below:
        return
    middle = room.y + _HEIGHT // 2
    if right:
        yield room.x + room.width, middle
    elif left:
        yield room.x - 1, middle
    elif below:
        yield far, room.y + _HEIGHT
    else:
        yield near, room.y - 1


def _passages(rows: Sequence[range]) -> tuple[tuple[int, int], ...]:
    first, last = rows[0], rows[-1]
    down, up = (first[0], last[-1]), (first[-1], last[0])
    return (down, up) if len({*down, *up}) == 4 else (down,)


def _edge(width: int, height: int) -> Iterator[tuple[int, int]]:
    """The squares of the edge, clockwise from the upper left."""
    yield from ((x, 0) for x in range(width))
    yield from ((width - 1, y) for y in range(1, height))
    yield from ((x, height - 1) for x in reversed(range(width - 1)))
    yield from ((0, y) for y in reversed(range(1, height - 1)))
