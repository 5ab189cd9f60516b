"""Pictures of results. Drawn with matplotlib's objects alone, so that nobody's global state is touched."""

from __future__ import annotations

import textwrap
import warnings
from pathlib import Path
from typing import Any, Final

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from cluedo.experiments.draw.labels import taken_literally, wrapped
from cluedo.experiments.read.summary import Summary

__all__ = ["write_win_rates"]

COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
"""Colours that the colour-blind tell apart. Source: M. Okabe and K. Ito, "Color universal design" (2008)."""

_INK, _FAINT, _RULE = "#222222", "#666666", "#dddddd"
_LABEL_WIDTH: Final = 26
"""Characters of a player's name on one line."""

_TITLE_WIDTH: Final = 72


def write_win_rates(summary: Summary, path: Path) -> None:
    """Write a PNG: each level's win rate per seat with its 95 % interval, and the fair share."""
    players = summary["players"]
    labels = [wrapped(text, _LABEL_WIDTH) for text in players]
    lines = sum(max(2.2, 1.2 + label.count("\n")) for label in labels)
    figure = Figure(figsize=(8, 1.7 + 0.3 * lines), dpi=150, facecolor="white")
    figure.set_layout_engine("constrained", w_pad=0.15, h_pad=0.12)
    FigureCanvasAgg(figure)
    axes: Any = figure.add_subplot()
    for row, entry in enumerate(players.values()):
        rate, (low, high) = 100 * entry["win_rate"], (100 * end for end in entry["ci95"])
        axes.barh(row, rate, height=0.58, color=COLOURS[row % len(COLOURS)], zorder=2)
        axes.errorbar(
            rate, row, xerr=[[rate - low], [high - rate]], color=_INK, capsize=5, capthick=1.3, elinewidth=1.3, zorder=3
        )
        axes.annotate(
            f"{rate:.1f} %", (high, row), xytext=(9, 0), textcoords="offset points", va="center", color=_INK,
            fontsize=11, fontweight="bold", zorder=4, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
        )  # fmt: skip
    fair = 100 * next(iter(players.values()))["fair_share"]
    axes.axvline(fair, color=_INK, linestyle=(0, (5, 3)), linewidth=1.2, zorder=2.5)
    axes.annotate(
        f"fair share {fair:.3g} %", (fair, 1), xycoords=("data", "axes fraction"), xytext=(0, 4),
        textcoords="offset points", ha="center", va="bottom", color=_FAINT, fontsize=9,
    )  # fmt: skip
    _dress(axes, labels, max([fair, *(100 * entry["ci95"][1] for entry in players.values())]))
    figure.suptitle(_title(summary), x=0.02, ha="left", fontsize=12, fontweight="bold", color=_INK)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # a name in a script that the font lacks
        taken_literally(figure).savefig(path, format="png", metadata={"Software": "cluedo"})


def _dress(axes: Any, labels: list[str], most: float) -> None:
    """Labels, limits and lines around the bars."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.45, -0.55)
    # Room to the right of the last interval for its figure.
    axes.set_xlim(0, most * 1.16)
    axes.set_xlabel("games won per seat, with 95 % interval", color=_FAINT, fontsize=9)
    axes.xaxis.set_major_formatter(PercentFormatter(decimals=0, symbol=" %"))
    axes.tick_params(axis="y", length=0, labelsize=10, labelcolor=_INK)
    axes.tick_params(axis="x", length=0, labelsize=9, labelcolor=_FAINT)
    axes.grid(axis="x", color=_RULE, linewidth=0.8, zorder=0)
    axes.set_axisbelow(True)
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)
    axes.spines["left"].set_color(_FAINT)


def _title(summary: Summary) -> str:
    games = f"{summary['games']:,} game" + "s" * (summary["games"] != 1)
    stopped = " (interrupted)" if summary["interrupted"] else ""
    board = Path(summary["map"]).stem
    facts = f"{board} · {len(summary['line_up'])} players · {games}{stopped} · seed {summary['seed']}"
    return textwrap.fill(facts, _TITLE_WIDTH)
