"""A sequential probability ratio test: play two levels until it is clear which of two claims holds.

Source: A. Wald, "Sequential tests of statistical hypotheses", Ann. Math. Stat. 16 (1945), 117-186, in
its generalised form with a normal approximation, as it is used for chess engines (fishtest, fastchess:
pairs of games from one opening are one observation). Here one observation is a whole deal with all
its rotations, so that what the seats and the cards are worth cancels and is not taken for knowledge.
"""

from __future__ import annotations

from math import log
from typing import Final, Literal

from cluedo.experiments.plan.elo import share_of_elo
from cluedo.experiments.plan.experiment import SprtRule
from cluedo.experiments.read.stats import Counts, RatioSums

__all__ = ["GUARD_DEALS", "Sprt"]

GUARD_DEALS: Final = 12
"""How many deals of independent games guard the variance of the first deals.

In simulated matches that are looked at after every deal, fewer let the first looks decide too often;
with twelve the errors stay within alpha and beta, but for claims of some 300 Elo and more, where a
share near 1 is far from normal and they come near to twice that (tests/experiments/read/test_sprt.py).
"""


class Sprt:
    """Decides whether a is better than b by ``elo1`` rather than by ``elo0``.

    Elo speaks of s, a's share of the games won by a or b: s = 1/(1 + 10^(-elo/400)). With A and T the
    games of a deal that a won and that either won, A - s·T has mean 0 if the share is s. With m(s) the
    mean of A - s·T over the n deals so far and v its variance at the observed share, the log likelihood
    ratio of two normal means of unknown variance is

        llr = n/2 · log((v + m(s0)²) / (v + m(s1)²)).

    H1 (a is better by elo1) is taken once it reaches log((1 - beta)/alpha), H0 (by elo0) at
    log(beta/(1 - alpha)). Few deals say little of v, and none if they are alike: ``GUARD_DEALS`` deals
    of independent games, at s0 or s1 as they scatter more, are mixed in. They only widen v, so they
    delay a verdict by a few deals and never hasten it. Everything is kept as sums of whole numbers:
    memory does not grow, and the state depends on the deals alone, not on how they were split up.

    The share is that of the levels, not of their seats: at 0 Elo each wins as many games as the other, so
    give both equally many seats to compare players.

    Look whenever you like and stop at the first verdict: that is what alpha and beta are about. Deals
    of which some rotations are not played yet do not belong here.

    Args:
        rule: the two levels, the two claims, and how often either may be taken wrongly.
    """

    def __init__(self, rule: SprtRule):
        self.rule = rule
        self._shares = share_of_elo(rule.elo0), share_of_elo(rule.elo1)
        self._sums = RatioSums()

    def add(self, wins_a: Counts, wins_b: Counts) -> None:
        """Add deals: two arrays of whole numbers, one for each deal.

        Raises:
            ValueError: for negative numbers or arrays of different lengths.
        """
        self._sums = self._sums.plus(RatioSums.of_two(wins_a, wins_b))

    @property
    def deals(self) -> int:
        """Deals added so far."""
        return self._sums.deals

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log likelihood ratio decides: for H0 at or below the first, for H1 at or above the second."""
        alpha, beta = self.rule.alpha, self.rule.beta
        return log(beta / (1 - alpha)), log((1 - beta) / alpha)

    @property
    def llr(self) -> float:
        """The log likelihood ratio of H1 to H0; 0 while neither has won a game."""
        deals, wins, trials, *_ = self._sums
        if not trials:
            return 0.0
        low, high = self._shares
        guard = GUARD_DEALS * trials / deals * max(low * (1 - low), high * (1 - high))
        variance = (self._sums.scatter(wins / trials) + guard) / deals
        mean_low, mean_high = (wins - low * trials) / deals, (wins - high * trials) / deals
        return deals / 2 * log((variance + mean_low**2) / (variance + mean_high**2))

    @property
    def verdict(self) -> Literal["H0", "H1"] | None:
        """What the deals so far decide, looked at now: ``H0``, ``H1``, or None to play on."""
        low, high = self.bounds
        llr = self.llr
        if llr >= high:
            return "H1"
        return "H0" if llr <= low else None
