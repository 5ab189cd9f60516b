"""What was said and shown, as a list that one scrolls and, in a replay, jumps with."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table as Grid
from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from cluedo.engine.state import Table
from cluedo.session.board_glyphs import pawn_chip
from cluedo.session.narration import Sentence

__all__ = ["LogView"]


class LogView(OptionList):
    """The lines so far, the newest in sight.

    The highlighted line is the one that is looked at; ``OptionList.OptionSelected`` tells that one was
    chosen, by Enter or by mouse, and ``option_index`` which.

    Attributes:
        lines: what is shown.
    """

    def __init__(self, table: Table, *, id: str | None = None):
        super().__init__(id=id, markup=False)
        self._table = table
        self.lines: list[Sentence] = []

    def tell(self, lines: Sequence[Sentence]) -> None:
        """Add lines at the end and scroll there."""
        options = []
        before = self.lines[-1].turn if self.lines else 0
        for line in lines:
            options.append(Option(self._drawn(line, new_turn=line.turn != before)))
            before = line.turn
        self.lines += lines
        self.add_options(options)
        self.scroll_end(animate=False, force=True)

    def news(self, room: int) -> str:
        """What happened last in the latest turn, as much as fits into so many characters."""
        told = [line.text for line in self.lines if line.turn == self.lines[-1].turn]
        while len(told) > 1 and len(" ".join(told)) > room:
            told = told[1:]
        return " ".join(told)

    def show_latest(self) -> None:
        """Highlight the last line, and bring it into sight."""
        if self.lines:
            self.highlighted = len(self.lines) - 1
            self.scroll_end(animate=False, force=True)

    def reset(self, lines: Sequence[Sentence]) -> None:
        """Show these lines instead."""
        self.lines = []
        self.clear_options()
        self.tell(lines)

    def point(self, index: int | None) -> None:
        """Highlight a line and bring it into sight."""
        self.highlighted = index
        if index is not None:
            self.scroll_to_highlight()

    def _drawn(self, line: Sentence, *, new_turn: bool) -> Grid:
        """Number of the turn, two letters of who did it, and words, so that long sentences wrap below themselves."""
        grid = Grid.grid(padding=(0, 1, 0, 0), expand=True)
        grid.add_column(width=3, justify="right", style="dim", no_wrap=True)
        grid.add_column(width=2, no_wrap=True)
        grid.add_column(ratio=1)
        turn = str(line.turn) if new_turn and line.turn else ""
        chip = Text() if line.seat is None else Text(*pawn_chip(self._table.board, self._table.suspects[line.seat]))
        grid.add_row(turn, chip, Text(line.text))
        return grid
