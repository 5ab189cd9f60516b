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
