"""How fast the levels that deduce play, on one core: ``pytest tests/bench/bench_levels.py --benchmark-only -s``."""

from __future__ import annotations

import pytest

from cluedo import Rules
from cluedo.experiments.games import GameRoom
from cluedo.experiments.interrupt import Interrupt
from cluedo.experiments.plan import Plan


@pytest.mark.parametrize("level", ["hard", "expert"])
def test_four_of_a_kind(benchmark, level):
    room = GameRoom(Plan("manoir", Rules(), (level,) * 4, 10**9), 30.0)
    room.play(range(8), Interrupt())
    benchmark.pedantic(room.play, (range(100), Interrupt()), rounds=5)
    if benchmark.stats is not None:
        games_per_s = 100 / benchmark.stats.stats.min
        benchmark.extra_info["games_per_s"] = games_per_s
        print(f"\n  four {level}: {games_per_s:.0f} games a second", end=" ")
