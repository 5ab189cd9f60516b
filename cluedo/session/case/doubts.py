"""What is unlikely about an entry, though it can have happened: most often somebody has mistyped."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.entries import Entry
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Peeked

__all__ = ["Doubt", "doubts", "next_in_turn"]


class Doubt(Enum):
    """A reason to ask again."""

    TWICE = auto()
    ELIMINATED = auto()
    OUT_OF_TURN = auto()


def doubts(setting: Setting, entries: Sequence[Entry], entry: Entry) -> list[Doubt]:
    """What is doubtful about one more entry after these."""
    found = []
    last = entries[-1] if entries else None
    if entry == last:
        found.append(Doubt.TWICE)
    if entry.by in _eliminated(entries) and not isinstance(entry.head, HandShown):
        found.append(Doubt.ELIMINATED)
    elif not found and last is not None and _jumps(setting, entries, entry):
        found.append(Doubt.OUT_OF_TURN)
    return found


def next_in_turn(setting: Setting, entries: Sequence[Entry]) -> int:
    """The seat whose turn follows that of the last entry."""
    return _following(setting, entries)[0]


def _following(setting: Setting, entries: Sequence[Entry]) -> list[int]:
    """The seats that are in play, in turn order, from the one after the last entry on."""
    seats, out = len(setting.names), _eliminated(entries)
    order = [(entries[-1].by + step) % seats for step in range(1, seats + 1)]
    return [seat for seat in order if seat not in out] or order


def _eliminated(entries: Sequence[Entry]) -> set[int]:
    return {entry.by for entry in entries if isinstance(entry.head, Accused) and not entry.head.correct}


def _goes_on(last: Entry, entry: Entry) -> bool:
    """Whether an entry can be of the same turn as the last, by the same player."""
    match last.head, entry.head:
        case Accused(), HandShown():
            return True
        case HypothesisMade(), Peeked():
            return True
        case ((HypothesisMade() | Peeked()), Accused()):
            return True
        case Peeked(), HypothesisMade():
            return True  # a look that the starting player begins with
    return False


def _jumps(setting: Setting, entries: Sequence[Entry], entry: Entry) -> bool:
    """Whether too many turns would have passed without an entry.

    Where pawns walk, a turn without a hypothesis is common: only then is it strange if more than half of the others
    have had one. Where everybody enters any room they like, nobody is left out.
    """
    last = entries[-1]
    if entry.by == last.by and _goes_on(last, entry):
        return False  # in the same turn
    following = _following(setting, entries)
    skipped = following.index(entry.by)
    return skipped > (len(following) - 1) / 2 if setting.walks else skipped > 0
