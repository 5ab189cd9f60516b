"""The pages around a game in a room: opening it, joining it, waiting for the others, and the links to a seat."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from typing import Any, Final, NamedTuple

import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cluedo.engine.editions import shipped_editions
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.language import tr, tr_count
from cluedo.session.boards import default_map, loaded_board
from cluedo.session.level_choice import KERNELS, prepare_levels
from cluedo.session.line_up import LONGEST_NAME, level_labels
from cluedo.session.rooms.room import Room, create_room
from cluedo.session.rooms.seating import (
    CLOCKS,
    EDITION,
    MOST_CHAIRS,
    RoomOptions,
    free_suspects,
)
from cluedo.session.rooms.showing import state_json
from cluedo.web.answers import check_may_begin, page, read_form, redirect, set_cookie, site_path
from cluedo.web.open_rooms import OpenRoom, OpenRooms, record_name
from cluedo.web.shared import Site, site_of
from cluedo.web.table_page import table_page
from cluedo.words.exercise_text import rule_sentences
from cluedo.words.narration import as_sentence

__all__ = ["Caller", "begin", "caller_of", "end", "routes"]

_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_ID_LENGTH: Final = 10
_COOKIE: Final = "seat"
_COOKIE_S: Final = 90 * 86_400


class Caller(NamedTuple):
    """Who asks for something in a room.

    Attributes:
        open_room: the room.
        key: what tells who they are there; empty without a seat.
        seat: their seat, or None.
    """

    open_room: OpenRoom
    key: str
    seat: int | None

    @property
    def room(self) -> Room:
        """The room itself."""
        return self.open_room.room


async def begin(site: Site) -> None:
    """Make the rooms ready to be entered, and let the levels be prepared meanwhile."""
    site.workers.prepare(prepare_levels, KERNELS)
    site.areas["rooms"] = OpenRooms(site)


async def end(site: Site) -> None:
    """Close all rooms."""
    await site.areas["rooms"].close()


def _rooms(request: Request) -> OpenRooms:
    rooms: OpenRooms = site_of(request).areas["rooms"]
    return rooms


def _key(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest() if secret else ""


async def caller_of(request: Request) -> Caller:
    """Who asks, at a room that is saved as it is then; raises 404 where there is no such room."""
    id = request.path_params["id"]
    found = await _rooms(request).get(id) if len(id) == _ID_LENGTH else None
    if found is None:
        raise HTTPException(404, tr("There is no such table: the link is incomplete, or the table was left long ago."))
    key = _key(request.cookies.get(_COOKIE, ""))
    async with found.saved_room() as room:
        seat = room.seat_of(key)
    return Caller(found, key if seat is not None else "", seat)


def _remember(request: Request, answer: Response, id: str, secret: str) -> None:
    """Let the browser keep the secret of its seat."""
    set_cookie(request, answer, site_path(request, f"/r/{id}"), _COOKIE, secret, _COOKIE_S)


# ---- opening a room ------------------------------------------------------------------------------


def _boards() -> list[tuple[str, str]]:
    boards = [loaded_board(name) for name in map_names()]
    return [(board.map.name, board.title) for board in boards if board.has_grid]


def _editions() -> list[tuple[str, str]]:
    return [(f"{EDITION}{edition.name}", tr(edition.title)) for edition in shipped_editions()]


def _clock_name(seconds: int) -> str:
    if not seconds:
        return tr("no clock")
    if seconds < 60:
        return tr_count("{count} second per turn", "{count} seconds per turn", seconds)
    if seconds < 3600:
        return tr_count("{count} minute per turn", "{count} minutes per turn", seconds // 60)
    return tr_count("{count} day per turn", "{count} days per turn", seconds // 86_400)


def _new_page(request: Request, fields: dict[str, str], trouble: str = "", status: int = 200) -> Response:
    return page(
        request,
        "new_room.html",
        status,
        boards=_boards(),
        editions=_editions(),
        levels=level_labels(),
        clocks=[(seconds, _clock_name(seconds)) for seconds in CLOCKS],
        seats=range(1, MOST_CHAIRS),
        longest=LONGEST_NAME,
        fields=fields,
        trouble=trouble,
    )


_USUAL: Final = {
    "seat-1": "open",
    "seat-2": "medium",
    "seat-3": "hard",
    "clock": "0",
    "hints": "on",
    "movement": "walk",
}


async def new_room(request: Request) -> Response:
    """The form that opens a room."""
    return _new_page(request, _USUAL | {"map": default_map()})


async def open_room(request: Request) -> Response:
    """Open a room as the form says, and go there as its host."""
    form = dict(await read_form(request))
    check_may_begin(request)
    secret = secrets.token_urlsafe(18)
    try:
        clock = int(form["clock"]) if form.get("clock", "").isdecimal() and len(form["clock"]) < 9 else -1
        options = RoomOptions.checked(form.get("map"), form.get("movement"), form.get("hints") == "on", clock)
        others = [who for k in range(1, MOST_CHAIRS) if (who := form.get(f"seat-{k}", ""))]
        room = create_room(_new_id(), options, _key(secret), form.get("name", ""), others)
    except CluedoError as error:
        return _new_page(request, form, as_sentence(tr(error)), 400)
    return await _go_to_new(request, room, secret)


async def play_computer(request: Request) -> Response:
    """Deal the cards at once, to the visitor and two players of a level; the page explains itself as it goes."""
    level = (await read_form(request)).get("level", "")
    check_may_begin(request)
    secret = secrets.token_urlsafe(18)
    room = create_room(_new_id(), RoomOptions(default_map()), _key(secret), tr("You"), [level] * 2)
    room.start(_key(secret))
    return await _go_to_new(request, room, secret, "?guide")


def _new_id() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))


async def _go_to_new(request: Request, room: Room, secret: str, query: str = "") -> Response:
    await _rooms(request).add(room)
    answer = redirect(request, f"/r/{room.id}{query}")
    _remember(request, answer, room.id, secret)
    return answer


# ---- in a room -----------------------------------------------------------------------------------


async def enter(request: Request) -> Response:
    """A room, as far as it is: joining, waiting or playing."""
    caller = await caller_of(request)
    room = caller.room
    watches = "watch" in request.query_params
    if caller.seat is None and not watches and (room.open_chairs and room.phase != "over"):
        return _join_page(request, room)
    if room.phase == "lobby":
        return _lobby_page(request, caller)
    return table_page(request, room, caller.key, _address(request, f"/r/{room.id}"), _terms(room))


def _terms(room: Room) -> dict[str, list[str]]:
    """What is played here in a few words, and the rules that are not those of the box."""
    options = room.options
    hints = [] if options.hints else [tr("no hints")]
    return {
        "about": [options.title, _clock_name(options.clock), *hints],
        "rules": rule_sentences(options.rules(len(room.chairs))),
    }


def _join_page(request: Request, room: Room, trouble: str = "", name: str = "", status: int = 200) -> Response:
    deck = room.board.deck
    suspects = [
        (number, deck.names[deck.suspects[number]], room.board.map.suspects[number].colour)
        for number in free_suspects(room.chairs, deck)
    ]
    return page(
        request,
        "join.html",
        status,
        room=room,
        chairs=state_json(room, None)["chairs"],
        suspects=suspects if room.phase == "lobby" else [],
        longest=LONGEST_NAME,
        trouble=trouble,
        name=name,
        terms=_terms(room),
    )


def _lobby_page(request: Request, caller: Caller) -> Response:
    room = caller.room
    state = state_json(room, caller.seat, host=room.is_host(caller.key))
    least, most = room.options.players
    return page(
        request,
        "lobby.html",
        state=state,
        room=room,
        stood_up=caller.seat is None and _COOKIE in request.cookies,
        levels=level_labels(),
        invitation=_address(request, f"/r/{room.id}"),
        terms=_terms(room),
        more=len(room.chairs) < most,
        fewer=len(room.chairs) > least,
        ready=not room.open_chairs and least <= len(room.chairs) <= most,
    )


async def join(request: Request) -> Response:
    """Sit down."""
    caller = await caller_of(request)
    form = await read_form(request)
    if caller.room.seat_of(_key(request.cookies.get(_COOKIE, ""))) is not None:  # sent twice
        return redirect(request, f"/r/{caller.room.id}")
    suspect = int(form["suspect"]) if form.get("suspect", "").isdecimal() and len(form["suspect"]) < 4 else None
    secret = secrets.token_urlsafe(18)
    try:
        await caller.open_room.act(lambda room: room.sit(_key(secret), form.get("name", ""), suspect))
    except CluedoError as error:
        return _join_page(request, caller.room, as_sentence(tr(error)), form.get("name", ""), 400)
    answer = redirect(request, f"/r/{caller.room.id}")
    _remember(request, answer, caller.room.id, secret)
    return answer


async def move_here(request: Request) -> Response:
    """Take a seat along to another device, by the link that only its person has."""
    caller = await caller_of(request)
    secret = request.path_params["secret"]
    if caller.room.seat_of(_key(secret)) is None:
        raise HTTPException(404, tr("This link no longer leads to a seat."))
    answer = redirect(request, f"/r/{caller.room.id}")
    _remember(request, answer, caller.room.id, secret)
    return answer


async def my_link(request: Request) -> Response:
    """The link of one's own, to open on another device, with its QR code."""
    caller = await caller_of(request)
    if caller.seat is None:
        raise HTTPException(403, tr("You have no seat at this table."))
    link = _address(request, f"/r/{caller.room.id}/mine/{request.cookies[_COOKIE]}")
    return page(request, "my_link.html", link=link, room=caller.room)


async def qr(request: Request) -> Response:
    """The QR code of the invitation, or of the own link."""
    caller = await caller_of(request)
    path = f"/r/{caller.room.id}"
    if request.path_params.get("what") == "mine" and caller.seat is not None:
        path += f"/mine/{request.cookies[_COOKIE]}"
    drawn = BytesIO()
    segno.make(_address(request, path), micro=False).save(
        drawn, kind="svg", border=2, dark="#221c18", light="#ffffff", svgclass=None, lineclass=None, omitsize=True
    )
    return Response(drawn.getvalue(), media_type="image/svg+xml")


def _address(request: Request, path: str) -> str:
    """A link as others reach it."""
    return f"{request.url.scheme}://{request.headers.get('host', '')}{site_path(request, path)}"


def _doing(work: Callable[[Room, str, dict[str, str]], None]) -> Callable[[Request], Any]:
    """A handler of a form that does something in a room and goes back there."""

    async def handle(request: Request) -> Response:
        caller = await caller_of(request)
        form = dict(await read_form(request))
        await caller.open_room.act(lambda room: work(room, caller.key, form))
        return redirect(request, f"/r/{caller.room.id}")

    return handle


def _set_chair(room: Room, key: str, form: dict[str, str]) -> None:
    text, who = form.get("number", ""), form.get("who", "")
    number = int(text) if text.isdecimal() and len(text) < 3 else -1
    if who == "remove":
        room.remove_chair(key, number)
    else:
        room.set_chair(key, number, who)


async def record(request: Request) -> Response:
    """The record of a game that is over, to be kept."""
    caller = await caller_of(request)
    if caller.room.phase != "over":
        raise HTTPException(403, tr("The record shows all cards: it can be downloaded when the game is over."))
    headers = {"Content-Disposition": f'attachment; filename="cluedo-{caller.room.id}.json"'}
    return Response(caller.room.record + "\n", media_type="application/json", headers=headers)


async def look_back(request: Request) -> Response:
    """The replay and the reviews of a game that is over."""
    caller = await caller_of(request)
    if caller.room.phase != "over":
        raise HTTPException(403, tr("A game can be replayed when it is over."))
    return redirect(request, f"/look-back/{record_name(caller.room)}")


routes = [
    Route("/play", new_room),
    Route("/play", open_room, methods=["POST"]),
    Route("/play/computer", play_computer, methods=["POST"]),
    Route("/r/{id}", enter),
    Route("/r/{id}/join", join, methods=["POST"]),
    Route("/r/{id}/mine", my_link),
    Route("/r/{id}/mine/{secret}", move_here),
    Route("/r/{id}/qr", qr),
    Route("/r/{id}/qr/{what}", qr),
    Route("/r/{id}/record", record),
    Route("/r/{id}/look-back", look_back),
    Route("/r/{id}/chairs", _doing(_set_chair), methods=["POST"]),
    Route("/r/{id}/chairs/more", _doing(lambda room, key, _: room.add_chair(key)), methods=["POST"]),
    Route("/r/{id}/start", _doing(lambda room, key, _: room.start(key)), methods=["POST"]),
    Route("/r/{id}/rematch", _doing(lambda room, key, _: room.rematch(key)), methods=["POST"]),
    Route("/r/{id}/leave", _doing(lambda room, key, _: room.leave(key)), methods=["POST"]),
]
