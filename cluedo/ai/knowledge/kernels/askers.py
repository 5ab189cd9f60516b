"""Compiled: how likely the hypotheses of the others are, by how askers choose the cards that they name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cluedo.ai.knowledge.kernels.common_kernels import count, log_sum
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Deals, EvidenceArrays, Floats

__all__ = ["MAX_HELD", "Asker", "fixed_weight", "log_asked", "normalisers"]

MAX_HELD = 64
"""A seat's cards of one category are fewer."""


class Asker(NamedTuple):
    """How askers choose the cards that they name, each category by itself; a card counts 1 where nothing else is said.

    Attributes:
        free: whether they choose the room that is named, too.
        log_own: the logarithm of λ, the relative weight of naming a card that they hold.
        again: ρ, the relative weight of naming a card that I have shown them.
    """

    free: bool
    log_own: float
    again: float


@compiled
def fixed_weight(evidence: EvidenceArrays, asker: Asker, cards: int) -> float:
    """The log weight of naming the cards that are proved somewhere, and of naming cards that I had shown the asker."""
    total = 0.0
    for seat in range(evidence.counts.shape[0]):
        if asker.again != 1.0:
            for category in range(3 if asker.free else 2):
                total += evidence.repeats[3 * seat + category] * np.log(asker.again)
        for card in range(cards):
            if evidence.has[seat] >> card & 1 and (asker.free or not evidence.categories[2] >> card & 1):
                total += evidence.named[seat * cards + card] * asker.log_own
    return total


@compiled
def normalisers(evidence: EvidenceArrays, asker: Asker, norms: Floats) -> None:
    """Fill ``norms`` (category, seat, held) with the log of (n + (λ - 1) held)^-asked, for n cards of the category.

    Where ρ is not 1, the base is n + (λ - 1) held + (ρ - 1) shown for every hypothesis before which I had shown the
    asker so many cards of the category.
    """
    norms[:] = 0.0
    for category in range(3 if asker.free else 2):
        size = count(evidence.categories[category])
        for seat in range(norms.shape[1]):
            if evidence.asked[seat]:
                for k in range(size + 1):
                    norms[category, seat, k] = -evidence.asked[seat] * np.log(size + np.expm1(asker.log_own) * k)
    if asker.again == 1.0:
        return
    groups = evidence.after_showing
    for at in range(0, groups.shape[0], 4):
        seat, category, shown, often = groups[at], groups[at + 1], groups[at + 2], groups[at + 3]
        size = count(evidence.categories[category])
        if category < 2 or asker.free:
            for k in range(size - shown + 1):
                plain = size + np.expm1(asker.log_own) * k
                norms[category, seat, k] += often * np.log(plain / (plain + (asker.again - 1.0) * shown))


@compiled
def log_asked(deals: Deals, evidence: EvidenceArrays, free: bool, kinds: Floats, found: Floats) -> None:
    """Fill ``found`` with the log of how likely what the others named is, for each deal of an array (deals, cards).

    ``kinds`` are those of askers, as in :func:`~cluedo.ai.knowledge.kernels.solve.solve`. Where they cannot choose the
    room, all rooms are equally likely.
    """
    cards, seats = deals.shape[1], evidence.counts.shape[0]
    norms = np.empty((3, seats, MAX_HELD, kinds.shape[0]))
    by_kind = np.empty(kinds.shape[0])
    held = np.empty((3, seats), np.int64)
    for kind in range(kinds.shape[0]):
        normalisers(evidence, Asker(free, kinds[kind, 1], kinds[kind, 2]), norms[:, :, :, kind])
    asked, repeats = 0, 0
    for seat in range(seats):
        asked += evidence.asked[seat]
        for category in range(3 if free else 2):
            repeats += evidence.repeats[3 * seat + category]
    rooms = 0.0 if free else asked * np.log(count(evidence.categories[2]))
    for deal in range(deals.shape[0]):
        held[:] = 0
        own = 0
        for category in range(3 if free else 2):
            for card in range(cards):
                place = deals[deal, card]
                if evidence.categories[category] >> card & 1 and place < seats:
                    held[category, place] += 1
                    own += evidence.named[place * cards + card]
        for kind in range(kinds.shape[0]):
            by_kind[kind] = kinds[kind, 0] + own * kinds[kind, 1] + repeats * np.log(kinds[kind, 2]) - rooms
        for category in range(3 if free else 2):
            for seat in range(seats):
                for kind in range(kinds.shape[0]):
                    by_kind[kind] += norms[category, seat, held[category, seat], kind]
        found[deal] = log_sum(by_kind)
