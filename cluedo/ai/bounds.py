"""What the numbers that are set for a level have to be."""

from __future__ import annotations

from math import inf

from cluedo.engine.errors import PlayerError

__all__ = ["check_number"]


def check_number(name: str, value: float, least: float = -inf, most: float = inf) -> None:
    """Raise :class:`PlayerError` unless a parameter is a finite number in a range.

    Args:
        name: of the parameter.
        value: what it is set to.
        least: the first number of the range; -inf where there is none.
        most: the last one; inf where there is none.
    """
    if -inf < value < inf and least <= value <= most:
        return
    if most < inf:
        raise PlayerError(
            "{name} is a number from {least:,} to {most:,}, not {value:,}",
            name=name,
            least=least,
            most=most,
            value=value,
        )
    if least > -inf:
        raise PlayerError("{name} is a number of {least:,} or more, not {value:,}", name=name, least=least, value=value)
    raise PlayerError("{name} is a finite number, not {value:,}", name=name, value=value)
