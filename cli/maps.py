"""``cluedo maps``."""

from __future__ import annotations

import typer

__all__ = ["maps_app"]

maps_app = typer.Typer(help="The boards.")
