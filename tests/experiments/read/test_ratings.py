"""Ratings against known strengths, an independent maximum-likelihood fit, and games of the shipped levels."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from math import log, log10
from pathlib import Path

import numpy as np
import pytest
from helpers.cases import cases, some
from helpers.simulated_deals import most_errors, play
from hypothesis import given, strategies as st

from cluedo.experiments.read.ratings import ANCHOR_ELO, luce_fit

ELO = 400 / log(10)
LEVELS = ("a", "b", "c", "d")
STRENGTHS = (-2.0, -0.5, 0.0, 1.0)
LINE_UPS = [(0, 1, 2, 3), (1, 2, 3), (0, 0, 1, 1, 2, 3), (2, 3, 2, 3)]


def experiment(seed, deals, line_ups=LINE_UPS, **luck):
    """Simulated line-ups as ``luce_fit`` takes them."""
    rng = np.random.default_rng(seed)
    seats, wins, numbers = [], [], []
    for which, line_up in enumerate(line_ups):
        seats.append(np.tile(np.bincount(line_up, minlength=len(LEVELS)), (deals, 1)))
        wins.append(play(rng, STRENGTHS, line_up, deals, **luck).wins(len(LEVELS)))
        numbers.append(np.arange(deals) + which * deals)
    return np.concatenate(seats), np.concatenate(wins), np.concatenate(numbers)


def by_minorisation(counts: Sequence[tuple[dict[str, int], dict[str, int]]]) -> dict[str, float]:
    """Elo by plain maximum likelihood: Hunter's MM algorithm (Ann. Stat. 32 (2004), 384-406), from counts alone.

    Rounds of w_l ← (wins of l) / Σ (games · seats_l / Σ seats_m·w_m), where ``counts`` are for each composition of a
    table: the seats of each level, and the games it won.
    """
    levels = sorted({level for seats, _ in counts for level in seats})
    seats = np.array([[table.get(level, 0) for level in levels] for table, _ in counts], dtype=float)
    wins = np.array([[won.get(level, 0) for level in levels] for _, won in counts], dtype=float)
    games, total, weights = wins.sum(axis=1), wins.sum(axis=0), np.ones(len(levels))
    for _ in range(20_000):
        weights = total / (games / (seats @ weights) @ seats)
        weights /= np.exp(np.log(weights).mean())
    return {level: ANCHOR_ELO + 400 * log10(weight) for level, weight in zip(levels, weights, strict=True)}


def values(elo):
    return {level: estimate.value for level, estimate in elo.items()}


def close(found: dict[str, float], wanted: dict[str, float], points: float) -> None:
    """The same order, and every difference between two levels the same but for so many points."""
    assert sorted(found, key=found.get) == sorted(wanted, key=wanted.get)
    for a, b in combinations(wanted, 2):
        assert found[a] - found[b] == pytest.approx(wanted[a] - wanted[b], abs=points), (a, b)


def true_elo():
    mean = sum(STRENGTHS) / len(STRENGTHS)
    return {level: ANCHOR_ELO + ELO * (value - mean) for level, value in zip(LEVELS, STRENGTHS, strict=True)}


def counted(seats, wins):
    kinds = np.unique(seats, axis=0)
    won = [wins[(seats == kind).all(axis=1)].sum(axis=0) for kind in kinds]
    named = [[dict(zip(LEVELS, row.tolist(), strict=True)) for row in rows] for rows in (kinds, won)]
    return list(zip(*named, strict=True))


# --- Luce's model --------------------------------------------------------------------------------


def test_the_fit_agrees_with_an_independent_one_and_with_the_truth():
    seats, wins, deals = experiment(1, 600)
    found = values(luce_fit(LEVELS, seats, wins, deals).elo("a"))
    close(found, by_minorisation(counted(seats, wins)), 1.0)  # virtual duels move a strength by a hair
    close(found, true_elo(), 30)  # over three standard errors


def foretold(fit, line_up):
    """The share of the decided games that each level of a line-up wins, by Luce's model."""
    weights = Counter()
    for level in line_up:
        weights[level] += np.exp(fit.strengths[fit.levels.index(level)])
    return {level: weight / weights.total() for level, weight in weights.items()}


def test_two_levels_have_the_closed_form():
    """Of games between two, w_a/w_b = (wins of a · seats of b)/(wins of b · seats of a)."""
    seats, wins = np.array([[1, 3]] * 500), np.array([[3, 1]] * 450 + [[1, 3]] * 50)
    fit = luce_fit(["a", "b"], seats, wins, np.arange(500))
    won_a, won_b = wins.sum(axis=0)
    assert fit.difference("a", "b").value == pytest.approx(400 * log10(3 * won_a / won_b), abs=0.5)
    assert foretold(fit, ["b", "a", "b", "b"])["a"] == pytest.approx(won_a / (won_a + won_b), abs=1e-3)


def test_the_anchor_stands_where_it_is_wanted_and_the_others_so_far_above_it():
    fit = luce_fit(LEVELS, *experiment(3, 100))
    anchored = fit.elo("c")
    assert anchored["c"] == pytest.approx((ANCHOR_ELO,) * 3)
    assert anchored["d"] == pytest.approx([ANCHOR_ELO + end for end in fit.difference("d", "c")])
    assert anchored["d"].value - anchored["a"].value == pytest.approx(fit.difference("d", "a").value)


@pytest.mark.parametrize("won", [0, 400])
def test_a_level_that_never_or_always_wins_has_a_finite_rating_with_a_wide_interval(won):
    seats, wins = np.array([[1, 3]] * 100), np.array([[won // 100, 4 - won // 100]] * 100)
    value, low, high = luce_fit(["a", "b"], seats, wins, np.arange(100)).difference("a", "b")
    assert (value > 600) if won else (value < -600)
    assert 300 < high - low < 2000


@pytest.mark.parametrize("deals", [1, 2])
def test_few_deals_that_happen_to_be_alike_do_not_tell_who_is_stronger(deals):
    """Three games of every four: by chance alone one of two equals often wins as many."""
    seats, wins = np.array([[2, 2]] * deals), np.array([[3, 1]] * deals)
    value, low, high = luce_fit(["a", "b"], seats, wins, np.arange(deals)).difference("a", "b")
    assert low < 0 < value < high


@given(st.permutations(range(4)), st.integers(0, 5))
def test_neither_the_order_of_the_levels_nor_of_the_rows_matters(order, seed):
    seats, wins, deals = experiment(seed, 15)
    first = luce_fit(LEVELS, seats, wins, deals).elo("a")
    rows = np.random.default_rng(seed).permutation(len(seats))
    names = [LEVELS[level] for level in order]
    again = luce_fit(names, seats[rows][:, order], wins[rows][:, order], deals[rows]).elo("a")
    for level in LEVELS:
        assert again[level] == pytest.approx(first[level])


def test_line_ups_with_the_same_deals_share_their_luck():
    """Twice the same games on the same deals are not twice the evidence."""
    seats, wins, deals = experiment(4, 100)
    once = luce_fit(LEVELS, seats, wins, deals)
    double = (np.concatenate([seats, seats]), np.concatenate([wins, wins]))
    apart = luce_fit(LEVELS, *double, np.concatenate([deals, deals + 10_000]))
    same = luce_fit(LEVELS, *double, np.concatenate([deals, deals]))
    least = 0.01 * np.diag(once.covariance).min()
    assert same.covariance == pytest.approx(once.covariance, rel=0.05, abs=least)
    assert apart.covariance == pytest.approx(once.covariance / 2, rel=0.05, abs=least)


LUCK = [{}, {"seat_luck": 1.0}, {"level_luck": 1.0}]


@pytest.mark.slow
@pytest.mark.parametrize(("luck", "deals"), some(product(LUCK, (20, 80)), 3))
def test_intervals_hold_what_they_promise(luck, deals):
    """No fewer 95 % intervals hold the truth than an exact interval would in 999 of 1,000 such tests."""
    truth = luce_fit(LEVELS, *experiment(99, 8000, LINE_UPS[:3], **luck)).strengths
    runs, held = cases(1000, 100), np.zeros(3)
    for run in range(runs):
        fit = luce_fit(LEVELS, *experiment(run, deals, LINE_UPS[:3], **luck))
        for level, name in enumerate(LEVELS[1:]):
            value, low, _ = fit.difference(name, LEVELS[0])
            held[level] += abs(value - ELO * (truth[level + 1] - truth[0])) <= value - low
    assert held.min() >= runs - most_errors(runs, 0.05)


@pytest.mark.parametrize(
    ("seats", "wins", "sentence"),
    [([[1, 2]], [[1, 2], [1, 2]], "is needed"), ([[1, 2, 1]], [[1, 2, 1]], "is needed"), ([[0, 3]], [[1, 2]], "won")],
)
def test_what_cannot_be_fitted_is_refused(seats, wins, sentence):
    with pytest.raises(ValueError, match=sentence):
        luce_fit(["a", "b"], np.array(seats), np.array(wins), np.array([0]))


# --- Games of the shipped levels -----------------------------------------------------------------


def shipped(*levels):
    """The wins of real games among those levels (how they were made is in the file)."""
    text = (Path(__file__).parents[2] / "data" / "wins.json").read_text(encoding="utf-8")
    return [row for row in json.loads(text)["line_ups"] if set(row["line_up"]) <= set(levels)]


def as_arrays(rows, levels):
    """As if every game were a deal of its own."""
    seats, wins = [], []
    for row in rows:
        for level, won in row["wins"].items():
            seats += [[row["line_up"].count(name) for name in levels]] * won
            wins += [[int(name == level) for name in levels]] * won
    return np.array(seats), np.array(wins), np.arange(len(seats))


@pytest.mark.parametrize(
    ("levels", "points"),
    [
        (("medium", "hard", "expert"), 2),
        # random won 6 games and easy none against stronger ones, so that a virtual duel weighs more.
        (("random", "easy", "medium", "hard", "expert"), 50),
    ],
)
def test_on_real_games_the_fit_agrees_with_an_independent_one(levels, points):
    rows = shipped(*levels)
    fit = values(luce_fit(levels, *as_arrays(rows, levels)).elo(levels[-1]))
    assert sorted(fit, key=fit.get) == list(levels)
    counts = [({name: row["line_up"].count(name) for name in row["line_up"]}, row["wins"]) for row in rows]
    close(fit, by_minorisation(counts), points)


def test_luces_model_foretells_line_ups_of_real_games():
    """Fitted to the other line-ups, it foretells the shares of each within six points of a hundred."""
    levels = ("medium", "hard", "expert")
    rows = shipped(*levels)
    for row in rows:
        fit = luce_fit(levels, *as_arrays([other for other in rows if other is not row], levels))
        shares = foretold(fit, row["line_up"])
        for level, won in row["wins"].items():
            assert won / 600 == pytest.approx(shares[level], abs=0.06)
