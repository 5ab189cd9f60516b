"""What the places are called where people read: the players by their names, the others in the language spoken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from cluedo.engine.phrase import Phrase
from cluedo.language import tr

__all__ = ["envelope_first", "titles"]

T = TypeVar("T")


def titles(places: Sequence[str]) -> list[str]:
    """The names of places (of a setting or an evidence) as people read them."""
    return [tr(place) if isinstance(place, Phrase) else place for place in places]


def envelope_first(by_place: Sequence[T]) -> list[T]:
    """What is known by place in the order of a sheet: first the envelope, which comes last everywhere else."""
    *others, envelope = by_place
    return [envelope, *others]
