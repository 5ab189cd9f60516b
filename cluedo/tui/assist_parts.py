"""Widgets of the assistant's screen: sections of text, the line to type in, its completions, the list of entries."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final

from rich.table import Table
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widgets import Input, OptionList, Static

from cluedo.engine.phrase import Phrase
from cluedo.language import tr, unbroken
from cluedo.session.case.grammar import Completion
from cluedo.session.sections import REASON, Section, Tone

__all__ = ["TITLE_STYLES", "Completions", "EntryLine", "History", "SectionsText"]

_KEPT_SPACE: Final = "\N{NO-BREAK SPACE}"
TITLE_STYLES: Final = {
    Tone.PLAIN: "bold",
    Tone.EXPERT: "bold",
    Tone.PROVED: "bold $text-success",
    Tone.GUESS: "bold $text-warning",
}


class SectionsText(Static):
    """Shows sections of text; long lines are wrapped with an indent.

    Args:
        names: names that are not broken.
    """

    def __init__(self, names: Iterable[str] = (), *, id: str | None = None):
        super().__init__(id=id, markup=False)
        self._names = [name for name in names if " " in name]
        self._sections: Sequence[Section] = ()

    def show(self, sections: Sequence[Section]) -> None:
        """Show these sections."""
        self._sections = sections
        self.refresh(layout=True)

    def render(self) -> Content:
        """The lines, broken for this width."""
        width = self.size.width or 80
        return Content("\n").join(
            Content.styled(part, style) for line, style in self._styled() for part in self._broken(line, width)
        )

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's
        """The number of lines, so that all can be scrolled to."""
        return sum(len(self._broken(line, width)) for line, _ in self._styled())

    def _styled(self) -> Iterator[tuple[str, str]]:
        """All lines, with their styles; reasons are dim."""
        for section in self._sections:
            if section.title:
                yield section.title, TITLE_STYLES[section.tone]
            yield from ((line, "dim" if line.startswith(REASON) else "") for line in section.lines)

    def _broken(self, line: str, width: int) -> list[str]:
        """The line in lines of a width."""
        line = unbroken(line)
        for name in self._names:
            line = line.replace(name, name.replace(" ", _KEPT_SPACE))
        return [part.replace(_KEPT_SPACE, " ") for part in _broken(line, width)]


def _broken(line: str, width: int) -> list[str]:
    """A line in lines of a width, all but the first of them indented as its words are, or a little."""
    begin = re.match(r" *(?:\d[\d.,]*[\s\w%]*?  +|\d+ )?", line)
    indent = " " * min(begin.end() if begin and begin.end() else 2, width // 2)
    return textwrap.wrap(line, max(width, 10), subsequent_indent=indent, break_long_words=True) or [""]


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
