"""The sheet and the timeline of a case as files: PNG, HTML, CSV; and the case itself as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from cluedo.ai.knowledge import Posterior, Triple, entropy
from cluedo.cli.assist.insight import Insight
from cluedo.cli.assist.session import Session
from cluedo.cli.assist.telling import advice_line, question_lines
from cluedo.cli.sheet import percent
from cluedo.engine.cards import Category
from cluedo.engine.errors import CluedoError
from cluedo.language import current, tr
from cluedo.session.files import PICTURE, check_new, check_replaceable, write_bytes, write_new
from cluedo.session.json_text import json_text

__all__ = ["Moment", "export", "timeline"]


@dataclass(frozen=True, slots=True)
class Moment:
    """What was known after so many entries.

    Attributes:
        number: how many; 0 is the deal.
        text: the last of them as a line.
        deals: how many deals were left.
        bits: what was unknown of the envelope.
        best: the likeliest envelope, and ``chance``: how likely.
    """

    number: int
    text: str
    deals: int
    bits: float
    best: Triple
    chance: float


def timeline(session: Session) -> list[Moment]:
    """What was known after the deal and after every entry; of a case that can be counted and agrees."""
    moments = []
    written = [tr("the deal"), *(session.grammar.write(entry) for entry in session.entries)]
    case, free = session.setting.case(session.entries), not session.setting.walks
    for number, text in enumerate(written):
        posterior = Posterior(case.evidence(number, free=free), session.model)
        best, chance = posterior.envelopes()[0]
        moments.append(Moment(number, text, posterior.deals, entropy(posterior.joint), best, chance))
    return moments


def export(session: Session, path: Path) -> list[Path]:
    """Write what the ending of the file's name asks for; gives the files written. Raises CluedoError.

    A picture that is there is replaced; of other files none that exists is.
    """
    insight, ending = session.insight, path.suffix.lower()
    if ending not in (".json", ".png", ".html", ".csv"):
        raise CluedoError(tr("{file}: name a file that ends in .json, .png, .html or .csv", file=path))
    files = [path, path.with_name(f"{path.stem}-timeline{path.suffix}")] if ending == ".csv" else [path]
    for file in files:
        if ending == ".png":
            check_replaceable(file, PICTURE)
        else:
            check_new(file)
    if ending == ".json":
        write_new(path, json_text(session.setting.case(session.entries).to_json()))
    elif insight is None:
        raise CluedoError(tr("the entries contradict each other; mend that first"))
    elif ending == ".png":
        from cluedo.cli.assist.picture import picture  # matplotlib takes long to load

        write_bytes(path, picture(insight, _timeline(session)))
    elif ending == ".html":
        write_new(path, _page(insight, _timeline(session)))
    else:
        write_new(path, _csv(_sheet_rows(insight)))
        write_new(files[1], _csv(_timeline_rows(insight, _timeline(session))))
    return files


def _timeline(session: Session) -> list[Moment]:
    """The timeline, or none where the deals are too many to count."""
    try:
        return timeline(session)
    except (CluedoError, MemoryError):
        return []


# ---- CSV: figures as they are, names of columns in English whatever language is spoken ---------------


def _csv(rows: Iterator[list[Any]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _sheet_rows(insight: Insight) -> Iterator[list[Any]]:
    """A row for each card: its category, and the probability at each place (1 and 0 are proofs, empty is open)."""
    setting, evidence = insight.setting, insight.evidence
    yield ["card", "category", "envelope", *setting.names]
    for card in setting.deck.cards:
        chances = insight.findings.chances[card.id]
        row = [chances[place] for place in (evidence.envelope, *range(evidence.seats))]
        yield [card.name, card.category.name.lower(), *("" if p is None else f"{p:.6g}" for p in row)]


def _timeline_rows(insight: Insight, moments: list[Moment]) -> Iterator[list[Any]]:
    names = insight.setting.deck.names
    yield ["entries", "last", "deals", "bits", "suspect", "weapon", "room", "probability"]
    for moment in moments:
        best = [names[card] for card in moment.best]
        yield [moment.number, moment.text, moment.deals, f"{moment.bits:.4f}", *best, f"{moment.chance:.6g}"]


# ---- HTML --------------------------------------------------------------------------------------------


def _page(insight: Insight, moments: list[Moment]) -> str:
    """One page with everything in it, which asks for nothing else."""
    from jinja2 import Environment

    setting, evidence = insight.setting, insight.evidence
    places = (evidence.envelope, *range(evidence.seats))
    titles = (tr("Suspects"), tr("Weapons"), tr("Rooms"))
    sections = [
        {
            "title": titles[category],
            "rows": [
                {"name": setting.deck.names[card], "cells": [_cell(insight, card, place) for place in places]}
                for card in setting.deck.ids[category]
            ],
        }
        for category in Category
    ]
    most = max((moment.bits for moment in moments), default=0.0) or 1.0
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        files("cluedo.cli.assist").joinpath("case.html").read_text(encoding="utf-8")
    )
    return template.render(
        lang=current(),
        words={
            "ask": tr("Ask next:"),
            "likeliest": tr("The likeliest envelopes"),
            "timeline": tr("What was unknown of the envelope, entry by entry"),
        },
        title=setting.board.map.title or setting.board.map.name,
        heads=[tr("envelope"), *setting.names],
        me=None if setting.me is None else setting.me + 1,
        sections=sections,
        envelopes=[
            (percent(p, 1), ", ".join(setting.deck.names[card] for card in cards))
            for cards, p in insight.findings.envelopes[:10]
        ],
        questions=question_lines(insight)[1:],
        advice=advice_line(insight),
        moments=[
            (moment, tr("{bits:.1f} bits", bits=moment.bits), f"{100 * moment.bits / most:.1f}", percent(moment.chance))
            for moment in moments
        ],
        model=tr("Model {name}.", name=insight.findings.model.name),
    )


def _cell(insight: Insight, card: int, place: int) -> tuple[str, str, str]:
    """The class of a cell, what stands in it, and how strongly it is coloured (0 to 1)."""
    chance = insight.findings.chances[card][place]
    if chance is None:
        return "open", "?", "0"
    if chance in (0.0, 1.0):
        return ("yes", "✓", "1") if chance else ("no", "✗", "0")
    return "open", percent(chance), f"{chance:.3f}"
