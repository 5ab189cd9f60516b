"""Reports whose pictures are empty, for tests of what they say: drawing takes most of a report's time."""

from __future__ import annotations

import pytest


def leave_pictures_empty(patch: pytest.MonkeyPatch) -> None:
    """Until the patch is undone, reports in this process have all their files, but the pictures are empty."""
    from matplotlib.figure import Figure

    from cluedo.experiments.draw.theme import save

    patch.setattr("cluedo.experiments.report.page.save", lambda _made, path: save(Figure(figsize=(1, 1)), path))


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty pictures for one test."""
    leave_pictures_empty(monkeypatch)
