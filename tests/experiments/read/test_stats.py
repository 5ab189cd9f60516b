"""Statistics against published values, closed forms, definitions, and simulated deals with known truths."""

from __future__ import annotations

import tracemalloc
from functools import partial
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from helpers.cases import cases, some
from helpers.simulated_deals import most_errors, play
from hypothesis import given, strategies as st

from cluedo.experiments.read.stats import (
    Z95,
    RatioSums,
    bootstrap,
    clustered_mean,
    clustered_rate,
    effect_test,
    f_tail,
    rate_difference,
    rate_of,
    wilson_interval,
)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # R. G. Newcombe, "Two-sided confidence intervals for the single proportion",
        # Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_interval_agrees_with_published_values(successes, trials, low, high):
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("trials", [1, 7, 400])
def test_wilson_interval_of_all_or_nothing_has_a_closed_form(trials):
    far = Z95**2 / (trials + Z95**2)
    assert wilson_interval(0, trials) == (0.0, pytest.approx(far))
    assert wilson_interval(trials, trials) == (pytest.approx(1 - far), 1.0)


def test_wilson_interval_ends_where_the_score_test_just_accepts():
    for successes, trials in [(3, 17), (200, 400), (1, 1000)]:
        for end in wilson_interval(successes, trials):
            score = (successes / trials - end) / (end * (1 - end) / trials) ** 0.5
            assert abs(score) == pytest.approx(Z95)


# --- Rates by deals ------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30), st.integers(0, 30))
def test_sums_do_not_depend_on_how_deals_are_split_up(pairs, cut):
    wins = np.array([low for low, _ in pairs])
    trials = np.array([low + more for low, more in pairs])
    whole = RatioSums.of(wins, trials)
    assert RatioSums.of(wins[:cut], trials[:cut]).plus(RatioSums.of(wins[cut:], trials[cut:])) == whole
    share = 0.3
    assert whole.scatter(share) == pytest.approx(float(((wins - share * trials) ** 2).sum()), abs=1e-9)
    if whole.trials:
        value, low, high = clustered_rate(wins, trials)
        assert 0 <= low <= value <= high <= 1


def test_narrow_numbers_do_not_overflow():
    wins = np.full(1000, 100, dtype=np.int8)
    assert RatioSums.of(wins, wins) == (1000, 100_000, 100_000, 10**7, 10**7, 10**7)
    assert rate_of([RatioSums.of_two(wins, wins)]).value == 0.5


def test_a_rate_of_independent_games_has_nearly_the_wilson_interval():
    wins = np.random.default_rng(1).binomial(1, 0.3, 5000)
    _, low, high = clustered_rate(wins, np.ones(5000, dtype=int))
    assert (low, high) == pytest.approx(wilson_interval(int(wins.sum()), 5000), abs=1e-3)


def test_games_that_repeat_each_other_count_once():
    """Four rotations with one outcome are worth one game; two that always go to both sides are worth many."""
    wins = np.random.default_rng(2).binomial(1, 0.3, 5000)
    _, low, high = clustered_rate(4 * wins, np.full(5000, 4))
    assert (low, high) == pytest.approx(wilson_interval(int(wins.sum()), 5000), abs=1e-3)
    _, low, high = clustered_rate(np.full(5000, 2), np.full(5000, 4))
    assert high - low < 0.001


def test_deals_scatter_about_the_rate_of_their_own_kind():
    """Who wins every game of three and none of six says nothing uncertain, however the two are mixed."""
    three = RatioSums.of(np.full(200, 3), np.full(200, 3))
    six = RatioSums.of(np.zeros(200, int), np.full(200, 6))
    value, low, high = rate_of([three, six])
    assert value == 1 / 3
    assert high - low < 0.01
    _, low, high = rate_of([three.plus(six)])
    assert high - low > 0.05


@pytest.mark.parametrize("deals", [3, 10, 40])
def test_rates_of_games_that_a_deal_makes_alike_hold_what_they_promise(deals):
    """Many line-ups meet a deal, and what a level makes of it is much the same in all their games."""
    random, truth, missed = np.random.default_rng(8), {3: 0.6, 4: 0.4, 6: 0.3}, 0
    trials = {size: 8 * size for size in truth}
    expected = sum(trials[size] * share for size, share in truth.items()) / sum(trials.values())
    for _ in range(1000):
        strata = []
        for size, share in truth.items():
            chance = np.clip(random.normal(share, 0.15, deals), 0.0, 1.0)
            strata.append(RatioSums.of(random.binomial(trials[size], chance), np.full(deals, trials[size])))
        _, low, high = rate_of(strata)
        missed += not low <= expected <= high
    assert missed < 80


def test_of_nought_or_everything_the_interval_is_wilsons():
    none = np.zeros(50, dtype=int)
    assert clustered_rate(none, none + 4) == (0, *wilson_interval(0, 200))
    assert clustered_rate(none + 4, none + 4) == (1, *wilson_interval(200, 200))


LUCK = [{}, {"seat_luck": 2.0}, {"level_luck": 1.5}]
"""Independent games; deals that favour a seat; deals that suit a level."""


@pytest.mark.slow
@pytest.mark.parametrize(("luck", "deals"), some(product(LUCK, (10, 30, 100)), 3))
def test_intervals_of_rates_and_differences_hold_what_they_promise(luck, deals):
    """Of nominal 95 % intervals from correlated deals as many hold the truth (272 of 300) as exact ones would.

    That many, or more, an interval of exactly 95 % reaches in 999 of 1,000 such tests.
    """
    strengths, line_up, runs = [0.5, 0.0], (0, 0, 1, 1), cases(300, 150)
    large = play(np.random.default_rng(7), strengths, line_up, 100_000, **luck).wins(2)
    share = large[:, 0].sum() / large.sum()
    seats = np.full(deals, 8)
    held = {"share": 0, "difference": 0}
    for run in range(runs):
        a, b = play(np.random.default_rng(1000 + run), strengths, line_up, deals, **luck).wins(2).T
        _, low, high = rate_of([RatioSums.of_two(a, b)])
        held["share"] += low <= share <= high
        _, low, high = rate_difference(a, seats, b, seats, seats // 2, seed=run)
        held["difference"] += low <= share - 0.5 <= high
    assert min(held.values()) >= runs - most_errors(runs, 0.05)


# --- Bootstrap -----------------------------------------------------------------------------------


def ratio(sums):
    return sums[..., 0] / sums[..., 1]


def test_the_bootstrap_over_distinct_rows_is_that_over_deals():
    """Against the definition: resample whole deals by index, and the BCa formula written out, with Student's t."""
    rng = np.random.default_rng(3)
    deals = np.stack([rng.geometric(0.001, 25), np.full(25, 4)], axis=1)  # skewed, so that all of the formula counts
    value = deals[:, 0].sum() / deals[:, 1].sum()
    drawn = ratio(deals[rng.integers(0, 25, (100_000, 25))].sum(axis=1))
    jackknife = np.array([ratio(np.delete(deals, deal, axis=0).sum(axis=0)) for deal in range(25)])
    apart = jackknife.mean() - jackknife
    acceleration = (apart**3).sum() / (6 * (apart**2).sum() ** 1.5)
    normal = NormalDist()
    bias = normal.inv_cdf((drawn < value).mean() + (drawn == value).mean() / 2)
    student = 2.0639 * (25 / 24) ** 0.5  # the 97.5 % quantile of 24 degrees of freedom, for a variance over n
    shifted = [bias - student, bias + student]
    ends = np.quantile(drawn, [normal.cdf(bias + z / (1 - acceleration * z)) for z in shifted])
    found = bootstrap(deals, ratio, seed=4, resamples=100_000)
    assert found.value == value
    assert found[1:] == pytest.approx(ends, rel=0.005)  # Monte Carlo
    assert found.low < value < found.high


def test_a_seed_fixes_the_bootstrap_and_the_order_of_the_deals_does_not_matter():
    rng = np.random.default_rng(5)
    columns = rng.integers(0, 5, 100), np.full(100, 4), rng.integers(0, 5, 100), np.full(100, 8), np.full(100, 4)
    order = rng.permutation(100)
    first = rate_difference(*columns, seed=1)
    assert first == rate_difference(*columns, seed=1)
    assert first == rate_difference(*(column[order] for column in columns), seed=1)
    assert first != rate_difference(*columns, seed=2)


def test_the_difference_is_that_per_seat():
    one, two = np.full(20, 1), np.full(20, 2)
    wins_a, wins_b = np.array([4, 2] * 10), np.array([0, 2] * 10)
    assert rate_difference(wins_a, 4 * one, wins_b, 8 * one, 4 * one, seed=0).value == pytest.approx(3 / 4 - 1 / 8)
    swapped = rate_difference(wins_b, 8 * one, wins_a, 4 * one, 4 * one, seed=0)
    assert swapped.value == pytest.approx(1 / 8 - 3 / 4)
    assert swapped.low <= swapped.value <= swapped.high
    assert rate_difference(two, 4 * one, two, 4 * one, 4 * one, seed=0).value == 0


def test_deals_that_are_all_alike_are_no_certainty():
    full, none = np.full(30, 4), np.zeros(30, dtype=int)
    value, low, high = rate_difference(full, full, none, full, full, seed=0)
    assert value == high == 1
    assert 0.9 < low < 0.95


def test_deals_in_which_a_level_did_not_sit_leave_resamples_without_it():
    """Line-ups share a results folder: a's seats are in 3 deals of 40, and some resamples miss them all."""
    seats_a = np.array([4] * 3 + [0] * 37)
    wins_a = np.array([4, 2, 3] + [0] * 37)
    full = np.full(40, 4)
    value, low, high = rate_difference(wins_a, seats_a, full // 2, full, full, seed=0)
    assert value == pytest.approx(0.25)
    assert 0 <= low <= value <= high <= 0.5


def test_a_third_of_a_million_deals_take_a_moment_and_little_memory():
    rng = np.random.default_rng(6)
    wins = rng.multinomial(4, [0.4, 0.35, 0.25], 333_000)
    seats = np.full(333_000, 8)
    wins_a, wins_b = wins[:, 0].copy(), wins[:, 1].copy()
    tracemalloc.start()
    value, low, high = rate_difference(wins_a, seats, wins_b, seats, seats // 2, seed=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100e6
    assert low < value < high
    # var(A - B) = n(p + q - (p - q)²), by deal, over 8 seats.
    assert high - low == pytest.approx(2 * Z95 * (4 * (0.75 - 0.05**2) / 333_000) ** 0.5 / 8, rel=0.05)


# --- Effects ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "rest", "x", "p"),
    [
        # Abramowitz and Stegun, table 26.9.
        (1, 10, 4.96, 0.05),
        (2, 1, 199.5, 0.05),
        (2, 10, 4.10, 0.05),
        (3, 7, 4.35, 0.05),
        (3, 10, 6.55, 0.01),
        (4, 20, 2.87, 0.05),
        (5, 20, 4.10, 0.01),
        (5, 60, 2.37, 0.05),
        (8, 30, 3.17, 0.01),
        # Table 26.8: chi-square, where the degrees below the line are without end.
        (1, 10**8, 3.84146, 0.05),
        (2, 10**8, 5.99147 / 2, 0.05),
        (3, 10**8, 7.81473 / 3, 0.05),
        (5, 10**8, 15.0863 / 5, 0.01),
        (10, 10**8, 29.5883 / 10, 0.001),
    ],
)
def test_the_tail_of_fishers_distribution_agrees_with_published_values(freedom, rest, x, p):
    assert f_tail(x, freedom, rest) == pytest.approx(p, rel=0.012)


def test_the_tail_of_fishers_distribution_at_its_ends():
    assert f_tail(0, 3, 5) == 1
    assert f_tail(1e9, 7, 50) == pytest.approx(0, abs=1e-12)


@given(st.floats(0.01, 60), st.integers(2, 12), st.integers(2, 40))
def test_fisher_the_other_way_round_is_the_rest(x, freedom, rest):
    """26.6.9: Q(F | a, b) = 1 - Q(1/F | b, a)."""
    assert f_tail(x, freedom, rest) == pytest.approx(1 - f_tail(1 / x, rest, freedom), abs=0.006)


def test_seats_that_are_alike_seldom_pass_for_different():
    """Deals favour a seat in all their rotations: plain chi-square is fooled by that, the test by deals is not."""
    runs, deals, found, plain = 300, 80, 0, 0
    for run in range(runs):
        wins = play(np.random.default_rng(run), [1.0, 0.0], (0, 1, 1, 1), deals, seat_luck=2.0).seat_wins()
        found += effect_test(wins, np.full_like(wins, 4))[1] < 0.05
        expected = wins.sum() / 4
        plain += ((wins.sum(axis=0) - expected) ** 2).sum() / expected > 7.815  # what chi-square exceeds in 5 %
    # The test is approximate: 5 % may be 6 %.
    assert found <= most_errors(runs, 0.06)
    assert plain > runs / 5


@pytest.mark.parametrize("deals", [2, 3, 5, 10, 20])
def test_after_few_deals_seats_that_are_alike_seldom_pass_for_different_either(deals):
    runs = 600
    drawn = np.random.default_rng(deals).multinomial(4, [0.25] * 4, size=(runs, deals))
    found = sum(effect_test(wins, np.full_like(wins, 4))[1] < 0.05 for wins in drawn)
    assert found <= most_errors(runs, 0.06)


def test_a_seat_that_is_better_is_found():
    wins = play(np.random.default_rng(0), [1.0, 0.0], (0, 1, 1, 1), 400, seat_luck=1.0, seat_effect=0.7).seat_wins()
    rates, p_value = effect_test(wins, np.full_like(wins, 4))
    assert p_value < 1e-4
    assert rates[0].low > max(rate.value for rate in rates[1:])
    assert sum(rate.value for rate in rates) == pytest.approx(1)


def test_an_effect_does_not_depend_on_the_order_of_the_groups():
    rng = np.random.default_rng(8)
    games = rng.integers(1, 9, (200, 3))
    wins = rng.binomial(games, [0.2, 0.25, 0.3])
    rates, p_value = effect_test(wins, games)
    backwards, same = effect_test(wins[:, ::-1], games[:, ::-1])
    assert same == pytest.approx(p_value)
    assert backwards == rates[::-1]


def test_two_groups_are_compared_by_a_z_test():
    """Hand sizes: independent deals, of which each gives one group its games; then χ² = z²."""
    rng = np.random.default_rng(9)
    size = rng.integers(0, 2, 3000)
    games = np.stack([size, 1 - size], axis=1)
    wins = rng.binomial(games, [0.24, 0.27])
    p, n = wins.sum(axis=0) / games.sum(axis=0), games.sum(axis=0)
    z = (p[1] - p[0]) / ((p * (1 - p) / n).sum()) ** 0.5
    _, p_value = effect_test(wins, games)
    assert p_value == pytest.approx(2 * NormalDist().cdf(-abs(z)), rel=1e-2)


def test_nobody_ever_won_is_no_effect():
    _, p_value = effect_test(np.zeros((30, 3), dtype=int), np.ones((30, 3), dtype=int))
    assert p_value == 1


def test_the_mean_of_clustered_values_is_that_of_a_ratio():
    """One value a deal: the mean and its standard error. The same twice in each deal tells no more."""
    values = np.array([1.0, 4.0, 2.0, 7.0, 3.0])
    half = 2.776 * values.std(ddof=1) / np.sqrt(5)  # Student's quantile of four degrees
    expected = pytest.approx((3.4, 3.4 - half, 3.4 + half), abs=0.02)
    assert clustered_mean(values, np.ones(5, int)) == expected
    assert clustered_mean(2 * values, np.full(5, 2)) == expected
    for alike in (np.array([6.0]), np.full(7, 0.3), np.zeros(7)):
        one = alike[0] / 3
        assert clustered_mean(alike, np.full(len(alike), 3)) == pytest.approx((one, np.nan, np.nan), nan_ok=True)


@pytest.mark.parametrize("deals", [2, 3, 10])
def test_a_mean_of_few_deals_holds_the_truth_as_often_as_it_says(deals):
    draws = np.random.default_rng(0).normal(size=(2000, deals))
    means = [clustered_mean(values, np.ones(deals, int)) for values in draws]
    assert 0.94 <= sum(mean.low <= 0 <= mean.high for mean in means) / 2000 <= 0.97


FULL, NONE = np.full(5, 4), np.zeros(5, dtype=int)


@pytest.mark.parametrize(
    ("measure", "values", "sentence"),
    [
        *((wilson_interval, values, "successes in") for values in [(0, 0), (2, 1), (-1, 5)]),
        *((clustered_rate, values, "trials") for values in [([0], [0]), ([2], [1]), ([-1], [3]), ([1], [1, 2])]),
        (clustered_rate, ([[1]], [[1]]), "trials"),
        (clustered_mean, (np.zeros(2), NONE[:2]), "no values"),
        (RatioSums.of_two, ([1, 2], [1]), "shape"),
        (partial(rate_difference, seed=0), (FULL, FULL, NONE, NONE, FULL), "deals is nan"),
        *((f_tail, values, "freedom") for values in [(-1, 2, 3), (1, 0, 3), (1, 2, 0)]),
        *((effect_test, (one, one), "groups") for one in (FULL, FULL[:, None])),
        (effect_test, (np.zeros((5, 2), dtype=int), [[1, 0]] * 5), "every group"),
    ],
)
def test_what_cannot_be_measured_is_refused(measure, values, sentence):
    arrays = [np.array(value) if isinstance(value, list) else value for value in values]
    with pytest.raises(ValueError, match=sentence):
        measure(*arrays)
