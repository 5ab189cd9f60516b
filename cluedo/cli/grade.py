"""``cluedo grade``: scores answers to positions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from cluedo.cli.terminal import Terminal, notify
from cluedo.engine.errors import CluedoError
from cluedo.engine.file_io import read_bytes
from cluedo.language import number, tr, tr_count
from cluedo.session.figures import rounded_percent
from cluedo.session.files import print_json

if TYPE_CHECKING:  # slow to import
    from cluedo.ai.positions import ExactAnswer

__all__ = ["grade"]


def grade(
    answers: Annotated[Path, typer.Argument(metavar="ANSWERS", help="The answers: JSON Lines, one for each position.")],
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The exact answers, as written by cluedo positions --key.",
            show_default="those of the test set",
        ),
    ] = None,
    lenient: Annotated[
        bool,
        typer.Option(
            "--lenient", help="Leave out lines that are not answers, and say which, instead of stopping there."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with the score of every position.")] = False,
) -> None:
    """Grade answers to positions: proofs right and wrong, the odds, and the question.

    A position that is not answered, or only in part, counts as one of which nothing was said: nothing is proved, all
    cards of a category are equally likely, and nothing is asked.

    An answer is a JSON object with the id of a position and any of these: proved, a list of triples (card, place, true
    or false); envelope, a probability for each card; question, a suspect, a weapon and a room.
    """
    from cluedo.ai.positions import grade as graded, read_answers, totals

    exact = {one.id: one for one in _key(key)}
    with CluedoError.around("{file}: {error}", file=answers):
        given = read_answers(read_bytes(answers), exact, _left_out if lenient else None)
    each = [graded(one, given.get(name)) for name, one in exact.items()]
    difficulties = sorted({one.difficulty for one in each})
    levels = {str(some): totals([one for one in each if one.difficulty == some]) for some in difficulties}
    if as_json:
        by_level = {level: _rounded(total) for level, total in levels.items()}
        print_json(_rounded(totals(each)) | {"levels": by_level, "each": [one.to_json() for one in each]})
    else:
        _print(Terminal(), totals(each), levels)


def _key(path: Path | None) -> list[ExactAnswer]:
    from cluedo.ai.positions import read_key
    from cluedo.ai.positions.shipped import shipped_answers

    if path is None:
        return shipped_answers()
    with CluedoError.around("{file}: {error}", file=path):
        return read_key(read_bytes(path))


def _left_out(error: CluedoError) -> None:
    notify(tr("left out: {error}", error=error.phrase))


def _rounded(total: Mapping[str, float]) -> dict[str, Any]:
    from cluedo.ai.positions.grading import rounded

    return {name: rounded(value) for name, value in total.items()}


def _print(terminal: Terminal, total: Mapping[str, float], levels: Mapping[str, Mapping[str, float]]) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_footer=True)
    headings = tr("difficulty"), tr("positions"), tr("complete"), tr("found"), tr("wrong"), tr("odds"), tr("question")
    for heading, last in zip(headings, _row(tr("all"), total), strict=True):
        table.add_column(heading, last, justify="right", no_wrap=True)
    for level, some in levels.items():
        table.add_row(*_row(level, some))
    terminal.table(table)
    terminal.say(
        tr(
            "{answered} of {positions} were answered; the others count as if nothing had been said of them.",
            answered=number(total["answered"]),
            positions=tr_count("{count:,} position", "{count:,} positions", int(total["positions"])),
        )
    )
    for line in (
        tr("complete: all is proved that can be, and nothing else is said to be"),
        tr("found: of all that can be proved and was not shown; wrong: statements that are not proved"),
        tr(
            "odds: bits lost by the odds of the envelope, on average; 0 is exact, and every deal that fits counts alike"
        ),
        tr("question: bits by which the best question promises more, on average"),
    ):
        terminal.say(f"  {line}", style="dim")


def _row(name: str, total: Mapping[str, float]) -> list[str]:
    return [
        name,
        number(total["positions"]),
        _share(total["complete"], total["positions"]),
        _share(total["found"], total["wanted"]) if total["wanted"] else "–",
        number(total["wrong"]),
        number(total["odds_lost"], ".2f"),
        number(total["question_lost"], ".2f"),
    ]


def _share(part: float, whole: float) -> str:
    return rounded_percent(part / whole if part else 0.0)
