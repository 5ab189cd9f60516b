"""Chunks played by processes of this machine: each once, whoever dies, stops or misbehaves; and bad backends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import wait
from contextlib import closing
from itertools import count, islice, product
from pathlib import Path

import pytest
from helpers.cases import some
from helpers.chunk_work import (
    AHEAD,
    HANGS_S,
    SCRIPT,
    TOLD,
    Costly,
    Counted,
    Together,
    alive,
    chunks_of,
    deadly_work,
    endless_work,
    first_raises,
    growing_work,
    is_interrupted_well,
    killing,
    large_work,
    raising_work,
    slow_work,
    wait_until,
    within,
    work,
)

from cluedo.engine.errors import CluedoError, MapError
from cluedo.experiments.play import backends, dispatch, pools
from cluedo.experiments.play.backends import Backend, BackendError
from cluedo.experiments.play.dispatch import play_chunks
from cluedo.experiments.play.interrupt import Interrupt

TWO = Backend("local", workers=2)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where folders for large results are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


# Each chunk once


def test_what_others_have_finished_comes_before_an_error(monkeypatch):
    monkeypatch.setattr(dispatch, "wait", lambda futures, *_: wait(futures, 60))
    results = play_chunks(TWO, first_raises, range(6))
    assert sorted(islice(results, 5)) == [1, 2, 3, 4, 5]
    with pytest.raises(MapError, match="no such map"):
        next(results)


@pytest.mark.slow
def test_each_chunk_is_played_once_by_other_processes(folders, tmp_path_factory):
    results = list(play_chunks(Backend(workers=3), Together(tmp_path_factory.mktemp("meeting"), 3), range(60)))
    assert chunks_of(results) == list(range(60))
    pids = {pid for _, pid in results}
    assert len(pids) == 3
    assert os.getpid() not in pids
    assert list(folders.iterdir()) == []


def test_without_chunks_there_are_no_results():
    assert list(play_chunks(TWO, work, [])) == []


@pytest.mark.slow
def test_results_come_as_they_are_finished(tmp_path):
    """The first chunk waits until another has been handed over."""
    handed_over = tmp_path / "handed over"

    def waiting(chunk):
        wait_until(lambda: chunk > 0 or handed_over.exists())
        return chunk

    with closing(play_chunks(TWO, waiting, [0, 1, 2])) as results:
        assert next(results) in (1, 2)
        handed_over.touch()
        assert set(results) >= {0}


@pytest.mark.slow
def test_chunks_are_taken_no_faster_than_results():
    chunks = Counted()
    with closing(play_chunks(TWO, work, chunks)) as results:
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


@pytest.mark.slow
def test_a_worker_that_starts_anew_because_its_memory_grew_loses_nothing_and_nobody_is_warned(monkeypatch, recwarn):
    monkeypatch.setenv("LOKY_MAX_MEMORY_LEAK_SIZE", "4000000")  # bytes; read by the workers
    results = list(play_chunks(TWO, growing_work, range(12)))
    assert chunks_of(results) == list(range(12))
    assert len({pid for _, pid in results}) > 2, "no worker started anew"
    assert recwarn.list == []


# Workers that die


@pytest.mark.slow
@pytest.mark.parametrize(
    ("work", "chunks", "kills"),
    [
        (slow_work, 12, [0, 1, 2, 3]),  # no work is a suspect because workers are killed over other work
        (large_work, 50, [5, 35]),
    ],
)
def test_a_killed_worker_costs_no_result_gives_none_twice_and_keeps_nobody_waiting(work, chunks, kills):
    with within(HANGS_S):
        assert chunks_of(killing(play_chunks(TWO, work, range(chunks)), *kills)) == list(range(chunks))


@pytest.mark.slow
def test_workers_that_are_killed_before_they_begin_are_not_said_to_die_over_work(monkeypatch):
    monkeypatch.setattr(pools, "_settle", dying)
    monkeypatch.setattr(dispatch, "_IN_VAIN", 3)
    with within(HANGS_S), pytest.raises(BackendError, match="died 3 times before any work was finished"):
        list(play_chunks(TWO, work, range(3)))


def dying(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_work_that_ends_its_process_does_so_a_few_times_only():
    seen = []
    with within(HANGS_S), pytest.raises(BackendError, match="a worker process died, each time over the same work"):
        seen.extend(chunk for chunk, _ in play_chunks(TWO, deadly_work, count()))
    assert len(seen) == len(set(seen))
    assert len(set(range(13)) - set(seen)) < 2 * AHEAD  # what was under way with it


# Work that fails


@pytest.mark.slow
@pytest.mark.parametrize("chunk", [1, 3, 4, 5])
def test_what_work_raises_is_a_sentence(chunk):
    kind, told = TOLD[chunk]
    with pytest.raises(CluedoError, match=told) as caught:
        list(play_chunks(TWO, raising_work, [chunk]))
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)


def test_work_that_cannot_travel_is_a_sentence():
    lock = threading.Lock()
    with pytest.raises(BackendError, match="cannot be sent to workers"):
        list(play_chunks(TWO, lambda _: lock.locked(), [1]))


# Quiet, modest, mortal


@pytest.mark.slow
@pytest.mark.parametrize("speaking", [lambda _: print("aloud"), lambda _: os.system("echo aloud")])
def test_what_is_printed_also_by_children_goes_to_standard_error(speaking, capfd):
    assert len(list(play_chunks(TWO, speaking, [1]))) == 1
    assert capfd.readouterr() == ("", "aloud\n")


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
    assert time.monotonic() - began < 30  # what each of them does takes for ever
    assert not any(map(alive, pids))
    assert list(folders.iterdir()) == []


@pytest.mark.slow
def test_an_interrupt_ends_even_what_takes_long_and_keeps_what_is_finished():
    before = signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    try:
        with Interrupt() as interrupt:
            results = []
            for result in play_chunks(TWO, endless_work, count(), interrupt):
                results.append(result)
                if len(results) == 4:
                    began = time.monotonic()
                    signal.setitimer(signal.ITIMER_REAL, 0.2)
        assert time.monotonic() - began < 30
    finally:
        signal.signal(signal.SIGALRM, before)
    assert chunks_of(results) == [0, 1, 2, 3]


@pytest.mark.slow
@pytest.mark.parametrize("whole_group", [True, False])
def test_ctrl_c_ends_all_in_silence(script, tmp_path, whole_group):
    is_interrupted_well(script, "local", whole_group=whole_group)
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "delay"), some(product(["local", "dask"], [0.02, 0.1, 0.3]), 3))
def test_ctrl_c_while_workers_are_being_born_ends_all_in_silence(tmp_path, kind, delay):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    command = [sys.executable, path, kind]
    with subprocess.Popen(command, stdout=-1, stderr=-1, text=True, start_new_session=True) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        # Trackers of resources come first; of Dask's workers, a thread is the parent.
        wait_until(lambda: len(children.read_text().split()) > (2 if kind == "local" else 0))
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=300)  # that it ends at all; a loaded machine takes its time
    assert (out[-4:], err, process.returncode) == ("end\n", "", 0)


@pytest.mark.slow
def test_workers_do_not_outlive_who_started_them(script, tmp_path):
    process, pids = script("local")
    process.kill()
    process.wait()
    wait_until(lambda: not any(map(alive, pids)))
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


# What is wrong with a backend


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("sge",), "one of local, dask, ray, not 'sge'"),
        (("local", "tcp://10.0.0.1:8786"), "local has no address"),
        (("local", None, 0), "at least 1 worker"),
        (("local", None, 1001), "at most 1,000 workers"),
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
@pytest.mark.parametrize("backend", [("dask", "tcp://127.0.0.1:{}"), ("dask", "localhost:{}"), ("ray", "127.0.0.1:{}")])
def test_a_cluster_that_is_not_there_is_told_soon(backend, capfd):
    kind, address = backend
    with socket.socket() as taken, within(HANGS_S):
        taken.bind(("127.0.0.1", 0))  # where nobody else can listen meanwhile
        there = Backend(kind, address.format(taken.getsockname()[1]))
        with pytest.raises(BackendError, match=r"no (Dask|Ray) cluster answers at .*: .*refused"):
            list(play_chunks(there, work, [1]))
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_somebody_else_at_the_address_is_told_soon(capfd, monkeypatch):
    monkeypatch.setattr("cluedo.experiments.play.clusters._CONNECT_S", 1.0)  # not imported by who needs no cluster
    with socket.create_server(("127.0.0.1", 0)) as server, within(HANGS_S):
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(BackendError, match="no Dask cluster with workers answers at 127"):
            list(play_chunks(Backend("dask", address), work, [1]))
    assert capfd.readouterr() == ("", "")
