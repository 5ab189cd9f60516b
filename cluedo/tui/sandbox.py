"""The sandbox of a process that is served to others.

``cluedo serve`` gives each visitor a process of their own. :func:`enter` puts it into a sandbox: it gets a
private folder, where saved games and temporary files go, and can reach nothing else. The screens offer no
files there; the sandbox stops whatever they forget.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import cluedo

__all__ = ["enter"]


def enter(folder: Path) -> None:
    """Put this process into a sandbox, for good.

    Saved games and temporary files go to ``folder``, which has to be there.
    """
    folder = folder.resolve(strict=True)
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "TMPDIR"):
        os.environ[name] = str(folder)
    tempfile.tempdir = None  # or the old one would be remembered
    sys.dont_write_bytecode = True
    os.chdir(folder)
    for cache in _caches():
        with suppress(OSError):
            cache.mkdir(parents=True, exist_ok=True)  # the folders above it cannot be made from inside
    _restrict(folder)


_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LISTING: Final = {"os.listdir", "os.scandir", "os.walk", "glob.glob"}
_CHANGING: Final = {
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate",
    "os.chmod", "os.chown", "os.utime", "shutil.rmtree", "shutil.move", "shutil.copyfile", "shutil.copytree",
}  # fmt: skip
_NEVER: Final = (
    "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile", "pty.",
    "socket.connect", "socket.bind", "socket.sendto", "webbrowser.",
)  # fmt: skip
_SYSTEM: Final = ("/usr", "/lib", "/lib64", "/sys/devices/system", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat")
"""What libraries read of a Linux: shared libraries, time zones, fonts, how many CPUs there are."""


def _restrict(folder: Path) -> None:
    """Let this process write in ``folder`` alone, read that and the program, and neither start nor call anybody.

    It is an audit hook (PEP 578): every way of Python to a file passes it, and it cannot be taken off
    again. Whatever it stops is a :class:`PermissionError`, so that it is told like any file that may not
    be read. It guards against what a visitor may type, not against code of theirs: they have none.
    """
    own: list[str | Path] = [folder, os.devnull, *_caches()]
    readable = _Places([*own, *_program(), *_SYSTEM])
    writable = _Places(own)

    def check(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            (writable if flags & _WRITING else readable).check(path)
        elif event in _LISTING:
            readable.check(arguments[0])
        elif event in _CHANGING:
            for path in arguments:
                if isinstance(path, str | bytes | os.PathLike):
                    writable.check(path)
        elif event.startswith(_NEVER):
            raise PermissionError(errno.EACCES, f"not allowed in the sandbox: {event}")

    sys.addaudithook(check)


class _Places:
    """Files and folders, with all that is in them."""

    def __init__(self, paths: Iterable[str | Path]):
        self._roots = {os.path.realpath(path) for path in paths}

    def check(self, path: Any) -> None:
        """Raise :class:`PermissionError` for a path outside; links are followed first."""
        if isinstance(path, int):  # a file that is open already
            return
        name = os.path.realpath("." if path is None else os.fsdecode(path))
        if not any(name == root or name.startswith(root.rstrip(os.sep) + os.sep) for root in self._roots):
            raise PermissionError(errno.EACCES, "outside the sandbox", str(path))


def _program() -> list[str]:
    """Python, its libraries, and the folder of this package, wherever they are installed."""
    return [sys.prefix, sys.base_prefix, *filter(None, sys.path), *cluedo.__path__]


def _caches() -> list[Path]:
    """Where the detective's compiled arithmetic is kept: beside its code, or in the user's cache."""
    beside = [Path(path, "ai", "knowledge", "__pycache__") for path in cluedo.__path__]
    named = os.environ.get("NUMBA_CACHE_DIR")
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "numba")
    return [*beside, Path(named) if named else user]
