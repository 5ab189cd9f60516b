"""Rewards of learners: for the result of a game, and for each bit learnt about the envelope."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import Final

from cluedo.ai.knowledge.models import UNIFORM
from cluedo.ai.knowledge.seat_knowledge import SeatKnowledge
from cluedo.engine.errors import SetupError, short_repr
from cluedo.engine.game import Result
from cluedo.engine.view import PlayerView

__all__ = ["LOSS", "WIN", "BitsLearned", "check_bits", "worth"]

WIN: Final = 1.0
LOSS: Final = -1.0
"""Nobody's win is everybody's loss, so that nothing is gained by waiting, as long as a learner does not discount."""


def check_bits(bits: object) -> None:
    """Raise :class:`SetupError` unless the reward for each bit is a number."""
    if not isinstance(bits, Real) or not isfinite(bits):
        raise SetupError("bits is a finite number, not {what}", what=short_repr(bits))


def worth(result: Result, seat: int) -> float:
    """The reward of a seat for the result of a game."""
    return WIN if seat == result.winner else LOSS


class BitsLearned:
    """Counts the bits that a seat learns about the envelope, by exact odds under the model `uniform`."""

    def __init__(self, view: PlayerView):
        self._known = SeatKnowledge.of(view, UNIFORM)
        self._open = self._known.bits

    def since(self, view: PlayerView) -> float:
        """The bits learned since the last call; 0 while there are too many deals to count."""
        self._known.read(view)
        before, now = self._open, self._known.bits
        if now is not None:
            self._open = now
        return 0.0 if before is None or now is None else before - now
