"""The web server: one process that answers, with time limits for slow clients.

Open connections are bounded, by client and in all: those that ask for nothing give way to new ones.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from types import FrameType
from typing import Any, ClassVar, Final, Generic, Literal, TypeAlias, TypeVar

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from cluedo.web.guard import Guard, client_of
from cluedo.web.shared import Site

__all__ = ["Connections", "SiteServer", "TimedProtocol", "run_site"]

_END_S: Final = 3
"""How long answers that are on their way may take when the server ends."""
C = TypeVar("C")


class Connections(Generic[C]):
    """The open connections of a server, each idle at first; it says which one has to go where they become too many.

    Args:
        each: how many a client may have.
        total: how many there may be in all.

    >>> connections = Connections[str](each=2, total=3)
    >>> [connections.enter(name, client) for name, client in (("a", "Ann"), ("b", "Ann"), ("c", "Bob"))]
    [None, None, None]
    >>> connections.set_idle("a", False)
    >>> connections.enter("d", "Ann")
    'b'
    >>> connections.enter("e", "Cy")
    'd'
    """

    def __init__(self, each: int, total: int):
        self._each, self._total = each, total
        self._clients: dict[C, str] = {}
        self._counts: Counter[str] = Counter()
        self._idle: dict[str, dict[C, None]] = {}
        """By client, in the order in which they became so."""

    def enter(self, connection: C, client: str, *, bounded: bool = True) -> C | None:
        """Let a connection in, and give the one that has to leave for it, if any.

        That is the one that has been idle for the longest time: of the same client if that has all that it may, else of
        the client that has the most. Where none of them is idle, it is the new one. A client that is not ``bounded``
        may have any number.
        """
        crowded: str | None = None
        if bounded and self._counts[client] >= self._each:
            crowded = client
        elif len(self._clients) >= self._total:
            crowded = max(self._idle, key=self._counts.__getitem__, default=client)
        leaving = None if crowded is None else next(iter(self._idle.get(crowded, ())), connection)
        if leaving is not None:
            self.leave(leaving)
        if leaving is not connection:
            self._clients[connection] = client
            self._counts[client] += 1
            self.set_idle(connection, True)
        return leaving

    def set_idle(self, connection: C, idle: bool) -> None:
        """Note whether a connection waits for a request, if it is still here."""
        client = self._clients.get(connection)
        if client is None:
            return
        waiting = self._idle.setdefault(client, {})
        waiting.pop(connection, None)
        if idle:
            waiting[connection] = None
        elif not waiting:
            del self._idle[client]

    def leave(self, connection: C) -> None:
        """Note that a connection has ended."""
        self.set_idle(connection, False)
        client = self._clients.pop(connection, None)
        if client is not None:
            self._counts[client] -= 1
            if not self._counts[client]:
                del self._counts[client]


Phase: TypeAlias = Literal["head", "body", "answer"]


class TimedProtocol(H11Protocol):
    """One connection. Who is too slow is cut off.

    Attributes:
        seconds: how long the head of a request may take, counted from the connection or the answer before, and how
            long its body may. An answer takes as long as it takes.
        stuck_s: how long somebody may read nothing of what is sent to them.
        unread: bytes that the system takes of what is sent and not read; who reads slowly reads a part of it in time.
    """

    seconds: ClassVar[dict[Phase, float]] = {"head": 15.0, "body": 120.0}
    stuck_s: ClassVar[float] = 30.0
    unread: ClassVar[int] = 1 << 17

    _phase: Phase = "answer"
    _late: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def __init__(self, *, connections: Connections[TimedProtocol], **of_uvicorn: Any):
        super().__init__(**of_uvicorn)
        self._connections = connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        connected = transport.get_extra_info("socket")
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.unread)
        if hasattr(socket, "TCP_USER_TIMEOUT") and connected.family in (socket.AF_INET, socket.AF_INET6):
            # A phone in a tunnel does not say goodbye: this ends its connection, which nobody acknowledges any more.
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * self.stuck_s))
        host = self.client[0] if self.client else ""
        leaving = self._connections.enter(self, client_of(host), bounded=not self._is_proxy(host))
        if leaving is not None:
            leaving.transport.abort()
        self._look()

    def data_received(self, data: bytes) -> None:
        """Some of a request has come."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """An answer is sent."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        super().connection_lost(exc)
        self._connections.leave(self)
        self._stop(self._late)
        self._stop(self._stuck)

    def pause_writing(self) -> None:
        """So much is sent and not read that no more is."""
        super().pause_writing()
        self._await_reader(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """What was sent has been read."""
        super().resume_writing()
        self._stop(self._stuck)

    def _await_reader(self, unread: int) -> None:
        """Cut somebody off who reads nothing for too long, however long all of it takes."""

        def look() -> None:
            left = self.transport.get_write_buffer_size()
            if left < unread:
                self._await_reader(left)
            else:
                self.transport.abort()

        self._stuck = self.loop.call_later(self.stuck_s, look)

    def _look(self) -> None:
        """See what the connection waits for; time runs from when it began to."""
        phase: Phase = "head"
        if self.cycle is not None and not self.cycle.response_complete:
            phase = "body" if self.cycle.more_body else "answer"
        if phase != self._phase:
            self._stop(self._late)
            self._phase = phase
            self._connections.set_idle(self, phase == "head")
            if phase in self.seconds:
                self._late = self.loop.call_later(self.seconds[phase], self.transport.abort)

    def _is_proxy(self, host: str) -> bool:
        """Whether others come by this address, each of whom the requests name."""
        return isinstance(self.app, ProxyHeadersMiddleware) and host in self.app.trusted_hosts

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()


class SiteServer(uvicorn.Server):
    """A server that ends the streams of its site when it is asked to end, or it would wait for them.

    Args:
        guard: the site.
        proxies: the addresses of proxies that may say who asks.
        options: more settings of uvicorn's.
    """

    def __init__(self, guard: Guard, *, proxies: Sequence[str] = (), **options: object):
        site: Site = guard.app.state.site  # type: ignore[attr-defined]
        self._site = site
        limits = site.settings.limits
        self.most_connections = limits.all_connections
        connections = Connections[TimedProtocol](limits.connections, limits.all_connections)
        super().__init__(
            uvicorn.Config(
                guard,
                log_level="error",  # what strangers send is no matter for the log
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_END_S,
                http=partial(TimedProtocol, connections=connections),  # type: ignore[arg-type] # called as the class would be
                ws="none",
                proxy_headers=bool(proxies),
                forwarded_allow_ips=list(proxies),
                **options,  # type: ignore[arg-type]
            )
        )

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:  # whoever is impatient waits for seconds at most, and nothing is broken off
            self._site.end_streams()
            super().handle_exit(sig, frame)


def run_site(guard: Guard, listening: socket.socket, *, root_path: str, proxies: Sequence[str]) -> None:
    """Serve until Ctrl-C or SIGTERM; when all has ended well, uvicorn raises again what ended it.

    Args:
        guard: the site.
        listening: the socket.
        root_path: the path under which a proxy has the site.
        proxies: the addresses of proxies that may say who asks.
    """
    server = SiteServer(guard, proxies=proxies, root_path=root_path)
    _allow_files(server.most_connections)
    server.run(sockets=[listening])


def _allow_files(connections: int) -> None:
    """Let this process have as many connections as it takes; often only 1,024 files are allowed unless one asks."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * connections if hard == resource.RLIM_INFINITY else min(2 * connections, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
