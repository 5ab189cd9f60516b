"""Starts one program under limits, and ends everything that it has started. It runs as a script, without the package.

    python -I -S warden.py LIFELINE MEMORY CPU FILES FILE_SIZE CORE COMMAND…

It stands between the host and the program. When the program ends, or the host does (its end of the pipe LIFELINE
closes with it, whatever kills it), everything that the program has started is killed, and this process ends with the
program's exit code, or 128 and the number of the signal that killed it. Linux lets it find even those that have left
the program's group.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

_BECOME_SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
_LIMITED: Final = (
    resource.RLIMIT_DATA,  # not the address space, of which some runtimes reserve far more than they ever use
    resource.RLIMIT_CPU,
    resource.RLIMIT_NOFILE,
    resource.RLIMIT_FSIZE,
    resource.RLIMIT_CORE,
)

_MOST_REAPED: Final = 10_000
"""Ended processes that are waited for before those that still run are looked for again."""

_CANNOT_START: Final = 127
"""Exit code of a program that could not be started, as shells have it."""


def main(lifeline: int, limits: list[int], command: list[str]) -> int:
    """Run the command until it ends or the host does; returns the exit code."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_BECOME_SUBREAPER, 1)
    ended, end = os.pipe()
    os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(end)
    program = os.fork()
    if program == 0:
        _become(command, limits)
    for fd in (0, 1):  # so that the program alone holds its channels, and the host sees when it closes them
        os.close(fd)
    code = None
    while code is None and not select.select([lifeline, ended], [], [])[0].count(lifeline):
        with suppress(BlockingIOError):
            os.read(ended, 512)
        code = _reaped(program)
    _kill_all(program)
    return code if code is not None else 128 + signal.SIGKILL


def _become(command: list[str], limits: list[int]) -> None:
    """Turn this copy of the process into the program."""
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        for which, most in zip(_LIMITED, limits, strict=True):
            hard = resource.getrlimit(which)[1]
            limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (limit, limit))
        os.execvp(command[0], command)
    except BaseException as error:
        os.write(2, f"{command[0]}: {error}\n".encode())
    finally:
        os._exit(_CANNOT_START)


def _reaped(program: int) -> int | None:
    """Wait for the processes that have ended; the exit code of the program if it was among them."""
    code = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code
        if pid == 0:
            return code
        if pid == program:
            how = os.waitstatus_to_exitcode(status)
            code = how if how >= 0 else 128 - how


def _kill_all(program: int) -> None:
    """Kill the program's process group, and those that have left it: orphans become children of this process."""
    with suppress(OSError):
        os.killpg(program, signal.SIGKILL)
    while True:
        for child in _children():
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
            # Asking the system again who is there takes as long as hundreds of these. But a program whose children die
            # as fast as they are waited for must not keep this from killing it.
            for _ in range(_MOST_REAPED):
                if not os.waitpid(-1, os.WNOHANG)[0]:
                    break
        except ChildProcessError:
            return


def _children() -> list[int]:
    """The processes of which this one is the parent, where the system tells."""
    me, found = str(os.getpid()), []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, IndexError):  # it has gone meanwhile
            if stat.read_text(errors="replace").rpartition(")")[2].split()[1] == me:
                found.append(int(stat.parent.name))
    return found


if __name__ == "__main__":
    pipe, *most = map(int, sys.argv[1 : 2 + len(_LIMITED)])
    sys.exit(main(pipe, most, sys.argv[2 + len(_LIMITED) :]))
