"""Results in words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from cluedo.experiments.read.counts import Standing
from cluedo.experiments.read.telling import ends, standings_rows, without_winner
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
