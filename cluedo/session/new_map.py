"""Makes a map or a deck from names that are typed or read from a CSV table.

Rooms stand in rows. Between two rows runs a corridor from the left edge to the right one, and between two neighbours a
corridor that ends at it: all two squares wide, so that nobody can close one. The rooms of a row are wider and narrower
by turns, and the next row the other way round, so that corridors do not cross the whole house.
"""

from __future__ import annotations

import colorsys
import csv
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Final, NamedTuple

from cluedo.engine.cards import Category, closest
from cluedo.engine.errors import MapError
from cluedo.engine.file_io import FORMAT, read_text
from cluedo.engine.graph import CORRIDOR, WALL
from cluedo.engine.mapfile import MapFile

__all__ = [
    "LAID_OUT",
    "NO_BOARD",
    "Mansion",
    "NewCard",
    "check_cards",
    "lay_out",
    "make_map",
    "read_cards",
    "start_squares",
    "title_of",
]

LAID_OUT: Final = "auto"
NO_BOARD: Final = "none"
"""What can be said instead of a file with a grid."""
_KINDS: Final = {category.word.pattern: category for category in Category}
_NOT_OF_ALL: Final = {
    "colour": (Category.SUSPECT, Category.ROOM),
    "symbol": (Category.ROOM,),
    "passage": (Category.ROOM,),
}
"""The columns that not every kind of card has, with the kinds that have them."""
_COLUMNS: Final = ("kind", "name", "aliases", *_NOT_OF_ALL)
_MOST_BYTES: Final = 1_000_000
_DIGITS: Final = "1234567890"
"""Marks of the starts in a grid: the first suspect's, the second's, and so on."""
_WIDTH, _HEIGHT, _CORRIDOR = 6, 5, 2
"""Squares of a room, on average and exactly, and of a corridor."""
_STEP: Final = _HEIGHT + _CORRIDOR
"""Squares from one row of rooms to the next."""
_NARROW, _WIDE = 3, 4
"""How the width of a row is shared out."""


# ---- a table of names --------------------------------------------------------------------------------


class NewCard(NamedTuple):
    """A new card as a row of the table gives it; None or "" for what is not given."""

    category: Category
    name: str
    aliases: tuple[str, ...] = ()
    colour: str | None = None
    symbol: str | None = None
    passage: str | None = None


def read_cards(path: Path) -> list[NewCard]:
    """The cards that a table names: columns ``kind`` and ``name``, and perhaps the others of :class:`NewCard`.

    The first line names the columns. Commas, semicolons or tabs stand between them; ``|`` stands between aliases.

    Raises:
        MapError: the file cannot be read, or is no such table.
    """
    with MapError.around("names {path}: {error}", path=path):
        text = read_text(path, _MOST_BYTES)
    heading = text.partition("\n")[0]
    rows = csv.reader(
        text.splitlines(keepends=True), delimiter=max(",;\t", key=heading.count), skipinitialspace=True, strict=True
    )
    try:
        return list(_cards(path, rows))
    except csv.Error as error:
        raise MapError(
            "names {path}, line {line}: not comma-separated values: {error}",
            path=path,
            line=rows.line_num,
            error=error,
        ) from None


def _cards(path: Path, rows: Any) -> Iterator[NewCard]:
    with MapError.around("names {path}: {error}", path=path):
        columns = _columns(next(rows, []))
    lines: dict[str, int] = {}
    for row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        with MapError.around("names {path}, line {line}: {error}", path=path, line=rows.line_num):
            card = _card(columns, cells)
            before = lines.setdefault(card.name.casefold(), rows.line_num)
            if before != rows.line_num:
                raise MapError("the name {name!r} stands in line {before}, too", name=card.name, before=before)
        yield card


def _columns(heading: Sequence[str]) -> list[str]:
    """The columns that the first line names."""
    columns = [name.strip().casefold() for name in heading]
    for name in columns:
        if name not in _COLUMNS:
            raise MapError("there is no column {name!r}; {known}", name=name, known=closest(name, _COLUMNS))
    if columns.count("kind") != 1 or columns.count("name") != 1:
        raise MapError("the first line must name the columns kind and name, each once")
    return columns


def _card(columns: Sequence[str], cells: Sequence[str]) -> NewCard:
    """The card of a row."""
    if len(cells) > len(columns):
        raise MapError("there are {count} cells for {columns} columns", count=len(cells), columns=len(columns))
    given = dict(zip(columns, cells, strict=False))
    kind = given.get("kind", "")
    category = _KINDS.get(kind.casefold())
    if category is None:
        raise MapError("the kind is suspect, weapon or room, not {kind!r}", kind=kind)
    if not given.get("name"):
        raise MapError("the name is missing")
    if any(len(cell.splitlines()) > 1 for cell in cells):
        raise MapError("a name stands on one line")
    for column, categories in _NOT_OF_ALL.items():
        if given.get(column) and category not in categories:
            raise MapError("a {kind} has no {column}", kind=kind.casefold(), column=column)
    aliases = tuple(alias.strip() for alias in given.get("aliases", "").split("|") if alias.strip())
    return NewCard(category, given["name"], aliases, *(given.get(column) or None for column in _NOT_OF_ALL))


# ---- the map -----------------------------------------------------------------------------------------


def make_map(cards: Sequence[NewCard], path: Path, title: str, board: str = LAID_OUT) -> str:
    """The text of a map file of these cards, checked.

    Args:
        cards: in any order; those of a kind keep theirs.
        path: where the file shall stand: its name is the map's name.
        title: what people call the map.
        board: :data:`LAID_OUT`, :data:`NO_BOARD`, or the path of a text file with a grid, in which the digits
            1 to 9, then 0, may mark the squares where the suspects start.

    Raises:
        MapError: the cards or the grid make no map; the sentence says all that is wrong.
    """
    data = {
        "format": FORMAT,
        "name": re.sub(r"[^\w-]+", "-", path.stem)[:40],
        "title": title,
        **_deck(cards),
    }
    MapFile.from_data(data, path)  # before the board, or what is wrong with the names would look like its fault
    if board != NO_BOARD:
        _add_board(data, board)
        MapFile.from_data(data, path)
    return _text(data)


def check_cards(cards: Sequence[NewCard], path: Path, last: Category) -> None:
    """Raise :class:`MapError` unless these can be the cards of all categories up to ``last``."""
    # No name that was typed has a comma.
    later = [NewCard(category, f"{category}, {k}") for category in Category if category > last for k in range(3)]
    MapFile.from_data({"name": "map", **_deck([*cards, *later])}, path)


def title_of(path: Path) -> str:
    """The title of a map without one of its own."""
    words = re.sub(r"[_\W]+", " ", path.stem).strip()
    return words[:1].upper() + words[1:80]


def _deck(cards: Sequence[NewCard]) -> dict[str, Any]:
    """The cards as a map file has them."""
    suspects, weapons, rooms = ([card for card in cards if card.category is category] for category in Category)
    deck = {
        "suspects": _entries(suspects, _hues(len(suspects), 0.42, 0.65)),
        "weapons": _entries(weapons),
        "rooms": _entries(rooms, _hues(len(rooms), 0.78, 0.45)),
    }
    _lead_back(deck["rooms"])
    return deck


def _entries(cards: Sequence[NewCard], colours: Sequence[str] | None = None) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for k, card in enumerate(cards):
        colour = None if colours is None else card.colour or colours[k]
        told = {"aliases": list(card.aliases), "colour": colour, "symbol": card.symbol, "passage": card.passage}
        entries.append({"name": card.name} | {key: value for key, value in told.items() if value})
    return entries


def _lead_back(rooms: Sequence[dict[str, Any]]) -> None:
    """Make each passage lead both ways, also if only one room names it."""
    by_name = {room["name"]: room for room in rooms}
    for room in rooms:
        if (other := by_name.get(room.get("passage"))) is not None:
            other.setdefault("passage", room["name"])


def _hues(count: int, lightness: float, saturation: float) -> list[str]:
    """Colours that differ as much as possible."""
    colours = (colorsys.hls_to_rgb(k / count, lightness, saturation) for k in range(count))
    return ["#" + "".join(f"{round(part * 255):02x}" for part in colour) for colour in colours]


def _add_board(data: dict[str, Any], board: str) -> None:
    """Give the rooms their letters, the map its grid, and the suspects their starts."""
    rooms, suspects = data["rooms"], data["suspects"]
    _add_symbols(rooms)
    starts: dict[int, tuple[int, int]] = {}
    if board == LAID_OUT:
        grid, passages = lay_out([room["symbol"] for room in rooms])
        if not any("passage" in room for room in rooms):
            for a, b in passages:
                rooms[a]["passage"], rooms[b]["passage"] = rooms[b]["name"], rooms[a]["name"]
    else:
        grid, starts = _read_grid(Path(board))
    for k, start in (starts or dict(enumerate(start_squares(grid, len(suspects))))).items():
        if k < len(suspects):
            suspects[k]["start"] = list(start)
    data["grid"] = list(grid)


def _add_symbols(rooms: Sequence[dict[str, Any]]) -> None:
    """Let every room have a letter: the one it has, else the first free one of its name, else any."""
    if len(rooms) > len(ascii_uppercase):
        raise MapError(
            "{count} rooms are too many for a board, which has a letter for each: at most {most}, or a deck alone",
            count=len(rooms),
            most=len(ascii_uppercase),
        )
    taken = {room["symbol"] for room in rooms if "symbol" in room}
    for room in rooms:
        letters = unicodedata.normalize("NFKD", room["name"]).upper() + ascii_uppercase
        free = (letter for letter in letters if letter in ascii_uppercase and letter not in taken)
        taken.add(room.setdefault("symbol", next(free)))


def _read_grid(path: Path) -> tuple[tuple[str, ...], dict[int, tuple[int, int]]]:
    """A grid from a text file, with the starts that digits mark, by suspect; short lines and spaces are walls."""
    with MapError.around("grid {path}: {error}", path=path):
        lines = read_text(path, _MOST_BYTES).rstrip().splitlines()
    if not lines:
        raise MapError("grid {path}: there are no squares in it", path=path)
    across = max(map(len, lines))
    starts: dict[int, tuple[int, int]] = {}
    grid = []
    for y, line in enumerate(lines):
        for x, square in enumerate(line):
            if square in _DIGITS:
                if _DIGITS.index(square) in starts:
                    raise MapError(
                        "grid {path}, row {y}, column {x}: the start {square} stands there a second time",
                        path=path,
                        y=y,
                        x=x,
                        square=square,
                    )
                starts[_DIGITS.index(square)] = (x, y)
        row = "".join(CORRIDOR if square in _DIGITS else square for square in line)
        grid.append(row.replace(" ", WALL).ljust(across, WALL))
    return tuple(grid), starts


def _text(data: Mapping[str, Any]) -> str:
    """A map as JSON, a card or a row of the grid on each line."""
    entries = []
    for key, value in data.items():
        body = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list):
            body = "[\n    " + ",\n    ".join(json.dumps(part, ensure_ascii=False) for part in value) + "\n  ]"
        entries.append(f'  "{key}": {body}')
    return "{\n" + ",\n".join(entries) + "\n}\n"


# ---- a house -----------------------------------------------------------------------------------------


class Mansion(NamedTuple):
    """A house: its grid as in a map file, and the pairs of rooms, by number, that secret passages join."""

    grid: tuple[str, ...]
    passages: tuple[tuple[int, int], ...]


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


class _Room(NamedTuple):
    """A room's upper left square and its width."""

    x: int
    y: int
    width: int


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


def _edge(width: int, height: int) -> Iterator[tuple[int, int]]:
    """The squares of the edge, clockwise from the upper left."""
    yield from ((x, 0) for x in range(width))
    yield from ((width - 1, y) for y in range(1, height))
    yield from ((x, height - 1) for x in reversed(range(width - 1)))
    yield from ((0, y) for y in reversed(range(1, height - 1)))
