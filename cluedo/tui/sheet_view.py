"""Sheets as widgets: a row for each card, a column for the envelope and each seat.

The detective's sheet; and a player's own, where what the seat has seen is filled in and the rest is for the player to
write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events, work
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.cards import Category, Deck
from cluedo.engine.deal import Deal
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import Table
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.board_glyphs import pawn_chip
from cluedo.session.figures import envelope_first, titles
from cluedo.session.seat_sheet import SIGNS, SeatSheet
from cluedo.tui.play_dialogs import NoteInput
from cluedo.words.narration import beside_the_board

__all__ = ["Cell", "Column", "MarkedSheet", "SheetView", "chance_cells", "columns", "open_cells", "setting_columns"]

_LEAST_NAME, _MOST_NAME = 8, 22
_NARROWEST, _WIDEST = 3, 10  # of a column: a mark or two figures, and a gap
_LEAST_HEAD = 6
"""Of the columns of a sheet that is as wide as it likes."""
_NAMED = 6
"""The least width of a column whose head is a name, cut where it has to be, and not its two letters."""
_HEAD = Style(bold=True)
_TITLE = Style(bold=True, underline=True)
_PLAIN = Style.null()
_CURSOR = Style(color="#ffffff", bgcolor="#af005f", bold=True)
_STRIPE = Style(dim=True)
_NO = Style(dim=True)
_YES = Style(color="green", bold=True)
_OWN_MARK = Style(color="cyan", italic=True)
_ODDS = Style(color="yellow")


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one cell: a short text and its style."""

    text: str
    style: Style = _PLAIN

    @classmethod
    def seen(cls, there: bool) -> Cell:
        """A card that is, or is not, at a place."""
        return cls("✓", _YES) if there else cls("✗", _NO)

    @classmethod
    def mark(cls, sign: str) -> Cell:
        """A sign that somebody made."""
        return cls(sign, _OWN_MARK)

    @classmethod
    def chance(cls, p: float | None) -> Cell:
        """The cell of a probability: a proof, a percentage (which never looks like a proof), or unknown."""
        if p is None:
            return cls("?")
        return cls.seen(p == 1.0) if p in (0.0, 1.0) else cls(f"{min(99, max(1, round(100 * p)))}", _ODDS)


def chance_cells(rows: Sequence[Sequence[float | None]]) -> dict[tuple[int, int], Cell]:
    """Cells of probabilities by card and place; the last place is the envelope, which comes first on a sheet."""
    return {
        (card, column): Cell.chance(p) for card, row in enumerate(rows) for column, p in enumerate(envelope_first(row))
    }


def open_cells(table: Table, deal: Deal) -> dict[tuple[int, int], Cell]:
    """Every card where it is, once the game is over."""
    return {
        (card, column): Cell.seen(bool(mask >> card & 1))
        for card in range(table.deck.size)
        for column, mask in enumerate(envelope_first(deal.places))
    }


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column: two letters for where it is narrow, a name, and a style."""

    code: str
    name: str
    style: Style = _HEAD


def setting_columns(setting: Setting) -> list[Column]:
    """The heads at a table: the envelope, then the players, oneself with a star, and what lies on the table."""
    heads = [Column(name[:3], name + "*" * (place == setting.me)) for place, name in enumerate(titles(setting.places))]
    return envelope_first(heads)


def columns(table: Table, me: int | None) -> list[Column]:
    """The envelope, then the seats clockwise, then what lies beside the board."""
    heads = [Column(tr("En"), tr("Envelope"))]
    for seat, suspect in enumerate(table.suspects):
        code, style = pawn_chip(table.board, suspect)
        name = f"*{table.name(seat)}" if seat == me else table.name(seat)
        heads.append(Column(code, name, Style.parse(style)))
    return heads + [Column(name[:2], name.capitalize()) for name in beside_the_board(table)]


class SheetView(ScrollView, can_focus=True):
    """Cells by ``(card, column)``; the heads stay when it scrolls, and a cursor moves over the cells.

    Column 0 is the envelope. The sheet fits itself to its width: names are cut and heads become two letters before a
    column is lost.

    Attributes:
        columns: the heads.
        cells: what is shown, by card and column.
        cursor: the card and the column under the cursor.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go(0, -1)", show=False),
        Binding("down", "go(0, 1)", show=False),
        Binding("left", "go(-1, 0)", show=False),
        Binding("right", "go(1, 0)", show=False),
        Binding("enter,space", "choose", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """A cell was clicked, or chosen by Enter or the space bar."""

        card: int
        column: int

    def __init__(self, deck: Deck, columns: Sequence[Column], *, id: str | None = None):
        super().__init__(id=id)
        self.deck = deck
        self.columns = list(columns)
        self.cells: Mapping[tuple[int, int], Cell] = {}
        self._notes: Mapping[int, str] = {}
        self.cursor = (0, 0)
        self._rows: list[int | Category] = []
        self._lay_out()

    def show(self, cells: Mapping[tuple[int, int], Cell], notes: Mapping[int, str] | None = None) -> None:
        """Show these cells, and a star at the cards that have a note."""
        self.cells, self._notes = dict(cells), dict(notes or {})
        self.refresh()

    def envelope_sign(self, card: int) -> Text:
        """What the sheet says of a card and the envelope."""
        cell = self.cells.get((card, 0))
        return Text(cell.text, cell.style) if cell else Text(" ")

    def rename(self, columns: Sequence[Column]) -> None:
        """Change the heads; their number may change."""
        self.columns = list(columns)
        self.cursor = self.cursor[0], min(self.cursor[1], len(columns) - 1)
        self._lay_out()
        self.refresh()

    # ---- layout ----------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Fit into the new size."""
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        """Titles of categories only where there is room for them; else a line below each category."""
        titled = self.scrollable_content_region.height > self.deck.size + len(Category)
        self._rows = []
        for category in Category:
            if titled:
                self._rows.append(category)
            self._rows += self.deck.ids[category]
        self.virtual_size = Size(self._width_of_names() + sum(self._cell_widths()), len(self._rows) + 1)

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002 - as in Textual
        """As many columns as whole names and heads take, where the style sheet leaves the width to them."""
        names = max(cell_len(name) for name in self.deck.names) + 2
        heads = max(_LEAST_HEAD, *(cell_len(column.name) + 1 for column in self.columns))
        return min(names, _MOST_NAME) + min(heads, _WIDEST) * len(self.columns) + 2  # a gap, and the scrollbar

    def _width_of_names(self) -> int:
        longest = max(cell_len(name) for name in self.deck.names) + 2
        left = self.scrollable_content_region.width - _NARROWEST * len(self.columns) + 1  # no gap at the end
        return max(_LEAST_NAME, min(longest, left, _MOST_NAME))

    def _cell_widths(self) -> list[int]:
        """All alike; but where that would cut a head, as wide as their heads, if there is room for these."""
        left = self.scrollable_content_region.width - self._width_of_names() - 1
        even = max(_NARROWEST, min(_WIDEST, left // max(1, len(self.columns))))
        widths = [max(_NARROWEST, cell_len(column.name) + 1) for column in self.columns]
        if max(widths, default=0) <= even or sum(widths) > left:
            return [even] * len(self.columns)
        for _ in range(left - sum(widths)):
            narrowest = widths.index(min(widths))
            if widths[narrowest] < _WIDEST:
                widths[narrowest] += 1
        return widths

    # ---- drawing ---------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        row = y + self.scroll_offset.y
        if y == 0:
            segments = list(self._head())
        elif row - 1 < len(self._rows):
            segments = list(self._row(row - 1))
        else:
            return Strip.blank(width, self.rich_style)
        strip = Strip(segments).crop_extend(self.scroll_offset.x, self.scroll_offset.x + width, None)
        return strip.apply_style(self.rich_style)

    def _head(self) -> Iterator[Segment]:
        yield Segment(" " * self._width_of_names(), _PLAIN)
        widths = self._cell_widths()
        named = min(widths, default=0) >= _NAMED or all(
            cell_len(column.name) < width for column, width in zip(self.columns, widths, strict=True)
        )
        for column, width in zip(self.columns, widths, strict=True):
            text = column.name if named else column.code
            if named and cell_len(text) > width - 1:
                text = f"{set_cell_size(text, width - 2)}."
            yield Segment(_centred(text, width - 1), column.style)
            yield Segment(" ", _PLAIN)

    def _row(self, index: int) -> Iterator[Segment]:
        line = self._rows[index]
        names = self._width_of_names()
        if isinstance(line, Category):
            yield Segment(set_cell_size(tr(line.title), names), _TITLE)
            return
        last = line + 1 in [ids.start for ids in self.deck.ids[1:]] and self._rows[0] != Category.SUSPECT
        edge = Style(underline=True) if last else _PLAIN
        star = "*" if line in self._notes else " "
        here = line == self.cursor[0] and self.has_focus
        name = set_cell_size(self.deck.names[line], names - 1) + star
        yield Segment(name, edge + Style(bold=True) if here else edge)
        for column, width in enumerate(self._cell_widths()):
            cell = self.cells.get((line, column))
            style = cell.style if cell else _STRIPE
            text = _centred(cell.text if cell else "·", width - 1)
            yield Segment(text, _CURSOR if here and column == self.cursor[1] else style + edge)
            yield Segment(" ", edge)

    # ---- keys and mouse --------------------------------------------------------------------

    def action_go(self, dx: int, dy: int) -> None:
        """Move the cursor, round the edges."""
        card, column = self.cursor
        self._put_cursor((card + dy) % self.deck.size, (column + dx) % len(self.columns))

    def action_choose(self) -> None:
        """Choose the cell under the cursor."""
        self.post_message(self.Chosen(*self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Go to the cell that was clicked, and choose it."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y == 0:
            return
        row = offset.y + self.scroll_offset.y - 1
        x = offset.x + self.scroll_offset.x - self._width_of_names()
        column = sum(x >= end for end in accumulate(self._cell_widths())) if x >= 0 else -1
        if not 0 <= row < len(self._rows) or isinstance(line := self._rows[row], Category):
            return
        if 0 <= column < len(self.columns):
            self._put_cursor(line, column)
            self.action_choose()

    def _put_cursor(self, card: int, column: int) -> None:
        self.cursor = card, column
        row = self._rows.index(card) + 1
        # The head covers the topmost line, so one more has to be in sight.
        self.scroll_to_region(Region(0, row - 1, 1, 2), animate=False, force=True)
        self.refresh()


def _centred(text: str, width: int) -> str:
    text = text if cell_len(text) <= width else set_cell_size(text, width)
    left = (width - cell_len(text)) // 2
    return " " * left + text + " " * (width - cell_len(text) - left)


class MarkedSheet(SheetView):
    """The sheet of the player at the screen; only one is shown at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "mark('✓')", Phrase("is there"), tooltip=Phrase("mark that the card is there")),
        Binding("x", "mark('✗')", Phrase("is not"), tooltip=Phrase("mark that the card is not there")),
        Binding("n", "note", Phrase("note"), tooltip=Phrase("write a note on the card")),
        Binding("delete,backspace", "mark('')", Phrase("rub out"), tooltip=Phrase("rub out the mark")),
        Binding("enter,space", "choose", Phrase("next mark"), tooltip=Phrase("the next mark: ✓, ✗, ? or none")),
    ]

    def __init__(self, table: Table, *, id: str | None = None):
        super().__init__(table.deck, columns(table, None), id=id)
        self._table = table
        self._open: tuple[SeatSheet, PlayerView] | None = None

    def open(self, sheet: SeatSheet, view: PlayerView) -> None:
        """Show a seat's sheet, with all that its view holds."""
        if self._open is None or self._open[0] is not sheet:
            self.rename(columns(self._table, view.seat))
        self._open = sheet, view
        self.show(_sheet_cells(sheet, view), sheet.notes)

    def close(self) -> None:
        """Show nobody's."""
        self._open = None
        self.rename(columns(self._table, None))
        self.show({})

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Nothing is written while it is nobody's."""
        return self._open is not None or action not in ("mark", "note", "choose")

    def action_mark(self, sign: str) -> None:
        """Write a sign into the cell under the cursor, or nothing."""
        if self._open is not None:
            self._open[0].mark(*self.cursor, sign)
            self.open(*self._open)

    def action_note(self) -> None:
        """Write a note at the card under the cursor."""
        if self._open is not None:
            self._edit_note(self._open[0], self.cursor[0])

    def on_sheet_view_chosen(self, event: SheetView.Chosen) -> None:
        """The next sign in a cell."""
        if self._open is not None:
            self._open[0].cycle(event.card, event.column)
            self.open(*self._open)

    @work(exclusive=True, group="note")
    async def _edit_note(self, sheet: SeatSheet, card: int) -> None:
        text = await self.app.push_screen_wait(NoteInput(self.deck.names[card], sheet.notes.get(card, "")))
        if text is not None:
            sheet.note(card, text)
            if self._open is not None:
                self.open(*self._open)


def _sheet_cells(sheet: SeatSheet, view: PlayerView) -> dict[tuple[int, int], Cell]:
    """What stands on a seat's sheet."""
    return {
        at: Cell.seen(sign == SIGNS[0]) if seen else Cell.mark(sign) for at, (sign, seen) in sheet.read(view).items()
    }
