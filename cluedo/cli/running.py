"""Shows a running experiment on the screen: its progress, its speed, and the standings."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from time import monotonic
from typing import Final

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from cluedo.cli.compiling import FAST_ENGINE, prepare, tell_compiling
from cluedo.cli.standings import pairing_lines, standings_table
from cluedo.cli.terminal import Terminal, fit_headings, notify, progress_console
from cluedo.engine.ctrl_c import INTERRUPTED
from cluedo.engine.errors import CluedoError, SetupError, one_line
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.plan.plan import AUTO, Conditions, drawn_secret
from cluedo.experiments.play.chunks import ChunkRunner, runner_of
from cluedo.experiments.play.estimate import expected_time
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.play.run import Run
from cluedo.experiments.read import telling
from cluedo.experiments.read.score import Score
from cluedo.experiments.store.folder import command_to_continue
from cluedo.language import tr, tr_count

__all__ = [
    "check_sandbox",
    "duration",
    "finish",
    "play_on_screen",
    "processes",
    "ready_runner",
    "say_how_long",
    "secret_for",
    "tell_early_end",
    "this_command",
    "wide_terminal",
]

_PIPE: Final = 200
"""Columns of a pipe or a file, which have no edge, for long paths of bots."""

_SECRET: Final = "--seed-secret"

_LOOKS: Final = 4
"""How often a second the screen of a run is drawn anew."""

_LIVE_ROWS: Final = 12
"""Levels that the live standings show at most."""


def check_sandbox(experiment: Experiment, *, local: bool = True) -> None:
    """Raise :class:`CluedoError` unless the bots of an experiment have a sandbox here, away from other processes."""
    if experiment.conditions.trusted:
        raise SetupError(
            "--require-sandbox: trusted bots play in the process of the games, so nothing keeps them away from it"
        )
    if not local:
        raise SetupError("--require-sandbox: it cannot be known here what the machines of a cluster keep apart")
    from cluedo.bots.process import check_sandbox_possible  # what only bots need

    check_sandbox_possible()


def ready_runner(experiment: Experiment) -> ChunkRunner:
    """What plays an experiment, checked and with all compiled; raises :class:`CluedoError` if it cannot be played."""
    runner = ChunkRunner.of(experiment, prepare)
    plan = next((plan for plan in experiment.parts if plan.engine == "compiled"), None)
    if plan is not None:
        with tell_compiling(FAST_ENGINE):
            runner_of(plan, Conditions()).play(range(1), Interrupt())
    return runner


def play_on_screen(run: Run) -> None:
    """Play a run, all of it ready, to its end or its interrupt, under a live screen where somebody can see one."""
    notify(*_incomplete_deals(run.score.experiment), *_not_compiled(run.score.experiment))
    console = progress_console()
    if not console.is_interactive:
        with run.interrupt:
            run.play_all()
        return
    progress = Progress(
        TextColumn(tr("playing")),
        BarColumn(),
        MofNCompleteColumn(),
        _Speed(),
        TimeRemainingColumn(compact=True),
        console=console,
    )
    task = progress.add_task("", total=run.score.wanted)
    timed, shown = False, 0.0
    with run.interrupt, Live(progress, console=console, transient=True, refresh_per_second=_LOOKS) as live:
        for _ in run.play():
            if run.played and not timed:
                timed = True  # what was there already is no measure of the speed
                progress.reset(task, completed=run.score.games)
            progress.update(task, completed=run.score.games, total=run.score.wanted)
            if monotonic() - shown > 1 / _LOOKS:  # not for every chunk: with many deals it takes its time
                live.update(_picture(run.score, progress, console))
                shown = monotonic()


def _picture(score: Score, progress: Progress, console: Console) -> Group:
    """What is seen of a run: the levels, the pairings, and how far it is."""
    levels = score.standings()
    table = standings_table(levels[:_LIVE_ROWS])
    fit_headings(table, console)
    more = [Text(tr("and {count:,} more", count=len(levels) - _LIVE_ROWS))] if len(levels) > _LIVE_ROWS else []
    return Group(table, *more, *map(Text, pairing_lines(score)), progress)


def duration(seconds: float) -> str:
    """About how long, in words."""
    minutes, hours, days = (round(seconds / unit) for unit in (60, 3_600, 86_400))
    if minutes < 1:
        return tr("less than a minute")
    if minutes < 90:
        return tr_count("about {count:,} minute", "about {count:,} minutes", minutes)
    if hours < 36:
        return tr_count("about {count:,} hour", "about {count:,} hours", hours)
    return tr_count("about {count:,} day", "about {count:,} days", days)


def processes() -> int:
    """How many play at once, where nobody says how many."""
    import loky  # a tenth of a second, which few commands need

    return int(loky.cpu_count())


def say_how_long(experiment: Experiment, workers: int | None) -> None:
    """Say about how long an experiment, which is ready, takes here, and how that is known."""
    at_once, expected = workers or processes(), expected_time(experiment)
    notify(
        tr(
            "{time} on this machine, in {processes}, going by {games} played just now",
            time=duration(expected.seconds / at_once),
            processes=tr_count("{count} process", "{count} processes", at_once),
            games=telling.games(expected.games),
        )
    )


class _Speed(ProgressColumn):
    """Games per second so far."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(
            "" if speed is None else tr("{speed} games/s", speed=telling.three_digits(speed)),
            style="progress.data.speed",
        )


def this_command(seed_secret: str | None = None) -> str:
    """The command that is running, as one that plays the same again, with the secret if one was drawn."""
    words = ["cluedo", *sys.argv[1:]]
    if seed_secret is None:
        return shlex.join(words)
    for k, word in enumerate(words):
        if words[k - 1] == _SECRET:
            words[k] = seed_secret
            break
        if word.startswith(f"{_SECRET}="):
            words[k] = f"{_SECRET}={seed_secret}"
            break
    else:  # the file of the experiment had one drawn
        end = words.index("--") if "--" in words else len(words)
        words[end:end] = [_SECRET, seed_secret]
    return shlex.join(words)


def secret_for(wanted: str | None) -> str | None:
    """The secret part of the seed; one drawn at random is printed, since the games cannot be repeated without it."""
    if wanted != AUTO:
        return wanted
    drawn = drawn_secret()
    notify(
        tr(
            "the secret part of the seed is {secret}; with {option} {secret} the same games are played again",
            secret=drawn,
            option=_SECRET,
        )
    )
    return drawn


def tell_early_end(score: Score, failure: CluedoError | None, folder: Path | None) -> None:
    """Raise the error or interrupt that ended a run early, if there was one.

    It says how many games are counted and, if a folder keeps them, how to continue.
    """
    counts = {"games": score.games, "wanted": score.wanted}
    if folder is None:
        so_far = tr("{games:,} of {wanted:,} games are finished", **counts)
    else:
        command = command_to_continue(folder)
        so_far = tr("{games:,} of {wanted:,} games are stored; continue with `{command}`", command=command, **counts)
    if failure is not None:
        raise CluedoError("{error}; {so_far}", error=failure, so_far=so_far)
    if not score.finished:
        notify(tr("interrupted; {so_far}", so_far=so_far))
        raise typer.Exit(INTERRUPTED)


def wide_terminal() -> Terminal:
    """Standard output, which may be wide where it is no terminal."""
    return Terminal(columns=_PIPE)


def finish(run: Run) -> None:
    """Write what a run leaves when it is over; warn if a bot, a map or an observer changed meanwhile."""
    if not run.finish():
        notify(
            tr(
                "a file of a bot, a map or an observer was changed while it was played with: "
                "these results may be of more than one version of it"
            )
        )


def _not_compiled(experiment: Experiment) -> list[str]:
    """A sentence where line-ups of a compiled experiment are played by the Python engine."""
    if not experiment.not_compiled:
        return []
    return [
        tr(
            "line-ups played by the Python engine: {count:,} of {total:,}, those with {levels}",
            count=sum(plan.engine == "python" for plan in experiment.parts),
            total=len(experiment.parts),
            levels=", ".join(map(one_line, experiment.not_compiled)),
        )
    ]


def _incomplete_deals(experiment: Experiment) -> list[str]:
    """A sentence for each number of games that leaves a deal without some of its rotations."""
    return [
        tr_count(
            "{count:,} game is not a multiple of {seats} players, so the last deal stays incomplete",
            "{count:,} games are not a multiple of {seats} players, so the last deal stays incomplete",
            games,
            seats=seats,
        )
        for games, seats in sorted({(plan.games, plan.seats) for plan in experiment.parts})
        if games % seats
    ]
