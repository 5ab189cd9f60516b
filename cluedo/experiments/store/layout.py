"""The files of a folder of results, and which of them are ours: nothing else is ever replaced or removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cluedo.engine.errors import CluedoError
from cluedo.engine.reading import json_object, read_text, source
from cluedo.engine.writing import PART

__all__ = [
    "CHUNKS",
    "EXPERIMENT",
    "GAMES",
    "HEAD",
    "MANIFEST",
    "PICTURE",
    "SUMMARY",
    "StoreError",
    "is_ours",
    "remove_results",
    "results_in",
    "stranger_in",
    "written",
]

MANIFEST: Final = "manifest.json"
EXPERIMENT: Final = "experiment.toml"
SUMMARY: Final = "summary.json"
CHUNKS: Final = "chunks"
GAMES: Final = "games.jsonl"
PICTURE: Final = "win_rates.png"
_ALL: Final = (SUMMARY, GAMES, PICTURE, CHUNKS, EXPERIMENT, MANIFEST)
"""In the order in which they are removed: a summary must not stand beside newer games, not even for a moment."""

HEAD: Final = "# Written by cluedo with the results beside it, and replaced with them.\n"
"""The first line of an experiment's file of ours, which tells it from one that somebody wrote."""

_CHUNK: Final = re.compile(r"\d{8}\.parquet")
_RECORD: Final = re.compile(rb'\{"format": \d+, "map": "')
_PICTURE: Final = re.compile(rb"\x89PNG\r\n\x1a\n.*\0cluedo", re.DOTALL)
_BEGIN: Final = 500
"""Bytes of a file that tell whose it is."""


class StoreError(CluedoError):
    """A folder of results that cannot be written or read, or that must not be."""


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Whatever cannot be written inside the ``with`` is told as a :class:`StoreError`."""
    try:
        yield
    except OSError as error:
        raise StoreError("{path}: cannot be written: {error}", path=path, error=error) from None


def is_ours(path: Path) -> bool:
    """Whether what stands there is a file (or the folder of chunks) that a run of ours has written."""
    try:
        return not path.is_symlink() and _OURS[path.name](path)
    except (OSError, CluedoError):
        return False


def results_in(folder: Path) -> list[str]:
    """The names in a folder that are those of results, whoever wrote them."""
    return [name for name in _ALL if (folder / name).exists() or (folder / name).is_symlink()]


def stranger_in(folder: Path) -> Path | None:
    """What has the name of a result and is not ours, if anything."""
    return next((folder / name for name in results_in(folder) if not is_ours(folder / name)), None)


def remove_results(folder: Path) -> None:
    """Remove the results that are ours; raises OSError."""
    for left in folder.glob(PART):
        left.unlink()
    for name in _ALL:
        path = folder / name
        if not is_ours(path):
            continue
        if name != CHUNKS:
            path.unlink()
            continue
        for chunk in path.iterdir():
            chunk.unlink()
        path.rmdir()


def _begins(pattern: re.Pattern[bytes]) -> Callable[[Path], bool]:
    def matches(path: Path) -> bool:
        with source(path) as file:
            return pattern.match(file.read(_BEGIN)) is not None

    return matches


def _object_with(*keys: str) -> Callable[[Path], bool]:
    def matches(path: Path) -> bool:
        return set(keys) <= json_object(read_text(path), "it").keys()

    return matches


def _chunks(path: Path) -> bool:
    """Chunks alone, and beside them the manifest that says of what."""
    inside = list(path.iterdir())
    known = all(_CHUNK.fullmatch(entry.name) or entry.match(PART) for entry in inside)
    return known and all(entry.is_file() for entry in inside) and (not inside or is_ours(path.with_name(MANIFEST)))


_OURS: Final[dict[str, Callable[[Path], bool]]] = {
    MANIFEST: _object_with("format", "hash", "name", "cluedo"),
    EXPERIMENT: _begins(re.compile(re.escape(HEAD.encode()))),
    SUMMARY: lambda path: any(_object_with("format", "games", key)(path) for key in ("players", "levels")),
    GAMES: _begins(_RECORD),
    PICTURE: _begins(_PICTURE),
    CHUNKS: _chunks,
}
