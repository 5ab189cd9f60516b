"""Playing a chunk, in whatever process: what workers are sent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from cluedo.ai.loading import file_of
from cluedo.experiments.experiment import Chunk, Experiment
from cluedo.experiments.games import GameRoom, room_for
from cluedo.experiments.interrupt import Interrupt
from cluedo.experiments.observers import columns_of, parse_observer
from cluedo.experiments.plan import Plan
from cluedo.experiments.rows import ResultRows

if TYPE_CHECKING:
    from cluedo.experiments.supervisor import Supervisor

__all__ = ["ChunkPlayer", "PlayedChunk", "Task"]

_ROOMS = 64
"""Rooms that a process keeps laid out; one takes milliseconds to make and little memory."""


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
    """Plays chunks: shipped levels in the process where this is, bots from files in one of their own beside it.

    Attributes:
        think_limit: seconds that a player may take for one answer.
        records: whether results carry the games' records.
        observers: who watches the games, as their texts.
    """

    think_limit: float
    records: bool
    observers: tuple[str, ...] = ()

    def __call__(self, task: Task) -> PlayedChunk:
        """Play in a worker, where nobody interrupts."""
        return self.play(task, Interrupt.of_nobody())

    def play(self, task: Task, interrupt: Interrupt) -> PlayedChunk:
        """Play here, unless it is interrupted; raises :class:`~cluedo.engine.errors.CluedoError`."""
        began = perf_counter()
        chunk, plan = task
        if _supervised(plan):
            results = self._supervisor.play(plan, chunk.games, interrupt)
            rows = ResultRows.of(plan, results) if len(results) == len(chunk.games) else None
        else:
            room = _room(plan, self.think_limit, self.records, self.observers)
            rows = room.rows(chunk.games, interrupt)
        return PlayedChunk(chunk, rows, perf_counter() - began)

    @classmethod
    def of(cls, experiment: Experiment) -> ChunkPlayer:
        """Who plays the chunks of an experiment, every part of which is checked here.

        Raises:
            CluedoError: in one sentence, if one of them cannot be played.
        """
        columns_of(experiment.observers)
        player = cls(experiment.think_limit, experiment.record == "full", experiment.observers)
        for plan in experiment.parts:
            if _supervised(plan):
                player._supervisor.check(plan)
            else:
                _room(plan, player.think_limit, player.records, player.observers)
        return player

    @cached_property
    def _supervisor(self) -> Supervisor:
        from cluedo.experiments.supervisor import Supervisor  # only bots need one

        return Supervisor(self.think_limit, records=self.records, observers=self.observers)

    def __getstate__(self) -> dict[str, Any]:
        """Processes do not travel: each worker has its own."""
        return {name: value for name, value in vars(self).items() if name != "_supervisor"}


def _supervised(plan: Plan) -> bool:
    """Whether somebody's files play; the compiled engine refuses them in a sentence of its own."""
    return plan.engine == "python" and any(map(file_of, plan.line_up))


@lru_cache(_ROOMS)
def _room(plan: Plan, think_limit: float, records: bool, observers: tuple[str, ...]) -> GameRoom:
    return room_for(plan, think_limit, records=records, observers=[parse_observer(text) for text in observers])
