"""The picture of the win rates: in a report, and beside the results of one batch."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cluedo.experiments.draw.labels import map_name, wrap_name
from cluedo.experiments.draw.literal_text import png_of
from cluedo.experiments.draw.theme import (
    INK,
    named_rows,
    number_beside,
    percent_scale,
    scale_label,
    series_colour,
    whisker,
)
from cluedo.experiments.read.counts import Standing
from cluedo.experiments.read.telling import games, in_percent
from cluedo.language import tr, tr_count

__all__ = ["draw_win_rates", "write_win_rates"]

_TITLE: Final = 64
"""Letters of the title on one line."""


def draw_win_rates(standings: Sequence[Standing], names: Mapping[str, str]) -> Figure:
    """By player: games won per seat with the 95 % interval, and the fair share; they have ``names`` by their texts."""
    made, axes = named_rows([wrap_name(names.get(standing.level, standing.level)) for standing in standings])
    for row, standing in enumerate(standings):
        rate, fair = standing.rate, standing.fair_share
        axes.barh(row, rate.value, height=0.56, color=series_colour(row), alpha=0.25, zorder=1)
        whisker(axes, row, rate, row)
        axes.plot([fair] * 2, [row - 0.38, row + 0.38], color=INK, linewidth=1.4, dashes=(3, 1.6), zorder=4)
        number_beside(axes, row, in_percent(rate)[0])
    most = max(max(standing.rate.high, standing.fair_share) for standing in standings)
    axes.set_xlim(-0.025 * most, most * 1.04)
    percent_scale(axes.xaxis)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    scale_label(made, tr("games won per seat, 95 % interval; dashed: fair share"))
    return made


def write_win_rates(standings: Sequence[Standing], summary: dict[str, Any], path: Path) -> None:
    """Write the picture of one batch as PNG, with what was played above it, which its summary tells."""
    made = draw_win_rates(standings, {})
    made.suptitle(_title(summary), x=0.02, ha="left", fontsize=9, fontweight="bold", color=INK)
    path.write_bytes(png_of(made))


def _title(summary: dict[str, Any]) -> str:
    players = tr_count("{count} player", "{count} players", len(summary["line_up"]))
    played = games(summary["games"]) + (f" ({tr('interrupted')})" if summary["interrupted"] else "")
    seed = tr("seed {seed}", seed=summary["seed"])
    return textwrap.fill(" · ".join([map_name(summary["map"]), players, played, seed]), _TITLE)
