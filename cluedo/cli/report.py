"""``cluedo report``: results of experiments as a page with pictures, as CSV, or asked by SQL."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from cluedo.cli.options import check_alone, out_folder
from cluedo.cli.terminal import progress_console
from cluedo.engine.ctrl_c import killed_by_interrupt
from cluedo.experiments.report.report_files import FOLDER
from cluedo.language import tr

if TYPE_CHECKING:
    from cluedo.experiments.read.results import Results

__all__ = ["report"]


def report(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR", help="Folders of results, written by experiment run or autoplay --out."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            parser=out_folder,
            metavar="DIR",
            help="The folder of the report.",
            show_default="DIR/report, of the first DIR",
        ),
    ] = None,
    csv: Annotated[
        bool, typer.Option("--csv", help="Print the results instead, as CSV: a row for each seat of each game.")
    ] = False,
    query: Annotated[
        str | None,
        typer.Option(metavar="SQL", help="Print the answer to an SQL query on the tables games and seats, as CSV."),
    ] = None,
) -> None:
    """Make a report of results: who won, how sure that is, and why; one page and its pictures.

    The page is one file that needs no network. Runs that are still going on, or were interrupted, are reported as far
    as they got.
    """
    check_alone({"--out": out is not None, "--csv": csv, "--query": query is not None})
    from cluedo.experiments.read.results import Results  # DuckDB, which no other command needs

    with Results.open(folders) as results:
        if csv or query is not None:
            with killed_by_interrupt():  # DuckDB does not hear of a Ctrl-C while it works on a long query
                sys.stdout.writelines(results.csv() if query is None else results.query(query))
        else:
            _write(results, folders[0] / FOLDER if out is None else out)


def _write(results: Results, folder: Path) -> None:
    """Make the report, under a bar where somebody can see one, and say where it is."""
    from cluedo.experiments.report.page import write_report  # matplotlib and numba: seconds, when they are new

    console = progress_console()
    bar = Progress(
        TextColumn(tr("making the report")),
        BarColumn(),
        TaskProgressColumn(),
        console=console,
        transient=True,
        disable=not console.is_interactive,
    )
    with bar:
        task = bar.add_task("", total=1.0)
        page = write_report(results, folder, lambda share: bar.update(task, completed=share))
    sys.stdout.write(tr("The report: {path}", path=page) + "\n")
