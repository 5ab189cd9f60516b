"""The sandbox of a program: what it leaves, and how long that takes; tests/bots/test_programs.py has it at work."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.chunk_work import wait_until
from helpers.programs import alive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs as players need a Unix")


def test_a_thousand_children_are_buried_without_asking_for_each_who_is_still_there(monkeypatch):
    """The host waits for two seconds; to read all of /proc takes some thousandths of one."""
    from cluedo.bots import sandbox

    running, dead, looked = set(range(1000, 2000)), [], 0

    def kill(child, _how):
        running.discard(child)
        dead.append(child)

    def waitpid(_whom, how):
        if dead:
            return dead.pop(), 0
        if not running:
            raise ChildProcessError
        assert how == os.WNOHANG, "whoever waits here waits for ever"
        return 0, 0

    def children():
        nonlocal looked
        looked += 1
        return list(running)

    monkeypatch.setattr(sandbox, "_children", children)
    monkeypatch.setattr(sandbox, "os", SimpleNamespace(kill=kill, killpg=kill, waitpid=waitpid, WNOHANG=os.WNOHANG))
    sandbox._kill_all(999)
    assert looked == 1
    assert not running


def test_a_program_whose_children_die_as_fast_as_they_are_buried_is_still_killed(monkeypatch):
    """It goes on making them until it is found and killed, and it is found at the second look only."""
    from cluedo.bots import sandbox

    maker, alive, counted = 5000, True, 0
    looks = iter([[1000], [maker]])

    def kill(child, _how):
        nonlocal alive
        if child == maker:
            alive = False

    def waitpid(_whom, _how):
        nonlocal counted
        counted += 1
        assert counted < 100_000, "the dead are buried for ever"
        if not alive:
            raise ChildProcessError
        return 1001, 0

    monkeypatch.setattr(sandbox, "_children", lambda: next(looks))
    monkeypatch.setattr(sandbox, "os", SimpleNamespace(kill=kill, killpg=kill, waitpid=waitpid, WNOHANG=os.WNOHANG))
    sandbox._kill_all(999)
    assert not alive


@cache
def has_namespaces() -> bool:
    """Whether a program can have a process namespace of its own here."""
    words = ("unshare", "--user", "--map-root-user", "--pid", "--fork", "true")
    return shutil.which("unshare") is not None and subprocess.run(words, check=False).returncode == 0


needs_namespace = pytest.mark.skipif(
    sys.platform != "linux" or not has_namespaces(), reason="the system allows no such namespace"
)

HOSTILE = """
import ctypes, os, pathlib, signal, sys, time

def watchers():
    found, pid = [], os.getppid()
    while pid > 0 and b"/cluedo/bots/sandbox.py" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
        found.append(pid)
        pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return found

def tried(work):
    try:
        return work() or "done"
    except OSError as error:
        return type(error).__name__

for line in sys.stdin:
    how, host = line.split()
    if how == "undo":
        system = ctypes.CDLL(None)
        had = pathlib.Path("/proc/self/status").read_text().partition("CapEff:")[2].split()[0]
        taken_off = system.umount2(b"/proc", 2)
        system.unshare(0x10020000)  # a user namespace within, in which it is root
        print(had, taken_off, system.umount2(b"/proc", 2), flush=True)
        continue
    if how == "look":
        told = [tried(lambda: os.kill(int(host), 0)), tried(lambda: open(f"/proc/{host}/mem", "rb").close())]
        print(*told, flush=True)
        continue
    for leave in (os.setsid, os.setpgrp, lambda: None):
        if os.fork() == 0:
            leave()
            time.sleep(600)
    for pid in watchers():
        tried(lambda: os.kill(pid, getattr(signal, how)))
    print("tried", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def hostile(tmp_path, monkeypatch):
    from cluedo.bots.process import LineProcess

    (tmp_path / "bot.py").write_text(HOSTILE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path.parent / f"{tmp_path.name}-state"))
    process = LineProcess([sys.executable, "-u", "bot.py"], "hostile")
    yield process
    process.end()


def others(folder: Path) -> list[str]:
    """The processes that work in a folder, but for this one."""
    return [command for command in alive(folder) if "bot.py" in command]


@needs_namespace
@pytest.mark.parametrize("how", ["SIGKILL", "SIGSTOP"])
def test_a_program_can_neither_kill_nor_stop_what_watches_over_it(hostile, how, tmp_path):
    assert hostile.ask(f"{how} 0\n".encode(), 60) == b"tried"
    assert len(others(tmp_path)) >= 4
    hostile.end()
    wait_until(lambda: not others(tmp_path))


@needs_namespace
def test_a_program_finds_no_process_of_ours(hostile):
    told = hostile.ask(f"look {os.getpid()}\n".encode(), 60).split()
    assert told == [b"ProcessLookupError", b"FileNotFoundError"]


@needs_namespace
def test_a_program_of_root_cannot_take_off_what_hides_our_processes(hostile):
    assert hostile.ask(b"undo 0\n", 60).split() == [b"0" * 16, b"-1", b"-1"]
    assert hostile.ask(f"look {os.getpid()}\n".encode(), 60).split()[0] == b"ProcessLookupError"
