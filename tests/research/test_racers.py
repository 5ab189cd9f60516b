"""The strangers that race: each plays whole games by the rules, again in the same way, and better than `hard` does."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.cases import some

from cluedo.session.library.one_game import PlayedGame, play
from research import racers

pytestmark = pytest.mark.slow


def played(name: str, seed: int, board: str = "tiny", **rules: Any) -> PlayedGame:
    game = play(board, [f"{racers.__file__}:{name}", "hard", "hard"], seed=seed, rules=rules, trusted=True)
    assert not game.faults
    return game


@pytest.mark.parametrize("name", some(racers.__all__, 2))
@pytest.mark.parametrize(("board", "rules"), [("manoir", {}), ("tiny", {"accuse_in": "room", "pool": 1})])
def test_a_racer_plays_by_the_rules_and_again_in_the_same_way(name, board, rules):
    first, again = (played(name, 1, board, **rules).events for _ in range(2))
    assert first == again


def test_a_racer_beats_two_hard():
    wins = sum(played("Racer", seed, movement="free").winner == 0 for seed in range(60))
    assert wins > 30, "20 would be fair"
