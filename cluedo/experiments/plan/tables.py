"""The tables of an experiment file: who meets whom, and when a part may stop."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from cluedo.engine.mapfile import Printable
from cluedo.engine.rules import MAX_SEATS, MIN_SEATS
from cluedo.engine.validation import FileForm
from cluedo.experiments.read.sprt import Sprt

__all__ = ["Gauntlet", "PlayerText", "RoundRobin", "SprtRule", "Stop"]


def _stripped(text: Any) -> Any:
    """A player's text as it stands in results."""
    return text.strip() if isinstance(text, str) else text


PlayerText = Annotated[Printable, BeforeValidator(_stripped), Field(max_length=1000)]
"""What names a player, or an observer."""
PlayerTexts = Annotated[tuple[PlayerText, ...], Field(max_length=100)]
Seats = Annotated[tuple[Annotated[int, Field(ge=MIN_SEATS, le=MAX_SEATS)], ...], Field(min_length=1, max_length=4)]


class RoundRobin(FileForm):
    """Every pair of some levels, at every number of seats.

    The two share the seats evenly; where the number is odd, each has the extra seat in a line-up of its own.
    """

    levels: Annotated[PlayerTexts, Field(min_length=2)]
    seats: Seats = (4,)

    def line_ups(self) -> list[tuple[str, ...]]:
        """The line-ups, fewest seats first."""
        return [line_up for n in self.seats for a, b in combinations(self.levels, 2) for line_up in _shared(a, b, n)]


class Gauntlet(FileForm):
    """One level against each of some others, the seats shared as in a round robin."""

    level: PlayerText
    against: Annotated[PlayerTexts, Field(min_length=1)]
    seats: Seats = (4,)

    def line_ups(self) -> list[tuple[str, ...]]:
        """The line-ups, fewest seats first."""
        return [line_up for n in self.seats for other in self.against for line_up in _shared(self.level, other, n)]


def _shared(a: str, b: str, seats: int) -> list[tuple[str, ...]]:
    """The ways to divide seats evenly between two levels."""
    return [(a,) * n + (b,) * (seats - n) for n in sorted({seats // 2, seats - seats // 2})]


class SprtRule(FileForm):
    """A sequential test of ``a`` against ``b``; see :class:`~cluedo.experiments.read.sprt.Sprt`."""

    a: PlayerText
    b: PlayerText
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def begin(self) -> Sprt:
        """The test, before any deal."""
        return Sprt(self.a, self.b, self.elo0, self.elo1, self.alpha, self.beta)


class Stop(FileForm):
    """When a part may stop before all its games are played."""

    sprt: SprtRule
