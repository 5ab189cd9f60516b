"""Running a plan: results in the order of the games, played here or by worker processes.

A game's result follows from the plan alone, so neither the number of workers nor the size of a
chunk changes any. Chunks are sized by the clock: long enough to be worth the trip to a worker, short
enough to show progress and to share the end of the work fairly. Every run begins in this process;
workers, which take half a second to start, are called when what is left is worth it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from time import perf_counter
from typing import Final

from cluedo.ai.match import DEFAULT_THINK_LIMIT
from cluedo.errors import SetupError
from cluedo.experiments.games import GameResult, GameRoom
from cluedo.experiments.interrupt import Interrupt
from cluedo.experiments.plan import Plan
from cluedo.experiments.workers import WorkerDied, Workers

__all__ = ["available_cpus", "run"]

_CHUNK_S: Final = 0.25
"""Seconds that a chunk should take."""

_MOST_GAMES: Final = 400
"""Games of a chunk at most: their results are in memory at once, with records if wanted."""

_PROBE_S: Final = 0.2
"""Seconds of play after which the speed is known well enough."""

_WORTH_S: Final = 1.5
"""Seconds of play left that are worth calling workers."""

_AHEAD: Final = 4
"""Chunks under way or waiting for their turn, for each worker; bounds the memory."""

_PATIENCE_S: Final = 2.0
"""Seconds that workers get to finish their game after Ctrl-C."""

_POLL_S: Final = 0.1
"""Seconds between looks at whether an end is wanted."""


def available_cpus() -> int:
    """The CPUs that this process may use, which a container or ``taskset`` may have made fewer."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    plan: Plan,
    *,
    workers: int = 1,
    think_limit: float | None = DEFAULT_THINK_LIMIT,
    records: bool = False,
    interrupt: Interrupt | None = None,
) -> Iterator[GameResult]:
    """Check a plan, then play it; gives the results as they come, in the order of the games.

    Args:
        plan: what is played.
        workers: how many processes may play at once; 1 plays in this one. More than one need a main
            module that can be imported without running (the rule of :mod:`multiprocessing`).
        think_limit: seconds that a player may take for one answer, or None.
        records: whether results carry the game's record.
        interrupt: once it is wanted, what is finished is given and the iteration ends; some numbers
            may then be missing before the last one given.

    Raises:
        CluedoError: in one sentence, for a plan that cannot be played; :class:`WorkerDied`
            during the iteration, after what is finished has been given.
    """
    if workers < 1:
        raise SetupError(f"at least 1 worker is needed, not {workers}")
    room = GameRoom(plan, think_limit, records=records)
    return _run(room, min(workers, plan.deals), think_limit, records, interrupt or Interrupt())


class _Cutter:
    """Cuts a plan into chunks, by the time that games have taken so far."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._next = 0
        self._size = 1
        self._game_s = 0.0

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self._next >= self._plan.games

    @property
    def left_s(self) -> float:
        """How many seconds of play are left, as far as one can tell."""
        return (self._plan.games - self._next) * self._game_s

    def cut(self, workers: int = 1) -> range:
        """The next games to play, leaving a fair part for other workers."""
        fair = -(-(self._plan.games - self._next) // (2 * workers))
        games = self._plan.chunk(self._next, min(self._size, fair))
        if not self._next:
            games = games[:1]  # nobody knows yet how long a game takes
        self._next = games.stop
        return games

    def learn(self, games: range, seconds: float) -> None:
        """Hear how long some games took."""
        self._game_s = seconds / len(games)
        fitting = int(_CHUNK_S / max(self._game_s, 1e-6))
        self._size = max(1, min(fitting, 4 * max(self._size, len(games)), _MOST_GAMES))


def _run(
    room: GameRoom, workers: int, think_limit: float | None, records: bool, interrupt: Interrupt
) -> Iterator[GameResult]:
    cutter = _Cutter(room.plan)
    began = perf_counter()
    while not (cutter.done or interrupt.wanted()):
        if workers > 1 and perf_counter() - began >= _PROBE_S and cutter.left_s >= _WORTH_S:
            yield from _run_in_workers(
                cutter, Workers(workers, room.plan, think_limit, records=records), workers, interrupt
            )
            return
        games = cutter.cut(workers)
        chunk_began = perf_counter()
        results = room.play(games, interrupt)
        cutter.learn(games, perf_counter() - chunk_began)
        yield from results


def _run_in_workers(cutter: _Cutter, workers: Workers, count: int, interrupt: Interrupt) -> Iterator[GameResult]:
    finished: dict[int, list[GameResult]] = {}  # by the number of the chunk's first game
    expected: deque[int] = deque()
    died = None
    try:
        while (expected or not cutter.done) and not interrupt.wanted():
            while workers.free and not cutter.done and len(expected) < _AHEAD * count:
                games = cutter.cut(count)
                expected.append(games.start)
                workers.give(games)
            for games, results, seconds in workers.take(_POLL_S):
                finished[games.start] = results
                cutter.learn(games, seconds)
            while expected and expected[0] in finished:
                yield from finished.pop(expected.popleft())
        finished.update((chunk.games.start, chunk.results) for chunk in workers.stop(_PATIENCE_S))
    except WorkerDied as error:
        died = error
    finally:
        workers.close()
    for start in sorted(finished):
        yield from finished[start]
    if died is not None:
        raise died
