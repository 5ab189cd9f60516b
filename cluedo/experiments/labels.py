"""Names of players as labels: where a long one may be broken."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["pieces", "wrapped"]


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
