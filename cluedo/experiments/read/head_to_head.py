"""Two levels at the same tables: how far one is ahead, how sure that is, and how many more deals would show it."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from cluedo.experiments.plan.elo import elo_of_share
from cluedo.experiments.read.counts import Pair
from cluedo.experiments.read.stats import (
    MIXED_DEALS,
    SHARES,
    Z95,
    Counts,
    Estimate,
    RatioSums,
    fair_wins,
    normal_of_student,
    rate_difference,
    rate_of,
    student_quantile,
)

__all__ = ["HeadToHead", "Settling", "likelihood", "settling"]

_SEED: Final = 0
"""Of the bootstrap: the same results give the same interval."""
_POWER: Final = NormalDist().inv_cdf(0.8)
"""How far beyond the edge of the interval a difference has to be for four runs in five to show it."""
_OPEN: Final = 0.975
"""How likely the one who leads is the stronger one at most, while the interval of the lead holds zero."""
_LOOKS: Final = 80
"""Points of a curve."""

Settling: TypeAlias = tuple[int, Estimate]
"""A number of deals, and the lead after these."""


class HeadToHead(NamedTuple):
    """Two levels at the same tables.

    Attributes:
        deals: how many deals they shared.
        wins_a: games that the first won.
        wins_b: games that the other won.
        seats_a: the seats that the first had in all games.
        seats_b: those of the other.
        share: the first one's part of the games that either won; None if neither won any.
        fair: what it would be if all players were alike: the first one's part of the seats, where all tables are of one
            size.
        lead: the first one's win rate per seat less the other's, beyond what is fair; see ``rate_difference``.
        error: the standard error of the lead.
    """

    deals: int
    wins_a: int
    wins_b: int
    seats_a: int
    seats_b: int
    share: Estimate | None
    fair: float
    lead: Estimate
    error: float

    @classmethod
    def of(cls, pair: Pair) -> HeadToHead:
        """The meeting with these results, deal by deal."""
        wins_a, seats_a, wins_b, seats_b = (int(values.sum()) for values in pair[:4])
        won = pair.wins_a + pair.wins_b > 0  # a deal that neither won says nothing of the share
        share = rate_of([RatioSums.of_two(pair.wins_a[won], pair.wins_b[won])]) if won.any() else None
        lead = rate_difference(*pair, seed=_SEED)
        fair_a, fair_b = (int(values.sum()) for values in _fair(pair))
        fair = fair_a / (fair_a + fair_b)
        return cls(len(pair.wins_a), wins_a, wins_b, seats_a, seats_b, share, fair, lead, _lead_error(pair))

    @property
    def turned(self) -> HeadToHead:
        """The same with the other level first."""
        share = None if self.share is None else Estimate(1 - self.share.value, 1 - self.share.high, 1 - self.share.low)
        lead = Estimate(-self.lead.value, -self.lead.high, -self.lead.low)
        wins, seats = (self.wins_b, self.wins_a), (self.seats_b, self.seats_a)
        return HeadToHead(self.deals, *wins, *seats, share, 1 - self.fair, lead, self.error)

    @property
    def differ(self) -> bool:
        """Whether the interval of the lead leaves zero out."""
        return self.lead.low > 0 or self.lead.high < 0

    @property
    def chance(self) -> float:
        """The likelihood of superiority: how likely a is the stronger one, if all leads were equally likely beforehand.

        Φ(lead / error), as chess engines are compared (fastchess, cutechess), with the error over whole deals, and
        Student's distribution in place of Φ, since that error is estimated, too; and no surer than the interval of the
        lead.
        """
        chance = _chance(self.lead.value, self.error, self.deals)
        return chance if self.differ else min(max(chance, 1 - _OPEN), _OPEN)

    @property
    def elo(self) -> Estimate | None:
        """The lead on the Elo scale, with its interval; None unless both have equally many seats and each has won.

        A lead is won by the share ½ + lead · seats / (2 · decided) of the games that either won; how many those were
        counts as given, so that zero is in both intervals or in neither. No end is beyond half a game of them.
        """
        if not (self.wins_a and self.wins_b and self.seats_a == self.seats_b and self.fair == 0.5):
            return None
        decided = self.wins_a + self.wins_b
        least = 0.5 / decided
        shares = (0.5 + end * self.seats_a / (2 * decided) for end in self.lead)
        return Estimate(*(elo_of_share(min(max(share, least), 1.0 - least)) for share in shares))

    @property
    def deals_to_show(self) -> int | None:
        """How many deals more would show a lead as large as this one in four runs of five; None where there is none.

        A lead shows where it is Z95 standard errors from zero; its own scatter adds the quantile of 80 %.
        """
        if not self.lead.value:
            return None
        wanted = self.deals * ((Z95 + _POWER) * self.error / self.lead.value) ** 2
        return max(0 if self.differ else 1, ceil(wanted - self.deals))


def likelihood(pair: Pair) -> float:
    """The ``chance`` of a meeting, without the work of an interval."""
    return _chance(_lead(pair), _lead_error(pair), len(pair.wins_a))


def settling(pair: Pair) -> Iterator[Settling]:
    """The lead after more and more deals, in their order, with the interval of its standard error: a curve."""
    total = len(pair.wins_a)
    for deals in np.unique(np.linspace(1, total, min(total, _LOOKS)).round().astype(int)).tolist():
        first = Pair(*(values[:deals] for values in pair))
        lead, half = _lead(first), student_quantile(_freedom(deals)) * _lead_error(first)
        yield deals, Estimate(lead, lead - half, lead + half)


def _chance(lead: float, error: float, deals: int) -> float:
    """Student's distribution function of the lead in standard errors."""
    return NormalDist().cdf(normal_of_student(lead / error, _freedom(deals)))


def _freedom(deals: int) -> int:
    """The degrees of freedom of the error of a lead; the deals mixed in count with the others."""
    return deals + MIXED_DEALS - 1


def _fair(pair: Pair) -> tuple[Counts, Counts]:
    """By deal, the wins that would be fair for either, in parts of SHARES."""
    return fair_wins(pair.seats_a, pair.players), fair_wins(pair.seats_b, pair.players)


def _lead(pair: Pair) -> float:
    wins_a, seats_a, wins_b, seats_b = (int(values.sum()) for values in pair[:4])
    fair_a, fair_b = (int(values.sum()) for values in _fair(pair))
    return wins_a / seats_a - wins_b / seats_b - (fair_a / seats_a - fair_b / seats_b) / SHARES


def _lead_error(pair: Pair) -> float:
    """The standard error of a difference of two rates from the same deals.

    The variance of a ratio (W. G. Cochran, "Sampling Techniques" (1977), 6.4), for the difference of two: over the
    deals, Σ u² · D/(D - 1) with u = (w_a - r_a·s_a)/S_a - (w_b - r_b·s_b)/S_b, w the wins beyond those that are fair.
    Two deals of independent trials are mixed in; where a level won none of its games, or all, the variance is at least
    that of independent trials, as in ``rate_of``: that its deals are alike says nothing of how they scatter.
    """
    sums = [float(values.sum()) for values in pair[:4]]
    (wins_a, seats_a, wins_b, seats_b), deals = sums, len(pair.wins_a)
    fair_a, fair_b = _fair(pair)
    beyond_a, beyond_b = pair.wins_a - fair_a / SHARES, pair.wins_b - fair_b / SHARES
    part_a = (beyond_a - beyond_a.sum() / seats_a * pair.seats_a) / seats_a
    part_b = (beyond_b - beyond_b.sum() / seats_b * pair.seats_b) / seats_b
    scatter = float(((part_a - part_b) ** 2).sum()) * deals / max(1, deals - 1)
    # Half a win and half a loss more, so that who never won, or always, has a variance, too.
    rates = [((wins + 0.5) / (seats + 1), seats) for wins, seats in ((wins_a, seats_a), (wins_b, seats_b))]
    independent = sum(rate * (1 - rate) / seats for rate, seats in rates)
    mixed = (deals * scatter + MIXED_DEALS * independent) / (deals + MIXED_DEALS)
    alike = wins_a in (0, seats_a) or wins_b in (0, seats_b)
    return sqrt(max(mixed, independent) if alike else mixed)
