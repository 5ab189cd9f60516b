"""The folder of one batch: a store, and three files made from it, that appear whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final

from cluedo.experiments.lock import locked
from cluedo.experiments.store import CHUNKS, EXPERIMENT, MANIFEST, SUMMARY, StoreError, written

__all__ = ["ResultsFolder"]

GAMES: Final = "games.jsonl"
PICTURE: Final = "win_rates.png"
_FILES: Final = (SUMMARY, GAMES, PICTURE, MANIFEST, EXPERIMENT)
_OURS: Final = (*_FILES, CHUNKS)
_UNFINISHED: Final = "unfinished"


class ResultsFolder:
    """Where a batch's results are to stand; a context manager.

    All is written into a folder ``unfinished`` inside it and moved when the batch is over; the summary
    comes last, so that where it stands the others belong to it. Until then older results stay as they
    were. What is left unfinished is itself a store, and is kept if the batch fails.

    Args:
        path: the folder; made if there is none.
        force: replace older results of ours; nothing else in the folder is ever touched.

    Attributes:
        unfinished: where the batch's store goes.

    Raises:
        CluedoError: on entering, if the folder cannot be written, holds results or is in use.
    """

    def __init__(self, path: Path, *, force: bool = False):
        self.unfinished = path / _UNFINISHED
        self._path = path
        self._force = force
        self._lock = ExitStack()

    def __enter__(self) -> ResultsFolder:
        made = not self._path.exists()
        self._lock.enter_context(locked(self._path))
        try:
            self._check()
            with written(self._path):
                shutil.rmtree(self.unfinished, ignore_errors=True)
                self.unfinished.mkdir()
        except BaseException:
            self._lock.close()
            if made:
                self._path.rmdir()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if not any(self.unfinished.glob(f"{CHUNKS}/*.parquet")):
            shutil.rmtree(self.unfinished, ignore_errors=True)
        self._lock.close()

    def finish(self, records: Iterable[str], draw: Callable[[Path], None]) -> None:
        """Put everything in its place, once the store in :attr:`unfinished` has its summary.

        Args:
            records: the records of its games, in order.
            draw: writes the picture of the win rates, as PNG, to the path that it is given.
        """
        with written(self._path):
            with (self.unfinished / GAMES).open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(record + "\n" for record in records)
            draw(self.unfinished / PICTURE)
            # An older summary must not stand beside newer games, not even for a moment.
            for name in _FILES:
                (self._path / name).unlink(missing_ok=True)
            shutil.rmtree(self._path / CHUNKS, ignore_errors=True)
            for name in (CHUNKS, EXPERIMENT, MANIFEST, GAMES, PICTURE, SUMMARY):
                (self.unfinished / name).replace(self._path / name)

    def _check(self) -> None:
        for name in _FILES:
            if (self._path / name).is_dir():
                raise StoreError(f"{self._path / name} is a folder and stands in the way of a file of that name")
        there = [name for name in _OURS if (self._path / name).exists()]
        if there and not self._force:
            raise StoreError(
                f"{self._path} holds results already ({', '.join(there)}); "
                "give another folder, or --force to replace them"
            )
        if CHUNKS in there and MANIFEST not in there:
            raise StoreError(f"{self._path / CHUNKS} stands in the way, and is not known to be of an experiment")
