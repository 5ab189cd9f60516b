"""What a run has come to, for a terminal: the standings, who is stronger, which pairings are decided, and faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from cluedo.cli.terminal import Name, Terminal, progress_console
from cluedo.engine.errors import one_line
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.read import telling
from cluedo.experiments.read.counts import Standing
from cluedo.experiments.read.score import Score
from cluedo.experiments.read.sprt import Sprt
from cluedo.experiments.read.summary import Means, Tally
from cluedo.language import percent, tr, tr_count
from cluedo.session.standings_text import standings_note, standings_rows
from cluedo.words.narration import first_few

__all__ = ["pairing_lines", "standings_table", "tell_faults", "tell_score"]

_LIVE_PAIRINGS: Final = 5
"""Pairings that are not decided, of which the live screen tells."""


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
            chance=percent(pairing.chance),
        )
        for pairing in still
    ]
    return told + [f"  {line}" for line in first_few(lines, _LIVE_PAIRINGS)]


def _in_short(line_up: Sequence[str]) -> str:
    """A line-up as 2 × easy, 2 × medium."""
    return ", ".join(f"{line_up.count(level)} × {one_line(level)}" for level in dict.fromkeys(line_up))


def standings_table(levels: Sequence[Standing]) -> Table:
    """The levels with what they won per seat, its interval, the fair share, and faults if there are any."""
    (first, *others), *rows = standings_rows(levels)
    table = Table(
        box=SIMPLE_HEAD, pad_edge=False, caption=standings_note(), caption_justify="left", caption_style="dim"
    )
    table.add_column(first, overflow="fold")
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    for level, (name, *cells) in zip(levels, rows, strict=True):
        *most, last = cells
        table.add_row(Name(name), *most, Text(last, style="bold red" if level.faults else ""))
    return table


def tell_score(terminal: Terminal, score: Score, counts: str = "") -> None:
    """Tell what the games say: the standings, what observers noted, ``counts``, sequential tests, who is stronger.

    ``counts`` is a sentence about the games themselves.
    """
    if levels := score.standings():
        terminal.table(standings_table(levels))
        _tell_means(terminal, score.means(), levels)
    if counts:
        terminal.say(counts)
    for tally, test in zip(score.tallies, score.tests, strict=True):
        if test is not None:
            terminal.say(_verdict(tally.plan, test))
    if len(score.tallies) == 1:
        _tell_head_to_head(terminal, score.tallies[0])
    for line in pairing_lines(score):
        terminal.say(line)


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


def _verdict(plan: Plan, test: Sprt) -> str:
    """What the sequential test of a part says."""
    where, rule = f"{plan.map}, {', '.join(plan.line_up)}", test.rule
    claims = rule.elo0, rule.elo1
    return telling.sequential_test(where, rule.a, rule.b, claims, test.verdict, test.llr, test.deals)


def _tell_head_to_head(terminal: Terminal, tally: Tally) -> None:
    """The difference between the two kinds of players of a line-up that has two, and how sure that is."""
    meeting, kinds = tally.head_to_head(), tally.plan.two_kinds
    if meeting is None or kinds is None:
        return
    a, b = map(one_line, kinds)
    first, *more = telling.comparison(meeting, a, b, tally.plan.seats)
    terminal.say(first)
    terminal.say(" ".join(more))
    terminal.say(f"{tr('In brackets: 95 % intervals.')} {telling.two_ways()}", style="dim")


def _mean(value: float | None) -> str:
    return "–" if value is None else telling.three_digits(value)


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
