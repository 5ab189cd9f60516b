"""The strangers that race: each plays whole games by the rules, again in the same way, and better than `hard` does."""

from __future__ import annotations

import pytest
from helpers.cases import some

from cluedo.ai.levels import parse_players
from cluedo.ai.match import Match, seat_players
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from research import racers

pytestmark = pytest.mark.slow


def played(name: str, deal: int, board: str = "tiny", *rules: str) -> Game:
    specs = parse_players(f"{racers.__file__}:{name},hard,hard")
    for spec in specs:
        spec.prepare()
    seeds = Seeds(5, deal, 3)
    match = Match(Game.begin(Board.load(board), Rules.from_options(rules), seeds), *seat_players(specs, seeds))
    match.play()
    assert match.faults == []
    return match.game


@pytest.mark.parametrize("name", some(racers.__all__, 2))
@pytest.mark.parametrize(("board", "rules"), [("manoir", ()), ("tiny", ("accuse_in=room", "pool=1"))])
def test_a_racer_plays_by_the_rules_and_again_in_the_same_way(name, board, rules):
    first, again = (list(played(name, 1, board, *rules).events) for _ in range(2))
    assert first == again


def test_a_racer_beats_two_hard():
    wins = sum(played("Racer", deal, "tiny", "movement=free").result.winner == 0 for deal in range(60))
    assert wins > 30, "20 would be fair"
