"""Work for the processes of a site, which have to import nothing else for it."""

from __future__ import annotations

import time
from pathlib import Path


def wait_for(file: Path) -> None:
    """Get ready as soon as there is a file."""
    while not file.exists():
        time.sleep(0.01)


def for_ever(*_: object) -> None:
    """Work that has no end."""
    while True:
        pass
