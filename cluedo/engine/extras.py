"""The error for a library that is not installed, because it comes with an extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cluedo.engine.errors import SetupError

__all__ = ["MissingExtra", "needs_extra"]


class MissingExtra(SetupError, ImportError):
    """A library is missing that comes with an extra."""


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Import libraries of an extra inside the ``with``; raises :class:`MissingExtra` if one is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "cluedo":
            raise
        raise MissingExtra("this needs the extra {extra}: pip install 'cluedo[{extra}]'", extra=extra) from error
