"""``cluedo autoplay``."""

from __future__ import annotations

import typer

__all__ = ["autoplay"]


def autoplay() -> None:
    """To come."""
    raise typer.Exit(2)
