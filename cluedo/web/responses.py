"""Makes answers of the site (pages, JSON, refusals), and reads forms and JSON that come in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache, partial
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from typing import Any, Final, ParamSpec, TypeVar

from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from cluedo.engine.phrase import Phrase
from cluedo.engine.reading import Unreadable, json_object, writable
from cluedo.language import languages, tr, unbroken
from cluedo.session.level_choice import PREPARING
from cluedo.web.guard import THEMES, Visitor, check_token, too_large
from cluedo.web.limits import Concurrent
from cluedo.web.pictures import picture, pictures_path
from cluedo.web.shared import site_of
from cluedo.web.templating import templates
from cluedo.web.workers import Workers
from cluedo.words.narration import as_sentence

__all__ = [
    "check_detective",
    "check_may_begin",
    "page",
    "read_form",
    "read_json",
    "redirect",
    "refusal_response",
    "refuse",
    "render_template",
    "run_counted",
    "run_detective",
    "run_for_visitor",
    "sent_form",
    "set_cookie",
    "site_path",
    "static_path",
    "visitor_of",
]

P = ParamSpec("P")
R = TypeVar("R")

_LANGUAGE_NAMES: Final = {"en": "English", "fr": "Français"}
_MOST_FORM: Final = 16_000


def visitor_of(request: Request) -> Visitor:
    """The visitor who sends a request."""
    visitor: Visitor = request.state.visitor
    return visitor


async def run_for_visitor(request: Request, function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
    """Run a function in a worker process for a visitor; raises 429 if too much runs for them already."""
    site = site_of(request)
    return await run_counted(site.workers, site.jobs, request, partial(function, *arguments, **keywords))


async def run_counted(workers: Workers, jobs: Concurrent, request: Request, work: Callable[[], R]) -> R:
    """Run work in these processes, as one of these jobs of a visitor; raises 429 if that has all that it may.

    Raises :class:`~cluedo.web.workers.TookTooLong`, too.
    """
    site, address = site_of(request), visitor_of(request).address
    if jobs.full(address):
        raise HTTPException(429, tr("Too many requests: wait a moment."), {"Retry-After": "5"})
    with jobs.one(address):
        working = asyncio.ensure_future(workers.run(work))
        site.on_closing.append(working.cancel)
        try:
            return await working
        except asyncio.CancelledError:
            if not site.closing:
                raise
            raise HTTPException(503, tr("This server is being stopped."), {"Retry-After": "5"}) from None
        finally:
            site.on_closing.remove(working.cancel)


async def run_detective(request: Request, function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
    """Run work that needs the detective in a worker process; raises 503 while it is being compiled."""
    await check_detective(request)
    return await run_for_visitor(request, function, *arguments, **keywords)


async def check_detective(request: Request) -> None:
    """Raise 503 while the detective is being compiled.

    A page that is refused so comes again by itself: what a form sends may not need the detective, only the page that
    it leads to.
    """
    workers = site_of(request).workers
    if not await workers.ready_soon():
        note = unbroken(tr(PREPARING, done=workers.percent))
        raise HTTPException(503, note, {"Retry-After": "5", "Refresh": "5"})


def site_path(request: Request, path: str) -> str:
    """A path of the site with the prefix that a proxy requires."""
    return f"{request.scope.get('root_path', '')}{path}"


def static_path(request: Request, name: str) -> str:
    """The path of a static file, which changes with the file."""
    return site_path(request, f"/static/{name}?v={_version(name)}")


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page from a template, in the visitor's language.

    Every template has ``tr`` and ``tr_count``; ``at(path)`` for links; ``static(name)`` for files of ours;
    ``data(value)`` for JSON in a script element; ``picture(drawing)`` of a card, and ``pictures``, where all are;
    ``visitor``; and ``here``, the path of the page with its query.
    """
    return HTMLResponse(render_template(request, template, **context), status)


def render_template(request: Request, template: str, **context: Any) -> str:
    """The HTML of a template: a page, or a part that a script puts into one."""
    visitor = visitor_of(request)
    pictures = site_path(request, pictures_path())
    return (
        templates()
        .get_template(template)
        .render(
            at=lambda path: site_path(request, path),
            static=lambda name: static_path(request, name),
            pictures=pictures,
            picture=partial(picture, pictures),
            visitor=visitor,
            here=request.scope["path"].removeprefix(request.scope.get("root_path", "")) + _query(request),
            languages={code: _LANGUAGE_NAMES.get(code, code) for code in languages()},
            themes=dict(zip(THEMES, (tr("as the device"), tr("light"), tr("dark")), strict=True)),
            **context,
        )
    )


def _query(request: Request) -> str:
    return f"?{request.url.query}" if request.url.query else ""


def redirect(request: Request, path: str) -> RedirectResponse:
    """Redirect to another page of the site after a form."""
    return RedirectResponse(site_path(request, path), HTTPStatus.SEE_OTHER)


def set_cookie(request: Request, answer: Response, path: str, name: str, value: str, seconds: int) -> None:
    """Let the browser send a value back to the pages below a path, for so many seconds."""
    secure = request.url.scheme == "https"
    answer.set_cookie(name, value, max_age=seconds, path=path, secure=secure, httponly=True, samesite="lax")


async def read_form(request: Request) -> Mapping[str, str]:
    """The fields of a form, which has to carry its token; files are left out.

    Raises:
        HTTPException: it is too large, or not from a page of ours.
    """
    async with sent_form(request, _MOST_FORM, files=0, fields=200, part=_MOST_FORM) as form:
        return {name: value for name, value in form.items() if isinstance(value, str)}


@asynccontextmanager
async def sent_form(request: Request, most: int, *, files: int, fields: int, part: int) -> AsyncIterator[FormData]:
    """A form of at most so many bytes, files and fields, and bytes of a field; files are closed after the ``with``.

    Raises:
        HTTPException: it is too large, not from a page of ours, or holds what is no text.
    """
    _check_length(request, most)
    _, told = parse_options_header(request.headers.get("content-type"))
    if told.get(b"charset", b"utf-8").lower() != b"utf-8":  # Python knows encodings that raise, warn, or make no text
        raise _not_understood()
    form = await request.form(max_files=files, max_fields=fields, max_part_size=part)
    try:
        check_token(visitor_of(request), str(form.get("token", "")))
        if not all(writable(name) and writable(value) for name, value in form.multi_items()):
            raise _not_understood()
        yield form
    finally:
        await form.close()


async def read_json(request: Request, most: int = _MOST_FORM) -> dict[str, Any]:
    """The JSON object that a script of ours sends, with the token in a header ``X-Token``.

    Raises:
        HTTPException: it is too large, not from a page of ours, or no JSON object.
    """
    _check_length(request, most)
    check_token(visitor_of(request), request.headers.get("x-token", ""))
    body = await request.body()
    if len(body) > most:
        raise too_large()
    try:
        return json_object(body, Phrase("a request"))
    except Unreadable:
        raise _not_understood() from None


def check_may_begin(request: Request) -> None:
    """Raise 429 for who begins too many tables, cases and records, which would push out those of others."""
    if not site_of(request).new_documents.take(visitor_of(request).address):
        raise HTTPException(429, tr("Too many requests: wait a moment."), {"Retry-After": "60"})


def _not_understood() -> HTTPException:
    return HTTPException(HTTPStatus.BAD_REQUEST, tr("This request cannot be understood."))


def _check_length(request: Request, most: int) -> None:
    """Raise 413 for a request whose header declares a longer body, and 411 for one that declares no length.

    Browsers declare it. A body without one is bounded by the guard alone, which allows for the longest of any page.
    """
    if "transfer-encoding" in request.headers:
        raise HTTPException(HTTPStatus.LENGTH_REQUIRED, tr("This request cannot be understood."))
    if int(request.headers.get("content-length", "0")) > most:
        raise too_large()


def refuse(request: Request, error: Exception) -> Response:
    """The answer to an error in one sentence: a page for people, JSON for scripts."""
    if not isinstance(error, HTTPException):
        return refusal_response(request, HTTPStatus.BAD_REQUEST, tr(error))
    text = error.detail
    if text == HTTPStatus.NOT_FOUND.phrase:
        text = tr("There is nothing here.")
    elif text == HTTPStatus.METHOD_NOT_ALLOWED.phrase:
        text = tr("This page does not accept such a request.")
    answer = refusal_response(request, error.status_code, text)
    answer.headers.update(error.headers or {})
    return answer


def refusal_response(request: Request, status: int, text: str) -> Response:
    """A refusal with this sentence: a page for people, JSON for scripts."""
    if "text/html" not in request.headers.get("accept", "text/html"):
        return JSONResponse({"error": as_sentence(text)}, status)
    return page(request, "refusal.html", status, code=int(status), text=as_sentence(text))


@cache
def _version(name: str) -> str:
    """A hash of a static file for its link, so that browsers cache it until it changes."""
    return sha256(files("cluedo.web").joinpath("static", name).read_bytes()).hexdigest()[:10]
