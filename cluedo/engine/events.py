"""What happened at the table, and who saw it.

Cards and places are ids (see :mod:`cluedo.engine.cards` and :mod:`cluedo.engine.board`). Only one kind of event
has a secret: the card of :class:`Shown`, which the shower and the asker alone see.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

__all__ = [
    "Accused",
    "Event",
    "HypothesisMade",
    "Moved",
    "PassageTaken",
    "Passed",
    "Rolled",
    "Shown",
    "Stayed",
    "TurnEnded",
    "as_seen_by",
]


@dataclass(frozen=True, slots=True)
class Rolled:
    """The seat threw these dice for its walk."""

    seat: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """The seat's pawn walked to a place, or entered a room under free movement."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class PassageTaken:
    """The seat's pawn went through a secret passage into the room at this place."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class Stayed:
    """The seat's pawn stayed where it was."""

    seat: int


@dataclass(frozen=True, slots=True)
class HypothesisMade:
    """The seat asked about three cards."""

    seat: int
    suspect: int
    weapon: int
    room: int

    @property
    def cards(self) -> tuple[int, int, int]:
        """The three cards."""
        return self.suspect, self.weapon, self.room


@dataclass(frozen=True, slots=True)
class Passed:
    """The seat could show none of the three cards."""

    seat: int


@dataclass(frozen=True, slots=True)
class Shown:
    """The seat showed a card to the asker; ``card`` is None for everybody else."""

    seat: int
    asker: int
    card: int | None


@dataclass(frozen=True, slots=True)
class Accused:
    """The seat accused, and looked into the envelope."""

    seat: int
    suspect: int
    weapon: int
    room: int
    correct: bool

    @property
    def cards(self) -> tuple[int, int, int]:
        """The three cards."""
        return self.suspect, self.weapon, self.room


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The seat's turn is over."""

    seat: int


Event: TypeAlias = Rolled | Moved | PassageTaken | Stayed | HypothesisMade | Passed | Shown | Accused | TurnEnded
"""Anything that happens after the deal."""


def as_seen_by(event: Event, seat: int | None) -> Event:
    """The event as one seat sees it (``None``: a bystander)."""
    if type(event) is Shown and seat not in (event.seat, event.asker):
        return _without_card(event.seat, event.asker)
    return event


@cache
def _without_card(seat: int, asker: int) -> Shown:
    """One object for whatever card was shown: what is kept by the card would tell the card by being the same."""
    return Shown(seat, asker, None)
