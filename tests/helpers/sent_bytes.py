"""All that a site sends to each of its visitors during a game whose cards and commands are given beforehand.

Two such games whose deals a visitor cannot tell apart have to send that visitor the same bytes.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from queue import Queue
from typing import Any, Final

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cluedo.engine import game
from cluedo.engine.codec import command_json
from cluedo.engine.commands import Command
from cluedo.engine.deal import Deal
from cluedo.session.level_choice import ChoiceTask
from cluedo.session.tables.online_table import OnlineTable
from cluedo.web import open_tables, site as web_site, table_page
from cluedo.web.guard import Limits
from cluedo.web.shared import SiteSettings
from cluedo.web.site import make_site
from helpers.sites import Client
from helpers.web_tables import USUAL

VISITORS: Final = ("Ann", "Bob", "watcher")
"""Those at the table: Ann and Bob have seats 0 and 1, a level has seat 2, and somebody watches."""
_LEVEL: Final = 2
_PATIENCE_S: Final = 120.0


class Tap:
    """Everything that an application sends, by the address that it is sent to.

    Attributes:
        sent: what :attr:`app` sent to each address: status and headers, and then bodies, piece by piece.
    """

    def __init__(self, app: Any):
        self.app = app
        self.sent: defaultdict[str, list[Any]] = defaultdict(list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app: ASGIApp = self.app
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        sent = self.sent[scope["client"][0]]

        async def tapped(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent.append((scope["method"], scope["path"], message["status"], sorted(message["headers"])))
            else:
                sent.append(message["body"])
            await send(message)

        await app(scope, receive, tapped)


class TappedTable:
    """A game at a table of the site.

    Attributes:
        path: of the table.
        visitors: by name.
    """

    def __init__(self, tap: Tap, visitors: dict[str, Client], chosen: Queue[Command | None]):
        self._tap, self.visitors, self._chosen = tap, visitors, chosen
        self._streams: dict[str, list[str]] = {}
        ann, bob, _ = visitors.values()
        sent = ann.send_form("/play", **USUAL, **{"seat-1": "open", "seat-2": "easy"})
        self.path = sent.url.path
        bob.send_form(self.path, name="Bob")
        for number, name in enumerate(visitors, start=1):
            self._listen(name)
            self._wait(lambda number=number: sum(map(len, self._streams.values())) == number * (number + 1) // 2)
        ann.send_form(f"{self.path}/start")

    @property
    def table(self) -> OnlineTable:
        """The table, as the server has it."""
        tables = self._tap.app.app.state.site.tables
        found: OnlineTable = tables._open[self.path.rpartition("/")[2]].table
        return found

    def sent(self, name: str) -> list[Any]:
        """All that was sent to a visitor so far; first what was asked for, then the stream."""
        return [*self._tap.sent[name], *self._tap.sent[f"{name}'s stream"]]

    def act(self, command: Command) -> None:
        """Let whoever is to act do this, and everybody be told."""
        table = self.table
        seat, moment = table.session.game.state.to_act, table.moment
        if seat == _LEVEL:
            self._chosen.put(command)
        else:
            visitor = self.visitors[VISITORS[seat]]
            done = visitor.send_json(f"{self.path}/do", {"after": moment, "do": command_json(command, table.board)})
            assert done.status_code == 200, done.text
        self._wait(lambda: table.moment != moment and all(told[-1] == table.moment for told in self._streams.values()))

    def look_around(self, name: str) -> None:
        """Ask for all that can be asked for, and for what is not allowed."""
        visitor, path, moment = self.visitors[name], self.path, self.table.moment
        for page in ("", "?watch", "/record", "/replay", "/mine", "/qr", "/qr/mine", "/mine/wrong", "/nothing"):
            visitor.get(f"{path}{page}", follow_redirects=False)
        cards = ["Rope", "Rope", "Rope"]
        wrong = [{"type": "fly"}, {"type": "peek", "position": 0}, {"type": "accusation", "cards": cards}, None]
        if VISITORS[self.table.session.game.state.to_act :][:1] != (name,):
            wrong += [{"type": "show", "card": card} for card in range(3)]
        for deed in wrong:
            assert visitor.send_json(f"{path}/do", {"after": moment, "do": deed}).status_code in (400, 403)
        visitor.send_json(f"{path}/do", {"after": "0.0.0", "do": {"type": "roll"}})
        visitor.send_json(f"{path}/sheet", {"card": 0, "column": 2, "sign": "?"})
        visitor.send_json(f"{path}/sheet", {"card": 99, "note": "?"})
        for form in ("start", "rematch", "join", "seats"):
            visitor.send_form(f"{path}/{form}", name="Cyd", number="9")

    def _listen(self, name: str) -> None:
        """Open the stream of a visitor, as a request of its own that does not end."""
        visitor = self.visitors[name]
        told = self._streams[name] = []
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.cookies.jar)
        scope = {
            "type": "http",
            "method": "GET",
            "path": f"{self.path}/events",
            "query_string": b"",
            "root_path": "",
            "scheme": "http",
            "headers": [(b"host", b"testserver"), (b"cookie", cookies.encode()), (b"accept", b"text/event-stream")],
            "client": (f"{name}'s stream", 1),
            "server": ("testserver", 80),
            "state": {},
            "app": None,
        }

        async def send(message: Message) -> None:
            text = message.get("body", b"").decode()
            told.extend(line[4:] for line in text.splitlines() if line.startswith("id: "))

        async def receive() -> Message:
            await asyncio.Event().wait()
            raise AssertionError("nobody goes away")

        visitor.portal.start_task_soon(self._tap, scope, receive, send)

    def _wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + _PATIENCE_S
        while not until():
            assert time.monotonic() < end, "the streams do not tell"
            time.sleep(0.001)


@contextmanager
def table(deal: Deal) -> Iterator[TappedTable]:
    """A table where these cards are dealt, and the level of seat 2 does what it is told to.

    All that is drawn by lot beside the cards (names of tables, secrets of seats, tokens) is the same every time.
    """
    chosen: Queue[Command | None] = Queue()
    numbers = count(1)

    def think(_: ChoiceTask) -> list[Command]:
        command = chosen.get()
        return [] if command is None else [command]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game, "draw_deal", lambda *_: deal)
        patch.setattr(open_tables, "think", think)
        patch.setattr(table_page, "_BEAT_S", None)  # how often it comes, a clock decides
        patch.setattr(secrets, "token_urlsafe", lambda _: f"{next(numbers):022d}")
        patch.setattr(secrets, "choice", lambda choices: choices[next(numbers) % len(choices)])
        patch.setattr(secrets, "randbits", lambda _: 5)
        patch.setattr(web_site, "token_bytes", bytes)
        tap = Tap(make_site(SiteSettings(limits=Limits(burst=10**6, streams=10))))
        with Client(tap, headers={"Accept": "text/html"}, client=(VISITORS[0], 1)) as first:
            visitors = {VISITORS[0]: first}
            for name in VISITORS[1:]:
                visitors[name] = Client(tap, headers={"Accept": "text/html"}, client=(name, 1))
                visitors[name].portal = first.portal
            try:
                yield TappedTable(tap, visitors, chosen)
            finally:
                chosen.put(None)
                first.portal.call(tap.app.app.state.site.end_streams)
