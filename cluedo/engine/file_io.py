"""Reads files of others safely, and writes files whole or not at all.

A path may lead to a file without end, to a device or to a pipe that nobody writes into. So every file of ours is read
here: at most so many bytes, and no longer than something comes. Where writing fails, the old file stays as it was.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import secrets
import select
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from cluedo.engine.errors import CluedoError, short_repr
from cluedo.engine.phrase import Phrase

__all__ = [
    "FORMAT",
    "MOST_BYTES",
    "PART",
    "PICTURE_OF_OURS",
    "Missing",
    "Unreadable",
    "atomic_write",
    "check_format",
    "json_object",
    "json_value",
    "move_into_place",
    "read_bytes",
    "read_text",
    "source",
    "state_folder",
    "toml_table",
    "writable",
]

FORMAT: Final = 1
"""The newest version of our file formats that this program reads, and the one that it writes."""

MOST_BYTES: Final = 64_000_000
"""Bytes that are read of a file, or of a line of a file of many games, where a kind has no bound of its own."""

_MOST_STREAM: Final = 1_000_000_000
"""Bytes that are read of a pipe or a device in all, however short its lines; a file on a disk ends by itself."""

_PATIENCE_S: Final = 10.0
"""Seconds for which a pipe may be silent."""


_MOST_DOTS: Final = 1000
"""In a line of TOML."""

_UNWRITABLE: Final = re.compile("[\ud800-\udfff\0]")


class Unreadable(CluedoError):
    """Something that cannot be read. The text says why; the caller adds what it is."""


class Missing(Unreadable):
    """There is no such file."""


def read_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """All of a file; raises :class:`Unreadable`, also for more than ``most`` bytes."""
    with source(path) as file:
        try:
            data = file.read(most + 1)
        except OSError as error:
            raise Unreadable("cannot be read: {error}", error=error) from None
    if len(data) > most:
        raise Unreadable("cannot be read: it holds more than {most:,} bytes, which is the most that is read", most=most)
    return data


def read_text(path: str | Path, most: int = MOST_BYTES) -> str:
    """All of a file of UTF-8 text, without the byte order mark with which some programs begin one.

    Raises:
        Unreadable: it cannot be read, or has more than ``most`` bytes.
    """
    try:
        return read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("cannot be read: not UTF-8 text, at byte {start}", start=error.start) from None


def source(path: str | Path) -> io.BufferedReader:
    """A file or a stream to be read in parts; raises :class:`Unreadable`, and may do so at every read."""
    if not isinstance(path, str | Path):  # a number would be an open file of ours
        raise Unreadable("a path is a text or a Path")
    try:
        # Opened first: what never came to be is not closed either, of which Python 3.13 would complain.
        return io.BufferedReader(_Source(open(path, "rb", buffering=0, opener=_at_once)), 1 << 16)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Missing("cannot be read: {error}", error=error) from None
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        raise Unreadable("cannot be read: {error}", error=error) from None


class _Source(io.RawIOBase):
    """Reads a file with a time limit, or a stream up to a size limit."""

    def __init__(self, file: io.FileIO):
        super().__init__()
        self._file = file  # closed with this
        mode = os.fstat(self._file.fileno()).st_mode
        self._silent = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
        self._left = None if stat.S_ISREG(mode) else _MOST_STREAM
        if not self._silent and hasattr(os, "set_blocking"):
            os.set_blocking(self._file.fileno(), True)  # somebody may type at a terminal

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self._silent and not select.select([self._file], [], [], _PATIENCE_S)[0]:
            raise Unreadable(
                "cannot be read: nothing has come from it for {patience_s:g} seconds", patience_s=_PATIENCE_S
            )
        got = self._file.readinto(buffer)
        if self._left is not None:
            self._left -= got or 0
            if self._left < 0:
                raise Unreadable(
                    "cannot be read: it does not end within {most_stream:,} bytes", most_stream=_MOST_STREAM
                )
        return got

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def _at_once(path: str, flags: int) -> int:
    """Open without waiting until somebody writes into a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def json_value(text: str | bytes) -> Any:
    """What a JSON text holds, after a byte order mark, if it is :func:`writable`; raises :class:`Unreadable`."""
    if not isinstance(text, str | bytes):
        raise Unreadable("not JSON: {what} is no text", what=short_repr(text))
    try:
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text))  # strictly, as the library does not
        text = text.removeprefix("\ufeff")
        value = json.loads(text)
        if "\\u" in text and not writable(value):
            raise Unreadable("not JSON: a text in it holds half a character or a NUL")
    except RecursionError:
        raise Unreadable("not JSON: it is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise Unreadable(
            "not JSON: no {encoding} text, at byte {start}", encoding=error.encoding.upper(), start=error.start
        ) from None
    except json.JSONDecodeError as error:
        if not text.strip():
            raise Unreadable("not JSON: it is empty") from None
        raise Unreadable(
            "not JSON: it cannot be read from line {line}, column {column} on", line=error.lineno, column=error.colno
        ) from None
    except ValueError:
        raise Unreadable("not JSON: a number in it is too long") from None  # the only other error of the library
    return value


def writable(value: object) -> bool:
    """Whether every text of a JSON value can be written, and is read whole by others.

    Half a character (a lone surrogate) can be written in JSON and nowhere else; many programs end a text at a NUL.
    """
    if isinstance(value, str):
        return not _UNWRITABLE.search(value)
    if isinstance(value, dict):
        return all(writable(key) and writable(part) for key, part in value.items())
    return not isinstance(value, list) or all(map(writable, value))


def json_object(text: str | bytes, what: str) -> dict[str, Any]:
    """A JSON text that is an object; ``what`` says what it should be, as in "a map". Raises :class:`Unreadable`."""
    data = json_value(text)
    if not isinstance(data, dict):
        raise Unreadable(
            "{what} is a JSON object, not {get}", what=what, get=_KINDS.get(type(data), Phrase("a number"))
        )
    return data


_KINDS: Final = {list: Phrase("a list"), str: Phrase("a text"), bool: Phrase("true or false"), type(None): "null"}


def check_format(data: Mapping[str, object]) -> None:
    """Raise :class:`Unreadable` for what is in a newer format than ours; one that is not given is ours."""
    version = data.get("format", FORMAT)
    if isinstance(version, int | float) and version > FORMAT:
        raise Unreadable(
            "format {version} is newer than this program knows (it reads {format})", version=version, format=FORMAT
        )


def toml_table(text: str) -> dict[str, Any]:
    """What a TOML text holds; raises :class:`Unreadable`."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MOST_DOTS:  # the time for a key grows with the square of its parts
            raise Unreadable(
                "line {number} has more than {most_dots:,} dots, which is the most that is read",
                number=number,
                most_dots=_MOST_DOTS,
            )
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Unreadable("not TOML: it is nested too deeply") from None
    except ValueError as error:  # of which TOMLDecodeError is one
        raise Unreadable("not TOML: {error}", error=error) from None


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
