"""``cluedo replay``."""

from __future__ import annotations

import typer

__all__ = ["replay"]


def replay() -> None:
    """To come."""
    raise typer.Exit(2)
