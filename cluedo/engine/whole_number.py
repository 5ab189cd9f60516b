"""Reads a whole number that a caller gives, which may be of any kind."""

from __future__ import annotations

from operator import index

__all__ = ["whole_number"]


def whole_number(value: object, least: int, most: int | None = None) -> int | None:
    """A whole number in these bounds, perhaps numpy's, as a Python int; None for anything else.

    >>> whole_number(3, 0), whole_number(3, 0, 2), whole_number(3.0, 0), whole_number(True, 0)
    (3, None, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
    return number if least <= number and (most is None or number <= most) else None
