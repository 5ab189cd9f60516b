"""Worker processes that play chunks of a plan, and never outlive or disturb who started them.

Each worker has a pipe of its own and shares nothing with the others: where processes share a queue
(as under :class:`concurrent.futures.ProcessPoolExecutor`), one that is killed while it writes a large
result leaves everybody waiting for the rest of it. Here its pipe ends, and that is noticed at once.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from time import monotonic, perf_counter
from typing import Any, Final, NamedTuple

from cluedo.errors import CluedoError, SetupError
from cluedo.experiments.games import GameResult, GameRoom
from cluedo.experiments.interrupt import Interrupt
from cluedo.experiments.plan import Plan

__all__ = ["Chunk", "WorkerDied", "Workers"]

_GOODBYE_S: Final = 2.0
"""Seconds that a worker may take to notice that its pipe has ended."""


class Chunk(NamedTuple):
    """The results of some consecutive games, and the seconds that they took to play."""

    games: range
    results: list[GameResult]
    seconds: float


class WorkerDied(CluedoError):
    """A worker process ended in the middle of its work: killed, out of memory, or ended by a bot."""


class Workers:
    """Processes that play, each one chunk at a time.

    They are spawned, not forked: a fork of a process with threads (a progress bar's, say) may hang.
    A worker ends itself at once when its pipe is closed: by :meth:`close`, or by the death of this
    process, of whatever kind.

    Args:
        count: how many processes.
        plan, think_limit, records: as for :class:`~cluedo.experiments.games.GameRoom`.

    Raises:
        SetupError: no more processes can be started.
    """

    def __init__(self, count: int, plan: Plan, think_limit: float | None, *, records: bool):
        self._idle: list[Connection] = []
        self._busy: list[Connection] = []
        self._processes: list[Any] = []
        context = multiprocessing.get_context("spawn")
        try:
            with _sigint_blocked():
                for _ in range(count):
                    ours, theirs = context.Pipe()
                    self._idle.append(ours)
                    with theirs:
                        process = context.Process(target=_serve, args=(theirs, plan, think_limit, records))
                        process.start()
                    self._processes.append(process)
        except OSError as error:
            self.close()
            raise SetupError(f"{count} worker processes cannot be started: {error.strerror or error}") from None

    @property
    def free(self) -> bool:
        """Whether a worker has nothing to do."""
        return bool(self._idle)

    def give(self, games: range) -> None:
        """Have some games played by a free worker; raises :class:`WorkerDied`."""
        worker = self._idle.pop()
        self._busy.append(worker)
        with _alive():
            worker.send(games)

    def take(self, patience: float) -> list[Chunk]:
        """What has been played, after waiting ``patience`` seconds at most; raises :class:`WorkerDied`.

        What a worker raised, of ours, is raised here.
        """
        chunks = []
        for worker in wait(self._busy, patience):
            assert isinstance(worker, Connection)
            with _alive():
                answer = worker.recv()
            if isinstance(answer, CluedoError):
                raise answer
            self._busy.remove(worker)
            self._idle.append(worker)
            chunks.append(answer)
        return chunks

    def stop(self, patience: float) -> list[Chunk]:
        """End after the games under way; what is finished within ``patience`` seconds."""
        deadline = monotonic() + patience
        chunks: list[Chunk] = []
        with contextlib.suppress(CluedoError):  # an end is wanted, not explained
            for worker in self._busy:
                with _alive():
                    worker.send(None)
            while self._busy and (left := deadline - monotonic()) > 0:
                chunks += self.take(left)
        return chunks

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for worker in self._idle + self._busy:
            worker.close()
        for process in self._processes:
            process.join(_GOODBYE_S)
            if process.is_alive():  # deep in some bot's C code, where no thread of ours is heard
                process.kill()
                process.join()


@contextlib.contextmanager
def _alive() -> Iterator[None]:
    """Whoever is written to or read from has to live."""
    try:
        yield
    except (EOFError, OSError):
        raise WorkerDied("a worker process died (killed, out of memory, or ended by a player)") from None


@contextlib.contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Whoever is started meanwhile inherits the block, and so is deaf to Ctrl-C from its first moment."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would lift the block when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# The rest happens in a worker.


class _Order(Interrupt):
    """Somebody else hears Ctrl-C and sends word."""

    def __init__(self) -> None:
        super().__init__()
        self.armed = True

    def obey(self) -> None:
        """Want an end from now on."""
        self._wanted = True


def _serve(pipe: Connection, plan: Plan, think_limit: float | None, records: bool) -> None:
    """Play chunks as they are asked for, until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr
    order = _Order()
    tasks: SimpleQueue[range] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, tasks, order), daemon=True).start()
    room = None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # nobody is left who would want to know
        while True:
            games = tasks.get()
            try:
                room = room or GameRoom(plan, think_limit, records=records)
                began = perf_counter()
                results = room.play(games, order)
            except CluedoError as error:
                pipe.send(error)
            else:
                pipe.send(Chunk(games, results, perf_counter() - began))


def _listen(pipe: Connection, tasks: SimpleQueue[range], order: _Order) -> None:
    """Hear what is asked even in the middle of a game, and end the process with the pipe."""
    try:
        while True:
            games = pipe.recv()
            if games is None:
                order.obey()
            else:
                tasks.put(games)
    finally:
        os._exit(1)
