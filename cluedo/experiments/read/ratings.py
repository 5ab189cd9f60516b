"""Ratings with their uncertainty, from games of several players of which only the winner is known.

``luce_fit`` fits Luce's model to all games at once: P(seat i wins) = w_i / Σ w over the table, one
weight w for each level. It does not depend on the order of the games, takes any number of them, and
its intervals come from the scatter of whole deals.

Ratings are shown on a scale as in chess, 400·log10 w, with a level of choice at ``ANCHOR_ELO``: of the
games that one of two seats wins, the one 400 points above wins ten times as many as the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np

from cluedo.experiments.read.stats import MIXED_DEALS, Z95, Counts, Estimate, Floats

__all__ = ["ANCHOR_ELO", "LuceFit", "luce_fit"]

ANCHOR_ELO: Final = 1500.0
"""Where the scale has its anchor; only differences mean anything."""

_ELO: Final = 400 / log(10)
"""Points of the scale for one unit of log w."""


@dataclass(frozen=True, slots=True)
class LuceFit:
    """Fitted weights of Luce's model.

    Attributes:
        levels: their names, in the order of the arrays.
        strengths: log w of each, their mean 0.
        covariance: of the strengths, from the scatter of whole deals.
    """

    levels: tuple[str, ...]
    strengths: Floats
    covariance: Floats

    def elo(self, anchor: str) -> dict[str, Estimate]:
        """How many points each level is above one of them, which stands at ANCHOR_ELO, with a 95 % interval.

        A level that hardly ever wins is uncertain, and so would be every interval on a scale that hangs on it: a strong
        anchor is a better one than such a level, or the mean of all.
        """
        above = {level: self.difference(level, anchor) for level in self.levels}
        return {level: Estimate(*(ANCHOR_ELO + end for end in estimate)) for level, estimate in above.items()}

    def difference(self, a: str, b: str) -> Estimate:
        """How many points a is above b, with a 95 % interval that includes the correlation of the two ratings."""
        contrast = np.zeros(len(self.levels))
        contrast[self.levels.index(a)] += 1
        contrast[self.levels.index(b)] -= 1
        value = _ELO * float(contrast @ self.strengths)
        half = _ELO * Z95 * sqrt(max(0.0, float(contrast @ self.covariance @ contrast)))
        return Estimate(value, value - half, value + half)


def luce_fit(levels: Sequence[str], seats: Counts, wins: Counts, deals: Counts) -> LuceFit:
    """Fit Luce's choice model by penalised maximum likelihood, with a covariance clustered by deals.

    Source of the model: R. D. Luce, "Individual Choice Behavior" (1959). The log likelihood Σ (W_l log w_l)
    - Σ T·log(Σ seats_l·w_l) is concave in log w and maximised by Newton's method. Each level also plays one
    virtual duel against a player of weight 1, half won and half lost, so that one that never won or
    never lost has a finite strength (with Jeffreys' prior of a proportion, Beta(½, ½)). The
    covariance is H⁻¹GH⁻¹, H the curvature and G the scatter of the score over whole deals
    (Liang and Zeger, see ``stats.effect_test``), the halves of the virtual duels counted as deals too:
    so it holds although rotations of a deal are alike and Luce's model may be wrong. Two deals of independent
    games are mixed in, as one deal alone has no scatter and two may be alike. In simulated matches of 60 to 240
    deals its intervals held in 93 to 97 of 100 cases (tests/experiments/read/test_ratings.py).

    Args:
        levels: the names of the columns.
        seats: shape (rows, levels), the seats that each level had in a line-up of a deal.
        wins: shape (rows, levels), the games it won of those played with that line-up and deal.
        deals: shape (rows,), a number for each deal; rows of the same deal, of several line-ups,
            count as one when the scatter is estimated, since they have their cards in common.

    Raises:
        ValueError: for other shapes, or a level that won without a seat.
    """
    shape = (len(deals), len(levels))
    if seats.shape != shape or wins.shape != shape or not all(shape):
        raise ValueError(f"seats of shape {seats.shape}, wins of shape {wins.shape}: {shape} is needed")
    if (wins[seats == 0] != 0).any():
        raise ValueError("a level without a seat has won")
    kinds, kind = np.unique(seats, axis=0, return_inverse=True)
    line_ups, kind = kinds.astype(np.float64), kind.reshape(-1)  # numpy 2.0 shaped it otherwise
    games = np.bincount(kind, weights=wins.sum(axis=1), minlength=len(line_ups)).astype(np.float64)
    strengths = _maximum(line_ups, games, wins.sum(axis=0).astype(np.float64))
    chances = _chances(line_ups, strengths)
    inverse = np.linalg.inv(_curvature(chances, games, strengths))
    scores = wins - wins.sum(axis=1)[:, None] * chances[kind]
    centred = np.eye(len(levels)) - 1 / len(levels)
    scatter = _scatter(scores, deals, _information(chances, games), strengths)
    spread = centred @ inverse @ scatter @ inverse @ centred
    return LuceFit(tuple(levels), centred @ strengths, spread)


def _maximum(line_ups: Floats, games: Floats, wins: Floats) -> Floats:
    """The strengths of greatest penalised likelihood: Newton's method, with steps halved where they overshoot."""
    strengths = np.zeros(len(wins))
    value = _likelihood(line_ups, games, wins, strengths)
    for _ in range(200):
        chances = _chances(line_ups, strengths)
        slope = wins - games @ chances + 0.5 - _logistic(strengths)
        step = np.linalg.solve(_curvature(chances, games, strengths), slope)
        # Twice the gain still to be had; rounding keeps it from nought.
        if slope @ step < 1e-12 * (1 + games.sum()):
            break
        while (moved := _likelihood(line_ups, games, wins, strengths + step)) < value:
            step /= 2
        strengths, value = strengths + step, moved
    return strengths


def _likelihood(line_ups: Floats, games: Floats, wins: Floats, strengths: Floats) -> float:
    tables = np.log(line_ups @ np.exp(strengths))
    duels = strengths / 2 - np.logaddexp(0, strengths)
    return float(wins @ strengths - games @ tables + duels.sum())


def _chances(line_ups: Floats, strengths: Floats) -> Floats:
    """By line-up and level, how often any of the level's seats wins."""
    weights = line_ups * np.exp(strengths)
    chances: Floats = weights / weights.sum(axis=1, keepdims=True)
    return chances


def _curvature(chances: Floats, games: Floats, strengths: Floats) -> Floats:
    """Minus the second derivative of the penalised log likelihood: positive definite."""
    logistic = _logistic(strengths)
    return _information(chances, games) + np.diag(logistic * (1 - logistic))


def _information(chances: Floats, games: Floats) -> Floats:
    """The part of the curvature that the games have; if they were independent, the covariance of their score."""
    information: Floats = np.diag(games @ chances) - (chances.T * games) @ chances
    return information


def _scatter(scores: Floats, deals: Counts, information: Floats, strengths: Floats) -> Floats:
    """Σ ssᵀ · D/(D - 1), s the score of each of D deals, with MIXED_DEALS that scatter as independent games do.

    The mean of the two weighs the first by D - 1. To it come the halves of each virtual duel.
    """
    _, which = np.unique(deals, return_inverse=True)
    whole = np.zeros((which.max() + 1, scores.shape[1]))
    np.add.at(whole, which, scores)
    games = (len(whole) * whole.T @ whole + MIXED_DEALS * information) / (len(whole) - 1 + MIXED_DEALS)
    lost = _logistic(strengths)
    scatter: Floats = games + np.diag(((1 - lost) ** 2 + lost**2) / 4)
    return scatter


def _logistic(values: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(values / 2)))
