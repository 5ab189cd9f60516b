"""The graph of a review: for each player the open envelopes over the turns, as an SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from markupsafe import Markup

from cluedo.engine.state import Table
from cluedo.language import number, tr
from cluedo.session.review_text import OPEN_ENVELOPES, KnowledgeCurve, curve_lines

__all__ = ["knowledge_graph"]

_WIDTH, _HEIGHT = 640, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 10, 24
_TICKS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)


def knowledge_graph(curves: Sequence[KnowledgeCurve], table: Table) -> Markup:
    """Lines in the colours of the pawns, with a legend; the envelopes on a logarithmic scale. Empty without turns."""
    turns = max((len(curve.open) for curve in curves), default=0) - 1
    if turns < 1:
        return Markup("")
    most = max(2.0, *chain.from_iterable(curve.open for curve in curves))
    told = ". ".join(curve_lines(curves))
    drawn = Markup("").join([*_axes(most, turns), *(_line(curve, table, most, turns) for curve in curves)])
    return Markup(
        '<figure class="knowledge"><figcaption>{}{}</figcaption>'
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg></figure>'
    ).format(tr(OPEN_ENVELOPES), _legend(curves, table), _WIDTH, _HEIGHT, told, drawn)


def _x(turn: int, turns: int) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * turn / turns, 1)


def _y(envelopes: float, most: float) -> float:
    return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - math.log(envelopes) / math.log(most)), 1)


def _axes(most: float, turns: int) -> Iterator[Markup]:
    """Lines at round numbers of envelopes, and the turns below."""
    for tick in (tick for tick in _TICKS if tick <= most):
        y = _y(tick, most)
        yield Markup(
            '<path class="grid" d="M{} {}H{}"/><text class="tick" x="{}" y="{}" text-anchor="end">{}</text>'
        ).format(_LEFT, y, _WIDTH - _RIGHT, _LEFT - 6, y + 4, number(tick, ","))
    for turn in range(0, turns + 1, _step(turns)):
        yield Markup('<text class="tick" x="{}" y="{}" text-anchor="middle">{}</text>').format(
            _x(turn, turns), _HEIGHT - 6, turn
        )


def _step(turns: int) -> int:
    """The turns from one number below to the next: 1, 2 or 5, or these with zeros, so that at most 13 stand there."""
    power: int = 10 ** max(0, len(str(turns)) - 2)
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if turns <= 12 * step)


def _line(curve: KnowledgeCurve, table: Table, most: float, turns: int) -> Markup:
    points = " ".join(f"{_x(turn, turns)},{_y(value, most)}" for turn, value in enumerate(curve.open))
    # A rim, for pawns as light as the paper.
    return Markup('<polyline class="rim" points="{0}"/><polyline class="curve" stroke="{1}" points="{0}"/>').format(
        points, _colour(curve, table)
    )


def _legend(curves: Sequence[KnowledgeCurve], table: Table) -> Markup:
    return Markup("").join(
        Markup(
            ' <span class="of"><svg class="dot" viewBox="0 0 10 10" aria-hidden="true">'
            '<circle cx="5" cy="5" r="5" fill="{}"/></svg>{}</span>'
        ).format(_colour(curve, table), curve.name)
        for curve in curves
    )


def _colour(curve: KnowledgeCurve, table: Table) -> str:
    return table.board.map.suspects[table.suspects[curve.seat]].colour
