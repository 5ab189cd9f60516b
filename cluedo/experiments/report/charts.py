"""The pictures of a report. Each function draws one from the facts; what it shows is told by :mod:`.words`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, PowerNorm, to_hex
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from cluedo.experiments.draw.board_picture import draw_board
from cluedo.experiments.draw.labels import clip_name, map_name, variants, wrap_name
from cluedo.experiments.draw.theme import (
    FAINT,
    INK,
    SERIES,
    WIDTH,
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
from cluedo.experiments.read.counts import ObservedMeans, Share
from cluedo.experiments.read.head_to_head import Settling
from cluedo.experiments.read.stats import Estimate
from cluedo.experiments.read.telling import three_digits
from cluedo.experiments.report.facts import Effect, ReportFacts
from cluedo.experiments.report.growth import Places
from cluedo.experiments.report.words import reason_word
from cluedo.language import number, percent, tr

__all__ = [
    "draw_claims",
    "draw_differences",
    "draw_effect",
    "draw_growth",
    "draw_lengths",
    "draw_maps",
    "draw_matrix",
    "draw_observed",
    "draw_places",
    "draw_ratings",
    "draw_settling",
    "draw_thought",
]

_BINS: Final = 32
_BOARD: Final = 6.0
"""Inches of a board's width: wide enough for the names of its rooms."""
_SCALE: Final = 0.5
"""Inches of the scale below a board."""
_ON_ANY_GROUND: Final = "#80766b"
"""A board's colours are its own by day and by night; so are the letters beside it, read on light and on dark."""
_RESTLESS: Final = 0.1
"""The share of a curve of differences whose intervals are so wide that they would flatten the rest."""
_SHORT: Final = 5
"""Signs of a number, five of which have room along a scale."""
_RAMP: Final = "YlOrRd"
"""From light to dark in one direction, so that it is read without telling hues apart."""


def draw_ratings(facts: ReportFacts) -> Figure:
    """By level: its rating on the Elo scale with the 95 % interval."""
    made, axes = named_rows([wrap_name(facts.names[level]) for level in facts.ratings])
    series = {level: k for k, level in enumerate(facts.levels)}
    for row, (level, elo) in enumerate(facts.ratings.items()):
        whisker(axes, row, elo, series[level])
        number_beside(axes, row, number(elo.value, ".0f"))
    axes.set_xlim(*_with_room([end for elo in facts.ratings.values() for end in elo], 100))
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    scale_label(made, tr("rating in Elo points, 95 % interval"))
    return made


def draw_differences(facts: ReportFacts) -> Figure:
    """By pair of levels: how many points per seat the first wins more, with the interval, and where zero is."""
    pairs = facts.drawn_pairs
    names = [wrap_name(facts.names[a]) + "\n− " + wrap_name(facts.names[b]) for a, b in pairs]
    made, axes = named_rows(names)
    axes.axvline(0, color=INK, linewidth=1.4, zorder=2)
    for row, pair in enumerate(pairs):
        points = _points(facts.meetings[pair].lead)
        whisker(axes, row, points, 0)
        number_beside(axes, row, number(points.value, "+.1f"))
    axes.set_xlim(*_with_room([0.0, *(end for pair in pairs for end in _points(facts.meetings[pair].lead))], 1.0))
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
    axes.set_ylim(*_with_room(ends, 1.0))
    axes.set_xlim(0, max(curve[-1][0] for curve in facts.settled.values()))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value, ",.0f")))
    axes.set_xlabel(tr("deals played"))
    axes.set_ylabel(tr("difference, points per seat"))
    legend(axes, outside=True)
    return made


def draw_matrix(facts: ReportFacts) -> Figure:
    """Level against level: the row's share of the games that either of the two won."""
    levels = facts.levels
    made, axes = one_plot(1.1 + 0.42 * len(levels), max(WIDTH, 2.1 + 0.6 * len(levels)), grid="")
    for (a, b), meeting in facts.meetings.items():
        if meeting.share is not None:
            row, column = levels.index(a), levels.index(b)
            share, fair, differ = meeting.share.value, meeting.fair, meeting.differ
            _cell(axes, row, column, share, fair, differ=differ)
            _cell(axes, column, row, 1 - share, 1 - fair, differ=differ)
    axes.set_yticks(range(len(levels)), [wrap_name(facts.names[level]) for level in levels])
    axes.set_xticks(range(len(levels)), [clip_name(facts.names[level]) for level in levels], rotation=35)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelcolor=INK)
    for label in axes.get_xticklabels():
        label.set(ha="left", rotation_mode="anchor")
    axes.set_xlim(-0.5, len(levels) - 0.5)
    axes.set_ylim(len(levels) - 0.5, -0.5)
    axes.set_xlabel(
        tr(
            "of the games that one of the two won, % won by the row\n(blue, orange: "
            "more than chance explains; grey: open)"
        )
    )
    return made


def _cell(axes: Any, row: int, column: int, share: float, fair: float, *, differ: bool) -> None:
    """A cell with a share: tinted by who is better, or grey where these games do not tell."""
    colour = SERIES[0] if share > fair else SERIES[1]
    axes.fill_between(
        [column - 0.47, column + 0.47], row - 0.46, row + 0.46, color=colour if differ else SERIES[5],
        alpha=0.08 + 0.5 * abs(share - fair) if differ else 0.1, linewidth=0,
    )  # fmt: skip
    axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", fontsize=9, color=INK)


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


def draw_effect(by_players: dict[int, Effect], label: str, shift: int = 0) -> Figure:
    """Win rates of groups of seats, a panel for each number of players; ``shift`` is added to the groups' numbers."""
    made = figure(2.5)
    panels: Any = made.subplots(1, len(by_players), squeeze=False, sharey=True)[0]
    for axes, (players, effect) in zip(panels, by_players.items(), strict=True):
        dress(axes, grid="y")
        axes.axhline(1 / players, color=INK, linewidth=1.2, dashes=(3, 1.6), zorder=2)
        for x, rate in zip(effect.values, effect.test.rates, strict=True):
            axes.errorbar(
                x + shift, rate.value, [[rate.value - rate.low], [rate.high - rate.value]], fmt="o", color=SERIES[0],
                markersize=6, elinewidth=2.2, zorder=3,
            )  # fmt: skip
        axes.set_xticks([value + shift for value in effect.values])
        axes.set_xlim(min(effect.values) + shift - 0.6, max(effect.values) + shift + 0.6)
        what = tr("{players} players", players=players)
        axes.set_xlabel(what if len(by_players) > 1 else f"{label}, {what}")
        percent_scale(axes.yaxis)
    ends = [end - 1 / players for players, effect in by_players.items() for rate in effect.test.rates for end in rate]
    room = 1.15 * max(0.05, *map(abs, ends))
    fair = [1 / players for players in by_players]
    panels[0].set_ylim(max(min(fair) - room, 0), min(max(fair) + room, 1.02))
    panels[0].set_ylabel(tr("games won"))
    if len(by_players) > 1:
        made.supxlabel(label, fontsize=9, color=FAINT)
    return made


def draw_growth(facts: ReportFacts) -> Figure:
    """By level: the mean uncertainty about the envelope after each turn."""
    made, axes = one_plot(3.3, grid="y")
    ends = []
    for k, level in enumerate(facts.levels):
        curve = facts.growth.curves.get(level)
        if curve is None:
            continue
        turns = np.arange(len(curve.mean))
        axes.fill_between(turns, curve.low, curve.high, color=series_colour(k), alpha=0.13, linewidth=0)
        axes.plot(turns, curve.mean, color=series_colour(k), linestyle=series_dash(k), linewidth=1.9, zorder=3)
        ends.append((float(curve.mean[-1]), k, facts.names[level]))
    top = max(float(curve.high.max()) for curve in facts.growth.curves.values())
    axes.set_ylim(0, top * 1.04)
    axes.set_xlim(0, len(turns) - 1)
    for y, (value, k, name) in zip(_apart([end[0] for end in ends], top * 0.062), ends, strict=True):
        axes.annotate(
            clip_name(name), (len(turns) - 1, value), xytext=(1.03, y / (top * 1.04)),
            textcoords="axes fraction", va="center", fontsize=9, color=series_colour(k), fontweight="bold",
            arrowprops={"arrowstyle": "-", "color": series_colour(k), "linewidth": 0.7, "shrinkA": 1, "shrinkB": 0},
        )  # fmt: skip
    axes.set_xlabel(tr("turns played, by all players together"))
    axes.set_ylabel(tr("uncertainty about the envelope, bits"))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    return made


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


def draw_thought(facts: ReportFacts) -> Figure:
    """Thinking time against strength."""
    made, axes = one_plot(2.9, grid="y")
    think_ms = {level: play.think_ms for level, play in facts.play.items() if play.think_ms > 0}
    entries = [(k, entry) for k, entry in enumerate(facts.standings) if entry.level in think_ms]
    axes.axhline(1, color=INK, linewidth=1.2, dashes=(3, 1.6), zorder=1)
    top = 0.0
    for k, entry in entries:
        rate, low, high = (end / entry.fair_share for end in entry.rate)
        top = max(top, high)
        axes.errorbar(
            think_ms[entry.level], rate, [[rate - low], [high - rate]], fmt=series_marker(k), color=series_colour(k),
            markersize=7, elinewidth=2, zorder=3,
        )  # fmt: skip
    at = {entry.level: (think_ms[entry.level], entry.multiple) for _, entry in entries}
    names = dict(facts.names)
    for members in variants(at):  # the same player, given more or less of something: a curve
        names |= members
        axes.plot(*zip(*sorted(at[level] for level in members), strict=True), color=FAINT, linewidth=1, zorder=2)
    axes.set_xscale("log")
    axes.set_xlim(min(think_ms.values()) / 4, max(think_ms.values()) * 8)
    axes.set_ylim(-0.04 * top, top * 1.08)
    axes.set_xlabel(tr("thinking time per turn, milliseconds"))
    axes.set_ylabel(tr("games won ÷ fair share"))
    _label_points(made, axes, [(*at[e.level], names[e.level], series_colour(k)) for k, e in entries])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: number(value, "g")))
    axes.xaxis.set_minor_formatter(NullFormatter())
    return made


def draw_maps(facts: ReportFacts) -> Figure:
    """By level: games won per seat on each map."""
    names = [wrap_name(facts.names[level]) for level in facts.levels]
    made, axes = named_rows(names, lines=max(1.0, 0.55 * len(facts.maps)))
    for k, (name, shares) in enumerate(facts.maps.items()):
        shift = (k - (len(facts.maps) - 1) / 2) * 0.8 / len(facts.maps)
        for row, level in enumerate(facts.levels):
            share: Share | None = shares.get(level)
            if share is not None:
                whisker(axes, row + shift, share.rate, k)
        axes.plot(
            [], [], color=series_colour(k), marker=series_marker(k), markersize=6, linewidth=2.2, label=map_name(name)
        )
    axes.set_xlim(-0.025 * axes.get_xlim()[1], None)
    percent_scale(axes.xaxis)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    scale_label(made, tr("games won per seat, 95 % interval"))
    legend(axes, outside=True)
    return made


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


def _label_points(made: Figure, axes: Any, entries: Sequence[tuple[float, float, str, str]]) -> None:
    """Write names beside points (x, y, name, colour), each where it covers least of the others."""
    made.draw_without_rendering()  # only then is it known where the points are
    spots = [axes.transData.transform((x, y)) for x, y, _, _ in entries]
    unit = made.dpi / 72
    taken = [(x - 6 * unit, y - 6 * unit, x + 6 * unit, y + 6 * unit) for x, y in spots]
    taken.append((-made.bbox.x1, 0.0, axes.bbox.x0, made.bbox.y1))  # the scale at the left
    taken.append((0.0, -made.bbox.y1, made.bbox.x1, axes.bbox.y0))  # the scale below
    for (x, y), (at_x, at_y, name, colour) in zip(spots, entries, strict=True):
        text = clip_name(name)
        width, height = 6.2 * len(text) * unit, 11 * unit
        tries = [
            (shift, lift, (left, y + lift * unit - height / 2, left + width, y + lift * unit + height / 2))
            for lift in (0, 13, -13, 26, -26, 39)
            for shift, left in ((8, x + 8 * unit), (-8, x - 8 * unit - width))
        ]
        shift, lift, box = min(tries, key=lambda entry: sum(_overlap(entry[2], other) for other in taken))
        taken.append(box)
        axes.annotate(
            text, (at_x, at_y), xytext=(shift, lift), textcoords="offset points", va="center",
            ha="left" if shift > 0 else "right", fontsize=9, color=colour, fontweight="bold",
        )  # fmt: skip


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """The area that two boxes (left, bottom, right, top) have in common."""
    return max(min(a[2], b[2]) - max(a[0], b[0]), 0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0)


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


def _with_room(ends: Sequence[float], least: float) -> tuple[float, float]:
    """The limits of a scale for these ends, which is taken to be so long at least."""
    room = max(max(ends) - min(ends), least) * 0.05
    return min(ends) - room, max(ends) + room


def _settled_ends(curve: list[Settling]) -> list[float]:
    """The ends of the intervals of a curve, but for its first moments."""
    calm = [points for deals, points in curve if deals >= _RESTLESS * curve[-1][0]]
    return [end for points in calm for end in _points(points)]


def _points(share: Estimate) -> Estimate:
    return Estimate(*(100 * end for end in share))
