"""The folder of one batch: a store, and three files made from it, that appear whole or not at all."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Final

from cluedo.engine.phrase import Phrase
from cluedo.engine.writing import PART, atomic_write
from cluedo.experiments.store.layout import (
    CHUNKS,
    EXPERIMENT,
    GAMES,
    MANIFEST,
    PICTURE,
    SUMMARY,
    StoreError,
    remove_results,
    results_in,
    stranger_in,
    written,
)
from cluedo.experiments.store.lock import LOCK, FolderInUse, in_use, locked

__all__ = ["ResultsFolder"]

_UNFINISHED: Final = "unfinished"


class ResultsFolder:
    """Where a batch's results are to stand; a context manager.

    All is written into a folder ``unfinished`` inside it and moved when the batch is over; the summary
    comes last, so that where it stands the others belong to it. Until then older results stay as they
    were. What is left unfinished is itself a store, and is kept if the batch fails.

    Args:
        path: the folder; made if there is none.
        force: replace older results of ours, finished or not; nothing else in the folder is ever touched.

    Attributes:
        unfinished: where the batch's store goes.
        replaced: once entered, the names of what is replaced by force.

    Raises:
        CluedoError: on entering, if the folder cannot be written, holds results or is in use.
    """

    def __init__(self, path: Path, *, force: bool = False):
        self.unfinished = path / _UNFINISHED
        self.replaced: list[str] = []
        self._path = path
        self._force = force
        self._lock = ExitStack()

    def __enter__(self) -> ResultsFolder:
        made = not self._path.exists()
        self._lock.enter_context(locked(self._path))
        try:
            with written(self._path):
                self._check()
                self._discard()
                self.unfinished.mkdir()
        except BaseException:
            self._lock.close()
            if made:
                with suppress(OSError):
                    self._path.rmdir()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with suppress(OSError):
            if not _chunks_in(self.unfinished):
                self._discard()
        self._lock.close()

    def finish(self, records: Iterable[str], draw: Callable[[Path], None]) -> None:
        """Put everything in its place, once the store in :attr:`unfinished` has its summary.

        Args:
            records: the records of its games, in order.
            draw: writes the picture of the win rates, as PNG, to the path that it is given.
        """
        with written(self._path):
            with atomic_write(self.unfinished / GAMES) as part, part.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(record + "\n" for record in records)
            with atomic_write(self.unfinished / PICTURE) as part:
                draw(part)
            self._check_results()  # somebody may have put something there meanwhile
            remove_results(self._path)
            # By the manifest the others are known as ours: it is the first to be there and the last to leave.
            with atomic_write(self._path / MANIFEST) as part:
                shutil.copyfile(self.unfinished / MANIFEST, part)
            for name in (CHUNKS, EXPERIMENT, GAMES, PICTURE, SUMMARY):
                (self.unfinished / name).rename(self._path / name)

    def _check(self) -> None:
        """Nothing of somebody else's may be in the way, and nothing of ours may be lost unasked."""
        self._check_results()
        there = results_in(self._path)
        if there and not self._force:
            raise StoreError(
                "{path} holds results already ({names}); give another folder, or --force to replace them",
                path=self._path,
                names=", ".join(there),
            )
        self.replaced = there
        if not (self.unfinished.exists() or self.unfinished.is_symlink()):
            return
        self._check_unfinished()
        if chunks := _chunks_in(self.unfinished):
            told = (
                Phrase("one chunk of a run that did not end")
                if chunks == 1
                else Phrase("{chunks:,} chunks of a run that did not end", chunks=chunks)
            )
            if not self._force:
                experiment, folder = (
                    shlex.quote(str(path)) for path in (self.unfinished / EXPERIMENT, self.unfinished)
                )
                raise StoreError(
                    "{unfinished} holds {told}; continue with `cluedo experiment run {experiment} --out {folder} "
                    "--resume`, or give another folder, or --force to replace it",
                    unfinished=self.unfinished,
                    told=told,
                    experiment=experiment,
                    folder=folder,
                )
            self.replaced = [*there, Phrase("{folder} ({told})", folder=_UNFINISHED, told=told)]

    def _check_results(self) -> None:
        if (stranger := stranger_in(self._path)) is not None:
            raise StoreError(
                "{stranger} is in the way, and is not known to be cluedo's; give another folder", stranger=stranger
            )

    def _check_unfinished(self) -> None:
        folder = self.unfinished
        stranger: Path | None = folder
        if folder.is_dir() and not folder.is_symlink():
            known = {*results_in(folder), LOCK}
            inside = (path for path in sorted(folder.iterdir()) if path.name not in known and not path.match(PART))
            stranger = stranger_in(folder) or next(inside, None)
        if stranger is not None:
            raise StoreError(
                "{stranger} is where the results of an unfinished run belong, and is not known to be cluedo's; "
                "give another folder",
                stranger=stranger,
            )
        if in_use(folder):
            raise FolderInUse("another run is writing into {folder}", folder=folder)

    def _discard(self) -> None:
        """Remove the unfinished results, and their folder if that is all that was in it."""
        remove_results(self.unfinished)
        (self.unfinished / LOCK).unlink(missing_ok=True)
        with suppress(OSError):
            self.unfinished.rmdir()


def _chunks_in(folder: Path) -> int:
    return sum(1 for _ in folder.glob(f"{CHUNKS}/*.parquet"))
