"""The board as a widget: lights the places where one may go, and lets one be chosen by arrow keys or mouse.

A map with a grid is drawn square by square; a deck alone as a list of its rooms. Both answer the same
questions: what it looks like, which place a character belongs to, and where the next place lies in a
direction, for a cursor to go to. *Spots* are the cursor's coordinates: squares of the grid, or lines
of the list, as ``(x, y)``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.geometry import rooms_of, weapon_codes
from cluedo.engine.phrase import Phrase
from cluedo.language import tr
from cluedo.session.board_glyphs import Glyph, board_glyphs, on_colour, pawn_chip, room_areas

__all__ = ["BoardView", "Drawing", "Look", "Spot", "draw", "signs"]

Spot = tuple[int, int]

# From the palette of 256 colours, like those of the board itself.
_LIT = "bold #000000 on #87d7af"
_CURSOR = "bold #ffffff on #af005f"
_TRAIL = "#000000 on #ffd75f"
_MARGIN = 3
"""Squares that stay in sight around what is followed."""


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


def draw(board: Board) -> Drawing:
    """The drawing that suits the board."""
    return _GridDrawing(board) if board.has_grid else _RoomList(board)


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
        """What is drawn from left to right with its style, row by row."""

    @abstractmethod
    def spot_at(self, column: int, row: int) -> Spot | None:
        """The spot that a character belongs to, if it belongs to a place."""

    @abstractmethod
    def place(self, spot: Spot) -> int | None:
        """The place at a spot."""

    @abstractmethod
    def spot(self, place: int) -> Spot:
        """A spot of the place, as near its middle as may be."""

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


class _GridDrawing(Drawing):
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


def _heart(area: set[tuple[int, int]]) -> Spot:
    """The square of a room that is nearest to the middle of its characters."""
    columns, rows = [column for column, _ in area], [row for _, row in area]
    x, y = (min(columns) + max(columns)) / 4, (min(rows) + max(rows)) / 2
    return min(((c // 2, r) for c, r in area), key=lambda spot: (abs(spot[0] - x) + abs(spot[1] - y), spot))


class _RoomList(Drawing):
    """A deck alone: a line for each room, with what is in it, and one for those outside."""

    def __init__(self, board: Board):
        self.board = board
        names = [room.name for room in board.map.rooms]
        self._name = max(map(cell_len, names)) + 2
        self.height = len(names) + 1
        self.width = self._name + 1 + 3 * (len(board.deck.suspects) + len(board.deck.weapons))
        self._codes = weapon_codes(board.deck)

    def rows(self, look: Look) -> list[list[Glyph]]:
        board = self.board
        cursor = None if look.cursor is None else self.place(look.cursor)
        chips = [pawn_chip(board, suspect) for suspect in range(len(look.pawns))]
        chips += [(code, "italic underline") for code in self._codes]
        standing = list(zip(chips, (*look.pawns, *look.weapons), strict=True))
        rows = []
        for line, room in enumerate(board.map.rooms):
            place = board.rooms_at + line
            style = _CURSOR if place == cursor else _LIT if look.lit >> place & 1 else on_colour(room.colour)
            name = set_cell_size(f" {room.name}", self._name), style
            rows.append([name, *_spaced(chip for chip, at in standing if at == place)])
        outside = _spaced(chip for chip, at in standing if not board.is_room(at))
        rows.append([(" " * self._name, ""), *outside])
        return rows

    def spot_at(self, column: int, row: int) -> Spot | None:
        return (0, row) if 0 <= row < len(self.board.map.rooms) and 0 <= column < self.width else None

    def place(self, spot: Spot) -> int | None:
        return self.board.rooms_at + spot[1] if spot[0] == 0 and 0 <= spot[1] < len(self.board.map.rooms) else None

    def spot(self, place: int) -> Spot:
        return 0, max(0, place - self.board.rooms_at) if self.board.is_room(place) else 0


def _spaced(chips: Iterable[Glyph]) -> list[Glyph]:
    return [glyph for chip in chips for glyph in ((" ", ""), chip)]


class BoardView(ScrollView, can_focus=True):
    """A board; where it is larger than the widget, it scrolls to follow the pawn or the cursor.

    It knows no rules: whoever uses it says which places to light, and decides what choosing a place
    means. Without lit places there is no cursor, and the arrow keys scroll.

    Attributes:
        board: the board.
        look: what is drawn now.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go(0, -1)", Phrase("move the mark on the board, or scroll"), show=False),
        Binding("down", "go(0, 1)", Phrase("move the mark on the board, or scroll"), show=False),
        Binding("left", "go(-1, 0)", Phrase("move the mark on the board, or scroll"), show=False),
        Binding("right", "go(1, 0)", Phrase("move the mark on the board, or scroll"), show=False),
        Binding("enter", "choose", Phrase("walk to the mark"), show=False),
        Binding("full_stop", "next(1)", Phrase("the next place within reach"), show=False),
        Binding("comma", "next(-1)", Phrase("the previous place within reach"), show=False),
    ]

    @dataclass
    class Chosen(Message):
        """A place was chosen, lit or not."""

        place: int

    @dataclass
    class Pointed(Message):
        """The cursor, or the mouse, is on a place; on none if None."""

        place: int | None

    def __init__(self, board: Board, *, id: str | None = None):
        super().__init__(id=id)
        self.board = board
        self._drawing: Drawing = draw(board)
        self.look = Look(board.starts, board.weapon_starts)
        self._strips: list[Strip] | None = None
        self._placed: Spot | None = None  # where the program has put the cursor
        self.virtual_size = Size(self._drawing.width, self._drawing.height)

    # ---- what is shown ---------------------------------------------------------------------

    @property
    def pointed(self) -> int | None:
        """The place under the cursor."""
        return None if self.look.cursor is None else self._drawing.place(self.look.cursor)

    def put(self, pawns: tuple[int, ...], weapons: tuple[int, ...], trail: Sequence[int] = ()) -> None:
        """Put the pieces on their places; ``trail`` is a way to highlight."""
        self._draw(self.look._replace(pawns=pawns, weapons=weapons, trail=tuple(trail)))

    def light(self, places: int) -> None:
        """Light the places of a mask and put the cursor on the first of them; 0 removes lights and cursor."""
        spot = self._drawing.spot(self._in_order(places)[0]) if places else None
        self._placed = spot
        self._draw(self.look._replace(lit=places, cursor=spot))
        if spot is not None:
            self._point()

    def propose(self, place: int) -> None:
        """Put the cursor on a place, unless somebody is moving it: one that comes late would lead elsewhere."""
        if self.look.cursor == self._placed:
            self._placed = self._drawing.spot(place)
            self._move(self._placed)

    def follow(self, place: int) -> None:
        """Scroll so that a place is in sight."""
        x, y = self._drawing.spot(place)  # a square is two characters wide
        around = Region(2 * (x - _MARGIN), y - _MARGIN, 4 * _MARGIN + 2, 2 * _MARGIN + 1)
        self.scroll_to_region(around, animate=False, force=True)

    def _draw(self, look: Look) -> None:
        if look != self.look:
            self.look, self._strips = look, None
            self.refresh()

    def render_line(self, y: int) -> Strip:
        if self._strips is None:
            self._strips = [_strip(glyphs) for glyphs in self._drawing.rows(self.look)]
        scroll_x, scroll_y = self.scroll_offset
        row = y + scroll_y
        width = self.scrollable_content_region.width
        if row >= len(self._strips):
            return Strip.blank(width, self.rich_style)
        strip = self._strips[row].crop_extend(scroll_x, scroll_x + width, None)
        return strip.apply_style(self.rich_style)

    # ---- keys and mouse --------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Nothing is chosen where nothing is lit."""
        return action not in ("choose", "next") or bool(self.look.lit)

    def action_go(self, dx: int, dy: int) -> None:
        """Move the cursor, or scroll where there is none."""
        if self.look.cursor is None:
            self.scroll_relative(2 * dx, dy, animate=False, force=True)
            return
        self._move(self._drawing.onward(self.look.cursor, dx, dy))

    def action_next(self, step: int) -> None:
        """Go from lit place to lit place: the rooms first, then squares."""
        if not self.look.lit:
            return
        order = self._in_order(self.look.lit)
        here = self.pointed
        at = order.index(here) if here in order else -1 if step > 0 else 0
        self._move(self._drawing.spot(order[(at + step) % len(order)]))

    def action_choose(self) -> None:
        """Choose the place under the cursor."""
        if self.pointed is not None:
            self.post_message(self.Chosen(self.pointed))

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked place, if any place is lit."""
        spot = self._spot_under(event)
        if spot is None or not self.look.lit:
            return
        self._move(spot)
        self.action_choose()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell what is under the mouse."""
        spot = self._spot_under(event)
        self.post_message(self.Pointed(None if spot is None else self._drawing.place(spot)))

    def on_leave(self) -> None:
        """Tell what is under the cursor again."""
        self.post_message(self.Pointed(self.pointed))

    def _spot_under(self, event: events.MouseEvent) -> Spot | None:
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        return self._drawing.spot_at(offset.x + self.scroll_offset.x, offset.y + self.scroll_offset.y)

    def _move(self, spot: Spot) -> None:
        self._draw(self.look._replace(cursor=spot))
        self._point()

    def _point(self) -> None:
        place = self.pointed
        if place is not None:
            self.follow(place)
        self.post_message(self.Pointed(place))

    def _in_order(self, places: int) -> list[int]:
        """Rooms first, then squares, each in the map's order."""
        return sorted(bits(places), key=lambda place: (not self.board.is_room(place), place))


def _strip(glyphs: list[Glyph]) -> Strip:
    """A row as a strip: neighbours of one style in one segment."""
    runs = groupby(glyphs, key=lambda glyph: glyph[1])
    segments = [Segment("".join(char for char, _ in run), Style.parse(style)) for style, run in runs]
    return Strip(segments)
