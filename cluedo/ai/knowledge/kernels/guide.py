"""Compiled: a coarse count of the deals, small enough to make at once, that guides the sampler.

It is the card-by-card programme of :mod:`cluedo.ai.knowledge.kernels.layers` with less in its states: the needs, where
places may share one field, and a bit for each clause (this place has one of these cards) while a layer has room for it.
Where it has none, the clause that the cards to come will most probably satisfy is forgotten: its bit is set in all
states, and states that differ in it alone become one. So no deal that fits is lost, and some that do not fit are
counted too; the weights of :mod:`cluedo.ai.knowledge.kernels.particles` correct for what was forgotten.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.kernels.common_kernels import find, mask_for
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Bytes, Floats, Ints, Words

__all__ = ["WAITS", "Guide", "Layers", "backward", "build", "forward"]

WAITS = 1
"""The bit of a state that says that the envelope waits for its card of the running category."""


class Layers(NamedTuple):
    """One layer for each unproved card, category by category.

    Attributes:
        slots: (layer), how many places the card can be at.
        places: (layer, slot), the places.
        units: (layer, slot), what is taken off a state for the card there; for the envelope :data:`WAITS`.
        fields: (layer, slot), the bits of the need that it is taken from.
        marks: (layer, slot), the bits of the clauses that the card satisfies there.
        wanted: (layer, slot), the bits of all clauses of the place, if its need is a field of its own.
        caps: (layer), how many of the cards to come each field can take, under guard bits.
        closed: (layer), the bits of the clauses whose last card it is.
        adds: (layer), what is added after it: :data:`WAITS` where a category begins whose card is not known.
        shut: (layer), the bits that must be clear after it: :data:`WAITS` after a category's last card.
        masks: a bit above each field, and the bits of the fields.
        hopes: (layer, bit), how probably the cards to come satisfy the clause, or below 0 where its bit is not in use.
    """

    slots: Ints
    places: Ints
    units: Ints
    fields: Ints
    marks: Ints
    wanted: Ints
    caps: Ints
    closed: Ints
    adds: Ints
    shut: Ints
    masks: tuple[int, int]
    hopes: Floats


class Guide(NamedTuple):
    """The states and edges, and the weights of the ways on from each.

    Attributes:
        layer_at: the first state of each layer.
        keys: the states.
        starts: the first edge of each state.
        targets: the state that each edge leads to.
        slots: the slot that each edge takes.
        rest: the weight of the ways on from each state, the greatest of a layer being 1.
        ways: the weight of the ways to reach each state, likewise.
        scales: (layer), what the weights ``rest`` of a layer were divided by.
        since: (bit), the layer from which on a clause is forgotten.
        table: a hash table from key to state.
    """

    layer_at: Ints
    keys: Ints
    starts: Words
    targets: Words
    slots: Bytes
    rest: Floats
    ways: Floats
    scales: Floats
    since: Ints
    table: NDArray[np.int32]

    @classmethod
    def sized(cls, layers: int, width: int, slots: int) -> Guide:
        """Arrays for so many layers of ``width`` states, each with so many edges at most."""
        states = (layers + slots + 2) * width
        return cls(
            layer_at=np.zeros(layers + 2, np.int64),
            keys=np.empty(states, np.int64),
            starts=np.empty(states + 1, np.uint32),
            targets=np.empty(layers * width * slots, np.uint32),
            slots=np.empty(layers * width * slots, np.uint8),
            rest=np.empty(states),
            ways=np.empty(states),
            scales=np.ones(layers + 1),
            since=np.full(64, layers + 1, np.int64),
            table=np.empty(mask_for(slots * width) + 1, np.int32),
        )


@compiled
def _forget(layers: Layers, layer: int, since: Ints) -> int:
    """The bit of the clause to forget after a layer, or 0 if there is none left."""
    best, top = -1, 0.0
    for bit in range(layers.hopes.shape[1]):
        if since[bit] > layer + 1 and layers.hopes[layer, bit] > top:
            best, top = bit, layers.hopes[layer, bit]
    if best < 0:
        return 0
    since[best] = layer + 1
    return 1 << best


@compiled
def _merge(guide: Guide, low: int, high: int, bit: int, first: int, last: int) -> int:
    """Set a bit in the states from ``low`` to ``high``, to which the edges ``first`` to ``last`` lead.

    Returns the new end of the states.
    """
    new = np.empty(high - low, np.uint32)
    mask = mask_for(high - low)
    guide.table[: mask + 1] = -1
    end = low
    for state in range(low, high):
        index = find(guide.keys[state] | bit, guide.keys, guide.table, mask, end)
        if index == end:
            end += 1
        new[state - low] = index
    for edge in range(first, last):
        guide.targets[edge] = new[guide.targets[edge] - low]
    return end


@compiled
def build(layers: Layers, root: int, width: int, guide: Guide) -> None:
    """Find the states and edges; no layer has more than ``width`` states while there is a clause to forget."""
    keys, starts, layer_at, table = guide.keys, guide.starts, guide.layer_at, guide.table
    guards, needs = layers.masks
    keys[0] = root
    layer_at[0], layer_at[1] = 0, 1
    states, edges = 1, 0
    for layer in range(layers.slots.shape[0]):
        caps, closed, shut = layers.caps[layer], layers.closed[layer], layers.shut[layer]
        mask = mask_for(layers.slots[layer] * (layer_at[layer + 1] - layer_at[layer]))
        table[: mask + 1] = -1
        first, low = edges, states
        for state in range(layer_at[layer], layer_at[layer + 1]):
            starts[state] = edges
            for slot in range(layers.slots[layer]):
                field, wanted = layers.fields[layer, slot], layers.wanted[layer, slot]
                if keys[state] & field == 0:
                    continue
                key = (keys[state] - layers.units[layer, slot]) | layers.marks[layer, slot]
                if (
                    ((caps - (key & needs)) & guards == guards)
                    & (key & closed == closed)
                    & (key & shut == 0)
                    & ((key & field != 0) | (key & wanted == wanted))
                ):
                    index = find(key + layers.adds[layer], keys, table, mask, states)
                    if index == states:
                        states += 1
                    guide.targets[edges], guide.slots[edges] = index, slot
                    edges += 1
        while states - low > width:
            bit = _forget(layers, layer, guide.since)
            if bit == 0:
                break
            states = _merge(guide, low, states, bit, first, edges)
        layer_at[layer + 2] = states
    for state in range(low, states + 1):
        starts[state] = edges


@compiled
def backward(layers: Layers, weights: Floats, guide: Guide) -> float:
    """Weigh the ways on from every state; ``weights`` (layer, slot). Returns the log of the total weight."""
    layer_at, starts, values = guide.layer_at, guide.starts, guide.rest
    last = layers.slots.shape[0]
    values[layer_at[last] : layer_at[last + 1]] = 1.0
    log_total = 0.0
    for layer in range(last - 1, -1, -1):
        top = 0.0
        for state in range(layer_at[layer], layer_at[layer + 1]):
            value = 0.0
            for edge in range(starts[state], starts[state + 1]):
                value += weights[layer, guide.slots[edge]] * values[guide.targets[edge]]
            values[state] = value
            top = max(top, value)
        if top == 0.0:
            return -np.inf
        for state in range(layer_at[layer], layer_at[layer + 1]):
            values[state] /= top
        guide.scales[layer] = top
        log_total += np.log(top)
    return log_total


@compiled
def forward(layers: Layers, weights: Floats, guide: Guide, shares: Floats) -> None:
    """Fill ``shares`` (layer, place) with the probability of each place, after :func:`backward`."""
    layer_at, starts, ways = guide.layer_at, guide.starts, guide.ways
    last = layers.slots.shape[0]
    ways[: layer_at[last + 1]] = 0.0
    ways[0] = 1.0
    shares[:] = 0.0
    for layer in range(last):
        top = ways[layer_at[layer] : layer_at[layer + 1]].max()
        for state in range(layer_at[layer], layer_at[layer + 1]):
            way = ways[state] / top
            for edge in range(starts[state], starts[state + 1]):
                slot, target = guide.slots[edge], guide.targets[edge]
                weight = way * weights[layer, slot]
                ways[target] += weight
                shares[layer, layers.places[layer, slot]] += weight * guide.rest[target]
        shares[layer] /= shares[layer].sum()
