"""Sections: the form of all answers to people, whether of the assistant, a hint or a puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

from cluedo.engine.file_io import state_folder
from cluedo.language import unbroken

if TYPE_CHECKING:  # the detective is slow to import
    from cluedo.engine.commands import Command
    from cluedo.session.best_rooms import RoomQuestion

__all__ = [
    "ReasonLine",
    "Section",
    "Tone",
    "figures_shown",
    "for_readers",
    "plain",
    "sections_json",
    "switch_figures",
]


class ReasonLine(str):
    """A line that gives a reason for the one above."""

    __slots__ = ()


class Tone(Enum):
    """The kind of a section: proofs and guesses have to look different, and figures for experts can be hidden."""

    PLAIN = auto()
    PROVED = auto()
    GUESS = auto()
    EXPERT = auto()


class Section(NamedTuple):
    """A part of an answer.

    Attributes:
        title: a heading or a sentence; may be empty.
        lines: sentences, some of them a :class:`ReasonLine` for the one above.
        tone: how it is meant.
        questions: what the lines propose to ask, line by line, so that a page can offer it; empty for other lines.
        proposed: the cards that the title proposes to name, which a chooser may begin with; empty for other titles.
        do: the command that the title proposes, if it can be given now.
    """

    title: str
    lines: tuple[str, ...] = ()
    tone: Tone = Tone.PLAIN
    questions: tuple[RoomQuestion, ...] = ()
    proposed: tuple[int, ...] = ()
    do: Command | None = None


def plain(*lines: str) -> Section:
    """Sentences without a heading."""
    return Section("", lines)


def for_readers(sections: Iterable[Section]) -> list[Section]:
    """The sections that terminals show: those for experts only as long as figures are shown."""
    figures = figures_shown()
    return [section for section in sections if figures or section.tone is not Tone.EXPERT]


def figures_shown() -> bool:
    """Whether terminals show sections for experts, as it was left; not at first."""
    return (state_folder("settings") / "figures").is_file()


def switch_figures() -> None:
    """Show them from now on, or no more. Where nothing can be kept, nothing changes."""
    path = state_folder("settings") / "figures"
    with suppress(OSError):
        if path.is_file():
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def sections_json(sections: Iterable[Section]) -> list[dict[str, Any]]:
    """Sections for a page: ``title``, ``tone`` in lower case, ``proposed`` cards, and ``lines``.

    A line has its ``text``, and says whether it is a ``reason`` for the one above.
    """
    return [
        {
            "title": unbroken(section.title),
            "tone": section.tone.name.lower(),
            "proposed": list(section.proposed),
            "lines": [
                {"text": unbroken(line.strip()), "reason": isinstance(line, ReasonLine)} for line in section.lines
            ],
        }
        for section in sections
    ]
