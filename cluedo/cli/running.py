"""What commands that play experiments share: checks before, the live screen meanwhile, and what is told after.

Before: whether it can be played, how long it takes, and with which seed. Meanwhile: progress, speed and standings.
After: the standings, who is stronger, the faults, and how to go on after an interrupt.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from cluedo.ai.levels import MOST_COMPILED, plays_compiled
from cluedo.ai.loading import is_model
from cluedo.cli.compiling import FAST_ENGINE, prepare, tell_compiling
from cluedo.cli.terminal import Name, Terminal, fit_headings, notify, progress_console
from cluedo.engine.ctrl_c import INTERRUPTED
from cluedo.engine.errors import CluedoError, SetupError, one_line
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.plan.part import AUTO, Conditions, Part, drawn_secret
from cluedo.experiments.play.chunks import ChunkRunner, runner_of
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.play.run import Run, expected_time
from cluedo.experiments.read import telling
from cluedo.experiments.read.counts import Standing
from cluedo.experiments.read.score import Score
from cluedo.experiments.read.sprt import Sprt
from cluedo.experiments.read.summary import Means, Tally
from cluedo.experiments.store.folder import command_to_continue
from cluedo.experiments.store.manifest import SECRET, with_secret
from cluedo.language import percent, tr, tr_count
from cluedo.words.narration import first_few

__all__ = [
    "check_sandbox",
    "duration",
    "finish",
    "play_on_screen",
    "processes",
    "ready_runner",
    "say_how_long",
    "secret_for",
    "standings_table",
    "tell_early_end",
    "tell_faults",
    "tell_score",
    "this_command",
    "wide_terminal",
]

_LOOKS: Final = 4
"""How often a second the screen of a run is drawn anew."""
_LIVE_ROWS: Final = 12
"""Levels that the live standings show at most."""
_LIVE_PAIRINGS: Final = 5
"""Pairings that are not decided, of which the live screen tells."""
_PIPE: Final = 200
"""Columns of a pipe or a file, which have no edge, for long paths of bots."""


# ---- before ------------------------------------------------------------------------------------------


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


def ready_runner(experiment: Experiment, folder: Path | None = None) -> ChunkRunner:
    """What plays an experiment, checked and with all compiled; raises :class:`CluedoError` if it cannot be played.

    A ``folder`` keeps what language models are told and say, where any play.
    """
    runner = ChunkRunner.of(experiment, prepare)
    part = next((part for part in experiment.parts if part.engine == "compiled"), None)
    if part is not None:
        with tell_compiling(FAST_ENGINE):
            runner_of(part, Conditions()).play(range(1), Interrupt())
    return runner.keeping(folder) if folder is not None and any(map(is_model, experiment.levels)) else runner


def secret_for(wanted: str | None) -> str | None:
    """The secret part of the seed; one drawn at random is printed, since the games cannot be repeated without it."""
    if wanted != AUTO:
        return wanted
    drawn = drawn_secret()
    notify(
        tr(
            "the secret part of the seed is {secret}; with {option} {secret} the same games are played again",
            secret=drawn,
            option=SECRET,
        )
    )
    return drawn


def this_command(seed_secret: str | None) -> str:
    """The command that is running, as one that plays the same again, with the secret if one was drawn."""
    words = ["cluedo", *sys.argv[1:]]
    return shlex.join(words) if seed_secret is None else with_secret(words, seed_secret)


def processes() -> int:
    """How many play at once, where nobody says how many."""
    import loky  # a tenth of a second, which few commands need

    return int(loky.cpu_count())


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


# ---- meanwhile ---------------------------------------------------------------------------------------


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


def _incomplete_deals(experiment: Experiment) -> list[str]:
    """A sentence for each number of games that leaves a deal without some of its rotations."""
    return [
        tr_count(
            "{count:,} game is not a multiple of {seats} players, so the last deal stays incomplete",
            "{count:,} games are not a multiple of {seats} players, so the last deal stays incomplete",
            games,
            seats=seats,
        )
        for games, seats in sorted({(part.games, part.seats) for part in experiment.parts})
        if games % seats
    ]


def _not_compiled(experiment: Experiment) -> list[str]:
    """A sentence where line-ups of a compiled experiment are played by the Python engine."""
    slow = [part for part in experiment.parts if part.engine != experiment.engine]
    if not slow:
        return []
    levels = [level for level in experiment.levels if not plays_compiled(level)]
    large = [tr("more than {most} players", most=MOST_COMPILED)] * any(part.seats > MOST_COMPILED for part in slow)
    return [
        tr(
            "line-ups played by the Python engine: {count:,} of {total:,}, those with {levels}",
            count=len(slow),
            total=len(experiment.parts),
            levels=", ".join([*map(one_line, levels), *large]),
        )
    ]


class _Speed(ProgressColumn):
    """Games per second so far."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(
            "" if speed is None else tr("{speed} games/s", speed=telling.three_digits(speed)),
            style="progress.data.speed",
        )


def _picture(score: Score, progress: Progress, console: Console) -> Group:
    """What is seen of a run: the levels, the pairings, and how far it is."""
    levels = score.standings()
    table = standings_table(levels[:_LIVE_ROWS])
    fit_headings(table, console)
    more = [Text(tr("and {count:,} more", count=len(levels) - _LIVE_ROWS))] if len(levels) > _LIVE_ROWS else []
    return Group(table, *more, *map(Text, _pairing_lines(score)), progress)


# ---- after -------------------------------------------------------------------------------------------


def finish(run: Run) -> None:
    """Write what a run leaves when it is over; warn if a bot, a map or an observer changed meanwhile."""
    if not run.finish():
        notify(
            tr(
                "a file of a bot, a map or an observer was changed while it was played with: "
                "these results may be of more than one version of it"
            )
        )


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


def tell_score(terminal: Terminal, score: Score, *counts: str) -> None:
    """Tell what the games say: the standings, what observers noted, ``counts``, sequential tests, who is stronger.

    ``counts`` are sentences about the games themselves.
    """
    if levels := score.standings():
        terminal.table(standings_table(levels))
        _tell_means(terminal, score.means(), levels)
    for told in counts:
        terminal.say(told)
    for tally, test in zip(score.tallies, score.tests, strict=True):
        if test is not None:
            terminal.say(_verdict(tally.part, test))
    if len(score.tallies) == 1:
        _tell_head_to_head(terminal, score.tallies[0])
    for line in _pairing_lines(score):
        terminal.say(line)


def standings_table(levels: Sequence[Standing]) -> Table:
    """The levels with what they won per seat, its interval, the fair share, and faults if there are any."""
    (first, *others), *rows = telling.standings_rows(levels)
    table = Table(
        box=SIMPLE_HEAD, pad_edge=False, caption=telling.standings_note(), caption_justify="left", caption_style="dim"
    )
    table.add_column(first, overflow="fold")
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    for level, (name, *cells) in zip(levels, rows, strict=True):
        *most, last = cells
        table.add_row(Name(name), *most, Text(last, style="bold red" if level.faults else ""))
    return table


def _tell_means(terminal: Terminal, means: Means, levels: Sequence[Standing]) -> None:
    """What observers noted: a table of means per seat, and a line for each mean per game."""
    by_seat = [column.name for column in means.observed if column.per == "seat"]
    if by_seat:
        terminal.say(tr("means per seat"), style="italic")  # as a table's title it would be as narrow as the table
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        table.add_column(tr("level"), overflow="fold")
        for name in by_seat:
            table.add_column(name, justify="right", no_wrap=True)
        for level in (standing.level for standing in levels):
            table.add_row(Name(one_line(level)), *(_mean(means.mean(name, level)) for name in by_seat))
        terminal.table(table)
    for column in means.observed:
        if column.per == "game":
            terminal.say(tr("{name}: {mean} per game", name=column.name, mean=_mean(means.mean(column.name, None))))


def _mean(value: float | None) -> str:
    return "–" if value is None else telling.three_digits(value)


def _verdict(part: Part, test: Sprt) -> str:
    """What the sequential test of a part says."""
    where, rule = f"{part.map}, {', '.join(part.line_up)}", test.rule
    claims = rule.elo0, rule.elo1
    return telling.sequential_test(where, rule.a, rule.b, claims, test.verdict, test.llr, test.deals)


def _tell_head_to_head(terminal: Terminal, tally: Tally) -> None:
    """The difference between the two kinds of players of a line-up that has two, and how sure that is."""
    meeting, kinds = tally.head_to_head(), tally.part.two_kinds
    if meeting is None or kinds is None:
        return
    a, b = map(one_line, kinds)
    first, *more = telling.comparison(meeting, a, b, tally.part.seats)
    terminal.say(first)
    terminal.say(" ".join(more))
    terminal.say(f"{tr('In brackets: 95 % intervals.')} {telling.two_ways()}", style="dim")


def _pairing_lines(score: Score) -> list[str]:
    """Which pairings of an experiment are decided: how many, and how the others stand; nothing if it has one alone."""
    pairings, total = score.pairings(), sum(tally.part.two_kinds is not None for tally in score.tallies)
    if total < 2:
        return []
    still = sorted((pairing for pairing in pairings if not pairing.decided), key=lambda pairing: -pairing.chance)
    told = [tr("{decided} of {total} pairings are decided", decided=len(pairings) - len(still), total=total)]
    lines = [
        tr(
            "{line_up} on {map}: {leader}, {chance} likely",
            line_up=_in_short(pairing.part.line_up),
            map=pairing.part.map,
            leader=one_line(pairing.leader),
            chance=percent(pairing.chance),
        )
        for pairing in still
    ]
    return told + [f"  {line}" for line in first_few(lines, _LIVE_PAIRINGS)]


def _in_short(line_up: Sequence[str]) -> str:
    """A line-up as 2 × easy, 2 × medium."""
    return ", ".join(f"{line_up.count(level)} × {one_line(level)}" for level in dict.fromkeys(line_up))


def tell_faults(score: Score) -> None:
    """Print on standard error which levels had faults, how many, and each one's first."""
    for level, _, game, turn, text in score.first_faults():
        count = sum(tally.faults[level] for tally in score.tallies)
        told = tr_count(
            "{level}: {count:,} fault; first in game {game}, turn {turn}: {text}",
            "{level}: {count:,} faults; first in game {game}, turn {turn}: {text}",
            count,
            level=level,
            game=game,
            turn=turn,
            text=text,
        )
        progress_console().print(Text(f"cluedo: {told}", style="red"), soft_wrap=True)
