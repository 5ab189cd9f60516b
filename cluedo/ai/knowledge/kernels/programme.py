"""What the compiled kernels work on: the evidence, the layers, the states and edges. No numba in here.

Arrays are grouped in named tuples, which numba takes apart at the call at no cost to the loops.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.evidence import Evidence

__all__ = ["Bytes", "Deals", "EvidenceArrays", "Floats", "Ints", "Programme", "Words"]

Ints = NDArray[np.int64]
Words = NDArray[np.uint32]
Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Deals = NDArray[np.int8]
"""The places of the cards in some deals: an array (deals, cards)."""

_NONE = np.empty(0, np.int64)

MAX_PLACES = 13  # ten seats, the pool, the open cards, the envelope
MAX_LAYERS = 64

ORDER = (0, 2, 1)
"""In which order categories are gone through: suspects, rooms, weapons."""

# Columns of `plan`, one row for each unproved card; from PLACE on a column for each slot, a place the card can be at.
CARD, SLOTS, CAPS, CLOSED, KEEP, ADD = range(6)
PLACE, UNIT, FIELD, MARK, WANTED, CHOICE = (8 + MAX_PLACES * k for k in range(6))
PLAN_COLUMNS = 8 + MAX_PLACES * 6

# Entries of `head`; from OFFSET on one for each place.
LAYERS, ROOMS_AT, WEAPONS_AT, STATES, EDGES, GUARDS, NEEDS, ROOT, ENV_OPEN, CARRY, CHOOSES, WEIGHTED, IN_LOGS = range(
    13
)
OFFSET, NEED, WIDTH = (16 + MAX_PLACES * k for k in range(3))
HEAD_SIZE = 16 + MAX_PLACES * 3

# What a kernel answers.
OK, CONTRADICTION, NO_SPACE, TOO_WIDE = range(4)


class EvidenceArrays(NamedTuple):
    """The arrays of :class:`~cluedo.ai.knowledge.evidence.Evidence`; the kernels narrow ``may`` and ``has`` in place.

    To the kernels each place but the envelope is a seat; the pool and the open cards are seats that never ask.
    """

    may: Ints
    has: Ints
    counts: Ints
    categories: Ints
    clauses: Ints
    bans: Ints
    choices: Ints
    named: Ints
    asked: Ints
    after_showing: Ints
    repeats: Ints

    @classmethod
    def of(cls, evidence: Evidence, *, choice: bool) -> EvidenceArrays:
        """The evidence as fresh arrays; with ``choice``, who showed me a card they could choose, too."""
        return cls(
            np.array(evidence.may),
            np.array(evidence.has),
            np.array(evidence.counts, np.int64),
            np.array(evidence.deck.masks, np.int64),
            np.array(evidence.clauses),
            np.array(evidence.bans),
            np.array(evidence.choices) if choice else _NONE,
            np.array(evidence.named),
            np.array(evidence.asked),
            np.array(evidence.after_showing),
            np.array(evidence.repeats),
        )


class Programme(NamedTuple):
    """The dynamic programme.

    Attributes:
        head: scalars (see the constants above).
        plan: the layers, one row for each unproved card.
        soft: (card, place), the weight of the choices of those who showed me cards.
        weights: (layer, slot, kind), the weight of putting the card there.
        layer_at: the first state of each layer.
        keys: the states.
        starts: the first edge of each state.
        ways: (state, kind), F: the weight of the ways to reach it.
        rest: (state, kind), B: the weight of the ways on from it.
        ways_on: (state), the number of ways on from it.
        targets: the state each edge leads to.
        slots: the slot each edge takes.
        factors: what the choice bits multiply each edge by; meaningless unless ``head[CHOOSES]``.
        table: a hash table from key to state.
    """

    head: Ints
    plan: Ints
    soft: Floats
    weights: Floats
    layer_at: Ints
    keys: Ints
    starts: Words
    ways: Floats
    rest: Floats
    ways_on: Floats
    targets: Words
    slots: Bytes
    factors: Floats
    table: NDArray[np.int32]

    @classmethod
    def sized(cls, states: int, kinds: int) -> Programme:
        """Arrays for so many states, five times as many edges, and so many kinds of askers at once."""
        return cls(
            head=np.zeros(HEAD_SIZE, np.int64),
            plan=np.zeros((MAX_LAYERS, PLAN_COLUMNS), np.int64),
            soft=np.ones((MAX_LAYERS, MAX_PLACES)),
            weights=np.ones((MAX_LAYERS, MAX_PLACES + 1, kinds)),
            layer_at=np.zeros(MAX_LAYERS + 2, np.int64),
            keys=np.empty(states, np.int64),
            starts=np.empty(states + 1, np.uint32),
            ways=np.empty((states, kinds)),
            rest=np.empty((states, kinds)),
            ways_on=np.empty(states),
            targets=np.empty(5 * states, np.uint32),
            slots=np.empty(5 * states, np.uint8),
            factors=np.empty(5 * states),
            table=np.empty(4 * states, np.int32),
        )
