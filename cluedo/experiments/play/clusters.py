"""Pools of workers on a Dask or a Ray cluster; both libraries replace a worker that has died.

Both give up on a chunk over which workers died several times. Nothing of either is imported before it is used.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from time import monotonic
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import loky

from cluedo.engine.errors import in_short
from cluedo.engine.phrase import Phrase
from cluedo.experiments.play.backends import BackendError
from cluedo.experiments.play.pools import ATTEMPTS, PickledWork, WorkerPool, sigint_blocked

__all__ = ["DaskPool", "RayPool"]

C = TypeVar("C")
R = TypeVar("R")

_CONNECT_S: Final = 5.0
"""Seconds that a cluster may take to answer."""

_LOOK_S: Final = 5.0
"""Seconds between looks at whether a cluster has workers."""

_GONE_S: Final = 60.0
"""Seconds that it may have none: others may be about to start."""

_TRIAL_S: Final = 20.0
"""Seconds that a process may take to load Ray and to join a cluster."""


class DaskPool(WorkerPool[C, R]):
    """The workers of a Dask cluster.

    Args:
        work: as for :func:`~cluedo.experiments.play.dispatch.play_chunks`.
        address: of the scheduler, or None to start a cluster of processes on this machine.
        workers: how many chunks at once, or None for as many as there are workers now, or CPUs here.

    Raises:
        BackendError: the cluster cannot be reached or started, or has no workers.
    """

    def __init__(self, work: Callable[[C], R], address: str | None, workers: int | None):
        distributed = import_module("distributed")
        self.deaths = (distributed.KilledWorker, _ResultLost)
        self._tasks: dict[Future[Any], Any] = {}
        with ExitStack() as stack, _errors_in_one_sentence("Dask", address):
            stack.enter_context(_quiet_dask())
            if address is not None:
                asyncio.run(_check_scheduler(distributed, address))
            where = stack.enter_context(_dask_cluster(workers or loky.cpu_count())) if address is None else address
            client = stack.enter_context(distributed.Client(where, timeout=_CONNECT_S, set_as_default=False))
            client.wait_for_workers(1, timeout=_CONNECT_S)
            self.workers = workers or len(client.nthreads())
            self._client = client
            self._looked = monotonic()
            self._empty_since: float | None = None
            # With every chunk: what is scattered is lost with the workers that hold it.
            self._work = PickledWork.of(work)
            self._stack = stack.pop_all()

    def submit(self, chunk: C, *, alone: bool = False) -> Future[Any]:  # noqa: ARG002 - the cluster places it
        future: Future[Any] = Future()
        self._tasks[future] = task = self._client.submit(self._work, chunk, pure=False)  # Dask drops what nobody holds
        future.add_done_callback(self._tasks.pop)
        self._client.loop.add_callback(_settle, future, task)
        return future

    def check(self) -> None:
        now = monotonic()
        if now < self._looked + _LOOK_S:
            return
        self._looked = now
        try:
            there = self._client.sync(self._client.scheduler.ncores, callback_timeout=_CONNECT_S)
        except Exception:  # a connection that is lost is told by the futures; one that is slow tells nothing
            return
        self._empty_since = None if there else self._empty_since or now
        gone = 0.0 if self._empty_since is None else now - self._empty_since
        if gone > _GONE_S:
            raise BackendError("the Dask cluster has had no workers for {seconds:.0f} s", seconds=gone)

    def close(self) -> None:
        self._stack.close()


class _ResultLost(Exception):
    """A worker died after it had played a chunk and before it could hand over the result."""


async def _settle(future: Future[Any], task: Any) -> None:
    """Give a future what comes of a Dask task. Dask's own executor forgets a future whose result was lost for ever.

    It runs in the client's loop, and ends with it: a thread that asks the client for a result while that is being
    closed may wait for ever, and Python, when it exits, for that thread.
    """
    try:
        result = await task
    except BaseException as error:
        lost = getattr(error, "reason", None) == "unknown"
        future.set_exception(_ResultLost() if lost else error)
    else:
        future.set_result(result)


async def _check_scheduler(distributed: Any, address: str) -> None:
    """Check that a scheduler answers at the address; anything else there would make a Client wait for ever."""
    keys = distributed.Security().get_connection_args("client")
    greeting = distributed.core.connect(address, timeout=_CONNECT_S, **keys)
    (await asyncio.wait_for(greeting, _CONNECT_S)).abort()


@contextmanager
def _dask_cluster(workers: int) -> Iterator[Any]:
    """Processes with one thread each, which only this machine can reach."""
    distributed = import_module("distributed")
    settings = {
        "distributed.scheduler.allowed-failures": ATTEMPTS - 1,
        # Else a worker that is being replaced, so many seconds after an earlier one has died, is given up for good.
        "distributed.deploy.lost-worker-timeout": "1000 days",
    }
    with import_module("dask").config.set(settings):
        with sigint_blocked():  # a thread that is born in here starts the workers
            cluster = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=None,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                silence_logs=logging.CRITICAL,
            )
        with cluster:
            try:
                yield cluster
            finally:
                for nanny in cluster.workers.values():  # who would give the games under way four seconds
                    with suppress(ProcessLookupError, TypeError):  # it is gone already
                        os.kill(nanny.pid, signal.SIGKILL)


class RayPool(WorkerPool[C, R]):
    """The workers of a Ray cluster.

    Args:
        work: as for :func:`~cluedo.experiments.play.dispatch.play_chunks`.
        address: of the cluster, or None to start one on this machine.
        workers: how many chunks at once, or None for as many as there are CPUs.

    Raises:
        BackendError: the cluster cannot be reached or started.
    """

    def __init__(self, work: Callable[[C], R], address: str | None, workers: int | None):
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # It would tell each death of a worker, at length, on standard output, which is ours: every line is skipped.
        os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
        ray = import_module("ray")
        self.deaths = (
            ray.exceptions.WorkerCrashedError,
            ray.exceptions.NodeDiedError,
            ray.exceptions.OutOfMemoryError,
        )
        self._ray = ray
        self._references: dict[Future[Any], Any] = {}
        with ExitStack() as stack, _errors_in_one_sentence("Ray", address):
            if address is not None:
                _try_ray(address)
            stack.enter_context(_ray_cluster(ray, address, workers or loky.cpu_count()))
            self.workers = workers or int(ray.cluster_resources()["CPU"])
            self._work = ray.put(PickledWork.of(work))
            self._played = ray.remote(num_cpus=1, max_retries=ATTEMPTS - 1)(_played)
            self._stack = stack.pop_all()

    def submit(self, chunk: C, *, alone: bool = False) -> Future[Any]:  # noqa: ARG002 - the cluster places it
        reference = self._played.remote(self._work, chunk)
        future: Future[Any] = reference.future()
        self._references[future] = reference
        future.add_done_callback(self._references.pop)
        return future

    def close(self) -> None:
        for reference in list(self._references.values()):
            with suppress(Exception):  # what is finished meanwhile
                self._ray.cancel(reference, force=True)
        self._stack.close()


def _played(work: PickledWork, chunk: Any) -> bytes:
    return work(chunk)


def _try_ray(address: str) -> None:
    """Check in another process that a cluster answers; Ray itself would try for minutes, and print warnings."""
    trial = f"import ray; ray.init({address!r}, log_to_driver=False)"
    silent = subprocess.DEVNULL
    try:
        subprocess.run([sys.executable, "-c", trial], check=True, timeout=_TRIAL_S, stdout=silent, stderr=silent)
    except subprocess.SubprocessError:
        raise BackendError(
            "no Ray cluster answers at {address}, or none of this version; if it asks for a token, set "
            "RAY_AUTH_MODE=token; ray:// needs pip install 'ray[client]'",
            address=address,
        ) from None


@contextmanager
def _ray_cluster(ray: Any, address: str | None, workers: int) -> Iterator[None]:
    """Connect inside the ``with`` to the cluster at the address, or to a temporary one on this machine."""
    if ray.is_initialized():
        raise BackendError("Ray is in use in this process already; call ray.shutdown() first")
    new = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
    try:
        ray.init(address or "local", log_to_driver=False, logging_level=logging.CRITICAL, **new)
        yield
    finally:
        ray.shutdown()


@contextmanager
def _quiet_dask() -> Iterator[None]:
    """Silence Dask's log inside the ``with``; what matters is raised as an error."""
    handlers = logging.getLogger("distributed").handlers
    levels = [handler.level for handler in handlers]
    for handler in handlers:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for handler, level in zip(handlers, levels, strict=True):
            handler.setLevel(level)


@contextmanager
def _errors_in_one_sentence(name: str, address: str | None) -> Iterator[None]:
    """Turn any error inside the ``with`` into a :class:`BackendError` of one sentence."""
    where = Phrase("on this machine") if address is None else Phrase("at {address}", address=address)
    try:
        if address is not None and address != "auto":
            url = urlsplit(address if "://" in address else f"//{address}")
            socket.create_connection((url.hostname or "", url.port or 0), timeout=_CONNECT_S).close()
    except (OSError, ValueError) as error:
        raise BackendError(
            "no {name} cluster answers {where}: {error}",
            name=name,
            where=where,
            error=error,
        ) from None
    try:
        yield
    except BackendError:
        raise
    except TimeoutError:
        raise BackendError("no {name} cluster with workers answers {where}", name=name, where=where) from None
    except Exception as error:
        raise BackendError(
            "the {name} cluster {where} cannot be used: {error}", name=name, where=where, error=in_short(error)
        ) from error
