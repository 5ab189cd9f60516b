"""The entries of a person's notes: hypotheses with their answers, accusations, looks into the pool, open hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from cluedo.engine.cards import Triple
from cluedo.engine.events import Accused, Event, HandShown, HypothesisMade, Passed, Peeked, Shown

__all__ = ["UNNOTED", "Entry", "entries_of"]

UNNOTED: Final = -1
"""The position of a look into the pool, where nobody has noted which card it was."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: the events of a hypothesis with its answers, of an accusation, of a look, or of an open hand.

    Make one by :meth:`hypothesis`, :meth:`answered_by_all`, :meth:`accusation`, :meth:`peek` or :meth:`hand`, or from
    a game's events by :func:`entries_of`.

    Attributes:
        head: the hypothesis, the accusation, the look into the pool, or the hand laid open.
        answers: who passed, in turn, and who showed a card.
    """

    head: HypothesisMade | Accused | Peeked | HandShown
    answers: tuple[Passed | Shown, ...] = ()

    @classmethod
    def hypothesis(
        cls, seats: int, by: int, cards: Triple, refuter: int | None = None, card: int | None = None
    ) -> Entry:
        """A hypothesis at a table of ``seats`` players, answered by the seat ``refuter``, or by nobody (None).

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
    def accusation(cls, by: int, cards: Triple, correct: bool) -> Entry:
        """An accusation and its verdict."""
        return cls(Accused(by, *cards, correct))

    @classmethod
    def answered_by_all(cls, seats: int, by: int, cards: Triple, shows: Mapping[int, int | None]) -> Entry:
        """A hypothesis that everybody answers (rule 19): by seat that showed a card, the card where it was seen."""
        others = [(by + step) % seats for step in range(1, seats)]
        answers = [Shown(seat, by, shows[seat]) if seat in shows else Passed(seat) for seat in others]
        return cls(HypothesisMade(by, *cards), tuple(answers))

    @classmethod
    def peek(cls, by: int, position: int, card: int | None) -> Entry:
        """A look at a card of the pool (rule 15), perhaps :data:`UNNOTED`, and which it was, where that was seen."""
        return cls(Peeked(by, position, card))

    @classmethod
    def hand(cls, by: int, cards: Iterable[int]) -> Entry:
        """A hand that is laid open (rule 18)."""
        return cls(HandShown(by, tuple(sorted(set(cards)))))

    @property
    def events(self) -> tuple[HypothesisMade | Passed | Shown | Accused | Peeked | HandShown, ...]:
        """Everything that happened, in order."""
        return self.head, *self.answers

    @property
    def by(self) -> int:
        """The seat that asks, accuses, looks or lays its hand open."""
        return self.head.seat

    @property
    def cards(self) -> Triple:
        """The suspect, the weapon and the room that are named; (0, 0, 0) where none are."""
        return self.head.cards if isinstance(self.head, HypothesisMade | Accused) else (0, 0, 0)

    @property
    def shows(self) -> tuple[Shown, ...]:
        """The cards shown, in turn; more than one only where everybody answers (rule 19)."""
        return tuple([answer for answer in self.answers if isinstance(answer, Shown)])

    @property
    def shown(self) -> Shown | None:
        """The first card shown, or None: nobody could answer, or it is no hypothesis."""
        return next(iter(self.shows), None)

    @property
    def refuter(self) -> int | None:
        """The seat that showed it."""
        return None if self.shown is None else self.shown.seat

    @property
    def card(self) -> int | None:
        """That card, where it was seen."""
        return None if self.shown is None else self.shown.card


def entries_of(events: Iterable[Event], seats: int, *, everybody: bool = False) -> list[Entry]:
    """The entries of a game's events, seen from the first one on; ``everybody`` answers by rule 19.

    Who does not pass has to show: so where a game breaks off, the next in turn is the refuter.
    """
    entries: list[Entry] = []
    for event in events:
        match event:
            case HypothesisMade(seat):
                entries.append(Entry(event, (Shown((seat + 1) % seats, seat, None),)))
            case Passed(seat) | Shown(seat):
                asked, after = entries[-1], (seat + 1) % seats
                answers = (*asked.answers[:-1], event)  # in place of the answer that was expected
                if after != asked.by and (everybody or isinstance(event, Passed)):
                    answers = (*answers, Shown(after, asked.by, None))
                entries[-1] = Entry(asked.head, answers)
            case Accused() | Peeked() | HandShown():
                entries.append(Entry(event))
    return entries
