"""Parts of the screens on which something is set up."""

from __future__ import annotations

from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Label

__all__ = ["row"]


def row(label: str, *fields: Widget, id: str | None = None, classes: str = "") -> Horizontal:
    """A line of a form: what is to be chosen, and the fields for it."""
    return Horizontal(Label(label), *fields, id=id, classes=f"row {classes}")
