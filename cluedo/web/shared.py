"""What all pages of a site share: its settings, its database, and the worker processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.requests import Request

from cluedo.web.database import Database
from cluedo.web.guard import Allowance, Connections, Limits
from cluedo.web.workers import Workers

__all__ = ["Site", "SiteSettings", "site_of"]


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """How a site is served.

    Attributes:
        database: the file where it keeps everything; None for memory alone.
        hosts: the names that it answers to, besides addresses; None for any.
        language: of those who wish for none that is spoken here.
        workers: processes that think; 0 for a thread.
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
        new_documents: the rooms, cases and records that each address may begin.
        streams: the connections for events.
        thoughts: what processes think about for visitors.
        areas: by the name of an area, what it keeps for itself.
        closing: whether the site is about to end, and streams with it.
        on_closing: what wakes the streams then.
    """

    def __init__(self, settings: SiteSettings):
        self.settings = settings
        self.database = Database(settings.database, documents=settings.limits.documents)
        self.workers = Workers(settings.workers)
        limits = settings.limits
        self.new_documents = Allowance(limits.new_documents, limits.new_documents_per_second)
        self.streams = Connections(limits.streams, limits.all_streams)
        self.thoughts = Connections(limits.thoughts, limits.all_thoughts)
        self.areas: dict[str, Any] = {}
        self.closing = False
        self.on_closing: list[Callable[[], None]] = []

    def end_streams(self) -> None:
        """Let all streams end: browsers open them again when there is a server again."""
        self.closing = True
        for wake in self.on_closing:
            wake()

    def close(self) -> None:
        """End what runs beside the site."""
        self.workers.close()
        self.database.close()


def site_of(request: Request) -> Site:
    """The site that a request came to."""
    site: Site = request.app.state.site
    return site
