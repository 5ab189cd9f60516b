"""Data classes for the counts in the results of experiments: plain records, and arrays by deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.experiments.read.stats import SHARES, Estimate, RatioSums, rate_of

__all__ = ["Deals", "Groups", "LevelFault", "LevelPlay", "ObservedMeans", "Pair", "SampledGame", "Share", "Standing"]


class Share(NamedTuple):
    """Some of a number, such as games won of games played, and the rate from 0 to 1 with its interval over deals."""

    wins: int
    trials: int
    rate: Estimate

    @classmethod
    def of(cls, strata: Sequence[RatioSums]) -> Share:
        """The share with the interval of ``rate_of``, from the sums of the deals of each kind."""
        return cls(sum(sums.wins for sums in strata), sum(sums.trials for sums in strata), rate_of(strata))


class Standing(NamedTuple):
    """How a level did over one or several line-ups.

    Attributes:
        level: its text.
        seats: those that it had in all games.
        wins: games that it won.
        win_rate: wins per seat.
        fair_share: the win rate if all players of its games were alike.
        ci95: the 95 % interval of the win rate over deals, see ``rate_of``.
        faults: as in the rows.
    """

    level: str
    seats: int
    wins: int
    win_rate: float
    fair_share: float
    ci95: tuple[float, float]
    faults: int

    @classmethod
    def of(cls, level: str, won: Share, fair: int, faults: int) -> Standing:
        """The standing of a level that has won this share of its seats; ``fair``: its fair wins, in parts of SHARES."""
        rate, low, high = won.rate
        return cls(level, won.trials, won.wins, rate, fair / (SHARES * won.trials), (low, high), faults)

    @property
    def rate(self) -> Estimate:
        """The win rate with its interval."""
        return Estimate(self.win_rate, *self.ci95)

    @property
    def multiple(self) -> float:
        """The win rate as a multiple of the fair share, by which levels of tables of any size are ranked."""
        return self.win_rate / self.fair_share

    def entry(self) -> dict[str, Any]:
        """All but the level, for a summary."""
        return {name: value for name, value in self._asdict().items() if name != "level"}


class LevelPlay(NamedTuple):
    """How a level played.

    Attributes:
        hypotheses: how many it made per seat.
        wrong: accusations that were wrong.
        think_ms: milliseconds of thought for one turn of its own, on average; 0 where it had none, or all its games
            were compiled.
    """

    hypotheses: float
    wrong: int
    think_ms: float


class LevelFault(NamedTuple):
    """A level's first fault: in which experiment, game and turn, and what it was."""

    level: str
    experiment: str
    game: int
    turn: int
    text: str


class SampledGame(NamedTuple):
    """A game of the sample: how it ended, the players' thinking time, and its record if it was kept."""

    experiment: str
    game: int
    turns: int
    winner_seat: int | None
    think_ms: float
    record: str | None


class ObservedMeans(NamedTuple):
    """The means of a column of an observer's.

    Attributes:
        name: what the column is called.
        per: what has a value of its own, ``seat`` or ``game``.
        means: with 95 % intervals over deals (NaN for the ends of that of a single deal); by level, or for whole games
            by line-up (levels by commas). Those without any value are left out.
    """

    name: str
    per: str
    means: dict[str, Estimate]


@dataclass(frozen=True, slots=True)
class Deals:
    """The results of each level by deal: an entry for each deal, line-up and level.

    Games of one deal are related, whatever the line-up: deals are what is drawn at random.

    Attributes:
        levels, line_ups: what the numbers of ``level`` and ``line_up`` mean.
        deal, line_up, level: arrays of numbers, from 0.
        wins, seats: arrays: games won, and seats.
    """

    levels: tuple[str, ...]
    line_ups: tuple[tuple[str, ...], ...]
    deal: NDArray[np.int64]
    line_up: NDArray[np.int64]
    level: NDArray[np.int64]
    wins: NDArray[np.int64]
    seats: NDArray[np.int64]

    def pair(self, a: str, b: str) -> Pair | None:
        """The deals in which two levels met; None if they never did."""
        shared = np.array([a in line_up and b in line_up for line_up in self.line_ups])[self.line_up]
        if not shared.any():
            return None
        deals = int(self.deal[-1]) + 1
        counts = [
            np.bincount(self.deal[mine], values[mine], deals).astype(np.int64)
            for mine in (shared & (self.level == self.levels.index(level)) for level in (a, b))
            for values in (self.wins, self.seats)
        ]
        players = np.zeros(deals, np.int64)
        players[self.deal] = np.array(list(map(len, self.line_ups)))[self.line_up]
        met = counts[1] > 0
        return Pair(*(values[met] for values in (*counts, players)))

    def table(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """A row for each line-up of each deal, as ratings want it.

        Returns:
            seats: the seats that each level has in the line-up, an array (rows, levels).
            wins: the games it won with that line-up and deal, an array (rows, levels).
            deals: the number of the deal, an array (rows,).
        """
        kinds, row = np.unique(np.stack([self.deal, self.line_up], axis=1), axis=0, return_inverse=True)
        wins = np.zeros((len(kinds), len(self.levels)), np.int64)
        wins[row.reshape(-1), self.level] = self.wins
        seats = np.array([[line_up.count(level) for level in self.levels] for line_up in self.line_ups])
        return seats[kinds[:, 1]], wins, kinds[:, 0]


class Groups(NamedTuple):
    """Groups of seats, each with a number (such as the place in the order of play), and its wins by deal.

    Attributes:
        players: how many play at their tables.
        values: such as the number of cards in hand.
        wins, games: arrays (deals, groups).
    """

    players: int
    values: tuple[int, ...]
    wins: NDArray[np.int64]
    games: NDArray[np.int64]

    @classmethod
    def of(cls, players: int, found: dict[str, Any]) -> Groups:
        """The groups of arrays of equal length, one element for each deal and value: its wins and games."""
        values, column = np.unique(found["value"], return_inverse=True)
        shape = (int(found["deal"].max()) + 1, len(values))
        wins, games = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        wins[found["deal"], column] = found["wins"]
        games[found["deal"], column] = found["games"]
        return cls(players, tuple(map(int, values)), wins, games)


class Pair(NamedTuple):
    """By deal, what two levels won, and their seats, and how many played: five arrays of one length."""

    wins_a: NDArray[np.int64]
    seats_a: NDArray[np.int64]
    wins_b: NDArray[np.int64]
    seats_b: NDArray[np.int64]
    players: NDArray[np.int64]
