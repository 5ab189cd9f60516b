"""How near the others are to winning, from what everybody at the table can see."""

from __future__ import annotations

import math

from cluedo.engine.cards import Triple
from cluedo.engine.events import Accused, HypothesisMade, Shown, TurnEnded
from cluedo.engine.view import PlayerView

__all__ = ["PATIENCE", "Race"]

PATIENCE = 4.0
"""How many rounds certainty is thought to be away, for who weighs a guess against waiting."""

# Set by eye to how often seats won in 33,000 turns of `hard` and `expert` on manoir, 3, 4 and 6 players; no
# regression stands behind the digits. The logarithm of the odds that a seat wins in a turn, by the hypotheses
# that it has made (h) and how many of them nobody answered (u). Of the turns of seats with u = 0 it won 0.2 %
# at h = 2, 4 % at 4, 16 % at 6; with u = 1, 13 % at 2, 35 % at 4, 55 % at 6 (4 players).
_START, _EACH = -7.4, 1.05
_START_UNANSWERED, _EACH_UNANSWERED, _MORE_UNANSWERED = -2.8, 0.5, 1.2
_ABLE = 0.8  # the probability, before the first turn, that a seat draws every conclusion
_CARDS = 18  # cards in hands on the board that these were set on


class Race:
    """Counts every seat's hypotheses, and those that nobody answered, from the views of a seat.

    Attributes:
        asked: by seat, hypotheses made.
        unanswered: by seat, how many of them nobody answered.
        passed_over: the triples that nobody answered and whose asker then did not accuse: had they been
            the envelope, the asker would probably have known.
    """

    __slots__ = ("_able", "_cards", "_open", "_read", "_scale", "asked", "passed_over", "unanswered")

    def __init__(self, view: PlayerView):
        seats = view.table.seats
        self.asked = [0] * seats
        self.unanswered = [0] * seats
        self.passed_over: set[Triple] = set()
        self._able = [_ABLE] * seats
        self._open = -1
        self._cards: Triple = (-1, -1, -1)
        self._read = 0
        # Three at a table learn less from each hypothesis; fewer cards are known sooner.
        self._scale = min(seats / 4, 1.0) * _CARDS / sum(view.table.hand_sizes)

    def read(self, view: PlayerView) -> None:
        """Take in what happened since the last view."""
        for event in view.events_since(self._read):
            self._read += 1
            match event:
                case HypothesisMade(seat):
                    self.asked[seat] += 1
                    self._open, self._cards = seat, event.cards
                case Shown():
                    self._open = -1
                case Accused():
                    if self._open >= 0:
                        self.unanswered[self._open] += 1
                        self._open = -1
                case TurnEnded(seat):
                    self._end_turn(seat, view.seat)

    def _end_turn(self, seat: int, me: int) -> None:
        """A seat ends its turn, without having won; ``me`` is whose eyes these are."""
        if self._open >= 0:
            self.unanswered[seat] += 1
            if seat != me:
                self.passed_over.add(self._cards)
            self._open = -1
        # Who could have won and did not is a little less likely to be able to.
        missed = self._able[seat] * (1.0 - self._chance(seat))
        self._able[seat] = missed / (missed + 1.0 - self._able[seat])

    def hazard(self, seat: int) -> float:
        """The probability that the seat wins in its next turn."""
        return self._able[seat] * self._chance(seat)

    def _chance(self, seat: int) -> float:
        """The same for a seat that draws every conclusion."""
        asked, unanswered = self.asked[seat] * self._scale, self.unanswered[seat]
        odds = _START + _EACH * asked
        if unanswered:
            odds = max(odds + _EACH, _START_UNANSWERED + _EACH_UNANSWERED * asked) + _MORE_UNANSWERED * (unanswered - 1)
        return 1.0 / (1.0 + math.exp(-odds))

    def survival(self, view: PlayerView) -> float:
        """The probability that nobody but the viewer wins in a round."""
        safe = 1.0
        for seat in range(len(self.asked)):
            if seat != view.seat and not view.eliminated >> seat & 1:
                safe *= 1.0 - self.hazard(seat)
        return safe
