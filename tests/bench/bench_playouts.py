"""How fast compiled games are, on one core: ``pytest tests/bench/bench_playouts.py --benchmark-only -s``.

Each figure stands beside that of the Python engine, measured in the same run; the ratio of the two is what counts on a
machine that others use as well. Time is the CPU's, not the wall's.
"""

from __future__ import annotations

from random import Random
from statistics import median
from time import process_time

import numpy as np
import pytest
from bench.bench_play import LINE_UPS, runner_for, tell
from helpers.compiled_games import stopped

from cluedo import Rules
from cluedo.ai.level_medium import MediumPlayer
from cluedo.ai.match import Match
from cluedo.ai.player import Clock
from cluedo.ai.playouts.batch import CompiledTable
from cluedo.ai.playouts.players import compiled_line_up
from cluedo.ai.playouts.positions import Playouts, moment_of
from cluedo.engine.board import Board
from cluedo.experiments.play.interrupt import Interrupt

GAMES = {"four random players": (20_000, 400), "the seed experiment": (4_000, 40)}
"""Compiled games, and those of the Python engine right after them."""

ROUNDS = 7


@pytest.mark.parametrize("name", LINE_UPS)
def test_games_from_the_deal(benchmark, name):
    many, few = GAMES[name]
    table = CompiledTable(Board.load("manoir"), Rules(), compiled_line_up(LINE_UPS[name]))
    runner = runner_for(LINE_UPS[name], few)
    table.play(range(4))
    ratios, speeds, turns = [], [], 0

    def both():
        """Compiled games, and right after them some of the Python engine."""
        nonlocal turns
        began = process_time()
        turns = int(table.play(range(many)).turns.sum())
        compiled = (process_time() - began) / many
        began = process_time()
        runner.play(range(few), Interrupt())
        ratios.append((process_time() - began) / few / compiled)
        speeds.append(1 / compiled)

    benchmark.pedantic(both, rounds=ROUNDS)
    best = max(speeds)
    tell(
        benchmark,
        games_per_s=best,
        turns_per_s=best * turns / many,
        median_games_per_s=median(speeds),
        times_as_fast_as_python=median(ratios),
    )


def test_play_outs_from_the_middle_of_a_game(benchmark):
    """Four blueprints, half-way through; the Python engine plays the same positions on with four of `medium`."""
    line_up, board, each = ("blueprint",) * 4, Board.load("manoir"), 500
    games = [stopped(board, line_up, number, 0.5) for number in range(16)]
    games = [game for game in games if not game.over]
    kinds = compiled_line_up(line_up)
    playouts = Playouts(games[0].table)
    seeds = np.arange(each, dtype=np.uint64)

    def run(game):
        moment = moment_of(game.view(game.state.to_act))
        deals = np.array([[*game.state.deal.hands, *game.state.deal.envelope]] * each)
        return playouts.run(moment, deals, seeds, kinds)

    run(games[0])
    speeds, python, more = [], [], 0.0

    def all_of_them():
        nonlocal more
        began = process_time()
        turns = [run(game).turns.mean() - game.state.turn for game in games]
        speeds.append(len(games) * each / (process_time() - began))
        more = float(np.mean(turns))

    benchmark.pedantic(all_of_them, rounds=ROUNDS)
    for game in games:
        match = Match(game, [MediumPlayer() for _ in line_up], [Random(seat) for seat in range(4)], Clock(None))
        match.sit_down()
        began = process_time()
        match.play()
        python.append(process_time() - began)
    best = max(speeds)
    tell(benchmark, play_outs_per_s=best, median_play_outs_per_s=median(speeds), turns_each=more)
    tell(benchmark, times_as_fast_as_python=best * sum(python) / len(python))
