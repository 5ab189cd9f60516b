"""How players did over many games, as a table of texts that a terminal or a notebook shows."""

from __future__ import annotations

from collections.abc import Sequence

from cluedo.engine.errors import one_line
from cluedo.experiments.read.counts import Standing
from cluedo.language import number, percent, tr

__all__ = ["standings_note", "standings_rows"]


def standings_rows(levels: Sequence[Standing]) -> list[list[str]]:
    """The headings, then a row for each level: what it won per seat, the interval, the fair share, faults if any."""
    faulty = any(level.faults for level in levels)
    headings = [tr("level"), tr("seats"), tr("wins"), tr("won per seat"), tr("95 % interval"), tr("fair share")]
    rows = [headings + [tr("faults")] * faulty]
    for level in levels:
        low, high = map(percent, level.ci95)
        cells = [one_line(level.level), number(level.seats), number(level.wins), percent(level.win_rate)]
        cells += [tr("{low} to {high}", low=low, high=high), percent(level.fair_share)]
        rows.append(cells + [number(level.faults)] * faulty)
    return rows


def standings_note() -> str:
    """What a reader of the table has to know."""
    return tr("A seat is one player in one game; the fair share is what it would win if all players were alike.")
