"""Widgets of the assistant's screen: the line to type in, its completions, the list of entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.table import Table
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.style import Style
from textual.widgets import Input, OptionList, Static

from cluedo.engine.phrase import Phrase
from cluedo.language import tr
from cluedo.session.case.grammar import Completion

__all__ = ["Completions", "EntryLine", "History"]


class EntryLine(Input):
    """The line for entries; Tab takes the first completion, the arrow keys lead to what was entered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "screen.complete", Phrase("complete")),
        Binding("up", "screen.entries", show=False),
        Binding("down,shift+tab", "screen.sheet", show=False),
        Binding("ctrl+q", "app.leave(0)", Phrase("quit")),  # where q is a letter
    ]


class Completions(Static):
    """Completions of the line; a click takes one, Tab the first.

    Attributes:
        offered: what is shown.
    """

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self.offered: Sequence[Completion] = ()

    def offer(self, completions: Sequence[Completion], *, whole: bool) -> None:
        """Show these; and, if the line is ``whole``, that it can be entered as it is."""
        self.offered = completions
        parts = []
        if whole:
            enter = Content.styled(f" {tr('Enter')} ", "bold $text-success on $success-muted")
            parts += [enter.stylize(Style.from_meta({"@click": "screen.submit()"})), Content(" ")]
        for index, completion in enumerate(completions):
            word = Content.styled(completion.word.replace(" ", "\N{NO-BREAK SPACE}"), "bold" if index == 0 else "")
            parts += [word.stylize(Style.from_meta({"@click": f"screen.complete({index})"})), Content("  ")]
        self.update(Content.assemble(*parts))


class History(OptionList):
    """The entries by number; Enter edits one, ``i`` inserts one before it, Delete removes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", Phrase("edit")),
        Binding("i", "screen.change('insert')", Phrase("insert before")),
        Binding("delete,d,backspace", "screen.change('drop')", Phrase("take out")),
        Binding("tab,shift+tab", "screen.entry", Phrase("to the line"), show=False),
    ]

    def show(self, lines: Sequence[str], clashing: Sequence[int] = ()) -> None:
        """Show the entries, those that contradict each other in colour, the last in sight."""
        self.clear_options()
        self.add_options(_numbered(number, line, marked=number in clashing) for number, line in enumerate(lines, 1))
        if lines:
            self.highlighted = len(lines) - 1
            self.call_after_refresh(self.scroll_end, animate=False)


def _numbered(number: int, line: str, *, marked: bool) -> Table:
    """An entry beside its number; a long one is wrapped with an indent."""
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    grid.add_column(width=3, justify="right", no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_row(str(number), line, style="red" if marked else "")
    return grid
