"""Reads what visitors send, forms and JSON, with limits of size; and counts what they begin."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request

from cluedo.engine.file_io import Unreadable, json_object, writable
from cluedo.engine.phrase import Phrase
from cluedo.language import tr
from cluedo.web.guard import MOST_FORM, check_token, length_of, too_large, too_many, visitor_of
from cluedo.web.shared import site_of

__all__ = ["check_may_begin", "read_body", "read_form", "read_json", "sent_form"]


async def read_form(request: Request) -> Mapping[str, str]:
    """The fields of a form, which has to carry its token; files are left out.

    Raises:
        HTTPException: it is too large, or not from a page of ours.
    """
    async with sent_form(request, MOST_FORM, files=0, fields=200, part=MOST_FORM) as form:
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


async def read_json(request: Request) -> dict[str, Any]:
    """The JSON object that a script of ours sends; raises HTTPException as :func:`read_body`, and where it is none."""
    try:
        return json_object(await read_body(request, MOST_FORM), Phrase("a request"))
    except Unreadable:
        raise _not_understood() from None


async def read_body(request: Request, most: int) -> bytes:
    """What a script of ours sends, with the token in a header ``X-Token``, to be read where nobody waits for it.

    Raises:
        HTTPException: it is too large, or not from a page of ours.
    """
    _check_length(request, most)
    check_token(visitor_of(request), request.headers.get("x-token", ""))
    return await request.body()


def check_may_begin(request: Request) -> None:
    """Raise 429 for who begins too many tables, rematches, cases and records, which would push out those of others."""
    if not site_of(request).new_documents.take(visitor_of(request).address):
        raise too_many(60)


def _not_understood() -> HTTPException:
    return HTTPException(HTTPStatus.BAD_REQUEST, tr("This request cannot be understood."))


def _check_length(request: Request, most: int) -> None:
    """Raise 413 for a request whose header declares a longer body; no body comes without a length."""
    if length_of(request.headers) > most:
        raise too_large()
