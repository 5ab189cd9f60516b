"""What reports tell, without their pictures or with empty ones: drawing takes most of a report's time."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluedo.experiments.read.results import Results
from cluedo.experiments.report.facts import ReportFacts, gather

NASTY = "bots/<script>alert('x')<\\script>&\"$x^{$" + "long_" * 32 + "/bot.py:Evil:a=<b>"
"""A level of 200 characters that would break a page, a picture or a line, if it could."""


def facts_of(*folders: Path) -> ReportFacts:
    """What the report of these results goes by."""
    with Results.open(folders) as results:
        return gather(results)


def leave_pictures_empty(patch: pytest.MonkeyPatch) -> None:
    """Until the patch is undone, reports in this process have all their files, but the pictures are empty."""
    from matplotlib.figure import Figure

    from cluedo.experiments.draw.theme import save

    patch.setattr("cluedo.experiments.report.page.save", lambda _made, path: save(Figure(figsize=(1, 1)), path))


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty pictures for one test."""
    leave_pictures_empty(monkeypatch)
