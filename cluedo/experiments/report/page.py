"""Writes a report into a folder: a page and its pictures, all of them or none.

The page is one file that holds the pictures, too, and asks nothing of any network.
"""

from __future__ import annotations

import json
import re
import shlex
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import tomli_w
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from cluedo import __version__
from cluedo.ai.positions import answer_json
from cluedo.engine.file_io import Unreadable, move_into_place, toml_table
from cluedo.engine.rules import value_text
from cluedo.experiments.draw.theme import PALETTE, inline, save
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.read import telling
from cluedo.experiments.read.results import Results
from cluedo.experiments.read.source import Source, check_apart
from cluedo.experiments.report import words
from cluedo.experiments.report.chart import Chart
from cluedo.experiments.report.facts import ReportFacts, gather
from cluedo.experiments.report.model_knowledge import ModelKnowledge
from cluedo.experiments.report.play_charts import play_charts
from cluedo.experiments.report.report_files import BY, PAGE, check_report, files_of_report
from cluedo.experiments.report.strength_charts import strength_charts
from cluedo.experiments.store.folder import store_errors
from cluedo.experiments.store.manifest import Manifest, with_secret
from cluedo.language import current, number, tr, tr_count, unbroken
from cluedo.words.narration import and_join

__all__ = ["charts_of", "render", "write_report"]


def render(facts: ReportFacts, pictures: Mapping[str, Markup]) -> str:
    """The page as HTML.

    Args:
        facts: what it tells.
        pictures: by name, as SVG; those that are missing are left out, with what belongs to them.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {
        "breakable": _breakable,
        "as_typed": value_text,
    }
    template = environment.from_string(_text("report.html"))
    page = template.render(
        facts=facts,
        words=words,
        telling=telling,
        language=current(),
        tr=tr,
        tr_count=tr_count,
        html=words.html,
        number=number,
        version=__version__,
        title=_title(facts),
        engines=_engines,
        command=_command,
        toml=_toml,
        charts=pictures,
        matrix=[[_cell(facts, a, b) for b in facts.levels] for a in facts.levels],
        wrong_claims=_wrong_claims,
        wrong_claims_told=_WRONG,
        palette=PALETTE,
        style=Markup(_text("report.css")),
        script=Markup(_text("report.js")),
    )
    return unbroken(page)


def _text(name: str) -> str:
    return files("cluedo.experiments.report").joinpath(name).read_text(encoding="utf-8")


def _breakable(name: str) -> Markup:
    """A name that the browser may break after the signs in it, rather than within a word."""
    return Markup("<wbr>").join(re.split(r"(?<=[/:=_…-])", name))


def _title(facts: ReportFacts) -> str:
    """The titles or names of the experiments; for a batch, the players and the map."""
    titles = []
    for source in facts.sources:
        experiment = source.manifest.experiment
        if experiment.batch:
            players = [facts.names.get(level, level) for level in experiment.levels]
            (name,) = experiment.maps
            titles.append(tr("{players} on {map}", players=and_join(players), map=facts.map_names[name]))
        else:
            titles.append(experiment.title or source.name)
    return and_join(list(dict.fromkeys(titles)))  # runs of one study may have one title


def _engines(experiment: Experiment) -> str:
    """What played the games of a compiled experiment."""
    slow = sum(part.engine == "python" for part in experiment.parts)
    if not slow:
        return tr("compiled")
    return tr(
        "compiled; line-ups played by the Python engine: {count:,} of {total:,}",
        count=slow,
        total=len(experiment.parts),
    )


_HIDDEN: Final = "…"
"""Stands for the secret part of a seed: a page is passed on, perhaps while a contest goes on."""


def _command(manifest: Manifest) -> str:
    """The command of a run, without the secret part of its seed."""
    if manifest.experiment.seed_secret is None or not manifest.command:
        return manifest.command
    try:
        return with_secret(shlex.split(manifest.command), _HIDDEN)
    except ValueError:  # somebody has changed it
        return ""


def _toml(source: Source) -> str:
    """The file of an experiment, without the secret part of its seed."""
    try:
        table = toml_table(source.toml)
    except Unreadable:  # somebody has changed it
        return ""
    return tomli_w.dumps(table | {"seed_secret": _HIDDEN}) if "seed_secret" in table else source.toml


def _cell(facts: ReportFacts, a: str, b: str) -> dict[str, Any] | None:
    """What a row's level won of the games that it or the column's level won."""
    meeting = facts.meetings.get((a, b))
    if meeting is None and (other := facts.meetings.get((b, a))) is not None:
        meeting = other.turned
    if meeting is None or meeting.share is None:
        return None
    beyond = meeting.share.value - meeting.fair
    return {
        "share": meeting.share,
        "fair": meeting.fair,
        "games": meeting.wins_a + meeting.wins_b,
        "tint": round(6 + 34 * abs(beyond)) if meeting.differ else 0,
        "better": beyond > 0,
    }


_WRONG: Final = 5
"""Games of a language model whose first wrong claim is told."""


def _wrong_claims(facts: ReportFacts, model: ModelKnowledge) -> Iterator[list[str]]:
    for turn in model.first_wrong[:_WRONG]:
        wrong = turn.wrong
        assert wrong is not None, "there is one in this turn"
        yield words.wrong_claim(facts, wrong)


def charts_of(facts: ReportFacts) -> list[Chart]:
    """All charts that these facts can fill."""
    return [*strength_charts(facts), *play_charts(facts)]


def write_report(results: Results, folder: Path, progress: Callable[[float], object] = lambda _: None) -> Path:
    """Write the report of some results; returns the path of its page.

    Args:
        results: what it is about.
        folder: where; made if there is none. An older report of ours is replaced, nothing else is touched.
        progress: told the share that is done, from 0 to 1.

    Raises:
        CluedoError: the folder cannot be written, or holds files of somebody else's by these names.
        ResultsError: two of the experiments hold the same games.
    """
    check_apart(results.sources)
    with store_errors(folder):
        check_report(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".report-", dir=folder) as beside:
            facts = gather(results, lambda share: progress(0.6 * share))
            charts = charts_of(facts)
            pictures = {}
            for done, (name, label, draw, adapts) in enumerate(charts):
                progress(0.6 + 0.4 * done / len(charts))
                svg = save(draw(), Path(beside) / name)
                pictures[name] = Markup(inline(svg, name, label, adapts=adapts))
            (Path(beside) / PAGE).write_text(render(facts, pictures), encoding="utf-8")
            _write_claims(facts, Path(beside))
            check_report(folder)  # somebody may have put something there meanwhile
            made = sorted(Path(beside).iterdir(), key=lambda path: path.name == PAGE)
            unnamed = [path.name for path in sorted({*made} - {*files_of_report(Path(beside))})]
            assert not unnamed, f"report_files.py has no name for {', '.join(unnamed)}: nothing would remove them"
            for path in made:  # the page comes last: where it stands, all of it does
                move_into_place(path, folder / path.name)
            for old in files_of_report(folder):
                if old.name not in {path.name for path in made}:
                    old.unlink()
    return folder / PAGE


def _write_claims(facts: ReportFacts, folder: Path) -> None:
    """What language models claimed and asked, and the exact answers, as ``cluedo grade`` reads them."""
    turns = facts.claims.turns
    if not turns:
        return
    answers = [answer_json(turn.exact.id, turn.given) for turn in turns if turn.given is not None]
    keys = [turn.exact.to_json() for turn in turns]
    for name, objects in (("claims.jsonl", answers), ("claims_key.jsonl", keys)):
        lines = (json.dumps({"comment": BY} | one, ensure_ascii=False) + "\n" for one in objects)
        (folder / name).write_text("".join(lines), encoding="utf-8")
