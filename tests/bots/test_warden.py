"""The warden of a program: what it leaves, and how long that takes; tests/bots/test_programs.py has it at work."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs as players need a Unix")


def test_a_thousand_children_are_buried_without_asking_for_each_who_is_still_there(monkeypatch):
    """The host waits for two seconds; to read all of /proc takes some thousandths of one."""
    from cluedo.bots import warden

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

    monkeypatch.setattr(warden, "_children", children)
    monkeypatch.setattr(warden, "os", SimpleNamespace(kill=kill, killpg=kill, waitpid=waitpid, WNOHANG=os.WNOHANG))
    warden._kill_all(999)
    assert looked == 1
    assert not running


def test_a_program_whose_children_die_as_fast_as_they_are_buried_is_still_killed(monkeypatch):
    """It goes on making them until it is found and killed, and it is found at the second look only."""
    from cluedo.bots import warden

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

    monkeypatch.setattr(warden, "_children", lambda: next(looks))
    monkeypatch.setattr(warden, "os", SimpleNamespace(kill=kill, killpg=kill, waitpid=waitpid, WNOHANG=os.WNOHANG))
    warden._kill_all(999)
    assert not alive
