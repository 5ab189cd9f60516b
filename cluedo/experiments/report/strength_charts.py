"""The charts of who is how strong, each with what it shows in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from cluedo.engine.phrase import percentage
from cluedo.experiments.draw.labels import clip_name, wrap_name
from cluedo.experiments.draw.theme import (
    INK,
    SERIES,
    WIDTH,
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
from cluedo.experiments.draw.win_rates import draw_win_rates
from cluedo.experiments.read.counts import Share
from cluedo.experiments.read.head_to_head import Settling
from cluedo.experiments.read.stats import Estimate
from cluedo.experiments.read.telling import figures
from cluedo.experiments.report.chart import Chart
from cluedo.experiments.report.facts import ReportFacts
from cluedo.experiments.report.words import elo, fair, rate
from cluedo.language import number, tr

__all__ = ["draw_thought", "strength_charts"]

_RESTLESS: Final = 0.1
"""The share of a curve of differences whose intervals are so wide that they would flatten the rest."""


_NEAR: Final = 13
"""Points that a name may be higher or lower than its mark without a line between them."""


def strength_charts(facts: ReportFacts) -> Iterator[Chart]:
    """Those that these facts can fill."""
    yield Chart("win_rates", win_rates_label(facts), partial(draw_win_rates, facts.standings, facts.names))
    if facts.ratings:
        yield Chart("ratings", ratings_label(facts), partial(draw_ratings, facts))
    if any(meeting.share for meeting in facts.meetings.values()):
        yield Chart("matrix", matrix_label(facts), partial(draw_matrix, facts))
    if facts.meetings:
        yield Chart("differences", differences_label(facts), partial(draw_differences, facts))
    if any(len(curve) > 1 for curve in facts.settled.values()):
        yield Chart("settling", settling_label(facts), partial(draw_settling, facts))
    if len(facts.maps) > 1:
        yield Chart("maps", maps_label(facts), partial(draw_maps, facts))
    if any(play.think_ms > 0 for play in facts.play.values()) and len(facts.standings) > 1:
        yield Chart("thought", thought_label(facts), partial(draw_thought, facts))


def win_rates_label(facts: ReportFacts) -> str:
    """What the picture of win rates shows."""
    told = [
        tr(
            "{level} {share}, fair share {fair}",
            level=facts.names[entry.level],
            share=rate(entry.rate),
            fair=fair(entry.fair_share),
        )
        for entry in facts.standings
    ]
    return tr("Games won per seat, with 95 % intervals. {rows}", rows=tr("; ").join(told))


def ratings_label(facts: ReportFacts) -> str:
    """What the picture of ratings shows."""
    told = [
        f"{facts.names[level]} {number(found.value, '.0f')} {elo(found)}".rstrip()
        for level, found in facts.ratings.items()
    ]
    return tr("Ratings in Elo points, with 95 % intervals. {rows}", rows=tr("; ").join(told))


def draw_ratings(facts: ReportFacts) -> Figure:
    """By level: its rating on the Elo scale with the 95 % interval."""
    made, axes = named_rows([wrap_name(facts.names[level]) for level in facts.ratings])
    series = {level: k for k, level in enumerate(facts.levels)}
    for row, (level, found) in enumerate(facts.ratings.items()):
        whisker(axes, row, found, series[level])
        number_beside(axes, row, number(found.value, ".0f"))
    axes.set_xlim(*_with_room([end for elo in facts.ratings.values() for end in elo], 100))
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    scale_label(made, tr("rating in Elo points, 95 % interval"))
    return made


def differences_label(facts: ReportFacts) -> str:
    """What the picture of differences shows."""
    told = [
        tr("{first} less {second} {points}", first=facts.names[a], second=facts.names[b], points=figures(meeting))
        for (a, b), meeting in facts.meetings.items()
    ]
    return tr("Difference in games won per seat, with 95 % intervals. {rows}", rows=tr("; ").join(told))


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


def settling_label(facts: ReportFacts) -> str:
    """What the picture of differences over time shows."""
    told = [
        tr(
            "{first} less {second} ends at {points} points",
            first=facts.names[a],
            second=facts.names[b],
            points=number(100 * curve[-1][1].value, ".1f"),
        )
        for (a, b), curve in facts.settled.items()
    ]
    return tr("How the differences settled, deal by deal. {rows}", rows=tr("; ").join(told))


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


def matrix_label(facts: ReportFacts) -> str:
    """What the picture of level against level shows."""
    told = [
        tr("{first} against {second} {share}", first=facts.names[a], second=facts.names[b], share=rate(meeting.share))
        for (a, b), meeting in facts.meetings.items()
        if meeting.share is not None
    ]
    return tr("Share of the games won by either of two levels. {rows}", rows=tr("; ").join(told))


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
    scale_label(
        made,
        tr(
            "games won by the row, of those won by either of the two\n"
            "blue, orange: more than chance explains; grey: open"
        ),
    )
    return made


def _cell(axes: Any, row: int, column: int, share: float, fair: float, *, differ: bool) -> None:
    """A cell with a share: tinted by who is better, or grey where these games do not tell."""
    colour = SERIES[0] if share > fair else SERIES[1]
    axes.fill_between(
        [column - 0.47, column + 0.47], row - 0.46, row + 0.46, color=colour if differ else SERIES[5],
        alpha=0.08 + 0.5 * abs(share - fair) if differ else 0.1, linewidth=0,
    )  # fmt: skip
    axes.text(column, row, tr(percentage(share)), ha="center", va="center", fontsize=9, color=INK)


def maps_label(facts: ReportFacts) -> str:
    """What the picture of win rates on each map shows."""
    told = [
        tr(
            "On {map}: {rows}",
            map=facts.map_names[name],
            rows=", ".join(
                f"{facts.names[level]} {rate(shares[level].rate)}" for level in facts.levels if level in shares
            ),
        )
        for name, shares in facts.maps.items()
    ]
    return tr("Games won per seat on each map. {rows}", rows=". ".join(told))


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
            [], [], color=series_colour(k), marker=series_marker(k), markersize=6, linewidth=2.2,
            label=facts.map_names[name],
        )  # fmt: skip
    axes.set_xlim(-0.025 * axes.get_xlim()[1], None)
    percent_scale(axes.xaxis)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    scale_label(made, tr("games won per seat, 95 % interval"))
    legend(axes, outside=True)
    return made


def thought_label(facts: ReportFacts) -> str:
    """What the picture of thinking time shows."""
    times = {level: number(play.think_ms, ".3g") for level, play in facts.play.items()}
    told = [
        f"{facts.names[entry.level]} {times[entry.level]} ms, {number(entry.multiple, '.2f')}"
        for entry in facts.standings
    ]
    return tr("Thinking time per turn, and games won as a multiple of the fair share. {rows}", rows=tr("; ").join(told))


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
    axes.set_xscale("log")
    axes.set_xlim(min(think_ms.values()) / 4, max(think_ms.values()) * 8)
    axes.set_ylim(-0.04 * top, top * 1.08)
    axes.set_xlabel(tr("thinking time per turn, milliseconds"))
    axes.set_ylabel(tr("games won ÷ fair share"))
    _label_points(made, axes, [(*at[e.level], facts.names[e.level], series_colour(k)) for k, e in entries])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: number(value, "g")))
    axes.xaxis.set_minor_formatter(NullFormatter())
    return made


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
            for lift in (0, _NEAR, -_NEAR, 26, -26, 39)
            for shift, left in ((8, x + 8 * unit), (-8, x - 8 * unit - width))
        ]
        shift, lift, box = min(tries, key=lambda entry: sum(_overlap(entry[2], other) for other in taken))
        taken.append(box)
        line = {"arrowstyle": "-", "color": colour, "linewidth": 0.7, "shrinkA": 1, "shrinkB": 0}
        axes.annotate(
            text, (at_x, at_y), xytext=(shift, lift), textcoords="offset points", va="center",
            ha="left" if shift > 0 else "right", fontsize=9, color=colour, fontweight="bold",
            arrowprops=line | {"relpos": (0 if shift > 0 else 1, 0.5)} if abs(lift) > _NEAR else None,
        )  # fmt: skip


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """The area that two boxes (left, bottom, right, top) have in common."""
    return max(min(a[2], b[2]) - max(a[0], b[0]), 0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0)


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
