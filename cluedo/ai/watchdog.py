"""A limit on thinking time, checked by a timer of the operating system.

The timer ticks a few times per limit and costs next to nothing; a question that is still unanswered
after a whole limit is interrupted by an exception in the middle of whatever the player does, a
sleep included. Where there is no such timer (outside the main thread, on Windows) nothing can be
interrupted, and the match discards an answer that came too late.
"""

from __future__ import annotations

import signal
import threading
from math import inf
from time import perf_counter
from types import FrameType
from typing import Any

__all__ = ["OutOfTime", "Watchdog"]

_TICKS_PER_LIMIT = 8
_PAUSE = 0.05  # seconds


class OutOfTime(BaseException):
    """Raised inside a player that thinks too long; no ``except Exception`` of a bot swallows it."""


class Watchdog:
    """Interrupts questions that take longer than ``limit`` seconds, which may be infinite.

    Used as a context manager around a match, or around many: inside another ``with`` of the same
    watchdog nothing is armed again. ``deadline`` is when the question being answered has to be done,
    by :func:`time.perf_counter`; infinite between questions.
    """

    __slots__ = ("_armed", "_before", "_depth", "deadline", "limit")

    def __init__(self, limit: float):
        self.limit = limit
        self.deadline = inf
        self._armed = False
        self._depth = 0
        self._before: Any = None

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth > 1:
            return
        able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        # Somebody else's timer, a debugger's or a test runner's, is left alone.
        if self.limit < inf and able and signal.getitimer(signal.ITIMER_REAL)[0] == 0:
            self._armed = True
            self._before = signal.signal(signal.SIGALRM, self._tick)
            tick = self.limit / _TICKS_PER_LIMIT
            signal.setitimer(signal.ITIMER_REAL, tick, tick)

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._armed and not self._depth:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
            self._armed = False

    def _tick(self, _signum: int, _frame: FrameType | None) -> None:
        now = perf_counter()
        if now > self.deadline:
            # Not again before the first is handled; but again, if the player swallows it and goes on.
            self.deadline = now + _PAUSE
            raise OutOfTime
