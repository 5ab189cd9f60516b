"""The sheet of a player: what the seat has seen is filled in, the rest is for the player to write."""

from __future__ import annotations

from rich.style import Style
from textual import events, work

from cluedo.engine.deal import Deal
from cluedo.engine.state import Table
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.board_glyphs import pawn_chip
from cluedo.session.figures import envelope_first
from cluedo.session.seat_sheet import SIGNS, SeatSheet
from cluedo.tui.play_dialogs import NoteInput
from cluedo.tui.sheet_view import Cell, Column, SheetView
from cluedo.words.narration import beside_the_board

__all__ = ["MarkedSheet", "columns", "open_cells"]


def columns(table: Table, me: int | None) -> list[Column]:
    """The envelope, then the seats clockwise, then what lies beside the board."""
    heads = [Column(tr("En"), tr("Envelope"))]
    for seat, suspect in enumerate(table.suspects):
        code, style = pawn_chip(table.board, suspect)
        name = f"*{table.name(seat)}" if seat == me else table.name(seat)
        heads.append(Column(code, name, Style.parse(style)))
    return heads + [Column(name[:2], name.capitalize()) for name in beside_the_board(table)]


def open_cells(table: Table, deal: Deal) -> dict[tuple[int, int], Cell]:
    """Every card where it is, once the game is over."""
    return {
        (card, column): Cell.seen(bool(mask >> card & 1))
        for card in range(table.deck.size)
        for column, mask in enumerate(envelope_first(deal.places))
    }


def _sheet_cells(sheet: SeatSheet, view: PlayerView) -> dict[tuple[int, int], Cell]:
    """What stands on a seat's sheet."""
    return {
        at: Cell.seen(sign == SIGNS[0]) if seen else Cell.mark(sign) for at, (sign, seen) in sheet.read(view).items()
    }


_SIGNS = {"v": "✓", "x": "✗", "question_mark": "?", "delete": "", "backspace": ""}


class MarkedSheet(SheetView):
    """The sheet of the player at the screen; only one is shown at a time."""

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

    def on_key(self, event: events.Key) -> None:
        """Write a sign, or a note."""
        if self._open is None or event.key not in (*_SIGNS, "e"):
            return
        event.stop()
        card, column = self.cursor
        if event.key == "e":
            self._edit_note(self._open[0], card)
        else:
            self._open[0].mark(card, column, _SIGNS[event.key])
            self.open(*self._open)

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
