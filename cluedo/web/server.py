"""The web server: a page with a terminal in it, for a limited number of visitors, each with a process of their own.

Nothing is loaded from anywhere else, which the page's content security policy lets the browser enforce.
A page of another site that a visitor has open cannot play in their name: the browser says where a
connection comes from, and only our own page is let in. What a visitor sends is bounded everywhere, and
whoever sends more than their game can take is shown out.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from aiohttp import WSMsgType, web
from jinja2 import Environment
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from cluedo.language import tr

__all__ = ["WebServer"]

_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_HEARTBEAT_S = 15.0
_LONGEST_MESSAGE = 8192
"""In bytes: longer than anything that is typed or pasted into a game."""
_STALL_S = 1.5
"""How long a game may take none of what its visitor sends; what is on the way to it fills two pipes first."""
_END_S = 1.5
"""How long a visit may take to end when it is asked to."""
_COLUMNS, _LINES = (20, 500), (10, 200)
"""The smallest and the largest terminal: an 8K screen has room for no more."""


class _Visit(AppService):
    """The process of a visitor, which ends with the visit, and the visit with it."""

    def __init__(self, arguments: list[str], connection: web.WebSocketResponse):
        async def close() -> None:
            await connection.close()

        super().__init__(
            "",
            write_bytes=connection.send_bytes,
            write_str=connection.send_str,
            close=close,
            download_manager=DownloadManager(),
        )
        self._arguments = arguments

    async def _open_app_process(self, width: int = 80, height: int = 24) -> asyncio.subprocess.Process:
        """Start it without a shell and in a session of its own: a Ctrl-C is for the server."""
        environment = self._build_environment(width, height)
        environment["TEXTUAL_DRIVER"] = "cluedo.tui.web_driver:PacedDriver"
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *self._arguments, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
        )
        self._stdin = self._process.stdin
        return self._process

    async def run(self) -> None:
        """Hand on what it shows, until it ends."""
        await super().run()
        await self.remote_close()

    async def stop(self) -> None:
        """Ask it to end, make it end, and wait until it has."""
        if self._process is None or self._task is None:
            return
        for order in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, order)
            with suppress(TimeoutError):
                async with asyncio.timeout(_END_S):
                    await self._process.wait()
                    break
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def hear(self, message: str) -> None:
        """Hand on what the page sends; what is no message of ours is passed over."""
        match _parsed(message):
            case ["stdin", str(typed)]:
                await self.send_bytes(typed.encode("utf-8", "replace"))
            case ["resize", {"width": int(width), "height": int(height)}]:
                await self.set_terminal_size(_within(width, _COLUMNS), _within(height, _LINES))
            case ["blur", *_]:
                await self.blur()
            case ["focus", *_]:
                await self.focus()


class WebServer:
    """Serves visits.

    Args:
        visitors: the most at a time.
        language: the code of the language that they are spoken to in.
        anybody: whether other machines are let in; if not, the page answers to names of this machine alone.
    """

    def __init__(self, *, visitors: int, language: str, anybody: bool):
        self._most, self._language, self._anybody = visitors, language, anybody
        self._visits: dict[web.WebSocketResponse, _Visit] = {}
        self._folder = ""

    def run(self, listening: socket.socket) -> None:
        """Serve until Ctrl-C or SIGTERM; the visits and their folders are gone afterwards."""
        app = web.Application(middlewares=[self._check])
        statics = Path(str(files("textual_serve"))) / "static"
        app.add_routes(
            [web.get("/", self._index), web.get("/ws", self._websocket), web.static("/static", statics)],
        )
        app.on_shutdown.append(self._end_all)
        with TemporaryDirectory(prefix="cluedo-visits-") as self._folder:
            web.run_app(app, sock=listening, print=None, access_log=None, shutdown_timeout=2 * _END_S)

    @web.middleware
    async def _check(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Refuse what a page of somebody else sends, or sends by a name that leads here by a trick."""
        origin = request.headers.get("Origin")
        try:
            ours = origin is None or urlsplit(origin).netloc == request.host
            named = self._anybody or urlsplit(f"//{request.host}").hostname in _LOOPBACK
        except ValueError:  # an address that is none
            ours = named = False
        if not ours:
            raise web.HTTPForbidden(text="another page may not play here")
        if not named:
            raise web.HTTPForbidden(text="this is served to its own machine only")
        return await handler(request)

    async def _index(self, request: web.Request) -> web.Response:  # noqa: ARG002 - it is the same for all
        """The page with the terminal in it."""
        template = files("cluedo.web").joinpath("visit.html").read_text(encoding="utf-8")
        page = (
            Environment(autoescape=True)
            .from_string(template)
            .render(
                language=self._language,
                opening=tr("Starting …"),
                closed=tr("The visit has ended."),
                again=tr("Again"),
                no_script=tr("This page needs JavaScript."),
            )
        )
        headers = {"Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff"}
        return web.Response(text=page, content_type="text/html", headers=headers)

    async def _websocket(self, request: web.Request) -> web.WebSocketResponse:
        """One visit, from its first byte to its last."""
        if len(self._visits) >= self._most:
            raise web.HTTPServiceUnavailable(text="too many visitors")
        connection = web.WebSocketResponse(heartbeat=_HEARTBEAT_S, timeout=_END_S, max_msg_size=_LONGEST_MESSAGE)
        with TemporaryDirectory(dir=self._folder) as folder:
            # -P: the folder that the server was started in is nothing to a visit.
            program = [sys.executable, "-P", "-m", "cluedo.tui.served", folder, self._language]
            visit = self._visits[connection] = _Visit(program, connection)
            try:
                await connection.prepare(request)
                await visit.start(_size(request, "width", 80, _COLUMNS), _size(request, "height", 24, _LINES))
                async for message in connection:
                    if message.type is WSMsgType.TEXT:
                        async with asyncio.timeout(_STALL_S):
                            await visit.hear(message.data)
            except (TimeoutError, ConnectionError):
                pass
            finally:
                await visit.stop()
                del self._visits[connection]
        await connection.close()
        return connection

    async def _end_all(self, app: web.Application) -> None:  # noqa: ARG002 - aiohttp's signature
        """End all visits."""
        await asyncio.gather(*(visit.stop() for visit in self._visits.values()))
        await asyncio.gather(*(connection.close() for connection in list(self._visits)))


def _parsed(message: str) -> Any:
    """What a message of the page says, or None."""
    try:
        return json.loads(message)
    except (ValueError, RecursionError):
        return None


def _size(request: web.Request, name: str, default: int, bounds: tuple[int, int]) -> int:
    """A measure of the terminal, as the page's address has it."""
    try:
        return _within(int(request.query.get(name, "")), bounds)
    except ValueError:
        return default


def _within(value: int, bounds: tuple[int, int]) -> int:
    return max(bounds[0], min(value, bounds[1]))
