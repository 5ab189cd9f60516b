"""Ctrl-C or SIGTERM during games: it is noted, and takes effect between two games, so that finished games are kept."""

from __future__ import annotations

import signal
import threading
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Any, Final

__all__ = ["Interrupt"]

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
"""What a person at a terminal sends, and what ends a job of a cluster, or a container."""


class _AtOnce:
    """Whether SIGINT raises: within ``with``. Entered once a game, so it is no generator."""

    raises = False

    def __enter__(self) -> None:
        self.raises = True

    def __exit__(self, *_: object) -> None:
        self.raises = False


class Interrupt:
    """Within ``with interrupt:`` a SIGINT or SIGTERM is remembered for :meth:`wanted` and raises nothing.

    Only inside :meth:`at_once` it also raises ``KeyboardInterrupt``, for what may take long. Outside
    the main thread, where Python hears no signals, and where one is ignored (``nohup``), nothing
    is changed.

    Attributes:
        armed: whether SIGINT is being listened to, so that a ``KeyboardInterrupt`` that was not
            wanted comes from somewhere else.
    """

    def __init__(self) -> None:
        self.armed = False
        self._wanted = False
        self._at_once = _AtOnce()
        self._before: dict[int, Any] = {}

    @classmethod
    def never(cls) -> Interrupt:
        """An interrupt that never comes, for workers: a KeyboardInterrupt there is raised by a player."""
        interrupt = cls()
        interrupt.armed = True
        return interrupt

    def wanted(self) -> bool:
        """Whether somebody has asked for an end."""
        return self._wanted

    def by_a_person(self) -> bool:
        """Whether a KeyboardInterrupt raised now may come from a SIGINT; one that is ignored raises nothing."""
        deaf = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
        return self._wanted or not (self.armed or deaf)

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            heard = [signum for signum in _SIGNALS if signal.getsignal(signum) != signal.SIG_IGN]
            self._before = {signum: signal.signal(signum, self._note) for signum in heard}
            self.armed = signal.SIGINT in heard
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for signum, handler in self._before.items():
            signal.signal(signum, handler)
        self._before, self.armed = {}, False

    def at_once(self) -> AbstractContextManager[None]:
        """Within it, they raise as well."""
        return self._at_once

    def _note(self, signum: int, _frame: FrameType | None) -> None:
        if self._wanted:
            # Asked again, while somebody's player swallows what is raised: the next one ends the process.
            signal.signal(signum, signal.SIG_DFL)
        self._wanted = True
        if self._at_once.raises:
            raise KeyboardInterrupt
