"""Keeps what a process holds from the code of others, in it and in the programs that it starts."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from typing import IO, Final

__all__ = ["close_memory", "take_channels"]

_DUMPABLE: Final = 4  # PR_SET_DUMPABLE of prctl(2)


@cache
def close_memory() -> None:
    """Let no other process of the same user read the memory of this one, from now on; on Linux alone.

    The superuser still may, and debuggers and profilers that are not the superuser's can no longer look inside. What
    this process starts is not affected (proc(5), ptrace(2)).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DUMPABLE, 0, 0, 0, 0)


def take_channels() -> tuple[IO[bytes], IO[bytes]]:
    """What comes over standard input and goes to standard output, taken from where players would find them.

    From then on standard input is empty, and what is printed goes to standard error. Bots of other seats cannot read
    the memory of this process.
    """
    close_memory()
    sys.stdout.flush()
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing
