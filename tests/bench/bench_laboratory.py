"""What the laboratory costs: ``pytest tests/bench/bench_laboratory.py --benchmark-only -s``.

Ratios are of times taken one right after the other, whatever else the machine does; medians over rounds.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from bench.bench_play import LINE_UPS, runner_for, tell
from helpers.laboratory import played, small

from cluedo.experiments.play.backends import Backend
from cluedo.experiments.play.interrupt import Interrupt

GAMES = {"four random players": 16_000, "the seed experiment": 4_000}
LONG = {"four random players": 192_000, "the seed experiment": 24_000}
"""Games of about 25 seconds, so that the second in which workers are born hardly counts."""


def experiment_of(name, games):
    return small(LINE_UPS[name], games=games, board="manoir", record="results", chunk=None)


def seconds(experiment, path, workers):
    began = perf_counter()
    played(experiment, path, backend=Backend("local", None, workers))
    return perf_counter() - began


@pytest.mark.parametrize("name", LINE_UPS)
def test_the_laboratory_costs_at_most_a_tenth(benchmark, tmp_path, name):
    """One worker, everything stored, against the bare loop over the same games."""
    games = GAMES[name]
    bare, experiment = runner_for(LINE_UPS[name], games // 10), experiment_of(name, games)
    ratios = []

    def both():
        began = perf_counter()
        bare.play(range(games), Interrupt())
        alone = perf_counter() - began
        ratios.append(seconds(experiment, tmp_path / str(len(ratios)), 1) / alone)

    benchmark.pedantic(both, rounds=5)
    tell(benchmark, time_in_the_laboratory_over_the_bare_loop=median(ratios))
    assert median(ratios) <= 1.10


@pytest.mark.parametrize("name", LINE_UPS)
def test_two_workers_are_worth_almost_two(benchmark, tmp_path, name):
    """Whole runs, the start of the workers included."""
    experiment = experiment_of(name, LONG[name])
    ratios = []

    def both():
        at = tmp_path / str(len(ratios))
        at.mkdir()
        ratios.append(seconds(experiment, at / "1", 1) / seconds(experiment, at / "2", 2))

    benchmark.pedantic(both, rounds=3)
    tell(benchmark, time_of_one_worker_over_two=median(ratios))
    assert median(ratios) >= 1.8


def processes():
    """This process and all that came from it."""
    found = [Path("/proc/self")]
    for process in found:
        with suppress(OSError):  # it has ended meanwhile
            for task in (process / "task").iterdir():
                found += [Path("/proc") / child for child in (task / "children").read_text().split()]
    return found


def resident_mb():
    """The memory of all processes together, in MB; what they share is counted once for each."""
    total = 0
    for process in processes():
        with suppress(OSError, StopIteration):
            lines = (process / "status").read_text().splitlines()
            total += next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
    return total / 1024


def test_a_million_games_take_no_more_memory_than_a_few(benchmark, tmp_path):
    """Two workers, everything stored, and all of it aggregated afterwards; memory sampled all the while."""
    samples, over = [], threading.Event()

    def watch():
        while not over.wait(0.5):
            samples.append(resident_mb())

    def million():
        began = time.monotonic()
        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            played(experiment_of("four random players", 1_000_000), tmp_path, backend=Backend("local", None, 2))
        finally:
            over.set()
            watcher.join()
        return time.monotonic() - began

    took = benchmark.pedantic(million, rounds=1)
    third = len(samples) // 3
    first, last = median(samples[third // 2 : third]), median(samples[-third:])
    tell(
        benchmark, games_per_s=1e6 / took, most_mb=max(samples), mb_in_the_first_third=first, mb_in_the_last_third=last
    )
    assert max(samples) < 600
    assert last < 1.1 * first
