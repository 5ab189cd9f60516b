"""Compiled: the card-by-card dynamic programme (see :mod:`cluedo.ai.knowledge.kernels.layers` for its states).

`build` finds the states and the edges between them once. `forward` and `backward` then run over the edges with any
weights, for several kinds of askers at once, and leave two numbers for each state and kind: F, the weight of the ways
to reach it, and B, the weight of the ways on from it. `joint` and `sample`
(:mod:`cluedo.ai.knowledge.kernels.draws`) use these. At the boundary between two categories states carry a factor; it
is in both F and B, but only once in a product F·w·B along an edge. Weighted passes are rescaled layer by layer, so that
small weights do not underflow.
"""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.kernels.common_kernels import cleared, find, greatest
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import (
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
    IN_LOGS,
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
    WEIGHTED,
    WIDTH,
    Floats,
    Ints,
    Programme,
)

__all__ = ["backward", "build", "count_deals", "forward"]

_NORMAL = 2.0**-1022
"""The least number that floats keep in full; one divided by a smaller one may be infinite."""


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
def _boundary(programme: Programme, fixed: Ints, layer: int, norms: Floats, values: Floats, scales: Floats) -> None:
    """Multiply a boundary's values by the normalisers that are settled there; the greatest becomes 1.

    Adds the logs of what the greatest were to ``scales``.
    """
    head, keys = programme.head, programme.keys
    low, high = programme.layer_at[layer], programme.layer_at[layer + 1]
    in_logs = head[IN_LOGS] != 0
    for state in range(low, high):
        if in_logs:
            for kind in range(values.shape[1]):
                values[state, kind] = np.log(values[state, kind]) if values[state, kind] > 0.0 else -np.inf
        for category in range(3):
            settled = layer == head[ROOMS_AT] if category == 0 else layer == head[WEAPONS_AT]
            if not settled or (category == 2 and not head[CARRY]):
                continue
            for seat in range(norms.shape[1]):
                held = _held(head, keys[state], fixed, category, seat)
                for kind in range(values.shape[1]):
                    if in_logs:
                        values[state, kind] += norms[category, seat, held, kind]
                    else:
                        values[state, kind] *= norms[category, seat, held, kind]
    if not in_logs:
        _rescale(values, low, high, scales)
        return
    for kind in range(values.shape[1]):
        top = greatest(values[low:high, kind])
        for state in range(low, high):
            values[state, kind] = np.exp(values[state, kind] - top) if top > -np.inf else 0.0
        scales[kind] += top


@compiled
def _rescale(values: Floats, start: int, stop: int, scales: Floats) -> None:
    """Divide a layer's values by the greatest; adds the logs of these to ``scales``.

    Where even the greatest is too small to divide by, they all become 0.
    """
    tops = cleared(np.empty(values.shape[1]))
    for state in range(start, stop):
        for kind in range(values.shape[1]):
            tops[kind] = max(tops[kind], values[state, kind])
    for kind in range(values.shape[1]):
        if tops[kind] >= _NORMAL:
            scales[kind] += np.log(tops[kind])
            tops[kind] = 1.0 / tops[kind]
        else:
            tops[kind] = 0.0
    for state in range(start, stop):
        for kind in range(values.shape[1]):
            values[state, kind] *= tops[kind]


@compiled
def count_deals(programme: Programme, fits: Floats) -> float:
    """The number of deals, exact below 2**53; ``fits`` (cards, places) gets 1 where any puts an unproved card."""
    head, plan, starts, layer_at = programme.head, programme.plan, programme.starts, programme.layer_at
    targets, slots, ways_on = programme.targets, programme.slots, programme.ways_on
    ways_on[layer_at[head[LAYERS]] : head[STATES]] = 1.0
    for layer in range(head[LAYERS] - 1, -1, -1):
        used = 0
        for state in range(layer_at[layer], layer_at[layer + 1]):
            value = 0.0
            for edge in range(starts[state], starts[state + 1]):
                value += ways_on[targets[edge]]
                used |= (ways_on[targets[edge]] > 0.0) << slots[edge]
            ways_on[state] = value
        for slot in range(plan[layer, SLOTS]):
            fits[plan[layer, CARD], plan[layer, PLACE + slot]] = used >> slot & 1
    deals: float = ways_on[0]
    return deals


@compiled
def forward(programme: Programme, norms: Floats, fixed: Ints) -> Floats:
    """F of every state. Returns by kind the log of the last layer's scale (0 where deals are counted alike).

    ``norms`` (category, seat, cards held, kind) are the factors at the boundaries, or ``head[IN_LOGS]`` their logs, if
    it has any seats; ``fixed`` (category, seat) is how many cards each seat is proved to hold.
    """
    head, starts, layer_at, ways = programme.head, programme.starts, programme.layer_at, programme.ways
    targets, slots, factors, weights = programme.targets, programme.slots, programme.factors, programme.weights
    layers, weighted = head[LAYERS], head[WEIGHTED] != 0
    chooses = weighted and head[CHOOSES] != 0
    scales = cleared(np.empty(ways.shape[1]))
    ways[0] = 1.0
    ways[1 : head[STATES]] = 0.0
    for layer in range(layers + 1):
        low, high = layer_at[layer], layer_at[layer + 1]
        if weighted:
            if _settles(head, norms, layer):
                _boundary(programme, fixed, layer, norms, ways, scales)
            else:
                _rescale(ways, low, high, scales)
        if layer == layers:
            break
        for state in range(low, high):
            for edge in range(starts[state], starts[state + 1]):
                target, slot = targets[edge], slots[edge]
                factor = factors[edge] if chooses else 1.0
                for kind in range(ways.shape[1]):
                    ways[target, kind] += ways[state, kind] * (weights[layer, slot, kind] * factor)
    return scales


@compiled
def backward(programme: Programme, norms: Floats, fixed: Ints, parts: Floats) -> Floats:
    """Work out B of every state, and on the way the marginals of the unproved cards: ``parts`` (kind, cards, places).

    ``norms`` and ``fixed`` are as in :func:`forward`. Returns by kind the total weight, in the scale of `forward`'s
    last layer.
    """
    head, plan, starts, layer_at = programme.head, programme.plan, programme.starts, programme.layer_at
    targets, slots, factors, weights = programme.targets, programme.slots, programme.factors, programme.weights
    ways, rest = programme.ways, programme.rest
    layers, weighted = head[LAYERS], head[WEIGHTED] != 0
    chooses = weighted and head[CHOOSES] != 0
    sums, scales = np.empty((MAX_PLACES, ways.shape[1])), cleared(np.empty(ways.shape[1]))
    rest[layer_at[layers] : head[STATES]] = 1.0
    totals = cleared(np.empty(ways.shape[1]))
    for state in range(layer_at[layers], head[STATES]):
        for kind in range(ways.shape[1]):
            totals[kind] += ways[state, kind]
    for layer in range(layers, -1, -1):
        low, high = layer_at[layer], layer_at[layer + 1]
        if layer < layers:
            sums[:] = 0.0
            rest[low:high] = 0.0
            for state in range(low, high):
                for edge in range(starts[state], starts[state + 1]):
                    target, slot = targets[edge], slots[edge]
                    factor = factors[edge] if chooses else 1.0
                    for kind in range(ways.shape[1]):
                        weight = rest[target, kind] * (weights[layer, slot, kind] * factor)
                        rest[state, kind] += weight
                        sums[slot, kind] += ways[state, kind] * weight
            _spread(plan, layer, sums, parts)
        if weighted:
            if _settles(head, norms, layer):
                _boundary(programme, fixed, layer, norms, rest, scales)
            else:
                _rescale(rest, low, high, scales)
    return totals


@compiled
def _spread(plan: Ints, layer: int, sums: Floats, parts: Floats) -> None:
    """Write one card's probabilities, from the weight of the deals that put it in each place."""
    card = plan[layer, CARD]
    for kind in range(sums.shape[1]):
        total = 0.0
        for slot in range(plan[layer, SLOTS]):
            total += sums[slot, kind]
        for slot in range(plan[layer, SLOTS]):
            parts[kind, card, plan[layer, PLACE + slot]] = sums[slot, kind] / total if total > 0.0 else 0.0
