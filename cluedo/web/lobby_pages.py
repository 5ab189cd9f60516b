"""The pages around a game at a table: opening it, joining it, waiting for the others, and the links to a seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from io import BytesIO
from typing import Final

import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cluedo.engine.board import Board
from cluedo.engine.editions import shipped_editions
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.language import tr, tr_count
from cluedo.session.boards import default_map, movements
from cluedo.session.line_up import LONGEST_NAME, level_labels
from cluedo.session.tables.online_table import OnlineTable, create_table
from cluedo.session.tables.seating import (
    CLOCKS,
    EDITION,
    MOST_SEATS,
    TableOptions,
    free_suspects,
)
from cluedo.session.tables.showing import state_json
from cluedo.web.callers import Caller, caller_of, key_of, new_table_id, remember_seat
from cluedo.web.open_tables import record_name
from cluedo.web.responses import page, redirect, refusal_response, site_path
from cluedo.web.shared import is_link_secret, new_link_secret, site_of
from cluedo.web.submissions import check_may_begin, read_form
from cluedo.web.table_page import table_page
from cluedo.words.narration import as_sentence
from cluedo.words.rule_text import rule_sentences

__all__ = ["routes"]


# ---- opening a table -----------------------------------------------------------------------------


def _boards() -> list[tuple[str, str]]:
    boards = [Board.load(name) for name in map_names()]
    return [(board.map.name, board.title) for board in boards if board.has_grid]


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
        "new_table.html",
        status,
        boards=_boards(),
        editions=[(f"{EDITION}{edition.name}", tr(edition.title)) for edition in shipped_editions()],
        levels=level_labels(),
        movements=movements(),
        clocks=[(seconds, _clock_name(seconds)) for seconds in CLOCKS],
        seats=range(1, MOST_SEATS),
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


async def new_table(request: Request) -> Response:
    """The form that opens a table."""
    return _new_page(request, _USUAL | {"map": default_map()})


async def open_table(request: Request) -> Response:
    """Open a table as the form says, and go there as its host."""
    form = dict(await read_form(request))
    check_may_begin(request)
    secret = new_link_secret()
    try:
        clock = int(form["clock"]) if form.get("clock", "").isdecimal() and len(form["clock"]) < 9 else -1
        options = TableOptions.checked(form.get("map"), form.get("movement"), form.get("hints") == "on", clock)
        others = [who for k in range(1, MOST_SEATS) if (who := form.get(f"seat-{k}", ""))]
        table = create_table(new_table_id(), options, key_of(secret), form.get("name", ""), others)
    except CluedoError as error:
        return _new_page(request, form, as_sentence(tr(error)), 400)
    return await _go_to_new(request, table, secret)


async def play_computer(request: Request) -> Response:
    """Deal the cards at once, to the visitor and two players of a level; the page explains itself as it goes."""
    level = (await read_form(request)).get("level", "")
    check_may_begin(request)
    secret = new_link_secret()
    table = create_table(new_table_id(), TableOptions(default_map()), key_of(secret), tr("Guest"), [level] * 2)
    table.start(key_of(secret))
    return await _go_to_new(request, table, secret, "?guide")


async def _go_to_new(request: Request, table: OnlineTable, secret: str, query: str = "") -> Response:
    await site_of(request).tables.add(table)
    answer = redirect(request, f"/r/{table.id}{query}")
    remember_seat(request, answer, table.id, secret)
    return answer


# ---- at a table ----------------------------------------------------------------------------------


async def enter(request: Request) -> Response:
    """A table, as far as it is: joining, waiting or playing."""
    caller = await caller_of(request)
    table = caller.table
    watches = "watch" in request.query_params
    if caller.seat is None and not watches and (table.open_seats and table.phase != "over"):
        return _join_page(request, table)
    if table.phase == "lobby":
        return _lobby_page(request, caller)
    return table_page(request, caller, _address(request, f"/r/{table.id}"), _terms(table))


def _terms(table: OnlineTable) -> dict[str, list[str]]:
    """What is played here in a few words, and the rules that are not those of the box."""
    options = table.options
    hints = [] if options.hints else [tr("no hints")]
    return {
        "about": [options.title, _clock_name(options.clock), *hints],
        "rules": rule_sentences(options.rules(len(table.seats))),
    }


def _suspects(table: OnlineTable, seat: int | None = None) -> list[tuple[int, str, str]]:
    """By number, the names and the colours of the suspects that nobody but this seat has chosen."""
    deck, others = table.board.deck, [other for number, other in enumerate(table.seats) if number != seat]
    return [
        (number, deck.names[deck.suspects[number]], table.board.map.suspects[number].colour)
        for number in free_suspects(others, deck)
    ]


def _join_page(request: Request, table: OnlineTable, trouble: str = "", name: str = "", status: int = 200) -> Response:
    return page(
        request,
        "join.html",
        status,
        table=table,
        seats=state_json(table, None)["seats"],
        suspects=_suspects(table) if table.phase == "lobby" else [],
        longest=LONGEST_NAME,
        secret=new_link_secret(),  # so it is the same seat if the answer is lost and the form is sent again
        trouble=trouble,
        name=name,
        terms=_terms(table),
    )


def _lobby_page(request: Request, caller: Caller) -> Response:
    table = caller.table
    state = state_json(table, caller.seat, host=table.is_host(caller.key))
    least, most = table.options.players
    return page(
        request,
        "lobby.html",
        state=state,
        table=table,
        stood_up=caller.stood_up,
        levels=level_labels(),
        suspects=_suspects(table, caller.seat),
        invitation=_address(request, f"/r/{table.id}"),
        local=_only_here(request),
        terms=_terms(table),
        more=len(table.seats) < most,
        fewer=len(table.seats) > least,
        ready=not table.open_seats and least <= len(table.seats) <= most,
    )


def _suspect(form: Mapping[str, str]) -> int | None:
    """The suspect that a form chooses by number; None for any."""
    return int(form["suspect"]) if form.get("suspect", "").isdecimal() and len(form["suspect"]) < 4 else None


async def join(request: Request) -> Response:
    """Sit down."""
    form = await read_form(request)
    caller = await caller_of(request)
    if caller.seat is not None:  # sent twice
        return redirect(request, f"/r/{caller.table.id}")
    if not is_link_secret(secret := form.get("secret", "")):
        secret = new_link_secret()
    try:
        await caller.open_table.act(lambda table: table.sit(key_of(secret), form.get("name", ""), _suspect(form)))
    except CluedoError as error:
        return _join_page(request, caller.table, as_sentence(tr(error)), form.get("name", ""), 400)
    answer = redirect(request, f"/r/{caller.table.id}")
    remember_seat(request, answer, caller.table.id, secret)
    return answer


async def move_here(request: Request) -> Response:
    """Take a seat along to another device, by the link that only its person has."""
    caller = await caller_of(request)
    secret, back = request.path_params["secret"], f"/r/{caller.table.id}"
    if caller.table.seat_of(key_of(secret)) is None:
        raise HTTPException(404, tr("This link no longer leads to a seat."))
    if caller.seat is not None and caller.secret != secret:  # who follows another player's link keeps their own seat
        return refusal_response(request, HTTPStatus.CONFLICT, tr("you already have a seat at this table"), back)
    answer = redirect(request, back)
    remember_seat(request, answer, caller.table.id, secret)
    return answer


async def my_link(request: Request) -> Response:
    """The link of one's own, to open on another device, with its QR code."""
    caller = await caller_of(request)
    if caller.seat is None:
        raise HTTPException(403, tr("You have no seat at this table."))
    link = _address(request, f"/r/{caller.table.id}/mine/{caller.secret}")
    return page(request, "my_link.html", link=link, table=caller.table, local=_only_here(request))


async def qr(request: Request) -> Response:
    """The QR code of the invitation, or of the own link."""
    caller = await caller_of(request)
    path = f"/r/{caller.table.id}"
    if request.path_params.get("what") == "mine" and caller.seat is not None:
        path += f"/mine/{caller.secret}"
    drawn = BytesIO()
    segno.make(_address(request, path), micro=False).save(
        drawn, kind="svg", border=2, dark="#221c18", light="#ffffff", svgclass=None, lineclass=None, omitsize=True
    )
    return Response(drawn.getvalue(), media_type="image/svg+xml")


def _address(request: Request, path: str) -> str:
    """A link as others reach it."""
    return f"{request.url.scheme}://{request.headers.get('host', '')}{site_path(request, path)}"


def _only_here(request: Request) -> bool:
    """Whether no other device can follow a link of ours: we are asked by a name that each machine has for itself."""
    return request.url.hostname in ("127.0.0.1", "localhost", "::1")


def _form(path: str, work: Callable[[OnlineTable, str, dict[str, str]], None], *, begins: bool = False) -> Route:
    """The route of a form that does something at a table and goes back there; home, if nobody is left at it.

    Who types its address, or was sent it, goes to the table as well. One that ``begins`` another game, whose record is
    kept, counts as what an address begins.
    """

    async def handle(request: Request) -> Response:
        caller = await caller_of(request)
        back = f"/r/{caller.table.id}"
        if request.method != "POST":
            return redirect(request, back)
        form = dict(await read_form(request))
        if begins:
            check_may_begin(request)
        try:
            await caller.open_table.act(lambda table: work(table, caller.key, form))
        except CluedoError as error:
            return refusal_response(request, HTTPStatus.BAD_REQUEST, tr(error), back)
        return redirect(request, back if caller.table.host else "/")

    return Route(path, handle, methods=["GET", "POST"])


def _set_seat(table: OnlineTable, key: str, form: dict[str, str]) -> None:
    text, who = form.get("number", ""), form.get("who", "")
    number = int(text) if text.isdecimal() and len(text) < 3 else -1
    if who == "remove":
        table.remove_seat(key, number)
    elif who == "away":
        table.let_level_play(key, number)
    else:
        table.set_seat(key, number, who)


async def record(request: Request) -> Response:
    """The record of a game that is over, to be kept."""
    caller = await caller_of(request)
    if caller.table.phase != "over":
        raise HTTPException(403, tr("The record shows all cards: it can be downloaded when the game is over."))
    headers = {"Content-Disposition": f'attachment; filename="cluedo-{caller.table.id}.json"'}
    return Response(caller.table.record + "\n", media_type="application/json", headers=headers)


async def replay(request: Request) -> Response:
    """The replay and the reviews of a game that is over: the last one, or the ``game`` that is asked for by number."""
    caller = await caller_of(request)
    table, game = caller.table, request.query_params.get("game", "")
    if table.phase != "over" and game in ("", table.game):
        raise HTTPException(403, tr("A game can be replayed when it is over."))
    return redirect(request, f"/replay/{record_name(table.id, game or table.game)}")


routes = [
    Route("/play", new_table),
    Route("/play", open_table, methods=["POST"]),
    Route("/play/computer", play_computer, methods=["POST"]),
    Route("/r/{id}", enter),
    Route("/r/{id}", join, methods=["POST"]),
    Route("/r/{id}/mine", my_link),
    Route("/r/{id}/mine/{secret}", move_here),
    Route("/r/{id}/qr", qr),
    Route("/r/{id}/qr/{what}", qr),
    Route("/r/{id}/record", record),
    Route("/r/{id}/replay", replay),
    _form("/r/{id}/seats", _set_seat),
    _form("/r/{id}/pawn", lambda table, key, form: table.choose_suspect(key, _suspect(form))),
    _form("/r/{id}/seats/more", lambda table, key, _: table.add_seat(key)),
    _form("/r/{id}/start", lambda table, key, _: table.start(key)),
    _form("/r/{id}/rematch", lambda table, key, _: table.rematch(key), begins=True),
    _form("/r/{id}/leave", lambda table, key, _: table.leave(key)),
]
