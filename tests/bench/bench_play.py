"""How fast games are played, on one core: ``pytest tests/bench/bench_play.py --benchmark-only -s``.

The figures are printed, and stand in the benchmark's ``extra_info``.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter

import pytest

from cluedo import Rules
from cluedo.experiments.plan.plan import Conditions, Plan
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

LINE_UPS = {
    "four random players": ("random",) * 4,
    "the seed experiment": ("easy", "easy", "medium", "medium"),
}


def runner_for(line_up, games, *, records=False):
    runner = GameRunner(Plan("manoir", Rules(), line_up, 10**9), Conditions(records=records))
    runner.play(range(games), Interrupt())  # a batch is long, so what is counted is a warm process
    return runner


def tell(benchmark, **figures):
    benchmark.extra_info.update(figures)
    print(*(f"\n  {name.replace('_', ' ')}: {figure:,.4g}" for name, figure in figures.items()), end=" ")


@pytest.mark.parametrize("name", LINE_UPS)
def test_play(benchmark, name):
    games = 2000 if "random" in name else 400
    runner = runner_for(LINE_UPS[name], games // 4)
    results = benchmark.pedantic(runner.play, (range(games), Interrupt()), rounds=5)
    if benchmark.stats is not None:
        best = benchmark.stats.stats.min
        turns = sum(result.turns for result in results)
        tell(benchmark, games_per_s=games / best, turns_per_s=turns / best, turns_per_game=turns / games)


@pytest.mark.parametrize("name", LINE_UPS)
def test_records_cost_at_most_a_quarter(benchmark, name):
    games = 800 if "random" in name else 120
    without, with_records = (runner_for(LINE_UPS[name], games, records=records) for records in (False, True))
    ratios = []

    def both():
        """The same games without and with records, one right after the other, whatever else the machine does."""
        times = []
        for runner in (without, with_records):
            began = perf_counter()
            runner.play(range(games), Interrupt())
            times.append(perf_counter() - began)
        ratios.append(times[1] / times[0])

    benchmark.pedantic(both, rounds=7)
    tell(benchmark, time_with_records_over_without=median(ratios))
    assert median(ratios) <= 1.25
