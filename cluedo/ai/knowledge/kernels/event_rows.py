"""The events of a game as rows of numbers, from which compiled code works out what each seat knows."""

from __future__ import annotations

from array import array
from typing import Final, NamedTuple

import numpy as np

from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.kernels.programme import Ints
from cluedo.engine.cards import Triple
from cluedo.engine.events import Accused, Event, HandShown, HypothesisMade, Passed, Peeked, Shown

__all__ = ["EventRows", "Seating"]

KIND, WHO, NAMED, PASSED, SHOWED, SAW, THEN_ACCUSED = 0, 1, 2, 5, 6, 7, 8
"""The columns of a row. NAMED and the two after it are suspect, weapon and room. PASSED and SHOWED are, for a
hypothesis, the masks of the seats that could not and could answer. SAW is the mask of the cards that the asker is known
to have been shown, or that somebody is known to have found in the pool. THEN_ACCUSED says whether the asker accused in
the same turn, wrongly."""
ROW: Final = 9
"""Numbers of a row."""
ASKED, ACCUSED, PEEKED, LAID_OPEN = range(4)
"""The kinds of row: a hypothesis, a wrong accusation, a look into the pool, and a hand shown to all."""


class Seating(NamedTuple):
    """Which places hold cards, for the compiled kernel.

    Attributes:
        seats: how many play.
        counts: for each place but the envelope, how many cards are there.
        categories: the masks of the three.
        pool_at, open_at: their places, or -1.
        not_all: whether an asker never holds all three cards.
        free: whether pawns go to any room, not only to those that are near.
    """

    seats: int
    counts: Ints
    categories: Ints
    pool_at: int
    open_at: int
    not_all: bool
    free: bool

    @classmethod
    def of(cls, evidence: Evidence) -> Seating:
        """The seating at a table."""
        return cls(
            evidence.seats,
            np.array(evidence.counts, np.int64),
            np.array(evidence.deck.masks, np.int64),
            -1 if evidence.pool_at is None else evidence.pool_at,
            -1 if evidence.open_at is None else evidence.open_at,
            evidence.rules.own_cards == "not_all",
            evidence.free,
        )


class EventRows:
    """The events of a game so far, one row for each hypothesis, wrong accusation, look into the pool or hand shown.

    Attributes:
        out: the mask of the seats that have accused wrongly.
    """

    __slots__ = ("_asked", "_looks", "_rows", "_seen", "_turn", "out")

    def __init__(self) -> None:
        self.out = 0
        self._rows = array("q")
        self._turn = -2
        self._asked = 0  # where the row of the last hypothesis begins, which was of that turn
        self._looks: dict[tuple[int, int], int] = {}
        self._seen: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._rows) // ROW

    @property
    def rows(self) -> Ints:
        """An array (rows, ROW)."""
        return np.array(self._rows, np.int64).reshape(-1, ROW)

    def add(self, turn: int, event: Event) -> None:
        """Add one more event, of the turn of this number.

        In a case log the number is that of the entry: an accusation in the same turn is the next one.
        """
        rows = self._rows
        match event:
            case HypothesisMade(seat):
                self._asked, self._turn = len(rows), turn
                self._row(ASKED, seat, event.cards)
            case Passed(seat):
                rows[PASSED - ROW] |= 1 << seat
            case Shown(seat, _, card):
                rows[SHOWED - ROW] |= 1 << seat
                rows[SAW - ROW] |= 0 if card is None else 1 << card
            case Peeked(seat, position, card):
                self._look(seat, position, card)
            case Accused(seat, correct=False):
                # Between the two, a look into the pool may have come.
                if turn - self._turn <= 1 and rows[self._asked + WHO] == seat:
                    rows[self._asked + THEN_ACCUSED] = 1
                self.out |= 1 << seat
                self._row(ACCUSED, seat, event.cards)
            case HandShown(seat):
                self._row(LAID_OPEN, seat, (0, 0, 0))

    def _row(self, kind: int, seat: int, cards: Triple) -> None:
        self._rows.extend((kind, seat, *cards, 0, 0, 0, 0))

    def _look(self, seat: int, position: int, card: int | None) -> None:
        """A look into the pool. A second look at the same card tells nothing new; a position below 0 is not known."""
        if position >= 0 and (seat, position) in self._looks:
            return
        if card is not None and position >= 0:
            self._seen[position] = 1 << card
            for (_, where), row in self._looks.items():
                if where == position:
                    self._rows[row * ROW + SAW] = 1 << card
        self._looks[seat, position] = len(self)
        self._row(PEEKED, seat, (0, 0, 0))
        self._rows[SAW - ROW] = self._seen.get(position, 0) if card is None else 1 << card
