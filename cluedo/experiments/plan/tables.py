"""The tables of an experiment file: who meets whom, and when a part may stop."""

from __future__ import annotations

from itertools import combinations
from math import isfinite
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from cluedo.engine.mapfile import Printable
from cluedo.engine.rules import MAX_SEATS, MIN_SEATS
from cluedo.engine.validation import FileForm, InvalidForm
from cluedo.experiments.plan.elo import share_of_elo

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
    """A sequential test: whether ``a`` is better than ``b`` by ``elo1`` rather than by ``elo0``.

    Attributes:
        a, b: two levels.
        elo0, elo1: the two claims, elo0 < elo1.
        alpha: how often H1 may be taken though H0 is true.
        beta: how often H0 may be taken though H1 is true.
    """

    a: PlayerText
    b: PlayerText
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    @model_validator(mode="after")
    def _can_decide(self) -> Self:
        if self.a == self.b:
            raise InvalidForm("a sequential test compares two different levels, not {a} with itself", a=self.a)
        claims = {"elo0": self.elo0, "elo1": self.elo1}
        if not (all(map(isfinite, claims.values())) and self.elo0 < self.elo1):
            raise InvalidForm(
                "a sequential test needs elo0 below elo1, both finite, not {elo0:g} and {elo1:g}", **claims
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise InvalidForm(
                    "{name} of a sequential test is between 0 and 0.5, not {value:g}", name=name, value=value
                )
        if share_of_elo(self.elo0) == share_of_elo(self.elo1):
            raise InvalidForm(
                "elo0 and elo1 of a sequential test are too close to tell: {elo0:g} and {elo1:g}", **claims
            )
        return self


class Stop(FileForm):
    """When a part may stop before all its games are played."""

    sprt: SprtRule
