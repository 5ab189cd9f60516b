"""Steps a second: environments for learners, the time of choosing left out; and what others' libraries do at random.

catanatron, another engine in Python of a game for four, is measured where somebody has installed it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from random import Random, seed
from time import process_time

import numpy as np
import pyspiel
from bench.figures import Line
from helpers.support import drawn_game

import cluedo.envs.openspiel  # noqa: F401 - registers the game
from cluedo.ai.level_random import RandomPlayer
from cluedo.ai.match import Match
from cluedo.engine.board import Board
from cluedo.envs import cluedo_v0
from cluedo.envs.vector import CompiledEnvs

ENVS, STEPS = 256, 100


def lines() -> Iterator[Line]:
    """The lines of the table."""
    for players in (["learner"] * 4, ["learner", "easy", "easy", "easy"]):
        yield Line(f"256 compiled environments, `{','.join(players)}`", "steps/s", partial(_compiled, players), 3)
    for part, aim in (("notes", ""), ("marks", "≥ 5000"), ("odds", "")):
        yield Line(f"one environment over the referee, which observes `{part}`", "steps/s", partial(_one, part), 3, aim)
    yield Line("`python_cluedo` of OpenSpiel, at random", "steps/s", partial(_openspiel, "python_cluedo"), 3)
    yield Line("OpenSpiel's own `hearts`, in C++, at random", "steps/s", partial(_openspiel, "hearts"), 3)
    yield Line("the referee, four `random`", "steps/s", lambda: _referee, 3)
    if find_spec("catanatron"):
        yield Line("catanatron, four at random", "steps/s", lambda: _catanatron, 3)


def _choose(masks, random):
    """Allowed actions; not the accusations that random play is full of, which end a game before it has begun."""
    likes = random.random(masks.shape, dtype=np.float32) * masks
    likes[:, -324:] *= 0.3
    return likes.argmax(1)


def _compiled(players: list[str]) -> Callable[[], float]:
    envs, random = CompiledEnvs(ENVS, players=players), np.random.default_rng(1)

    def once() -> float:
        _, infos = envs.reset(seed=1)
        spent = 0.0
        for _ in range(STEPS):
            actions = _choose(infos["action_mask"], random)
            began = process_time()
            infos = envs.step(actions)[-1]
            spent += process_time() - began
        return spent / STEPS / ENVS

    once()
    return once


def _one(part: str) -> Callable[[], float]:
    env, random = cluedo_v0.raw_env(observe=(part,)), np.random.default_rng(1)
    env.reset(seed=1)

    def once(steps: int = 1000) -> float:
        spent = 0.0
        for _ in range(steps):
            mask = env.observe(env.agent_selection)["action_mask"]
            action = int(_choose(mask[None], random)[0])
            began = process_time()
            env.step(action)
            if any(env.terminations.values()):
                env.reset()
            env.last()
            spent += process_time() - began
        return spent / steps

    once(100)
    return once


def _openspiel(name: str) -> Callable[[], float]:
    """Steps of all players; those of chance take time and do not count."""
    game, random = pyspiel.load_game(name), Random(1)

    def once(steps: int = 3000) -> float:
        began, done, state = process_time(), 0, game.new_initial_state()
        while done < steps:
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, odds)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                done += 1
        return (process_time() - began) / steps

    once(100)
    return once


def _referee(games: int = 1000) -> float:
    """What players choose is a step; what the referee does by itself is none."""
    board, began, steps = Board.load("manoir"), process_time(), 0
    for deal in range(games):
        game = drawn_game(board, 4, 1, deal)
        Match(game, [RandomPlayer() for _ in range(4)], [Random(seat) for seat in range(4)]).play()
        steps += len(game.commands)
    return (process_time() - began) / steps


def _catanatron(games: int = 20) -> float:
    """The same of Catan."""
    from catanatron import Color, Game, RandomPlayer

    seed(1)
    began, steps = process_time(), 0
    for _ in range(games):
        game = Game([RandomPlayer(color) for color in Color])
        game.play()
        steps += len(game.state.actions)
    return (process_time() - began) / steps
