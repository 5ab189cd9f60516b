"""Compiled: what else the states and edges of a solved programme give: the joint, and samples."""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.kernels.common_kernels import cleared, count, uniform
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import (
    CARD,
    CHOOSES,
    ENV_OPEN,
    LAYERS,
    MAX_PLACES,
    PLACE,
    ROOMS_AT,
    SLOTS,
    STATES,
    WEAPONS_AT,
    WEIGHTED,
    Deals,
    EvidenceArrays,
    Floats,
    Ints,
    Programme,
)

__all__ = ["joint", "sample"]

_0, _1, _2, _3, _4 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


@compiled
def _envelope_slot(plan: Ints, layer: int, envelope: int) -> int:
    """The slot of the envelope in a layer, or -1; places are in order, so it is the last."""
    last = plan[layer, SLOTS] - 1
    return last if plan[layer, PLACE + last] == envelope else -1


@compiled
def _fit_row(split: Floats, row: int, total: float) -> None:
    """Scale a row to a sum: under weights that brings in the boundary's factor and the layer's scale at once."""
    now = 0.0
    for index in range(split.shape[1]):
        now += split[row, index]
    if now > 0.0:
        ratio = total / now
        for index in range(split.shape[1]):
            split[row, index] *= ratio


@compiled
def _add_row(split: Floats, to: int, source: int, weight: float) -> None:
    """Add a multiple of a row to another.

    Rows are padded to fours and indices are unsigned: so the compiler makes four additions one.
    """
    a, b, column, width = np.uint64(to), np.uint64(source), _0, np.uint64(split.shape[1])
    while column < width:
        w, x, y, z = split[b, column], split[b, column + _1], split[b, column + _2], split[b, column + _3]
        split[a, column] += w * weight
        split[a, column + _1] += x * weight
        split[a, column + _2] += y * weight
        split[a, column + _3] += z * weight
        column += _4


@compiled
def _by_suspect(programme: Programme, kind: int, envelope: int, split: Floats) -> None:
    """F by the envelope's suspect, for states where the suspect is chosen and the room is not.

    A state's lowest bit says that the envelope still waits for its card of the running category.
    """
    head, plan, keys, starts = programme.head, programme.plan, programme.keys, programme.starts
    layer_at, targets, slots = programme.layer_at, programme.targets, programme.slots
    factors, weights, ways = programme.factors, programme.weights, programme.ways
    chooses, weighted = head[CHOOSES] != 0, head[WEIGHTED] != 0
    known = not head[ENV_OPEN] & 1
    for layer in range(head[WEAPONS_AT]):
        in_rooms = layer >= head[ROOMS_AT]
        chosen = _envelope_slot(plan, layer, envelope)
        for state in range(layer_at[layer], layer_at[layer + 1]):
            waiting = keys[state] & 1
            if in_rooms and not waiting:
                continue
            if known:
                split[state, 0] = ways[state, kind]
                continue
            ready = in_rooms or not waiting
            if ready and weighted:
                _fit_row(split, state, ways[state, kind])
            for edge in range(starts[state], starts[state + 1]):
                weight = weights[layer, slots[edge], kind] * (factors[edge] if chooses else 1.0)
                if slots[edge] == chosen:
                    if not in_rooms:
                        split[targets[edge], plan[layer, CARD]] += ways[state, kind] * weight
                elif ready:
                    _add_row(split, targets[edge], state, weight)


@compiled
def _by_weapon(programme: Programme, kind: int, envelope: int, first: int, split: Floats) -> None:
    """B by the envelope's weapon, for states where the room is chosen and the weapon is not.

    ``first`` is the first weapon's id. Where the room is known the states before the first room are left
    without their boundary's factor, which F already has.
    """
    head, plan, keys, starts = programme.head, programme.plan, programme.keys, programme.starts
    layer_at, targets, slots = programme.layer_at, programme.targets, programme.slots
    factors, weights, rest = programme.factors, programme.weights, programme.rest
    chooses, weighted = head[CHOOSES] != 0, head[WEIGHTED] != 0
    known = not head[ENV_OPEN] & 2
    for layer in range(head[LAYERS] - 1, head[ROOMS_AT] - 1, -1):
        in_weapons = layer >= head[WEAPONS_AT]
        chosen = _envelope_slot(plan, layer, envelope)
        for state in range(layer_at[layer], layer_at[layer + 1]):
            waiting = keys[state] & 1
            if not in_weapons and waiting:
                continue
            if known:
                split[state, 0] = rest[state, kind]
                continue
            if in_weapons and not waiting:
                continue
            for edge in range(starts[state], starts[state + 1]):
                weight = weights[layer, slots[edge], kind] * (factors[edge] if chooses else 1.0)
                if slots[edge] == chosen:
                    split[state, plan[layer, CARD] - first] += rest[targets[edge], kind] * weight
                else:
                    _add_row(split, state, targets[edge], weight)
            if weighted and (layer != head[ROOMS_AT] or head[ENV_OPEN] & 4):
                _fit_row(split, state, rest[state, kind])
    if known:
        for state in range(layer_at[head[LAYERS]], head[STATES]):
            split[state, 0] = rest[state, kind]


@compiled
def _meet(
    programme: Programme,
    kind: int,
    left: Floats,
    right: Floats,
    envelope: int,
    first: int,
    marginals: Floats,
    table: Floats,
) -> None:
    """Join F by suspect and B by weapon on the edges that put a room into the envelope."""
    head, plan, keys, starts = programme.head, programme.plan, programme.keys, programme.starts
    layer_at, targets, slots = programme.layer_at, programme.targets, programme.slots
    factors, weights = programme.factors, programme.weights
    chooses = head[CHOOSES] != 0
    slab = np.empty((table.shape[0], right.shape[1]))
    for layer in range(head[ROOMS_AT], head[WEAPONS_AT]):
        chosen = _envelope_slot(plan, layer, envelope)
        if chosen < 0:
            continue
        card = plan[layer, CARD]
        slab[:] = 0.0
        for state in range(layer_at[layer], layer_at[layer + 1]):
            if not keys[state] & 1:
                continue
            for edge in range(starts[state], starts[state + 1]):
                if slots[edge] != chosen:
                    continue
                weight = weights[layer, chosen, kind] * (factors[edge] if chooses else 1.0)
                _outer(left, state, right, targets[edge], weight, slab)
        _place(slab, marginals[card, envelope], table[:, :, card - first])


@compiled
def _outer(left: Floats, a: int, right: Floats, b: int, weight: float, slab: Floats) -> None:
    """Add the outer product of row ``a`` of one split and row ``b`` of the other, in fours like `_add_row`."""
    i, j, column, width = np.uint64(a), np.uint64(b), _0, np.uint64(slab.shape[1])
    while column < width:
        w, x, y, z = right[j, column], right[j, column + _1], right[j, column + _2], right[j, column + _3]
        row = _0
        while row < np.uint64(slab.shape[0]):
            value = left[i, row] * weight
            slab[row, column] += value * w
            slab[row, column + _1] += value * x
            slab[row, column + _2] += value * y
            slab[row, column + _3] += value * z
            row += _1
        column += _4


@compiled
def _place(slab: Floats, total: float, table: Floats) -> None:
    """Write a slab, scaled to a sum, into its part of the table."""
    now = 0.0
    for row in range(slab.shape[0]):
        for column in range(slab.shape[1]):
            now += slab[row, column]
    if now > 0.0:
        for row in range(table.shape[0]):
            for column in range(table.shape[1]):
                table[row, column] = slab[row, column] * (total / now)


@compiled
def _rows(buffer: Floats, rows: int, columns: int) -> Floats:
    """A matrix in a buffer, its rows padded to a multiple of four."""
    width = (columns + 3) // 4 * 4
    return buffer[: rows * width].reshape(rows, width)


@compiled
def _settled(evidence: EvidenceArrays, marginals: Floats, table: Floats) -> None:
    """The joint where one category at most is open: its marginals say it all."""
    envelope = evidence.has.shape[0] - 1
    known = evidence.has[envelope]
    suspects, weapons, _ = table.shape
    if count(known) == 3:
        table[_known(known, suspects, weapons)] = 1.0
        return
    for card in range(marginals.shape[0]):
        if not known >> card & 1 and marginals[card, envelope] > 0.0:
            table[_known(known | 1 << card, suspects, weapons)] = marginals[card, envelope]


@compiled
def _known(cards: int, suspects: int, weapons: int) -> tuple[int, int, int]:
    """The places in their category of the cards known to be in the envelope, 0 for one that is not known."""
    suspect, weapon, room = 0, 0, 0
    card = 0
    while cards >> card:
        if cards >> card & 1:
            if card < suspects:
                suspect = card
            elif card < suspects + weapons:
                weapon = card - suspects
            else:
                room = card - suspects - weapons
        card += 1
    return suspect, weapon, room


@compiled
def joint(
    evidence: EvidenceArrays,
    programme: Programme,
    kind: int,
    sizes: tuple[int, int, int],
    marginals: Floats,
    buffers: Floats,
) -> Floats:
    """P(suspect, weapon, room in the envelope) by one kind, an array of shape ``sizes``; ``marginals`` are the kind's.

    ``buffers`` (2, n) has room for a row of the suspects, and one of the weapons, for every state.
    """
    head, layer_at = programme.head, programme.layer_at
    envelope = evidence.has.shape[0] - 1
    suspects, weapons, _ = sizes
    table = cleared(np.empty(sizes))
    open_ = head[ENV_OPEN]
    if open_ & (open_ - 1) == 0:
        _settled(evidence, marginals, table)
        return table
    left = _rows(buffers[0], head[STATES], suspects if open_ & 1 else 1)
    right = _rows(buffers[1], head[STATES], weapons if open_ & 2 else 1)
    left[: layer_at[head[WEAPONS_AT] + 1]] = 0.0
    right[layer_at[head[ROOMS_AT]] :] = 0.0
    _by_suspect(programme, kind, envelope, left)
    _by_weapon(programme, kind, envelope, suspects, right)
    a, b, c = _known(evidence.has[envelope], suspects, weapons)
    rows = slice(0, suspects) if open_ & 1 else slice(a, a + 1)
    columns = slice(0, weapons) if open_ & 2 else slice(b, b + 1)
    part = table[rows, columns]
    if open_ & 4:
        _meet(programme, kind, left, right, envelope, suspects + weapons, marginals, part)
        return table
    slab = cleared(np.empty((part.shape[0], right.shape[1])))
    for state in range(layer_at[head[ROOMS_AT]], layer_at[head[ROOMS_AT] + 1]):
        _fit_row(left, state, programme.ways[state, kind])
        _outer(left, state, right, state, 1.0, slab)
    _place(slab, 1.0, part[:, :, c])
    return table


@compiled
def sample(seed: np.uint64, has: Ints, programme: Programme, kind: int, deals: Deals) -> None:
    """Fill ``deals`` (n, cards; int8) with independent exact draws by one kind: the place of each card.

    ``seed`` is one unsigned 64-bit word for :mod:`~cluedo.ai.knowledge.kernels.common_kernels`.
    """
    head, plan, starts, targets = programme.head, programme.plan, programme.starts, programme.targets
    slots, factors, rest, weights = programme.slots, programme.factors, programme.rest, programme.weights
    chooses = head[CHOOSES] != 0
    odds = np.empty(MAX_PLACES)
    state = np.empty(1, np.uint64)
    state[0] = seed
    for place in range(has.shape[0]):
        for card in range(deals.shape[1]):
            if has[place] >> card & 1:
                deals[:, card] = place
    for row in range(deals.shape[0]):
        node = 0
        for layer in range(head[LAYERS]):
            first, last = starts[node], starts[node + 1]
            total = 0.0
            for edge in range(first, last):
                odds[edge - first] = (
                    weights[layer, slots[edge], kind] * rest[targets[edge], kind] * (factors[edge] if chooses else 1.0)
                )
                total += odds[edge - first]
            mark = uniform(state, 0) * total
            pick = first
            for edge in range(first, last):
                if odds[edge - first] > 0.0:
                    pick = edge
                    mark -= odds[edge - first]
                    if mark < 0.0:
                        break
            deals[row, plan[layer, CARD]] = plan[layer, PLACE + slots[pick]]
            node = targets[pick]
