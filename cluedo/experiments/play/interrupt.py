"""Ctrl-C during games: it is noted, and takes effect between two games, so that finished games are kept."""

from __future__ import annotations

import signal
import threading
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Any

__all__ = ["Interrupt"]


class _AtOnce:
    """Whether SIGINT raises: within ``with``. Entered once a game, so it is no generator."""

    raises = False

    def __enter__(self) -> None:
        self.raises = True

    def __exit__(self, *_: object) -> None:
        self.raises = False


class Interrupt:
    """Within ``with interrupt:`` a SIGINT is remembered for :meth:`wanted` and raises nothing.

    Only inside :meth:`at_once` it also raises ``KeyboardInterrupt``, for what may take long. Outside
    the main thread, where Python hears no signals, and where SIGINT is ignored (``nohup``), nothing
    is changed.

    Attributes:
        armed: whether SIGINT is being listened to, so that a ``KeyboardInterrupt`` that was not
            wanted comes from somewhere else.
    """

    def __init__(self) -> None:
        self.armed = False
        self._wanted = False
        self._at_once = _AtOnce()
        self._before: Any = None

    @classmethod
    def never(cls) -> Interrupt:
        """An interrupt that never comes, for workers: a KeyboardInterrupt there is raised by a player."""
        interrupt = cls()
        interrupt.armed = True
        return interrupt

    def wanted(self) -> bool:
        """Whether somebody has pressed Ctrl-C."""
        return self._wanted

    def by_a_person(self) -> bool:
        """Whether a KeyboardInterrupt raised now may come from a SIGINT; one that is ignored raises nothing."""
        deaf = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
        return self._wanted or not (self.armed or deaf)

    def __enter__(self) -> Interrupt:
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            self._before = signal.signal(signal.SIGINT, self._note)
            self.armed = True
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.armed:
            signal.signal(signal.SIGINT, self._before)
            self.armed = False

    def at_once(self) -> AbstractContextManager[None]:
        """Within it, SIGINT raises as well."""
        return self._at_once

    def _note(self, _signum: int, _frame: FrameType | None) -> None:
        if self._wanted:
            # Asked again, while somebody's player swallows what is raised: the next one ends the process.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        self._wanted = True
        if self._at_once.raises:
            raise KeyboardInterrupt
