"""Pools of workers that play chunks: what all have in common, and the processes of this machine, by loky.

What is done with a chunk is pickled once, here, and unpickled once in each worker. A result comes as bytes, too: one
that cannot be unpickled is then an error of ours, where it would end the threads of an executor. The pools of clusters
are in :mod:`cluedo.experiments.play.clusters`.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import cloudpickle
import loky

from cluedo.bots.process import ONE_THREAD
from cluedo.engine.errors import CluedoError, in_short
from cluedo.experiments.play.backends import BackendError

__all__ = [
    "ATTEMPTS",
    "LocalPool",
    "PickledWork",
    "WorkerPool",
    "sigint_blocked",
]

C = TypeVar("C")
R = TypeVar("R")

ATTEMPTS: Final = 3
"""How many workers may die over one chunk before it is taken to be the cause."""

_SMALL: Final = 2000
"""Bytes of a result that go through loky's pipe, which all workers share. A write of up to 4,096 bytes
(PIPE_BUF) happens as a whole or not at all. A worker that was killed amid a larger one was seen to leave
everybody waiting for the rest, for ever: larger results go through files."""

_STARTED_ANEW: Final = "A worker (stopped|was restarted) while some jobs were given to the executor"
"""How loky's warning begins that it has replaced a worker which was idle, or whose memory had grown, as by code that
bots compile. No work is lost by it; a worker that dies is told in another way, as one of ``deaths``."""

_WATCH_S: Final = 0.5
"""Seconds between a worker's looks at whether who started it still lives."""


# What travels


@dataclass(frozen=True, slots=True)
class _Failure:
    """An error that a worker sends instead of a result."""

    error: CluedoError


_playing = threading.Lock()
"""A Dask worker may have several threads; players, clocks and standard output are made for one."""

_unpickled = lru_cache(maxsize=1)(pickle.loads)


@dataclass(frozen=True, slots=True)
class PickledWork:
    """Work on chunks, pickled together with its code; results are pickled, for :meth:`WorkerPool.opened`."""

    work: bytes

    @classmethod
    def of(cls, work: Callable[[Any], Any]) -> PickledWork:
        """Pickle work, with its code if workers could not import that; raises BackendError."""
        try:
            return cls(cloudpickle.dumps(work))
        except Exception as error:
            raise BackendError("the work cannot be sent to workers: {error}", error=in_short(error)) from error

    def __call__(self, chunk: Any) -> bytes:
        """Do the work on a chunk: its result, or why there is none, an error of ours; what it prints is no output."""
        with _playing, redirect_stdout(sys.stderr):  # what a bot prints must not end up amid our own output
            try:
                return pickle.dumps(_unpickled(self.work)(chunk))
            except CluedoError as error:
                return pickle.dumps(_Failure(_plain(error)))
            except BaseException as error:
                # SystemExit, too, a KeyboardInterrupt that no person sent, and a result that is no data.
                return pickle.dumps(_Failure(BackendError("playing failed: {error}", error=in_short(error))))


def _plain(error: CluedoError) -> CluedoError:
    """An error that can be pickled: this one, or one with the same text."""
    try:
        return pickle.loads(pickle.dumps(error))  # type: ignore[no-any-return]
    except Exception:
        return CluedoError(str(error))


class WorkerPool(ABC, Generic[C, R]):
    """Workers that do one kind of work.

    Attributes:
        workers: how many chunks can be worked on at once.
        deaths: the errors of a future whose worker died.
        attempts: after how many such errors a chunk is worked on alone, and how many
            workers that died over it then make it the cause.
    """

    workers: int
    deaths: tuple[type[BaseException], ...]
    attempts: int = 1

    @abstractmethod
    def submit(self, chunk: C, *, alone: bool = False) -> Future[Any]:
        """Submit a chunk to a worker, ``alone`` if no other is under way; :meth:`opened` opens what comes back."""

    def check(self) -> None:
        """Raise BackendError if there are no workers any more. Called again and again while chunks are under way."""

    def died_over_it(self) -> bool:
        """Whether the worker that died was playing this chunk, which was the only one under way; a best guess."""
        return True

    def opened(self, answer: Any) -> R:
        """Open what a worker sent back: returns the result, or raises the error."""
        result = pickle.loads(answer)
        if isinstance(result, _Failure):
            raise result.error
        return result  # type: ignore[no-any-return]

    @abstractmethod
    def close(self) -> None:
        """Cancel running work, and end the workers if they were started here."""


# Processes of this machine


class LocalPool(WorkerPool[C, R]):
    """Processes of this machine in loky's executor: if one dies, all are restarted; they end with this process.

    Args:
        work: as for :func:`~cluedo.experiments.play.dispatch.play_chunks`.
        address: there is none.
        workers: how many; None for all CPUs that this process may use.

    Raises:
        BackendError: no such number of processes can be started.
    """

    attempts = 2

    def __init__(self, work: Callable[[C], R], address: str | None, workers: int | None):  # noqa: ARG002
        self.workers = workers or loky.cpu_count()
        self.deaths = (loky.BrokenProcessPool,)
        pickled = PickledWork.of(work)
        self._folder = Path(tempfile.mkdtemp(prefix="cluedo-"))
        self._begun = self._folder / "begun"
        self._work = _LocalWork(pickled, self._folder, self._begun)
        self._executor: Any = None
        self._started = 0
        warnings.filterwarnings("ignore", _STARTED_ANEW, UserWarning, "loky")  # for good: it comes from loky's thread

    def submit(self, chunk: C, *, alone: bool = False) -> Future[Any]:
        workers = 1 if alone else self.workers  # who dies is then who works
        if alone:
            self._begun.unlink(missing_ok=True)
        try:
            if self._executor is not None:
                if workers == self._started:
                    with suppress(loky.BrokenProcessPool):
                        return self._submit(chunk)
                self._executor.shutdown(kill_workers=True)
            self._started = workers
            self._executor = loky.ProcessPoolExecutor(
                workers, initializer=_settle, initargs=(os.getpid(), self._folder), env=ONE_THREAD
            )
            with sigint_blocked():  # the first one starts the processes; making an executor would lift the block
                return self._submit(chunk)
        except OSError as error:
            raise BackendError(
                "{workers} worker processes cannot be started: {error}",
                workers=self.workers,
                error=error,
            ) from error

    def _submit(self, chunk: C) -> Future[Any]:
        return self._executor.submit(self._work, chunk)  # type: ignore[no-any-return]

    def died_over_it(self) -> bool:
        return self._begun.exists()

    def opened(self, answer: Any) -> R:
        if isinstance(answer, Path):
            path = answer
            answer = path.read_bytes()
            path.unlink()
        return super().opened(answer)

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(kill_workers=True)
        shutil.rmtree(self._folder, ignore_errors=True)


@contextmanager
def sigint_blocked() -> Iterator[None]:
    """Block Ctrl-C in processes that are started inside the ``with``: they inherit the block."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would lift the block when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass(frozen=True, slots=True)
class _LocalWork:
    """Work whose large results are written to files in a folder; only the path is sent.

    While a worker is at it, there is a file ``begun``: a worker that dies before, or while it waits, leaves none.
    """

    work: PickledWork
    folder: Path
    begun: Path

    def __call__(self, chunk: Any) -> bytes | Path:
        self.begun.touch()
        answer = self.work(chunk)
        self.begun.unlink(missing_ok=True)
        if len(answer) <= _SMALL:
            return answer
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
            file.write(answer)
        return Path(file.name)


def _settle(parent: int, folder: Path) -> None:
    """Prepare a new worker process: it ignores Ctrl-C, prints to standard error only, and ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # what a bot's C code or child prints, too, goes to standard error
    threading.Thread(target=_die_with, args=(parent, folder), daemon=True).start()


def _die_with(parent: int, folder: Path) -> None:
    """End this process soon after its parent has ended; without this, workers have been seen to live on."""
    while os.getppid() == parent:
        time.sleep(_WATCH_S)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
