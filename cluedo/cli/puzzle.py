"""``cluedo puzzle``: the puzzle of the day."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cluedo.cli.options import LineByLine
from cluedo.cli.terminal import Left, Terminal, fits_full_screen
from cluedo.engine.errors import SetupError
from cluedo.language import day_in_words, tr
from cluedo.session.boards import default_map

if TYPE_CHECKING:
    from cluedo.session.puzzle import Puzzle

__all__ = ["puzzle"]


def puzzle(
    date: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="The puzzle of this day.", show_default="today")
    ] = None,
    plain: LineByLine = False,
) -> None:
    """Solve the puzzle of the day: say what can be proved, and what you would ask.

    Every day has one position of a game; from Monday to Sunday they get harder. There are hints, one by one, and the
    solution has the reasons.
    """
    from cluedo.session.puzzle import puzzle_of  # the detective is slow to import

    day = _day(date)
    found = puzzle_of(day, default_map())
    if plain or not fits_full_screen():
        _line_by_line(Terminal(plain=plain), found, day)
        return
    from cluedo.tui.app import run_on_screen
    from cluedo.tui.puzzle_screen import PuzzleScreen

    code = run_on_screen(PuzzleScreen(found, day)).code
    Terminal().say(found.score())
    if code:
        raise typer.Exit(code)


def _day(text: str | None) -> datetime.date:
    if text is None:
        return datetime.date.today()
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise SetupError("--date: a day is written like 2026-01-31, not {text!r}", text=text) from None


def _line_by_line(terminal: Terminal, found: Puzzle, day: datetime.date) -> None:
    from cluedo.cli.assist_plain import print_sections
    from cluedo.session.puzzle import answer
    from cluedo.words.position_text import position_text

    terminal.say(tr("The puzzle of {day}", day=day_in_words(day)), style="bold")
    terminal.say()
    terminal.say(position_text(found.position.log))
    terminal.say()
    terminal.say(found.task(), style="bold")
    terminal.say(tr("Type help for what can be typed, quit to leave."))
    while not found.over:
        prompt = tr("What is proved?") if found.left else tr("What would you ask?")
        try:
            sections = terminal.ask_until(prompt, lambda line: answer(found, line))
        except Left:
            break
        if sections is None:
            break
        print_sections(terminal, sections)
    terminal.say(found.score(), style="bold")
