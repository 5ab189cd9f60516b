"""The possible parses of a line as an entry, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.entries import UNNOTED, Entry

__all__ = ["ACCEPTING", "ASIDE", "Parse", "Stage", "distinct", "undominated"]


class Stage(IntEnum):
    """What has been read, and so what may come next."""

    START = 0
    ASKER = 1
    CARDS = 2
    ASKED = 3
    REFUTER = 4
    SHOWS = 5
    NOBODY = 6
    ACCUSED = 7
    ALSO = 8
    ANSWERED = 9
    LOOKED = 10
    LOOKED_AT = 11
    LAYING = 12
    DONE = 13


ACCEPTING: Final = {
    *(Stage.REFUTER, Stage.SHOWS, Stage.NOBODY, Stage.ANSWERED),
    *(Stage.LOOKED, Stage.LOOKED_AT, Stage.DONE),
}
"""The stages in which a line may end."""
ASIDE: Final = {Stage.LOOKED, Stage.LOOKED_AT, Stage.LAYING}
"""Where it is about the pool, or a hand laid open."""
_MOST: Final = 8
"""Parses of one sense that are followed: in a line of many words that begin several names there are thousands, none
better than another in every word, and no entry that anybody types has as many."""


@dataclass(frozen=True, slots=True)
class Parse:
    """One way to read the first words of a line.

    ``passed`` is the seat that passed last, and ``ranks`` says how well each word was matched.
    """

    stage: Stage = Stage.START
    by: int = -1
    accuses: bool = False
    cards: tuple[int, ...] = ()
    passed: int = -1
    shows: tuple[tuple[int, int | None], ...] = ()
    correct: bool = False
    looks: bool = False
    position: int = UNNOTED
    seen: int | None = None
    hand: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    spans: tuple[tuple[int, int, str], ...] = ()

    @property
    def sense(self) -> tuple[Any, ...]:
        """All that matters to what follows."""
        named = self.cards, self.passed, self.shows, self.position, self.seen, self.hand
        return self.stage, self.by, self.accuses, self.correct, self.looks, *named

    def entry(self, setting: Setting) -> Entry:
        """What was read of a whole line."""
        if self.looks:
            return Entry.peek(self.by, self.position, self.seen)
        if self.hand:
            return Entry.hand(self.by, self.hand)
        suspect, weapon, room = sorted(self.cards)  # in a deck suspects come before weapons before rooms
        three = (suspect, weapon, room)
        if self.accuses:
            return Entry.accusation(self.by, three, self.correct)
        return setting.hypothesis(self.by, three, dict(self.shows))


def distinct(parses: Sequence[Parse]) -> list[Parse]:
    """The best parses of each sense; without this, their number would grow with every word."""
    by_sense: dict[tuple[Any, ...], dict[tuple[int, ...], Parse]] = {}
    for parse in parses:
        by_sense.setdefault(parse.sense, {}).setdefault(parse.ranks, parse)
    best = (undominated(list(same.values())) for same in by_sense.values())
    return [parse for same in best for parse in sorted(same, key=lambda one: sum(one.ranks))[:_MOST]]


def undominated(parses: Sequence[Parse]) -> list[Parse]:
    """The parses for which no other one matches one word better and none worse."""

    def beaten(one: Parse) -> bool:
        return any(
            other.ranks != one.ranks and all(a <= b for a, b in zip(other.ranks, one.ranks, strict=True))
            for other in parses
        )

    return [parse for parse in parses if not beaten(parse)]
