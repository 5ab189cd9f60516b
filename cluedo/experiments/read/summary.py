"""Counts of results: by level, with the means of what observers noted, and as the summary of a batch."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from cluedo import __version__
from cluedo.engine.file_io import FORMAT
from cluedo.experiments.plan.part import Part
from cluedo.experiments.read.counts import Pair, Share, Standing
from cluedo.experiments.read.head_to_head import HeadToHead, likelihood
from cluedo.experiments.read.stats import SHARES, Counts, RatioSums
from cluedo.experiments.rows.observer import ObservedColumn
from cluedo.experiments.rows.result_rows import REASONS, Column, ResultRows

__all__ = ["FirstFault", "Means", "Tally", "standings"]


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
        """The sum of several counts of the same columns."""
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

    def entry(self, level: str | None) -> dict[str, dict[str, float | None]]:
        """The means of a level for a summary, or of whole games for None; empty if there are none."""
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


class FirstFault(NamedTuple):
    """A level's first fault: in which game of the part, in which turn, and what it was."""

    game: int
    turn: int
    text: str


class Tally:
    """Counts the results of one part, in any order of its chunks.

    Args:
        part: the part.
        observed: the columns of observers that its rows have.

    Attributes:
        means: what observers noted, on average.
        games: how many were added.
        faults: by player text.
        first_faults: by player text, for levels that have any: the one of the earliest game.
    """

    def __init__(self, part: Part, observed: Sequence[ObservedColumn] = ()):
        self.part = part
        self.means = Means(observed)
        self.games = 0
        self.faults: Counter[str] = Counter()
        self.first_faults: dict[str, FirstFault] = {}
        self._reasons = dict.fromkeys(REASONS, 0)
        self._turns = 0
        self._played = np.zeros(0, np.int64)  # by deal, the games of it
        self._wins = {level: np.zeros(0, np.int64) for level in part.line_up}  # by deal, those that a level won

    def add(self, rows: ResultRows) -> None:
        """Count some results of whole deals."""
        line_up = self.part.line_up
        seats = len(line_up)
        self.games += rows.games
        self.means.add(rows, line_up)
        self._turns += int(rows.by_game["turns"].sum())
        first = int(rows.by_game["game"][0]) // seats
        self._played = _added(self._played, rows.games_by_deal(seats), first)
        for level, won in self._wins.items():
            self._wins[level] = _added(won, rows.wins_by_deal(line_up, level), first)
        for reason, count in enumerate(np.bincount(rows.by_game["reason"], minlength=len(REASONS))):
            self._reasons[REASONS[reason]] += int(count)
        place, faults, texts, turns = (rows.by_seat[name] for name in ("place", "faults", "fault", "fault_turn"))
        for k, seat in np.argwhere(faults):
            level = line_up[place[k, seat]]
            self.faults[level] += int(faults[k, seat])
            fault = FirstFault(int(rows.by_game["game"][k]), int(turns[k, seat]), texts[k, seat])
            self.first_faults[level] = min(self.first_faults.get(level, fault), fault)

    def head_to_head(self) -> HeadToHead | None:
        """How the players of a line-up of two kinds compare; None for other line-ups, and before the first win."""
        pair = self._pair()
        return HeadToHead.of(pair) if pair is not None and (pair.wins_a.any() or pair.wins_b.any()) else None

    def leader(self) -> tuple[str, float] | None:
        """Of two kinds of players the one who leads, and how likely it is the stronger one; quickly."""
        pair = self._pair()
        if pair is None or self.part.two_kinds is None:
            return None
        chance = likelihood(pair)
        return self.part.two_kinds[chance < 0.5], max(chance, 1 - chance)

    def summary(self, *, stopped: bool = False) -> dict[str, Any]:
        """The summary of what was added; at least one game is needed.

        ``stopped`` says that a stopping rule has saved the games that are missing.
        """
        part = self.part
        return {
            "format": FORMAT,
            "version": __version__,
            "map": part.map,
            "rules": part.rules.model_dump(),
            "seed": part.seed,
            "seed_secret": part.seed_secret,
            "games": self.games,
            "deals": int(np.count_nonzero(self._played)),
            "line_up": list(part.line_up),
            "interrupted": self.games < part.games and not stopped,
            "players": {standing.level: self._player(standing) for standing in standings([self])},
            "unsolved": self._reasons["unsolved"],
            "unfinished": self._reasons["unfinished"],
            "mean_turns": self._turns / self.games,
            **self.means.entry(None),
        }

    def _pair(self) -> Pair | None:
        """What the two kinds of players of a line-up won, deal by deal."""
        if self.part.two_kinds is None or not self.games:
            return None
        (won_a, seats_a), (won_b, seats_b) = (self.by_deal(level) for level in self.part.two_kinds)
        met = self._played > 0
        return Pair(won_a[met], seats_a[met], won_b[met], seats_b[met], np.full(met.sum(), self.part.seats))

    def by_deal(self, level: str) -> tuple[Counts, Counts]:
        """By deal, the games that one of the levels won, and its seats: two arrays, 0 where none was played."""
        return self._wins[level], self._played * self.part.line_up.count(level)

    def _player(self, standing: Standing) -> dict[str, Any]:
        level, won = standing.level, sum(int(wins.sum()) for wins in self._wins.values())
        first = self.first_faults.get(level)
        return {
            "seats": standing.seats,
            "wins": standing.wins,
            "win_share": standing.wins / won if won else None,
            "win_rate": standing.win_rate,
            "fair_share": standing.fair_share,
            "ci95": standing.ci95,
            "faults": standing.faults,
            "first_fault": None if first is None else first._asdict(),
            **self.means.entry(level),
        }


def standings(tallies: Iterable[Tally]) -> list[Standing]:
    """How each level did over all parts, in the order in which they first appear."""
    played = [tally for tally in tallies if tally.games]
    levels = dict.fromkeys(level for tally in played for level in tally.part.line_up)
    return [_standing(level, [tally for tally in played if level in tally.part.line_up]) for level in levels]


def _standing(level: str, tallies: Sequence[Tally]) -> Standing:
    """How a level did in some parts; those of as many players have the same deals."""
    strata: list[RatioSums] = []
    fair = 0
    for size in {tally.part.seats for tally in tallies}:
        wins, seats = np.zeros(0, np.int64), np.zeros(0, np.int64)
        for tally in tallies:
            if tally.part.seats == size:
                more_wins, more_seats = tally.by_deal(level)
                wins, seats = _added(wins, more_wins), _added(seats, more_seats)
        strata.append(RatioSums.of(wins[seats > 0], seats[seats > 0]))
        fair += strata[-1].trials * (SHARES // size)
    won = Share.of(strata)
    faults = sum(tally.faults[level] for tally in tallies)
    return Standing.of(level, won, fair, faults)


def _added(total: Counts, more: Counts, first: int = 0) -> Counts:
    """Numbers to which more are added from the ``first`` on; there may be more of them then."""
    end = first + len(more)
    if end > len(total):  # twice as many, so that chunk after chunk does not copy them all
        total = np.concatenate([total, np.zeros(max(end, 2 * len(total)) - len(total), np.int64)])
    total[first:end] += more
    return total
