"""Playing a chunk, in whatever process: what workers are sent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from cluedo.ai.loading import is_program
from cluedo.bots.naming import code_of
from cluedo.experiments.plan.experiment import Chunk, Experiment
from cluedo.experiments.plan.plan import Engine, Plan
from cluedo.experiments.play.compiled_games import CompiledRunner
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.play.observers import columns_of, parse_observer
from cluedo.experiments.play.rows import ResultRows

if TYPE_CHECKING:
    from cluedo.experiments.play.supervisor import Supervisor

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
    """Plays chunks: shipped levels in the process where this is, classes of others and programs beside it.

    Attributes:
        think_limit: seconds that a player may take for one answer.
        time_bank: seconds that its answers may take beyond that, in all of a game.
        isolate: whether classes that are not shipped play as programs, in processes of their own.
        records: whether results carry the games' records.
        observers: who watches the games, as their texts.
    """

    think_limit: float
    records: bool
    observers: tuple[str, ...] = ()
    time_bank: float = 0.0
    isolate: bool = False

    def __call__(self, task: Task) -> PlayedChunk:
        """Play in a worker, where nobody interrupts."""
        return self.play(task, Interrupt.of_nobody())

    def play(self, task: Task, interrupt: Interrupt) -> PlayedChunk:
        """Play here, unless it is interrupted; raises :class:`~cluedo.engine.errors.CluedoError`."""
        began = perf_counter()
        chunk, plan = task
        if self._supervised(plan):
            results = self._supervisor.play(plan, chunk.games, interrupt)
            rows = ResultRows.of(plan, results) if len(results) == len(chunk.games) else None
        else:
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
            experiment.isolate,
        )
        for plan in experiment.parts:
            if player._supervised(plan):
                player._supervisor.check(plan)
            else:
                player._runner(plan).start_programs()
        return player

    @cached_property
    def _supervisor(self) -> Supervisor:
        from cluedo.experiments.play.supervisor import Supervisor  # only bots need one

        return Supervisor(self.think_limit, time_bank=self.time_bank, records=self.records, observers=self.observers)

    def _supervised(self, plan: Plan) -> bool:
        """Whether somebody's classes play beside this process; the compiled engine refuses them in its own words.

        Where programs play, too, they are served as programs: one watch over a process is enough.
        """
        return plan.engine == "python" and not self._isolated(plan) and any(map(code_of, plan.line_up))

    def _isolated(self, plan: Plan) -> bool:
        return self.isolate or any(map(is_program, plan.line_up))

    def _runner(self, plan: Plan) -> GameRunner:
        return _runner(plan, self.think_limit, self.time_bank, self._isolated(plan), self.records, self.observers)

    def __getstate__(self) -> dict[str, Any]:
        """Processes do not travel: each worker has its own."""
        return {name: value for name, value in vars(self).items() if name != "_supervisor"}


def runner_kind(engine: Engine) -> type[GameRunner]:
    """What plays games on an engine."""
    return CompiledRunner if engine == "compiled" else GameRunner


@lru_cache(_RUNNERS)
def _runner(
    plan: Plan, think_limit: float, time_bank: float, isolate: bool, records: bool, observers: tuple[str, ...]
) -> GameRunner:
    watchers = [parse_observer(text) for text in observers]
    return runner_kind(plan.engine)(
        plan, think_limit, time_bank=time_bank, isolate=isolate, records=records, observers=watchers
    )
