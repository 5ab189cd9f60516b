"""Chunks played by Dask and by Ray: on clusters of their own, which end with the run, and on such as were there."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import closing, contextmanager
from itertools import count, islice, product
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import distributed
import pytest
from helpers.cases import some
from helpers.chunk_work import (
    AHEAD,
    HANGS_S,
    TOLD,
    Counted,
    Together,
    alive,
    chunks_of,
    deadly_work,
    endless_work,
    is_interrupted_well,
    raising_work,
    wait_until,
    within,
)
from helpers.laboratory import loses_no_game_when_workers_are_killed

from cluedo.experiments.play import clusters
from cluedo.experiments.play.backends import Backend, BackendError
from cluedo.experiments.play.clusters import DaskPool, _ResultLost, _settle
from cluedo.experiments.play.dispatch import play_chunks

pytestmark = pytest.mark.slow

KINDS = ("dask", "ray")
BEGINNINGS = {
    "dask": "import distributed\n"
    "cluster = distributed.LocalCluster(\n"
    "    n_workers=2, threads_per_worker=2, host='127.0.0.1', dashboard_address='127.0.0.1:0', silence_logs=50)\n"
    "print(cluster.scheduler_address, flush=True)\n",
    "ray": "import ray\n"
    "context = ray.init('local', num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=50)\n"
    "print(context.address_info['gcs_address'], flush=True)\n",
}
"""Programs that start a cluster and say its address."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """Other tests keep the machine busy."""
    monkeypatch.setattr(clusters, "_TRIAL_S", 120.0)
    monkeypatch.setattr(clusters, "_CONNECT_S", 60.0)


# Clusters of their own


@pytest.mark.parametrize("kind", KINDS)
def test_a_cluster_of_ones_own_plays_on_all_its_workers_and_ends_with_who_listens(kind, capfd, tmp_path):
    chunks = Counted()
    with within(HANGS_S):
        results = play_chunks(Backend(kind, workers=2), Together(tmp_path, 2, endless_work), chunks)
        assert chunks_of(islice(results, 4)) == list(range(4))
        assert chunks.taken <= 4 + 2 * AHEAD
        results.close()
    pids = {int(path.name) for path in tmp_path.iterdir()}
    assert len(pids - {os.getpid()}) == 2
    wait_until(lambda: not any(map(alive, pids)))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("kind", "whole_group"), some(product(KINDS, (True, False)), least=2))
def test_ctrl_c_ends_a_cluster_in_silence(script, kind, whole_group):
    is_interrupted_well(script, kind, whole_group=whole_group)


# Clusters that are there


@contextmanager
def cluster(kind: str, settings: Mapping[str, str]) -> Iterator[Backend]:
    """A cluster of two workers, with settings in its environment."""
    tests = str(Path(__file__).parents[2])  # where its workers find the tests' helpers
    with subprocess.Popen(
        [sys.executable, "-c", BEGINNINGS[kind] + "input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": tests, "RAY_AUTH_MODE": "disabled"} | settings,
    ) as process:
        assert process.stdout is not None
        try:
            yield Backend(kind, process.stdout.readline().strip(), workers=2)
            process.communicate("\n", timeout=HANGS_S)
        finally:
            process.kill()


@pytest.fixture(scope="module", params=KINDS)
def there(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """A cluster on which one test after the other plays; it replaces workers that have died, as long as it takes."""
    with cluster(request.param, {"DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "1 hour"}) as there:
        yield there


def test_a_cluster_that_is_there_is_used_and_left(there, capfd, tmp_path):
    """That it is left, the tests show that play on it next."""
    with within(HANGS_S):
        results = list(play_chunks(there, Together(tmp_path, 2), range(20)))
    assert chunks_of(results) == list(range(20))
    assert len({pid for _, pid in results}) == 2
    assert capfd.readouterr() == ("", "")


def test_errors_on_a_cluster_are_the_same_sentences(there):
    chosen = (0, 1, 2, 5) if there.kind == "dask" else (5,)  # who joins Ray waits for some seconds
    for chunk in chosen:
        kind, told = TOLD[chunk]
        with within(HANGS_S), pytest.raises(kind, match=told):
            list(play_chunks(there, raising_work, [chunk]))


def test_an_experiment_on_a_cluster_loses_no_game_when_workers_are_killed(there, capfd, tmp_path, eager_workers):
    with within(HANGS_S):
        loses_no_game_when_workers_are_killed(there, tmp_path)
    assert capfd.readouterr() == ("", "")


def test_work_that_ends_a_clusters_processes_does_so_a_few_times_only(there, capfd, monkeypatch):
    if there.kind == "ray":  # which takes some ten seconds for each process that has to be replaced
        monkeypatch.setattr(clusters, "ATTEMPTS", 1)
    with within(HANGS_S), pytest.raises(BackendError, match="a worker process died"):
        list(play_chunks(there, deadly_work, count()))
    assert capfd.readouterr() == ("", "")


def test_a_cluster_that_has_lost_all_its_workers_ends_the_run_in_a_sentence(monkeypatch):
    monkeypatch.setattr(clusters, "_LOOK_S", 0.1)
    monkeypatch.setattr(clusters, "_GONE_S", 2.0)
    with (
        cluster("dask", {"DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "1ms"}) as there,
        within(HANGS_S),
        pytest.raises(BackendError, match=r"the Dask cluster has had no workers for \d+ s"),
    ):
        list(play_chunks(there, deadly_work, count()))


def test_a_cluster_that_is_slow_to_tell_or_empty_for_a_moment_is_not_given_up(monkeypatch):
    answers = iter([{}, TimeoutError(), {"a worker": 1}, {}, TimeoutError(), {}])
    now = iter(range(0, 600, 40))

    class Client:
        scheduler = SimpleNamespace(ncores=None)

        def sync(self, *_, **__):
            answer = next(answers)
            if isinstance(answer, Exception):
                raise answer
            return answer

    monkeypatch.setattr(clusters, "monotonic", lambda: next(now))
    pool = clusters.DaskPool.__new__(clusters.DaskPool)
    pool._client, pool._looked, pool._empty_since = Client(), -99.0, None
    for _ in range(5):
        pool.check()
    with pytest.raises(BackendError, match="has had no workers for 80 s"):
        pool.check()


@pytest.mark.parametrize(("reason", "again"), [("unknown", True), ("scheduler-connection-lost", False)])
def test_a_result_that_a_dead_worker_takes_with_it_is_no_end_of_the_run(reason, again):
    """Dask's own executor leaves such a future open for ever."""
    lost = distributed.client.FutureCancelledError("chunk", reason)
    future: Future[object] = Future()

    async def task():
        raise lost

    asyncio.run(_settle(future, task()))
    assert isinstance(future.exception(), _ResultLost if again else distributed.client.FutureCancelledError)


def test_a_result_that_never_comes_keeps_nobody_waiting_once_the_pool_is_closed(monkeypatch):
    """One that is being fetched from a worker that died is such a result."""
    fetching = Event()

    async def fetch(*_args, **_options):
        fetching.set()
        await asyncio.Event().wait()

    with closing(DaskPool(str, None, 1)) as pool:
        monkeypatch.setattr(pool._client, "_gather", fetch)
        future = pool.submit(1)
        assert fetching.wait(HANGS_S)
    with pytest.raises(asyncio.CancelledError):
        future.result(HANGS_S)
