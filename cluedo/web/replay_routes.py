"""Pages that replay and review a game: a record that was sent, or the game of a table that is over."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cluedo.engine.errors import CluedoError, one_line
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord, record_in
from cluedo.language import current, tr
from cluedo.session.boards import shipped_board
from cluedo.web.assist_work import adopt
from cluedo.web.assistant import keep_case
from cluedo.web.guard import too_large, visitor_of
from cluedo.web.jobs import check_detective, run_beside_tables
from cluedo.web.replay_page import replay_parts
from cluedo.web.responses import page, redirect
from cluedo.web.shared import is_link_secret, new_link_secret, site_of
from cluedo.web.submissions import check_may_begin, sent_form
from cluedo.web.workers import TookTooLong
from cluedo.words.narration import as_sentence

__all__ = ["routes"]

R = TypeVar("R")

_KIND: Final = "record"
_MOST_BYTES: Final = 2_000_000
"""Of a file or a text that is sent."""
_MOST_PAGES: Final = 40
"""Replays that are kept ready in memory, one for each language; those that are refused, too."""
_MOST_TURNS: Final = 400
"""Of a game that is replayed here: every seat's knowledge is worked out after each of them."""


class _Upload(NamedTuple):
    """A sent file: the record of a ``game`` on one line, or the state of a ``case``."""

    kind: str
    text: str


def _sort_out(data: bytes, name: str, number: int | None) -> _Upload:
    """Read a record (the ``number``-th of several, from 0) or a case log; raises CluedoError."""
    if not data.strip():
        raise CluedoError("There is nothing in what was sent. Choose a file, or paste its text.")
    if _is_case(data):
        return _Upload("case", adopt(data))
    record = record_in(data, name, number)
    _played(record)  # or it is refused
    return _Upload("game", record.model_dump_json())


def _replay_context(text: str) -> dict[str, Any]:
    """What the template of a replay is filled with; raises CluedoError."""
    record = GameRecord.from_json(text)
    return replay_parts(record, _played(record))


def _played(record: GameRecord) -> Game:
    """The game of a record, on a shipped board and not too long; raises CluedoError."""
    board = shipped_board(record.map)
    turns = sum(entry.type == "end_turn" for entry in record.events)
    if turns > _MOST_TURNS:
        raise CluedoError(
            "a game of {turns} turns is too long to be replayed here (at most {most})", turns=turns, most=_MOST_TURNS
        )
    return record.replay(board)


def _is_case(data: bytes) -> bool:
    """Whether it is one JSON object with players and no envelope: what a record tells, a case has to find out."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "envelope" not in value and "players" in value


class _Sent(NamedTuple):
    """What somebody has sent.

    Attributes:
        data, name: the bytes, and what their file is called.
        number: which game of it is meant, as it was typed.
        pasted: the text, where it is no file.
    """

    data: bytes = b""
    name: str = ""
    number: str = ""
    pasted: str = ""


async def start(request: Request) -> Response:
    """Where a record or a case can be sent."""
    return _start_page(request)


def _start_page(request: Request, status: int = 200, trouble: str = "", sent: _Sent = _Sent()) -> Response:  # noqa: B008 - it cannot be changed
    """The form, as far as a browser keeps what was filled in: not the file."""
    return page(request, "replay_start.html", status, trouble=trouble, sent=sent, most=_MOST_BYTES)


async def receive(request: Request) -> Response:
    """Take a record, or a case, which the assistant goes on with."""
    sent = _Sent()
    try:
        sent = await _read(request)
        _check_free(request, tr("Other games are being replayed first. Send this one again in a minute."))
        number = int(sent.number) if sent.number.isdecimal() and len(sent.number) < 7 else None
        upload = await _worked_out(request, partial(_sort_out, sent.data, sent.name, number))
    except CluedoError as error:
        return _start_page(request, HTTPStatus.BAD_REQUEST, as_sentence(tr(error)), sent)
    except HTTPException as error:
        if error.status_code not in (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.TOO_MANY_REQUESTS):
            raise
        return _start_page(request, error.status_code, error.detail, sent)
    check_may_begin(request)
    if upload.kind == "case":
        return redirect(request, f"/assistant/{await keep_case(request, upload.text)}")
    token = new_link_secret()
    await site_of(request).database.put(_KIND, token, upload.text)
    return redirect(request, f"/replay/{token}")


def _check_free(request: Request, told: str, **headers: str) -> None:
    """Raise 429, with what the visitor is told, while no more games are replayed for them at a time."""
    if site_of(request).replay_jobs.full(visitor_of(request).address):
        raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, told, {"Retry-After": "5", **headers})


async def _worked_out(request: Request, work: Callable[[], R]) -> R:
    """Run work beside the tables, for a minute at most; raises CluedoError."""
    try:
        return await run_beside_tables(request, work)
    except TookTooLong:
        raise CluedoError(
            "It takes too long to replay this game here. On a computer of your own, `cluedo replay` does it."
        ) from None


async def _read(request: Request) -> _Sent:
    """What the form sends; raises 413 where it is too much."""
    async with sent_form(request, 2 * _MOST_BYTES, files=1, fields=8, part=_MOST_BYTES) as form:
        file, number = form.get("file"), str(form.get("number", "")).strip()
        if isinstance(file, UploadFile) and file.filename:
            name = tr("the file {name}", name=one_line(file.filename, 60))
            sent = _Sent(await file.read(_MOST_BYTES + 1), name, number)
        else:
            text = str(form.get("text", ""))
            sent = _Sent(text.encode(), tr("the text"), number, text)
    if len(sent.data) > _MOST_BYTES:
        raise too_large()
    return sent


async def show(request: Request) -> Response:
    """A game, turn by turn."""
    token = request.path_params["token"]
    text = await _text(request, token)
    pages, key = site_of(request).replay_pages, (token, current())
    if key not in pages:
        await check_detective(request)
    if key not in pages:  # all who come meanwhile wait for the same
        told = tr("Other games are being replayed first. This page will then load by itself.")
        _check_free(request, told, Refresh="5")
        pages[key] = asyncio.create_task(_worked_out(request, partial(_replay_context, text)))
        while len(pages) > _MOST_PAGES:
            pages.popitem(last=False)
    pages.move_to_end(key)
    try:
        context = await asyncio.shield(pages[key])
    except CluedoError:  # it takes too long, or the board it was played on is not here any more
        raise
    except Exception:  # another time it may go well
        pages.pop(key, None)
        raise
    return page(request, "replay_game.html", link=f"/replay/{token}", **context)


async def download(request: Request) -> Response:
    """The record itself."""
    text = await _text(request, request.path_params["token"])
    headers = {"Content-Disposition": 'attachment; filename="game.jsonl"'}
    return Response(f"{text}\n", media_type="application/json", headers=headers)


async def _text(request: Request, token: str) -> str:
    text = await site_of(request).database.get(_KIND, token) if is_link_secret(token) else None
    if text is None:
        raise HTTPException(404, tr("There is no such game here any more."))
    return text


routes = [
    Route("/replay", start),
    Route("/replay", receive, methods=["POST"]),
    Route("/replay/{token}", show),
    Route("/replay/{token}/game.jsonl", download),
]
