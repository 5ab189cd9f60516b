"""How much one client may ask for: requests in a while, connections at a time, bytes in a body."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

__all__ = ["Allowance", "Connections", "Limits"]

_REMEMBERED = 10_000
"""Clients whose allowances are kept in mind; who has not come for the longest time is forgotten first."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What clients may ask of one server.

    Attributes:
        body: bytes of the largest body, an uploaded record.
        burst: requests at once by one address, after a rest.
        per_second: requests by one address in the long run.
        streams: connections for events by one address at a time.
        thoughts: things that processes think about for one address at a time.
        all_thoughts: the same in all.
        all_streams: connections for events in all.
        connections: connections in all, also those that send nothing.
        rooms: rooms that are kept; the oldest that are over make place for new ones.
        new_rooms: rooms opened at once by one address, after a rest.
        new_rooms_per_second: rooms opened by one address in the long run.
        documents: documents of each kind that are kept.
    """

    body: int = 4_000_000
    burst: int = 200
    per_second: float = 20.0
    streams: int = 40
    all_streams: int = 2_000
    thoughts: int = 8
    all_thoughts: int = 100
    connections: int = 3_000
    rooms: int = 2_000
    new_rooms: int = 30
    new_rooms_per_second: float = 1 / 60
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


class Connections:
    """Connections that are open, by address and in all."""

    def __init__(self, each: int, total: int):
        self._each, self._total = each, total
        self._open: dict[str, int] = {}

    def full(self, address: str) -> bool:
        """Whether the address may open no more."""
        return self._open.get(address, 0) >= self._each or sum(self._open.values()) >= self._total

    @contextmanager
    def held(self, address: str) -> Iterator[None]:
        """One connection, for as long as it is open."""
        self._open[address] = self._open.get(address, 0) + 1
        try:
            yield
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
