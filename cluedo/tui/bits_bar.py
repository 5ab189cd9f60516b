"""How much is unknown about the envelope, as bars: one for each seat, in bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.widgets import Static

from cluedo.language import tr

__all__ = ["Bar", "BitsBar"]

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_FIGURE = 10
"""Columns of the figure at the end, such as ``10.34 bits``."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Who, in which style, and how many bits; None where they are not known."""

    name: str
    style: str
    bits: float | None


class BitsBar(Static):
    """One bar below another; a full one is ``most`` bits, what is unknown at the start.

    Attributes:
        bars: what is shown.
    """

    def __init__(self, most: float, *, id: str | None = None):
        super().__init__(id=id)
        self.most = most
        self.bars: Sequence[Bar] = ()

    def show(self, bars: Sequence[Bar]) -> None:
        """Show these bars."""
        self.bars = list(bars)
        self.refresh(layout=True)

    def render(self) -> Text:
        """The bars as text, as wide as the widget."""
        names = min(12, max((cell_len(bar.name) for bar in self.bars), default=0))
        across = max(4, self.size.width - names - _FIGURE - 2)
        return Text("\n").join(self._drawn(bar, names, across) for bar in self.bars)

    def _drawn(self, bar: Bar, names: int, across: int) -> Text:
        line = Text.assemble((set_cell_size(bar.name, names), bar.style), " ")
        if bar.bits is None:
            return line.append("?".ljust(across + 1), "dim")
        eighths = round(8 * across * min(1.0, bar.bits / self.most)) if self.most else 0
        full, part = divmod(eighths, 8)
        drawn = _EIGHTHS[8] * full + (_EIGHTHS[part] if part else "")
        line.append(drawn, "cyan").append("╌" * (across - len(drawn)), "dim")
        return line.append(tr("{bits:>6.2f} bits", bits=bar.bits))
