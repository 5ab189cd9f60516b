"""A clock for the time that a person has for a turn, or to show a card."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

__all__ = ["TurnClock"]


class TurnClock:
    """A clock that restarts when another player or another turn begins.

    Attributes:
        now: tells the time in seconds, which goes on while no server runs.
    """

    def __init__(self, now: Callable[[], float] = time.time):
        self.now = now
        self._whose: tuple[int, int, int] | None = None
        self._deadline = 0.0

    @property
    def left(self) -> float | None:
        """The seconds left; None while nobody's time runs."""
        return None if self._whose is None else max(0.0, self._deadline - self.now())

    def run(self, whose: tuple[int, int, int], seconds: float) -> None:
        """Let a time in seconds run for a turn (game, turn and seat); if it runs already, it goes on.

        No more than these seconds are left, also where the clock of the system has been put back.
        """
        latest = self.now() + seconds
        self._deadline = min(self._deadline, latest) if whose == self._whose else latest
        self._whose = whose

    def stop(self) -> None:
        """Nobody's time runs."""
        self._whose = None

    def to_json(self) -> list[float] | None:
        """Whose time runs, and until when; None while nobody's does."""
        return None if self._whose is None else [*self._whose, self._deadline]

    def restore(self, kept: Sequence[float] | None) -> None:
        """Go on as :meth:`to_json` tells."""
        if kept is not None:
            game, turn, seat, self._deadline = kept
            self._whose = int(game), int(turn), int(seat)
