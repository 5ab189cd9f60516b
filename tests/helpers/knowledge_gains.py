"""What a hypothesis is expected to tell, added up deal by deal: an oracle that shares no code with the solvers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge import Evidence, Model, Triple
from cluedo.engine.events import Shown
from helpers import knowledge_tables as tables


def _replies(evidence: Evidence, deal: NDArray[np.int8], triple: Triple) -> Iterator[tuple[object, float]]:
    """What I may be told in a deal, and how likely."""
    seen: dict[int, set[int]] = {}
    for fact in evidence.facts:
        event = fact.event
        if isinstance(event, Shown) and event.card is not None and event.asker == evidence.me:
            seen.setdefault(event.seat, set()).add(event.card)
    told: list[list[tuple[object, float]]] = []
    for step in range(1, evidence.seats):
        seat = (evidence.me + step) % evidence.seats
        cards = [card for card in triple if deal[card] == seat]
        if cards and (evidence.rules.refuters == "all" or not told):
            again = seen.get(seat, set()) & set(triple)
            told.append([((seat, "again"), 1.0)] if again else [((seat, card), 1 / len(cards)) for card in cards])
    looks = [card for card in np.flatnonzero(deal == evidence.pool_at) if not evidence.peeked >> int(card) & 1]
    if not told and looks and evidence.rules.peek:
        told.append([(("pool", card), 1 / len(looks)) for card in looks])
    for chosen in product(*told):
        yield tuple(reply for reply, _ in chosen), float(np.prod([share for _, share in chosen]))


def brute_gain(evidence: Evidence, model: Model, triple: Triple) -> float:
    """Mutual information of answer and envelope, deal by deal."""
    deals = tables.fitting(evidence)
    weights = tables.weigh(evidence, deals, model)
    table: dict[tuple[object, object], float] = {}
    for deal, weight in zip(deals, weights / weights.sum(), strict=True):
        envelope = tuple(np.flatnonzero(deal == evidence.envelope))
        for reply, share in _replies(evidence, deal, triple):
            table[reply, envelope] = table.get((reply, envelope), 0.0) + weight * share
    by_reply: dict[object, float] = {}
    by_envelope: dict[object, float] = {}
    for (reply, envelope), p in table.items():
        by_reply[reply] = by_reply.get(reply, 0.0) + p
        by_envelope[envelope] = by_envelope.get(envelope, 0.0) + p
    return _bits(by_reply.values()) + _bits(by_envelope.values()) - _bits(table.values())


def _bits(shares: Iterable[float]) -> float:
    return float(-sum(p * np.log2(p) for p in shares if p > 0))
