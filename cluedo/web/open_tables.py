"""The open tables: each is saved after every command, its levels and clocks run, and connections wait for changes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from sqlite3 import Connection, Error as DatabaseError
from typing import Final, TypeVar

from starlette.exceptions import HTTPException

from cluedo.ai.levels import parse_player
from cluedo.engine.errors import CluedoError
from cluedo.session.level_choice import think
from cluedo.session.tables.online_table import OnlineTable
from cluedo.web.database import forget_oldest, get_document, put_document
from cluedo.web.shared import Site, link_secret_from

__all__ = ["OpenTable", "OpenTables", "record_name"]

R = TypeVar("R")

_log = logging.getLogger(__name__)

_KIND: Final = "room"
"""What a table is called in stored data, as in the column of its lines."""
_IDLE_S: Final = 600.0
"""How long a table that nobody is at stays open."""
_AGAIN_S: Final = 2.0
"""How long after a failure a level is asked again."""
_PROGRESS_S: Final = 2.0
"""How often people are told how far the detective is prepared."""


class OpenTable:
    """A table that is open.

    Attributes:
        table: changed by :meth:`act` alone. What is read of it without an ``await`` after :meth:`saved_table`
            is saved.
        used: when somebody was last at it.
    """

    def __init__(self, site: Site, table: OnlineTable):
        self.table = table
        self.used = time.monotonic()
        self._site = site
        self._lock = asyncio.Lock()
        self._unsaved = False
        self._closed = False
        self._changed = asyncio.Event()
        self._played = asyncio.create_task(self._play())

    async def act(self, work: Callable[[OnlineTable], R]) -> R:
        """Do something at the table, save it, and notify everybody; errors are raised.

        What cannot be saved has not happened: whatever fails, the table is loaded again as it was saved last.
        """
        self.used = time.monotonic()
        async with self.saved_table() as table:
            if self._closed:  # the request took long to come, and the table may be open anew elsewhere
                raise CluedoError("nobody was at this table for a long time: reload the page")
            self._unsaved = True
            try:
                done = work(table)
            except (CluedoError, HTTPException):  # a refusal: all that was done is as it should be
                if table.pending.lines:  # a part of it was done
                    await self._save()
                self._unsaved = False
                raise
            await self._save()
            return done

    @asynccontextmanager
    async def saved_table(self) -> AsyncIterator[OnlineTable]:
        """The table, once all that happened is saved: nobody is told what a killed server would forget."""
        async with self._lock:
            if self._unsaved:
                await self._reload()
            yield self.table

    async def save(self) -> None:
        """Save the table as it is."""
        async with self._lock:
            await self._save()

    def notify(self) -> None:
        """Wake everybody who waits for a change."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait_for_change(self, since: int, timeout: float | None) -> bool:
        """Wait until the table has had more than ``since`` changes, or closes; False after the timeout."""
        until = None if timeout is None else asyncio.get_running_loop().time() + timeout
        while self.table.changes == since and not self._site.closing:
            try:
                async with asyncio.timeout_at(until):  # who is woken for nothing waits for the rest of the time only
                    await self._changed.wait()
            except TimeoutError:
                return False
        return True

    @asynccontextmanager
    async def connection(self, key: str) -> AsyncIterator[None]:
        """Count a connection inside the ``with``."""
        self.table.arrive(key)
        self.notify()
        try:
            yield
        finally:
            self.used = time.monotonic()
            self.table.depart(key)
            self.notify()

    @property
    def idle(self) -> bool:
        """Whether it can be closed: nobody is connected, and no level is choosing."""
        there = self.table.present or self.table.thinker() is not None or self._lock.locked()
        return not there and time.monotonic() - self.used > _IDLE_S

    async def close(self) -> None:
        """Stop playing; what is saved stays."""
        self._closed = True
        self._played.cancel()
        with suppress(asyncio.CancelledError):
            await self._played

    async def _save(self) -> None:
        """Write what is new, all of it or nothing, and notify everybody."""
        table, pending = self.table, self.table.pending
        fresh, lines, text = pending.fresh, list(pending.lines), table.to_json()
        over = table.record if table.phase == "over" and lines else None
        name = record_name(table.id, table.game)
        await self._site.database.run(lambda connection: _write(connection, table.id, text, fresh, lines, name, over))
        pending.mark_saved(len(lines))
        self._unsaved = False
        self.notify()

    async def _reload(self) -> None:
        """Load the table again as it was saved last."""
        table = await _load(self._site, self.table.id)
        assert table is not None, "a table that is open was saved"
        table.take_over(self.table)
        self.table = table
        self._unsaved = False
        self.notify()

    async def _play(self) -> None:
        """Let levels choose and clocks run out, for as long as the table is open."""
        failing = False
        while not self._site.closing:
            try:
                await self._play_on()
                failing = False
            except Exception as error:
                if not failing and not isinstance(error, DatabaseError):  # the database logs its own
                    _log.exception("table %s", self.table.id)
                failing = True
                await asyncio.sleep(_AGAIN_S)

    async def _play_on(self) -> None:
        async with self.saved_table() as table:
            moment, thinker = table.moment, table.thinker()
        if thinker is None:
            if not await self.wait_for_change(table.changes, table.next_look):
                await self.act(OnlineTable.look_at_clock)
            return
        if not await self._can_think(thinker[1]):
            return
        async with self.saved_table() as table:
            if table.moment != moment:
                return
            task = table.choice_task(*thinker)
        chosen = await self._site.workers.run(think, task)
        await self.act(lambda table: table.carry_out(moment, chosen))

    async def _can_think(self, level: str) -> bool:
        """Whether a level can think now. Else people are told how far it is, and this waits for a moment."""
        workers = self._site.workers
        can = not parse_player(level).prepares or await workers.ready_soon()
        table = self.table
        percent = None if can else workers.percent
        if table.prepared_percent != percent:
            table.note_preparing(percent)
            self.notify()
        if not can:
            await self.wait_for_change(table.changes, _PROGRESS_S)
        return can


def record_name(id: str, game: str) -> str:
    """The end of the link to the replay of a finished game, by the number that it has at its table."""
    return link_secret_from(f"{id}.{game}")


class OpenTables:
    """All tables of a site; those that somebody is at are open.

    Args:
        site: where they are saved, and who thinks.
    """

    def __init__(self, site: Site):
        self._site = site
        self._open: dict[str, OpenTable] = {}
        self._opening: dict[str, asyncio.Task[OpenTable | None]] = {}
        self._swept = asyncio.create_task(self._sweep())
        site.on_closing.append(self._notify_all)

    async def add(self, table: OnlineTable) -> OpenTable:
        """Open a new table."""
        opened = OpenTable(self._site, table)
        try:
            await opened.save()
        except BaseException:
            await opened.close()
            raise
        self._open[table.id] = opened
        limits, in_use = self._site.settings.limits, frozenset({*self._open, *self._opening})
        await self._site.database.run(lambda connection: _forget(connection, limits.tables, limits.documents, in_use))
        return opened

    async def get(self, id: str) -> OpenTable | None:
        """A table, opened where it was left; None where there is none."""
        if id in self._open:
            self._open[id].used = time.monotonic()
            return self._open[id]
        if id not in self._opening:  # two who come at once meet at one table
            self._opening[id] = asyncio.create_task(self._opened(id))
        return await asyncio.shield(self._opening[id])

    async def _opened(self, id: str) -> OpenTable | None:
        """Open a table; others may be opened meanwhile."""
        try:
            table = await _load(self._site, id)
            if table is None:
                return None
            self._open[id] = OpenTable(self._site, table)
            return self._open[id]
        finally:
            del self._opening[id]

    def _notify_all(self) -> None:
        """Wake everybody in all tables."""
        for table in self._open.values():
            table.notify()

    async def close(self) -> None:
        """Close all tables."""
        self._swept.cancel()
        with suppress(asyncio.CancelledError):
            await self._swept
        for table in list(self._open.values()):  # one may be opened meanwhile
            await table.close()

    async def _sweep(self) -> None:
        """Close tables that nobody has been at for a while: they are saved, and opened again when somebody comes."""
        while True:
            await asyncio.sleep(_IDLE_S / 10)
            await self._close_idle()

    async def _close_idle(self) -> None:
        for id, table in list(self._open.items()):
            if table.idle:
                del self._open[id]
                await table.close()


async def _load(site: Site, id: str) -> OnlineTable | None:
    """A table as it was saved last; None where there is no such table."""
    saved = await site.database.run(lambda connection: _read(connection, id))
    return None if saved is None else await asyncio.to_thread(OnlineTable.from_json, id, *saved)


def _read(connection: Connection, id: str) -> tuple[str, list[str]] | None:
    """What is saved of a table, and the lines of its record; None where there is no such table."""
    text = get_document(connection, _KIND, id)
    lines = connection.execute("SELECT text FROM lines WHERE room = ? ORDER BY number", (id,)).fetchall()
    return None if text is None else (text, [line for (line,) in lines])


def _write(
    connection: Connection, id: str, text: str, fresh: bool, lines: list[str], name: str, over: str | None
) -> None:
    put_document(connection, _KIND, id, text)
    if fresh:
        connection.execute("DELETE FROM lines WHERE room = ?", (id,))
    last = connection.execute("SELECT coalesce(max(number), -1) FROM lines WHERE room = ?", (id,)).fetchone()[0]
    connection.executemany(
        "INSERT INTO lines VALUES (?, ?, ?)", [(id, number, line) for number, line in enumerate(lines, last + 1)]
    )
    if over is not None:
        put_document(connection, "record", name, over)


def _forget(connection: Connection, most: int, records: int, in_use: frozenset[str]) -> None:
    """Forget the tables that were left the longest time ago, and no table that is open; of records as well."""
    forget_oldest(connection, "record", records)
    tables = forget_oldest(connection, _KIND, most, keep=in_use)
    connection.executemany("DELETE FROM lines WHERE room = ?", [(id,) for id in tables])
