"""Looking back: a record that was sent, or a room's game that is over, as a page that replays and reviews it."""

from __future__ import annotations

import re
from collections import OrderedDict
from secrets import token_urlsafe
from typing import Any, Final

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cluedo.engine.errors import one_line
from cluedo.language import current, tr
from cluedo.web.answers import check_length, deduced, page, see, visitor_of
from cluedo.web.assist_work import Refused
from cluedo.web.assistant import keep_case
from cluedo.web.guard import check_token, too_large
from cluedo.web.lookback_work import replayed, sort_out
from cluedo.web.shared import site_of

__all__ = ["routes"]

_KIND: Final = "record"
_AREA: Final = "look-back"
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_MOST_BYTES: Final = 2_000_000
"""Of a file or a text that is sent."""
_MOST_PAGES: Final = 40
"""Replays that are kept ready in memory, one for each language."""


async def start(request: Request) -> Response:
    """Where a record or a case can be sent."""
    return page(request, "lookback.html", trouble="", most=_MOST_BYTES)


async def receive(request: Request) -> Response:
    """Take a record, or a case, which the assistant goes on with."""
    data, name, number = await _read(request)
    try:
        sent = await deduced(request, sort_out, data, name, number)
    except Refused as error:
        return page(request, "lookback.html", 422, trouble=str(error), most=_MOST_BYTES)
    if sent.kind == "case":
        return see(request, f"/assistant/{await keep_case(request, sent.text)}")
    token = token_urlsafe(16)
    await site_of(request).database.put(_KIND, token, sent.text)
    return see(request, f"/look-back/{token}")


async def _read(request: Request) -> tuple[bytes, str, int | None]:
    """The bytes that were sent, what their file is called, and which game of it is meant."""
    check_length(request, 2 * _MOST_BYTES)
    async with request.form(max_files=1, max_fields=8, max_part_size=_MOST_BYTES) as form:
        check_token(visitor_of(request), str(form.get("token", "")))
        file, number = form.get("file"), str(form.get("number", "")).strip()
        if isinstance(file, UploadFile) and file.filename:
            data, name = await file.read(_MOST_BYTES + 1), one_line(file.filename, 60)
        else:
            data, name = str(form.get("text", "")).encode(), tr("the text")
    if len(data) > _MOST_BYTES:
        raise too_large()
    return data, name, int(number) if number.isdecimal() and len(number) < 7 else None


async def show(request: Request) -> Response:
    """A game, turn by turn."""
    token = request.path_params["token"]
    text = await _text(request, token)
    ready: OrderedDict[tuple[str, str], dict[str, Any]] = site_of(request).areas.setdefault(_AREA, OrderedDict())
    key = token, current()
    if key not in ready:
        try:
            ready[key] = await deduced(request, replayed, text)
        except Refused as error:  # the board it was played on is not here any more
            raise HTTPException(409, str(error)) from None
        while len(ready) > _MOST_PAGES:
            ready.popitem(last=False)
    ready.move_to_end(key)
    return page(request, "lookback_game.html", link=f"/look-back/{token}", **ready[key])


async def download(request: Request) -> Response:
    """The record itself."""
    text = await _text(request, request.path_params["token"])
    headers = {"Content-Disposition": 'attachment; filename="game.jsonl"'}
    return Response(f"{text}\n", media_type="application/json", headers=headers)


async def _text(request: Request, token: str) -> str:
    text = await site_of(request).database.get(_KIND, token) if _TOKEN.fullmatch(token) else None
    if text is None:
        raise HTTPException(404, tr("There is no such game here any more."))
    return text


routes = [
    Route("/look-back", start),
    Route("/look-back", receive, methods=["POST"]),
    Route("/look-back/{token}", show),
    Route("/look-back/{token}/game.jsonl", download),
]
