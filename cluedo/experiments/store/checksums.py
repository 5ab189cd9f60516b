"""Checksums of the chunks of results, in the form of ``sha256sum``: what was damaged later is told when it is read.

Parquet files hold none that readers check, so a damaged one may be read as other games. The file stands beside the
chunks, and ``sha256sum --check SHA256SUMS`` reads it there, too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path
from typing import Final

from cluedo.engine.phrase import Phrase
from cluedo.engine.reading import Unreadable, read_text
from cluedo.engine.writing import atomic_write
from cluedo.experiments.store.folder import CHECKSUMS, ResultsError

__all__ = ["PLAYED_AGAIN", "add_checksum", "check_chunk", "read_checksums", "write_checksums"]

PLAYED_AGAIN: Final = Phrase("remove it to have it played again")

_LINE: Final = re.compile(r"([0-9a-f]{64})  (\d{8}\.parquet)\n")


def read_checksums(chunks: Path) -> dict[str, str]:
    """The checksums of the chunks in a folder, by name; results of older versions have none."""
    with suppress(Unreadable):
        return {name: checksum for checksum, name in _LINE.findall(read_text(chunks / CHECKSUMS))}
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
