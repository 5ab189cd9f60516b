"""The folder of a report: the page and its pictures, which appear whole or not at all."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from matplotlib.figure import Figure

from cluedo.engine.errors import CluedoError
from cluedo.engine.reading import Unreadable, source
from cluedo.engine.writing import move_into_place
from cluedo.experiments.read.results import Results
from cluedo.experiments.report import charts, words
from cluedo.experiments.report.facts import ReportFacts, gather
from cluedo.experiments.report.page import Picture, render
from cluedo.experiments.report.theme import save
from cluedo.language import tr

__all__ = ["REPORT", "ReportError", "write_report"]

REPORT: Final = "report.html"
_NAMES: Final = re.compile(
    r"report\.html|(win_rates|matrix|ratings|maps|thought|growth|places_\d+|observed_\d+|lengths|order|hand)\.(png|svg)"
)
_MARKS: Final = {
    ".html": b'<meta name="generator" content="cluedo ',
    ".png": b"Software\0cluedo",
    ".svg": b"<dc:title>cluedo</dc:title>",
}
"""What the page and the pictures of a report have near their beginning."""
_BEGIN: Final = 2000


class ReportError(CluedoError):
    """A folder that a report cannot be written into, or must not be."""


def write_report(results: Results, folder: Path, progress: Callable[[float], object] = lambda _: None) -> Path:
    """Write the report of some results; returns the path of its page.

    Args:
        results: what it is about.
        folder: where; made if there is none. An older report of ours is replaced, nothing else is touched.
        progress: told the share that is done, from 0 to 1.

    Raises:
        ReportError: the folder cannot be written, or holds files of somebody else's by these names.
    """
    with _written(folder):
        _check(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".report-", dir=folder) as beside:
            facts = gather(results, lambda share: progress(0.6 * share))
            plates = list(_plates(facts))
            pictures = {}
            for done, (name, label, draw) in enumerate(plates):
                progress(0.6 + 0.4 * done / len(plates))
                svg = save(draw(), Path(beside) / name)
                pictures[name] = Picture(svg, label, adapts=not name.startswith("places"))
            (Path(beside) / REPORT).write_text(render(facts, pictures), encoding="utf-8")
            _check(folder)  # somebody may have put something there meanwhile
            made = sorted(Path(beside).iterdir(), key=lambda path: path.name == REPORT)
            for path in made:  # the page comes last: where it stands, all of it does
                move_into_place(path, folder / path.name)
            for old in _pages_and_pictures(folder):
                if old.name not in {path.name for path in made}:
                    old.unlink()
    return folder / REPORT


def _check(folder: Path) -> None:
    """Nothing of somebody else's may be in the way."""
    if folder.exists() and not folder.is_dir():
        raise ReportError("{folder} is a file; give a folder for the report", folder=folder)
    for path in _pages_and_pictures(folder) if folder.exists() else ():
        if path.is_dir():
            raise ReportError("{path} is a folder, so no file of that name can be written", path=path)
        if not _is_ours(path):
            raise ReportError(
                "{path} is in the way, and is not part of a cluedo report; give another folder with --out", path=path
            )


def _pages_and_pictures(folder: Path) -> list[Path]:
    """What has a name that is one of a report's, whoever made it."""
    return [path for path in sorted(folder.iterdir()) if _NAMES.fullmatch(path.name)]


def _is_ours(path: Path) -> bool:
    if path.is_symlink():
        return False
    try:
        with source(path) as file:
            return _MARKS[path.suffix] in file.read(_BEGIN)
    except (OSError, Unreadable):
        return False


def _plates(facts: ReportFacts) -> Iterator[tuple[str, str, Callable[[], Figure]]]:
    """The pictures that these facts are enough for: name, what it shows, and how it is drawn."""
    yield "win_rates", words.win_rates_label(facts), partial(charts.draw_win_rates, facts)
    if facts.ratings:
        yield "ratings", words.ratings_label(facts), partial(charts.draw_ratings, facts)
    if any(meeting.share for meeting in facts.meetings.values()):
        yield "matrix", words.matrix_label(facts), partial(charts.draw_matrix, facts)
    if len(facts.maps) > 1:
        yield "maps", words.maps_label(facts), partial(charts.draw_maps, facts)
    if any(entry.think_ms > 0 for entry in facts.standings) and len(facts.standings) > 1:
        yield "thought", words.thought_label(facts), partial(charts.draw_thought, facts)
    if facts.growth.curves:
        yield "growth", words.growth_label(facts), partial(charts.draw_growth, facts)
    for k, (name, places) in enumerate(facts.growth.places.items(), start=1):
        yield f"places_{k}", words.places_label(name, places), partial(charts.draw_places, places)
    for k, column in enumerate(facts.observed, start=1):
        yield f"observed_{k}", words.observed_label(facts, column), partial(charts.draw_observed, facts, column)
    yield "lengths", words.lengths_label(facts), partial(charts.draw_lengths, facts)
    if facts.by_order:
        what = tr("place in the order of play")
        label = words.effect_label(facts.by_order, what, 1)
        yield "order", label, partial(charts.draw_effect, facts.by_order, what, 1)
    if facts.by_hand:
        what = tr("cards in hand")
        label = words.effect_label(facts.by_hand, what, 0)
        yield "hand", label, partial(charts.draw_effect, facts.by_hand, what)


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ReportError("{folder}: cannot be written: {error}", folder=folder, error=error) from None
