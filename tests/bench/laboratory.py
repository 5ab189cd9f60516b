"""What the laboratory costs, and how much memory it takes."""

from __future__ import annotations

import gc
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from time import perf_counter, process_time

from bench.figures import Line, clock_and_memory
from helpers.laboratory import played, small

from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

RANDOM = ("random",) * 4
MANY = 100_000
_LOOP = "total = 0\nfor number in range(40_000_000): total += number & 7"


def lines() -> Iterator[Line]:
    """The lines of the table."""
    yield Line(
        "an experiment of four `random` with everything stored, over playing alone", "×", _over_the_loop, 5, "≤ 1.1"
    )
    yield Line(
        f"speed-up by a second worker in {MANY:,} games, by the clock", "×", lambda: lambda: _speed_ups()[0], 1, "≥ 1.8"
    )
    yield Line(
        "speed-up of a loop in Python by a second process: what the machine allows",
        "×",
        lambda: lambda: _speed_ups()[1],
        1,
    )
    yield Line(
        f"{MANY:,} games of four `random` on two workers", "s by the clock", lambda: lambda: autoplay(MANY, 2)[0], 1
    )
    yield Line("memory of all their processes, at most", "MB", lambda: lambda: autoplay(MANY, 2)[1], 1, "≤ 600")


@cache
def autoplay(games: int, workers: int) -> tuple[float, float]:
    """The seconds by the clock, and the most memory in MB, of games of four `random`."""
    options = {"players": ",".join(RANDOM), "map": "manoir", "games": str(games), "workers": str(workers)}
    return clock_and_memory("autoplay", *(word for name, value in options.items() for word in (f"--{name}", value)))


def _over_the_loop() -> Callable[[], float]:
    """One worker, CPU time; the same games right after each other, on one board that remembers their walks."""
    experiment = small(RANDOM, games=12_000, board="manoir", record="results", chunk=None)
    (part,) = experiment.parts

    def both() -> float:
        gc.collect()
        began = process_time()
        runner = GameRunner(part, experiment.conditions)
        for chunk in experiment.chunks():
            runner.play(chunk.games, Interrupt.never())
        alone = process_time() - began
        with tempfile.TemporaryDirectory() as folder:
            gc.collect()
            began = process_time()
            played(experiment, Path(folder))
            return (process_time() - began) / alone

    both()
    return both


@cache
def _speed_ups() -> tuple[float, float]:
    """Of whole runs, the start of the workers included, and of loops: by the clock, all right after each other."""
    looped, alone = _loops(1), autoplay(MANY, 1)[0]
    return alone / autoplay(MANY, 2)[0], 2 * looped / _loops(2)


def _loops(processes: int) -> float:
    """The seconds by the clock that a loop of a few seconds takes in each of so many processes at once."""
    began = perf_counter()
    started = [subprocess.Popen([sys.executable, "-c", _LOOP]) for _ in range(processes)]
    for process in started:
        process.wait()
    return perf_counter() - began
