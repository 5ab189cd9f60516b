"""Bounds the open connections of a server, by client and in all: those that ask for nothing give way to new ones."""

from __future__ import annotations

from collections import Counter
from typing import Generic, TypeVar

__all__ = ["Connections"]

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
