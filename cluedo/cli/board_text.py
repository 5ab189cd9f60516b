"""The board as text: rich ``Text`` that says the same with colours and without.

A square is two characters wide. Rooms are outlined and named; a door is a gap in the outline and an
arrow on its square; pawns are two letters. Colours only underline what the characters already say.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from cluedo.cli.language import tr
from cluedo.engine.board import Board
from cluedo.engine.cards import Deck

__all__ = [
    "MARK",
    "Glyph",
    "board_lines",
    "board_text",
    "house_glyphs",
    "legend_lines",
    "on_colour",
    "pawn_chip",
    "pawn_codes",
    "place_name",
    "room_areas",
    "weapon_codes",
]

MARK = "+"
"""What stands on a square that can be reached."""

_LEGEND = 24
"""Columns that a legend needs beside the board; with fewer it goes below."""

_DOT, _START, _PASSAGE = "·", "○", "»"
_ARROWS = {(0, 1): "↓↓", (0, -1): "↑↑", (1, 0): " →", (-1, 0): "← "}
_MARKED_ARROWS = {(0, 1): "+↓", (0, -1): "+↑", (1, 0): "+→", (-1, 0): "←+"}
# By the sides that a line leaves to: up 1, right 2, down 4, left 8.
_BOX = dict(enumerate(" ╵╶└╷│┌├╴┘─┴┐┤┬┼"))
_STRAIGHT = (5, 10)
_SIDES = ((0, -1, 1), (1, 0, 2), (0, 1, 4), (-1, 0, 8))

# All from the palette of 256 colours: terminals that have no more would turn a beige into pink.
_CORRIDOR = Style(color="#87875f", bgcolor="#ffffd7")
_DOOR = Style(color="#000000", bgcolor="#ffffd7", bold=True)
_MARKED = Style(color="#000000", bgcolor="#87d7af", bold=True)
_AXIS = Style(dim=True)
_HEADING = Style(bold=True, underline=True)
_NONE = Style.null()

Cell = tuple[int, int]
"""A character's column and row."""

Glyph = tuple[str, Style]
"""A character one column wide, and how it looks."""


def pawn_codes(deck: Deck) -> tuple[str, ...]:
    """Two letters for each suspect, all different: the first two of the name where that will do."""
    return _codes(deck.names[card] for card in deck.suspects)


def weapon_codes(deck: Deck) -> tuple[str, ...]:
    """Two small letters for each weapon, all different."""
    return tuple(code.lower() for code in _codes(deck.names[card] for card in deck.weapons))


def _codes(names: Iterable[str]) -> tuple[str, ...]:
    codes: list[str] = []
    for name in names:
        letters = [letter for letter in name if letter.isalnum() and cell_len(letter) == 1] or ["?"]
        tried = [letters[0].upper() + letter.lower() for letter in [*letters[1:], *"0123456789"]]
        codes.append(next((code for code in tried if code not in codes), f"{len(codes):02}"))
    return tuple(codes)


def pawn_chip(board: Board, suspect: int) -> Text:
    """A suspect's two letters on the suspect's colour."""
    return Text(pawn_codes(board.deck)[suspect], style=on_colour(board.map.suspects[suspect].colour, bold=True))


def place_name(board: Board, place: int) -> str:
    """A place in words: a room's name, a square as ``(x, y)``, or outside where there is no grid."""
    node = board.node(place)
    if isinstance(node, str):
        return node
    return f"({node[0]}, {node[1]})" if board.has_grid else tr("outside")


def board_text(
    board: Board,
    *,
    pawns: Sequence[int] | None = None,
    weapons: Sequence[int] | None = None,
    marks: int = 0,
    width: int = 80,
) -> Text:
    """The board and its legend, side by side where ``width`` columns suffice.

    Args:
        board: any, a deck alone included.
        pawns: by suspect, the place; the starts if left out.
        weapons: by weapon, the place.
        marks: the mask of the squares to mark as in reach.
        width: columns there are.
    """
    drawn = board_lines(board, pawns, marks)
    legend = legend_lines(board, pawns, weapons, marked=bool(marks))
    across = max((line.cell_len for line in drawn), default=0)
    left_over = width - across - 1
    lines = []
    if drawn and left_over >= _LEGEND:
        for left, right in zip_longest(drawn, legend, fillvalue=Text()):
            right.truncate(left_over, overflow="ellipsis")
            gap = " " * (across - left.cell_len + 1) if right.plain else ""
            lines.append(Text.assemble(left, gap, right))
    else:
        lines = [*drawn, *([Text()] if drawn else []), *legend]
    return Text("\n").join(lines)


def board_lines(board: Board, pawns: Sequence[int] | None = None, marks: int = 0) -> list[Text]:
    """The house with its coordinates, line by line; empty for a deck alone."""
    if not board.has_grid:
        return []
    axis = Text("   " + "".join(f"{x:<4}" for x in range(0, board.width, 2)).rstrip(), style=_AXIS)
    lines = [_line(glyphs) for glyphs in house_glyphs(board, pawns, marks=marks)]
    rows = [Text.assemble((f"{y:>2} ", _AXIS), line) for y, line in enumerate(lines)]
    return [axis, *rows, axis]


def house_glyphs(
    board: Board, pawns: Sequence[int] | None = None, weapons: Sequence[int] | None = None, *, marks: int = 0
) -> list[list[Glyph]]:
    """The house alone, row by row, two characters a square; the board has a grid.

    Args:
        board: one with a grid.
        pawns: by suspect, the place; the starts if left out.
        weapons: by weapon, the place, to be drawn into the rooms; they are not drawn if left out.
        marks: the mask of the squares to mark as in reach.
    """
    at = board.starts if pawns is None else tuple(pawns)
    canvas = _Canvas(board)
    for place in range(board.rooms_at):
        if board.squares >> place & 1:
            canvas.square(place, marked=bool(marks >> place & 1))
    lying = list(zip(weapon_codes(board.deck), weapons, strict=True)) if weapons is not None else []
    for room, entry in enumerate(board.map.rooms):
        here = board.rooms_at + room
        tokens = [
            (code, chip) for code, chip, place in zip(canvas.codes, canvas.chips, at, strict=True) if place == here
        ]
        thing = on_colour(entry.colour) + Style(italic=True, underline=True)
        canvas.room(room, tokens + [(code, thing) for code, place in lying if place == here])
    for suspect, place in enumerate(at):
        if not board.is_room(place):
            x, y = place % board.stride, place // board.stride
            canvas.write(2 * x, y, canvas.codes[suspect], canvas.chips[suspect])
    return canvas.rows()


def legend_lines(
    board: Board, pawns: Sequence[int] | None = None, weapons: Sequence[int] | None = None, *, marked: bool = False
) -> list[Text]:
    """Who and what is where, the passages, and what the signs mean."""
    at = board.starts if pawns is None else pawns
    lines = [Text(tr("Pawns"), style=_HEADING)]
    lines += [
        Text.assemble(pawn_chip(board, k), " ", _at(suspect.name, place_name(board, at[k])))
        for k, suspect in enumerate(board.map.suspects)
    ]
    lines.append(Text(tr("Weapons"), style=_HEADING))
    lines += [
        Text(_at(weapon.name, place_name(board, place)))
        for weapon, place in zip(board.map.weapons, weapons or board.weapon_starts, strict=True)
    ]
    ways = [(here, there) for here, there in enumerate(board.passages) if here < there - board.rooms_at]
    if ways:
        lines.append(Text(tr("Secret passages"), style=_HEADING))
        lines += [Text(f"{board.map.rooms[a].name} {_PASSAGE} {place_name(board, b)}") for a, b in ways]
    if board.has_grid:
        lines.append(Text(tr("Signs"), style=_HEADING))
        lines.append(Text(tr("↑↓←→ door   ○ start")))
        if marked:
            lines.append(Text.assemble((f"{MARK} ", _MARKED), " ", tr("within reach")))
    return lines


def _at(what: str, place: str) -> str:
    return tr("{what}: {place}", what=what, place=place)


class _Canvas:
    """Characters and their styles, two columns a square."""

    def __init__(self, board: Board):
        self.board = board
        self.codes = pawn_codes(board.deck)
        self.chips = [on_colour(suspect.colour, bold=True) for suspect in board.map.suspects]
        self._chars = [[" "] * (2 * board.width) for _ in range(board.height)]
        self._styles = [[_NONE] * (2 * board.width) for _ in range(board.height)]
        self._areas = room_areas(board)

    def write(self, column: int, row: int, text: str, style: Style) -> None:
        """Put text into one row."""
        for k, char in enumerate(text, start=column):
            self._chars[row][k] = char
            self._styles[row][k] = style

    def square(self, place: int, *, marked: bool) -> None:
        """A corridor square, with the arrow of its door."""
        board = self.board
        x, y = place % board.stride, place // board.stride
        style = _MARKED if marked else _CORRIDOR
        if place in board.door_room:
            arrows = _MARKED_ARROWS if marked else _ARROWS
            text, style = arrows[self._way_in(x, y, board.door_room[place])], _MARKED if marked else _DOOR
        elif place in board.starts:
            text = MARK + _START if marked else _START + " "
        else:
            text = f"{MARK} " if marked else f"{_DOT} "
        self.write(2 * x, y, text, style)

    def room(self, room: int, tokens: Sequence[tuple[str, Style]]) -> None:
        """A room: its outline with gaps for the doors, its name, its passage and the tokens that are in it."""
        board, area = self.board, self._areas[room]
        entry = board.map.rooms[room]
        ground, edge = on_colour(entry.colour), Style(color=_mixed(entry.colour, 0.5), bgcolor=entry.colour)
        inside = set()
        for column, row in area:
            line = _outline(area, column, row)
            self.write(column, row, _BOX[line], edge)
            if not line:
                inside.add((column, row))
        for column, row in self._gaps(room):
            if _outline(area, column, row) in _STRAIGHT:  # a corner stays, or the room would look torn
                self.write(column, row, " ", ground)
        used = self._label(room, area, inside)
        self._tokens(tokens, area - used, inside - used, used)

    def _label(self, room: int, area: set[Cell], inside: set[Cell]) -> set[Cell]:
        """Write name and passage as near the middle as they fit; gives the cells used."""
        entry = self.board.map.rooms[room]
        bold, dim = on_colour(entry.colour, bold=True), on_colour(entry.colour)
        to = self.board.passages[room]
        passage = [f"{_PASSAGE} {place_name(self.board, to)}"] if to >= 0 else []
        names = _wraps(entry.name)
        options = [(name, passage, inside) for name in names] + [(name, [], inside) for name in names]
        options += [(name, [], area) for name in names] + [([entry.symbol or "?"], [], area)]
        centre = _centre(area)
        for name, more, cells in options:
            block = [*name, *more]
            across = max(map(len, block))
            # Rather a little off the middle than with letters that touch the outline.
            airy = _fit(cells, across + 2, len(block), centre)
            found = (airy[0] + 1, airy[1]) if airy else _fit(cells, across, len(block), centre)
            if found is not None:
                break
        else:
            return set()
        used = set()
        column, row = found
        for k, line in enumerate(block):
            start = column + (across - len(line)) // 2
            self.write(start, row + k, line, bold if k < len(name) else dim)
            used |= {(c, row + k) for c in range(start - 1, start + len(line) + 1)}
        return used

    def _tokens(
        self, tokens: Sequence[tuple[str, Style]], area: set[Cell], inside: set[Cell], label: set[Cell]
    ) -> None:
        """Write pawns and weapons below the name, in as few rows as they fit."""
        if not tokens:
            return
        middle, bottom = _centre(label or area)[0], max((row for _, row in label or area), default=0)
        for cells in (inside, area):
            for in_row in range(len(tokens), 0, -1):
                rows = [tokens[k : k + in_row] for k in range(0, len(tokens), in_row)]
                found = _fit(cells, 3 * in_row - 1, len(rows), (middle, bottom + (len(rows) + 1) / 2))
                if found is None:
                    continue
                for k, row in enumerate(rows):
                    for m, (code, style) in enumerate(row):
                        self.write(found[0] + 3 * m, found[1] + k, code, style)
                return

    def _way_in(self, x: int, y: int, room: int) -> tuple[int, int]:
        area = self._areas[room - self.board.rooms_at]
        return next((dx, dy) for dx, dy in _ARROWS if (2 * (x + dx), y + dy) in area)

    def _gaps(self, room: int) -> Iterable[Cell]:
        """The characters of the outline where a door is."""
        board = self.board
        for place in board.door_room:
            if board.door_room[place] == board.rooms_at + room:
                x, y = place % board.stride, place // board.stride
                dx, dy = self._way_in(x, y, board.rooms_at + room)
                near = 2 * (x + dx) + (1 if dx < 0 else 0)
                yield near, y + dy
                if dy:
                    yield near + 1, y + dy

    def rows(self) -> list[list[Glyph]]:
        """The characters with their styles."""
        return [list(zip(*row, strict=True)) for row in zip(self._chars, self._styles, strict=True)]


def _line(glyphs: Sequence[Glyph]) -> Text:
    """A row as text, with nothing trailing."""
    line = Text.assemble(*glyphs)
    if glyphs[-1][1] == _NONE:
        line.rstrip()
    return line


def room_areas(board: Board) -> list[set[Cell]]:
    """By room, its characters."""
    index = {room.symbol: k for k, room in enumerate(board.map.rooms)}
    areas: list[set[Cell]] = [set() for _ in board.map.rooms]
    for x, y, symbol in board.map.symbols():
        if symbol in index:
            areas[index[symbol]] |= {(2 * x, y), (2 * x + 1, y)}
    return areas


def _outline(area: set[Cell], column: int, row: int) -> int:
    """The sides to which the outline goes on from a character, as bits; 0 inside.

    Two neighbours are joined where either has the outside beside the joint.
    """
    line = 0
    for dx, dy, bit in _SIDES:
        other = (column + dx, row + dy)
        if other in area:
            beside = [(c + side * dy, r + side * dx) for c, r in ((column, row), other) for side in (-1, 1)]
            if any(cell not in area for cell in beside):
                line |= bit
    return line


def _fit(cells: set[Cell], across: int, down: int, centre: tuple[float, float]) -> Cell | None:
    """Where a block of text fits into ``cells``, as near to ``centre`` as possible; a row counts as two columns."""
    best: tuple[float, Cell] | None = None
    for column, row in sorted(cells):
        if all((column + c, row + r) in cells for r in range(down) for c in range(across)):
            off = abs(column + (across - 1) / 2 - centre[0]) + 2 * abs(row + (down - 1) / 2 - centre[1])
            if best is None or off < best[0]:
                best = off, (column, row)
    return best and best[1]


def _centre(cells: set[Cell]) -> tuple[float, float]:
    columns, rows = [column for column, _ in cells], [row for _, row in cells]
    return (min(columns) + max(columns)) / 2, (min(rows) + max(rows)) / 2


def _wraps(name: str) -> list[list[str]]:
    """The name on one line, on two, …; nothing for letters that are not one column wide each."""
    if cell_len(name) != len(name):
        return []
    wraps: list[list[str]] = []
    for width in range(len(name), 2, -1):
        lines = textwrap.wrap(name, width, break_long_words=False)
        if len(lines) <= 3 and lines not in wraps:
            wraps.append(lines)
    return wraps or [[name]]


def on_colour(colour: str, *, bold: bool = False) -> Style:
    """Black or white, whichever can be read, on a colour."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    light = 0.299 * red + 0.587 * green + 0.114 * blue > 140
    return Style(color="#000000" if light else "#ffffff", bgcolor=colour, bold=bold)


def _mixed(colour: str, share: float) -> str:
    """A colour mixed with black."""
    return "#" + "".join(f"{int(int(colour[k : k + 2], 16) * (1 - share)):02x}" for k in (1, 3, 5))
