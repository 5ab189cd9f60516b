"""The site as an application: the start page, the settings of a browser, and all other pages."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from cluedo.engine.board import Board
from cluedo.engine.board_svg import board_svg
from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase
from cluedo.language import languages, tr
from cluedo.session.boards import default_map
from cluedo.session.level_choice import LEVEL_KERNELS, prepare_levels
from cluedo.session.line_up import level_labels
from cluedo.web import assistant, installing, lobby_pages, pictures, puzzle_page, replay_routes, table_page
from cluedo.web.guard import THEMES, Guard, caching
from cluedo.web.open_tables import OpenTables
from cluedo.web.responses import page, redirect, refusal_response, refuse, set_cookie, site_path, static_version
from cluedo.web.shared import Site, SiteSettings
from cluedo.web.submissions import read_form
from cluedo.web.workers import TookTooLong
from cluedo.words.rule_text import numbered_rules

__all__ = ["AREAS", "make_site"]

AREAS: Final = (lobby_pages, table_page, assistant, replay_routes, puzzle_page, pictures, installing)
"""The modules of pages; each has ``routes``, a list of Starlette's."""


async def _start(request: Request) -> Response:
    """What one can do here."""
    strengths = [(level, told) for level, told in level_labels() if level in ("easy", "medium", "expert")]
    ways = [
        ("/play", tr("Play with friends"), tr("Send them a link; the computer takes the other seats.")),
        ("/assistant", tr("Assistant"), tr("Your phone keeps the sheet while you play at a real table.")),
        ("/replay", tr("Replays"), tr("Replay a game turn by turn, with a review of every choice.")),
        ("/puzzle", tr("Puzzle of the day"), tr("A position from a game: find all that can be proved.")),
        ("/how-to-play", tr("How to play"), tr("The rules on one page, with pictures.")),
    ]
    return page(request, "start.html", ways=ways, strengths=strengths)


async def _how_to_play(request: Request) -> Response:
    """The rules, in pictures of the usual board."""
    board = Board.load(default_map())
    drawn = board_svg(board, label=tr("The board {title}", title=board.title))
    names, starts = board.deck.names, [cards[0] for cards in board.deck.ids]
    cards = [(names[card], board.map.pictures[card]) for start in starts for card in (start, start + 1, start + 2)]
    box, editions = numbered_rules()
    return page(request, "how_to_play.html", board=drawn, cards=cards, box=box, editions=editions)


async def _set_browser(request: Request) -> Response:
    """Keep a language and a theme in cookies, and go back."""
    form = await read_form(request)
    back = form.get("back", "/")
    answer = redirect(request, back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/")
    for name, values in (("language", languages()), ("theme", THEMES)):
        if form.get(name) in values:
            set_cookie(request, answer, site_path(request, "") or "/", name, form[name])
    return answer


def make_site(settings: SiteSettings) -> Guard:
    """The site as an ASGI application; raises :class:`CluedoError` where its database cannot be opened."""
    site = Site(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[Mapping[str, Any]]:
        site.workers.prepare(prepare_levels, LEVEL_KERNELS)
        site.tables = OpenTables(site)
        try:
            yield {}
        finally:
            await site.tables.close()
            site.close()

    app = Starlette(
        routes=[
            Route("/", _start),
            Route("/how-to-play", _how_to_play),
            Route("/settings", _set_browser, methods=["POST"]),
            *(route for area in AREAS for route in area.routes),
            Mount("/static", _Statics(), name="static"),
        ],
        exception_handlers={
            HTTPException: refuse,
            CluedoError: refuse,
            sqlite3.Error: _telling(HTTPStatus.SERVICE_UNAVAILABLE, _NOT_SAVED),
            TookTooLong: _telling(HTTPStatus.UNPROCESSABLE_ENTITY, _TOO_LONG),
            ClientDisconnect: _gone,
            Exception: _telling(HTTPStatus.INTERNAL_SERVER_ERROR, _OUR_FAULT),
        },
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


_NOT_SAVED: Final = Phrase("This server can save nothing at the moment, and nothing was done: try again soon.")
"""The database has failed, as on a full disk, and everything is as it was."""
_TOO_LONG: Final = Phrase("This takes too long here. On a computer of your own, `cluedo` does it.")
_OUR_FAULT: Final = Phrase("Something went wrong here. It is not your fault.")


def _telling(status: int, text: Phrase) -> Callable[[Request, Exception], Response]:
    """What answers an error with a sentence; what went wrong is in the log."""
    return lambda request, _: refusal_response(request, status, tr(text))


async def _gone(_: Request, error: Exception) -> Response:  # noqa: ARG001 - nobody is left to be told
    """Somebody went before they had sent all; that is no fault of ours, and no matter for the log."""
    return Response(status_code=400)


class _Statics(StaticFiles):
    """Our style sheets and scripts; their addresses change with them, so browsers may keep them."""

    def __init__(self) -> None:
        super().__init__(directory=Path(str(files("cluedo.web"))) / "static")

    async def get_response(self, path: str, scope: Scope) -> Response:
        answer = await super().get_response(path, scope)
        answer.headers["Cache-Control"] = caching(scope, f"?v={static_version(path)}")
        return answer
