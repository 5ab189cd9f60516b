"""Handles Ctrl-C where a ``KeyboardInterrupt`` does harm: in imports, in what does not stop for it, at Python's end."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

__all__ = ["INTERRUPTED", "end_at_once", "killed_by_interrupt", "postpone_interrupt"]

INTERRUPTED: Final = 130
"""Exit code of a process that Ctrl-C ended, as shells have it."""


@contextmanager
def postpone_interrupt() -> Iterator[None]:
    """Put imports into this ``with``: a Ctrl-C is raised only after them; a second one ends the process at once.

    In the midst of an import it would come as whatever the module makes of it, such as pydantic's SchemaError.
    """
    if not _raises():
        yield
        return
    pressed = False

    def note(_signum: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt


@contextmanager
def killed_by_interrupt() -> Iterator[None]:
    """Let a Ctrl-C end the process at once inside the ``with``.

    For what goes on though a ``KeyboardInterrupt`` was raised, a thread or a library, and leaves nothing half done.
    """
    if not _raises():
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_at_once() -> None:
    """While Python ends, which may wait for a bot's process, let Ctrl-C end it at once and without a message."""
    atexit.register(_listen_no_more)  # the last that is registered is the first that is called


def _listen_no_more() -> None:
    if _raises():
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))


def _raises() -> bool:
    """Whether a Ctrl-C is raised here as Python does it, and is neither ignored nor somebody else's."""
    in_main = threading.current_thread() is threading.main_thread()
    return in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
