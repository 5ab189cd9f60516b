"""About how long an experiment takes: from a few games played here and now, which are counted nowhere."""

from __future__ import annotations

from time import perf_counter
from typing import Final, NamedTuple

from cluedo.ai.match import Match, seat_players
from cluedo.engine.deal import Seeds
from cluedo.engine.game import Game
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.play.chunks import runner_of
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

__all__ = ["Expected", "expected_time"]

_PARTS: Final = 20
"""Line-ups of an experiment that are tried, from the first to the last: with few, one slow level may be missed."""
_SECONDS: Final = 0.025
"""For each of them; a game that takes longer is broken off."""
_USUAL_TURNS: Final = 25
"""Of a game that was broken off."""
_COMPILED: Final = 40
"""Compiled games that are played at a time."""


class Expected(NamedTuple):
    """About how long an experiment takes.

    Attributes:
        seconds: of all its games, played one after the other in one process.
        games: how many were played to find out, the last of each line-up perhaps in part.
    """

    seconds: float
    games: int


def expected_time(experiment: Experiment) -> Expected:
    """About how long an experiment of levels takes on this machine, prepared already; takes half a second or so."""
    parts, few = experiment.parts, min(_PARTS, len(experiment.parts))
    tried = [parts[k * (len(parts) - 1) // max(1, few - 1)] for k in range(few)]
    measured = [_measured(plan, experiment) for plan in tried]
    games_of_tried = sum(plan.games for plan in tried)
    seconds = sum(plan.games * spent / played for plan, (spent, played) in zip(tried, measured, strict=True))
    return Expected(seconds * experiment.total / games_of_tried, sum(max(1, round(games)) for _, games in measured))


def _measured(plan: Plan, experiment: Experiment) -> tuple[float, float]:
    """The seconds that some games of a part took, and how many games these were, a game in part counted as a part."""
    runner = runner_of(plan, experiment.conditions)
    began, games = perf_counter(), 0.0
    while (spent := perf_counter() - began) < _SECONDS:
        if plan.engine == "compiled":
            some = range(min(_COMPILED, plan.games))
            runner.rows(some, Interrupt.never())  # as a run does, which is faster where no records are kept
            games += len(some)
        else:
            games += _part_of_game(runner, int(games), began + _SECONDS)
    return spent, games


def _part_of_game(runner: GameRunner, deal: int, until: float) -> float:
    """Play a game until a time; what part of it was played."""
    plan = runner.plan
    seeds = Seeds(plan.seed, deal, plan.seats, plan.seed_secret)
    game = Game.begin(runner.board, plan.rules, seeds)
    match = Match(game, *seat_players(runner.players, seeds), runner.conditions.clock)
    while not game.over and perf_counter() < until:
        match.advance()
    return 1.0 if game.over else min(0.95, max(1, game.state.turn) / _USUAL_TURNS)
