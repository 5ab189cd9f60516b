"""What a process of its own costs a bot: ``pytest tests/bench/bench_bots.py --benchmark-only -s``.

Ratios are of times taken one right after the other. The least of several rounds counts: on a busy machine two
processes wait twice.
"""

from __future__ import annotations

from time import perf_counter

import pytest

from cluedo import Rules
from cluedo.experiments.plan.plan import Conditions, Plan
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

THINKS_S = 0.01

BOT = f"""
import time
from cluedo.ai.level_medium import MediumPlayer

class Bot(MediumPlayer):
    pass

for name in ("choose_move", "choose_hypothesis", "choose_card", "choose_accusation"):
    def choose(self, view, chosen=getattr(MediumPlayer, name)):
        time.sleep({THINKS_S})
        return chosen(self, view)
    setattr(Bot, name, choose)
"""

GAMES = range(8)


@pytest.mark.parametrize("board", ["tiny", "classic"])
def test_a_bot_that_thinks_for_ten_milliseconds_is_at_most_a_tenth_slower_in_a_process_of_its_own(
    benchmark, tmp_path, board
):
    """The same games, by the same class, in this process and in one of its own."""
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    plan = Plan(board, Rules(), (f"{tmp_path / 'bot.py'}:Bot", "easy", "easy"), len(GAMES))
    runners = [GameRunner(plan, Conditions(trusted=trusted)) for trusted in (True, False)]
    runners[1].players[0].prepare()
    ratios = []

    def both():
        seconds, results = [], []
        for runner in runners:
            began = perf_counter()
            results.append([result._replace(think_s=[]) for result in runner.play(GAMES, Interrupt())])
            seconds.append(perf_counter() - began)
        assert results[0] == results[1]
        ratios.append(seconds[1] / seconds[0])

    benchmark.pedantic(both, rounds=5)
    benchmark.extra_info["own_process_over_trusted"] = min(ratios)
    print(f"\nin a process of its own over trusted, {board}: {min(ratios):.3f}")
    assert min(ratios) <= 1.10
