"""The command line: commands, prompts and plain text."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

from cluedo.engine.ctrl_c import INTERRUPTED, end_at_once, postpone_interrupt

__all__ = ["main"]

_STDERR = 2
"""The highest file number of a standard stream."""


def main() -> None:
    """Run the command line: exit 2 with one sentence for what the user can mend, 130 for Ctrl-C."""
    _open_closed_streams()
    for stream in (sys.stdin, sys.stdout):
        # A letter that an old encoding cannot hold is no reason to stop; standard error escapes it by itself.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        with postpone_interrupt():
            from cluedo.cli import app  # a quarter of a second
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    try:
        app.main()
    finally:
        end_at_once()


def _open_closed_streams() -> None:
    """Open the null device for a standard stream that is closed: another file would get its number."""
    with suppress(OSError):
        while (number := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
            pass
        os.close(number)
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
