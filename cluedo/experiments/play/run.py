"""Runs an experiment: plays, stores and counts what is missing, chunk by chunk; and says before how long that takes.

A game's result follows from its part alone, so neither the backend nor the number of workers nor the
order in which chunks come changes any. Workers take half a second to start and more to load the
detective: on one machine every run begins in this process, and starts them where enough is left to play.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cluedo.ai.match import Match, seat_players
from cluedo.engine.game import Game
from cluedo.experiments.plan.experiment import Chunk, Experiment
from cluedo.experiments.plan.part import Part
from cluedo.experiments.play.backends import Backend
from cluedo.experiments.play.chunks import ChunkRunner, PlayedChunk, runner_of
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.read.score import Score
from cluedo.experiments.rows.observers import columns_of
from cluedo.experiments.rows.result_rows import ResultRows

if TYPE_CHECKING:
    from cluedo.experiments.store.store import Store

__all__ = ["Expected", "NoStore", "Run", "expected_time"]

_PROBE_S: Final = 0.2
"""Seconds of a run after which its speed is known well enough."""
_WORTH_S: Final = 1.5
"""Seconds of play that must be left for workers to be started."""
_PARTS: Final = 20
"""Line-ups that are tried to tell how long an experiment takes: with few, one slow level may be missed."""
_SECONDS: Final = 0.025
"""For each of these; a game that takes longer is broken off."""
_USUAL_TURNS: Final = 25
"""Of a game that was broken off."""
_COMPILED: Final = 40
"""Compiled games that are played at a time."""


class NoStore:
    """Used instead of a store if results are counted but not kept.

    Attributes:
        experiment: what is played.
        observed: the columns of its observers.
        last_timing: no games in no time, as no run was before.
    """

    last_timing = (0, 0.0)

    def __init__(self, experiment: Experiment):
        self.experiment = experiment
        self.observed = columns_of(experiment.observers)

    def stored(self) -> Iterator[tuple[Chunk, ResultRows]]:
        """Yield nothing."""
        return iter(())

    def add(self, chunk: Chunk, rows: ResultRows) -> None:
        """Nothing is stored."""

    def remove(self, chunks: Iterable[Chunk]) -> None:
        """Nothing was stored."""


class Run:
    """One run of an experiment: a new one, or one that continues stored results.

    Args:
        store: where the results are and go, if they are kept.
        runner: what plays chunks of this experiment.
        backend: where that is done.

    Attributes:
        interrupt: for the caller to enter; once it is wanted, the run ends, and what is finished is stored.
        score: what is counted so far.
        counted: whether all that is stored is counted.
        played: games played by this run, without those that were there.
        elapsed_s: seconds that they took.
    """

    def __init__(self, store: Store | NoStore, runner: ChunkRunner, backend: Backend):
        self.interrupt = Interrupt()
        self.score = Score(store.experiment, store.observed)
        self.counted = False
        self.played = 0
        self.elapsed_s = 0.0
        self._store = store
        self._backend = backend
        self._runner = runner

    def finish(self) -> bool:
        """Write what is left of a run that is over; whether no file that decides the games was changed meanwhile.

        That is the summary; for a batch, its own, the records and the picture.
        """
        store = self._store
        if isinstance(store, NoStore):
            return True
        summary = self.batch_summary() if store.experiment.batch else self.score.summary()
        if store.experiment.batch:
            from cluedo.experiments.draw.win_rates import write_win_rates  # half a second, which few runs need

            store.write_records(lambda path: write_win_rates(self.score.standings(), summary, path))
        played = {"played": self.played, "elapsed_s": round(self.elapsed_s, 3)} if self.played else {}
        return store.finish(summary, played | {"stopped": self.score.verdicts()})

    def batch_summary(self) -> dict[str, Any]:
        """The summary of one line-up on one map; at least one game is needed.

        Its time is that of this run, or of the last one before it if nothing was left to play.
        """
        played, elapsed_s = (self.played, self.elapsed_s) if self.played else self._store.last_timing
        speed = round(played / elapsed_s, 1) if played else 0.0
        return self.score.tallies[0].summary() | {"elapsed_s": round(elapsed_s, 3), "games_per_s": speed}

    def play(self) -> Iterator[Score]:
        """Count the stored chunks and play the others; yields the score after each chunk.

        Raises:
            CluedoError: in one sentence; what is finished by then is stored.
        """
        there = set()
        for old, known in self._store.stored():
            there.add(old.number)
            self._store.remove(self.score.add(old, known))
            yield self.score
        self.counted = True
        began = perf_counter()
        with closing(self._results(self._missing(there))) as results:  # whatever happens, nobody plays on
            for chunk, rows in results:
                if rows is None or self.score.stopped(chunk.part_number):
                    continue  # interrupted, or played ahead of a verdict
                self._store.add(chunk, rows)
                self._store.remove(self.score.add(chunk, rows))
                self.played += len(chunk.games)
                self.elapsed_s = perf_counter() - began
                yield self.score

    def play_all(self) -> Score:
        """Play to the end, or to the interrupt, like :meth:`play`; returns the last score."""
        for _ in self.play():
            pass
        return self.score

    def _missing(self, there: set[int]) -> Iterator[Chunk]:
        for chunk in self._store.experiment.chunks():
            if self.interrupt.wanted():
                return
            if chunk.number not in there and not self.score.stopped(chunk.part_number):
                yield chunk

    def _results(self, chunks: Iterator[Chunk]) -> Generator[PlayedChunk, None, None]:
        if self._backend.local:
            yield from self._here(chunks)
        # No workers are started where nothing is left.
        first = next(chunks, None)
        if first is not None:
            from cluedo.experiments.play.dispatch import play_chunks  # what it takes to call workers is slow to import

            yield from play_chunks(self._backend, self._runner, chain([first], chunks), self.interrupt)

    def _here(self, chunks: Iterator[Chunk]) -> Iterator[PlayedChunk]:
        """Play in this process: everything, or until it is clear that workers save time."""
        seconds = games = 0.0
        for chunk in chunks:
            began = perf_counter()
            played = self._runner.play(chunk, self.interrupt)
            seconds += perf_counter() - began
            games += len(chunk.games)
            yield played
            left_s = (self.score.wanted - self.score.games) * seconds / games
            if self._backend.workers != 1 and seconds >= _PROBE_S and left_s >= _WORTH_S:
                return


# ---- how long it takes -------------------------------------------------------------------------------


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
    measured = [_measured(part, experiment) for part in tried]
    games_of_tried = sum(part.games for part in tried)
    seconds = sum(part.games * spent / played for part, (spent, played) in zip(tried, measured, strict=True))
    return Expected(seconds * experiment.total / games_of_tried, sum(max(1, round(games)) for _, games in measured))


def _measured(part: Part, experiment: Experiment) -> tuple[float, float]:
    """The seconds that some games of a part took, and how many games these were, a game in part counted as a part."""
    runner = runner_of(part, experiment.conditions)
    began, games = perf_counter(), 0.0
    while (spent := perf_counter() - began) < _SECONDS:
        if part.engine == "compiled":
            some = range(min(_COMPILED, part.games))
            runner.rows(some, Interrupt.never())  # as a run does, which is faster where no records are kept
            games += len(some)
        else:
            games += _part_of_game(runner, int(games), began + _SECONDS)
    return spent, games


def _part_of_game(runner: GameRunner, deal: int, until: float) -> float:
    """Play a game until a time; what part of it was played."""
    part = runner.part
    seeds = part.seeds(deal)
    game = Game.begin(runner.board, part.rules, seeds)
    match = Match(game, *seat_players(runner.players, seeds), runner.conditions.clock)
    while not game.over and perf_counter() < until:
        match.advance()
    return 1.0 if game.over else min(0.95, max(1, game.state.turn) / _USUAL_TURNS)
