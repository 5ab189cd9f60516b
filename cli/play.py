"""``cluedo play``."""

from __future__ import annotations

import typer

__all__ = ["play"]


def play() -> None:
    """To come."""
    raise typer.Exit(2)
