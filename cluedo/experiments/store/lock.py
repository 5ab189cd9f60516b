"""A lock on a folder that dies with its holder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from cluedo.engine.errors import CluedoError

__all__ = ["LOCK", "FolderInUse", "in_use", "locked"]

LOCK: Final = ".cluedo.lock"
"""The file that is locked; always empty, so that a file with something in it is known to be somebody else's."""


class FolderInUse(CluedoError):
    """Another run writes into the folder."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Make the folder if there is none, and keep every other run out of it until the ``with`` ends.

    The operating system holds the lock: it is gone as soon as this process is, however that ends.

    Raises:
        FolderInUse: somebody else holds it.
        CluedoError: the folder cannot be written, or a file of somebody else's has the lock's name.
    """
    file = path / LOCK
    lock = FileLock(file, blocking=False)
    if path.exists() and not path.is_dir():
        raise CluedoError("{path} is not a folder; give a folder", path=path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        if file.is_symlink() or (file.exists() and not (file.is_file() and file.stat().st_size == 0)):
            raise CluedoError("{file} is in the way, and is not a lock of cluedo's; give another folder", file=file)
        lock.acquire()
    except Timeout:
        raise FolderInUse("another run is writing into {path}", path=path) from None
    except OSError as error:
        raise CluedoError("{path}: cannot be written: {error}", path=path, error=error) from None
    try:
        yield
    finally:
        # While it is still held: who opened it meanwhile will find that it is gone, and try again with another.
        with suppress(OSError):  # Windows removes no file that is open
            file.unlink()
        lock.release()


def in_use(path: Path) -> bool:
    """Whether a run is writing into the folder now, as far as one may know who may not write there."""
    if not (path / LOCK).exists():
        return False
    try:
        with FileLock(path / LOCK, blocking=False):
            return False
    except Timeout:
        return True
    except OSError:
        return False
