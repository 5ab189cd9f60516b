"""The start page, and the settings of a browser: language and theme."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cluedo.language import languages, tr
from cluedo.web.answers import page, read_form, see
from cluedo.web.guard import THEMES

__all__ = ["routes"]

_YEAR_S = 31_536_000


async def start(request: Request) -> Response:
    """What one can do here."""
    ways = [
        ("/play", "play", tr("Play"), tr("A table by link: friends, levels, or both. No account.")),
        ("/assistant", "assistant", tr("Assistant"), tr("Your phone keeps the sheet while you play at a real table.")),
        ("/look-back", "replay", tr("Replays"), tr("Replay a game turn by turn, with a review of every choice.")),
        ("/puzzle", "puzzle", tr("Puzzle of the day"), tr("One position, one answer that can be proved.")),
    ]
    return page(request, "start.html", ways=ways)


async def set_browser(request: Request) -> Response:
    """Keep a language and a theme in cookies, and go back."""
    form = await read_form(request)
    back = form.get("back", "/")
    answer = see(request, back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/")
    path = request.scope.get("root_path", "") or "/"
    for name, values in (("language", languages()), ("theme", THEMES)):
        if form.get(name) in values:
            secure = request.url.scheme == "https"
            answer.set_cookie(
                name, form[name], max_age=_YEAR_S, path=path, secure=secure, httponly=True, samesite="lax"
            )
    return answer


routes = [Route("/", start), Route("/settings", set_browser, methods=["POST"])]
