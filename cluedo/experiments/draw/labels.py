"""Names of players as labels: where a long one may be broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # who draws has it loaded
    from matplotlib.figure import Figure

__all__ = ["pieces", "taken_literally", "wrapped"]


def wrapped(name: str, width: int) -> str:
    """The name on lines that fit, broken after ``/`` and ``:`` where that is enough."""
    lines = [""]
    for piece in pieces(name, width):
        if len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line for line in lines if line)


def pieces(name: str, width: int) -> Iterator[str]:
    """What of a name should stay together; nothing longer than ``width``."""
    for part in re.findall(r"[^/:]+[/:]?|[/:]", name):
        if len(part) <= width:
            yield part
            continue
        for word in re.findall(r"[^_=…-]+[_=…-]?|[_=…-]", part):
            yield from (word[at : at + width] for at in range(0, len(word), width))


def taken_literally(figure: Figure) -> Figure:
    """The figure, in which every text says what it says: somebody's name may hold dollars, which is no mathematics."""
    from matplotlib.text import Text

    for written in figure.findobj(Text):
        written.set_parse_math(False)
    return figure
