"""Starts one program under limits, in a sandbox if it can, and ends everything that it has started.

It runs as a script, without the package:

    python -I -S sandbox.py LIFELINE SANDBOXED MEMORY CPU FILES FILE_SIZE CORE COMMAND…

It stands between the host and the program. When the program ends, or the host does (its end of the pipe LIFELINE
closes with it, whatever kills it), everything that the program has started is killed, and this process ends with the
program's exit code, or 128 and the number of the signal that killed it. Linux lets it find even those that have left
the program's group.

Unless the command has a sandbox already (SANDBOXED is 1), this process makes a process namespace for it where the
system lets everybody do so, and becomes two: the first process of that namespace, with which all others in it end, and
one outside. The program can then neither see, stop nor kill what watches over it: see pid_namespaces(7) and
user_namespaces(7). It has no capabilities, even if root has started it, or it could take off what hides the other
processes: see capabilities(7).
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

_END_WITH_PARENT: Final = 1  # PR_SET_PDEATHSIG of prctl(2)
_BECOME_SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER
_NO_NEW_PRIVILEGES: Final = 38  # PR_SET_NO_NEW_PRIVS
_SET_SECURE_BITS: Final = 28  # PR_SET_SECUREBITS
_ROOT_IS_NOBODY: Final = 1 | 2  # SECBIT_NOROOT and SECBIT_NOROOT_LOCKED
_NEW_USER_PROCESSES_MOUNTS: Final = 0x10000000 | 0x20000000 | 0x00020000  # CLONE_NEWUSER, _NEWPID, _NEWNS of clone(2)
_NO_PROGRAMS: Final = 2 | 4 | 8  # MS_NOSUID, MS_NODEV and MS_NOEXEC of mount(2)
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


def main(lifeline: int, sandboxed: bool, limits: list[int], command: list[str]) -> int:
    """Run the command until it ends or the host does; returns the exit code."""
    if sys.platform == "linux" and not sandboxed and _make_namespace():
        first = os.fork()
        if first:
            for fd in (0, 1, lifeline):
                os.close(fd)
            return _exit_code(os.waitpid(first, 0)[1])
        _begin_namespace()
    return _watch(lifeline, limits, command)


def _make_namespace() -> bool:
    """Make a namespace for the processes that this one starts; whether that may be done here."""
    user, group = os.geteuid(), os.getegid()
    if ctypes.CDLL(None).unshare(_NEW_USER_PROCESSES_MOUNTS) != 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with suppress(OSError):
            Path("/proc/self", name).write_text(text)
    return True


def _begin_namespace() -> None:
    """Be the first process of a new namespace, which ends with the one outside."""
    system = ctypes.CDLL(None)
    system.prctl(_END_WITH_PARENT, signal.SIGKILL)
    system.mount(b"proc", b"/proc", b"proc", _NO_PROGRAMS, None)  # where that is refused, /proc tells of those outside
    system.prctl(_SET_SECURE_BITS, _ROOT_IS_NOBODY, 0, 0, 0)  # whatever is executed from now on has no capabilities
    system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def _watch(lifeline: int, limits: list[int], command: list[str]) -> int:
    """Run the command until it ends or the host does, and end all that it has started; returns the exit code."""
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
    if os.getpid() != 1:  # of a namespace of its own, where the system ends all with the first process
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
            code = _exit_code(status)


def _exit_code(status: int) -> int:
    """The exit code of a process, or 128 and the number of the signal that killed it."""
    how = os.waitstatus_to_exitcode(status)
    return how if how >= 0 else 128 - how


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
    pipe, sandboxed, *most = map(int, sys.argv[1 : 3 + len(_LIMITED)])
    sys.exit(main(pipe, bool(sandboxed), most, sys.argv[3 + len(_LIMITED) :]))
