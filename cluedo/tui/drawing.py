"""A board as rows of characters for a screen, and which place each of them belongs to.

A map with a grid is drawn square by square; a deck alone as a list of its rooms. Both answer the same
questions: what it looks like, which place a character belongs to, and where the next place lies in a
direction, for a cursor to go to. *Spots* are the cursor's coordinates: squares of the grid, or lines
of the list, as ``(x, y)``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.geometry import rooms_of
from cluedo.engine.letters import weapon_codes
from cluedo.language import tr
from cluedo.session.board_glyphs import Glyph, board_glyphs, on_colour, pawn_chip, room_areas

__all__ = ["Drawing", "Look", "Spot", "draw", "signs"]

Spot = tuple[int, int]

# From the palette of 256 colours, like those of the board itself.
_LIT = "bold #000000 on #87d7af"
_CURSOR = "bold #ffffff on #af005f"
_TRAIL = "#000000 on #ffd75f"


class Look(NamedTuple):
    """What is drawn.

    Attributes:
        pawns, weapons: by suspect and by weapon, the place.
        lit: the mask of the places that are lit.
        cursor: its spot.
        trail: the places where a pawn walked.
    """

    pawns: tuple[int, ...]
    weapons: tuple[int, ...]
    lit: int = 0
    cursor: Spot | None = None
    trail: tuple[int, ...] = ()


def signs(board: Board) -> str:
    """What the signs on a board mean: the letters of the weapons, and the rest on a line of its own."""
    codes = zip(weapon_codes(board.deck), board.deck.weapons, strict=True)
    told = tr("Weapons: {weapons}", weapons=_listed((code, board.deck.names[card]) for code, card in codes))
    if not board.has_grid:
        return told
    pairs = (
        ("↑↓←→", tr("door")),
        ("»", tr("secret passage")),
        ("○", tr("where a pawn starts")),
        ("+", tr("within reach")),
    )
    return f"{told}\n{_listed(pairs)}"


def _listed(pairs: Iterable[tuple[str, str]]) -> str:
    """Signs with their meanings, neither of which is left at the end of a line alone."""
    return ", ".join(f"{sign} {text}".replace(" ", "\N{NO-BREAK SPACE}") for sign, text in pairs)


def draw(board: Board) -> Drawing:
    """The drawing that suits the board."""
    return GridDrawing(board) if board.has_grid else RoomList(board)


class Drawing(ABC):
    """How a board looks on a screen.

    Attributes:
        board: the board.
        width, height: in characters.
    """

    board: Board
    width: int
    height: int

    @abstractmethod
    def rows(self, look: Look) -> list[list[Glyph]]:
        """Every character with its style, row by row."""

    @abstractmethod
    def spot_at(self, column: int, row: int) -> Spot | None:
        """The spot that a character belongs to, if it belongs to a place."""

    @abstractmethod
    def place(self, spot: Spot) -> int | None:
        """The place at a spot."""

    @abstractmethod
    def spot(self, place: int) -> Spot:
        """A spot of the place, as near its middle as may be."""

    def middle(self, spot: Spot) -> tuple[int, int]:
        """The column and row of a spot, to scroll to; a square is two characters wide."""
        return 2 * spot[0], spot[1]

    def onward(self, spot: Spot, dx: int, dy: int) -> Spot:
        """The first spot in a direction that belongs to another place; the same spot if there is none."""
        here = self.place(spot)
        x, y = spot
        while True:
            x, y = x + dx, y + dy
            if not (0 <= x < self.board.width and 0 <= y < max(self.board.height, len(self.board.map.rooms))):
                return spot
            there = self.place((x, y))
            if there is not None and there != here:
                return x, y


class GridDrawing(Drawing):
    """A grid, two characters a square."""

    def __init__(self, board: Board):
        self.board = board
        self.width, self.height = 2 * board.width, board.height
        self._areas = room_areas(board)
        self._spots = {board.rooms_at + room: _heart(area) for room, area in enumerate(self._areas)}

    def rows(self, look: Look) -> list[list[Glyph]]:
        board, squares = self.board, self.board.squares
        trail = sum(1 << place for place in look.trail if not board.is_room(place))
        rows = board_glyphs(board, look.pawns, look.weapons, marks=look.lit & squares)
        for place in bits(trail):
            self._paint(rows, place, _TRAIL)
        for room in range(board.rooms_at, board.places):
            if look.lit >> room & 1:
                self._paint(rows, room, _LIT)
        under = None if look.cursor is None else self.place(look.cursor)
        if under is not None:
            self._paint(rows, under, _CURSOR)
        return rows

    def _paint(self, rows: list[list[Glyph]], place: int, style: str) -> None:
        """Give a square, or the outline of a room, another style."""
        if not self.board.is_room(place):
            x, y = self.spot(place)
            for column in (2 * x, 2 * x + 1):
                rows[y][column] = rows[y][column][0], style
            return
        area = self._areas[place - self.board.rooms_at]
        for column, row in area:
            if any((column + dx, row + dy) not in area for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
                char, before = rows[row][column]
                if not char.isalnum():  # of a name or a token that stands in a narrow room
                    rows[row][column] = char, style
                else:
                    rows[row][column] = char, f"{before} reverse"

    def spot_at(self, column: int, row: int) -> Spot | None:
        spot = column // 2, row
        return spot if self.place(spot) is not None else None

    def place(self, spot: Spot) -> int | None:
        if spot in (rooms := rooms_of(self.board)):
            return self.board.rooms_at + rooms[spot]
        return self.board.place(spot) if self.board.is_corridor(*spot) else None

    def spot(self, place: int) -> Spot:
        return self._spots.get(place) or (place % self.board.stride, place // self.board.stride)


class RoomList(Drawing):
    """A deck alone: a line for each room, with what is in it, and one for those outside."""

    def __init__(self, board: Board):
        self.board = board
        names = [room.name for room in board.map.rooms]
        self._name = max(map(len, names)) + 2
        self.height = len(names) + 1
        self.width = self._name + 1 + 3 * (len(board.deck.suspects) + len(board.deck.weapons))
        self._codes = weapon_codes(board.deck)

    def rows(self, look: Look) -> list[list[Glyph]]:
        board = self.board
        cursor = None if look.cursor is None else self.place(look.cursor)
        rows = []
        for line, room in enumerate(board.map.rooms):
            place = board.rooms_at + line
            style = _CURSOR if place == cursor else _LIT if look.lit >> place & 1 else on_colour(room.colour)
            name = [(char, style) for char in f" {room.name}".ljust(self._name)]
            rows.append(self._padded(name + self._tokens(look, place)))
        outside = [(char, "") for char in " ".ljust(self._name)]
        standing = [suspect for suspect, place in enumerate(look.pawns) if not board.is_room(place)]
        rows.append(self._padded(outside + self._pawns(standing)))
        return rows

    def _tokens(self, look: Look, place: int) -> list[Glyph]:
        here = [suspect for suspect, at in enumerate(look.pawns) if at == place]
        things = [code for code, at in zip(self._codes, look.weapons, strict=True) if at == place]
        thing = "italic underline"
        return self._pawns(here) + [glyph for code in things for glyph in _token(code, thing)]

    def _pawns(self, suspects: Sequence[int]) -> list[Glyph]:
        return [glyph for suspect in suspects for glyph in _token(*pawn_chip(self.board, suspect))]

    def _padded(self, glyphs: list[Glyph]) -> list[Glyph]:
        return glyphs + [(" ", "")] * (self.width - len(glyphs))

    def spot_at(self, column: int, row: int) -> Spot | None:
        return (0, row) if 0 <= row < len(self.board.map.rooms) and 0 <= column < self.width else None

    def place(self, spot: Spot) -> int | None:
        return self.board.rooms_at + spot[1] if spot[0] == 0 and 0 <= spot[1] < len(self.board.map.rooms) else None

    def spot(self, place: int) -> Spot:
        return 0, max(0, place - self.board.rooms_at) if self.board.is_room(place) else 0


def _token(code: str, style: str) -> list[Glyph]:
    return [(" ", ""), *((char, style) for char in code)]


def _heart(area: set[tuple[int, int]]) -> Spot:
    """The square of a room that is nearest to the middle of its characters."""
    columns, rows = [column for column, _ in area], [row for _, row in area]
    x, y = (min(columns) + max(columns)) / 4, (min(rows) + max(rows)) / 2
    return min(((c // 2, r) for c, r in area), key=lambda spot: (abs(spot[0] - x) + abs(spot[1] - y), spot))
