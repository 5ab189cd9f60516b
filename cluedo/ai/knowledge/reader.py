"""Reads the views of a seat into evidence: what somebody who sits there knows of the deal."""

from __future__ import annotations

from cluedo.ai.knowledge.evidence import Evidence, Fact
from cluedo.engine.cards import Triple
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import (
    Accused,
    HandShown,
    HypothesisMade,
    Moved,
    PassageTaken,
    Passed,
    Peeked,
    Rolled,
    Shown,
    Stayed,
    TurnEnded,
)
from cluedo.engine.view import PlayerView

__all__ = ["EvidenceReader"]

_MOVES = frozenset((Rolled, Moved, PassageTaken, Stayed))
"""The events that say nothing of the cards."""


class EvidenceReader:
    """Reads the views of one seat, one after another, into one :class:`Evidence` that grows.

    Attributes:
        evidence: what the seat knows up to the last view read.
    """

    __slots__ = ("_cards", "_read", "_turn", "evidence")

    def __init__(self, view: PlayerView):
        table = view.table
        self.evidence = Evidence(
            table.deck,
            table.hand_sizes,
            view.seat,
            view.hand,
            names=table.names,
            free=table.free,
            pool_size=table.pool_size,
            open_cards=table.open_cards,
            rules=table.rules,
        )
        self._read = 0
        self._turn = 1
        self._cards: Triple = (-1, -1, -1)
        self.read(view)

    def read(self, view: PlayerView) -> Evidence:
        """Take in what happened since the last view; returns the evidence.

        Raises:
            CluedoError: the view is of another seat or game, or older, as after an undo.
        """
        evidence, read = self.evidence, self._read
        if view.time < read or view.seat != evidence.me or view.hand != evidence.hand:
            raise CluedoError(
                "only later views of the same seat and game can be read; this one is of seat {seat} after {time} "
                "events, and seat {me} was read up to event {read}",
                seat=view.seat,
                time=view.time,
                me=evidence.me,
                read=read,
            )
        add = evidence.add
        for event in view.events_since(read):
            self._read += 1  # at once: whoever is interrupted here reads no event twice
            if type(event) in _MOVES:  # half of all events, asked for in one step
                continue
            match event:
                case HypothesisMade():
                    self._cards = event.cards
                    add(Fact(self._turn, event, self._cards))
                case Passed() | Shown():
                    add(Fact(self._turn, event, self._cards))
                case Accused():
                    add(Fact(self._turn, event, event.cards))
                case Peeked() | HandShown():
                    add(Fact(self._turn, event))
                case TurnEnded():
                    self._turn += 1
        return evidence
