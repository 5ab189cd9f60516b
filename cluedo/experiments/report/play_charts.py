"""The charts of how games went and what was noted of them, each with what it shows in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, PowerNorm, to_hex
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from cluedo.experiments.draw.board_picture import draw_board
from cluedo.experiments.draw.labels import clip_name, wrap_name
from cluedo.experiments.draw.theme import (
    FAINT,
    INK,
    SERIES,
    dress,
    figure,
    legend,
    named_rows,
    number_beside,
    one_plot,
    percent_scale,
    scale_label,
    series_colour,
    series_dash,
    series_marker,
    whisker,
)
from cluedo.experiments.read.counts import ObservedMeans
from cluedo.experiments.read.telling import three_digits
from cluedo.experiments.report.chart import Chart
from cluedo.experiments.report.facts import Effect, ReportFacts
from cluedo.experiments.report.growth import Places
from cluedo.experiments.report.words import lengths_label, mean, rate, reason_word
from cluedo.language import number, percent, tr

__all__ = ["draw_observed", "hand_label", "order_label", "play_charts"]

_BINS: Final = 32
_BOARD: Final = 6.0
"""Inches of a board's width: wide enough for the names of its rooms."""
_SCALE: Final = 0.5
"""Inches of the scale below a board."""
_ON_ANY_GROUND: Final = "#80766b"
"""A board's colours are its own by day and by night; so are the letters beside it, read on light and on dark."""
_HEIGHT: Final = 3.3
"""Inches of a picture of curves, unless their labels need more."""
_BELOW, _LABEL = 0.55, 0.164
"""Inches below the curves, and those from label to label."""
_PANELS: Final = 4
"""Panels beside each other, at most."""
_MARKS: Final = 24
"""Numbers that have room along the scales of these."""
_RAMP: Final = "YlOrRd"
"""From light to dark in one direction, so that it is read without telling hues apart."""
_SHORT: Final = 5
"""Signs of a number, five of which have room along a scale."""


def play_charts(facts: ReportFacts) -> Iterator[Chart]:
    """Those that these facts can fill."""
    if facts.growth.curves:
        yield Chart("growth", growth_label(facts), partial(draw_growth, facts))
    for k, (name, places) in enumerate(facts.growth.places.items(), start=1):
        yield Chart(
            f"places_{k}", places_label(facts.map_names[name], places), partial(draw_places, places), adapts=False
        )
    yield Chart("lengths", lengths_label(facts), partial(draw_lengths, facts))
    if facts.by_order:
        yield Chart("order", order_label(facts), partial(draw_effect, facts.by_order, tr("place in the order of play")))
    if facts.by_hand:
        yield Chart("hand", hand_label(facts), partial(draw_effect, facts.by_hand, tr("cards in hand")))
    for k, column in enumerate(facts.observed, start=1):
        yield Chart(f"observed_{k}", observed_label(facts, column), partial(draw_observed, facts, column))
    if facts.models:
        yield Chart("claims", claims_label(facts), partial(draw_claims, facts))


def growth_label(facts: ReportFacts) -> str:
    """What the picture of growing knowledge shows."""
    curves = facts.growth.curves
    told = [
        tr(
            "{level} from {before:.1f} to {after:.1f} bits after {turns} turns",
            level=facts.names[level],
            before=curves[level].mean[0],
            after=curves[level].mean[-1],
            turns=len(curves[level].mean) - 1,
        )
        for level in facts.levels
        if level in curves
    ]
    return tr("Mean uncertainty about the envelope, turn by turn: {rows}", rows=tr("; ").join(told))


def draw_growth(facts: ReportFacts) -> Figure:
    """By level: the mean uncertainty about the envelope after each turn."""
    height = max(_HEIGHT, _BELOW + _LABEL * len(facts.growth.curves))
    made, axes = one_plot(height, grid="y")
    ends = []
    for k, level in enumerate(facts.levels):
        curve = facts.growth.curves.get(level)
        if curve is None:
            continue
        turns = np.arange(len(curve.mean))
        axes.fill_between(turns, curve.low, curve.high, color=series_colour(k), alpha=0.13, linewidth=0)
        axes.plot(turns, curve.mean, color=series_colour(k), linestyle=series_dash(k), linewidth=1.9, zorder=3)
        ends.append((float(curve.mean[-1]), k, facts.names[level]))
    top = max(float(curve.mean.max()) for curve in facts.growth.curves.values())
    axes.set_ylim(0, top * 1.04)  # the bands of few games are wide
    axes.set_xlim(0, len(turns) - 1)
    least = top * 1.04 * _LABEL / (height - _BELOW)
    for y, (value, k, name) in zip(_apart([end[0] for end in ends], least), ends, strict=True):
        line = {"arrowstyle": "-", "color": series_colour(k), "linewidth": 0.7, "shrinkA": 1, "shrinkB": 0}
        axes.annotate(
            clip_name(name), (len(turns) - 1, value), xytext=(1.06, y / (top * 1.04)),
            textcoords="axes fraction", va="center", fontsize=9, color=series_colour(k), fontweight="bold",
            arrowprops=line | {"relpos": (0, 0.5)},
        )  # fmt: skip
    axes.set_xlabel(tr("turns played, by all players together"))
    axes.set_ylabel(tr("uncertainty about the envelope, bits"))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    return made


def _apart(values: Sequence[float], least: float) -> list[float]:
    """The values, moved as little as possible so that neighbours are at least that far apart."""
    order = sorted(range(len(values)), key=lambda k: values[k])
    placed = [0.0] * len(values)
    groups: list[list[int]] = []
    for k in order:
        groups.append([k])
        while len(groups) > 1 and _bottom(values, groups[-1], least) < _top(values, groups[-2], least) + least:
            groups[-2:] = [groups[-2] + groups[-1]]
    for group in groups:
        start = _bottom(values, group, least)
        for at, k in enumerate(group):
            placed[k] = start + at * least
    return placed


def _bottom(values: Sequence[float], group: Sequence[int], least: float) -> float:
    """The position of the lowest of a group that is centred on its mean; at least 0."""
    return max(sum(values[k] for k in group) / len(group) - (len(group) - 1) * least / 2, 0.0)


def _top(values: Sequence[float], group: Sequence[int], least: float) -> float:
    return _bottom(values, group, least) + (len(group) - 1) * least


def places_label(name: str, places: Places) -> str:
    """What a picture of the board shows."""
    board, counts = places
    total = max(int(counts.sum()), 1)
    rooms = {room.name: int(counts[board.rooms_at + k]) / total for k, room in enumerate(board.map.rooms)}
    told = ", ".join(f"{room} {percent(share)}" for room, share in sorted(rooms.items(), key=lambda item: -item[1]))
    return tr(
        "Where turns ended on {map}, of {turns:,} turns: {rooms}; corridors {share}.",
        map=name,
        turns=total,
        rooms=told,
        share=percent(int(counts[: board.rooms_at].sum()) / total),
    )


def draw_places(places: Places) -> Figure:
    """Where turns ended: a board coloured by share of turns, and the scale of its colours."""
    board, counts = places
    shares = counts / counts.sum()
    scale = _scale(shares.max())

    def colour(place: int) -> str:
        return to_hex(tuple(scale.to_rgba(shares[place])))

    rooms = {room.name: colour(board.rooms_at + k) for k, room in enumerate(board.map.rooms)}
    squares = {
        (place % board.stride, place // board.stride): colour(place) for place in range(board.rooms_at) if counts[place]
    }
    made = figure(_BOARD * board.height / board.width + _SCALE, _BOARD)
    axes: Any = made.add_subplot()
    notes = {room.name: percent(shares[board.rooms_at + k]) for k, room in enumerate(board.map.rooms)}
    draw_board(axes, board, pawns=(), room_colours=rooms, square_colours=squares, notes=notes)
    bar = made.colorbar(scale, ax=axes, orientation="horizontal", fraction=0.03, pad=0.02, aspect=45)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=9, labelcolor=_ON_ANY_GROUND)
    bar.ax.xaxis.set_major_formatter(FuncFormatter(lambda share, _: percent(share)))
    bar.ax.xaxis.set_major_locator(MaxNLocator(6))
    bar.set_label(tr("share of all turns that ended there"), size=9, color=_ON_ANY_GROUND)
    return made


def _scale(most: float) -> ScalarMappable:
    """Colours of shares up to ``most``, by their square roots, so that small shares can be told apart."""
    ramp = ListedColormap(colormaps[_RAMP](np.linspace(0, 0.9, 64)))
    return ScalarMappable(PowerNorm(0.5, vmin=0, vmax=most), ramp)


def draw_lengths(facts: ReportFacts) -> Figure:
    """How many turns games took."""
    lengths = facts.lengths
    longest = max(max(counts) for counts in lengths.by_reason.values())
    most = lengths.most if longest > 2 * lengths.most else longest
    step = max(1, math.ceil(most / _BINS))
    edges = np.arange(0.5, most + step + 0.5, step)
    made, axes = one_plot(2.5, grid="y")
    below = np.zeros(len(edges) - 1)
    colours = {"solved": SERIES[0], "unsolved": SERIES[4], "unfinished": SERIES[1]}
    for reason, colour in colours.items():
        counts = lengths.by_reason.get(reason)
        if not counts:
            continue
        turns = np.minimum(list(counts), edges[-1])  # the last bar takes what is longer
        height = np.histogram(turns, edges, weights=list(counts.values()))[0]
        axes.bar(
            edges[:-1] + step / 2, height, step * 0.9, bottom=below, color=colour, label=reason_word(reason), zorder=2
        )
        below += height
    axes.axvline(lengths.median, color=INK, linewidth=1.4, dashes=(3, 1.6), zorder=3)
    axes.annotate(
        tr("median {turns}", turns=lengths.median), (lengths.median, 1), xycoords=("data", "axes fraction"),
        xytext=(5, -2), textcoords="offset points", va="top", fontsize=9, color=INK,
    )  # fmt: skip
    if len(lengths.by_reason) > 1:
        legend(axes)
    axes.set_ylim(0, max(below) * 1.12)
    if most < longest:
        axes.set_xlabel(tr("turns of a game, all players; last bar: {turns:.0f} or more", turns=edges[-2] + 0.5))
    else:
        axes.set_xlabel(tr("turns of a game, all players"))
    axes.set_ylabel(tr("games"))
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value, ",.0f")))
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    return made


def order_label(facts: ReportFacts) -> str:
    """What the picture of the order of play shows."""
    rows = _effect_rows(facts.by_order)
    return tr("Games won by place in the order of play, with 95 % intervals. {rows}", rows=rows)


def hand_label(facts: ReportFacts) -> str:
    """What the picture of numbers of cards shows."""
    rows = _effect_rows(facts.by_hand)
    return tr("Games won by cards in hand, with 95 % intervals. {rows}", rows=rows)


def _effect_rows(effects: list[Effect]) -> str:
    told = [
        tr(
            "{players} players: {rows}",
            players=effect.players,
            rows=", ".join(f"{value}: {rate(found)}" for value, found in zip(effect.values, effect.rates, strict=True)),
        )
        for effect in effects
    ]
    return ". ".join(told)


def draw_effect(effects: list[Effect], label: str) -> Figure:
    """Win rates of groups of seats, a panel for each effect."""
    rows = math.ceil(len(effects) / _PANELS)
    columns = math.ceil(len(effects) / rows)
    made = figure(2.5 * rows)
    panels: list[Any] = list(made.subplots(rows, columns, squeeze=False, sharey=True).flat)
    for axes in panels[len(effects) :]:
        axes.remove()
    for axes, effect in zip(panels, effects, strict=False):
        dress(axes, grid="y")
        axes.axhline(1 / effect.players, color=INK, linewidth=1.2, dashes=(3, 1.6), zorder=2)
        for x, won in zip(effect.values, effect.rates, strict=True):
            axes.errorbar(
                x, won.value, [[won.value - won.low], [won.high - won.value]], fmt="o", color=SERIES[0],
                markersize=6, elinewidth=2.2, zorder=3,
            )  # fmt: skip
        every = math.ceil(len(effect.values) * columns / _MARKS)
        axes.set_xticks(effect.values[::every])
        axes.set_xlim(min(effect.values) - 0.6, max(effect.values) + 0.6)
        what = tr("{players} players", players=effect.players)
        axes.set_xlabel(what if len(effects) > 1 else f"{label}, {what}")
        percent_scale(axes.yaxis)
    ends = [end - 1 / effect.players for effect in effects for rate in effect.rates for end in rate]
    room = 1.15 * max(0.05, *map(abs, ends))
    fair = [1 / effect.players for effect in effects]
    panels[0].set_ylim(max(min(fair) - room, 0), min(max(fair) + room, 1.02))
    for axes in panels[::columns]:
        axes.set_ylabel(tr("games won"))
    if len(effects) > 1:
        made.supxlabel(label, fontsize=9, color=FAINT)
    return made


def observed_label(facts: ReportFacts, column: ObservedMeans) -> str:
    """What the picture of an observer's column shows."""
    told = [
        f"{name} {mean(column.means[key])}"
        for key, name in facts.observed_rows(column.per).items()
        if key in column.means
    ]
    return tr("Means of {column}, with 95 % intervals. {rows}", column=column.name, rows=tr("; ").join(told))


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
    return tr("What is open about the envelope, turn by turn. {rows}", rows=tr("; ").join(told))


def draw_claims(facts: ReportFacts) -> Figure:
    """By language model: what is open about the envelope turn by turn, by its odds and by the exact ones."""
    made, axes = one_plot(_HEIGHT, grid="y")
    top = 0.0
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
        top = max(top, float(said.mean.max()), float(exact.mean.max()))
    axes.plot([], [], color=INK, linewidth=1.4, dashes=(3, 1.6), label=tr("a perfect reasoner in the same seat"))
    axes.set_ylim(0, top * 1.04 or None)  # the bands of few games are wide
    axes.set_xlabel(tr("its turns"))
    axes.set_ylabel(tr("uncertainty about the envelope, bits"))
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))
    legend(axes, outside=True)
    return made
