"""The assistant at a real table: a page for each case, behind a secret link.

A case is kept as one document. Every change carries an ``id`` and the version that it follows (``after``). A change
that is sent twice, because the connection broke, counts once. A change to an older version is refused, and the answer
holds the present one, so that two phones cannot overwrite each other. Browsers keep the log as well: if the server has
lost a case, the browser sends it again, under the same link.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cluedo.ai.knowledge import MODELS
from cluedo.engine.errors import CluedoError
from cluedo.engine.rules import MAX_SEATS
from cluedo.language import tr
from cluedo.session.boards import default_map, shipped_board
from cluedo.web.assist_work import (
    MOST_LINE,
    answer,
    complete,
    download,
    look,
    offered_editions,
    open_case,
    restore,
)
from cluedo.web.jobs import check_detective, run_beside_tables, run_detective, run_for_visitor
from cluedo.web.responses import page, redirect, render_template, site_path
from cluedo.web.shared import is_link_secret, new_link_secret, site_of
from cluedo.web.submissions import check_may_begin, read_body, read_form, read_json
from cluedo.words.narration import as_sentence

__all__ = ["keep_case", "routes"]

_KIND: Final = "case"
_MOST_LOG: Final = 500_000
"""Bytes of a case that a browser brings back, its log and what stands beside it: more than any game makes."""
_FILES: Final = {
    "case.json": (".json", 0, "application/json"),
    "case.html": (".html", 0, "text/html"),
    "sheet.csv": (".csv", 0, "text/csv"),
    "timeline.csv": (".csv", 1, "text/csv"),
    "case.png": (".png", 0, "image/png"),
}
"""By name, the ending that exports know it by, which of the files of it, and what it is."""


@dataclass(frozen=True, slots=True)
class _StoredCase:
    """A case as the server keeps it: its state, how many changes made it, and the ``id`` of the last of them."""

    state: str
    version: int = 0
    last: str = ""

    @property
    def text(self) -> str:
        """The same as JSON."""
        return json.dumps(asdict(self))


async def start(request: Request) -> Response:
    """A new case, or one that this browser knows."""
    return _start_page(request)


def _start_page(request: Request, told: Mapping[str, str] | None = None, trouble: str = "") -> Response:
    """The form, as far as it was filled in."""
    told = told or {}
    editions = offered_editions()
    chosen = told.get("edition", default_map())
    boards = [shipped_board(name) for name in sorted({edition.map for edition in editions})]
    return page(
        request,
        "assist_start.html",
        400 if trouble else 200,
        editions=[(one, tr(one.title)) for one in editions],
        boards=boards,
        edition=chosen,
        chosen=next((one.map for one in editions if one.name == chosen), default_map()),
        told=told,
        trouble=trouble,
        seats=range(MAX_SEATS),
        models=list(MODELS),
    )


async def create(request: Request) -> Response:
    """Begin a case."""
    form = await read_form(request)
    check_may_begin(request)
    try:
        state = await run_for_visitor(request, open_case, form)
    except CluedoError as error:
        return _start_page(request, form, as_sentence(tr(error)))
    return redirect(request, f"/assistant/{await keep_case(request, state)}")


async def keep_case(request: Request, state: str) -> str:
    """Keep a new case; gives the secret of its link."""
    token = new_link_secret()
    await site_of(request).database.put(_KIND, token, _StoredCase(state).text)
    return token


async def show(request: Request) -> Response:
    """The page of a case; one that is not here may still be in the browser."""
    token = _token(request)
    kept = await _get(request, token)
    if kept is None:
        return page(request, "assist_lost.html", 404, token_of_case=token)
    view = await run_detective(request, look, kept.state)
    link = f"/assistant/{token}"
    return page(request, "assist.html", case=view, version=kept.version, link=link, reply=None, **_browser_copy(kept))


async def enter(request: Request) -> Response:
    """Take a line, an entry or a command."""
    token, wish = _token(request), await read_json(request)
    kept = await _found(request, token)
    line, id = str(wish.get("line", ""))[: MOST_LINE + 1], str(wish.get("id", ""))[:40]
    if len(line) > MOST_LINE:
        raise CluedoError("This line is too long.")
    if (id and id == kept.last) or wish.get("after") != kept.version:
        return await _gone_on(request, token, id, kept)
    answered = await run_detective(request, answer, kept.state, line, sure=wish.get("sure") is True)
    if answered.changed:
        fresh = _StoredCase(answered.state, kept.version + 1, id)
        if not await site_of(request).database.replace(_KIND, token, kept.text, fresh.text):
            return await _gone_on(request, token, id, await _found(request, token))
        kept = fresh
    return _case_json(request, token, kept, answered.view, reply=answered.reply)


async def _gone_on(request: Request, token: str, id: str, kept: _StoredCase) -> Response:
    """The answer if the case was changed in the meantime: by this very line, sent twice, or by somebody else."""
    view = await run_detective(request, look, kept.state)
    if id and id == kept.last:
        return _case_json(request, token, kept, view)
    error = tr("The case was changed on another device. Look at it, and enter this again.")
    return _case_json(request, token, kept, view, status=409, error=error)


def _browser_copy(kept: _StoredCase) -> dict[str, Any]:
    """What a browser stores to be able to restore the case: its ``log`` and its ``memory``."""
    memory = json.loads(kept.state)
    return {"log": memory.pop("log"), "memory": memory}


def _case_json(
    request: Request,
    token: str,
    kept: _StoredCase,
    view: Mapping[str, Any],
    *,
    reply: Mapping[str, Any] | None = None,
    status: int = 200,
    error: str = "",
) -> Response:
    """The case for the script of its page: values for the form, the rest as it stands in the page."""
    parts = render_template(request, "assist_parts.html", case=view, link=f"/assistant/{token}", reply=reply)
    return JSONResponse(
        {
            "version": kept.version,
            **_browser_copy(kept),
            **{name: view[name] for name in ("next", "hand", "to_lay_open")},
            "kind": None if reply is None else reply["kind"],
            "parts": parts,
            "error": error,
        },
        status,
    )


async def offer(request: Request) -> Response:
    """How a line may go on."""
    kept = await _found(request, _token(request))
    line = request.query_params.get("line", "")[:MOST_LINE]
    found = await run_detective(request, complete, kept.state, line)
    return JSONResponse([{"word": word, "line": whole} for word, whole in found])


async def file(request: Request) -> Response:
    """A file of a case, to be saved."""
    name = request.path_params["name"]
    if name not in _FILES:
        raise HTTPException(404)
    kept = await _found(request, _token(request))
    ending, part, kind = _FILES[name]
    await check_detective(request)
    data = await run_beside_tables(request, download, kept.state, ending, part)
    return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def bring_back(request: Request) -> Response:
    """Take a case from the browser that kept it, where this server has lost it, and nobody has brought it meanwhile."""
    token, sent = _token(request), await read_body(request, _MOST_LOG)
    if await _get(request, token) is None:
        check_may_begin(request)
        state = await run_for_visitor(request, restore, sent)
        await site_of(request).database.put(_KIND, token, _StoredCase(state).text, new=True)
    return JSONResponse({"at": site_path(request, f"/assistant/{token}")})


# ---- what is kept ------------------------------------------------------------------------------------


def _token(request: Request) -> str:
    token: str = request.path_params["token"]
    if not is_link_secret(token):
        raise HTTPException(404)
    return token


async def _get(request: Request, token: str) -> _StoredCase | None:
    text = await site_of(request).database.get(_KIND, token)
    return None if text is None else _StoredCase(**json.loads(text))


async def _found(request: Request, token: str) -> _StoredCase:
    kept = await _get(request, token)
    if kept is None:
        raise HTTPException(404, tr("There is no such case here any more."))
    return kept


routes = [
    Route("/assistant", start),
    Route("/assistant", create, methods=["POST"]),
    Route("/assistant/{token}", show),
    Route("/assistant/{token}/line", enter, methods=["POST"]),
    Route("/assistant/{token}/offers", offer),
    Route("/assistant/{token}/back", bring_back, methods=["POST"]),
    Route("/assistant/{token}/{name}", file),
]
