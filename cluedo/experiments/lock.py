"""A lock on a folder that dies with its holder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from cluedo.engine.errors import CluedoError

if sys.platform != "win32":
    import fcntl

__all__ = ["FolderInUse", "in_use", "locked"]

_LOCK: Final = "lock"


class FolderInUse(CluedoError):
    """Another run writes into the folder."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Make the folder if there is none, and keep every other run out of it until the ``with`` ends.

    The operating system holds the lock, on the file ``lock`` in the folder: it is gone as soon as this
    process is, however that ends. (On Windows nothing is locked.)

    Raises:
        FolderInUse: somebody else holds it.
        CluedoError: the folder cannot be written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        file = (path / _LOCK).open("a")
    except OSError as error:
        raise CluedoError(f"{path}: cannot be written: {error.strerror or error}") from None
    with file:
        if not _hold(file.fileno(), path / _LOCK):
            raise FolderInUse(f"another run is writing into {path}")
        try:
            yield
        finally:
            # While it is still held: whoever opened it meanwhile will find that it is not the folder's any more.
            with suppress(OSError):
                (path / _LOCK).unlink()


def in_use(path: Path) -> bool:
    """Whether a run is writing into the folder now."""
    try:
        with (path / _LOCK).open("r") as file:
            return not _hold(file.fileno(), path / _LOCK)
    except OSError:
        return False


def _hold(descriptor: int, path: Path) -> bool:
    """Whether the lock could be had, and is the one that still stands there."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False
