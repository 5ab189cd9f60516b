"""How fast the levels that deduce play, on one core: ``pytest tests/bench/bench_levels.py --benchmark-only -s``."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from cluedo import Rules
from cluedo.ai.level_expert import ExpertPlayer
from cluedo.ai.match import Match
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.game import Game
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

GAMES = {"montecarlo": 4}
"""Games that are timed, of levels that take their time."""


@pytest.mark.parametrize("level", ["montecarlo", "hard", "expert"])
def test_four_of_a_kind(benchmark, level):
    runner = GameRunner(Plan("manoir", Rules(), (level,) * 4, 10**9))
    runner.play(range(8), Interrupt())
    games = GAMES.get(level, 100)
    benchmark.pedantic(runner.play, (range(games), Interrupt()), rounds=5)
    if benchmark.stats is not None:
        games_per_s = games / benchmark.stats.stats.min
        benchmark.extra_info["games_per_s"] = games_per_s
        print(f"\n  four {level}: {games_per_s:.1f} games a second", end=" ")


class Timed(ExpertPlayer):
    """`expert`, and how many seconds each of its decisions took."""

    seconds: list[float]

    def __getattribute__(self, name):
        chosen = super().__getattribute__(name)
        if not name.startswith("choose_"):
            return chosen

        def choose(view):
            began = perf_counter()
            decision = chosen(view)
            self.seconds.append(perf_counter() - began)
            return decision

        return choose


@pytest.mark.parametrize("seats", [4, 6])
def test_decisions_of_expert(benchmark, seats):
    """Each decision by itself: most are quick, a guess is judged on many deals."""
    board, rules, seconds = Board.load("manoir"), Rules(), []
    Timed.prepare()

    def games():
        seconds.clear()
        for deal in range(30):
            seeds = Seeds(0, deal, seats)
            players = [Timed() for _ in range(seats)]
            for player in players:
                player.seconds = seconds
            words = [seeds.for_player(deal, seat) for seat in range(seats)]
            Match(Game(board, rules, draw_deal(seeds, board.deck, rules)), players, words).play()

    benchmark.pedantic(games, rounds=3)
    median, late, longest = np.quantile(seconds, [0.5, 0.99, 1.0]) * 1000
    benchmark.extra_info["decisions"] = len(seconds)
    print(f"\n  {seats} seats: {len(seconds)} decisions, median {median:.1f}, p99 {late:.0f}, longest {longest:.0f} ms")
