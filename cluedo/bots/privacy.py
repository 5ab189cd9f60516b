"""Closes the memory of a process that holds secrets to the programs that it starts."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Final

__all__ = ["close_memory"]

_DUMPABLE: Final = 4  # PR_SET_DUMPABLE of prctl(2)


@cache
def close_memory() -> None:
    """Let no other process of the same user read the memory of this one, from now on; on Linux alone.

    The superuser still may, and debuggers and profilers that are not the superuser's can no longer look inside. What
    this process starts is not affected (proc(5), ptrace(2)).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DUMPABLE, 0, 0, 0, 0)
