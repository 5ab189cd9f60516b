"""How fast games are played, on one core: ``pytest tests/bench/bench_play.py --benchmark-only -s``.

The figures are printed, and stand in the benchmark's ``extra_info``.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter

import numpy as np
import pytest

from cluedo import Rules
from cluedo.ai.level_expert import ExpertPlayer
from cluedo.ai.match import Match
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.game import Game
from cluedo.experiments.plan.plan import Conditions, Plan
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

LINE_UPS = {
    "four random players": ("random",) * 4,
    "the seed experiment": ("easy", "easy", "medium", "medium"),
}
GAMES = {("random",) * 4: 2000, ("hard",) * 4: 100, ("expert",) * 4: 100, ("montecarlo",) * 4: 4}
"""Games that are timed; 400 of other players."""


def runner_for(line_up, games, *, records=False):
    runner = GameRunner(Plan("manoir", Rules(), line_up, 10**9), Conditions(records=records))
    runner.play(range(games), Interrupt())  # a batch is long, so what is counted is a warm process
    return runner


def tell(benchmark, **figures):
    benchmark.extra_info.update(figures)
    print(*(f"\n  {name.replace('_', ' ')}: {figure:,.4g}" for name, figure in figures.items()), end=" ")


@pytest.mark.parametrize("line_up", [*GAMES, LINE_UPS["the seed experiment"]], ids=",".join)
def test_play(benchmark, line_up):
    games = GAMES.get(line_up, 400)
    runner = runner_for(line_up, max(games // 4, 8))
    results = benchmark.pedantic(runner.play, (range(games), Interrupt()), rounds=5)
    if benchmark.stats is not None:
        best = benchmark.stats.stats.min
        turns = sum(result.turns for result in results)
        tell(benchmark, games_per_s=games / best, turns_per_s=turns / best, turns_per_game=turns / games)


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
    Timed.seconds = seconds

    def games():
        seconds.clear()
        for deal in range(30):
            seeds = Seeds(0, deal, seats)
            words = [seeds.for_player(deal, seat) for seat in range(seats)]
            Match(Game(board, rules, draw_deal(seeds, board.deck, rules)), [Timed() for _ in words], words).play()

    benchmark.pedantic(games, rounds=3)
    middle, late, longest = np.quantile(seconds, [0.5, 0.99, 1.0]) * 1000
    tell(benchmark, decisions=len(seconds), median_ms=middle, p99_ms=late, longest_ms=longest)


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
