"""Results in words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from cluedo.experiments.read.telling import without_winner


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
