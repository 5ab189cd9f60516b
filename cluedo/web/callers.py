"""Which table and which seat a request is about: a link names the table, and a cookie holds the secret of the seat."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cluedo.language import tr
from cluedo.session.tables.online_table import OnlineTable
from cluedo.web.open_tables import OpenTable
from cluedo.web.responses import set_cookie, site_path
from cluedo.web.shared import site_of

__all__ = ["Caller", "caller_of", "key_of", "new_table_id", "remember_seat"]

_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_ID_LENGTH: Final = 10
_COOKIE: Final = "seat"


class Caller(NamedTuple):
    """Who asks for something at a table.

    Attributes:
        open_table: the table.
        secret: what their browser keeps, also where it leads to no seat any more; empty if it keeps nothing.
        key: what tells who they are there; empty without a seat.
        seat: their seat, or None.
    """

    open_table: OpenTable
    secret: str
    key: str
    seat: int | None

    @property
    def stood_up(self) -> bool:
        """Whether they had a seat that is theirs no more."""
        return self.seat is None and bool(self.secret)

    @property
    def table(self) -> OnlineTable:
        """The table itself."""
        return self.open_table.table


async def caller_of(request: Request) -> Caller:
    """Who asks, at a table that is saved as it is then; raises 404 where there is no such table."""
    id = request.path_params["id"]
    found = await site_of(request).tables.get(id) if len(id) == _ID_LENGTH else None
    if found is None:
        raise HTTPException(404, tr("There is no such table: the link is incomplete, or the table was left long ago."))
    secret = request.cookies.get(_COOKIE, "")
    key = key_of(secret)
    async with found.saved_table() as table:
        seat = table.seat_of(key)
    return Caller(found, secret, key if seat is not None else "", seat)


def new_table_id() -> str:
    """The end of the link of a new table."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))


def key_of(secret: str) -> str:
    """What a table knows of a secret; nothing of none."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest() if secret else ""


def remember_seat(request: Request, answer: Response, id: str, secret: str) -> None:
    """Let the browser keep the secret of its seat at a table."""
    set_cookie(request, answer, site_path(request, f"/r/{id}"), _COOKIE, secret)
