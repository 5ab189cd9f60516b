"""How fast the environments are, on one core: ``pytest tests/bench/bench_envs.py --benchmark-only -s``."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from statistics import median
from time import perf_counter, process_time

import numpy as np
import pytest
from bench.bench_play import tell

pytest.importorskip("pettingzoo", reason="the extra cluedo[rl] is not installed")

from pettingzoo.test import performance_benchmark

from cluedo.envs import cluedo_v0
from cluedo.envs.vector import CompiledEnvs

GOAL = 5_000
"""Steps a second with `marks`."""

ENVS = 256


def random_actions(masks, random):
    """Allowed actions; not the accusations that random play is full of, which end a game before it has begun."""
    likes = random.random(masks.shape, dtype=np.float32) * masks
    likes[:, -324:] *= 0.3
    return likes.argmax(1)


@pytest.mark.parametrize(
    "players", ["learner,learner,learner,learner", "learner,random,random,random", "learner,easy,easy,easy"]
)
def test_many_compiled_games_at_a_time(benchmark, players):
    """With `notes`. The time of choosing is left out; the ratio is to one environment over the referee."""
    envs, random = CompiledEnvs(ENVS, players=players), np.random.default_rng(1)
    one = cluedo_v0.raw_env(observe=("notes",))
    speeds, ratios = [], []

    def measured():
        _, infos = envs.reset(seed=1)
        spent = 0.0
        for _ in range(200):
            actions = random_actions(infos["action_mask"], random)
            began = process_time()
            infos = envs.step(actions)[-1]
            spent += process_time() - began
        speeds.append(200 * ENVS / spent)
        ratios.append(speeds[-1] / steps_of_one(one, random))

    benchmark.pedantic(measured, rounds=5, warmup_rounds=1)
    tell(benchmark, steps_per_s=max(speeds), times_one_over_the_referee=median(ratios))


def steps_of_one(env, random):
    """The steps a second of an environment over the referee."""
    env.reset(seed=1)
    spent, steps = 0.0, 0
    for _ in range(1000):
        mask = env.observe(env.agent_selection)["action_mask"]
        action = int(random_actions(mask[None], random)[0])
        began = process_time()
        env.step(action)
        if any(env.terminations.values()):
            env.reset()
        env.last()
        spent += process_time() - began
        steps += 1
    return steps / spent


@pytest.mark.parametrize("part", ["notes", "marks", "odds", "history"])
def test_all_seats_over_the_referee(benchmark, part):
    """PettingZoo's own benchmark, which takes five seconds; the processor's time is counted, not the clock's."""
    env = cluedo_v0.env(observe=(part,))
    env.reset(seed=1)
    env.last()  # compiled
    told, shares = io.StringIO(), []

    def measured():
        began, began_at = process_time(), perf_counter()
        performance_benchmark(env)
        shares.append((process_time() - began) / (perf_counter() - began_at))

    with redirect_stdout(told):
        benchmark.pedantic(measured, rounds=1)
    by_the_clock = float(next(line for line in told.getvalue().splitlines() if "turns per second" in line).split()[0])
    steps = by_the_clock / shares[0]
    tell(benchmark, steps_per_s=steps)
    assert part != "marks" or steps >= GOAL
