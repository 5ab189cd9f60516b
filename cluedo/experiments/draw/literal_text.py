"""Figures of matplotlib whose texts are somebody's: no formulas in them, and a box for a sign that no font has."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["boxes_for_unknown_signs", "disable_math", "png_of"]


def disable_math(figure: Figure) -> Figure:
    """Turn off matplotlib's formulas in all texts of the figure: a name may contain dollar signs."""
    from matplotlib.text import Text

    for written in figure.findobj(Text):
        written.set_parse_math(False)
    return figure


@contextmanager
def boxes_for_unknown_signs() -> Iterator[None]:
    """Draw an empty box for a sign that no font has, without a warning of matplotlib's, inside the ``with``."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from|Matplotlib currently does not support .* natively")
        yield


@boxes_for_unknown_signs()
def png_of(figure: Figure) -> bytes:
    """A figure as a PNG file, on white, which says who made it, so that it may be written over again."""
    buffer = BytesIO()
    disable_math(figure).savefig(buffer, format="png", facecolor="white", metadata={"Software": "cluedo"})
    return buffer.getvalue()
