"""A sheet as the screens show it: its columns, and its signs in colours."""

from __future__ import annotations

from rich.style import Style

from cluedo.engine.deal import Deal
from cluedo.engine.state import Table
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.board_glyphs import on_colour, pawn_codes
from cluedo.session.seat_sheet import SIGNS, SeatSheet
from cluedo.tui.sheet_view import Cell, Column

__all__ = ["columns", "open_cells", "sheet_cells"]


def columns(table: Table, me: int | None) -> list[Column]:
    """The envelope, then the seats clockwise."""
    codes = pawn_codes(table.deck)
    heads = [Column(tr("En"), tr("Envelope"))]
    for seat, suspect in enumerate(table.suspects):
        style = Style.parse(on_colour(table.board.map.suspects[suspect].colour, bold=True))
        name = f"*{table.name(seat)}" if seat == me else table.name(seat)
        heads.append(Column(codes[suspect], name, style))
    return heads


def open_cells(table: Table, deal: Deal) -> dict[tuple[int, int], Cell]:
    """Every card where it is, once the game is over."""
    cells = {(card, column): Cell.seen(False) for card in range(table.deck.size) for column in range(table.seats + 1)}
    for card in deal.envelope:
        cells[card, 0] = Cell.seen(True)
    for seat, hand in enumerate(deal.hands):
        cells |= {(card, seat + 1): Cell.seen(True) for card in range(table.deck.size) if hand >> card & 1}
    return cells


def sheet_cells(sheet: SeatSheet, view: PlayerView) -> dict[tuple[int, int], Cell]:
    """What stands on a seat's sheet."""
    return {
        at: Cell.seen(sign == SIGNS[0]) if seen else Cell.mark(sign) for at, (sign, seen) in sheet.read(view).items()
    }
