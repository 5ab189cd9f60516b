"""Everything that a report tells, in numbers: counted once, then drawn and put into words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.experiments.growth import Growth, look_closer
from cluedo.experiments.report.names import short_names
from cluedo.experiments.results import Fault, Pair, Results, Share, Standing
from cluedo.experiments.source import Source
from cluedo.experiments.stats import Z95

__all__ = ["Facts", "Lengths", "Meeting", "gather"]

_MOST_LEVELS: Final = 40
"""Levels between which all pairs are compared."""


class Estimate(NamedTuple):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class Meeting(NamedTuple):
    """Two levels at the same tables.

    Attributes:
        deals: how many deals they shared.
        wins_a, wins_b: games that either won.
        share: a's part of those; None if neither won any.
        fair: what it would be if all seats were alike: a's part of their seats.
        lead: a's win rate per seat less b's.
    """

    deals: int
    wins_a: int
    wins_b: int
    share: Estimate | None
    fair: float
    lead: Estimate

    @property
    def differ(self) -> bool:
        """Whether the interval of the lead leaves zero out."""
        return self.lead.low > 0 or self.lead.high < 0


class Lengths(NamedTuple):
    """How many turns games took: by reason of their end, and over all."""

    by_reason: dict[str, Counter[int]]
    games: int
    mean: float
    median: int
    middle: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a report tells; see the methods of :class:`~cluedo.experiments.results.Results`.

    Attributes:
        names: by level, a short name.
        meetings: by pair of levels, the better one first.
        maps: by map, then by level, games won per seat.
    """

    sources: tuple[Source, ...]
    games: int
    planned: int
    over: bool
    standings: list[Standing]
    names: dict[str, str]
    meetings: dict[tuple[str, str], Meeting]
    maps: dict[str, dict[str, Share]]
    line_ups: list[tuple[str, ...]]
    lengths: Lengths
    by_order: dict[int, dict[int, Share]]
    by_hand: dict[int, dict[int, Share]]
    faults: list[Fault]
    growth: Growth

    @property
    def levels(self) -> list[str]:
        """The levels, the best first."""
        return [entry.level for entry in self.standings]


def gather(results: Results, progress: Callable[[str], None] = lambda text: None) -> Facts:
    """Count everything; ``progress`` is told what is being done."""
    progress("counting")
    standings = results.standings()
    levels = [entry.level for entry in standings]
    progress("comparing")
    meetings = _meetings(results, levels[:_MOST_LEVELS])
    growth = look_closer(results, progress=lambda done, of: progress(f"looking at game {done + 1} of {of}"))
    return Facts(
        sources=results.sources,
        games=results.games(),
        planned=sum(source.manifest.games for source in results.sources),
        over=all(source.over for source in results.sources),
        standings=standings,
        names=short_names(levels),
        meetings=meetings,
        maps=results.standings_by_map(),
        line_ups=sorted({entry.line_up for entry in results.line_ups()}),
        lengths=_lengths(results.lengths()),
        by_order=results.by_order(),
        by_hand={players: hands for players, hands in results.by_hand_size().items() if len(hands) > 1},
        faults=results.first_faults(),
        growth=growth,
    )


def _meetings(results: Results, levels: list[str]) -> dict[tuple[str, str], Meeting]:
    if len(levels) < 2:
        return {}
    deals = results.deals()
    found = {(a, b): deals.pair(a, b) for a, b in combinations(levels, 2)}
    return {levels: _meeting(pair) for levels, pair in found.items() if pair is not None}


def _meeting(pair: Pair) -> Meeting:
    wins_a, seats_a, wins_b, seats_b = (float(values.sum()) for values in pair)
    decided = wins_a + wins_b
    share = _ratio(pair.wins_a, pair.wins_a + pair.wins_b) if decided else None
    lead = wins_a / seats_a - wins_b / seats_b
    pull = (pair.wins_a - wins_a / seats_a * pair.seats_a) / seats_a - (
        pair.wins_b - wins_b / seats_b * pair.seats_b
    ) / seats_b
    return Meeting(
        len(pair.wins_a), int(wins_a), int(wins_b), share, seats_a / (seats_a + seats_b), _around(lead, pull)
    )


def _ratio(part: NDArray[np.int64], whole: NDArray[np.int64]) -> Estimate:
    value = float(part.sum() / whole.sum())
    estimate = _around(value, (part - value * whole) / whole.sum())
    return Estimate(value, max(estimate.low, 0.0), min(estimate.high, 1.0))


def _around(value: float, pull: NDArray[np.float64]) -> Estimate:
    deals = len(pull)
    half = Z95 * math.sqrt(float(pull @ pull) * deals / max(deals - 1, 1))
    return Estimate(value, value - half, value + half)


def _lengths(by_reason: dict[str, Counter[int]]) -> Lengths:
    together: Counter[int] = Counter()
    for counts in by_reason.values():
        together.update(counts)
    games = together.total()
    mean = sum(turns * count for turns, count in together.items()) / games
    low, median, high = (_quantile(together, share) for share in (0.05, 0.5, 0.95))
    return Lengths(by_reason, games, mean, median, (low, high))


def _quantile(counts: Counter[int], share: float) -> int:
    """The least number of turns within which at least this share of the games ended."""
    left = share * counts.total()
    for turns in sorted(counts):
        left -= counts[turns]
        if left <= 0:
            return turns
    return max(counts)
