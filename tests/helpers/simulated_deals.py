"""Simulated games with known strengths, whose rotations depend on each other as those of real deals do."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.int64]


class Played(NamedTuple):
    """``winners[d, r]``: the seat that won rotation r of deal d; seat s was played by line_up[(s + r) mod n]."""

    line_up: tuple[int, ...]
    winners: Array

    def levels(self) -> Array:
        """The level that won each game."""
        seats = len(self.line_up)
        return np.array(self.line_up)[(self.winners + np.arange(seats)) % seats]

    def wins(self, levels: int) -> Array:
        """By deal and level, the games won."""
        return np.stack([(self.levels() == level).sum(axis=1) for level in range(levels)], axis=1)

    def seat_wins(self) -> Array:
        """By deal and seat, the games won."""
        return np.stack([(self.winners == seat).sum(axis=1) for seat in range(len(self.line_up))], axis=1)


def play(rng, strengths, line_up, deals, *, seat_luck=0.0, level_luck=0.0, seat_effect=0.0) -> Played:
    """Luce's model by deal: log weights are strengths, plus what the deal gives a seat and what it gives a level.

    Luck is normal with that standard deviation, the same in all rotations; a seat effect adds to seat 0.
    """
    line_up, seats = tuple(line_up), len(line_up)
    of_seats = rng.normal(0, 1, (deals, seats)) * seat_luck
    of_seats[:, 0] += seat_effect
    of_levels = rng.normal(0, 1, (deals, len(strengths))) * level_luck
    winners = np.empty((deals, seats), dtype=np.int64)
    for rotation in range(seats):
        who = np.roll(np.array(line_up), -rotation)
        utility = np.asarray(strengths)[who] + of_seats + of_levels[:, who] + rng.gumbel(size=(deals, seats))
        winners[:, rotation] = utility.argmax(axis=1)
    return Played(line_up, winners)


def most_errors(trials: int, rate: float) -> int:
    """The number of errors that a true error rate of ``rate`` exceeds with a probability of at most 0.001.

    So a test that demands no more lets a procedure pass whose rate is a little higher: at 1,000
    trials and 5 % it is 73, that is 7.3 %.
    """
    tail, errors = 1.0, -1
    while tail > 0.001:
        errors += 1
        tail -= comb(trials, errors) * rate**errors * (1 - rate) ** (trials - errors)
    return errors
