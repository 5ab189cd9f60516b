"""A clock for the time that a person has for a turn, or to show a card."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

__all__ = ["TurnClock"]


class TurnClock:
    """A clock that restarts when another player or another turn begins.

    Args:
        now: tells the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = monotonic):
        self._now = now
        self._whose: tuple[int, int, int] | None = None
        self._deadline: float | None = None

    @property
    def left(self) -> float | None:
        """The seconds left; None while nobody's time runs."""
        return None if self._deadline is None else max(0.0, self._deadline - self._now())

    def run(self, whose: tuple[int, int, int], seconds: float) -> None:
        """Let a time in seconds run for a turn (game, turn and seat); if it runs already, it goes on."""
        if whose != self._whose:
            self._whose, self._deadline = whose, self._now() + seconds

    def stop(self) -> None:
        """Nobody's time runs."""
        self._whose = self._deadline = None
