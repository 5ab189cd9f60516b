"""The evidence of somebody who sits at the table of a game: from views to facts."""

from __future__ import annotations

from cluedo.ai.knowledge.evidence import (
    Asked,
    Evidence,
    FailedAccusation,
    Pass,
    Refutation,
    RightAccusation,
    Shown,
    Triple,
)
from cluedo.engine.events import Accused, HypothesisMade, Passed, TurnEnded
from cluedo.engine.events import Shown as CardShown
from cluedo.engine.view import PlayerView

__all__ = ["Witness"]


class Witness:
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
            names=[table.name(seat) for seat in range(table.seats)],
            free=table.free,
        )
        self._read = 0
        self._turn = 1
        self._cards: Triple = (-1, -1, -1)
        self.read(view)

    def read(self, view: PlayerView) -> Evidence:
        """Take in what happened since the last view; returns the evidence."""
        add = self.evidence.add
        for event in view.events_since(self._read):
            self._read += 1  # at once: whoever is interrupted here reads no event twice
            match event:
                case HypothesisMade():
                    self._cards = event.cards
                    add(Asked(self._turn, event.seat, self._cards))
                case Passed():
                    add(Pass(self._turn, event.seat, self._cards))
                case CardShown(seat, asker, card):
                    if card is None:
                        add(Refutation(self._turn, seat, self._cards))
                    else:
                        add(Shown(self._turn, seat, card, self._cards, asker))
                case Accused():
                    verdict = RightAccusation if event.correct else FailedAccusation
                    add(verdict(self._turn, event.seat, event.cards))
                case TurnEnded():
                    self._turn += 1
        return self.evidence
