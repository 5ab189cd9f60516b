"""The sheet and the timeline of a case as files: PNG, HTML, CSV; and the case itself as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from cluedo.ai.knowledge import SeatKnowledge
from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.cards import Category
from cluedo.engine.errors import CluedoError
from cluedo.language import current, tr
from cluedo.session.case.case import Case
from cluedo.session.case.findings import advice_lines, question_lines
from cluedo.session.case.moments import Moment, timeline
from cluedo.session.case.places import envelope_first, titles
from cluedo.session.figures import cell_told, percent
from cluedo.session.files import PICTURE, check_new, check_replaceable, write_bytes, write_new
from cluedo.session.json_text import json_text

__all__ = ["export", "exported"]

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
    for file, data in zip(files, exported(case, ending), strict=True):
        if ending == ".png":
            write_bytes(file, data)
        else:
            write_new(file, data.decode())
    return files


def exported(case: Case, ending: str) -> list[bytes]:
    """What a file whose name ends so holds; tables are two, sheet and timeline. Raises CluedoError."""
    if ending == ".json":
        return [json_text(case.log.to_json()).encode()]
    if case.known is None:
        raise CluedoError("the entries contradict each other; resolve that first")
    moments = timeline(case)
    if ending == ".png":
        from cluedo.session.case.picture import picture  # matplotlib takes long to load

        return [picture(case.setting, case.known, moments)]
    if ending == ".html":
        return [_page(case, case.known, moments).encode()]
    return [_csv(_sheet_rows(case.setting, case.known)).encode(), _csv(_timeline_rows(case.setting, moments)).encode()]


# ---- CSV: figures as they are, names of columns in English whatever language is spoken ---------------


def _csv(rows: Iterator[list[Any]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _sheet_rows(setting: Setting, known: SeatKnowledge) -> Iterator[list[Any]]:
    """A row for each card: its category, and the probability at each place (1 and 0 are proofs, empty is open)."""
    yield ["card", "category", *envelope_first(setting.places)]
    for card in setting.deck.cards:
        row = envelope_first(known.chances[card.id])
        yield [card.name, card.category.name.lower(), *("" if p is None else f"{p:.6g}" for p in row)]


def _timeline_rows(setting: Setting, moments: list[Moment]) -> Iterator[list[Any]]:
    names = setting.deck.names
    yield ["entries", "last", "deals", "bits", "suspect", "weapon", "room", "probability"]
    for moment in moments:
        best = [names[card] for card in moment.best]
        yield [moment.number, moment.text, moment.deals, f"{moment.bits:.4f}", *best, f"{moment.chance:.6g}"]


# ---- HTML --------------------------------------------------------------------------------------------


def _page(case: Case, known: SeatKnowledge, moments: list[Moment]) -> str:
    """One page with everything in it, which asks for nothing else."""
    from jinja2 import Environment

    setting = case.setting
    places = envelope_first(range(known.evidence.places))
    sections = [
        {
            "title": tr(category.title),
            "rows": [
                {"name": setting.deck.names[card], "cells": [_cell(known, card, place) for place in places]}
                for card in setting.deck.ids[category]
            ],
        }
        for category in Category
    ]
    most = max((moment.bits for moment in moments), default=0.0) or 1.0
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        files("cluedo.session.case").joinpath("case.html").read_text(encoding="utf-8")
    )
    return template.render(
        lang=current(),
        words={
            "ask": tr("Ask next:"),
            "likeliest": tr("The likeliest envelopes"),
            "timeline": tr("What was unknown about the envelope, entry by entry"),
        },
        title=setting.board.title,
        heads=envelope_first(titles(setting.places)),
        me=None if setting.me is None else setting.me + 1,
        sections=sections,
        envelopes=[(percent(p, 1), setting.deck.listed(cards)) for cards, p in known.envelopes[:10]],
        questions=question_lines(case)[1:],
        advice=" ".join(advice_lines(case)),
        moments=[
            (moment, tr("{bits:.1f} bits", bits=moment.bits), f"{100 * moment.bits / most:.1f}", percent(moment.chance))
            for moment in moments
        ],
        model=tr("Model {name}.", name=known.model.name),
    )


def _cell(known: SeatKnowledge, card: int, place: int) -> tuple[str, str, str]:
    """The class of a cell, what stands in it, and how strongly it is coloured (0 to 1)."""
    chance = known.chances[card][place]
    return *cell_told(chance), f"{chance or 0.0:.3f}"
