"""Folders of results: which of the files in one are ours, its lock, and the folder of one batch."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final

from filelock import FileLock, Timeout

from cluedo.bots.llm.exchanges import EXCHANGES
from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase
from cluedo.engine.reading import json_object, read_text, source
from cluedo.engine.writing import PART, atomic_write

__all__ = [
    "CHECKSUMS",
    "CHUNKS",
    "EXPERIMENT",
    "GAMES",
    "HEAD",
    "MANIFEST",
    "PICTURE",
    "SUMMARY",
    "UNFINISHED",
    "FolderInUse",
    "ResultsFolder",
    "StoreError",
    "command_to_continue",
    "foreign_file_in",
    "in_use",
    "lock_folder",
    "store_errors",
]

MANIFEST: Final = "manifest.json"
EXPERIMENT: Final = "experiment.toml"
SUMMARY: Final = "summary.json"
CHUNKS: Final = "chunks"
CHECKSUMS: Final = "SHA256SUMS"
"""Beside the chunks, in their folder."""
GAMES: Final = "games.jsonl"
PICTURE: Final = "win_rates.png"
UNFINISHED: Final = "unfinished"
"""The folder in which a batch plays; its files go up one level when it is done."""
_ALL: Final = (SUMMARY, GAMES, EXCHANGES, PICTURE, CHUNKS, EXPERIMENT, MANIFEST)
"""In the order in which they are removed: a summary must not stand beside newer games, not even for a moment."""

HEAD: Final = "# Written by cluedo with the results beside it, and replaced with them.\n"
"""The first line of an experiment's file of ours, which tells it from one that somebody wrote."""

_CHUNK: Final = re.compile(rf"\d{{8}}\.parquet|{CHECKSUMS}")
_EXCHANGE: Final = re.compile(rb'\{"game": "[0-9a-f]{16}", "number": ')
_RECORD: Final = re.compile(rb'\{"format": \d+, "map": "')
_PICTURE: Final = re.compile(rb"\x89PNG\r\n\x1a\n.*\0cluedo", re.DOTALL)
_BEGIN: Final = 500
"""Bytes of a file that tell whose it is."""


class StoreError(CluedoError):
    """A folder of results cannot, or must not, be written or read."""


def command_to_continue(folder: Path) -> str:
    """The command that continues the run whose store is in this folder, whatever has begun it."""
    experiment, where = (shlex.quote(str(path)) for path in (folder / EXPERIMENT, folder))
    return f"cluedo experiment run {experiment} --out {where} --resume"


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn an OSError inside the ``with`` into a :class:`StoreError` that names the path."""
    try:
        yield
    except OSError as error:
        raise StoreError("{path}: cannot be written: {error}", path=path, error=error) from None


def _is_ours(path: Path) -> bool:
    """Whether what stands there is a file (or the folder of chunks) that a run of ours has written."""
    try:
        return not path.is_symlink() and _OURS[path.name](path)
    except (OSError, CluedoError):
        return False


def _results_in(folder: Path) -> list[str]:
    """The names in a folder that are those of results, whoever wrote them."""
    return [name for name in _ALL if (folder / name).exists() or (folder / name).is_symlink()]


def foreign_file_in(folder: Path) -> Path | None:
    """A file with the name of a result that is not ours, if there is one."""
    return next((folder / name for name in _results_in(folder) if not _is_ours(folder / name)), None)


def _remove_results(folder: Path) -> None:
    """Remove the results that are ours; raises OSError."""
    for left in folder.glob(PART):
        left.unlink()
    for name in _ALL:
        path = folder / name
        if not _is_ours(path):
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
    return known and all(entry.is_file() for entry in inside) and (not inside or _is_ours(path.with_name(MANIFEST)))


_OURS: Final[dict[str, Callable[[Path], bool]]] = {
    MANIFEST: _object_with("format", "hash", "name", "cluedo"),
    EXPERIMENT: _begins(re.compile(re.escape(HEAD.encode()))),
    SUMMARY: lambda path: any(_object_with("format", "games", key)(path) for key in ("players", "levels")),
    GAMES: _begins(_RECORD),
    EXCHANGES: _begins(_EXCHANGE),
    PICTURE: _begins(_PICTURE),
    CHUNKS: _chunks,
}


LOCK: Final = ".cluedo.lock"
"""The file that is locked; always empty, so that a file with something in it is known to be somebody else's."""


class FolderInUse(CluedoError):
    """Another run writes into the folder."""


@contextmanager
def lock_folder(path: Path) -> Iterator[None]:
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
    """Whether a run is writing into the folder now; False if we have no right to find out."""
    if not (path / LOCK).exists():
        return False
    try:
        with FileLock(path / LOCK, blocking=False):
            return False
    except Timeout:
        return True
    except OSError:
        return False


class ResultsFolder:
    """Where a batch's results are to stand; a context manager.

    All is written into a folder ``unfinished`` inside it and moved when the batch is over; the summary
    comes last, so that where it stands the others belong to it. Until then older results stay as they
    were. What is left unfinished is itself a store, locked like any other, and is kept if the batch fails.

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
        self.unfinished = path / UNFINISHED
        self.replaced: list[str] = []
        self._path = path
        self._force = force
        self._lock = ExitStack()
        self._inner_lock = ExitStack()

    def __enter__(self) -> ResultsFolder:
        made = not self._path.exists()
        self._lock.enter_context(lock_folder(self._path))
        try:
            with store_errors(self._path):
                self._check()
                self._discard()
            self._inner_lock.enter_context(lock_folder(self.unfinished))
        except BaseException:
            self._lock.close()
            if made:
                with suppress(OSError):
                    self._path.rmdir()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._inner_lock.close()
        with suppress(OSError):
            if not _is_begun(self.unfinished):
                self._discard()
        self._lock.close()

    def finish(self) -> None:
        """Put everything in its place, once the store in :attr:`unfinished` has its summary."""
        with store_errors(self._path):
            self._check_results()  # somebody may have put something there meanwhile
            _remove_results(self._path)
            # By the manifest the others are known as ours: it is the first to be there and the last to leave.
            with atomic_write(self._path / MANIFEST) as part:
                shutil.copyfile(self.unfinished / MANIFEST, part)
            for name in (CHUNKS, EXPERIMENT, EXCHANGES, GAMES, PICTURE, SUMMARY):
                if (self.unfinished / name).exists():  # few games have language models
                    (self.unfinished / name).rename(self._path / name)

    def _check(self) -> None:
        """Refuse a folder with files that are not ours, and without ``force`` one with results."""
        self._check_results()
        there = _results_in(self._path)
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
        if (self.unfinished / SUMMARY).exists():
            if not self._force:
                raise StoreError(
                    "{unfinished} holds the results of a run that came to its end; move them to a folder of their own, "
                    "or give another folder, or --force to replace them",
                    unfinished=self.unfinished,
                )
            self.replaced = [*there, self.unfinished.name]
        elif _is_begun(self.unfinished):
            chunks = _chunks_in(self.unfinished)
            told = (
                Phrase("one chunk of a run that did not end")
                if chunks == 1
                else Phrase("{chunks:,} chunks of a run that did not end", chunks=chunks)
            )
            if not self._force:
                raise StoreError(
                    "{unfinished} holds {told}; continue with `{command}`, or give another folder, or --force to "
                    "replace it",
                    unfinished=self.unfinished,
                    told=told,
                    command=command_to_continue(self.unfinished),
                )
            self.replaced = [*there, Phrase("{folder} ({told})", folder=UNFINISHED, told=told)]

    def _check_results(self) -> None:
        if (stranger := foreign_file_in(self._path)) is not None:
            raise StoreError(
                "{stranger} is in the way, and is not known to be cluedo's; give another folder", stranger=stranger
            )

    def _check_unfinished(self) -> None:
        folder = self.unfinished
        stranger: Path | None = folder
        if folder.is_dir() and not folder.is_symlink():
            known = {*_results_in(folder), LOCK}
            inside = (path for path in sorted(folder.iterdir()) if path.name not in known and not path.match(PART))
            stranger = foreign_file_in(folder) or next(inside, None)
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
        _remove_results(self.unfinished)
        (self.unfinished / LOCK).unlink(missing_ok=True)
        with suppress(OSError):
            self.unfinished.rmdir()


def _is_begun(folder: Path) -> bool:
    """Whether something is there that a run would have to play, or pay for, again."""
    return _chunks_in(folder) > 0 or (folder / EXCHANGES).exists()


def _chunks_in(folder: Path) -> int:
    return sum(1 for _ in folder.glob(f"{CHUNKS}/*.parquet"))
