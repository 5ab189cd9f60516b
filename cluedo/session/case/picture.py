"""The sheet and the timeline of a case as one picture."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from cluedo.ai.knowledge import SeatKnowledge
from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.cards import Category
from cluedo.experiments.draw.labels import taken_literally
from cluedo.language import number, tr
from cluedo.session.case.places import envelope_first, titles
from cluedo.session.figures import cell_told

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cluedo.session.case.moments import Moment

__all__ = ["picture"]

_ROW = 0.24  # inches
_MOST_MOMENTS = 400
"""The last ones: more make no picture."""
_YES, _NO, _ODDS, _INK = "#1a7f4b", "#b6bcc6", "#d69e14", "#1d2129"


def picture(setting: Setting, known: SeatKnowledge, moments: list[Moment]) -> bytes:
    """A PNG: the sheet on the left; on the right what was unknown about the envelope after every entry."""
    deck = setting.deck
    moments = moments[-_MOST_MOMENTS:]
    rows = deck.size + len(Category) + 1
    wide = 1.9 + 0.85 * known.evidence.places
    longest = max((len(moment.text) for moment in moments), default=0)
    right = 2.4 + 0.066 * longest if moments else 0.0
    high = 0.8 + _ROW * max(rows, len(moments) + 2)
    figure = Figure(figsize=(wide + right, high), facecolor="white")
    title = setting.board.title
    figure.text(0.012, 1 - 0.25 / high, title, fontsize=13, fontweight="bold", color=_INK, va="center")
    top = 1 - 0.45 / high
    _sheet(figure.add_axes((0.0, 0.0, wide / (wide + right), top)), setting, known, (high - 0.45) / _ROW)
    if moments:
        part = right / (wide + right)
        _timeline(figure.add_axes((1 - part, 0.0, part, top)), moments, (high - 0.45) / _ROW, right)
    buffer = BytesIO()
    taken_literally(figure).savefig(buffer, format="png", dpi=120)
    return buffer.getvalue()


def _bare(axes: Axes, width: float, rows: float) -> None:
    """Axes in which a unit down is a row of text."""
    axes.set_xlim(0, width)
    axes.set_ylim(rows, 0)
    axes.axis("off")


def _sheet(axes: Axes, setting: Setting, known: SeatKnowledge, rows: float) -> None:
    names, places = 1.9, envelope_first(range(known.evidence.places))
    heads = titles(setting.places)
    _bare(axes, names + 0.85 * len(places), rows)
    for column, place in enumerate(places):
        style = "bold" if place == setting.me else "normal"
        axes.text(
            names + 0.85 * (column + 0.5),
            0.5,
            _cut(heads[place], 10),
            fontsize=8,
            ha="center",
            va="center",
            weight=style,
        )
    y = 1.0
    for category in Category:
        axes.text(0.1, y + 0.55, tr(category.title), fontsize=8.5, weight="bold", color=_INK, va="center")
        for card in setting.deck.ids[category]:
            y += 1.0
            axes.text(0.2, y + 0.5, _cut(setting.deck.names[card], 22), fontsize=8.5, color=_INK, va="center")
            for column, place in enumerate(places):
                _cell(axes, known.chances[card][place], names + 0.85 * column, y)
        y += 1.0


def _cell(axes: Axes, chance: float | None, x: float, y: float) -> None:
    """A tick, a cross, or a percentage on a ground the stronger the likelier."""
    kind, sign = cell_told(chance)
    colour = {"yes": _YES, "no": _NO, "open": _INK}[kind]
    if kind == "open":
        shade = 0.12 if chance is None else 0.1 + 0.7 * chance
        axes.fill(
            [x + 0.04, x + 0.81, x + 0.81, x + 0.04], [y + 0.06, y + 0.06, y + 0.94, y + 0.94], _ODDS, alpha=shade
        )
    axes.text(x + 0.425, y + 0.5, sign, fontsize=8.5, color=colour, ha="center", va="center")


def _timeline(axes: Axes, moments: list[Moment], rows: float, width: float) -> None:
    _bare(axes, width, rows)
    most = max(moment.bits for moment in moments) or 1.0
    axes.text(0.1, 0.5, tr("Bits unknown about the envelope"), fontsize=8.5, weight="bold", color=_INK, va="center")
    for row, moment in enumerate(moments):
        y = row + 1.5
        axes.text(0.35, y, str(moment.number), fontsize=8, color=_INK, ha="right", va="center")
        axes.barh(y, 1.2 * moment.bits / most, height=0.62, left=0.45, color=_ODDS)
        axes.text(1.75, y, number(moment.bits, ".1f"), fontsize=8, color=_INK, va="center")
        axes.text(2.1, y, moment.text, fontsize=8, color=_INK, va="center")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
