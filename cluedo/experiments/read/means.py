"""Means of what observers noted, by level: in memory that does not grow, and the same in any order of the chunks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypedDict

import numpy as np

from cluedo.experiments.play.observer import ObservedColumn
from cluedo.experiments.play.rows import Column, ResultRows

__all__ = ["Means"]


class _Observed(TypedDict, total=False):
    observed: dict[str, float | None]


class Means:
    """Counts the columns of observers.

    Args:
        observed: the columns.
    """

    def __init__(self, observed: Sequence[ObservedColumn] = ()):
        self.observed = tuple(observed)
        # Fractions are exact, so that the order in which chunks come does not show in the last digits.
        self._sums: defaultdict[tuple[str, str | None], Fraction] = defaultdict(Fraction)
        self._counts: defaultdict[tuple[str, str | None], int] = defaultdict(int)

    @classmethod
    def of(cls, several: Iterable[Means]) -> Means:
        """All of these together; they are of the same columns."""
        whole = cls()
        for means in several:
            whole.observed = means.observed
            for key, total in means._sums.items():
                whole._sums[key] += total
                whole._counts[key] += means._counts[key]
        return whole

    def add(self, rows: ResultRows, line_up: Sequence[str]) -> None:
        """Count some results of a line-up."""
        for column in self.observed:
            if column.per == "game":
                self._add(column.name, None, rows.by_game[column.name])
                continue
            values, place = rows.by_seat[column.name], rows.by_seat["place"]
            for level in dict.fromkeys(line_up):
                places = [k for k, text in enumerate(line_up) if text == level]
                self._add(column.name, level, values[np.isin(place, places)])

    def entry(self, level: str | None) -> _Observed:
        """For a summary: the means of a level, or with None those of whole games; nothing if there are no such."""
        per = "game" if level is None else "seat"
        found = {column.name: self.mean(column.name, level) for column in self.observed if column.per == per}
        return {"observed": found} if found else {}

    def mean(self, name: str, level: str | None) -> float | None:
        """The mean of a column over the seats of a level, or over games; None if all is NULL."""
        count = self._counts[name, level]
        return float(self._sums[name, level] / count) if count else None

    def _add(self, name: str, level: str | None, values: Column) -> None:
        known = values[~np.isnan(values)]
        self._sums[name, level] += Fraction(float(known.sum()))
        self._counts[name, level] += known.size
