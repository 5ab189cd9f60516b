"""Checks and writes files for commands, so that no file of others is overwritten; JSON so that people can read it."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from cluedo.engine.errors import CluedoError
from cluedo.engine.file_io import PICTURE_OF_OURS, atomic_write
from cluedo.engine.phrase import Phrase
from cluedo.language import moment_in_words

__all__ = [
    "ANIMATION",
    "MOST_LISTED",
    "PICTURE",
    "REPLAY_PAGE",
    "Kind",
    "check_continued",
    "check_new",
    "check_replaceable",
    "json_text",
    "latest_files",
    "make_folder",
    "new_file",
    "output_is_utf",
    "print_json",
    "saved_at",
    "unused_path",
    "write_bytes",
    "write_new",
]

MOST_LISTED: Final = 9
"""How many of somebody's saved games, or of their cases, are offered to go on with."""
_READ = 4096
"""Bytes of a file's beginning."""


# ---- checked before it is written --------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of file that a command writes; it may overwrite a file that begins so, for no other program's does."""

    name: Phrase
    file: Phrase
    suffix: str
    begin: re.Pattern[bytes]


PICTURE = Kind(Phrase("a picture"), Phrase("PNG picture of this program"), ".png", PICTURE_OF_OURS)
ANIMATION = Kind(
    Phrase("an animation"), Phrase("GIF picture of this program"), ".gif", re.compile(rb"GIF8.*cluedo", re.DOTALL)
)
REPLAY_PAGE = Kind(
    Phrase("a page"),
    Phrase("page of a replayed game"),
    ".html",
    re.compile(rb"<!doctype html>\n<!-- A game of Cluedo, replayed -->"),
)


def check_replaceable(path: Path, kind: Kind) -> None:
    """Raise :class:`CluedoError` unless ``path`` can be a new file of this kind, or is one to be replaced."""
    with _writing(path):
        if path.is_dir():
            raise CluedoError("{path} is a folder, not {name}", path=path, name=kind.name)
        if path.suffix.lower() != kind.suffix:
            raise CluedoError(
                "{name}'s name ends in {suffix}, and {path} does not", name=kind.name, suffix=kind.suffix, path=path
            )
        if not path.exists():
            check_new(path)
            return
        if not path.is_file():
            raise CluedoError(
                "{path} is a pipe or a device, not {name}; give the name of a file", path=path, name=kind.name
            )
        with path.open("rb") as file:
            begin = file.read(_READ)
    if begin and not kind.begin.match(begin):
        raise CluedoError("{path} exists and is not a {file}; it is not overwritten", path=path, file=kind.file)


def check_new(path: Path) -> None:
    """Raise :class:`CluedoError` unless a file can be made at ``path`` where there is none yet."""
    with _writing(path):
        path.open("x").close()
        path.unlink()


def check_continued(path: Path, name: Phrase) -> None:
    """Raise :class:`CluedoError` for a pipe or a device: what is read there could not be saved there again.

    Args:
        path: what is to be read, and written from then on.
        name: what it should be, as in "a saved game".
    """
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise CluedoError("{path} is a pipe or a device, not {name}; give the name of a file", path=path, name=name)
    except (OSError, ValueError):
        return  # reading says what is wrong


def make_folder(path: Path) -> None:
    """Make a folder where there is none yet; raises :class:`CluedoError`."""
    if path.exists() and not path.is_dir():
        raise CluedoError("{path} is not a folder; give a folder", path=path)
    with _writing(path):
        path.mkdir(parents=True, exist_ok=True)


def write_new(path: Path, text: str) -> None:
    """Write a file that did not exist; raises :class:`CluedoError`."""
    with _writing(path), atomic_write(path, new=True) as part:
        part.write_text(text, encoding="utf-8")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, replacing what is there; raises :class:`CluedoError`."""
    with _writing(path), atomic_write(path) as part:
        part.write_bytes(data)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn the errors of writing a file, or of making a folder, into sentences."""
    try:
        yield
    except FileExistsError:
        raise CluedoError("{path} exists already and is not overwritten", path=path) from None
    except (OSError, ValueError) as error:
        raise CluedoError("{path} cannot be written: {error}", path=path, error=error) from None


# ---- a folder of games or cases ----------------------------------------------------------------------


def latest_files(folder: Path) -> list[Path]:
    """The JSON files in a folder, the latest first; none where it cannot be read."""
    written: dict[Path, float] = {}
    with suppress(OSError):
        for path in folder.glob("*.json"):
            with suppress(OSError):  # it leads nowhere, or has just been removed
                written[path] = path.stat().st_mtime
    return sorted(written, key=written.__getitem__, reverse=True)


def saved_at(path: Path) -> str:
    """When a file was written last, in words."""
    return moment_in_words(datetime.fromtimestamp(path.stat().st_mtime))


def new_file(folder: Path, name: str = "") -> Path:
    """A path for a new JSON file in a folder, unique, with the time and ``name`` in its name; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    # To the microsecond: two that begin in the same second must not write over each other.
    begun = datetime.now().strftime("%Y-%m-%d-%H%M%S-%f")
    return folder / f"{'-'.join(filter(None, [begun, name, str(os.getpid())]))}.json"


def unused_path(path: Path) -> Path:
    """A similar path that does not exist yet: ``game-2.json`` for ``game.json``."""
    paths = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(other for other in paths if not os.path.lexists(other))


# ---- JSON --------------------------------------------------------------------------------------------


def print_json(data: Mapping[str, Any] | list[Any]) -> None:
    """Write to standard output, with the entries of the lists and objects that ``data`` holds on their own lines.

    What the encoding of the output may not hold is escaped, so that it is JSON everywhere.
    """
    sys.stdout.write(_block(data, 2, "", ensure_ascii=not output_is_utf()) + "\n")


def output_is_utf() -> bool:
    """Whether standard output can hold every letter."""
    return (sys.stdout.encoding or "utf-8").lower().startswith("utf")


def json_text(data: Mapping[str, Any] | list[Any]) -> str:
    """JSON as :func:`print_json` writes it, for a file in UTF-8."""
    return _block(data, 2, "", ensure_ascii=False) + "\n"


def _block(data: Any, depth: int, margin: str, *, ensure_ascii: bool) -> str:
    """JSON of ``data`` with its parts on lines of their own, down to a depth."""
    parts = list(data.values()) if isinstance(data, Mapping) else data
    if not depth or not isinstance(data, Mapping | list) or not any(isinstance(part, dict | list) for part in parts):
        return json.dumps(data, ensure_ascii=ensure_ascii)
    inner = margin + "  "
    lines: Iterable[str] = (_block(part, depth - 1, inner, ensure_ascii=ensure_ascii) for part in parts)
    if isinstance(data, Mapping):
        keys = (json.dumps(key, ensure_ascii=ensure_ascii) for key in data)
        lines = (f"{key}: {line}" for key, line in zip(keys, lines, strict=True))
    opening, closing = "{}" if isinstance(data, Mapping) else "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(lines) + f"\n{margin}{closing}"
