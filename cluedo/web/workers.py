"""Processes that think, so that the event loop never does: levels choose there, and the detective counts."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import connection
from typing import ParamSpec, TypeVar

from cluedo.language import current, speaking

__all__ = ["Workers"]

P = ParamSpec("P")
R = TypeVar("R")


class Workers:
    """A pool of processes.

    Args:
        count: how many; 0 does the work in a thread of this process, for tests.
    """

    def __init__(self, count: int):
        self._count = count
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor | None:
        if not self._count:
            return None
        return ProcessPoolExecutor(self._count, multiprocessing.get_context("spawn"), initializer=_begin)

    async def run(self, function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
        """What a function returns, called in a process with the language spoken here.

        The function, its arguments and what it returns or raises have to be picklable. A process that dies (of too
        little memory, say) takes its pool along; the work is then done once more in a new one.
        """
        work = partial(_in_language, current(), partial(function, *arguments, **keywords))
        if self._pool is None:
            return await asyncio.to_thread(work)
        pool = self._pool
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(pool, work)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = self._new_pool()
                pool.shutdown(wait=False)
            return await loop.run_in_executor(self._pool, work)

    def warm(self, function: Callable[[], None]) -> None:
        """Let every process call a function beforehand that loads what takes long."""
        if self._pool is not None:
            for _ in range(self._count):
                self._pool.submit(function)

    def close(self) -> None:
        """End the processes; what they were doing is lost."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()


def _in_language(code: str, work: Callable[[], R]) -> R:
    with speaking(code):
        return work()


def _begin() -> None:
    """Ctrl-C is for the server, which ends its processes; one that was killed takes them along, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has somebody who started it"
    connection.wait([parent.sentinel])
    os._exit(0)
