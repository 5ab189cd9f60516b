"""What was said and shown, as a list that one scrolls and, in a replay, jumps with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option

__all__ = ["Line", "LogView"]


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened: its turn (from 1, 0 for none), who did it (two letters on a colour), the words."""

    turn: int
    chip: tuple[str, str] | None
    text: str


class LogView(OptionList):
    """The lines so far, the newest in sight.

    The highlighted line is the one that is looked at; ``OptionList.OptionSelected`` tells that one was
    chosen, by Enter or by mouse, and ``option_index`` which.
    """

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id, markup=False)
        self._told: list[Line] = []

    @property
    def lines(self) -> Sequence[Line]:
        """What is shown."""
        return self._told

    def tell(self, lines: Sequence[Line]) -> None:
        """Add lines at the end and scroll there."""
        options = []
        before = self._told[-1].turn if self._told else 0
        for line in lines:
            options.append(Option(_drawn(line, new_turn=line.turn != before)))
            before = line.turn
        self._told += lines
        self.add_options(options)
        self.scroll_end(animate=False, force=True)

    def show_latest(self) -> None:
        """Highlight the last line, and bring it into sight."""
        if self._told:
            self.highlighted = len(self._told) - 1
            self.scroll_end(animate=False, force=True)

    def reset(self, lines: Sequence[Line]) -> None:
        """Show these lines instead."""
        self._told = []
        self.clear_options()
        self.tell(lines)

    def point(self, index: int | None) -> None:
        """Highlight a line and bring it into sight."""
        self.highlighted = index
        if index is not None:
            self.scroll_to_highlight()


def _drawn(line: Line, *, new_turn: bool) -> Table:
    """Number of the turn, chip and words, each in a column, so that long sentences wrap below themselves."""
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    grid.add_column(width=3, justify="right", style="dim", no_wrap=True)
    grid.add_column(width=2, no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_row(
        str(line.turn) if new_turn and line.turn else "", Text(*line.chip) if line.chip else Text(), Text(line.text)
    )
    return grid
