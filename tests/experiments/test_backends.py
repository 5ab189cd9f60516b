"""Chunks played by processes of this machine, by Dask and by Ray: each once, whoever dies, stops or misbehaves."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any

import cloudpickle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cluedo.engine.errors import CluedoError, MapError
from cluedo.experiments import backends, pools
from cluedo.experiments.backends import Backend, BackendError
from cluedo.experiments.dispatch import WorkerDied, play_chunks
from cluedo.experiments.interrupt import Interrupt

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # no worker could import a test

HERE = Backend("local", workers=1)
TWO = Backend("local", workers=2)
AHEAD = 3
"""Chunks that may be under way for each worker."""


def work(chunk: int) -> tuple[int, int]:
    """A little work; tells who did it."""
    time.sleep(0.002)
    return chunk, os.getpid()


def slow_work(chunk: int) -> tuple[int, int]:
    time.sleep(0.05)
    return chunk, os.getpid()


def endless_work(chunk: int) -> tuple[int, int]:
    if chunk > 3:
        time.sleep(60)
    return chunk, os.getpid()


def large_work(chunk: int) -> tuple[int, int, bytes]:
    return chunk, os.getpid(), bytes(3_000_000)


def deadly_work(chunk: int) -> tuple[int, int]:
    if chunk == 13:
        os._exit(3)
    return work(chunk)


def raising_work(chunk: int) -> object:
    """What each number does is in :data:`TOLD`."""
    if chunk == 0:
        raise MapError("there is no such map")
    if chunk == 1:
        raise ValueError("no\nidea")
    if chunk == 2:
        raise SystemExit("enough")
    if chunk == 3:
        raise KeyboardInterrupt
    if chunk == 4:
        return lambda: None
    raise Unsendable(1, 2)


class Unsendable(CluedoError):
    def __init__(self, one: int, two: int):
        super().__init__(f"{one} and {two} do not travel")


TOLD = {
    0: (MapError, "^there is no such map$"),
    1: (BackendError, "^playing failed: ValueError: no$"),
    2: (BackendError, "^playing failed: SystemExit: enough$"),
    3: (BackendError, "^playing failed: KeyboardInterrupt$"),
    4: (BackendError, "^playing failed: .*raising_work"),
    5: (CluedoError, "^1 and 2 do not travel$"),
}


@dataclass
class Costly:
    """Work that says, in a file of its process, how often it was unpickled."""

    folder: Path
    ballast: bytes = field(default=bytes(100_000), repr=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        with (self.folder / str(os.getpid())).open("a") as file:
            file.write("x")

    def __call__(self, chunk: int) -> tuple[int, int]:
        return work(chunk)


class Counted:
    """Chunks without end, and how many were taken."""

    def __init__(self) -> None:
        self.taken = 0

    def __iter__(self) -> Iterator[int]:
        for self.taken in count(1):
            yield self.taken - 1


HANGS_S = 300.0
"""After so many seconds, on the busiest machine, something will never come."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What hangs fails."""

    def ring(*_: object) -> None:
        raise AssertionError(f"this takes longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def alive(pid: int) -> bool:
    """Whether a process runs; one that nobody buries does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(true: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def killing(results: Iterable[Any], *when: int) -> Iterator[Any]:
    """The results, while the worker that has just given one is killed after some of them."""
    for number, result in enumerate(results):
        if number in when:
            os.kill(result[1], signal.SIGKILL)
        yield result


def chunks_of(results: Iterable[tuple[Any, ...]]) -> list[int]:
    return sorted(result[0] for result in results)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where folders for large results are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


# Each chunk once


@given(st.lists(st.integers()))
def test_in_this_process_each_chunk_is_played_once_in_order(chunks):
    assert list(play_chunks(HERE, lambda chunk: (chunk, os.getpid()), chunks)) == [(c, os.getpid()) for c in chunks]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [2, 3])
def test_each_chunk_is_played_once_by_other_processes(workers, folders):
    results = list(play_chunks(Backend(workers=workers), work, range(60)))
    assert chunks_of(results) == list(range(60))
    pids = {pid for _, pid in results}
    assert 2 <= len(pids) <= workers  # short work may be done before the last one is born
    assert os.getpid() not in pids
    assert list(folders.iterdir()) == []


def test_without_chunks_there_are_no_results():
    assert list(play_chunks(TWO, work, [])) == []


@pytest.mark.slow
def test_results_come_as_they_are_finished(tmp_path):
    """The first chunk waits until another has been handed over."""
    handed_over = tmp_path / "handed over"

    def waiting(chunk):
        wait_until(lambda: chunk > 0 or handed_over.exists(), HANGS_S)
        return chunk

    with closing(play_chunks(TWO, waiting, [0, 1, 2])) as results:
        assert next(results) in (1, 2)
        handed_over.touch()
        assert set(results) >= {0}


@pytest.mark.slow
@pytest.mark.parametrize("backend", [HERE, TWO])
def test_chunks_are_taken_no_faster_than_results(backend):
    chunks = Counted()
    with closing(play_chunks(backend, work, chunks)) as results:
        assert chunks.taken == 0
        for number in range(1, 30):
            next(results)
            assert chunks.taken <= number + AHEAD * 2
        time.sleep(0.3)  # while nobody takes results, nothing is begun
        assert chunks.taken <= number + AHEAD * 2


@pytest.mark.slow
def test_work_is_unpickled_once_in_each_worker(tmp_path):
    results = list(play_chunks(TWO, Costly(tmp_path), range(40)))
    assert chunks_of(results) == list(range(40))
    assert {int(path.name) for path in tmp_path.iterdir()} == {pid for _, pid in results}
    assert {path.read_text() for path in tmp_path.iterdir()} == {"x"}


@pytest.mark.slow
def test_large_results_arrive_and_leave_nothing_behind(folders):
    results = list(play_chunks(TWO, large_work, range(6)))
    assert chunks_of(results) == list(range(6))
    assert all(result[2] == bytes(3_000_000) for result in results)
    assert list(folders.iterdir()) == []


# Workers that die


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 7])
def test_a_killed_worker_costs_no_result_and_gives_none_twice(number):
    with within(HANGS_S):
        assert chunks_of(killing(play_chunks(TWO, slow_work, range(30)), number)) == list(range(30))


@pytest.mark.slow
def test_a_worker_killed_amid_a_large_result_keeps_nobody_waiting():
    with within(HANGS_S):
        results = killing(play_chunks(TWO, large_work, range(60)), 5, 35)
        assert chunks_of(results) == list(range(60))


@pytest.mark.slow
def test_work_is_no_suspect_because_workers_are_killed_over_other_work():
    with within(HANGS_S):
        assert chunks_of(killing(play_chunks(TWO, slow_work, range(12)), 0, 1, 2, 3)) == list(range(12))


@pytest.mark.slow
def test_workers_that_are_killed_before_they_begin_are_not_said_to_die_over_work(monkeypatch):
    monkeypatch.setattr(pools, "_settle", dying)
    with within(HANGS_S), pytest.raises(WorkerDied, match="died 10 times before any work was finished"):
        list(play_chunks(TWO, work, range(3)))


def dying(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_work_that_ends_its_process_does_so_a_few_times_only():
    seen = []
    with within(HANGS_S), pytest.raises(WorkerDied, match="a worker process died, each time over the same work"):
        seen.extend(chunk for chunk, _ in play_chunks(TWO, deadly_work, count()))
    assert len(seen) == len(set(seen))
    assert len(set(range(13)) - set(seen)) < 2 * AHEAD  # what was under way with it


# Work that fails


@pytest.mark.slow
@pytest.mark.parametrize("chunk", TOLD)
def test_what_work_raises_is_a_sentence(chunk):
    kind, told = TOLD[chunk]
    with pytest.raises(CluedoError, match=told) as caught:
        list(play_chunks(TWO, raising_work, [chunk]))
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("chunk", [0, 1, 2, 5])
def test_what_work_raises_in_this_process_is_the_same_sentence(chunk):
    kind, told = TOLD[chunk]
    with pytest.raises(kind, match=told):
        list(play_chunks(HERE, raising_work, [chunk]))


def test_work_that_cannot_travel_is_a_sentence():
    lock = threading.Lock()
    with pytest.raises(BackendError, match="cannot be sent to workers"):
        list(play_chunks(TWO, lambda _: lock.locked(), [1]))


# Quiet, modest, mortal


@pytest.mark.slow
@pytest.mark.parametrize("backend", [HERE, TWO])
def test_what_is_printed_goes_to_standard_error(backend, capfd):
    assert list(play_chunks(backend, lambda _: print("thinking aloud"), [1])) == [None]
    out, err = capfd.readouterr()
    assert (out, err) == ("", "thinking aloud\n")


@pytest.mark.slow
def test_what_a_workers_children_print_goes_to_standard_error(capfd):
    assert list(play_chunks(TWO, lambda _: os.system("echo from a child"), [1])) == [0]
    assert capfd.readouterr() == ("", "from a child\n")


@pytest.mark.slow
def test_a_worker_computes_with_one_thread():
    (threads,) = play_chunks(TWO, lambda _: os.environ["OPENBLAS_NUM_THREADS"], [1])
    assert threads == "1"


@pytest.mark.slow
def test_who_stops_listening_ends_the_workers(folders):
    results = play_chunks(TWO, endless_work, count())
    pids = {pid for _, pid in islice(results, 4)}
    began = time.monotonic()
    results.close()
    assert time.monotonic() - began < 2
    assert not any(map(alive, pids))
    assert list(folders.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("backend", [HERE, TWO])
def test_an_interrupt_ends_even_what_takes_long_and_keeps_what_is_finished(backend):
    before = signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    try:
        with Interrupt() as interrupt:
            results = []
            for result in play_chunks(backend, endless_work, count(), interrupt):
                results.append(result)
                if len(results) == 4:
                    began = time.monotonic()
                    signal.setitimer(signal.ITIMER_REAL, 0.2)
        assert time.monotonic() - began < 2.2
    finally:
        signal.signal(signal.SIGALRM, before)
    assert chunks_of(results) == [0, 1, 2, 3]


def test_an_interrupt_that_the_work_swallows_gives_no_disturbed_result():
    def stubborn(chunk: int) -> int:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        except KeyboardInterrupt:
            return -1
        return chunk

    with Interrupt() as interrupt:
        assert list(play_chunks(HERE, stubborn, count(), interrupt)) == []
        assert interrupt.wanted()


def test_a_ctrl_c_that_nobody_waits_for_is_raised_as_ever():
    def press(_: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(10)

    with pytest.raises(KeyboardInterrupt):
        list(play_chunks(HERE, press, [1]))


SCRIPT = """
import os, sys, time
from itertools import count
from cluedo.experiments.backends import Backend
from cluedo.experiments.dispatch import play_chunks
from cluedo.experiments.interrupt import Interrupt

def work(chunk):
    if chunk > 7:
        time.sleep(60)
    return chunk, os.getpid()

if __name__ == "__main__":
    with Interrupt() as interrupt:
        for chunk, pid in play_chunks(Backend(sys.argv[1], workers=2), work, count(), interrupt):
            print(chunk, pid, flush=True)
    print("end")
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Callable[[str], tuple[subprocess.Popen[str], set[int]]]]:
    """A program that plays, started as a process group of its own, and its workers' ids once all are busy for long."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    started = []

    def start(kind: str) -> tuple[subprocess.Popen[str], set[int]]:
        process = subprocess.Popen(
            [sys.executable, path, kind],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=os.environ | ({"TMPDIR": str(tmp_path)} if kind == "local" else {}),  # Ray's has to be a short path
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        started.append(process)
        assert process.stdout is not None
        pids = {int(process.stdout.readline().split()[1]) for _ in range(8)}
        time.sleep(0.2)
        return process, pids

    yield start
    for process in started:
        process.kill()
        process.communicate()


def is_interrupted_well(script: Any, kind: str, *, whole_group: bool) -> None:
    """Press Ctrl-C on work without end: all has to end, in silence, and nobody may be left."""
    process, pids = script(kind)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (out, err, process.returncode) == ("end\n", "", 0)
    assert not any(map(alive, pids))


@pytest.mark.slow
@pytest.mark.parametrize("whole_group", [True, False])
def test_ctrl_c_ends_all_in_silence(script, tmp_path, whole_group):
    is_interrupted_well(script, "local", whole_group=whole_group)
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["local", pytest.param("dask", marks=pytest.mark.slow)])
@pytest.mark.parametrize("delay", [0.02, 0.1, 0.3])
def test_ctrl_c_while_workers_are_being_born_ends_all_in_silence(tmp_path, kind, delay):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    command = [sys.executable, path, kind]
    with subprocess.Popen(command, stdout=-1, stderr=-1, text=True, start_new_session=True) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        # Trackers of resources come first; of Dask's workers, a thread is the parent.
        wait_until(lambda: len(children.read_text().split()) > (2 if kind == "local" else 0), HANGS_S)
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=300)  # that it ends at all; a loaded machine takes its time
    assert (out[-4:], err, process.returncode) == ("end\n", "", 0)


@pytest.mark.slow
def test_workers_do_not_outlive_who_started_them(script, tmp_path):
    process, pids = script("local")
    process.kill()
    process.wait()
    wait_until(lambda: not any(map(alive, pids)), HANGS_S)
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


# What is wrong with a backend


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("sge",), "one of local, dask and ray, not 'sge'"),
        (("local", "tcp://10.0.0.1:8786"), "local has no address"),
        (("local", None, 0), "at least 1 worker"),
        (("dask", "here"), "HOST:PORT, such as tcp://10.0.0.1:8786, not 'here'"),
        (("dask", "auto"), "HOST:PORT"),
        (("dask", "tcp://:8786"), "HOST:PORT"),
        (("ray", "10.0.0.1"), "HOST:PORT, such as 10.0.0.1:6379"),
        (("ray", "ray://10.0.0.1:port"), "HOST:PORT"),
    ],
)
def test_a_bad_backend_is_a_sentence(arguments, told):
    with pytest.raises(BackendError, match=told):
        Backend(*arguments)


@pytest.mark.parametrize("kind", ["dask", "ray"])
def test_a_backend_that_is_not_installed_names_its_extra(kind, monkeypatch):
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    with pytest.raises(BackendError, match=rf"needs the extra: pip install 'cluedo\[{kind}\]'"):
        Backend(kind)


@pytest.mark.slow
@pytest.mark.parametrize(
    "backend", [("dask", "tcp://127.0.0.1:{}"), ("dask", "localhost:{}"), ("ray", "127.0.0.1:{}")], ids=str
)
def test_a_cluster_that_is_not_there_is_told_soon(backend, capfd):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    kind, address = backend
    with within(10), pytest.raises(BackendError, match=r"no (Dask|Ray) cluster answers at .*: .*refused"):
        list(play_chunks(Backend(kind, address.format(port)), work, [1]))
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_somebody_else_at_the_address_is_told_soon(capfd):
    with socket.create_server(("127.0.0.1", 0)) as server, within(15):
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(BackendError, match="no Dask cluster with workers answers at 127"):
            list(play_chunks(Backend("dask", address), work, [1]))
    assert capfd.readouterr() == ("", "")


# Clusters


CLUSTERS = pytest.mark.parametrize("kind", ["dask", "ray"])


@pytest.mark.slow
@CLUSTERS
def test_a_cluster_plays_each_chunk_once(kind, capfd):
    with within(HANGS_S):
        results = list(play_chunks(Backend(kind, workers=2), slow_work, range(60)))
    assert chunks_of(results) == list(range(60))
    assert len({pid for _, pid in results} - {os.getpid()}) == 2
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@CLUSTERS
def test_killed_workers_of_a_cluster_cost_no_result_and_give_none_twice(kind, capfd):
    with within(HANGS_S):
        results = killing(play_chunks(Backend(kind, workers=2), slow_work, range(60)), 5, 6, 25)
        assert chunks_of(results) == list(range(60))
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@CLUSTERS
def test_work_that_ends_a_clusters_processes_does_so_a_few_times_only(kind, capfd):
    with within(HANGS_S), pytest.raises(WorkerDied, match="a worker process died"):
        list(play_chunks(Backend(kind, workers=2), deadly_work, count()))
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@CLUSTERS
def test_errors_on_a_cluster_are_the_same_sentences(kind):
    chosen = (0, 1, 2, 5) if kind == "dask" else (0, 5)  # each is a cluster of its own, and Ray's takes ten seconds
    for kind_of_error, told in map(TOLD.__getitem__, chosen):
        chunk = next(number for number, pair in TOLD.items() if pair == (kind_of_error, told))
        with within(HANGS_S), pytest.raises(kind_of_error, match=told):
            list(play_chunks(Backend(kind, workers=2), raising_work, [chunk]))


@pytest.mark.slow
@CLUSTERS
def test_who_stops_listening_ends_the_cluster(kind):
    chunks = Counted()
    results = play_chunks(Backend(kind, workers=2), endless_work, chunks)
    pids = {pid for _, pid in islice(results, 4)}
    assert chunks.taken <= 4 + 2 * AHEAD
    with within(HANGS_S):
        results.close()
    wait_until(lambda: not any(map(alive, pids)), HANGS_S)


@pytest.mark.slow
@pytest.mark.parametrize("whole_group", [True, False])
@CLUSTERS
def test_ctrl_c_ends_a_cluster_in_silence(script, kind, whole_group):
    is_interrupted_well(script, kind, whole_group=whole_group)


@pytest.mark.slow
def test_a_dask_cluster_that_is_there_is_used_and_left(capfd):
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=2, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=50
    ) as cluster:
        for _ in range(2):
            results = list(play_chunks(Backend("dask", cluster.scheduler_address), slow_work, range(20)))
            assert chunks_of(results) == list(range(20))
            assert len({pid for _, pid in results}) == 2
