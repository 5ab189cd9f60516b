"""The puzzle of the day as a page. The browser keeps how far somebody is; the server keeps nothing."""

from __future__ import annotations

from datetime import date, timedelta

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cluedo.language import tr
from cluedo.session.boards import default_map
from cluedo.web.answers import page, read_json, rendered, thought
from cluedo.web.assist_work import Refused
from cluedo.web.puzzle_work import play

__all__ = ["routes"]


async def today(request: Request) -> Response:
    """The puzzle of today."""
    return await _shown(request, date.today())


async def show(request: Request) -> Response:
    """The puzzle of a day."""
    return await _shown(request, _day(request))


async def _shown(request: Request, day: date) -> Response:
    board = default_map()
    puzzle = await thought(request, play, day, board, {}, {"do": "look"})
    step = timedelta(days=1)
    before = day - step if day > date.min else None
    after = day + step if day < date.today() else None
    return page(request, "puzzle.html", puzzle=puzzle, day=day, board=board, before=before, after=after)


async def step(request: Request) -> Response:
    """One statement, question or hint."""
    day, told = _day(request), await read_json(request)
    progress = told.get("progress")
    try:
        puzzle = await thought(request, play, day, default_map(), progress if isinstance(progress, dict) else {}, told)
    except Refused as error:
        return JSONResponse({"trouble": str(error)}, 422)
    parts = rendered(request, "puzzle_parts.html", puzzle=puzzle)
    return JSONResponse({"progress": puzzle["progress"], "parts": parts})


def _day(request: Request) -> date:
    try:
        return date.fromisoformat(request.path_params["day"])
    except ValueError:
        raise HTTPException(404, tr("A day is written like 2026-01-31.")) from None


routes = [
    Route("/puzzle", today),
    Route("/puzzle/{day}", show),
    Route("/puzzle/{day}", step, methods=["POST"]),
]
