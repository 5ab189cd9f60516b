"""The error for a library that is not installed, because it comes with an extra."""

from __future__ import annotations

from cluedo.engine.errors import SetupError

__all__ = ["MissingExtra", "missing"]


class MissingExtra(SetupError, ImportError):
    """A library is missing that comes with an extra."""


def missing(extra: str) -> MissingExtra:
    """The error for an extra."""
    return MissingExtra("this needs the extra {extra}: pip install 'cluedo[{extra}]'", extra=extra)
