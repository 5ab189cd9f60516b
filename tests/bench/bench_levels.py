"""How fast the levels that deduce play, on one core: ``pytest tests/bench/bench_levels.py --benchmark-only -s``."""

from __future__ import annotations

import pytest

from cluedo import Rules
from cluedo.experiments.games import GameRunner
from cluedo.experiments.interrupt import Interrupt
from cluedo.experiments.plan import Plan

GAMES = {"montecarlo": 4}
"""Games that are timed, of levels that take their time."""


@pytest.mark.parametrize("level", ["montecarlo", "hard", "expert"])
def test_four_of_a_kind(benchmark, level):
    runner = GameRunner(Plan("manoir", Rules(), (level,) * 4, 10**9), 30.0)
    runner.play(range(8), Interrupt())
    games = GAMES.get(level, 100)
    benchmark.pedantic(runner.play, (range(games), Interrupt()), rounds=5)
    if benchmark.stats is not None:
        games_per_s = games / benchmark.stats.stats.min
        benchmark.extra_info["games_per_s"] = games_per_s
        print(f"\n  four {level}: {games_per_s:.1f} games a second", end=" ")
