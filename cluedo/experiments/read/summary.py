"""Counts of results: by level, with the means of what observers noted, and as the summary of a batch."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from cluedo import __version__
from cluedo.engine.reading import FORMAT
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.play.observer import ObservedColumn
from cluedo.experiments.play.rows import REASONS, Column, ResultRows
from cluedo.experiments.read.counts import Pair
from cluedo.experiments.read.head_to_head import HeadToHead, likelihood
from cluedo.experiments.read.stats import wilson_interval

__all__ = ["FirstFault", "Means", "Standing", "Tally"]


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


class Standing(NamedTuple):
    """How a level did over several line-ups: seat-games, wins, the wins that a fair share would be, and faults."""

    level: str
    seats: int = 0
    wins: int = 0
    fair_wins: float = 0.0
    faults: int = 0

    @property
    def win_rate(self) -> float:
        """Wins per seat-game."""
        return self.wins / self.seats

    @property
    def fair_share(self) -> float:
        """The win rate if all players of its games were alike."""
        return self.fair_wins / self.seats

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the win rate."""
        return wilson_interval(self.wins, self.seats)


class Tally:
    """Counts the results of one part, in any order of its chunks.

    Args:
        plan: the part.
        observed: the columns of observers that its rows have.

    Attributes:
        means: what observers noted, on average.
        games: how many were added.
        wins, faults: by player text.
        first_faults: by player text, for levels that have any: the one of the earliest game.
    """

    def __init__(self, plan: Plan, observed: Sequence[ObservedColumn] = ()):
        self.plan = plan
        self.means = Means(observed)
        self.games = 0
        self.wins: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.first_faults: dict[str, FirstFault] = {}
        self._reasons = dict.fromkeys(REASONS, 0)
        self._turns = 0
        self._deals = 0
        self._duels: Counter[tuple[int, ...]] = Counter()

    def add(self, rows: ResultRows) -> None:
        """Count some results of whole deals."""
        line_up = self.plan.line_up
        seats = len(line_up)
        self.games += rows.games
        self.means.add(rows, line_up)
        self._turns += int(rows.by_game["turns"].sum())
        games = rows.games_by_deal(seats)
        self._deals += len(games)
        if (kinds := self.plan.two_kinds) is not None:
            won = (rows.wins_by_deal(line_up, level) for level in kinds)
            self._duels.update(zip(*(values.tolist() for values in (*won, games)), strict=True))
        for reason, count in enumerate(np.bincount(rows.by_game["reason"], minlength=len(REASONS))):
            self._reasons[REASONS[reason]] += int(count)
        winner = rows.by_game["winner"]
        for place, count in enumerate(np.bincount(winner[winner >= 0], minlength=seats)):
            self.wins[line_up[place]] += int(count)
        for (game, seat), (turn, text) in sorted(rows.fault_texts.items()):
            level = line_up[rows.by_seat["place"][game, seat]]
            self.faults[level] += int(rows.by_seat["faults"][game, seat])
            fault = FirstFault(int(rows.by_game["game"][game]), turn, text)
            self.first_faults[level] = min(self.first_faults.get(level, fault), fault)

    def duel(self) -> HeadToHead | None:
        """How the players of a line-up of two kinds compare; None for other line-ups, and before the first game."""
        pair = self._pair()
        return None if pair is None else HeadToHead.of(pair)

    def favourite(self) -> tuple[str, float] | None:
        """Of two kinds of players the one who leads, and how likely it is the stronger one; quicker than a duel."""
        pair = self._pair()
        if pair is None or self.plan.two_kinds is None:
            return None
        chance = likelihood(pair)
        return self.plan.two_kinds[chance < 0.5], max(chance, 1 - chance)

    def summary(self, *, stopped: bool = False) -> dict[str, Any]:
        """The summary of what was added; at least one game is needed.

        ``stopped`` says that a stopping rule has saved the games that are missing.
        """
        plan = self.plan
        return {
            "format": FORMAT,
            "version": __version__,
            "map": plan.map,
            "rules": plan.rules.model_dump(),
            "seed": plan.seed,
            "seed_secret": plan.seed_secret,
            "games": self.games,
            "deals": self._deals,
            "line_up": list(plan.line_up),
            "interrupted": self.games < plan.games and not stopped,
            "players": {text: self._player(text) for text in dict.fromkeys(plan.line_up)},
            "unsolved": self._reasons["unsolved"],
            "unfinished": self._reasons["unfinished"],
            "mean_turns": self._turns / self.games,
            **self.means.entry(None),
        }

    def _pair(self) -> Pair | None:
        """What the two kinds of players of a line-up won, deal by deal."""
        if self.plan.two_kinds is None or not self._duels:
            return None
        results, times = zip(*sorted(self._duels.items()), strict=True)
        won_a, won_b, games = np.repeat(np.array(results, np.int64), times, axis=0).T
        seats_a, seats_b = (games * self.plan.line_up.count(level) for level in self.plan.two_kinds)
        return Pair(won_a, seats_a, won_b, seats_b, np.full(len(games), self.plan.seats))

    def standing(self, level: str) -> Standing:
        """How one of the levels did."""
        seats = self.games * self.plan.line_up.count(level)
        return Standing(level, seats, self.wins[level], seats / self.plan.seats, self.faults[level])

    def _player(self, level: str) -> dict[str, Any]:
        standing, won = self.standing(level), self.wins.total()
        first = self.first_faults.get(level)
        return {
            "seats": standing.seats,
            "wins": standing.wins,
            "win_share": standing.wins / won if won else None,
            "win_rate": standing.win_rate,
            "fair_share": 1 / self.plan.seats,
            "ci95": standing.ci95,
            "faults": standing.faults,
            "first_fault": None if first is None else first._asdict(),
            **self.means.entry(level),
        }
