"""Whole games, on one core."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count
from time import process_time

import numpy as np
from bench.figures import Line, hard_game, runner_of, seconds_a_game

from cluedo import Rules
from cluedo.ai.level_expert import ExpertPlayer
from cluedo.ai.levels import LEVELS
from cluedo.ai.match import Match
from cluedo.ai.playouts.players import COMPILED_LEVELS
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.game import Game
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.plan.part import Conditions
from cluedo.experiments.play import chunks
from cluedo.experiments.play.games import CompiledRunner, GameRunner

GAMES = {"random": 1000, "easy": 400, "medium": 400, "expert": 48, "montecarlo": 4}
"""Games of four of a level in each round, which are others each time."""

COMPILED_GAMES = 2000
AIMS = {"expert": "≥ 40"}
COMPILED_AIMS = {"hard": "≥ 3000"}
DECISIONS = {4: (60, "≤ 10"), 6: (30, "≤ 25")}
"""By seats, the games whose decisions are timed one by one, and what 99 of 100 should not exceed, in ms."""

MIXED = ("easy", "easy", "medium", "medium")
FIVE_LEVELS = ("random", "easy", "medium", "hard", "expert")
LADDER_SHARE = 60


def lines() -> Iterator[Line]:
    """The lines of the table."""
    for level in (*GAMES, "hard"):
        assert level in LEVELS
    for level, games in GAMES.items():
        yield Line(
            f"four `{level}`",
            "games/s",
            partial(_games, (level,) * 4, games),
            2 if games < 100 else 5,
            AIMS.get(level, ""),
        )
        if level == "medium":
            yield Line("four `hard`", "games/s", lambda: hard_game)
    yield Line("two `easy`, two `medium`", "games/s", partial(_games, MIXED, 400))
    for level in COMPILED_LEVELS:
        ready = partial(_games, (level,) * 4, COMPILED_GAMES, CompiledRunner)
        yield Line(f"four `{level}`, compiled", "games/s", ready, aim=COMPILED_AIMS.get(level, ""))
    yield Line("1,000 games of five levels (100 are played)", "s", partial(_games, FIVE_LEVELS, 50, of=1000), 2, "≤ 20")
    yield Line(f"the ladder's 14,400 games (a {LADDER_SHARE}th is played)", "s", lambda: _ladder, 1, "≤ 360")
    for seats, (_, aim) in DECISIONS.items():
        what = f"of the decisions of `expert`, {seats} seats"
        yield Line(f"p99 {what}", "ms", partial(_late, seats, 0.99), 1, aim)
        yield Line(f"the longest {what}", "ms", partial(_late, seats, 1.0), 1)
    yield Line("games with records, over the same without", "×", _records, aim="≤ 1.25")


def _games(
    line_up: tuple[str, ...], games: int, engine: type[GameRunner] = GameRunner, of: int = 1
) -> Callable[[], float]:
    runner = runner_of(*line_up, engine=engine)
    seconds_a_game(runner, max(games // 8, 4))  # a batch is long, so what is counted is a warm process
    firsts = count(0, games)
    return lambda: of * seconds_a_game(runner, games, next(firsts))


def _ladder() -> float:
    """All games, by a share of each line-up's."""
    seconds = 0.0
    for part in Experiment.load("ladder").parts:
        games = part.games // LADDER_SHARE
        seconds += part.games * seconds_a_game(chunks.runner_of(part, Conditions()), games)
    return seconds


class Timed(ExpertPlayer):
    """`expert`, and how many seconds each of its decisions took."""

    seconds: list[float]

    def __getattribute__(self, name):
        chosen = super().__getattribute__(name)
        if not name.startswith("choose_"):
            return chosen

        def choose(view):
            began = process_time()
            decision = chosen(view)
            self.seconds.append(process_time() - began)
            return decision

        return choose


def _late(seats: int, share: float) -> Callable[[], float]:
    return lambda: float(np.quantile(_decisions(seats), share))


@cache
def _decisions(seats: int) -> list[float]:
    """The seconds of each decision in some games of `expert`."""
    board, rules = Board.load("manoir"), Rules()
    Timed.prepare()
    Timed.seconds = []
    for deal in range(DECISIONS[seats][0]):
        seeds = Seeds(0, deal, seats)
        words = [seeds.for_player(deal, seat) for seat in range(seats)]
        Match(Game(board, rules, draw_deal(seeds, board.deck, rules)), [Timed() for _ in words], words).play()
    return Timed.seconds


def _records() -> Callable[[], float]:
    without, kept = (runner_of("random", "random", "random", "random", records=records) for records in (False, True))

    def both() -> float:
        first, second = (seconds_a_game(runner, 800) for runner in (without, kept))
        return second / first

    both()
    return both
