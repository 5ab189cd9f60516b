"""A case as files: its sheet and its timeline as PNG, HTML and CSV; and the case itself as JSON."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluedo.ai.knowledge import SeatKnowledge, Triple
from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.cards import Category
from cluedo.engine.errors import CluedoError
from cluedo.language import current, number, tr
from cluedo.session.advice import case_sections
from cluedo.session.case.case import Case
from cluedo.session.figures import cell_sign, envelope_first, model_line, rounded_percent, sheet_groups, titles
from cluedo.session.files import PICTURE, check_new, check_replaceable, json_text, write_bytes, write_new
from cluedo.session.sections import sections_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Moment", "export", "export_bytes", "page", "timeline"]


@dataclass(frozen=True, slots=True)
class Moment:
    """What was known after a number of entries.

    Attributes:
        number: how many; 0 is the deal.
        text: the last of them as a line.
        deals, envelopes: how many of them were left.
        bits: what was unknown about the envelope.
        best: the likeliest envelope, and ``chance``: how likely.
    """

    number: int
    text: str
    deals: int
    envelopes: int
    bits: float
    best: Triple
    chance: float


def timeline(case: Case) -> list[Moment]:
    """What was known after the deal and after each entry of a consistent case; empty if the deals cannot be counted."""
    moments = []
    written = [tr("the deal"), *(case.grammar.write(entry) for entry in case.entries)]
    for count, text in enumerate(written):
        known = SeatKnowledge(case.log.evidence(count), case.model)
        if known.deals is None or known.bits is None:
            return []
        best, chance = known.envelopes[0]
        moments.append(Moment(count, text, known.deals, len(known.envelopes), known.bits, best, chance))
    return moments


_ENDINGS = (".json", ".png", ".html", ".csv")


def export(case: Case, path: Path) -> list[Path]:
    """Write what the ending of the file's name asks for; gives the files written. Raises CluedoError.

    A picture that is there is replaced; of other files none that exists is.
    """
    ending = path.suffix.lower()
    if ending not in _ENDINGS:
        raise CluedoError("{file}: name a file that ends in .json, .png, .html or .csv", file=path)
    files = [path, path.with_name(f"{path.stem}-timeline{path.suffix}")] if ending == ".csv" else [path]
    for file in files:
        if ending == ".png":
            check_replaceable(file, PICTURE)
        else:
            check_new(file)
    for file, data in zip(files, export_bytes(case, ending), strict=True):
        if ending == ".png":
            write_bytes(file, data)
        else:
            write_new(file, data.decode())
    return files


def export_bytes(case: Case, ending: str) -> list[bytes]:
    """The contents of the files for an ending: one file, or two for tables (sheet and timeline). Raises CluedoError."""
    if ending == ".json":
        return [json_text(case.log.to_json()).encode()]
    known = case.consistent_knowledge()
    if ending == ".html":
        return [page(case).encode()]
    moments = timeline(case)
    if ending == ".png":
        return [_picture(case.setting, known, moments)]
    return [_csv(_sheet_rows(case.setting, known)).encode(), _csv(_timeline_rows(case.setting, moments)).encode()]


# ---- CSV: figures as they are, names of columns in English whatever language is spoken ---------------


def _csv(rows: Iterator[list[Any]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _sheet_rows(setting: Setting, known: SeatKnowledge) -> Iterator[list[Any]]:
    """A row for each card: its category, and the probability at each place (1 and 0 are proofs, empty is open)."""
    yield ["card", "category", *envelope_first(setting.places)]
    deck = setting.deck
    for card, name in enumerate(deck.names):
        row = envelope_first(known.chances[card])
        yield [name, deck.category(card).name.lower(), *("" if p is None else f"{p:.6g}" for p in row)]


def _timeline_rows(setting: Setting, moments: list[Moment]) -> Iterator[list[Any]]:
    names = setting.deck.names
    yield ["entries", "last", "deals", "bits", "suspect", "weapon", "room", "probability"]
    for moment in moments:
        best = [names[card] for card in moment.best]
        yield [moment.number, moment.text, moment.deals, f"{moment.bits:.4f}", *best, f"{moment.chance:.6g}"]


# ---- HTML --------------------------------------------------------------------------------------------


def page(case: Case, *, whole: bool = True) -> str:
    """The sheet, the advice and the timeline as HTML that asks for nothing else; what contradicts what, if anything.

    Args:
        case: the case.
        whole: a page; else a part of one, for a notebook, without the timeline, which takes longest.
    """
    from jinja2 import Environment

    setting, known = case.setting, case.known
    moments = timeline(case) if whole else []
    most = max((moment.envelopes for moment in moments), default=1)
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        files("cluedo.session.case").joinpath("case.html").read_text(encoding="utf-8")
    )
    return template.render(
        whole=whole,
        lang=current(),
        timeline=tr(
            "The envelopes that were left, entry by entry (each halving takes as much off a bar), and how likely the "
            "likeliest was"
        ),
        title=setting.board.title,
        heads=envelope_first(titles(setting.places)),
        me=None if setting.me is None else setting.me + 1,
        sheet=[] if known is None else _sheet(setting, known),
        advice=sections_json(case_sections(case, envelopes=10)),
        moments=[
            (
                one,
                tr("{count:,} left", count=one.envelopes),
                f"{100 * _length(one, most):.1f}",
                rounded_percent(one.chance),
            )
            for one in moments
        ],
        model=model_line(case.model),
    )


def _length(moment: Moment, most: int) -> float:
    """Of a bar for the envelopes that were left, on a logarithmic scale; 1 for the most that ever were."""
    return math.log(moment.envelopes) / math.log(max(most, 2))


def _sheet(setting: Setting, known: SeatKnowledge) -> list[dict[str, Any]]:
    """By category its title, and its cards with a cell for each place, the envelope first."""
    deck, chances = setting.deck, known.chances
    return sheet_groups(
        deck, lambda card: {"name": deck.names[card], "cells": [_cell(p) for p in envelope_first(chances[card])]}
    )


def _cell(chance: float | None) -> tuple[str, str, str]:
    """The class of a cell, what stands in it, and how strongly it is coloured (0 to 1)."""
    return *cell_sign(chance), f"{chance or 0.0:.3f}"


_ROW = 0.24  # inches
_MOST_MOMENTS = 400
"""The last ones: more make no picture."""
_YES, _NO, _ODDS, _INK = "#1a7f4b", "#b6bcc6", "#d69e14", "#1d2129"


def _picture(setting: Setting, known: SeatKnowledge, moments: list[Moment]) -> bytes:
    """A PNG: the sheet on the left; on the right what was unknown about the envelope after every entry."""
    from matplotlib.figure import Figure  # it takes long to load

    from cluedo.experiments.draw.literal_text import png_of

    deck = setting.deck
    moments = moments[-_MOST_MOMENTS:]
    rows = deck.size + len(Category) + 1
    wide = 1.9 + 0.85 * known.evidence.places
    longest = max((len(moment.text) for moment in moments), default=0)
    right = 2.4 + 0.066 * longest if moments else 0.0
    high = 0.8 + _ROW * max(rows, len(moments) + 2)
    figure = Figure(figsize=(wide + right, high), dpi=120)
    title = setting.board.title
    figure.text(0.012, 1 - 0.25 / high, title, fontsize=13, fontweight="bold", color=_INK, va="center")
    top = 1 - 0.45 / high
    _draw_sheet(figure.add_axes((0.0, 0.0, wide / (wide + right), top)), setting, known, (high - 0.45) / _ROW)
    if moments:
        part = right / (wide + right)
        _draw_timeline(figure.add_axes((1 - part, 0.0, part, top)), moments, (high - 0.45) / _ROW, right)
    return png_of(figure)


def _bare(axes: Axes, width: float, rows: float) -> None:
    """Axes in which a unit down is a row of text."""
    axes.set_xlim(0, width)
    axes.set_ylim(rows, 0)
    axes.axis("off")


def _draw_sheet(axes: Axes, setting: Setting, known: SeatKnowledge, rows: float) -> None:
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
                _draw_cell(axes, known.chances[card][place], names + 0.85 * column, y)
        y += 1.0


def _draw_cell(axes: Axes, chance: float | None, x: float, y: float) -> None:
    """A tick, a cross, or a percentage on a ground the stronger the likelier."""
    kind, sign = cell_sign(chance)
    colour = {"yes": _YES, "no": _NO, "open": _INK}[kind]
    if kind == "open":
        shade = 0.12 if chance is None else 0.1 + 0.7 * chance
        axes.fill(
            [x + 0.04, x + 0.81, x + 0.81, x + 0.04], [y + 0.06, y + 0.06, y + 0.94, y + 0.94], _ODDS, alpha=shade
        )
    axes.text(x + 0.425, y + 0.5, sign, fontsize=8.5, color=colour, ha="center", va="center")


def _draw_timeline(axes: Axes, moments: list[Moment], rows: float, width: float) -> None:
    _bare(axes, width, rows)
    most = max(moment.envelopes for moment in moments)
    heading = tr("Envelopes left; each halving takes as much off a bar")
    axes.text(0.1, 0.5, heading, fontsize=8.5, weight="bold", color=_INK, va="center")
    for row, moment in enumerate(moments):
        y = row + 1.5
        axes.text(0.35, y, str(moment.number), fontsize=8, color=_INK, ha="right", va="center")
        axes.barh(y, 1.2 * _length(moment, most), height=0.62, left=0.45, color=_ODDS)
        axes.text(1.75, y, number(moment.envelopes), fontsize=8, color=_INK, va="center")
        axes.text(2.1, y, moment.text, fontsize=8, color=_INK, va="center")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
