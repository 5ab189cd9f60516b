"""The page of a report: everything in one file, which asks nothing of any network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from cluedo import __version__
from cluedo.experiments.draw.labels import pieces
from cluedo.experiments.report import words
from cluedo.experiments.report.facts import ReportFacts
from cluedo.experiments.report.names import map_name
from cluedo.experiments.report.theme import PALETTE, inline
from cluedo.language import current, number, tr, tr_count

__all__ = ["Picture", "render"]

_PIECE: Final = 24
"""Letters of a name that stay together, where there is room."""

_QUERY: Final = Markup('<code>cluedo report DIR --query "SELECT …"</code>')


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the page: its SVG, what it shows in words, and whether its colours follow the page's."""

    svg: str
    label: str
    adapts: bool = True


def render(facts: ReportFacts, pictures: Mapping[str, Picture]) -> str:
    """The page as HTML.

    Args:
        facts: what it tells.
        pictures: by name; those that are missing are left out, with what belongs to them.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {
        "percent": words.percent,
        "fair": words.fair,
        "elo": words.elo,
        "ends": lambda pair: words.interval(pair[0], pair[1]),
        "breakable": _breakable,
        "map_name": map_name,
    }
    template = environment.from_string(_text("report.html"))
    return template.render(
        facts=facts,
        words=words,
        language=current(),
        tr=lambda text, **values: _kept_together(tr(text, **values)),
        tr_count=tr_count,
        html=lambda text, **values: _kept_together(words.html(text, **values)),
        number=number,
        query=_QUERY,
        version=__version__,
        title=_title(facts),
        charts={name: _chart(name, picture) for name, picture in pictures.items()},
        matrix=_matrix(facts),
        palette=PALETTE,
        style=Markup(_text("report.css")),
        script=Markup(_text("report.js")),
    )


def _kept_together(text: str) -> str:
    """A sentence whose percent signs stay with their numbers; what was escaped stays so."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _text(name: str) -> str:
    return files("cluedo.experiments.report").joinpath(name).read_text(encoding="utf-8")


def _chart(name: str, picture: Picture) -> Markup:
    return Markup(inline(picture.svg, name, picture.label, adapts=picture.adapts))


def _breakable(name: str) -> Markup:
    """A name that may be broken where it hurts least."""
    return Markup("<wbr>").join(pieces(name, _PIECE))


def _title(facts: ReportFacts) -> str:
    """The experiments' titles, or their names; who plays where, if autoplay gave the name."""
    titles = []
    for source in facts.sources:
        plan = source.manifest
        if plan.name == "autoplay" and len(plan.parts) == 1:
            players = [facts.names.get(level, level) for level in dict.fromkeys(plan.parts[0].line_up)]
            titles.append(tr("{players} on {map}", players=words.listed(players), map=map_name(plan.parts[0].map)))
        else:
            titles.append(plan.experiment.title or source.name)
    return words.listed(titles)


def _matrix(facts: ReportFacts) -> list[list[dict[str, Any] | None]]:
    """Rows of cells: what a row's level won of the games that it or the column's level won."""
    return [[_cell(facts, a, b) for b in facts.levels] for a in facts.levels]


def _cell(facts: ReportFacts, a: str, b: str) -> dict[str, Any] | None:
    meeting = facts.meetings.get((a, b)) or facts.meetings.get((b, a))
    if meeting is None or meeting.share is None:
        return None
    value, low, high = meeting.share
    fair, games = meeting.fair, meeting.wins_a + meeting.wins_b
    if (a, b) not in facts.meetings:
        value, low, high, fair = 1 - value, 1 - high, 1 - low, 1 - fair
    return {
        "share": value,
        "ends": (low, high),
        "fair": fair,
        "games": games,
        "tint": round(6 + 34 * abs(value - fair)) if meeting.differ else 0,
        "better": value > fair,
    }
