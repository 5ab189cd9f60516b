"""The page on which a game is played at a table: its words, a stream of events for each seat, and commands.

The stream is the seat's own log. The id of a message is the moment after it. A browser that was cut off asks again with
the last id that it got, and receives what it has missed: nothing is lost, and nothing comes twice.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from cluedo.engine.board_svg import board_svg
from cluedo.engine.codec import command_json
from cluedo.engine.errors import CluedoError
from cluedo.language import tr
from cluedo.session.level_choice import hint_for
from cluedo.session.line_up import level_labels
from cluedo.session.sections import sections_json
from cluedo.session.tables.online_table import MomentPassed, OnlineTable
from cluedo.session.tables.showing import setting_json, update_json
from cluedo.web.callers import Caller, caller_of
from cluedo.web.guard import visitor_of
from cluedo.web.jobs import run_for_visitor
from cluedo.web.responses import page
from cluedo.web.shared import Site, site_of
from cluedo.web.submissions import read_json
from cluedo.web.templating import json_of

__all__ = ["routes", "table_page"]

_BEAT_S: Final = 15.0
"""How often a connection is told that it still stands; a browser that hears nothing for longer makes a new one."""
_AGAIN_MS: Final = 700
"""After how long a browser that was cut off comes back."""


def table_page(request: Request, caller: Caller, invitation: str, terms: dict[str, list[str]]) -> Response:
    """The table, with all that its script needs to begin.

    Args:
        request: asks for it.
        caller: who asks, and where the game is.
        invitation: the link by which others come.
        terms: what is played, and the rules that differ.
    """
    table, board = caller.table, caller.table.board
    return page(
        request,
        "table.html",
        table=table,
        board=board_svg(board, label=tr("The board {title}", title=board.title)) if board.has_grid else None,
        title=board.title,
        setting=setting_json(table),
        state=update_json(table, caller.key, 0),
        levels=level_labels(),
        words=_words(),
        invitation=invitation,
        terms=terms,
        seated=caller.seat is not None,
        stood_up=caller.stood_up,
    )


def _words() -> dict[str, Any]:
    """What the script of the table says."""
    return {
        "you": tr("You"),
        "your_turn": tr("Your turn"),
        "turn": tr("Turn {turn}"),
        "envelope": tr("Envelope"),
        "lost": tr("No connection: try again."),
        "level_plays": tr("A level plays for you."),
        "others_play": tr("{who} plays …"),
        "away": tr("away"),
        "offline": tr("offline"),
        "host": tr("host"),
        "out": tr("out"),
        "back": tr("I am back"),
        "yours": tr("yours"),
        "face_up": tr("face up"),
        "cards": tr("{count} cards"),
        "sure": tr("You are about to accuse {cards}. If you are wrong, you are out. Accuse?"),
        "ask": tr("ask"),
        "accuse": tr("accuse"),
        "in_the_envelope": tr("What is in the envelope?"),
        "seconds": tr("{count} s"),
        "note": tr("A note about {card}:"),
        "free": tr("free"),
        "sheet_cell": tr("{card}, {who}: {sign}"),
        "nothing": tr("nothing"),
        "watching": tr("{count} watching"),
        "dice": tr("Dice: {dice}"),
        "won": tr("won"),
        "copied": tr("Copied"),
        "cancel": tr("Cancel"),
        "close": tr("Close"),
        "do_it": tr("Do it"),
        "leave": tr("Leave the table?"),
        "leave_told": tr("A level plays on in your seat, and somebody else may take it."),
        "leave_yes": tr("Leave the table"),
        "change": {
            "away": {
                "title": tr("Let a level play for {name}?"),
                "told": tr("It plays at once, until {name} is back."),
                "yes": tr("Let a level play"),
            },
            "open": {
                "title": tr("Give the seat of {name} away?"),
                "told": tr("Whoever sits down there sees its cards and keeps the seat."),
                "yes": tr("Give it away"),
            },
        },
        "thinking": tr("The detective is thinking …"),
        "guide": {
            "hand": tr("These are your cards. None of them is in the envelope."),
            "walk": tr("Rooms and squares that you can reach are lit. Tap one: in a room you may ask."),
            "ask": tr("Choose a suspect and a weapon that you know nothing about, then ask."),
            "shown": tr("Only you see this card. Tap it away; your sheet has noted it."),
            "sheet": tr("Your sheet: ✓ holds the card, ✗ does not. A row with ✗ for all players is in the envelope."),
            "hint": tr("The detective tells you what is proved and what to ask next."),
            "accuse": tr("Sure of all three cards? Accuse. You can do so only once."),
            "next": tr("Next"),
            "enough": tr("No more tips"),
        },
    }


async def events(request: Request) -> Response:
    """The event stream of a seat or of a spectator."""
    caller = await caller_of(request)
    if request.method == "HEAD":  # which Starlette allows wherever GET is
        return Response(media_type="text/event-stream")
    site = site_of(request)
    address = visitor_of(request).address
    if site.streams.full(address):
        raise HTTPException(429, tr("Too many connections from one address: close some pages."), {"Retry-After": "30"})
    last = request.headers.get("last-event-id") or request.query_params.get("after", "")
    return _Stream(site, caller, address, last[:40])


class _Stream(StreamingResponse):
    """An event stream, which counts from its first moment, before anything of it is read, until whatever ends it."""

    def __init__(self, site: Site, caller: Caller, address: str, last: str):
        super().__init__(
            _messages(site, caller, last), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
        )
        self._site, self._caller, self._address = site, caller, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._site.streams.one(self._address):
            async with self._caller.open_table.connection(self._caller.key):
                await super().__call__(scope, receive, send)


async def _messages(site: Site, caller: Caller, last: str) -> AsyncIterator[str]:
    open_table, key = caller.open_table, caller.key
    yield f"retry: {_AGAIN_MS}\n\n"
    changes = -1
    while not site.closing:
        if await open_table.wait_for_change(changes, _BEAT_S):
            async with open_table.saved_table() as table:
                changes = table.changes
                message, last = _message(table, key, last), table.moment
            yield message
        else:
            yield "event: beat\ndata:\n\n"


def _message(table: OnlineTable, key: str, last: str) -> str:
    """What is new for somebody whose last known moment is this one."""
    update = update_json(table, key, table.seen_until(last))
    return f"id: {table.moment}\ndata: {json_of(update)}\n\n"


async def do(request: Request) -> Response:
    """A command: what is done, and the moment that it follows."""
    caller = await caller_of(request)
    value = await read_json(request)
    try:
        moment = await _act(caller, lambda table, seat: table.do(seat, value.get("after"), value.get("do")))
    except CluedoError as error:
        return JSONResponse({"error": tr("Not possible: {why}.", why=tr(error))}, 400)
    return JSONResponse({"moment": moment})


async def write(request: Request) -> Response:
    """A mark or a note on the own sheet."""
    caller = await caller_of(request)
    value = await read_json(request)
    await _act(caller, lambda table, seat: table.write(seat, value))
    return JSONResponse({})


async def back(request: Request) -> Response:
    """The person of a seat is back."""
    caller = await caller_of(request)
    await read_json(request)
    await _act(caller, lambda table, seat: table.come_back(seat))
    return JSONResponse({})


async def hint(request: Request) -> Response:
    """What the detective would do now on the own seat."""
    caller = await caller_of(request)
    seat = _check_seat(caller.seat)
    table = caller.table
    if not table.options.hints:
        raise HTTPException(403, tr("There are no hints at this table."))
    if table.phase != "playing":
        raise HTTPException(409, tr("no game is going on at this table"))
    since = table.seen_until(request.query_params.get("since", "")[:40])
    found = await run_for_visitor(request, hint_for, table.choice_task(seat), since)
    do = None if found[0].do is None else command_json(found[0].do, table.board)
    return JSONResponse({"sections": sections_json(found), "do": do})


async def _act(caller: Caller, work: Callable[[OnlineTable, int], None]) -> str:
    """Do something on the caller's present seat, which may have changed since the request began; the moment after.

    Raises 409 where the game has gone on: the page then shows what has happened.
    """

    def done(table: OnlineTable) -> str:
        work(table, _check_seat(table.seat_of(caller.key)))
        return table.moment

    try:
        return await caller.open_table.act(done)
    except MomentPassed as late:
        raise HTTPException(409, tr(late)) from None


def _check_seat(seat: int | None) -> int:
    if seat is None:
        raise HTTPException(403, tr("You have no seat at this table."))
    return seat


routes = [
    Route("/r/{id}/events", events),
    Route("/r/{id}/do", do, methods=["POST"]),
    Route("/r/{id}/sheet", write, methods=["POST"]),
    Route("/r/{id}/back", back, methods=["POST"]),
    Route("/r/{id}/hint", hint),
]
