"""Connections that are given only so much time: uvicorn itself waits for ever for a client that is slow on purpose."""

from __future__ import annotations

import asyncio
import socket
from typing import ClassVar, Literal, TypeAlias

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["TimedProtocol"]

Phase: TypeAlias = Literal["head", "body", "answer"]


class TimedProtocol(H11Protocol):
    """One connection. Who is too slow is cut off.

    Attributes:
        seconds: how long the head of a request may take, counted from the connection or the answer before, and how
            long its body may. An answer takes as long as it takes.
        stuck_s: how long somebody may read nothing of what is sent to them.
    """

    seconds: ClassVar[dict[Phase, float]] = {"head": 15.0, "body": 120.0}
    stuck_s: ClassVar[float] = 30.0

    _phase: Phase = "answer"
    _late: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        connected = transport.get_extra_info("socket")
        if hasattr(socket, "TCP_USER_TIMEOUT") and connected.family in (socket.AF_INET, socket.AF_INET6):
            # A phone in a tunnel does not say goodbye: this ends its connection, which nobody acknowledges any more.
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * self.stuck_s))
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
        self._stop(self._late)
        self._stop(self._stuck)

    def pause_writing(self) -> None:
        """So much is sent and not read that no more is."""
        super().pause_writing()
        self._stuck = self.loop.call_later(self.stuck_s, self.transport.abort)

    def resume_writing(self) -> None:
        """What was sent has been read."""
        super().resume_writing()
        self._stop(self._stuck)

    def _look(self) -> None:
        """See what the connection waits for; time runs from when it began to."""
        phase: Phase = "head"
        if self.cycle is not None and not self.cycle.response_complete:
            phase = "body" if self.cycle.more_body else "answer"
        if phase != self._phase:
            self._stop(self._late)
            self._phase = phase
            if phase in self.seconds:
                self._late = self.loop.call_later(self.seconds[phase], self.transport.abort)

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()
