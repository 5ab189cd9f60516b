"""The channels of a process in which somebody else's code runs."""

from __future__ import annotations

import os
import sys
from typing import IO

from cluedo.bots.privacy import close_memory

__all__ = ["take_channels"]


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
