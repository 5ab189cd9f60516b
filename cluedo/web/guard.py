"""Checks every request before any page sees it: the name of the host, the sender, and how much one client may ask for.

A page of another site cannot act in a visitor's name: browsers say where a request comes from, and forms carry a token
that only our own pages know. A foreign name that points at this server (DNS rebinding) is refused. Browsers are told
that our pages load nothing from elsewhere and run no inline code.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
import socket
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from time import monotonic
from typing import Final
from urllib.parse import unquote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request, cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cluedo.language import languages, speaking, tr

__all__ = [
    "MOST_FORM",
    "POLICY",
    "THEMES",
    "YEAR_S",
    "Allowance",
    "Concurrent",
    "Guard",
    "Limits",
    "Visitor",
    "caching",
    "check_token",
    "client_of",
    "length_of",
    "own_names",
    "too_large",
    "too_many",
    "visitor_of",
]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
THEMES: Final = ("auto", "light", "dark")
MOST_FORM: Final = 16_000
"""Bytes of a form; a longer body is an upload, which lies in memory until all of it has come."""
YEAR_S: Final = 31_536_000
"""The seconds of a year."""
_UNCHANGING: Final = f"public, max-age={YEAR_S}, immutable"
"""How long browsers keep what has another address when it changes."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_WHOLE_ADDRESS: Final = re.compile(rb"https?://([^/]+)(/.*)?", re.IGNORECASE)
_HOST: Final = re.compile(r"[^\s/?#@\\]{0,260}")
"""A name or an address, perhaps with a port (RFC 9112, 3.2): links that pages show begin with it."""
_VISITOR: Final = re.compile(r"[A-Za-z0-9_-]{20,50}")
_REMEMBERED = 10_000
"""Clients whose allowances are kept in mind; those who have not come for the longest time are forgotten first."""


# ---- how much a client may ask for -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """What clients may ask of one server.

    Attributes:
        uploads: bodies longer than a form by one address at a time.
        all_uploads: the same in all.
        burst: requests at once by one address, after a rest.
        per_second: requests by one address in the long run.
        streams: connections for events by one address at a time.
        all_streams: the same in all.
        jobs: what worker processes do for one address at a time.
        all_jobs: the same in all.
        replays: games that one address has read and replayed at a time, and files of cases that it has made.
        all_replays: the same in all.
        connections: connections of one address at a time, also those that send nothing.
        all_connections: the same in all.
        new_documents: tables, rematches, cases and records that one address begins at once, after a rest.
        new_documents_per_second: the same in the long run.
        tables: tables that are kept; those that were left the longest time ago make place for new ones.
        documents: cases that are kept, and records; likewise.
    """

    uploads: int = 4
    all_uploads: int = 50
    burst: int = 200
    per_second: float = 20.0
    streams: int = 40
    all_streams: int = 2_000
    jobs: int = 8
    all_jobs: int = 100
    replays: int = 1
    all_replays: int = 20
    connections: int = 200
    all_connections: int = 3_000
    new_documents: int = 60
    new_documents_per_second: float = 1 / 60
    tables: int = 2_000
    documents: int = 20_000


class Allowance:
    """Requests by address: each may make ``burst`` at once, and gets ``per_second`` new ones.

    >>> allowance = Allowance(burst=2, per_second=1.0, clock=lambda: 0.0)
    >>> [allowance.take("a"), allowance.take("a"), allowance.take("a"), allowance.take("b")]
    [True, True, False, True]
    """

    def __init__(self, burst: int, per_second: float, clock: Callable[[], float] = monotonic):
        self._burst, self._per_second, self._clock = burst, per_second, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether the address may make one more request now; if so, it counts."""
        now = self._clock()
        left, then = self._left.pop(address, (float(self._burst), now))
        left = min(float(self._burst), left + (now - then) * self._per_second)
        granted = left >= 1.0
        self._left[address] = (left - granted, now)
        if len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)
        return granted


class Concurrent:
    """Counts what is under way, by address and in all: event streams, uploads, or jobs of worker processes.

    Args:
        each: how many an address may have at a time.
        total: how many there may be in all.
    """

    def __init__(self, each: int, total: int):
        self._each, self._total = each, total
        self._counts: Counter[str] = Counter()

    def full(self, address: str) -> bool:
        """Whether no more may begin for the address: it has all that it may, or there are too many in all."""
        return self._counts[address] >= self._each or self._counts.total() >= self._total

    @contextmanager
    def one(self, address: str) -> Iterator[None]:
        """Count one for the address, for as long as the ``with`` block lasts; :meth:`full` is to be asked before."""
        self._counts[address] += 1
        try:
            yield
        finally:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]


def client_of(address: str) -> str:
    """By whom requests and connections are counted: the address; for IPv6 the network, all of which one may have."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4 or found.ipv4_mapped:
        return str(found if found.version == 4 else found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))


# ---- who asks ----------------------------------------------------------------------------------------


class Visitor:
    """The sender of a request, as far as cookies tell.

    Attributes:
        name: a random name of the browser.
        is_new: whether it had none before.
        language: the code of the language that they are spoken to in.
        theme: one of :data:`THEMES`.
        token: what forms of this browser carry.
        address: where the request comes from.
    """

    def __init__(self, headers: Headers, address: str, secret: bytes, language: str):
        cookies = cookie_parser(headers.get("cookie", ""))
        name = cookies.get("visitor", "")
        self.is_new = not _VISITOR.fullmatch(name)
        self.name = secrets.token_urlsafe(24) if self.is_new else name
        chosen = cookies.get("language", "")
        self.language = (
            chosen if chosen in languages() else _accepted(headers.get("accept-language", ""), default=language)
        )
        theme = cookies.get("theme", "")
        self.theme = theme if theme in THEMES else "auto"
        self.token = hmac.digest(secret, self.name.encode(), "sha256").hex()[:32]
        self.address = address


def _accepted(wishes: str, *, default: str) -> str:
    """The first language of an ``Accept-Language`` that is spoken here; browsers send them in order."""
    codes = (wish.partition(";")[0].strip()[:2].lower() for wish in wishes[:200].split(","))
    return next((code for code in codes if code in languages()), default)


def visitor_of(request: Request) -> Visitor:
    """The visitor who sends a request."""
    visitor: Visitor = request.state.visitor
    return visitor


def check_token(visitor: Visitor, token: str) -> None:
    """Raise 403 unless a form carries the token of its visitor."""
    if not hmac.compare_digest(visitor.token.encode(), token.encode("utf-8", "replace")):
        raise HTTPException(403, tr("This form is no longer valid: reload the page and send it again."))


# ---- the requests ------------------------------------------------------------------------------------


class Guard:
    """Middleware around the whole site.

    Args:
        app: what is guarded.
        refuse: makes an answer of a refusal.
        limits: what a client may ask for.
        secret: what the tokens of forms are made from.
        hosts: the names by which this server is called, besides addresses; None where any name will do.
        language: of those who wish for none that is spoken here.
    """

    def __init__(
        self,
        app: ASGIApp,
        refuse: Callable[[Request, HTTPException], Response],
        *,
        limits: Limits,
        secret: bytes,
        hosts: frozenset[str] | None,
        language: str,
    ):
        self.app, self._refuse = app, refuse
        self._limits, self._secret, self._hosts, self._language = limits, secret, hosts, language
        self._allowance = Allowance(limits.burst, limits.per_second)
        self._uploads = Concurrent(limits.uploads, limits.all_uploads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope = _in_origin_form(scope)
        headers = Headers(scope=scope)
        address = client_of(scope["client"][0]) if scope.get("client") else ""
        visitor = Visitor(headers, address, self._secret, self._language)
        scope.setdefault("state", {})["visitor"] = visitor
        with speaking(visitor.language), ExitStack() as under_way:
            refusal = self._refusal(scope, headers, address)
            if refusal is None and length_of(headers) > MOST_FORM:
                under_way.enter_context(self._uploads.one(address))
            app = self._refuse(Request(scope), refusal) if refusal else self.app
            await app(scope, receive, self._answering(send))

    def _refusal(self, scope: Scope, headers: Headers, address: str) -> HTTPException | None:
        """Why a request is refused; None if it is not."""
        host = headers.get("host", "")
        if not self._is_ours(host):
            return HTTPException(400, tr("This server does not know this name; allow it with --trusted-host NAME."))
        if scope["method"] not in _SAFE and not _is_same_site(headers, host):
            return HTTPException(403, tr("Requests from other sites are refused."))
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if not path.startswith("/static/") and not self._allowance.take(address):
            return too_many(5)
        length, chunked = length_of(headers), "transfer-encoding" in headers
        if scope["method"] in _SAFE and (length or chunked):
            return HTTPException(400, tr("This request cannot be understood."))  # nobody would read its body
        if chunked:  # browsers declare a length, by which a page refuses what is too long for it
            return HTTPException(411, tr("This request cannot be understood."))
        if length > MOST_FORM and self._uploads.full(address):
            return too_many(5)
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:  # an address that is none
            return False
        if not _HOST.fullmatch(host):
            return False
        return self._hosts is None or name in self._hosts or _is_address(name)

    @staticmethod
    def _answering(send: Send) -> Send:
        """Send, with the headers that every answer has."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        return answer


def _in_origin_form(scope: Scope) -> Scope:
    """A request for a whole address, as if it had asked for the path alone; this address then counts, not its Host.

    So RFC 9112 (3.2.2) has it, for clients that take a server for a proxy.
    """
    root: str = scope.get("root_path", "")
    found = _WHOLE_ADDRESS.fullmatch(scope.get("raw_path", b"").removeprefix(root.encode()))
    if found is None:
        return scope
    host, path = found[1], found[2] or b"/"
    headers = [(b"host", host), *((name, value) for name, value in scope["headers"] if name != b"host")]
    return {**scope, "path": root + unquote(path), "raw_path": root.encode() + path, "headers": headers}


def _is_address(name: str) -> bool:
    """Whether a host is an IP address: those are allowed, since nobody can redirect an address here."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_same_site(headers: Headers, host: str) -> bool:
    origin = headers.get("origin")
    if origin is not None:
        return origin.lower().partition("://")[2] == host.lower()
    return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")


def length_of(headers: Headers) -> int:
    """The bytes of a request's body, which the server has checked to be a number."""
    return int(headers.get("content-length", "0"))


def too_large() -> HTTPException:
    """The refusal of a body that is too long."""
    return HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, tr("What was sent is too large."))


def too_many(again_s: int) -> HTTPException:
    """The refusal of a client who asks for more than it may, and may ask again after so many seconds."""
    return HTTPException(429, tr("Too many requests: wait a moment."), {"Retry-After": str(again_s)})


def caching(scope: Scope, address: str) -> str:
    """How long browsers may keep what has another address, such as ``…?v=VERSION``, when it changes.

    The page of another version of the program asks for what that had: what it gets in its place is not to be kept at
    that address, where the same page would find it for a year after a way back to that version.
    """
    return _UNCHANGING if address.encode().endswith(b"?" + scope["query_string"]) else "no-cache"


def own_names() -> frozenset[str]:
    """The names by which this machine is called, as far as it knows."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name.partition('.')[0]}.local"})
