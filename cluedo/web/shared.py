"""What all pages of a site share: its settings, its database, and the worker processes."""

from __future__ import annotations

import re
import secrets
from asyncio import Task
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request

from cluedo.web.database import Database
from cluedo.web.guard import Allowance, Concurrent, Limits
from cluedo.web.workers import Workers

if TYPE_CHECKING:  # which needs this module
    from cluedo.web.open_tables import OpenTables

__all__ = ["Site", "SiteSettings", "is_link_secret", "link_secret_from", "new_link_secret", "site_of"]

_REPLAYING: Final = 2
"""Processes for what takes long: one more than an address may have at work, so that nobody waits for one slow game."""
_REPLAY_NICENESS: Final = 10
"""How much that gives way to who thinks at the tables."""
_BYTES: Final = 16
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{22}")
"""So many bytes as the end of a link."""


def new_link_secret() -> str:
    """The end of a link that nobody guesses, or what a browser keeps to sit on a seat from now on."""
    return secrets.token_urlsafe(_BYTES)


def link_secret_from(text: str) -> str:
    """The end of a link that is always the same for a text, and that nobody guesses without it."""
    return urlsafe_b64encode(sha256(text.encode()).digest()[:_BYTES]).decode().rstrip("=")


def is_link_secret(text: str) -> bool:
    """Whether it may be the end of such a link."""
    return _SECRET.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """How a site is served.

    Attributes:
        database: the file where it keeps everything; None for memory alone.
        hosts: the names that it answers to, besides addresses; None for any.
        language: of those who wish for none that is spoken here.
        workers: processes that think, beside those that replay games; 0 for threads.
        limits: what clients may ask for.
    """

    database: Path | None = None
    hosts: frozenset[str] | None = None
    language: str = "en"
    workers: int = 0
    limits: Limits = field(default_factory=Limits)


class Site:
    """What the pages share.

    Attributes:
        settings, database, workers: as their classes say.
        replays: what replays games and makes files of cases, however long they were made by who sent them: nobody at a
            table waits for it.
        new_documents: the tables, rematches, cases and records that each address may begin.
        streams: the connections for events that are open.
        jobs, replay_jobs: what worker processes do for visitors, and what those of ``replays`` do.
        tables: those that somebody is at, from when the server has begun.
        replay_pages: by the end of its link and the language, what a replay's page is filled with, which may be still
            being worked out; the one that was asked for last is the last.
        closing: whether the site is about to end, and streams with it.
        on_closing: what wakes the streams then, and gives up what worker processes do for visitors.
    """

    def __init__(self, settings: SiteSettings):
        self.settings = settings
        self.database = Database(settings.database, documents=settings.limits.documents)
        self.workers = Workers(settings.workers)
        self.replays = Workers(_REPLAYING if settings.workers else 0, niceness=_REPLAY_NICENESS)
        limits = settings.limits
        self.new_documents = Allowance(limits.new_documents, limits.new_documents_per_second)
        self.streams = Concurrent(limits.streams, limits.all_streams)
        self.jobs = Concurrent(limits.jobs, limits.all_jobs)
        self.replay_jobs = Concurrent(limits.replays, limits.all_replays)
        self.tables: OpenTables
        self.replay_pages: OrderedDict[tuple[str, str], Task[dict[str, Any]]] = OrderedDict()
        self.closing = False
        self.on_closing: list[Callable[[], object]] = []

    def end_streams(self) -> None:
        """Let all streams and jobs for visitors end: browsers open them again when there is a server again."""
        self.closing = True
        for wake in self.on_closing:
            wake()

    def close(self) -> None:
        """End what runs beside the site."""
        self.workers.close()
        self.replays.close()
        self.database.close()


def site_of(request: Request) -> Site:
    """The site that a request came to."""
    site: Site = request.app.state.site
    return site
