"""A sheet as the screens show it: its columns, and its signs in colours."""

from __future__ import annotations

from rich.style import Style

from cluedo.engine.deal import Deal
from cluedo.engine.state import Table
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.board_glyphs import on_colour, pawn_codes
from cluedo.session.narration import beside_the_board
from cluedo.session.seat_sheet import SIGNS, SeatSheet
from cluedo.tui.sheet_view import Cell, Column

__all__ = ["columns", "open_cells", "sheet_cells"]


def columns(table: Table, me: int | None) -> list[Column]:
    """The envelope, then the seats clockwise, then what lies beside the board."""
    codes = pawn_codes(table.deck)
    heads = [Column(tr("En"), tr("Envelope"))]
    for seat, suspect in enumerate(table.suspects):
        style = Style.parse(on_colour(table.board.map.suspects[suspect].colour, bold=True))
        name = f"*{table.name(seat)}" if seat == me else table.name(seat)
        heads.append(Column(codes[suspect], name, style))
    return heads + [Column(name[:2], name.capitalize()) for name in beside_the_board(table)]


def open_cells(table: Table, deal: Deal) -> dict[tuple[int, int], Cell]:
    """Every card where it is, once the game is over."""
    *others, envelope = deal.places
    return {
        (card, column): Cell.seen(bool(mask >> card & 1))
        for card in range(table.deck.size)
        for column, mask in enumerate([envelope, *others])
    }


def sheet_cells(sheet: SeatSheet, view: PlayerView) -> dict[tuple[int, int], Cell]:
    """What stands on a seat's sheet."""
    return {
        at: Cell.seen(sign == SIGNS[0]) if seen else Cell.mark(sign) for at, (sign, seen) in sheet.read(view).items()
    }
