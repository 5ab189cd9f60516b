"""A chart of a report."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from matplotlib.figure import Figure

__all__ = ["Chart"]


class Chart(NamedTuple):
    """A chart, before it is drawn.

    Attributes:
        name: of its files, which :mod:`.report_files` lists, and of its place in ``report.html``.
        label: what it shows, with its figures, for who does not see it.
        draw: draws it.
        adapts: whether its ink adapts to a dark page; the colours of a board are its own.
    """

    name: str
    label: str
    draw: Callable[[], Figure]
    adapts: bool = True
