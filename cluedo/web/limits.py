"""How much clients may ask of one server, and the counts of what they ask."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

__all__ = ["Allowance", "Concurrent", "Limits"]

_REMEMBERED = 10_000
"""Clients whose allowances are kept in mind; those who have not come for the longest time are forgotten first."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What clients may ask of one server.

    Attributes:
        body: bytes of the largest body, an uploaded record.
        burst: requests at once by one address, after a rest.
        per_second: requests by one address in the long run.
        streams: connections for events by one address at a time.
        all_streams: the same in all.
        jobs: what worker processes do for one address at a time.
        all_jobs: the same in all.
        replays: games that one address has read and replayed at a time.
        all_replays: the same in all.
        connections: connections of one address at a time, also those that send nothing.
        all_connections: the same in all.
        new_documents: tables, cases and records that one address begins at once, after a rest.
        new_documents_per_second: the same in the long run.
        tables: tables that are kept; those that were left the longest time ago make place for new ones.
        documents: cases that are kept, and records; likewise.
    """

    body: int = 4_000_000
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
    """Counts what is under way, by address and in all: one for event streams, others for jobs of worker processes.

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
