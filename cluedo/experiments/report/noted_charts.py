"""The charts of what observers noted and of what language models knew, each with what it shows in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cluedo.experiments.draw.labels import clip_name, wrap_name
from cluedo.experiments.draw.theme import (
    INK,
    legend,
    named_rows,
    number_beside,
    one_plot,
    scale_label,
    series_colour,
    series_marker,
    whisker,
)
from cluedo.experiments.read.counts import ObservedMeans
from cluedo.experiments.read.telling import three_digits
from cluedo.experiments.report.chart import Chart
from cluedo.experiments.report.facts import ReportFacts
from cluedo.experiments.report.words import mean
from cluedo.language import number, tr

__all__ = ["draw_observed", "noted_charts"]

_SHORT: Final = 5
"""Signs of a number, five of which have room along a scale."""


def noted_charts(facts: ReportFacts) -> Iterator[Chart]:
    """Those that these facts can fill."""
    for k, column in enumerate(facts.observed, start=1):
        yield Chart(f"observed_{k}", observed_label(facts, column), partial(draw_observed, facts, column))
    if facts.models:
        yield Chart("claims", claims_label(facts), partial(draw_claims, facts))


def observed_label(facts: ReportFacts, column: ObservedMeans) -> str:
    """What the picture of an observer's column shows."""
    told = [
        f"{name} {mean(column.means[key])}"
        for key, name in facts.observed_rows(column.per).items()
        if key in column.means
    ]
    return tr("Means of {column}, with 95 % intervals. {rows}", column=column.name, rows="; ".join(told))


def draw_observed(facts: ReportFacts, column: ObservedMeans) -> Figure:
    """By level, or by line-up: the mean of an observer's column with the 95 % interval."""
    rows = {key: name for key, name in facts.observed_rows(column.per).items() if key in column.means}
    made, axes = named_rows([wrap_name(name) for name in rows.values()])
    series = {key: k for k, key in enumerate(facts.observed_rows(column.per))}
    for row, key in enumerate(rows):
        estimate = column.means[key]
        whisker(axes, row, estimate, series[key])
        number_beside(axes, row, three_digits(estimate.value))
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.get_xlim()  # only then are the marks those of the data
    marks = axes.xaxis.get_major_formatter().format_ticks(axes.xaxis.get_majorticklocs())
    if max(map(len, marks)) > _SHORT:
        axes.xaxis.set_major_locator(MaxNLocator(3))
    if column.per == "seat":
        scale_label(made, tr("{column}, mean per seat, 95 % interval", column=column.name))
    else:
        scale_label(made, tr("{column}, mean per game, 95 % interval", column=column.name))
    return made


def claims_label(facts: ReportFacts) -> str:
    """What the picture of language models' knowledge shows."""
    told = [
        tr(
            "{model} leaves {said} bits on average, a perfect reasoner {exact}",
            model=facts.model_name(model),
            said=number(float(model.open_bits(exact=False).mean.mean()), ".2f"),
            exact=number(float(model.open_bits(exact=True).mean.mean()), ".2f"),
        )
        for model in facts.drawn_models
    ]
    return tr("What is open about the envelope, turn by turn. {rows}", rows="; ".join(told))


def draw_claims(facts: ReportFacts) -> Figure:
    """By language model: what is open about the envelope turn by turn, by its odds and by the exact ones."""
    made, axes = one_plot(3.3, grid="y")
    for k, model in enumerate(facts.drawn_models):
        said, exact = model.open_bits(exact=False), model.open_bits(exact=True)
        turns = np.arange(1, len(said.mean) + 1)
        colour = series_colour(k)
        axes.fill_between(turns, said.low, said.high, color=colour, alpha=0.13, linewidth=0)
        axes.plot(
            turns, said.mean, color=colour, linewidth=1.9, marker=series_marker(k), markersize=4,
            label=clip_name(facts.model_name(model)), zorder=3,
        )  # fmt: skip
        axes.plot(turns, exact.mean, color=colour, linewidth=1.4, dashes=(3, 1.6), zorder=3)
    axes.plot([], [], color=INK, linewidth=1.4, dashes=(3, 1.6), label=tr("a perfect reasoner in the same seat"))
    axes.set_ylim(0, None)
    axes.set_xlabel(tr("its turns"))
    axes.set_ylabel(tr("uncertainty about the envelope, bits"))
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))
    legend(axes, outside=True)
    return made
