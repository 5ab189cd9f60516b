"""The board as characters, each with its style, for every face that draws with them.

A square is two characters wide. Rooms are outlined and named; a door is a gap in the outline and an
arrow on its square; pawns are two letters. Colours only underline what the characters already say. A style is
described as rich and Textual both read it: ``bold #000000 on #ffffd7``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from cluedo.engine.board import Board
from cluedo.engine.geometry import INK, doors, ink_on, is_narrow, pawn_codes, rooms_of, weapon_codes
from cluedo.words.narration import place_name

__all__ = [
    "MARK",
    "MARKED",
    "PASSAGE",
    "START",
    "Glyph",
    "board_glyphs",
    "on_colour",
    "pawn_chip",
    "room_areas",
]

MARK = "+"
"""What stands on a square that can be reached."""
PASSAGE = "»"
START = "○"

_DOT = "·"
_ARROWS = {(0, 1): "↓↓", (0, -1): "↑↑", (1, 0): " →", (-1, 0): "← "}
_MARKED_ARROWS = {(0, 1): "+↓", (0, -1): "+↑", (1, 0): "+→", (-1, 0): "←+"}
# By the sides that a line leaves to: up 1, right 2, down 4, left 8.
_BOX = dict(enumerate(" ╵╶└╷│┌├╴┘─┴┐┤┬┼"))
_STRAIGHT = (5, 10)
_SIDES = ((0, -1, 1), (1, 0, 2), (0, 1, 4), (-1, 0, 8))

# All from the palette of 256 colours: terminals that have no more would turn a beige into pink.
_CORRIDOR = "#87875f on #ffffd7"
_DOOR = "bold #000000 on #ffffd7"
MARKED = "bold #000000 on #87d7af"
"""The style of what can be reached."""

Cell = tuple[int, int]
"""A character's column and row."""

Glyph = tuple[str, str]
"""A character one column wide, and its style."""


def pawn_chip(board: Board, suspect: int) -> tuple[str, str]:
    """A suspect's two letters, and their style: on the suspect's colour."""
    return pawn_codes(board.deck)[suspect], on_colour(board.map.suspects[suspect].colour, bold=True)


def board_glyphs(
    board: Board, pawns: Sequence[int] | None = None, weapons: Sequence[int] | None = None, *, marks: int = 0
) -> list[list[Glyph]]:
    """The board alone, row by row, two characters a square; the board has a grid.

    Args:
        board: one with a grid.
        pawns: by suspect, the place; the starts if left out.
        weapons: by weapon, the place, to be drawn into the rooms; they are not drawn if left out.
        marks: the mask of the squares to mark as in reach.
    """
    at = board.starts if pawns is None else tuple(pawns)
    chips = [pawn_chip(board, suspect) for suspect in range(len(at))]
    canvas = _Canvas(board)
    for place in range(board.rooms_at):
        if board.squares >> place & 1:
            canvas.square(place, marked=bool(marks >> place & 1))
    lying = list(zip(weapon_codes(board.deck), weapons, strict=True)) if weapons is not None else []
    for room, entry in enumerate(board.map.rooms):
        here = board.rooms_at + room
        tokens = [chip for chip, place in zip(chips, at, strict=True) if place == here]
        thing = f"italic underline {on_colour(entry.colour)}"
        canvas.room(room, tokens + [(code, thing) for code, place in lying if place == here])
    for suspect, place in enumerate(at):
        if not board.is_room(place):
            x, y = place % board.stride, place // board.stride
            canvas.write(2 * x, y, *chips[suspect])
    return canvas.rows()


class _Canvas:
    """Characters and their styles, two columns a square."""

    def __init__(self, board: Board):
        self.board = board
        self._chars = [[" "] * (2 * board.width) for _ in range(board.height)]
        self._styles = [[""] * (2 * board.width) for _ in range(board.height)]
        self._areas = room_areas(board)
        self._ways_in = dict(doors(board))

    def write(self, column: int, row: int, text: str, style: str) -> None:
        """Put text into one row."""
        for k, char in enumerate(text, start=column):
            self._chars[row][k] = char
            self._styles[row][k] = style

    def square(self, place: int, *, marked: bool) -> None:
        """A corridor square, with the arrow of its door."""
        board = self.board
        x, y = place % board.stride, place // board.stride
        style = MARKED if marked else _CORRIDOR
        if (x, y) in self._ways_in:
            arrows = _MARKED_ARROWS if marked else _ARROWS
            text, style = arrows[self._ways_in[x, y]], MARKED if marked else _DOOR
        elif place in board.starts:
            text = MARK + START if marked else START + " "
        else:
            text = f"{MARK} " if marked else f"{_DOT} "
        self.write(2 * x, y, text, style)

    def room(self, room: int, tokens: Sequence[tuple[str, str]]) -> None:
        """A room: its outline with gaps for the doors, its name, its passage and the tokens that are in it."""
        board, area = self.board, self._areas[room]
        entry = board.map.rooms[room]
        ground, edge = on_colour(entry.colour), f"{_darker(entry.colour)} on {entry.colour}"
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
        names = _wraps(entry.name)
        passages = self._passage_labels(to) if to >= 0 else []
        options = [(name, [label], inside) for label in passages for name in names]
        options += [(name, [], inside) for name in names]
        options += [(name, [], area) for name in names]
        options += [([cut], [], inside) for cut in _cuts(entry.name)]
        options.append(([entry.symbol or "?"], [], area))
        centre = _centre(area)
        more: list[str] = []
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
        if passages and not more:  # the name alone fills the room: below it, or in the outline between the doors
            straight = {cell for cell in area if _outline(area, *cell) in (0, *_STRAIGHT)}
            free = straight - used - set(self._gaps(room))
            low = centre[0], max(row for _, row in area)
            spots = [(label, cells) for cells in (inside - used, free) for label in passages]
            for label, cells in spots:
                where = _fit(cells, len(label), 1, low)
                if where is not None:
                    self.write(*where, label, dim)
                    used |= {(where[0] + c, where[1]) for c in range(len(label))}
                    break
        return used

    def _passage_labels(self, to: int) -> list[str]:
        """Labels for where a passage leads, from the whole name to the room's symbol alone."""
        name = place_name(self.board, to)
        symbol = self.board.map.rooms[to - self.board.rooms_at].symbol or name[0]
        return [f"{PASSAGE} {label}" for label in (*_cuts(name), symbol)]

    def _tokens(self, tokens: Sequence[tuple[str, str]], area: set[Cell], inside: set[Cell], label: set[Cell]) -> None:
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

    def _gaps(self, room: int) -> Iterable[Cell]:
        """The characters of the outline where a door is."""
        rooms = rooms_of(self.board)
        for (x, y), (dx, dy) in self._ways_in.items():
            if rooms[x + dx, y + dy] == room:
                near = 2 * (x + dx) + (1 if dx < 0 else 0)
                yield near, y + dy
                if dy:
                    yield near + 1, y + dy

    def rows(self) -> list[list[Glyph]]:
        """The characters with their styles."""
        return [list(zip(*row, strict=True)) for row in zip(self._chars, self._styles, strict=True)]


def room_areas(board: Board) -> list[set[Cell]]:
    """By room, its characters."""
    areas: list[set[Cell]] = [set() for _ in board.map.rooms]
    for (x, y), room in rooms_of(board).items():
        areas[room] |= {(2 * x, y), (2 * x + 1, y)}
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
    if not all(map(is_narrow, name)):
        return []
    wraps: list[list[str]] = []
    for width in range(len(name), 2, -1):
        lines = textwrap.wrap(name, width, break_long_words=False)
        if len(lines) <= 3 and lines not in wraps:
            wraps.append(lines)
    return wraps or [[name]]


def _cuts(name: str) -> list[str]:
    """The name, and its beginnings; nothing for letters that are not one column wide each."""
    if not all(map(is_narrow, name)):
        return []
    return [name, *(f"{name[:k]}." for k in range(len(name) - 2, 2, -1))]


def on_colour(colour: str, *, bold: bool = False) -> str:
    """The style of black or white, whichever can be read, on a colour."""
    return f"{'bold ' * bold}{'#000000' if ink_on(colour) == INK else '#ffffff'} on {colour}"


def _darker(colour: str) -> str:
    """A colour mixed with as much black."""
    return "#" + "".join(f"{int(colour[k : k + 2], 16) // 2:02x}" for k in (1, 3, 5))
