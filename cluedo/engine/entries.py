"""What a person at a table notes as one line: a hypothesis with its answers, or an accusation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from cluedo.engine.events import Accused, Event, HypothesisMade, Passed, Shown

__all__ = ["Entry", "entries_of"]

_Triple: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """A hypothesis and what became of it, or an accusation, made of the events that it stands for.

    Make one by :meth:`hypothesis` or :meth:`accusation`, or from a game's events by :func:`entries_of`.

    Attributes:
        head: the hypothesis or the accusation.
        answers: who passed, in turn, and who showed a card.
    """

    head: HypothesisMade | Accused
    answers: tuple[Passed | Shown, ...] = ()

    @classmethod
    def hypothesis(
        cls, seats: int, by: int, cards: _Triple, refuter: int | None = None, card: int | None = None
    ) -> Entry:
        """A hypothesis that seat ``refuter`` answered, at a table of so many seats, or (None) nobody.

        Those between ``by`` and ``refuter``, clockwise, pass; ``card`` is the card shown, where it was seen.
        """
        answers: list[Passed | Shown] = []
        for step in range(1, seats):
            seat = (by + step) % seats
            if seat == refuter:
                answers.append(Shown(seat, by, card))
                break
            answers.append(Passed(seat))
        return cls(HypothesisMade(by, *cards), tuple(answers))

    @classmethod
    def accusation(cls, by: int, cards: _Triple, correct: bool) -> Entry:
        """An accusation and its verdict."""
        return cls(Accused(by, *cards, correct))

    @property
    def events(self) -> tuple[HypothesisMade | Passed | Shown | Accused, ...]:
        """Everything that happened, in order."""
        return self.head, *self.answers

    @property
    def by(self) -> int:
        """The seat that asks or accuses."""
        return self.head.seat

    @property
    def cards(self) -> _Triple:
        """The suspect, the weapon and the room."""
        return self.head.cards

    @property
    def shown(self) -> Shown | None:
        """The card shown, or None: nobody could answer, or it is an accusation."""
        last = self.answers[-1] if self.answers else None
        return last if isinstance(last, Shown) else None

    @property
    def refuter(self) -> int | None:
        """The seat that showed a card."""
        return None if self.shown is None else self.shown.seat

    @property
    def card(self) -> int | None:
        """The card shown, where it was seen."""
        return None if self.shown is None else self.shown.card


def entries_of(events: Iterable[Event], seats: int) -> list[Entry]:
    """The entries of a game's events, seen from the first one on.

    Who does not pass has to show: so where a game breaks off, the next in turn is the refuter.
    """
    entries: list[Entry] = []
    for event in events:
        match event:
            case HypothesisMade(seat):
                entries.append(Entry(event, (Shown((seat + 1) % seats, seat, None),)))
            case Passed(seat):
                asked, after = entries[-1], (seat + 1) % seats
                answers = (*asked.answers[:-1], event)
                if after != asked.by:
                    answers = (*answers, Shown(after, asked.by, None))
                entries[-1] = Entry(asked.head, answers)
            case Shown():
                entries[-1] = Entry(entries[-1].head, (*entries[-1].answers[:-1], event))
            case Accused():
                entries.append(Entry(event))
    return entries
