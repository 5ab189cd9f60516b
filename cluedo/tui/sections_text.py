"""Sections as a widget: what the assistant, a hint or a puzzle answers; and text whose no-break spaces hold."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from rich.console import Console
from rich.containers import Lines
from rich.text import Text
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from cluedo.language import unbroken
from cluedo.session.sections import ReasonLine, Section, Tone

__all__ = ["TITLE_STYLES", "SectionsText", "Unbroken"]

_KEPT_SPACE: Final = "\N{NO-BREAK SPACE}"
_JOINT: Final = "\ue000"  # of the private use area
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
            for line in section.lines:
                yield (f"    {line}", "dim") if isinstance(line, ReasonLine) else (line, "")

    def _broken(self, line: str, width: int) -> list[str]:
        """The line in lines of a width."""
        line = unbroken(line)
        for name in self._names:
            line = line.replace(name, name.replace(" ", _KEPT_SPACE))
        return [part.replace(_KEPT_SPACE, " ") for part in _broken(line, width)]


_BEGIN: Final = re.compile(r"  \S.*?  +(?=\S)| *(?:\d[\d.,]*[\s\w%]*?  +|\d+ )?")
"""What the words of a line begin behind: what they are the meaning of, a figure, or a number."""


def _broken(line: str, width: int) -> list[str]:
    """A line in lines of a width, all but the first of them indented as its words are, or a little."""
    begin = _BEGIN.match(line)
    indent = " " * min(begin.end() if begin and begin.end() else 2, width * 2 // 3)
    return textwrap.wrap(line, max(width, 10), subsequent_indent=indent, break_long_words=True) or [""]


class Unbroken(Text):
    """A text that is not wrapped at no-break spaces, which to rich and Textual are spaces as any others."""

    def wrap(self, console: Console, width: int, **options: Any) -> Lines:
        """The lines; another sign stands for these spaces meanwhile, of the same width and never in a text."""
        joined = Text(self.plain.replace(_KEPT_SPACE, _JOINT), self.style)
        lines = joined.wrap(console, width, **options)
        for line in lines:
            line.plain = line.plain.replace(_JOINT, _KEPT_SPACE)
        return lines
