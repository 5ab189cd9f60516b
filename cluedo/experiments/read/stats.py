"""Statistics of paired games, each formula with its source.

The rotations of one deal share their cards, their dice and who starts, so their outcomes are not
independent: a deal may favour a seat, which the rotations cancel, or suit a level, which they repeat.
What is independent are deals. So everything here but ``wilson_interval`` takes one row for each deal
and lets the deals say how much they scatter: those of one table size among themselves, as of more players
each wins less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import copysign, erfc, exp, expm1, isfinite, lcm, lgamma, log1p, nan, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from cluedo.engine.rules import MAX_SEATS, MIN_SEATS

__all__ = [
    "MIXED_DEALS",
    "SHARES",
    "Z95",
    "Estimate",
    "RatioSums",
    "bootstrap",
    "clustered_mean",
    "clustered_rate",
    "effect_test",
    "f_tail",
    "fair_wins",
    "normal_of_student",
    "rate_difference",
    "rate_of",
    "student_quantile",
    "wilson_interval",
]

Counts: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
_Statistic: TypeAlias = Callable[[Floats], Floats]

Z95: Final = 1.959963984540054
"""The 97.5 % quantile of the normal distribution: two-sided 95 %."""

MIXED_DEALS: Final = 2
"""How many deals of independent trials are mixed into a variance: that of three deals alone may well be nought."""

SHARES: Final = lcm(*range(MIN_SEATS, MAX_SEATS + 1))
"""Of these a fair share is a whole number, however many play."""

_FEWEST: Final = 10
"""Deals that are resampled at least: in simulated matches the interval of five held in 87 to 95 of 100 cases, and of
three in 74 to 88."""

_DIGITS: Final = 12
"""Decimals of a difference of rates."""

_ROUNDING: Final = 1e-24
"""Squares of deviations that are as small beside those of the values come of rounding: the values are alike."""

_BLOCK: Final = 1 << 22
"""Numbers that a bootstrap holds at a time."""


class Estimate(NamedTuple):
    """An estimated value between the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def wilson_interval(successes: float, trials: float) -> tuple[float, float]:
    """The score interval of a proportion, from 0 to 1.

    It holds what it promises for few trials and for proportions near 0 and 1, where the usual
    p ± z·sqrt(p(1 - p)/n) does not. Source: E. B. Wilson, "Probable inference, the law of
    succession, and statistical inference", J. Am. Stat. Assoc. 22 (1927), 209-212:
    (p + z²/2n ± z·sqrt(p(1 - p)/n + z²/4n²)) / (1 + z²/n).

    >>> low, high = wilson_interval(45, 100)
    >>> f"{low:.3f} to {high:.3f}"
    '0.356 to 0.548'

    Raises:
        ValueError: without trials, or for more successes than trials.
    """
    if not 0 <= successes <= trials or not trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    share = successes / trials
    square = Z95 * Z95 / trials
    middle = share + square / 2
    half = Z95 * sqrt(share * (1 - share) / trials + square / (4 * trials))
    # At the ends the interval closes exactly; rounding would leave it an ulp off.
    low = 0.0 if successes == 0 else (middle - half) / (1 + square)
    high = 1.0 if successes == trials else (middle + half) / (1 + square)
    return low, high


# --- Student's distribution ----------------------------------------------------------------------


def normal_of_student(t: float, freedom: int) -> float:
    """The number that a normal deviate exceeds about as often as Student's with that many degrees exceeds t.

    Its probability is right within 0.003 from two degrees up, and with one it makes the tail too heavy. Source:
    D. L. Wallace, "Bounds on Normal Approximations to Student's and the Chi-Square Distributions" (1959):
    (8f + 1)/(8f + 3) · sqrt(f·log(1 + t²/f)).
    """
    return copysign((8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t * t / freedom)), t)


def student_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution: Z95 by the inverse of ``normal_of_student``.

    >>> [round(student_quantile(freedom), 2) for freedom in (2, 5, 30)]  # exactly: 4.30, 2.57, 2.04
    [4.48, 2.58, 2.04]
    """
    scaled = Z95 * (8 * freedom + 3) / (8 * freedom + 1)
    return sqrt(freedom * expm1(scaled * scaled / freedom))


# --- A rate, when deals are what is independent --------------------------------------------------


class RatioSums(NamedTuple):
    """Sums over deals, to estimate Σ wins / Σ trials; whole numbers, so the order of deals does not matter.

    Attributes:
        deals: how many.
        wins, trials: their sums.
        wins_squared, wins_trials, trials_squared: the sums of the products within deals.
    """

    deals: int = 0
    wins: int = 0
    trials: int = 0
    wins_squared: int = 0
    wins_trials: int = 0
    trials_squared: int = 0

    @classmethod
    def of(cls, wins: Counts, trials: Counts) -> RatioSums:
        """The sums over deals; two arrays with one number for each deal, of not more wins than trials.

        Raises:
            ValueError: if they are not that.
        """
        wins, trials = _whole(wins), _whole(trials)
        if wins.shape != trials.shape or wins.ndim != 1:
            raise ValueError(f"wins of shape {wins.shape}, trials of shape {trials.shape}")
        if (wins < 0).any() or (wins > trials).any():
            raise ValueError("a deal has from 0 wins to as many as it has trials")
        products = (wins @ wins, wins @ trials, trials @ trials)
        return cls(len(wins), int(wins.sum()), int(trials.sum()), *map(int, products))

    @classmethod
    def of_two(cls, wins_a: Counts, wins_b: Counts) -> RatioSums:
        """The sums for a's share of the games won by a or b: arrays with the games each won, for each deal.

        It is the share per pair of seats only if both had equally many seats.

        Raises:
            ValueError: for arrays of different shapes or negative numbers.
        """
        wins_a, wins_b = _whole(wins_a), _whole(wins_b)
        if wins_a.shape != wins_b.shape:
            raise ValueError(f"wins of shape {wins_a.shape} and {wins_b.shape}")
        return cls.of(wins_a, wins_a + wins_b)

    def plus(self, other: RatioSums) -> RatioSums:
        """The sums over the deals of both."""
        return RatioSums(*(mine + its for mine, its in zip(self, other, strict=True)))

    def scatter(self, share: float) -> float:
        """Σ (wins - share·trials)² over the deals."""
        return max(0.0, self.wins_squared - 2 * share * self.wins_trials + share * share * self.trials_squared)


def rate_of(strata: Iterable[RatioSums]) -> Estimate:
    """The rate Σ wins / Σ trials, with a Wilson interval for as many trials as the deals are worth.

    The variance of wins - rate·trials over the deals, against that of independent trials, is the
    design effect; the trials divided by it, and by the squared quantile of Student's distribution over the
    normal one, are the effective ones (E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with
    small expected number of positive counts estimated from survey data", Survey Methodology 24 (1998),
    193-201). Two deals of independent trials are mixed into the variance, so that few deals that happen to be alike
    do not claim certainty; where the rate is 0 or 1 nothing tells of the design effect, and it is 1.

    Args:
        strata: the sums of the deals of each kind, such as those of each number of players: deals scatter
            about the rate of their own kind.

    Raises:
        ValueError: without trials.
    """
    kinds = [sums for sums in strata if sums.trials]
    deals, wins, trials = (sum(getattr(sums, name) for sums in kinds) for name in ("deals", "wins", "trials"))
    if not trials:
        raise ValueError("no trials, no rate")
    rate = wins / trials
    independent = rate * (1 - rate)
    worth = float(trials)
    if independent:
        # A single deal of its kind does not scatter: it counts as independent trials.
        scatter = sum(
            sums.scatter(sums.wins / sums.trials) * sums.deals / (sums.deals - 1)
            if sums.deals > 1
            else sums.trials * independent
            for sums in kinds
        )
        effect = (deals * scatter / (trials * independent) + MIXED_DEALS) / (deals + MIXED_DEALS)
        wider = student_quantile(deals - len(kinds) + MIXED_DEALS) / Z95
        worth /= effect * wider * wider
    return Estimate(rate, *wilson_interval(worth if rate == 1 else rate * worth, worth))


def clustered_rate(wins: Counts, trials: Counts) -> Estimate:
    """The rate of wins, from 0 to 1, of arrays with one row for each deal; see ``rate_of``.

    Raises:
        ValueError: for arrays that are not that, or without trials.
    """
    return rate_of([RatioSums.of(wins, trials)])


def clustered_mean(sums: Floats, counts: Counts | Floats) -> Estimate:
    """The mean Σ sums / Σ counts of values that come in deals, or another ratio; arrays with one number for each deal.

    Its variance is that of a ratio: Σ (sum - mean·count)² over the deals, times D/(D - 1), over the
    square of Σ counts (W. G. Cochran, "Sampling Techniques" (1977), 6.4); the interval is Student's, for
    D - 1 degrees of freedom. Its ends are NaN where the deals do not differ, or there is but one: then the data cannot
    tell.

    Raises:
        ValueError: without values.
    """
    total = float(np.sum(counts))
    if not total:
        raise ValueError("no values, no mean")
    mean = float(np.sum(sums)) / total
    deals = len(counts)
    squares = float(((sums - mean * counts) ** 2).sum())
    if squares <= _ROUNDING * float((sums**2).sum()):
        return Estimate(mean, nan, nan)
    squares *= deals / (deals - 1)
    half = student_quantile(deals - 1) * sqrt(squares) / total
    return Estimate(mean, mean - half, mean + half)


# --- The bootstrap over deals --------------------------------------------------------------------


def bootstrap(deals: Counts, statistic: _Statistic, *, seed: int, resamples: int = 4000) -> Estimate:
    """A statistic of column sums with its BCa interval, by resampling whole deals.

    Source: B. Efron, "Better bootstrap confidence intervals", J. Am. Stat. Assoc. 82 (1987), 171-185,
    with z0 from the resamples below the estimate (half of those equal to it) and the acceleration
    from the jackknife. Deals with equal rows are interchangeable, so a resample is one multinomial
    draw over the *distinct* rows: the same distribution, at a cost that hardly grows with the deals.
    Resamples of D deals scatter as if their variance were (D - 1)/D of what it is, and it is estimated: so the ends
    are Student's quantile times √(D/(D - 1)) from the middle rather than the normal one (T. C. Hesterberg, "What
    Teachers Should Know About the Bootstrap", The American Statistician 69 (2015), 371-386).

    Args:
        deals: whole numbers, of shape (deals, columns).
        statistic: from sums of the columns, shape (…, columns), to the statistic, shape (…).
        seed: fixes the interval.
        resamples: how many; those for which the statistic is not finite (no seats drawn) are left out.

    Returns:
        The estimate; the interval has no width if all deals are alike: then the data cannot tell.

    Raises:
        ValueError: if the statistic of the deals themselves is not finite.
    """
    rows, counts = np.unique(_whole(deals), axis=0, return_counts=True)
    total = counts @ rows
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(statistic(total.astype(np.float64)))
        if not isfinite(value):
            raise ValueError(f"the statistic of these {len(deals)} deals is {value}")
        drawn = _resampled(rows, counts, statistic, seed, resamples)
        left_out = statistic((total - rows).astype(np.float64))
    acceleration = _acceleration(left_out, counts)
    normal, size = NormalDist(), len(deals)
    far = student_quantile(size - 1) * sqrt(size / (size - 1)) if size > 1 else Z95
    below = float(np.mean(drawn < value) + np.mean(drawn == value) / 2)
    bias = normal.inv_cdf(min(max(below, 0.5 / resamples), 1 - 0.5 / resamples))
    levels = [normal.cdf(bias + end / (1 - acceleration * end)) for end in (bias - far, bias + far)]
    low, high = np.quantile(drawn, levels)
    return Estimate(value, float(low), float(high))


def fair_wins(seats: Counts, players: Counts) -> Counts:
    """The wins that would be fair for seats at tables of so many players: one over these each, in parts of SHARES."""
    return _whole(seats) * (SHARES // _whole(players))


def rate_difference(
    wins_a: Counts, seats_a: Counts, wins_b: Counts, seats_b: Counts, players: Counts, *, seed: int
) -> Estimate:
    """How much more a wins than b, per seat: a difference of win rates, from -1 to 1, from the same deals.

    Of equals, who had more of its seats at small tables wins more of them. So from the rate of each its fair share
    is taken off, the mean over its seats of one over the players; at tables of one size these are the same.

    BCa over deals, see ``bootstrap``. Resampling a few deals, or deals that are all alike, cannot tell how
    sure that is; then the ends are as far apart as the two rates' own intervals allow, which is too wide
    rather than too narrow. Who leads is taken as a, so that the interval is the same whoever is named first.

    Args:
        wins_a: for each deal, the games that a won.
        seats_a: for each deal, the seats that a had, summed over its games.
        wins_b: the same of b.
        seats_b: the same of b.
        players: for each deal, how many played.
        seed: fixes the interval.

    Raises:
        ValueError: if a or b had no seats.
    """
    columns = [_whole(column) for column in (wins_a, seats_a, wins_b, seats_b)]
    columns += [fair_wins(seats, players) for seats in (columns[1], columns[3])]

    def fair_difference(sums: Floats) -> Floats:
        return (sums[..., 4] / sums[..., 1] - sums[..., 5] / sums[..., 3]) / SHARES

    def lead(sums: Floats) -> Floats:
        return sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3] - fair_difference(sums)

    totals = np.array([column.sum() for column in columns], np.float64)
    if totals[1] and totals[3] and lead(totals) < 0:
        back = rate_difference(wins_b, seats_b, wins_a, seats_a, players, seed=seed)
        return Estimate(-back.value, -back.high, -back.low)
    difference = bootstrap(np.stack(columns, axis=1), lead, seed=seed)
    if len(columns[0]) >= _FEWEST and difference.low < difference.high:
        # A difference of shares that are alike is zero; floating point leaves it an ulp off.
        return Estimate(*(round(end, _DIGITS) for end in difference))
    a, b = clustered_rate(columns[0], columns[1]), clustered_rate(columns[2], columns[3])
    fair = float(fair_difference(totals))
    return Estimate(difference.value, a.low - b.high - fair, a.high - b.low - fair)


def _resampled(rows: Counts, counts: Counts, statistic: _Statistic, seed: int, resamples: int) -> Floats:
    """The finite values of the statistic in resamples of the deals."""
    random = np.random.default_rng(seed)
    deals = int(counts.sum())
    block = max(1, _BLOCK // len(rows))
    values = []
    for start in range(0, resamples, block):
        weights = random.multinomial(deals, counts / deals, size=min(block, resamples - start))
        values.append(statistic((weights @ rows).astype(np.float64)))
    drawn = np.concatenate(values)
    return drawn[np.isfinite(drawn)]


def _acceleration(left_out: Floats, counts: Counts) -> float:
    """Σ d³ / 6(Σ d²)^(3/2), d the mean less the statistic without one deal; rows stand for ``counts`` deals each."""
    finite = np.isfinite(left_out)
    left_out, counts = left_out[finite], counts[finite]
    if not len(counts):
        return 0.0
    deviations = counts @ left_out / counts.sum() - left_out
    squares = float(counts @ deviations**2)
    if squares <= _ROUNDING * float(counts @ left_out**2):  # all alike: nothing to correct
        return 0.0
    return float(counts @ deviations**3) / (6 * squares * sqrt(squares))


def _whole(values: Counts) -> Counts:
    """The numbers as 64-bit whole numbers: counts from a database may be narrow, and overflow when squared."""
    return np.asarray(values).astype(np.int64, casting="same_kind")


# --- Effects: seats, hand sizes -------------------------------------------------------------------


def effect_test(wins: Counts, games: Counts) -> tuple[tuple[Estimate, ...], float]:
    """Win rates by seat, by place after the starter or by hand size, and a test of no effect that keeps the pairing.

    The same seat has the same cards in every rotation of a deal, so that its games are alike and a
    chi-square of the plain counts would find effects everywhere. Here the covariance of the rates
    comes from whole deals: with u_g = (W_g - p_g·G_g)/ΣG_g of each deal, C = Σ uuᵀ over the deals,
    and d the differences of the rates from the first group's, dᵀC⁻¹d is the Wald statistic with a covariance
    clustered by deals (K.-Y. Liang and S. L. Zeger, "Longitudinal data analysis using generalized linear
    models", Biometrika 73 (1986), 13-22). With one degree of freedom k less than there are groups it would be
    chi-square if C were known; estimated from D deals, it is Hotelling's T², and T²·(D - k)/(k(D - 1)) has
    Fisher's distribution with k and D - k degrees (H. Hotelling, "The generalization of Student's ratio",
    Ann. Math. Stat. 2 (1931), 360-378). If every deal was played in all rotations, every level had every seat
    equally often, and the levels cancel.

    Args:
        wins: shape (deals, groups), the games of a deal that were won from a seat of the group.
        games: shape (deals, groups), the seats of the group summed over the games of a deal.

    Returns:
        The rate of each group, with the interval of ``clustered_rate``; and the p-value: how often rates that are
        equal would scatter at least that much.

    Raises:
        ValueError: for other shapes, fewer than two groups, or a group without games.
    """
    wins, games = _whole(wins), _whole(games)
    if wins.ndim != 2 or wins.shape != games.shape or wins.shape[1] < 2:
        raise ValueError(f"wins of shape {wins.shape}, games of shape {games.shape}: (deals, groups) is needed")
    totals = games.sum(axis=0)
    if not totals.all():
        raise ValueError("every group needs games")
    rates = wins.sum(axis=0) / totals
    influence = (wins - rates * games) / totals
    contrasts = influence[:, 1:] - influence[:, :1]
    covariance = contrasts.T @ contrasts * (len(wins) / max(1, len(wins) - 1))
    # Groups of which nobody ever won, or too few deals, leave directions without any variance.
    freedom = int(np.linalg.matrix_rank(covariance, hermitian=True))
    apart = rates[1:] - rates[0]
    p_value = 1.0
    if freedom:
        # Nought after rounding may be below it.
        wald = max(0.0, float(apart @ np.linalg.pinv(covariance, hermitian=True) @ apart))
        rest = len(wins) - freedom
        p_value = f_tail(wald * rest / (freedom * (len(wins) - 1)), freedom, rest)
    return tuple(clustered_rate(wins[:, group], games[:, group]) for group in range(wins.shape[1])), p_value


def f_tail(x: float, freedom: int, rest: int) -> float:
    """The probability that Fisher's F with those degrees of freedom, above and below the line, exceeds x.

    With z = rest/(rest + freedom·x) it is the incomplete beta function I_z(rest/2, freedom/2) (M. Abramowitz and
    I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.6.2): that of one or two degrees, Student's (see
    ``normal_of_student``) or z^(rest/2), plus a term for each two more (from 26.5.16).

    Raises:
        ValueError: for a negative x or less than one degree of freedom.
    """
    if x < 0 or freedom < 1 or rest < 1:
        raise ValueError(f"Fisher's F of {x} with {freedom} and {rest} degrees of freedom")
    if x == 0:
        return 1.0
    odd, a = freedom % 2, rest / 2
    log_z, log_complement = -log1p(freedom * x / rest), -log1p(rest / (freedom * x))
    tail: float = erfc(normal_of_student(sqrt(freedom * x), rest) / sqrt(2)) if odd else exp(a * log_z)
    for step in range((freedom - 1) // 2):
        b = step + (0.5 if odd else 1.0)
        tail += exp(lgamma(a + b) - lgamma(a) - lgamma(b + 1) + a * log_z + b * log_complement)
    return min(1.0, tail)
