"""Which room to ask in: the best hypothesis of each room, by what the answer tells and how soon one can be there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cluedo.ai.knowledge import SeatKnowledge, Triple
from cluedo.ai.walking import DISCOUNT
from cluedo.engine.cards import Category
from cluedo.language import tr, tr_count

__all__ = ["RoomQuestion", "best_rooms"]


@dataclass(frozen=True, slots=True)
class RoomQuestion:
    """The best hypothesis in a room.

    Attributes:
        cards: suspect, weapon and room.
        bits: what the answer is expected to tell about the envelope, estimated.
        turns: in how many turns of mine I can expect to ask it (1: the next); ``inf`` if never. None where nobody
            knows, or where pawns enter any room they like.
    """

    cards: Triple
    bits: float
    turns: float | None

    @property
    def room(self) -> int:
        """The room's card."""
        return self.cards[Category.ROOM]

    @property
    def worth(self) -> float:
        """The bits, discounted by the turns until they come."""
        return self.bits if self.turns is None else self.bits * DISCOUNT ** (self.turns - 1.0)

    @property
    def left(self) -> float:
        """The share of the envelopes that an answer leaves, as the geometric mean over the answers."""
        return float(2.0**-self.bits)

    def left_of(self, envelopes: int) -> int:
        """About how many of so many envelopes an answer leaves."""
        return max(1, round(self.left * envelopes))

    def rating(self, envelopes: int) -> str:
        """What an answer does to so many envelopes, in words, going by the whole number that is left."""
        share = self.left_of(envelopes) / envelopes
        ratings = (
            (0.87, tr("rules out few")),
            (0.71, tr("rules out a quarter")),
            (0.64, tr("rules out a third")),
            (0.55, tr("rules out two fifths")),
            (0.45, tr("halves them")),
            (0.37, tr("leaves two fifths")),
            (0.29, tr("leaves a third")),
            (0.2, tr("leaves a quarter")),
        )
        return next((words for least, words in ratings if share >= least), tr("leaves few"))

    def about(self, envelopes: int) -> str:
        """About how many of so many envelopes an answer leaves, in words."""
        return tr("about {count:,} left", count=self.left_of(envelopes))

    def told(self, known: SeatKnowledge) -> str:
        """Its cards, what an answer does to the envelopes, and about how many of those left now it leaves."""
        envelopes = len(known.envelopes)
        told = {"rating": self.rating(envelopes), "left": self.about(envelopes)}
        return tr("{cards}: {rating}, {left}", cards=known.evidence.deck.listed(self.cards), **told)

    @property
    def when(self) -> str:
        """When it can be asked, in words; empty for None."""
        if self.turns is None:
            return ""
        if self.turns == math.inf:
            return tr("not from here")
        turns = round(self.turns)
        return tr("next turn") if turns <= 1 else tr_count("in about {count} turn", "in about {count} turns", turns)


def best_rooms(known: SeatKnowledge, turns: Sequence[float] | None) -> list[RoomQuestion]:
    """The best question of each room, the most promising first; none for a spectator, or if all is known.

    Args:
        known: what is known now.
        turns: by room, in how many turns one can ask there; None as in :class:`RoomQuestion`.
    """
    first = known.evidence.deck.rooms.start
    questions = [
        RoomQuestion(cards, bits, None if turns is None else turns[cards[Category.ROOM] - first])
        for cards, bits in known.best_by_room
    ]
    return sorted(questions, key=lambda question: (-question.worth, question.room))
