"""Shows a running experiment on the screen: its progress, its speed, and the standings."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Sequence
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from cluedo.cli.compiling import FAST_ENGINE, tell_compiling
from cluedo.cli.terminal import Name, Terminal, progress_console, say
from cluedo.engine.errors import SetupError, one_line
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.plan.plan import AUTO, drawn_secret
from cluedo.experiments.play.estimate import expected_time
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.play.playing import runner_kind
from cluedo.experiments.play.runner import Run
from cluedo.experiments.read import telling
from cluedo.experiments.read.score import Score
from cluedo.experiments.read.summary import Standing, Tally
from cluedo.language import number, tr, tr_count
from cluedo.session.score_table import score_note, score_table
from cluedo.words.narration import first_few

__all__ = [
    "check_walled",
    "compile_engine",
    "duration",
    "pairing_lines",
    "play_on_screen",
    "processes",
    "say_how_long",
    "secret_for",
    "standings_table",
    "tell_changed",
    "tell_duel",
    "tell_faults",
    "tell_score",
    "this_command",
    "three_digits",
    "wide_terminal",
]

_PIPE: Final = 200
"""Columns of a pipe or a file, which have no edge, for long paths of bots."""

_SECRET: Final = "--seed-secret"

_LIVE_ROWS: Final = 12
"""Levels that the live standings show at most."""

_LIVE_PAIRINGS: Final = 5
"""Pairings that are not decided, of which the live screen tells."""


def check_walled(experiment: Experiment, *, local: bool = True) -> None:
    """Raise :class:`CluedoError` unless the bots of an experiment are kept away from other processes here."""
    if experiment.conditions.trusted:
        raise SetupError("--walled: trusted bots play in the process of the games, so nothing keeps them away from it")
    if not local:
        raise SetupError("--walled: it cannot be known here what the machines of a cluster keep apart")
    from cluedo.bots.process import check_wall  # what only bots need

    check_wall()


def compile_engine(experiment: Experiment) -> None:
    """Compile the compiled engine before any game."""
    plan = next((plan for plan in experiment.parts if plan.engine == "compiled"), None)
    if plan is not None:
        with tell_compiling(FAST_ENGINE):
            runner_kind(plan.engine)(plan).play(range(1), Interrupt())


def play_on_screen(run: Run) -> None:
    """Prepare a run and play it to its end or its interrupt, under a live screen where somebody can see one."""
    say(*_incomplete_deals(run.score.experiment), *_not_compiled(run.score.experiment))
    compile_engine(run.score.experiment)
    console = progress_console()
    if not console.is_terminal or console.is_dumb_terminal:
        with run.interrupt:
            for _ in run.play():
                pass
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
    timed = False
    with run.interrupt, Live(progress, console=console, transient=True, refresh_per_second=4) as live:
        for _ in run.play():
            if run.played and not timed:
                timed = True  # what was there already is no measure of the speed
                progress.reset(task, completed=run.score.games)
            progress.update(task, completed=run.score.games, total=run.score.wanted)
            live.update(_picture(run.score, progress))


def _picture(score: Score, progress: Progress) -> Group:
    """What is seen of a run: the levels, the pairings, and how far it is."""
    levels = score.standings()
    more = [Text(tr("and {count:,} more", count=len(levels) - _LIVE_ROWS))] if len(levels) > _LIVE_ROWS else []
    return Group(standings_table(levels[:_LIVE_ROWS]), *more, *map(Text, pairing_lines(score)), progress)


def pairing_lines(score: Score) -> list[str]:
    """Which pairings of an experiment are decided: how many, and how the others stand; nothing if it has one alone."""
    pairings, total = score.pairings(), sum(tally.plan.two_kinds is not None for tally in score.tallies)
    if total < 2:
        return []
    still = sorted((pairing for pairing in pairings if not pairing.decided), key=lambda pairing: -pairing.chance)
    told = [tr("{decided} of {total} pairings are decided", decided=len(pairings) - len(still), total=total)]
    lines = [
        tr(
            "{line_up} on {map}: {leader}, {chance} likely",
            line_up=_in_short(pairing.plan.line_up),
            map=pairing.plan.map,
            leader=one_line(pairing.leader),
            chance=telling.percent(pairing.chance),
        )
        for pairing in still
    ]
    return told + [f"  {line}" for line in first_few(lines, _LIVE_PAIRINGS)]


def _in_short(line_up: Sequence[str]) -> str:
    """A line-up as 2 × easy, 2 × medium."""
    return ", ".join(f"{line_up.count(level)} × {one_line(level)}" for level in dict.fromkeys(line_up))


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
    """Say about how long an experiment takes here, and how that is known."""
    at_once, expected = workers or processes(), expected_time(experiment)
    say(
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
            "" if speed is None else tr("{speed} games/s", speed=three_digits(speed)), style="progress.data.speed"
        )


def standings_table(levels: Sequence[Standing]) -> Table:
    """The levels with what they won per seat, its interval, the fair share, and faults if there are any."""
    (first, *others), *rows = score_table(levels)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, caption=score_note(), caption_justify="left", caption_style="dim")
    table.add_column(first, overflow="fold")
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    for level, (name, *cells) in zip(levels, rows, strict=True):
        *most, last = cells
        table.add_row(Name(name), *most, Text(last, style="bold red" if level.faults else ""))
    return table


def tell_score(terminal: Terminal, score: Score) -> None:
    """The standings, and what observers noted: a table of means per seat, and a line for each mean per game."""
    terminal.table(standings_table(score.standings()))
    means = score.means()
    levels = [level.level for level in score.standings()]
    by_seat = [column.name for column in means.observed if column.per == "seat"]
    if by_seat:
        table = Table(box=SIMPLE_HEAD, pad_edge=False, title=tr("means per seat"), title_justify="left")
        table.add_column(tr("level"), overflow="fold")
        for name in by_seat:
            table.add_column(name, justify="right", no_wrap=True)
        for level in levels:
            table.add_row(Name(one_line(level)), *(_mean(means.mean(name, level)) for name in by_seat))
        terminal.table(table)
    for column in means.observed:
        if column.per == "game":
            terminal.say(tr("{name}: {mean} per game", name=column.name, mean=_mean(means.mean(column.name, None))))


def tell_duel(terminal: Terminal, tally: Tally) -> None:
    """Who is the stronger one, where a line-up has two kinds of players: the difference, and how sure that is."""
    duel = tally.duel()
    if duel is None:
        return
    first, second, meeting = one_line(duel.first), one_line(duel.second), duel.meeting
    if not meeting.wins_a + meeting.wins_b:
        return
    told = {"first": first, "second": second, "figures": telling.figures(meeting)}
    elo = "" if meeting.elo is None else telling.elo_points(meeting.elo)
    if meeting.lead.value:
        leads = tr("{first} leads {second} by {figures}", **told)
    else:
        leads = tr("{first} and {second} are level: {figures}", **told)
    terminal.say(leads + (f"; {elo}." if elo else "."))
    said = list(filter(None, [telling.sureness(meeting, first, second)]))
    if not meeting.differ:
        said.append(tr("The interval {zero}: these games do not tell which is stronger.", zero=telling.zero(meeting)))
        said.append(telling.open_question(meeting, tally.plan.seats))
    terminal.say(" ".join(said))
    terminal.say(f"{tr('In brackets: 95 % intervals.')} {telling.two_ways()}", style="dim")


def _mean(value: float | None) -> str:
    return "–" if value is None else number(value, ",.3f")


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
    say(
        tr(
            "the secret part of the seed is {secret}; with {option} {secret} the same games are played again",
            secret=drawn,
            option=_SECRET,
        )
    )
    return drawn


def wide_terminal() -> Terminal:
    """Standard output, which may be wide where it is no terminal."""
    return Terminal(columns=_PIPE)


def tell_faults(score: Score) -> None:
    """Print on standard error which levels had faults, how many, and each one's first."""
    experiment = score.experiment
    first: dict[str, tuple[int, int, str]] = {}
    for part, tally in enumerate(score.tallies):
        for level, (game, turn, text) in tally.first_faults.items():
            fault = (experiment.first_game(part) + game, turn, text)
            first[level] = min(first.get(level, fault), fault)
    for level, (game, turn, text) in first.items():
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


def tell_changed() -> None:
    """Warn that a bot, a map or an observer changed during the run, so that the results may mix versions."""
    say(
        tr(
            "a file of a bot, a map or an observer was changed while it was played with: "
            "these results may be of more than one version of it"
        )
    )


def three_digits(value: float) -> str:
    """A number with about three significant digits."""
    digits = 0 if value <= 0 else max(0, 2 - math.floor(math.log10(value)))
    return number(value, f",.{digits}f")


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
