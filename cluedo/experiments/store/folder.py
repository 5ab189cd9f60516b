"""Folders of results: which of the files in one are ours, its lock, and checksums.

Parquet files hold no checksum that readers check, so a damaged one may be read as other games. ``SHA256SUMS`` stands
beside the chunks, and ``sha256sum --check SHA256SUMS`` reads it there, too.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import file_digest
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from cluedo.bots.llm.exchanges import EXCHANGES
from cluedo.engine.errors import CluedoError
from cluedo.engine.file_io import PART, PICTURE_OF_OURS, Unreadable, atomic_write, json_object, read_text, source
from cluedo.engine.phrase import Phrase

__all__ = [
    "CHECKSUMS",
    "CHUNKS",
    "EXPERIMENT",
    "GAMES",
    "HEAD",
    "MANIFEST",
    "PICTURE",
    "PLAYED_AGAIN",
    "SUMMARY",
    "ResultsError",
    "add_checksum",
    "begins",
    "check_begun",
    "check_chunk",
    "check_ours",
    "command_to_continue",
    "in_use",
    "lock_folder",
    "read_checksums",
    "remove_results",
    "results_in",
    "store_errors",
    "write_checksums",
]

MANIFEST: Final = "manifest.json"
EXPERIMENT: Final = "experiment.toml"
SUMMARY: Final = "summary.json"
CHUNKS: Final = "chunks"
CHECKSUMS: Final = "SHA256SUMS"
"""Beside the chunks, in their folder."""
GAMES: Final = "games.jsonl"
PICTURE: Final = "win_rates.png"
_LOCK: Final = ".cluedo.lock"
"""The file that is locked; always empty, so that a file with something in it is known to be somebody else's."""
_ALL: Final = (SUMMARY, GAMES, EXCHANGES, PICTURE, CHUNKS, EXPERIMENT, MANIFEST)
"""In the order in which they are removed: a summary must not stand beside newer games, not even for a moment."""
HEAD: Final = "# Written by cluedo with the results beside it, and replaced with them.\n"
"""The first line of an experiment's file of ours, which tells it from one that somebody wrote."""
PLAYED_AGAIN: Final = Phrase("remove it to have it played again")
_CHUNK: Final = re.compile(rf"\d{{8}}\.parquet|{CHECKSUMS}")
_EXCHANGE: Final = re.compile(rb'\{"game": "[0-9a-f]{16}", "number": ')
_RECORD: Final = re.compile(rb'\{"format": \d+, "map": "')
_SUM: Final = re.compile(r"([0-9a-f]{64})  (\d{8}\.parquet)\n")
"""A line of the checksums."""
_BEGIN: Final = 2000
"""Bytes of a file that tell whose it is."""


class ResultsError(CluedoError):
    """Results cannot, or must not, be written or read, or a question about them cannot be answered."""


def command_to_continue(folder: Path) -> str:
    """The command that continues the run whose store is in this folder, whatever has begun it."""
    experiment, where = (shlex.quote(str(path)) for path in (folder / EXPERIMENT, folder))
    return f"cluedo experiment run {experiment} --out {where} --resume"


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn an OSError inside the ``with`` into a :class:`ResultsError` that names the path."""
    try:
        yield
    except OSError as error:
        raise ResultsError("{path}: cannot be written: {error}", path=path, error=error) from None


# ---- which files are ours ----------------------------------------------------------------------------


def results_in(folder: Path) -> list[str]:
    """The names in a folder that are those of results, whoever wrote them."""
    return [name for name in _ALL if (folder / name).exists() or (folder / name).is_symlink()]


def check_ours(folder: Path, names: Sequence[str] = _ALL) -> None:
    """Raise :class:`ResultsError` if a file in a folder has the name of a result, one of these, and is not ours."""
    for name in results_in(folder):
        if name in names and not _is_ours(folder / name):
            raise ResultsError(
                "{stranger} is in the way, and is not known to be cluedo's; move it away, or give another folder",
                stranger=folder / name,
            )


def check_begun(folder: Path) -> bool:
    """Whether there are results that could be lost or mixed: a run that never came to play has left none.

    Raises:
        ResultsError: there are some without a manifest, which is the first file of a run and the last to be removed; so
            they are not known to be a run's.
    """
    files = SUMMARY, GAMES, PICTURE, EXCHANGES
    begun = any((folder / name).exists() for name in files) or any((folder / CHUNKS).glob("*.parquet"))
    if begun and not (folder / MANIFEST).exists():
        check_ours(folder, files)
        raise ResultsError(
            "{path} holds results without a {manifest}; give another folder", path=folder, manifest=MANIFEST
        )
    return begun


def remove_results(folder: Path) -> list[str]:
    """Remove the results in a folder, if all of them are ours; returns their names.

    Raises:
        ResultsError: one is not known to be ours, and nothing is removed; or they cannot be removed.
    """
    check_ours(folder)
    check_begun(folder)
    names = results_in(folder)
    with store_errors(folder):
        for name in names:
            path = folder / name
            if name != CHUNKS:
                path.unlink()
                continue
            for chunk in path.iterdir():
                chunk.unlink()
            path.rmdir()
    return names


def _is_ours(path: Path) -> bool:
    """Whether what stands there is a file (or the folder of chunks) that a run of ours has written."""
    try:
        return not path.is_symlink() and _OURS[path.name](path)
    except (OSError, CluedoError):
        return False


def begins(path: Path, pattern: re.Pattern[bytes]) -> bool:
    """Whether a file begins as a pattern says; a link to one does not, nor what cannot be read."""
    with suppress(OSError, CluedoError):
        if not path.is_symlink():
            with source(path) as file:
                return pattern.match(file.read(_BEGIN)) is not None
    return False


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
    EXPERIMENT: partial(begins, pattern=re.compile(re.escape(HEAD.encode()))),
    SUMMARY: lambda path: any(_object_with("format", "games", key)(path) for key in ("players", "levels")),
    GAMES: partial(begins, pattern=_RECORD),
    EXCHANGES: partial(begins, pattern=_EXCHANGE),
    PICTURE: partial(begins, pattern=PICTURE_OF_OURS),
    CHUNKS: _chunks,
}


# ---- the lock ----------------------------------------------------------------------------------------


@contextmanager
def lock_folder(path: Path) -> Iterator[None]:
    """Make the folder if there is none, and keep every other run out of it until the ``with`` ends.

    The operating system holds the lock: it is gone as soon as this process is, however that ends.

    Raises:
        CluedoError: somebody else holds it, it cannot be written, or a file of somebody else's has the lock's name.
    """
    file, made = path / _LOCK, not path.exists()
    lock = FileLock(file, blocking=False)
    if path.exists() and not path.is_dir():
        raise CluedoError("{path} is not a folder; give a folder", path=path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        if file.is_symlink() or (file.exists() and not (file.is_file() and file.stat().st_size == 0)):
            raise CluedoError("{file} is in the way, and is not a lock of cluedo's; give another folder", file=file)
        lock.acquire()
    except Timeout:
        raise CluedoError("another run is writing into {path}", path=path) from None
    except OSError as error:
        raise CluedoError("{path}: cannot be written: {error}", path=path, error=error) from None
    try:
        yield
    finally:
        # While it is still held: who opened it meanwhile will find that it is gone, and try again with another.
        with suppress(OSError):  # Windows removes no file that is open
            file.unlink()
        lock.release()
        if made:
            with suppress(OSError):  # it is not empty, mostly
                path.rmdir()


def in_use(path: Path) -> bool:
    """Whether a run is writing into the folder now; False if we have no right to find out."""
    if not (path / _LOCK).exists():
        return False
    try:
        with FileLock(path / _LOCK, blocking=False):
            return False
    except Timeout:
        return True
    except OSError:
        return False


# ---- checksums ---------------------------------------------------------------------------------------


def read_checksums(chunks: Path) -> dict[str, str]:
    """The checksums of the chunks in a folder, by name; results of older versions have none."""
    with suppress(Unreadable):
        return {name: checksum for checksum, name in _SUM.findall(read_text(chunks / CHECKSUMS))}
    return {}


def check_chunk(path: Path, checksums: Mapping[str, str]) -> None:
    """Raise :class:`ResultsError` for a chunk that is not what was written, if its checksum is known."""
    known = checksums.get(path.name)
    try:
        if known is not None and _checksum(path) != known:
            raise ResultsError("{path}: damaged since it was written; {again}", path=path, again=PLAYED_AGAIN)
    except OSError as error:
        raise ResultsError(
            "{path}: cannot be read: {reason}; {again}", path=path, reason=error, again=PLAYED_AGAIN
        ) from None


def add_checksum(chunks: Path, name: str, written: Path) -> str:
    """Note the checksum of a chunk before it gets its name, so that none stands there without; raises OSError."""
    checksum = _checksum(written)
    with (chunks / CHECKSUMS).open("a", encoding="ascii", newline="\n") as file:
        file.write(f"{checksum}  {name}\n")
        file.flush()
        os.fsync(file.fileno())
    return checksum


def write_checksums(chunks: Path, checksums: Mapping[str, str]) -> None:
    """Write the checksums of the chunks that stand there, each once, as ``sha256sum --check`` wants it; raises OSError.

    Chunks may have been removed, and played again, since theirs were noted.
    """
    there = [name for name in sorted(checksums) if (chunks / name).is_file()]
    with atomic_write(chunks / CHECKSUMS) as part:
        part.write_text("".join(f"{checksums[name]}  {name}\n" for name in there), encoding="ascii", newline="\n")


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
