"""A bot's process: exchanges lines with it within time limits, and ends it with everything that it has started.

A bot cannot read the memory of the process that starts it.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import re
import select
import shutil
import subprocess
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from math import inf
from pathlib import Path
from signal import SIGKILL, Signals
from tempfile import mkdtemp
from time import monotonic
from typing import IO, ClassVar, Final

from cluedo.engine.errors import PlayerError, one_line
from cluedo.engine.file_io import state_folder
from cluedo.engine.phrase import Phrase

__all__ = [
    "ONE_THREAD",
    "BotProcess",
    "BotTrouble",
    "LineProcess",
    "TooLate",
    "check_sandbox_possible",
    "close_memory",
    "quote",
    "take_channels",
]

ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
"""The environment in which numerical libraries compute with one thread: the CPUs are shared by processes."""
_LONGEST_LINE: Final = 1_000_000
"""Bytes that a line of a bot may have."""
_LIMITS: Final = (4 << 30, 24 * 3600, 256, 64 << 20, 0)
"""On each process of a bot: bytes of memory, seconds of CPU, open files, bytes of a file written, and of a dump."""
_END_S: Final = 2.0
"""Seconds that sandbox.py has to kill all and to end, before it is killed itself."""
_LOGS_KEPT: Final = (100, 200 << 20)
"""Of what bots that have ended wrote to standard error: files, and bytes in all."""
_READ: Final = 1 << 16
_LAST: Final = 20
"""Lines at the end of standard error in which the one that names an error is looked for."""
_ERROR: Final = re.compile(r"(Uncaught |Unhandled exception\. |Exception in thread \S+ )?[\w.$]*(Error|Exception)\b")
"""How such a line begins in Python, JavaScript, Java and C#; some have a line or a trace after it."""
_QUOTED: Final = 200
"""Letters that are told of what a bot says."""
_DUMPABLE: Final = 4  # PR_SET_DUMPABLE of prctl(2)
_NUMBERS = itertools.count()


class BotTrouble(PlayerError):
    """A bot hangs, has ended, floods or talks nonsense: its process cannot go on."""


class TooLate(BotTrouble):
    """A bot has not answered in time."""


def quote(said: bytes) -> str:
    """The beginning of what a bot has said, on one line."""
    return one_line(said[:_QUOTED].decode(errors="replace").strip()) or Phrase("nothing")


class BotProcess:
    """The process of a program that plays.

    It has a process group of its own with limits on memory, CPU and files, no network where bubblewrap is installed,
    and its standard error in a file. It ends with this object and with this process; a fork of this process cannot
    talk to it, and does not end it.

    Args:
        command: the program and its arguments.
        name: what its file of standard error is called after.
        networked: whether it is talked to over the network, which it may then use: it has no input, its output goes
            into the file, too, and it runs in an empty folder, which goes with it. Else its standard input and output
            lead here, and it runs where this process does.

    Raises:
        PlayerError: it cannot be started.

    Attributes:
        log: the file of its standard error; None where no file can be kept.
        closed: what it has done if it can be talked to no more and still runs.
    """

    closed: ClassVar = Phrase("closed its standard input or output")

    def __init__(self, command: Sequence[str], name: str, *, networked: bool):
        if not hasattr(os, "fork"):
            raise PlayerError("{name}: programs as players need Linux or another Unix", name=name)
        import fcntl

        close_memory()
        self.log = _new_log(name)
        folder = None
        theirs, ours = os.pipe()
        os.set_inheritable(theirs, True)
        script = [sys.executable, "-I", "-S", str(Path(__file__).with_name("sandbox.py"))]
        bubblewrap = _bubblewrap(networked)
        limits = [str(number) for number in (theirs, int(bool(bubblewrap)), *_LIMITS)]
        try:
            if networked:
                folder = mkdtemp(prefix="cluedo-")
            with (self.log or Path(os.devnull)).open("wb") as stderr:
                fcntl.flock(stderr, fcntl.LOCK_SH)  # for as long as the program, or whatever it starts, has it open
                self._process = subprocess.Popen(
                    [*script, *limits, *bubblewrap, *command],
                    stdin=subprocess.DEVNULL if networked else subprocess.PIPE,
                    stdout=stderr if networked else subprocess.PIPE,
                    stderr=stderr,
                    cwd=folder,
                    env=os.environ | ONE_THREAD,
                    pass_fds=[theirs],
                    start_new_session=True,
                )
        except BaseException as error:
            os.close(ours)
            _remove(folder)
            if isinstance(error, OSError):
                raise BotTrouble("cannot be started: {error}", error=error) from None
            raise
        finally:
            os.close(theirs)
        self._started_by = os.getpid()
        self._end = weakref.finalize(self, _end, self._process, ours, self.log, folder, self._started_by)

    @property
    def alive(self) -> bool:
        """Whether it can be talked to."""
        return self._end.alive and os.getpid() == self._started_by

    def end(self) -> None:
        """Kill it and all that it has started."""
        self._end()

    def ended(self) -> BotTrouble:
        """A phrase that says how it ended, with the last line that it wrote about it."""
        try:
            code = self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            return BotTrouble(self.closed)
        how: str = Phrase("exit code {code}", code=code)
        with suppress(ValueError):
            how = Signals(code - 128).name if code > 128 else how
        words = self.last_words()
        if words:
            return BotTrouble("ended ({how}): {words}", how=how, words=words)
        return BotTrouble("ended ({how})", how=how)

    def last_words(self) -> str:
        """The last line of its standard error that names an error, or else the last one."""
        if self.log is None:
            return ""
        try:
            with self.log.open("rb") as log:
                log.seek(max(0, self.log.stat().st_size - _READ))
                lines = log.read().decode(errors="replace").split("\n")
        except OSError:  # somebody has removed it
            return ""
        said = [line.strip() for line in reversed(lines) if any(map(str.isalnum, line))]
        return one_line(next(filter(_ERROR.match, said[:_LAST]), said[0] if said else ""), _QUOTED)


class LineProcess(BotProcess):
    """A process that exchanges lines over standard input and output; arguments as of :class:`BotProcess`."""

    def __init__(self, command: Sequence[str], name: str):
        super().__init__(command, name, networked=False)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        for stream in (self._in, self._out):
            os.set_blocking(stream.fileno(), False)
        self._unread = b""

    def tell(self, line: bytes, seconds: float) -> None:
        """Write lines within a time limit; raises :class:`BotTrouble`."""
        self._exchange(line, seconds, answered=False)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Write lines and read one line, within one time limit; raises :class:`BotTrouble`."""
        if self._unread or self._came_unasked():
            raise BotTrouble("wrote without being asked: {text}", text=quote(self._unread))
        return self._exchange(line, seconds, answered=True)

    def _came_unasked(self) -> bool:
        """Whether the bot has written something since its last answer; its end is not noticed here."""
        if select.select([self._out], [], [], 0)[0]:
            self._unread = os.read(self._out.fileno(), _READ)
        return bool(self._unread)

    def _exchange(self, line: bytes, seconds: float, *, answered: bool) -> bytes:
        """Write, and read a line if one is to come; both at once, for a bot may talk before it listens."""
        deadline = inf if seconds == inf else monotonic() + seconds
        to_write = self._written(memoryview(line))
        while to_write or (answered and b"\n" not in self._unread):
            if not to_write and self._read():  # the answer is often there by now
                continue
            left = deadline - monotonic()
            if left <= 0:
                raise TooLate("took longer than {seconds:g} s", seconds=seconds)
            readable, writable, _ = select.select(
                [self._out], [self._in] if to_write else [], [], None if left == inf else left
            )
            if writable:
                to_write = self._written(to_write)
            if readable:
                self._read()
        if not answered:
            return b""
        first, _, self._unread = self._unread.partition(b"\n")
        return first

    def _written(self, line: memoryview) -> memoryview:
        """Write as much as there is room for; the rest."""
        try:
            return line[os.write(self._in.fileno(), line) :]
        except BlockingIOError:
            return line
        except BrokenPipeError:
            raise self.ended() from None

    def _read(self) -> bool:
        """Read what is there; whether there was anything."""
        try:
            got = os.read(self._out.fileno(), _READ)
        except BlockingIOError:
            return False
        if not got:
            raise self.ended()
        self._unread += got
        if len(self._unread) > _LONGEST_LINE:
            raise BotTrouble("wrote a line of more than {most:,} bytes", most=_LONGEST_LINE)
        return True


def _end(
    process: subprocess.Popen[bytes], lifeline: int, log: Path | None, folder: str | None, started_by: int
) -> None:
    os.close(lifeline)
    for stream in filter(None, (process.stdin, process.stdout)):
        with suppress(OSError):  # what it was not told any more
            stream.close()
    try:
        process.wait(_END_S)  # at once in a fork, whose child it is not
    except subprocess.TimeoutExpired:
        with suppress(OSError):
            os.killpg(process.pid, SIGKILL)
        process.wait()
    if os.getpid() != started_by:
        return
    _remove(folder)
    if log is not None:
        with suppress(OSError):
            if not log.stat().st_size:
                log.unlink()


def _remove(folder: str | None) -> None:
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


# ---- its file of standard error ----------------------------------------------------------------------


def _new_log(name: str) -> Path | None:
    """A new file for standard error, called after a bot; of those of bots that have ended the latest are kept."""
    folder = state_folder("bots")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        logs = sorted(folder.glob("*.log"), key=lambda log: -log.stat().st_mtime)
        most, most_bytes = _LOGS_KEPT
        sizes = itertools.accumulate(log.stat().st_size for log in logs)
        for number, (log, size) in enumerate(zip(logs, sizes, strict=True)):
            if (number >= most or size > most_bytes) and not _is_written(log):
                log.unlink()
        slug = re.sub(r"[^\w.-]+", "-", name).strip("-.")[-60:] or "bot"
        path = folder / f"{slug}-{os.getpid()}-{next(_NUMBERS)}.log"
        path.touch()
    except OSError:  # no place of their own, or others tidy up there, too
        return None
    return path


def _is_written(log: Path) -> bool:
    """Whether the bot whose log this is, or something that it has started, still has it open."""
    import fcntl

    with log.open("r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


# ---- what is kept from it ----------------------------------------------------------------------------


@cache
def _bubblewrap(network: bool) -> tuple[str, ...]:
    """What runs a command in its own process namespace, perhaps without network; nothing where there is none."""
    program = shutil.which("bwrap")
    if program is None:
        return ()
    shared = ("--dev-bind", "/", "/", "--proc", "/proc", "--cap-drop", "ALL")
    alone = () if network else ("--unshare-net",)
    words = (program, *shared, *alone, "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--")
    try:
        done = subprocess.run([*words, "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return words if done.returncode == 0 else ()


def check_sandbox_possible() -> None:
    """Raise :class:`PlayerError` unless bots get their own process namespace here."""
    if _bubblewrap(network=False):
        return
    unshare = shutil.which("unshare")
    words = ("--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "true")
    if unshare is None or subprocess.run([unshare, *words], capture_output=True, check=False).returncode != 0:
        raise PlayerError(
            "bots cannot have a sandbox here: install bubblewrap (bwrap), or let users create process namespaces "
            "(unshare); without --require-sandbox they only have their own processes"
        )


@cache
def close_memory() -> None:
    """Let no other process of the same user read the memory of this one, from now on; on Linux alone.

    The superuser still may, and debuggers and profilers that are not the superuser's can no longer look inside. What
    this process starts is not affected (proc(5), ptrace(2)).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DUMPABLE, 0, 0, 0, 0)


def take_channels() -> tuple[IO[bytes], IO[bytes]]:
    """What comes over standard input and goes to standard output, taken from where players would find them.

    From then on standard input is empty, and what is printed goes to standard error. Bots of other seats cannot read
    the memory of this process.
    """
    close_memory()
    sys.stdout.flush()
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing
