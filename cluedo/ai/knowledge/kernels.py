"""Compiled: the card-by-card dynamic programme (see :mod:`cluedo.ai.knowledge.layers` for its states).

`build` finds the states and the edges between them once. `forward` and `backward` then run over the edges with any
weights and leave two numbers for each state: F, the weight of the ways to reach it, and B, the weight of the ways on
from it. `joint`, `sample` and `count_wide` (:mod:`cluedo.ai.knowledge.draws`) use these. At the boundary between two
categories states carry a factor; it is in both F and B, but only once in a product F·w·B along an edge. Weighted passes
are rescaled layer by layer, so that small weights do not underflow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.compiled import compiled
from cluedo.ai.knowledge.programme import (
    ADD,
    CAPS,
    CARD,
    CARRY,
    CHOICE,
    CHOOSES,
    CLOSED,
    EDGES,
    FIELD,
    GUARDS,
    KEEP,
    LAYERS,
    MARK,
    MAX_PLACES,
    NEED,
    NEEDS,
    NO_SPACE,
    OFFSET,
    OK,
    PLACE,
    ROOMS_AT,
    ROOT,
    SLOTS,
    STATES,
    UNIT,
    WANTED,
    WEAPONS_AT,
    WIDTH,
    Floats,
    Ints,
    Programme,
)

__all__ = ["backward", "build", "find", "forward", "mask_for"]

_MIX = 0x9E3779B97F4A7C1
"""What a key is multiplied by, to spread keys over the slots of a hash table."""


@compiled
def mask_for(states: int) -> int:
    """The number of slots, less one, of a hash table of which so many states fill no more than half; 2**n - 1."""
    mask = 255
    while mask < 2 * states:
        mask = 2 * mask + 1
    return mask


@compiled
def find(key: int, keys: Ints, table: NDArray[np.int32], mask: int, states: int) -> int:
    """The number of ``key`` among this layer's states; a new key gets the number ``states`` and is stored in ``keys``.

    The first ``mask`` + 1 slots of the hash table are in use, and hold -1 when a layer begins. The key's high bits are
    added to its low ones first: in a product high bits do not influence low ones, so that keys which differ only in
    high bits would begin at the same slot.
    """
    slot = ((key ^ (key >> 31)) * _MIX >> 33) & mask
    while True:
        index: int = table[slot]
        if index < 0:
            table[slot] = states
            keys[states] = key
            return states
        if keys[index] == key:
            return index
        slot = (slot + 1) & mask


@compiled
def build(programme: Programme) -> int:
    """Find every state and edge of the plan. Returns OK, or NO_SPACE where an array is too small."""
    head, plan, keys, starts = programme.head, programme.plan, programme.keys, programme.starts
    layer_at, targets, slots, factors = programme.layer_at, programme.targets, programme.slots, programme.factors
    table = programme.table
    guards, chooses, needs = head[GUARDS], head[CHOOSES], head[NEEDS] | 1
    copy_at = head[ROOMS_AT] - 1 if head[CARRY] else -1
    keys[0] = head[ROOT]
    states, edges = 1, 0
    layer_at[0], layer_at[1] = 0, 1
    for layer in range(head[LAYERS]):
        caps, closed, keep, add = plan[layer, CAPS], plan[layer, CLOSED], plan[layer, KEEP], plan[layer, ADD]
        mask = 255  # a state has an edge for each slot at most, so that a table of more times the layer never fills
        while mask < max(8, plan[layer, SLOTS] + 1) * (layer_at[layer + 1] - layer_at[layer]):
            mask = 2 * mask + 1
        if mask >= table.shape[0]:
            return NO_SPACE
        table[: mask + 1] = -1
        for state in range(layer_at[layer], layer_at[layer + 1]):
            starts[state] = edges
            if states + MAX_PLACES > keys.shape[0] or edges + MAX_PLACES > targets.shape[0]:
                return NO_SPACE
            source = keys[state] & keep
            for slot in range(plan[layer, SLOTS]):
                field, wanted = plan[layer, FIELD + slot], plan[layer, WANTED + slot]
                key = (source - plan[layer, UNIT + slot]) | plan[layer, MARK + slot]
                # The place needs a card; nobody needs more than is left for them; what closes here is satisfied; a
                # full hand satisfies its clauses. All in one test: a branch guessed wrong costs more than they do.
                if not (
                    (source & field != 0)
                    & ((caps - (key & needs)) & guards == guards)
                    & (key & closed == closed)
                    & ((key & field != 0) | (key & wanted == wanted))
                ):
                    continue
                if chooses:
                    choice = plan[layer, CHOICE + slot]
                    factor = 1.0
                    while choice:
                        low = choice & -choice
                        factor *= 2.0 / 3.0 if key & low else 0.5
                        choice ^= low
                    factors[edges] = factor
                    key |= plan[layer, CHOICE + slot]
                key += add
                if layer == copy_at:
                    key |= (key & head[NEEDS]) << head[CARRY]
                index = find(key, keys, table, mask, states)
                if index == states:
                    states += 1
                targets[edges] = index
                slots[edges] = slot
                edges += 1
        layer_at[layer + 2] = states
    starts[layer_at[head[LAYERS]]] = edges
    for state in range(layer_at[head[LAYERS]], states + 1):
        starts[state] = edges
    head[STATES], head[EDGES] = states, edges
    return OK


@compiled
def _held(head: Ints, key: int, fixed: Ints, category: int, seat: int) -> int:
    """How many cards of a category a seat holds in a state at the boundary that settles it."""
    field = (1 << head[WIDTH + seat]) - 1
    need: int = key >> head[OFFSET + seat] & field
    before: int = fixed[category, seat]
    start: int = head[NEED + seat]
    if category == 0:
        return before + start - need
    if category == 1:
        return before + need
    carried: int = key >> (head[OFFSET + seat] + head[CARRY]) & field
    return before + carried - need


@compiled
def _settles(head: Ints, norms: Floats, layer: int) -> bool:
    """Whether a layer is a boundary that carries factors."""
    return norms.shape[1] > 0 and bool(layer == head[ROOMS_AT] or layer == head[WEAPONS_AT])


@compiled
def _boundary(programme: Programme, fixed: Ints, layer: int, norms: Floats, values: Floats) -> float:
    """Multiply a boundary's values by the normalisers that are settled there; the greatest becomes 1.

    In logs, for they can differ by hundreds of digits. Returns the log of what the greatest was.
    """
    head, keys = programme.head, programme.keys
    low, high = programme.layer_at[layer], programme.layer_at[layer + 1]
    top = -np.inf
    for state in range(low, high):
        value = np.log(values[state]) if values[state] > 0.0 else -np.inf
        for seat in range(norms.shape[1]):
            if layer == head[ROOMS_AT]:
                value += norms[0, seat, _held(head, keys[state], fixed, 0, seat)]
            if layer == head[WEAPONS_AT]:
                value += norms[1, seat, _held(head, keys[state], fixed, 1, seat)]
                if head[CARRY]:
                    value += norms[2, seat, _held(head, keys[state], fixed, 2, seat)]
        values[state] = value
        top = max(top, value)
    for state in range(low, high):
        values[state] = np.exp(values[state] - top) if top > -np.inf else 0.0
    return top


@compiled
def _rescale(values: Floats, start: int, stop: int) -> float:
    """Divide a layer's values by the greatest; returns its log."""
    top = 0.0
    for state in range(start, stop):
        top = max(top, values[state])
    if top == 0.0:
        return 0.0
    for state in range(start, stop):
        values[state] /= top
    scale: float = np.log(top)
    return scale


@compiled
def forward(programme: Programme, weighted: bool, norms: Floats, fixed: Ints) -> float:
    """F of every state. Returns the log of the last layer's scale (0 if not ``weighted``).

    ``norms`` (category, seat, cards held) are the logs of the factors at the boundaries, if it has any seats; ``fixed``
    (category, seat) is how many cards each seat is proved to hold.
    """
    head, starts, layer_at, ways = programme.head, programme.starts, programme.layer_at, programme.ways
    targets, slots, factors, weights = programme.targets, programme.slots, programme.factors, programme.weights
    layers = head[LAYERS]
    chooses = weighted and head[CHOOSES] != 0
    scale = 0.0
    ways[0] = 1.0
    ways[1 : head[STATES]] = 0.0
    for layer in range(layers + 1):
        low, high = layer_at[layer], layer_at[layer + 1]
        if weighted:
            if _settles(head, norms, layer):
                scale += _boundary(programme, fixed, layer, norms, ways)
            else:
                scale += _rescale(ways, low, high)
        if layer == layers:
            break
        for state in range(low, high):
            way = ways[state]
            for edge in range(starts[state], starts[state + 1]):
                weight = way * weights[layer, slots[edge]]
                if chooses:
                    weight *= factors[edge]
                ways[targets[edge]] += weight
    return scale


@compiled
def backward(programme: Programme, weighted: bool, norms: Floats, fixed: Ints, marginals: Floats) -> float:
    """Work out B of every state, and on the way the ``marginals`` (cards, places) of the open cards.

    ``norms`` and ``fixed`` are as in :func:`forward`. Returns the total weight, in the scale of `forward`'s last layer.
    """
    head, plan, starts, layer_at = programme.head, programme.plan, programme.starts, programme.layer_at
    targets, slots, factors, weights = programme.targets, programme.slots, programme.factors, programme.weights
    ways, rest = programme.ways, programme.rest
    layers = head[LAYERS]
    chooses = weighted and head[CHOOSES] != 0
    sums = np.zeros(MAX_PLACES)
    rest[layer_at[layers] : head[STATES]] = 1.0
    total = 0.0
    for state in range(layer_at[layers], head[STATES]):
        total += ways[state]
    for layer in range(layers, -1, -1):
        low, high = layer_at[layer], layer_at[layer + 1]
        if layer < layers:
            sums[:] = 0.0
            for state in range(low, high):
                way = ways[state]
                value = 0.0
                for edge in range(starts[state], starts[state + 1]):
                    weight = weights[layer, slots[edge]] * rest[targets[edge]]
                    if chooses:
                        weight *= factors[edge]
                    value += weight
                    sums[slots[edge]] += way * weight
                rest[state] = value
            _spread(plan, layer, sums, marginals)
        if weighted:
            if _settles(head, norms, layer):
                _boundary(programme, fixed, layer, norms, rest)
            else:
                _rescale(rest, low, high)
    return total


@compiled
def _spread(plan: Ints, layer: int, sums: Floats, marginals: Floats) -> None:
    """Write one card's probabilities, from the weight of the deals that put it in each place."""
    total = 0.0
    for slot in range(plan[layer, SLOTS]):
        total += sums[slot]
    card = plan[layer, CARD]
    for slot in range(plan[layer, SLOTS]):
        marginals[card, plan[layer, PLACE + slot]] = sums[slot] / total if total > 0.0 else 0.0
