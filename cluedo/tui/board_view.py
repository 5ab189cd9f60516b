"""The board as a widget: lights the places where one may go, and lets one be chosen by arrow keys or mouse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

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
from cluedo.engine.phrase import Phrase
from cluedo.session.board_glyphs import Glyph
from cluedo.tui.drawing import Drawing, Look, Spot, draw

__all__ = ["BoardView"]

_MARGIN = 3
"""Squares that stay in sight around what is followed."""


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
        self._draw(self.look._replace(lit=places, cursor=spot))
        if spot is not None:
            self._point()

    def point(self, place: int) -> None:
        """Put the cursor on a place."""
        self._move(self._drawing.spot(place))

    def follow(self, place: int) -> None:
        """Scroll so that a place is in sight."""
        column, row = self._drawing.middle(self._drawing.spot(place))
        around = Region(column - 2 * _MARGIN, row - _MARGIN, 4 * _MARGIN + 2, 2 * _MARGIN + 1)
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
    return Strip(segments, len(glyphs))
