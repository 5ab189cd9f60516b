"""The server's database: one SQLite file that one thread uses, so that the event loop never waits for a disk.

It is in WAL mode: what was committed survives, however the process ends.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from filelock import BaseFileLock, FileLock, Timeout

from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase

__all__ = ["Database", "forget_oldest", "get_document", "put_document"]

R = TypeVar("R")

_log = logging.getLogger(__name__)

_FORMAT: Final = 1
_ANOTHERS: Final = Phrase("{path} is a database of another program; give a file of its own with --data")
_NAMES: Final = {"settings", "documents", "by_age", "lines"}
_TABLES: Final = """
BEGIN;
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    kind TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL, changed REAL NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE INDEX by_age ON documents (kind, changed);
CREATE TABLE lines (
    room TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (room, number)
) WITHOUT ROWID;
COMMIT;
"""


class Database:
    """Documents by kind and id, and the records of games line by line.

    Args:
        path: the file; None keeps everything in memory, for tests.
        documents: how many of each kind are kept; what was changed the longest time ago goes first.

    Raises:
        CluedoError: the file cannot be opened, is none of ours, or is that of another server.
    """

    def __init__(self, path: Path | None, *, documents: int):
        if path is not None and path.exists() and not path.is_file():
            raise CluedoError("{path} is a folder, a pipe or a device, not a database", path=path)
        self._documents = documents
        self._failing = False
        self._lock = None if path is None else _locked(path)
        self._thread = ThreadPoolExecutor(1, "database")
        try:
            self._connection = self._thread.submit(_opened, path).result()
        except BaseException as error:
            self._thread.shutdown()
            self._unlock()
            if isinstance(error, OSError | sqlite3.Error):
                raise CluedoError("{path} cannot be opened as a database: {error}", path=path, error=error) from None
            raise

    async def run(self, work: Callable[[sqlite3.Connection], R]) -> R:
        """Do something in one transaction, in the thread of the database.

        What fails is logged once, until something can be written again: with a full disk, all tables try for hours.
        """

        def whole() -> R:
            before = self._connection.total_changes
            try:
                with self._connection:
                    done = work(self._connection)
            except sqlite3.Error as error:
                if not self._failing:
                    _log.error("the database: %s", error)
                self._failing = True
                raise
            self._failing &= self._connection.total_changes == before
            return done

        return await asyncio.get_running_loop().run_in_executor(self._thread, whole)

    def setting(self, name: str, default: Callable[[], bytes]) -> bytes:
        """A setting that is made once and then stays. For the start of the server, before the event loop."""

        def kept() -> bytes:
            with self._connection as connection:
                connection.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (name, default()))
                row = connection.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
            return bytes(row[0])

        return self._thread.submit(kept).result()

    async def put(self, kind: str, id: str, text: str, *, new: bool = False) -> None:
        """Store a document in place of an older version; where it has to be ``new``, only if there is none."""

        def put(connection: sqlite3.Connection) -> None:
            put_document(connection, kind, id, text, new=new)
            forget_oldest(connection, kind, self._documents)

        await self.run(put)

    async def replace(self, kind: str, id: str, old: str, new: str) -> bool:
        """Replace a document if its text is still the old one; returns whether it was."""

        def replace(connection: sqlite3.Connection) -> bool:
            done = connection.execute(
                "UPDATE documents SET text = ?, changed = ? WHERE (kind, id, text) = (?, ?, ?)",
                (new, time.time(), kind, id, old),
            )
            return done.rowcount == 1

        return await self.run(replace)

    async def get(self, kind: str, id: str) -> str | None:
        """A document, or None."""
        return await self.run(lambda connection: get_document(connection, kind, id))

    def close(self) -> None:
        """Write what is to be written, and close the file."""
        self._thread.submit(self._connection.close).result()
        self._thread.shutdown()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()


def put_document(connection: sqlite3.Connection, kind: str, id: str, text: str, *, new: bool = False) -> None:
    """Within a transaction, store a document; see :meth:`Database.put`."""
    otherwise = "IGNORE" if new else "REPLACE"
    connection.execute(f"INSERT OR {otherwise} INTO documents VALUES (?, ?, ?, ?)", (kind, id, text, time.time()))


def get_document(connection: sqlite3.Connection, kind: str, id: str) -> str | None:
    """Within a transaction, the text of a document, or None."""
    row = connection.execute("SELECT text FROM documents WHERE kind = ? AND id = ?", (kind, id)).fetchone()
    return None if row is None else str(row[0])


def forget_oldest(
    connection: sqlite3.Connection, kind: str, most: int, keep: frozenset[str] = frozenset()
) -> list[str]:
    """Within a transaction, forget documents of a kind but for the last changed ones and some to ``keep``.

    Returns the ids of those that it forgot.
    """
    query = "SELECT id FROM documents WHERE kind = ? ORDER BY changed DESC LIMIT -1 OFFSET ?"
    old = [id for (id,) in connection.execute(query, (kind, most)) if id not in keep]
    connection.executemany("DELETE FROM documents WHERE kind = ? AND id = ?", [(kind, id) for id in old])
    return old


def _locked(path: Path) -> BaseFileLock:
    """The lock of a file beside it: each server keeps the tables that are played in memory, so two would spoil them."""
    beside = Path(os.path.realpath(path))  # a link to it leads to the same lock
    lock = FileLock(beside.with_name(f"{beside.name}.lock"), mode=0o600, blocking=False, thread_local=False)
    try:
        beside.parent.mkdir(parents=True, exist_ok=True)
        Path(lock.lock_file).touch(mode=0o600)  # where that cannot be, acquire takes it for held
        lock.acquire()
    except Timeout:
        raise CluedoError(
            "another server uses {path}; give this one a file of its own with --data", path=path
        ) from None
    except OSError as error:
        raise CluedoError("{path} cannot be opened as a database: {error}", path=path, error=error) from None
    return lock


def _opened(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        path.touch(mode=0o600)  # everybody's cards are in it, and nobody else on this machine need read them
    connection = sqlite3.connect(path or ":memory:", check_same_thread=False)
    try:
        _set_up(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _set_up(connection: sqlite3.Connection, path: Path | None) -> None:
    """Make the tables in a new file; a file of a newer version, or of another program, is left as it is."""
    found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")}
    if not found & _NAMES and found:
        raise CluedoError(_ANOTHERS, path=path)
    if connection.execute("PRAGMA user_version").fetchone()[0] > _FORMAT:
        raise CluedoError("{path} was made by a newer version of this program", path=path)
    if found and found != _NAMES:
        raise CluedoError(_ANOTHERS, path=path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    if not found:
        connection.executescript(_TABLES)
    connection.execute(f"PRAGMA user_version = {_FORMAT}")
