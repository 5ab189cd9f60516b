"""Who sits at the table, whose turn it is, and who is out, in one row."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from textual.widgets import Static

from cluedo.engine.state import Table
from cluedo.language import tr
from cluedo.session.board_glyphs import pawn_chip

__all__ = ["SeatBar"]


class SeatBar(Static):
    """The seats clockwise, as they are ``called`` or by their suspects; where there is no room by two letters alone."""

    def __init__(self, table: Table, called: Sequence[str] | None = None, *, id: str | None = None):
        super().__init__(id=id)
        self.table = table
        self._shown = (0, -1, 0)
        self._me: int | None = None
        self._names = called or [table.name(seat) for seat in range(table.seats)]

    def show(self, turn: int, active: int, eliminated: int, me: int | None) -> None:
        """The turn, the seat whose turn it is (-1 for nobody), the mask of those out, and the seat in front."""
        self._shown, self._me = (turn, active, eliminated), me
        self.refresh()

    def render(self) -> Text:
        """The row, as wide as the widget."""
        for names in (True, False):
            text = self._row(names=names)
            if cell_len(text.plain) <= self.size.width:
                break
        return text

    def _row(self, *, names: bool) -> Text:
        turn, active, eliminated = self._shown
        text = Text(tr("Turn {turn}", turn=turn) if turn else "", style="bold")
        for seat, suspect in enumerate(self.table.suspects):
            text.append("  ▶" if seat == active else "   ", "bold")
            text.append(*pawn_chip(self.table.board, suspect))
            if names:
                out = eliminated >> seat & 1
                style = "strike dim" if out else "bold" if seat == active else ""
                you = "*" if seat == self._me else ""
                text.append(f" {self._names[seat]}{you}", style)
            elif eliminated >> seat & 1:
                text.append("✗")
        return text
