"""Plays a chunk of games, in this process or in a worker; with the data that goes to a worker and comes back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from cluedo.ai.levels import PlayerSpec, parse_player
from cluedo.ai.loading import is_program
from cluedo.bots.llm.exchanges import EXCHANGES
from cluedo.bots.naming import ProgramSpec, prepare_all
from cluedo.engine.errors import PlayerError, SetupError
from cluedo.experiments.plan.experiment import Chunk, Experiment
from cluedo.experiments.plan.part import Conditions, Part
from cluedo.experiments.play.games import CompiledRunner, GameRunner
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.rows.observers import columns_of
from cluedo.experiments.rows.result_rows import ResultRows

__all__ = ["ChunkRunner", "PlayedChunk", "runner_of"]

_RUNNERS = 64
"""Parts whose runners, with their players, a process keeps."""


class PlayedChunk(NamedTuple):
    """A chunk and its results; None if it was interrupted."""

    chunk: Chunk
    rows: ResultRows | None


@contextmanager
def _on_one_cpu(players: Iterable[PlayerSpec]) -> Iterator[None]:
    """Keep this process, and those of bots that it starts meanwhile, on one CPU, where every program is a bot of ours.

    A match and a bot take turns, many thousand times a second: to wake the other one up on another CPU takes longer
    than its answer. Programs in other languages may use all CPUs.
    """
    programs = [player for player in players if isinstance(player, ProgramSpec)]
    if not programs or any(is_program(program.text) for program in programs) or not hasattr(os, "sched_setaffinity"):
        yield
        return
    cpus = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(cpus)[os.getpid() % len(cpus)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cpus)


@dataclass(frozen=True)
class ChunkRunner:
    """Plays chunks in its own process; programs and bots that are not trusted run in processes beside it.

    Attributes:
        conditions: how.
    """

    conditions: Conditions

    def __call__(self, chunk: Chunk) -> PlayedChunk:
        """Play in a worker, one of several that share the CPUs, where Ctrl-C does not arrive."""
        return PlayedChunk(chunk, runner_of(chunk.part, self.conditions).rows(chunk.games, Interrupt.never()))

    def play(self, chunk: Chunk, interrupt: Interrupt) -> PlayedChunk:
        """Play here, unless it is interrupted; raises :class:`~cluedo.engine.errors.CluedoError`."""
        runner = runner_of(chunk.part, self.conditions)
        with _on_one_cpu(runner.players):
            return PlayedChunk(chunk, runner.rows(chunk.games, interrupt))

    def keeping(self, folder: Path) -> ChunkRunner:
        """The same, which keeps in a folder what language models are told and say."""
        return replace(self, conditions=replace(self.conditions, exchanges=(folder / EXCHANGES).absolute()))

    @classmethod
    def of(cls, experiment: Experiment, prepare: Callable[[Iterable[PlayerSpec]], object] = prepare_all) -> ChunkRunner:
        """The chunk runner of an experiment; checks every part.

        Args:
            experiment: what is played.
            prepare: lets players load what takes long, and starts those that are programs.

        Raises:
            CluedoError: in one sentence, if one of the parts cannot be played.
        """
        conditions = experiment.conditions
        columns_of(conditions.observers)
        runner_of.cache_clear()  # files of maps and players may have changed since another run in this process
        runners = [_runner(part, experiment) for part in experiment.parts]
        players = [player for runner in runners for player in runner.players]
        if any(observer.watches_turns for runner in runners for observer in runner.observers):
            players.append(parse_player("expert"))  # compiles the detective, which such an observer may ask
        with _on_one_cpu(players):
            prepare(players)
        return cls(conditions)


def _runner(part: Part, experiment: Experiment) -> GameRunner:
    """What plays a part; where there are others, an error says which one cannot be played."""
    try:
        return runner_of(part, experiment.conditions)
    except (PlayerError, SetupError) as error:
        if len(experiment.parts) == 1:
            raise
        told = {"line_up": ",".join(part.line_up), "map": part.map, "error": error}
        raise type(error)("{line_up} on {map}: {error}", **told) from None


@lru_cache(_RUNNERS)
def runner_of(part: Part, conditions: Conditions) -> GameRunner:
    """What plays a part's games in this process, made once; raises as :class:`GameRunner` does."""
    kind = CompiledRunner if part.engine == "compiled" else GameRunner
    return kind(part, conditions)
