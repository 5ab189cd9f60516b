"""Results in words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from cluedo.experiments.read.counts import Standing
from cluedo.experiments.read.head_to_head import HeadToHead
from cluedo.experiments.read.stats import Estimate
from cluedo.experiments.read.telling import comparison, ends, sequential_test, standings_rows, without_winner
from cluedo.language import speaking


@pytest.mark.parametrize(
    ("played", "wins", "told"),
    [
        (0, [], []),
        (6, [4, 2], []),
        (6, [4, 1], ["Of 6 games, 1 had no winner."]),
        (1, [0, 0], ["In 1 game nobody won."]),
        (6, [0], ["In 6 games nobody won."]),
    ],
)
def test_games_that_nobody_won_are_told_of_where_there_are_any(played, wins, told):
    assert without_winner(played, [SimpleNamespace(wins=count) for count in wins]) == told


@pytest.mark.parametrize(
    ("seats", "wins", "low", "high", "rate", "interval"),
    [
        (60, 0, 0.0, 0.06, "0.0 %", "0.0 % to 6.0 %"),
        (20_000, 0, 0.0, 0.00019, "0.000 %", "0.000 % to 0.019 %"),
        (20_000, 3, 0.00005, 0.00044, "0.015 %", "0.005 % to 0.044 %"),
        (20_000, 19_999, 0.9997, 0.99999, "99.995 %", "99.970 % to 99.999 %"),
        (60_000, 20_000, 0.33326, 0.33341, "33.333 %", "33.326 % to 33.341 %"),
    ],
)
def test_no_share_looks_like_none_or_all_that_is_not_and_no_interval_like_a_point(
    seats, wins, low, high, rate, interval
):
    _, row = standings_rows([Standing("hard", seats, wins, wins / seats, 0.25, (low, high), 0)])
    assert row[3:5] == [rate, interval]


@pytest.mark.parametrize(("language", "told"), [("en", "[57.5,\xa076.1]"), ("fr", "[57,5\xa0;\xa076,1]")])
def test_an_interval_is_written_as_the_language_does(language, told):
    with speaking(language):
        assert ends(57.5, 76.1, ".1f") == told


@pytest.mark.parametrize(
    ("lead", "low", "high", "told"),
    [
        (0.05, 0.0, 0.102, "hard leads easy by 5.0 points per seat [0.0, 10.2], over 60 deals. The interval does not"),
        (-0.056, -0.12, 0.002, "easy leads hard by 5.6 points per seat [−0.2, 12.0], over 60 deals. The interval does"),
        (0.05, 0.0003, 0.102, "hard leads easy by 5.00 points per seat [0.03, 10.20], over 60 deals."),
    ],
)
def test_an_end_looks_like_zero_only_where_it_is_zero(lead, low, high, told):
    meeting = HeadToHead(60, 30, 20, 120, 120, None, 0.5, Estimate(lead, low, high), 0.03)
    first, _, *rest = comparison(meeting, "hard", "easy")
    assert " ".join([first, *rest]).replace("\N{NO-BREAK SPACE}", " ").startswith(f"At the same tables {told}")


@pytest.mark.parametrize(
    ("verdict", "told"), [("H0", "a is at most \N{MINUS SIGN}10 Elo above b"), ("H1", "a is at least +0 Elo above b")]
)
def test_what_a_sequential_test_decided_is_a_bound_whatever_its_sign(verdict, told):
    said = sequential_test("manoir", "a", "b", (-10.0, 0.0), verdict, 2.97, 2)
    assert f"decided for {verdict}: {told} (log likelihood ratio 2.97)." in said
