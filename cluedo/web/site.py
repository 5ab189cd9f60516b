"""The site: what it is made of, and how its parts are put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from cluedo.engine.errors import CluedoError
from cluedo.web import assistant, home, lookback, puzzle_page, room_events, room_pages
from cluedo.web.answers import failed, refuse
from cluedo.web.guard import Guard
from cluedo.web.shared import Site, SiteSettings

__all__ = ["AREAS", "make_site"]

AREAS: Final = (home, room_pages, room_events, assistant, lookback, puzzle_page)
"""The modules of pages; each has ``routes``, a list of Starlette's, and perhaps ``begin(site)`` and ``end(site)``."""


def make_site(settings: SiteSettings) -> Guard:
    """The site as an ASGI application; raises :class:`CluedoError` where its database cannot be opened."""
    site = Site(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[Mapping[str, Any]]:
        begun = [area for area in AREAS if hasattr(area, "begin")]
        for area in begun:
            await area.begin(site)
        try:
            yield {}
        finally:
            for area in begun:
                await area.end(site)
            site.close()

    app = Starlette(
        routes=[*(route for area in AREAS for route in area.routes), Mount("/static", _Statics(), name="static")],
        exception_handlers={HTTPException: refuse, CluedoError: refuse, ClientDisconnect: _gone, Exception: failed},
        lifespan=lifespan,
    )
    app.state.site = site
    return Guard(
        app,
        refuse,
        limits=settings.limits,
        secret=site.database.setting("secret", lambda: token_bytes(32)),
        hosts=settings.hosts,
        language=settings.language,
    )


async def _gone(_: Request, error: Exception) -> Response:  # noqa: ARG001 - nobody is left to be told
    """Somebody went before they had sent all; that is no fault of ours, and no matter for the log."""
    return Response(status_code=400)


class _Statics(StaticFiles):
    """Our style sheets and scripts; their addresses change with them, so browsers may keep them."""

    def __init__(self) -> None:
        super().__init__(directory=Path(str(files("cluedo.web"))) / "static")

    async def get_response(self, path: str, scope: Scope) -> Response:
        answer = await super().get_response(path, scope)
        kept = "public, max-age=31536000, immutable" if b"v=" in scope["query_string"] else "no-cache"
        answer.headers["Cache-Control"] = kept
        return answer
