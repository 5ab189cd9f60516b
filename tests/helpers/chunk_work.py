"""Work for those who play chunks: what it does, what kills it, and a program that does it until it is interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import cloudpickle
import pytest

from cluedo.engine.errors import CluedoError, MapError
from cluedo.experiments.play.backends import BackendError

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # no worker could import a test's helper

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


_KEPT: list[bytearray] = []


def growing_work(chunk: int) -> tuple[int, int]:
    """Work that leaves some megabytes in its process, and takes long enough for loky to look at them."""
    _KEPT.append(bytearray(b"x" * 8_000_000))
    time.sleep(0.4)
    return chunk, os.getpid()


def deadly_work(chunk: int) -> tuple[int, int]:
    if chunk == 13:
        os._exit(3)
    return work(chunk)


def first_raises(chunk: int) -> int:
    if chunk == 0:
        raise MapError("there is no such map")
    return chunk


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
class Together:
    """Work that nobody ends before so many processes have begun some; their ids are the names of files."""

    folder: Path
    number: int
    then: Callable[[int], tuple[int, int]] = work

    def __call__(self, chunk: int) -> tuple[int, int]:
        (self.folder / str(os.getpid())).touch()
        wait_until(lambda: len(list(self.folder.iterdir())) >= self.number)
        return self.then(chunk)


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


def wait_until(true: Callable[[], bool]) -> None:
    """Wait until something is so, however busy the machine is."""
    deadline = time.monotonic() + HANGS_S
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


SCRIPT = """
import os, sys, time
from itertools import count
from cluedo.experiments.play.backends import Backend
from cluedo.experiments.play.dispatch import play_chunks
from cluedo.experiments.play.interrupt import Interrupt

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
        with process:  # it is waited for, but nobody else who holds its pipes
            process.kill()


def is_interrupted_well(script: Any, kind: str, *, whole_group: bool) -> None:
    """Press Ctrl-C on work without end: all has to end, in silence, and nobody may be left."""
    process, pids = script(kind)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (out, err, process.returncode) == ("end\n", "", 0)
    wait_until(lambda: not any(map(alive, pids)))
