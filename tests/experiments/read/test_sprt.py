"""The sequential test: its formula, its guards, and its error rates in simulated matches."""

from __future__ import annotations

from itertools import product
from math import inf, isfinite, log

import numpy as np
import pytest
from helpers.cases import cases, some
from helpers.simulated_deals import most_errors
from hypothesis import given, strategies as st
from pydantic import ValidationError

from cluedo.experiments.plan.elo import share_of_elo
from cluedo.experiments.plan.experiment import SprtRule
from cluedo.experiments.read.sprt import GUARD_DEALS, Sprt

DEALS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=40)


def fed(deals, elo0=0.0, elo1=50.0, **errors):
    test = Sprt(SprtRule(a="hard", b="medium", elo0=elo0, elo1=elo1, **errors))
    if deals:
        test.add(*np.array(deals).T)
    return test


def test_the_llr_is_that_of_the_docstring():
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 4, 200), rng.integers(0, 3, 200)
    s0, s1 = share_of_elo(10), share_of_elo(60)
    share, n, t = a.sum() / (a + b).sum(), len(a), a + b
    guard = GUARD_DEALS * t.mean() * s0 * (1 - s0)
    v = (((a - share * t) ** 2).sum() + guard) / n
    expected = n / 2 * log((v + (a - s0 * t).mean() ** 2) / (v + (a - s1 * t).mean() ** 2))
    assert fed(list(zip(a, b, strict=True)), 10, 60).llr == pytest.approx(expected)


@pytest.mark.parametrize("won", [4700, 5000, 5100, 5400])
def test_for_independent_games_it_is_nearly_the_exact_test_of_wald(won):
    """One game a deal: the exact log likelihood ratio of the binomial distribution is known."""
    games, s0, s1 = 10_000, share_of_elo(0), share_of_elo(20)
    exact = won * log(s1 / s0) + (games - won) * log((1 - s1) / (1 - s0))
    test = fed([(1, 0)] * won + [(0, 1)] * (games - won), 0, 20)
    assert test.llr == pytest.approx(exact, rel=0.01, abs=0.05)


def test_the_bounds_are_those_of_wald():
    assert fed([], alpha=0.05, beta=0.1).bounds == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))


@given(DEALS, st.data())
def test_only_the_deals_count_and_not_how_they_are_split_up(deals, data):
    whole, parts = fed(deals), fed([])
    rest = deals
    while rest:
        cut = data.draw(st.integers(1, len(rest)))
        parts.add(*np.array(rest[:cut]).T)
        rest = rest[cut:]
    assert (parts.llr, parts.verdict, parts.deals) == (whole.llr, whole.verdict, len(deals))


@given(DEALS)
def test_the_two_levels_are_treated_alike(deals):
    there = fed(deals, -10, 40, alpha=0.02, beta=0.08)
    back = fed([(b, a) for a, b in deals], -40, 10, alpha=0.08, beta=0.02)
    assert isfinite(there.llr)
    assert back.llr == pytest.approx(-there.llr, abs=1e-9)
    assert back.verdict == {None: None, "H0": "H1", "H1": "H0"}[there.verdict]


def test_deals_that_are_all_alike_decide_only_when_there_are_many():
    """Their variance is nought: without a guard two such deals would decide."""
    drawn = [(2, 2)]
    verdicts = [fed(drawn * deals, 0, 100).verdict for deals in range(1, 60)]
    assert verdicts[:10] == [None] * 10
    assert verdicts[-1] == "H0"
    assert fed([(4, 0)] * 5, 0, 100).verdict is None
    assert fed([(4, 0)] * 30, 0, 100).verdict == "H1"


def test_without_a_won_game_nothing_is_known():
    test = fed([(0, 0)] * 50)
    assert (test.llr, test.verdict) == (0.0, None)
    assert fed([]).llr == 0.0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("hard", "hard", 0, 10), "two different levels, not hard with itself"),
        (("a", "b", 10, 10), "elo0 below elo1, both finite, not 10 and 10"),
        (("a", "b", 10, 0), "elo0 below elo1"),
        (("a", "b", 0, inf), "both finite"),
        (("a", "b", float("nan"), 10), "both finite"),
        (("a", "b", 20_000, 30_000), "too close to tell"),
        (("a", "b", 0, 1e-14), "too close to tell"),
        (("a", "b", 0, 10, 0), "alpha of a sequential test is between 0 and 0.5, not 0"),
        (("a", "b", 0, 10, 0.05, 0.5), "beta of a sequential test is between 0 and 0.5, not 0.5"),
        (("a", "b", 0, 10, float("nan")), "alpha"),
    ],
)
def test_what_is_no_test_is_refused_in_a_sentence(arguments, sentence):
    keys = ("a", "b", "elo0", "elo1", "alpha", "beta")
    with pytest.raises(ValidationError, match=sentence):
        SprtRule(**dict(zip(keys, arguments, strict=False)))


def test_impossible_deals_are_refused():
    for wins in [(-1, 2), (2, -1)]:
        with pytest.raises(ValueError, match="wins"):
            fed([wins])
    with pytest.raises(ValueError, match="shape"):
        fed([]).add(np.array([1, 2]), np.array([1]))


# --- Error rates -------------------------------------------------------------------------------


def independent(rng, share, deals):
    """Four games a deal, each by itself."""
    a = rng.binomial(4, share, deals)
    return a, 4 - a


def suits_a_level(rng, share, deals):
    """A deal suits one level in all its rotations: they are alike."""
    a = rng.binomial(4, rng.beta(4 * share, 4 * (1 - share), deals))
    return a, 4 - a


def favours_a_seat(rng, share, deals):
    """A deal favours one seat, so that what it gives in one rotation it takes in another: almost no variance."""
    edge = 0.9 * min(share, 1 - share)
    a = rng.binomial(2, share + edge, deals) + rng.binomial(2, share - edge, deals)
    return a, 4 - a


def with_others(rng, share, deals):
    """Six players, of which others win most deals or hardly any; what is left suits a level."""
    won = rng.binomial(6, rng.beta(0.7, 0.7, deals))
    a = rng.binomial(won, rng.beta(4 * share, 4 * (1 - share), deals))
    return a, won - a


def match(deal, rng, elo, claims, *, look, errors):
    """The verdict of one match, and the deals it took, looked at every ``look`` deals."""
    test = Sprt(SprtRule(a="a", b="b", elo0=claims[0], elo1=claims[1], **errors))
    while True:
        a, b = deal(rng, share_of_elo(elo), 50 * look)
        for start in range(0, len(a), look):
            test.add(a[start : start + look], b[start : start + look])
            if test.verdict is not None:
                return test.verdict, test.deals


def fixed_deals(deal, claims):
    """The deals of a match of fixed length with errors of 5 %: ((z_alpha + z_beta)·sd / difference)²."""
    s0, s1 = map(share_of_elo, claims)
    middle = (s0 + s1) / 2
    a, b = deal(np.random.default_rng(9), middle, 100_000)
    sd = np.std(a - middle * (a + b)) / np.mean(a + b)
    return (2 * 1.6448536 * sd / (s1 - s0)) ** 2


STRUCTURES = [independent, suits_a_level, favours_a_seat, with_others]


def check_error_rates(deal, claims, *, look, matches, rate=0.05):
    """No more wrong verdicts than a true rate of 5 % gives in 999 of 1,000 such tests: 73 of 1,000 matches."""
    errors = {"alpha": 0.05, "beta": 0.05}
    means = []
    for elo, wrong in ((claims[0], "H1"), (claims[1], "H0")):
        rng = np.random.default_rng(int(abs(elo)) + look)
        ends = [match(deal, rng, elo, claims, look=look, errors=errors) for _ in range(matches)]
        assert sum(verdict == wrong for verdict, _ in ends) <= most_errors(matches, rate)
        means.append(np.mean([deals for _, deals in ends]))
    return means


@pytest.mark.parametrize("deal", STRUCTURES)
def test_errors_are_as_rare_as_promised_and_it_stops_early(deal):
    means = check_error_rates(deal, (0, 100), look=10, matches=cases(1000, 200))
    # Whatever is looked at only every ten deals, and waits for the guard, takes some deals more.
    assert max(means) < 0.75 * fixed_deals(deal, (0, 100)) + 25


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deal", "claims", "look"), some(product(STRUCTURES, [(0, 40), (-30, 30), (100, 180)], [1, 10, 100]), 5)
)
def test_errors_are_as_rare_as_promised_for_other_claims_and_looks(deal, claims, look):
    check_error_rates(deal, claims, look=look, matches=cases(1000, 100))


@pytest.mark.slow
@pytest.mark.parametrize("deal", some(STRUCTURES, 2))
def test_between_matches_of_a_crushing_level_errors_are_at_most_twice_as_frequent(deal):
    """At shares of 85 to 95 % few deals are far from normal, and a look after each makes the most of that."""
    check_error_rates(deal, (300, 500), look=1, matches=cases(1000, 100), rate=0.1)
