"""Whether the terminal can show a full screen, or has to be talked to line by line."""

from __future__ import annotations

import os
import sys

from rich.console import Console

__all__ = ["fits_full_screen"]

_LEAST_COLUMNS, _LEAST_LINES = 80, 24


def fits_full_screen() -> bool:
    """A terminal for input and output, with colours that are wanted, at least 80 x 24."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return False
    try:
        size = os.get_terminal_size(sys.stdout.fileno())  # not COLUMNS and LINES, which outlive a resize
    except (OSError, ValueError):
        return False
    if size.columns < _LEAST_COLUMNS or size.lines < _LEAST_LINES:
        return False
    return Console().color_system is not None
