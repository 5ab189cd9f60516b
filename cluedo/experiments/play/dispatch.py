"""Hands chunks out to workers and collects their results: one loop for this machine's processes and for clusters.

A chunk of work is a pure function of its part, so it may be played anywhere, twice if need be. All
three backends take chunks and give :class:`concurrent.futures.Future`, the interface that loky
(joblib's executor), Dask and Ray themselves offer; one loop here hands out, collects, and tries
again. ``joblib.Parallel``, which could run all three, was tried first (joblib 1.6, distributed
2026.8, ray 2.60): a bot that ends its process makes it wait for ever on Dask; on Ray it gives no
results one by one, and one dead worker fails the rest; on loky one dead worker, or Ctrl-C, throws
away what was finished; and it plays on, without bound, while nobody takes the results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from cluedo.engine.errors import CluedoError, in_short
from cluedo.experiments.play.backends import Backend, BackendError
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.play.pools import WorkerPool

__all__ = ["play_chunks"]

C = TypeVar("C")
R = TypeVar("R")

_AHEAD: Final = 3
"""Chunks under way for each worker: one is played, the others are waiting there. Bounds the memory."""

_POLL_S: Final = 0.1
"""Seconds between looks at whether an end is wanted."""

_GRACE_S: Final = 0.5
"""Seconds that the chunks being played get to be finished once an end is wanted."""

_IN_VAIN: Final = 10
"""Deaths of workers, without a result between them, after which it is no use to start others."""


def play_chunks(
    backend: Backend, work: Callable[[C], R], chunks: Iterable[C], interrupt: Interrupt | None = None
) -> Iterator[R]:
    """Let workers do every chunk, again only after a worker has died; yields the results as they are finished.

    Chunks are taken one by one as workers become free, and few results are ever held, however slowly
    they are asked for. Closing the iterator ends the workers. Chunks whose worker died are played again.

    Args:
        backend: who plays.
        work: what is done with a chunk; picklable, as are chunks and results. Pickled once, and
            unpickled once in each worker, so what it keeps stays there from chunk to chunk. It runs
            in a worker's main thread, but on Dask in some other thread; never twice at once in a process.
        chunks: may be without end.
        interrupt: once it is wanted, no more is begun, what is finished within a moment is given, and
            the iteration ends.

    Raises:
        CluedoError: while iterating: what ``work`` raised, if ours; :class:`BackendError`, if the workers cannot be
            started, are lost, die again and again over the same work, or fail in some other way.
    """
    # An interrupt is heard once they have started: Ray, left half-way, was seen to crash and to leave agents behind.
    pool: WorkerPool[C, R] = backend.pool_class()(work, backend.address, backend.workers)
    with closing(pool):
        yield from _Dispatcher(pool, iter(chunks)).results(interrupt or Interrupt())


@dataclass(slots=True)
class _Attempt(Generic[C]):
    """A chunk, how often a worker died while it was played, and how often it was then the only one being played."""

    chunk: C
    deaths: int = 0
    alone: int = 0


class _Dispatcher(Generic[C, R]):
    """Gives a pool its chunks, a few ahead, and those again whose worker has died."""

    def __init__(self, pool: WorkerPool[C, R], chunks: Iterator[C]):
        self._pool = pool
        self._new = map(_Attempt, chunks)
        self._under_way: dict[Future[Any], _Attempt[C]] = {}
        # What workers died over most often comes last, and is next: soon one knows more.
        self._again: list[_Attempt[C]] = []
        self._deadly = False
        self._in_vain = 0

    def results(self, interrupt: Interrupt) -> Iterator[R]:
        """The results as they come, until all is played, an end is wanted, or it is no use to go on."""
        while not (self._deadly or self._in_vain >= _IN_VAIN or interrupt.wanted()):
            self._hand_out()
            if not self._under_way:
                return
            self._pool.check()
            yield from self._finished()
        for future in wait(self._under_way, _GRACE_S).done:
            with suppress(_Died):
                yield _result(self._pool, future)
        if self._deadly:
            raise BackendError(
                "a worker process died, each time over the same work (out of memory, or ended by a player)"
            )
        if self._in_vain >= _IN_VAIN:
            raise BackendError(
                "worker processes died {in_vain} times before any work was finished (killed, or out of memory)",
                in_vain=self._in_vain,
            )

    def _has_to_be_alone(self, attempt: _Attempt[C]) -> bool:
        """Whether a chunk has to be played alone: only then is it known to kill its worker."""
        return attempt.deaths >= self._pool.attempts

    def _hand_out(self) -> None:
        under_way, again = self._under_way, self._again
        while len(under_way) < _AHEAD * self._pool.workers and not any(map(self._has_to_be_alone, under_way.values())):
            if under_way and again and self._has_to_be_alone(again[-1]):
                return
            attempt = again.pop() if again else next(self._new, None)
            if attempt is None:
                return
            under_way[self._pool.submit(attempt.chunk, alone=self._has_to_be_alone(attempt))] = attempt

    def _finished(self) -> Iterator[R]:
        """Wait a moment for results, and note who died. An error is raised once what others have finished is given."""
        died, failure = False, None
        for future in wait(self._under_way, _POLL_S, FIRST_COMPLETED).done:
            attempt = self._under_way.pop(future)
            try:
                result = _result(self._pool, future)
            except _Died:
                died = True
                self._note_death(attempt)
            except CluedoError as error:
                failure = error
            else:
                self._in_vain = 0
                yield result
        if failure is not None:
            raise failure
        self._in_vain += died

    def _note_death(self, attempt: _Attempt[C]) -> None:
        attempt.alone += self._has_to_be_alone(attempt) and self._pool.died_over_it()
        attempt.deaths += 1
        self._again.append(attempt)
        self._again.sort(key=lambda attempt: attempt.deaths)
        self._deadly = self._deadly or attempt.alone >= self._pool.attempts


class _Died(Exception):
    """The worker of a future has died."""


def _result(pool: WorkerPool[C, R], future: Future[Any]) -> R:
    """The result of a finished future; an error is raised as one of ours."""
    try:
        return pool.opened(future.result())
    except CluedoError:
        raise
    except pool.deaths:
        raise _Died from None
    except CancelledError:
        raise BackendError("the connection to the workers was lost") from None
    except Exception as error:
        raise BackendError("the workers failed: {error}", error=in_short(error)) from error
