"""The folder of a batch's results: three files, that appear whole or not at all."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final

from cluedo.errors import CluedoError
from cluedo.experiments.summary import Summary

if sys.platform != "win32":
    import fcntl

__all__ = ["FolderError", "ResultsFolder"]

SUMMARY: Final = "summary.json"
GAMES: Final = "games.jsonl"
PICTURE: Final = "win_rates.png"
_OURS: Final = (SUMMARY, GAMES, PICTURE)
_PART: Final = ".part"


class FolderError(CluedoError):
    """A results folder that cannot be written, or that must not be."""


class ResultsFolder:
    """Takes records as they come and results at the end; a context manager.

    All is written beside its place, under names that end in ``.part``, and renamed when the batch is
    over; the summary comes last, so that where it stands the other two belong to it. What is left
    unfinished is removed, and older results stay as they were.

    Args:
        path: the folder; made if there is none.
        force: replace older results of ours; nothing else in the folder is ever touched.

    Raises:
        FolderError: on entering, if the folder cannot be written, holds results or is in use.
    """

    def __init__(self, path: Path, *, force: bool = False):
        self._path = path
        self._force = force
        self._games: IO[str]
        self._finished = False

    def __enter__(self) -> ResultsFolder:
        with self._errors(self._path):
            self._path.mkdir(parents=True, exist_ok=True)
            for name in _OURS:
                if (self._path / name).is_dir():
                    raise FolderError(f"{self._path / name} is a folder and stands in the way of a file of that name")
            there = [name for name in _OURS if (self._path / name).exists()]
            if there and not self._force:
                raise FolderError(
                    f"{self._path} holds results already ({', '.join(there)}); "
                    "give another folder, or --force to replace them"
                )
            # Appending, so that nothing is lost if somebody else turns out to be writing it.
            self._games = self._part(GAMES).open("a", encoding="utf-8", newline="\n")
            try:
                self._lock()
                self._games.truncate(0)
            except BaseException:
                self._games.close()
                raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if not self._finished:
            for name in _OURS:
                self._part(name).unlink(missing_ok=True)
        with suppress(OSError):  # a disk that was full still is; it has been told already
            self._games.close()

    def add(self, record: str) -> None:
        """Write one game's record."""
        with self._errors(self._path / GAMES):
            self._games.write(record + "\n")

    def finish(self, summary: Summary, draw: Callable[[Path], None]) -> None:
        """Put everything in its place.

        Args:
            summary: the summary of the records added.
            draw: writes the picture of the win rates, as PNG, to the path that it is given.
        """
        with self._errors(self._path):
            self._games.flush()
            os.fsync(self._games.fileno())
            draw(self._part(PICTURE))
            with self._part(SUMMARY).open("w", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps(summary, ensure_ascii=False, indent=2) + "\n")
                file.flush()
                os.fsync(file.fileno())
            # An older summary must not stand beside newer games, not even for a moment.
            (self._path / SUMMARY).unlink(missing_ok=True)
            for name in (GAMES, PICTURE, SUMMARY):
                self._part(name).replace(self._path / name)
            self._finished = True

    def _part(self, name: str) -> Path:
        return self._path / (name + _PART)

    def _lock(self) -> None:
        """Keep out a second run, for as long as this one lives."""
        in_use = FolderError(f"another run is writing into {self._path}")
        if sys.platform != "win32":
            try:
                fcntl.flock(self._games, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise in_use from None
            # That run may have finished, and put the file in its place, between our opening and locking it.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self._games.fileno()), self._part(GAMES).stat()):
                    return
            raise in_use

    @contextmanager
    def _errors(self, path: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise FolderError(f"{path}: cannot be written: {error.strerror or error}") from None
