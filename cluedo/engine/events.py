"""The events of a game, and what each seat sees of them.

Cards and places are ids (see :mod:`cluedo.engine.cards` and :mod:`cluedo.engine.board`). Two kinds of event have a
secret: the card of :class:`Shown`, which the shower and the asker alone see, and that of :class:`Peeked`, which one
seat alone sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from cluedo.engine.cards import Triple

__all__ = [
    "Accused",
    "Event",
    "HandShown",
    "HypothesisMade",
    "Moved",
    "PassageTaken",
    "Passed",
    "Peeked",
    "Rolled",
    "Secret",
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
class _CardsNamed:
    """The seat named a suspect, a weapon and a room."""

    seat: int
    suspect: int
    weapon: int
    room: int

    @property
    def cards(self) -> Triple:
        """The three cards."""
        return self.suspect, self.weapon, self.room


@dataclass(frozen=True, slots=True)
class HypothesisMade(_CardsNamed):
    """The seat asked about three cards."""


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

    @property
    def viewers(self) -> tuple[int, ...]:
        """The seats that see the card."""
        return self.seat, self.asker


@dataclass(frozen=True, slots=True)
class Peeked:
    """The seat looked at the card at a position of the pool (from 0); ``card`` is None for everybody else."""

    seat: int
    position: int
    card: int | None

    @property
    def viewers(self) -> tuple[int, ...]:
        """The seats that see the card."""
        return (self.seat,)


@dataclass(frozen=True, slots=True)
class Accused(_CardsNamed):
    """The seat accused, and looked into the envelope."""

    correct: bool


@dataclass(frozen=True, slots=True)
class HandShown:
    """The seat has accused wrongly and laid its hand open: all its cards, ascending."""

    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The seat's turn is over."""

    seat: int


Secret: TypeAlias = Shown | Peeked
"""What not everybody sees whole."""

Event: TypeAlias = (
    Rolled | Moved | PassageTaken | Stayed | HypothesisMade | Passed | Shown | Peeked | Accused | HandShown | TurnEnded
)
"""Anything that happens after the deal."""


def as_seen_by(event: Event, seat: int | None) -> Event:
    """The event as one seat sees it (``None``: a bystander)."""
    if type(event) is Shown and seat != event.asker and seat != event.seat:
        return _shown_unseen(event.seat, event.asker)
    if type(event) is Peeked and seat not in event.viewers:
        return _peeked_unseen(event.seat, event.position)
    return event


# One object for whatever card it was: what is kept by the card would tell the card by being the same.


@cache
def _shown_unseen(seat: int, asker: int) -> Shown:
    return Shown(seat, asker, None)


@cache
def _peeked_unseen(seat: int, position: int) -> Peeked:
    return Peeked(seat, position, None)
