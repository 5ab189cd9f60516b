"""Sentences that can be translated later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

__all__ = ["Phrase", "all_of", "listed", "one_of", "percentage"]


class Phrase(str):
    """An English text that keeps its template and values, so that it can be translated.

    Wherever a text is wanted it is one. A face that speaks another language says ``pattern`` in that
    language instead, with ``values`` in its places; values that are phrases are said the same way.

    Args:
        pattern: the text, with ``{places}`` as for :meth:`str.format` where there are values.
        values: what stands in the places.

    >>> phrase = Phrase("no {kind} is called {name!r}", kind="card", name="Rpoe")
    >>> print(phrase)
    no card is called 'Rpoe'
    >>> phrase.pattern
    'no {kind} is called {name!r}'
    """

    __slots__ = ("pattern", "values")

    pattern: str
    values: dict[str, Any]

    def __new__(cls, pattern: str, /, **values: object) -> Self:
        phrase = super().__new__(cls, pattern.format(**values) if values else pattern)
        phrase.pattern, phrase.values = pattern, values
        return phrase

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.pattern,), self.values


def all_of(names: Sequence[str]) -> str:
    """``a, b and c``."""
    *most, last = names
    return Phrase("{most} and {last}", most=", ".join(most), last=last) if most else last


def one_of(names: Sequence[str]) -> str:
    """``a, b or c``."""
    *most, last = names
    return Phrase("{most} or {last}", most=", ".join(most), last=last) if most else last


def listed(sentences: Sequence[str]) -> str:
    """``a; b; c``, each of which can still be translated."""
    first, *rest = sentences
    return Phrase("{first}; {rest}", first=first, rest=listed(rest)) if rest else first


def percentage(p: float) -> Phrase:
    """A probability in per cent as people read it: whole, but with one decimal below 1 % and above 99 %.

    Only proofs are 0 or 100.

    >>> [str(percentage(p)) for p in (0.0, 0.0001, 0.003, 0.4, 0.9999, 1.0)]
    ['0 %', '<0.1 %', '0.3 %', '40 %', '>99.9 %', '100 %']
    """
    points = 100 * p
    if 0.0 < points < 0.05:
        return Phrase("<{points:g} %", points=0.1)
    if 99.95 < points < 100.0:
        return Phrase(">{points:g} %", points=99.9)
    if p in (0.0, 1.0) or 0.95 <= points <= 99.05:
        return Phrase("{points:g} %", points=round(points))
    return Phrase("{points:g} %", points=min(max(round(points, 1), 0.1), 99.9))
