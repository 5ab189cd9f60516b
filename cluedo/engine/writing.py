"""Writes files whole or not at all: if that fails, the old file stays as it was."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

__all__ = ["PART", "PICTURE_OF_OURS", "atomic_write", "move_into_place", "state_folder"]

PART: Final = ".cluedo-*.part"
"""A pattern of the names of files under way; one that is still there was left by a process that was killed."""

PICTURE_OF_OURS: Final = re.compile(rb"\x89PNG\r\n\x1a\n.*Software\0cluedo", re.DOTALL)
"""How a PNG begins that this program has written, which it may write over."""


@contextmanager
def atomic_write(path: Path, *, new: bool = False) -> Iterator[Path]:
    """Write a file beside its place; it is moved there when the ``with`` ends, unless by an error.

    A file that is replaced passes its permissions on. A symbolic link stays one: where it leads is
    replaced. What is no regular file, or may not be written, is left alone.

    Args:
        path: where the file shall stand.
        new: whether there must be none yet.

    Yields:
        The path of an empty file, to be written by whatever means.

    Raises:
        OSError: the file cannot be written; a :class:`FileExistsError` for one that should be new.
    """
    if new:
        path.open("x").close()  # the name is ours from here on, whoever else wants it
    try:
        place = Path(os.path.realpath(path))
        _check_replaceable(place)
        part = place.with_name(PART.replace("*", secrets.token_hex(6)))
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        try:
            yield part
            move_into_place(part, place)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except BaseException:
        if new:
            with suppress(OSError):
                path.unlink()
        raise


def move_into_place(part: Path, place: Path) -> None:
    """Put a finished file where another may stand, on the same file system; raises OSError."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    with suppress(FileNotFoundError):
        part.chmod(stat.S_IMODE(place.stat().st_mode))
    part.replace(place)


def state_folder(name: str) -> Path:
    """A folder of the user's own state, as XDG has it; it need not be there."""
    base = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (base if base.is_absolute() else Path("~/.local/state").expanduser()) / "cluedo" / name


def _check_replaceable(place: Path) -> None:
    try:
        mode = place.stat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(place))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(place))
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
