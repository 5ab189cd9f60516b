"""The web server: textual-serve with a page of our own, for a limited number of visitors.

Nothing is loaded from anywhere else, which the page's content security policy lets the browser enforce.
A page of another site that a visitor has open cannot play in their name: the browser says where a
connection comes from, and only our own page is let in.
"""

from __future__ import annotations

import asyncio
import shlex
import socket
import sys
from importlib.resources import files
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from aiohttp import web
from jinja2 import Environment
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from cluedo.language import tr

__all__ = ["WebServer"]

_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_HEARTBEAT_S = 15.0
_END_S = 3.0
"""How long a visit may take to end."""


class _Visit(AppService):
    """The process of a visitor, which ends with the visit."""

    async def stop(self) -> None:
        """Ask it to end, and see to it."""
        process = self._process
        if process is None:
            return
        try:
            async with asyncio.timeout(_END_S):
                await super().stop()
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


class WebServer(Server):
    """Serves visits.

    Args:
        visitors: the most at a time.
        language: the code of the language that they are spoken to in.
        anybody: whether other machines are let in; if not, the page answers to names of this machine alone.
    """

    def __init__(self, *, visitors: int, language: str, anybody: bool):
        super().__init__("", title="Cluedo")
        self._most, self._language, self._anybody = visitors, language, anybody
        self._visits: set[web.WebSocketResponse] = set()

    def run(self, listening: socket.socket) -> None:
        """Serve until Ctrl-C or SIGTERM; the visits' folders are gone afterwards."""
        with TemporaryDirectory(prefix="cluedo-visits-") as folder:
            # -P: the folder that the server was started in is nothing to a visit.
            lobby = [sys.executable, "-P", "-m", "cluedo.tui.lobby", folder, self._language]
            self.command = shlex.join(lobby)
            web.run_app(self._make_app(), sock=listening, print=None, access_log=None, shutdown_timeout=2 * _END_S)

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: the command has."""

    async def handle_index(self, request: web.Request) -> web.Response:
        """The page with the terminal in it."""
        self._check(request)
        template = files("cluedo.web").joinpath("visit.html").read_text(encoding="utf-8")
        page = (
            Environment(autoescape=True)
            .from_string(template)
            .render(
                language=self._language,
                opening=tr("The house is being opened …"),
                closed=tr("The visit has ended."),
                again=tr("Again"),
                no_script=tr("This page needs JavaScript."),
            )
        )
        headers = {"Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff"}
        return web.Response(text=page, content_type="text/html", headers=headers)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """One visit, from its first byte to its last."""
        self._check(request)
        if len(self._visits) >= self._most:
            raise web.HTTPServiceUnavailable(text="too many visitors")
        connection = web.WebSocketResponse(heartbeat=_HEARTBEAT_S)
        self._visits.add(connection)

        async def close() -> None:
            await connection.close()

        try:
            await connection.prepare(request)
            visit = _Visit(
                self.command,
                write_bytes=connection.send_bytes,
                write_str=connection.send_str,
                close=close,
                download_manager=self.download_manager,
            )
            await visit.start(to_int(request.query.get("width", ""), 80), to_int(request.query.get("height", ""), 24))
            try:
                await self._process_messages(connection, visit)
            finally:
                await visit.stop()
        finally:
            self._visits.discard(connection)
        return connection

    async def on_shutdown(self, app: web.Application) -> None:  # noqa: ARG002  # textual-serve's signature
        """End all visits."""
        for connection in list(self._visits):
            await connection.close()

    def _check(self, request: web.Request) -> None:
        """Refuse what a page of somebody else sends, or sends by a name that leads here by a trick."""
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise web.HTTPForbidden(text="another page may not play here")
        if not self._anybody and urlsplit(f"//{request.host}").hostname not in _LOOPBACK:
            raise web.HTTPForbidden(text="this is served to its own machine only")
