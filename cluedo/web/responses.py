"""Makes answers of the site: pages, redirections, refusals."""

from __future__ import annotations

from functools import cache, partial
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from cluedo.language import languages, own_name, tr
from cluedo.web.guard import THEMES, YEAR_S, visitor_of
from cluedo.web.pictures import picture, pictures_path
from cluedo.web.templating import templates
from cluedo.words.narration import as_sentence

__all__ = [
    "page",
    "redirect",
    "refusal_response",
    "refuse",
    "render_template",
    "set_cookie",
    "site_path",
    "static_path",
    "static_version",
]


def site_path(request: Request, path: str) -> str:
    """A path of the site with the prefix that a proxy requires."""
    return f"{request.scope.get('root_path', '')}{path}"


def static_path(request: Request, name: str) -> str:
    """The path of a static file, which changes with the file."""
    return site_path(request, f"/static/{name}?v={static_version(name)}")


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page from a template, in the visitor's language; their browser keeps the name that it has here.

    Every template has ``tr`` and ``tr_count``; ``at(path)`` for links; ``static(name)`` for files of ours;
    ``data(value)`` for JSON in a script element; ``picture(drawing)`` of a card, and ``pictures``, where all are;
    ``visitor``; and ``here``, the path of the page with its query.
    """
    answer, visitor = HTMLResponse(render_template(request, template, **context), status), visitor_of(request)
    if visitor.is_new:
        set_cookie(request, answer, site_path(request, "") or "/", "visitor", visitor.name)
    return answer


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
            languages={code: own_name(code) for code in languages()},
            themes=dict(zip(THEMES, (tr("as the device"), tr("light"), tr("dark")), strict=True)),
            **context,
        )
    )


def _query(request: Request) -> str:
    return f"?{request.url.query}" if request.url.query else ""


def redirect(request: Request, path: str) -> RedirectResponse:
    """Redirect to another page of the site after a form."""
    return RedirectResponse(site_path(request, path), HTTPStatus.SEE_OTHER)


def set_cookie(request: Request, answer: Response, path: str, name: str, value: str) -> None:
    """Let the browser send a value back to the pages below a path, for a year."""
    secure = request.url.scheme == "https"
    answer.set_cookie(name, value, max_age=YEAR_S, path=path, secure=secure, httponly=True, samesite="lax")


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


def refusal_response(request: Request, status: int, text: str, back: str = "/") -> Response:
    """A refusal with this sentence: for people a page, which leads back to the start or a table; JSON for scripts."""
    if "text/html" not in request.headers.get("accept", "text/html"):
        return JSONResponse({"error": as_sentence(text)}, status)
    return page(request, "refusal.html", status, text=as_sentence(text), back=back, gone=status == HTTPStatus.NOT_FOUND)


@cache
def static_version(name: str) -> str:
    """A hash of a static file for its link, so that browsers cache it until it changes."""
    return sha256(files("cluedo.web").joinpath("static", name).read_bytes()).hexdigest()[:10]
