"""Processes for slow work, so that the event loop stays quick: choices of levels, and the detective's odds.

The detective's arithmetic is machine code, which is compiled at the first start. One process does that, while the
others do what needs no detective; then all of them load it.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import connection
from multiprocessing.sharedctypes import Synchronized
from typing import Final, ParamSpec, TypeAlias, TypeVar

from cluedo.language import current, speaking

__all__ = ["TookTooLong", "Workers"]

Progress: TypeAlias = "Synchronized[float]"
"""How much of what the detective needs is compiled, from 0 to 1, as processes share it."""
P = ParamSpec("P")
R = TypeVar("R")

_log = logging.getLogger(__name__)

_PATIENCE_S: Final = 3.0
"""How long the detective may take to get ready before people are told: loading takes less, compiling more."""
_NAP_S: Final = 0.1
_SPAWN: Final = multiprocessing.get_context("spawn")
_progress_of_server: Final[list[Progress]] = []
"""In a process that works: where it tells the server how much is compiled."""
_NICENESS: Final = 5
"""How much the processes that think give way to the one that answers."""
_MOST_S: Final = 60.0
"""How long work may take: most takes a second or two, and the replay of a game with many cards ten."""


class TookTooLong(Exception):
    """Work was given up: it took longer than it may."""


class Workers:
    """A pool of processes.

    Args:
        count: how many; 0 does the work in a thread of this process, for tests, and however long it takes.
        niceness: how much they give way to others, from 0 to 19.
        seconds: how long one piece of work may take, once it has begun.
    """

    def __init__(self, count: int, *, niceness: int = _NICENESS, seconds: float = _MOST_S):
        self._count, self._niceness, self._seconds = count, niceness, seconds
        self._progress: Progress = _SPAWN.Value("d", 0.0)
        self._open: set[ProcessPoolExecutor] = set()
        self._closed = False
        self._pool = self._new_pool(count) if count else None
        self._free = asyncio.Semaphore(count)
        self._turns = asyncio.Semaphore(count or sys.maxsize)
        self._preparing: asyncio.Task[None] | None = None
        self._late_at = 0.0

    async def run(self, function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
        """What a function returns, called in a process with the language spoken here.

        The function, its arguments and what it returns or raises have to be picklable. A process that dies (of too
        little memory, say) takes its pool along; the work is then done once more in a new one. Raises
        :class:`TookTooLong`.
        """
        asked = partial(function, *arguments, **keywords)
        work = partial(_in_language, current(), asked)
        if self._pool is None:
            return await asyncio.to_thread(work)
        try:
            return await self._run_in(self._pool, partial(_within, self._seconds, work))
        except TookTooLong:
            _log.warning("%s took longer than %g s and was given up", asked.func.__name__, self._seconds)
            raise

    async def run_in_turn(self, work: Callable[[], R]) -> R:
        """As :meth:`run`, but no more of these are under way than there are processes, however many ask for it.

        So whoever calls :meth:`run` waits for one of them at most.
        """
        async with self._turns:
            return await self.run(work)

    async def _run_in(self, pool: ProcessPoolExecutor, work: Callable[[], R]) -> R:
        try:
            return await self._submit(pool, work)
        except BrokenProcessPool:
            if self._closed:
                raise
            if self._pool is pool:
                self._pool = self._new_pool(self._count)
                await self._end(pool)
            assert self._pool is not None, "one pool follows another"
            return await self._submit(self._pool, work)

    async def _submit(self, pool: ProcessPoolExecutor, work: Callable[[], R]) -> R:
        """Let a pool work as soon as a process is free.

        Who waits does so here and may be cancelled. A future that is cancelled while it waits in a pool ends the pool's
        thread with an error when a process dies, as of Python 3.11, and nobody else there gets an answer.
        """
        loop = asyncio.get_running_loop()
        await self._free.acquire()
        try:
            working = pool.submit(work)
        except BrokenProcessPool:
            self._free.release()
            raise
        working.add_done_callback(lambda _: loop.call_soon_threadsafe(self._free.release))
        return await asyncio.wrap_future(working)

    def prepare(self, function: Callable[[], None], modules: Collection[str] = ()) -> None:
        """Let a process call the function that makes the detective ready, then the others. Needs a running loop.

        ``modules`` are those whose kernels it compiles.
        """
        if self._pool is not None:
            self._preparing = asyncio.create_task(self._prepare(self._pool, function, modules))
            self._late_at = asyncio.get_running_loop().time() + _PATIENCE_S

    @property
    def percent(self) -> int:
        """How much of what the detective needs is compiled, in per cent."""
        return int(100 * self._progress.value)

    async def ready_soon(self) -> bool:
        """Whether the detective is ready: waits a moment for it if that may be enough."""
        if self._preparing is None:
            return True
        await asyncio.wait([self._preparing], timeout=max(0.0, self._late_at - asyncio.get_running_loop().time()))
        return self._preparing.done()

    async def _prepare(self, pool: ProcessPoolExecutor, function: Callable[[], None], modules: Collection[str]) -> None:
        # Where there is one process, another one prepares, so that the one goes on with what needs no detective.
        apart = self._new_pool(1) if self._count == 1 else None
        first = (apart or pool).submit(_watched, function, modules)
        for _ in range(max(1, self._count - 1)):
            pool.submit(_import, function)
        try:
            await asyncio.wrap_future(first)
        except Exception:  # who needs the detective tries again, and is told
            _log.exception("the detective could not be prepared")
            return
        finally:
            if apart is not None:
                await self._end(apart)
        for _ in range(self._count):
            pool.submit(_each, function)

    def _new_pool(self, count: int) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(count, _SPAWN, initializer=_begin, initargs=(self._progress, self._niceness))
        self._open.add(pool)
        return pool

    async def _end(self, pool: ProcessPoolExecutor) -> None:
        await asyncio.to_thread(pool.shutdown)
        self._open.discard(pool)

    def close(self) -> None:
        """End the processes; what they were doing is lost."""
        self._closed = True
        if self._preparing is not None:
            self._preparing.cancel()
        for pool in self._open:
            _terminate(pool)


def _terminate(pool: ProcessPoolExecutor) -> None:
    """What Python 3.14 has as ``terminate_workers``, and wait for it.

    While the pool's thread is about to close its pipe, Python 3.11 may end with a traceback.
    """
    thread, processes = vars(pool)["_executor_manager_thread"], dict(vars(pool)["_processes"] or {})
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes.values():
        process.terminate()
    if thread is not None:
        thread.join()


def _in_language(code: str, work: Callable[[], R]) -> R:
    with speaking(code):
        return work()


def _within(seconds: float, work: Callable[[], R]) -> R:
    """Do work in this thread, for so long at most."""
    error = ctypes.c_ulong(threading.get_ident()), ctypes.py_object(TookTooLong)
    late = threading.Timer(seconds, ctypes.pythonapi.PyThreadState_SetAsyncExc, error)
    late.daemon = True
    late.start()
    try:
        return work()
    finally:
        late.cancel()
        late.join()  # what it raises at the last moment is raised here


def _watched(function: Callable[[], None], modules: Collection[str]) -> None:
    """Call a function, and tell the server how far it is."""
    from cluedo.ai.knowledge.kernels.compiled import outermost, watching  # numba is slow to import

    with watching(_tell, partial(outermost, modules)):
        function()


def _tell(done: float) -> None:
    _progress_of_server[0].value = done


def _import(function: Callable[[], None]) -> None:
    """Nothing: a process that is handed a function has imported its module, and most of what others need."""


def _each(function: Callable[[], None]) -> None:
    """Call a function, and leave the next call to another process."""
    function()
    time.sleep(_NAP_S)


def _begin(progress: Progress, niceness: int) -> None:
    """Ctrl-C is for the server, which ends its processes; one that was killed takes them along, too."""
    _progress_of_server.append(progress)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has somebody who started it"
    connection.wait([parent.sentinel])
    os._exit(0)
