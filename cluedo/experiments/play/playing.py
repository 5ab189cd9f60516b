"""Playing a chunk, in whatever process: what workers are sent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

from cluedo.experiments.plan.experiment import Chunk, Experiment
from cluedo.experiments.plan.plan import Engine, Plan
from cluedo.experiments.play.compiled_games import CompiledRunner
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.play.observers import columns_of, parse_observer
from cluedo.experiments.play.rows import ResultRows

__all__ = ["ChunkPlayer", "PlayedChunk", "Task", "runner_kind"]

_RUNNERS = 64
"""Plans whose board and players a process keeps; they take milliseconds to make and little memory."""


class Task(NamedTuple):
    """A chunk to be played, and the part that it is of."""

    chunk: Chunk
    plan: Plan


class PlayedChunk(NamedTuple):
    """A chunk's results, and the seconds that it took; None if it was interrupted."""

    chunk: Chunk
    rows: ResultRows | None
    seconds: float


@dataclass(frozen=True)
class ChunkPlayer:
    """Plays chunks in the process where this is; programs, and bots that are not trusted, play beside it.

    Attributes:
        think_limit: seconds that a player may take for one answer.
        time_bank: seconds that its answers may take beyond that, in all of a game.
        trusted: whether classes of files and packages play in this process; else each has one of its own.
        records: whether results carry the games' records.
        observers: who watches the games, as their texts.
    """

    think_limit: float
    records: bool
    observers: tuple[str, ...] = ()
    time_bank: float = 0.0
    trusted: bool = False

    def __call__(self, task: Task) -> PlayedChunk:
        """Play in a worker, where nobody interrupts."""
        return self.play(task, Interrupt.of_nobody())

    def play(self, task: Task, interrupt: Interrupt) -> PlayedChunk:
        """Play here, unless it is interrupted; raises :class:`~cluedo.engine.errors.CluedoError`."""
        began = perf_counter()
        chunk, plan = task
        rows = self._runner(plan).rows(chunk.games, interrupt)
        return PlayedChunk(chunk, rows, perf_counter() - began)

    @classmethod
    def of(cls, experiment: Experiment) -> ChunkPlayer:
        """Who plays the chunks of an experiment, every part of which is checked here.

        Raises:
            CluedoError: in one sentence, if one of them cannot be played.
        """
        columns_of(experiment.observers)
        player = cls(
            experiment.think_limit,
            experiment.record == "full",
            experiment.observers,
            experiment.time_bank,
            experiment.trusted,
        )
        for plan in experiment.parts:
            player._runner(plan).prepare()
        return player

    def _runner(self, plan: Plan) -> GameRunner:
        return _runner(plan, self.think_limit, self.time_bank, self.trusted, self.records, self.observers)


def runner_kind(engine: Engine) -> type[GameRunner]:
    """What plays games on an engine."""
    return CompiledRunner if engine == "compiled" else GameRunner


@lru_cache(_RUNNERS)
def _runner(
    plan: Plan, think_limit: float, time_bank: float, trusted: bool, records: bool, observers: tuple[str, ...]
) -> GameRunner:
    watchers = [parse_observer(text) for text in observers]
    return runner_kind(plan.engine)(
        plan, think_limit, time_bank=time_bank, trusted=trusted, records=records, observers=watchers
    )
