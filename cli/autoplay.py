"""``cluedo autoplay``: let levels play each other, and tell who wins."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from shutil import get_terminal_size
from time import perf_counter
from typing import Annotated, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from cluedo.ai.levels import parse_player
from cluedo.ai.match import DEFAULT_THINK_LIMIT
from cluedo.cli.compiling import prepare
from cluedo.cli.language import number, tr
from cluedo.cli.options import Lang, ThinkLimit, check_think_limit, split_players
from cluedo.cli.terminal import Terminal, progress_console
from cluedo.experiments.folder import ResultsFolder
from cluedo.experiments.games import GameResult
from cluedo.experiments.interrupt import Interrupt
from cluedo.experiments.plan import Plan
from cluedo.experiments.runner import available_cpus, run
from cluedo.experiments.summary import Summary, Tally
from cluedo.experiments.workers import WorkerDied
from cluedo.rules import Rules

__all__ = ["autoplay"]

_PIPE: Final = 200
"""Columns of a pipe or a file, which have no edge, for long paths of bots."""
_INTERRUPTED: Final = 130
"""Exit code of a process that Ctrl-C ended, as shells have it."""


def autoplay(
    players: Annotated[
        str, typer.Option(help="The line-up: levels (see `cluedo levels`) or path/to/bot.py:Class, by commas.")
    ] = "easy,easy,medium,medium",
    games: Annotated[int, typer.Option(help="How many games are played.")] = 400,
    seed: Annotated[int, typer.Option(help="The master seed; the same seed gives the same games.")] = 0,
    board: Annotated[str, typer.Option("--map", help="A map's name (see `cluedo maps`) or a JSON file.")] = "manoir",
    rule: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Set a rule, such as dice=1; repeatable.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write summary.json, games.jsonl and win_rates.png into this folder."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            help="Processes that play; fewer where the job is too short for them.", show_default="the CPUs one may use"
        ),
    ] = None,
    think_limit: ThinkLimit = DEFAULT_THINK_LIMIT,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON instead of a table.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace older results in DIR.")] = False,
    _lang: Lang = None,
) -> None:
    """Let levels of intelligence play each other, and tell who wins.

    Every deal is played once with each rotation of the line-up round the table, so that luck and
    seat cancel. Ctrl-C ends early and reports the games that are finished.
    """
    check_think_limit(think_limit)
    plan = Plan(board, Rules.from_options(rule or ()), split_players(players), games, seed)
    count = available_cpus() if workers is None else workers
    interrupt = Interrupt()
    results = run(plan, workers=count, think_limit=think_limit, records=out is not None, interrupt=interrupt)
    tally = Tally(plan)
    with ExitStack() as stack:
        folder = None if out is None else stack.enter_context(ResultsFolder(out, force=force))
        _run(plan, results, tally, folder, interrupt, as_json=as_json)
    if tally.games < plan.games:
        _say(f"interrupted after {tally.games:,} of {plan.games:,} games")
        raise typer.Exit(_INTERRUPTED)


def _run(
    plan: Plan,
    results: Iterable[GameResult],
    tally: Tally,
    folder: ResultsFolder | None,
    interrupt: Interrupt,
    *,
    as_json: bool,
) -> None:
    """Play, and report what is finished, even if Ctrl-C or a worker that dies ends it early."""
    if plan.games % plan.seats:
        _say(f"{plan.games} games are no multiple of {plan.seats} players, so the last deal stays incomplete")
    prepare(map(parse_player, plan.line_up))
    failure = None
    began = perf_counter()
    try:
        with interrupt:
            _play(plan, results, tally, folder)
    except WorkerDied as error:
        failure = error
    if tally.games:
        _report(tally, perf_counter() - began, folder, as_json=as_json)
    if failure is not None:
        raise WorkerDied(f"{failure}; {tally.games:,} of {plan.games:,} games are finished")


class _Speed(ProgressColumn):
    """Games per second so far."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else tr("{speed} games/s", speed=_figure(speed)), style="progress.data.speed")


def _play(plan: Plan, results: Iterable[GameResult], tally: Tally, folder: ResultsFolder | None) -> None:
    """Count and store the results as they come, under a progress bar where somebody can see one."""
    console = progress_console()
    progress = Progress(
        TextColumn(tr("playing")),
        BarColumn(),
        MofNCompleteColumn(),
        _Speed(),
        TimeRemainingColumn(compact=True),
        console=console,
        transient=True,
        disable=not console.is_terminal or console.is_dumb_terminal,
    )
    with progress:
        task = progress.add_task("", total=plan.games)
        for result in results:
            tally.add(result)
            if folder is not None and result.record is not None:
                folder.add(result.record)
            progress.advance(task)


def _report(tally: Tally, elapsed: float, folder: ResultsFolder | None, *, as_json: bool) -> None:
    """The summary into the folder and on standard output, and faults on standard error."""
    summary = tally.summary(elapsed)
    if folder is not None:
        from cluedo.experiments.plots import draw_win_rates  # half a second, which few runs need

        folder.finish(summary, lambda path: draw_win_rates(summary, path))
    if as_json:
        sys.stdout.write(json.dumps(summary, indent=2) + "\n")
    else:
        _print_table(summary)
    for text, (game, turn, fault) in tally.first_faults.items():
        count = summary["players"][text]["faults"]
        _say(f"{text} lost {count:,} choice{'s' * (count != 1)}; first in game {game}, turn {turn}: {fault}")


def _print_table(summary: Summary) -> None:
    players = summary["players"]
    faulty = any(entry["faults"] for entry in players.values())
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(tr("level"), overflow="fold")
    headings = [tr("seats"), tr("wins"), tr("win rate"), tr("95 % interval"), tr("fair share")]
    if faulty:
        headings.append(tr("faults"))
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for text, entry in players.items():
        low, high = entry["ci95"]
        figures = [
            number(entry["seats"]),
            number(entry["wins"]),
            _percent(entry["win_rate"]),
            tr("{low} to {high}", low=_percent(low), high=_percent(high)),
            _percent(entry["fair_share"]),
            *[number(entry["faults"])] * faulty,
        ]
        table.add_row(Text(text), *figures)
    terminal = Terminal(columns=get_terminal_size().columns if sys.stdout.isatty() else _PIPE)
    terminal.table(table)
    terminal.say(
        tr(
            "{games:,} games: {unsolved:,} unsolved, {unfinished:,} unfinished, "
            "{turns:.1f} turns on average, {speed} games per second",
            games=summary["games"],
            unsolved=summary["unsolved"],
            unfinished=summary["unfinished"],
            turns=summary["mean_turns"],
            speed=_figure(summary["games_per_s"]),
        )
    )


def _percent(share: float) -> str:
    return tr("{share:.1f} %", share=100 * share)


def _figure(value: float) -> str:
    """A number with about three digits that count."""
    digits = 0 if value <= 0 else max(0, 2 - math.floor(math.log10(value)))
    return number(value, f",.{digits}f")


def _say(text: str) -> None:
    sys.stderr.write(f"cluedo: {text}\n")
