"""``cluedo levels``."""

from __future__ import annotations

import typer

__all__ = ["levels"]


def levels() -> None:
    """To come."""
    raise typer.Exit(2)
