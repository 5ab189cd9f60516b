"""A player's sheet: what the seat has seen, and the marks and notes that the player made."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from typing import NamedTuple

from cluedo.ai.knowledge import Evidence
from cluedo.ai.knowledge.evidence import EvidenceReader
from cluedo.engine.cards import Deck
from cluedo.engine.errors import CluedoError
from cluedo.engine.file_io import FORMAT, json_object
from cluedo.engine.view import PlayerView

__all__ = ["SIGNS", "SeatSheet", "SheetSign", "read_sheets", "written_sheets"]

SIGNS = ("✓", "✗", "?")
"""What one may write into a cell."""


class SheetSign(NamedTuple):
    """What stands in one cell, and whether the game says so or the player wrote it."""

    sign: str
    seen: bool


class SeatSheet:
    """The sheet of one seat.

    What is *seen* fills itself in: the own hand, cards shown to this seat or by it, who passed, and the envelope's
    card where it is seen of every other place. What would have to be deduced does not: that is the player's part, or
    the hints'.

    Args:
        written: called whenever the player has written something.

    Attributes:
        marks: by card and column, the sign that the player made.
        notes: by card, what the player wrote.
    """

    def __init__(self, written: Callable[[], None] = lambda: None) -> None:
        self._written = written
        self.marks: dict[tuple[int, int], str] = {}
        self.notes: dict[int, str] = {}
        self._reader: EvidenceReader | None = None

    def forget(self) -> None:
        """Read the log from its start at the next :meth:`read`."""
        self._reader = None

    def read(self, view: PlayerView) -> dict[tuple[int, int], SheetSign]:
        """The cells, with all that the view holds."""
        if self._reader is None:
            self._reader = EvidenceReader(view)
        evidence = self._reader.read(view)
        cells = {place: SheetSign(sign, seen=False) for place, sign in self.marks.items()}
        return cells | _seen(evidence)

    def mark(self, card: int, column: int, sign: str) -> None:
        """Write a sign into a cell, or nothing."""
        if sign:
            self.marks[card, column] = sign
        else:
            self.marks.pop((card, column), None)
        self._written()

    def cycle(self, card: int, column: int) -> None:
        """The next sign."""
        order = ["", *SIGNS]
        now = order.index(self.marks.get((card, column), ""))
        self.mark(card, column, order[(now + 1) % len(order)])

    def note(self, card: int, text: str) -> None:
        """Write a note at a card, or take it away."""
        if text.strip():
            self.notes[card] = text.strip()
        else:
            self.notes.pop(card, None)
        self._written()


def written_sheets(deck: Deck, sheets: Mapping[int, SeatSheet]) -> str:
    """What the players wrote, as JSON: by seat, the marks ``[card, column, sign]`` and the notes by card."""
    seats = {
        str(seat): {
            "marks": [[deck.names[card], column, sign] for (card, column), sign in sheet.marks.items()],
            "notes": {deck.names[card]: text for card, text in sheet.notes.items()},
        }
        for seat, sheet in sheets.items()
    }
    return json.dumps({"format": FORMAT, "seats": seats}, ensure_ascii=False)


def read_sheets(text: str, deck: Deck, sheets: Mapping[int, SeatSheet]) -> None:
    """Put what :func:`written_sheets` gave back on the sheets; what is no such text, or no longer fits, is left out."""
    try:
        seats = json_object(text, "a file of sheets")["seats"]
        for seat, sheet in sheets.items():
            wrote = seats.get(str(seat), {"marks": [], "notes": {}})
            sheet.marks |= {(deck.id(card), column): sign for card, column, sign in wrote["marks"] if sign in SIGNS}
            sheet.notes |= {deck.id(card): str(note) for card, note in wrote["notes"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, CluedoError):
        return


def _seen(evidence: Evidence) -> dict[tuple[int, int], SheetSign]:
    """The cells that follow from single facts, without any deduction, and the envelope's where a row has no other."""
    cells = {}
    has = [*evidence.has]
    has[evidence.envelope] |= ~reduce(or_, evidence.may[: evidence.envelope])  # it can be nowhere else
    for column, place in enumerate([evidence.envelope, *range(evidence.envelope)]):
        for card in range(evidence.deck.size):
            if has[place] >> card & 1:
                cells[card, column] = SheetSign(SIGNS[0], seen=True)
            elif not evidence.may[place] >> card & 1:
                cells[card, column] = SheetSign(SIGNS[1], seen=True)
    return cells
