"""The faces of the program: commands, prompts and plain text."""

from __future__ import annotations

import sys

from cluedo.engine.ctrl_c import INTERRUPTED, ends_at_once_from_here, held

__all__ = ["main"]


def main() -> None:
    """Run the command line: exit 2 with one sentence for what the user can mend, 130 for Ctrl-C."""
    try:
        with held():
            from cluedo.cli import app  # a quarter of a second
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    try:
        app.main()
    finally:
        ends_at_once_from_here()
