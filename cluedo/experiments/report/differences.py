"""The pictures of differences between levels: how large they are, and how they settled."""

from __future__ import annotations

from typing import Final

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from cluedo.experiments.draw.labels import clip_name, wrap_name
from cluedo.experiments.draw.theme import (
    INK,
    figure_beside,
    legend,
    named_rows,
    one_plot,
    scale_label,
    series_colour,
    series_dash,
    whisker,
)
from cluedo.experiments.read.head_to_head import Settling
from cluedo.experiments.read.stats import Estimate
from cluedo.experiments.report.facts import ReportFacts
from cluedo.language import number, tr

__all__ = ["draw_differences", "draw_settling"]

_RESTLESS: Final = 0.1
"""The share of a curve whose intervals are so wide that they would flatten the rest."""


def draw_differences(facts: ReportFacts) -> Figure:
    """By pair of levels: how many points per seat the first wins more, with the interval, and where zero is."""
    pairs = facts.drawn_pairs
    names = [wrap_name(facts.names[a]) + "\n− " + wrap_name(facts.names[b]) for a, b in pairs]
    made, axes = named_rows(names)
    axes.axvline(0, color=INK, linewidth=1.4, zorder=2)
    for row, pair in enumerate(pairs):
        points = _points(facts.meetings[pair].lead)
        whisker(axes, row, points, 0)
        figure_beside(axes, row, number(points.value, "+.1f"))
    ends = [end for pair in pairs for end in _points(facts.meetings[pair].lead)] + [0.0]
    room = max(max(ends) - min(ends), 1.0) * 0.05
    axes.set_xlim(min(ends) - room, max(ends) + room)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    scale_label(made, tr("difference in games won per seat, points, 95 % interval"))
    return made


def draw_settling(facts: ReportFacts) -> Figure:
    """By pair of neighbours: the difference and its interval after more and more deals, and where zero is."""
    made, axes = one_plot(3.3, grid="y")
    axes.axhline(0, color=INK, linewidth=1.4, zorder=2)
    ends = [0.0]
    for k, ((a, b), curve) in enumerate(facts.settled.items()):
        deals = [moment[0] for moment in curve]
        values, lows, highs = zip(*(_points(moment[1]) for moment in curve), strict=True)
        axes.fill_between(deals, lows, highs, color=series_colour(k), alpha=0.13, linewidth=0)
        label = f"{clip_name(facts.names[a])} − {clip_name(facts.names[b])}"
        axes.plot(deals, values, color=series_colour(k), linestyle=series_dash(k), linewidth=1.9, zorder=3, label=label)
        ends += _settled_ends(curve)
    room = max(max(ends) - min(ends), 1.0) * 0.05
    axes.set_ylim(min(ends) - room, max(ends) + room)
    axes.set_xlim(0, max(curve[-1][0] for curve in facts.settled.values()))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value, ",.0f")))
    axes.set_xlabel(tr("deals played"))
    axes.set_ylabel(tr("difference, points per seat"))
    legend(axes, outside=True)
    return made


def _settled_ends(curve: list[Settling]) -> list[float]:
    """The ends of the intervals of a curve, but for its first moments."""
    calm = [points for deals, points in curve if deals >= _RESTLESS * curve[-1][0]]
    return [end for points in calm for end in _points(points)]


def _points(share: Estimate) -> Estimate:
    return Estimate(*(100 * end for end in share))
