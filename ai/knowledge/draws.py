"""Compiled: what else the states and edges of a solved programme give: the joint, samples, wide counts."""

from __future__ import annotations

import numpy as np
from numba import njit

from cluedo.ai.knowledge.plan import CARD, CHOOSES, ENV_OPEN, LAYERS, PLACE, ROOMS_AT, SLOTS, STATES, WEAPONS_AT

_LIMB = 62  # bits of a limb: a sum of two still fits a signed word
_LIMB_MASK = (1 << _LIMB) - 1

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_0, _1, _2, _3, _4 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@njit(cache=True)
def _envelope_slot(plan, layer, envelope):
    """The slot of the envelope in a layer, or -1; places are in order, so it is the last."""
    last = plan[layer, SLOTS] - 1
    return last if plan[layer, PLACE + last] == envelope else -1


@njit(cache=True)
def _fit_row(split, row, total):
    """Scale a row to a sum: that brings in the boundary's factor and the layer's scale at once."""
    now = 0.0
    for index in range(split.shape[1]):
        now += split[row, index]
    if now > 0.0:
        ratio = total / now
        for index in range(split.shape[1]):
            split[row, index] *= ratio


@njit(cache=True)
def _add_row(split, to, source, weight):
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


@njit(cache=True)
def _by_suspect(head, plan, keys, starts, layer_at, targets, slots, factors, weights, ways, envelope, split):
    """F by the envelope's suspect, for states where the suspect is chosen and the room is not.

    A state's lowest bit says that the envelope still waits for its card of the running category.
    """
    chooses = head[CHOOSES] != 0
    known = not head[ENV_OPEN] & 1
    for layer in range(head[WEAPONS_AT]):
        in_rooms = layer >= head[ROOMS_AT]
        chosen = _envelope_slot(plan, layer, envelope)
        for state in range(layer_at[layer], layer_at[layer + 1]):
            waiting = keys[state] & 1
            if in_rooms and not waiting:
                continue
            if known:
                split[state, 0] = ways[state]
                continue
            ready = in_rooms or not waiting
            if ready:
                _fit_row(split, state, ways[state])
            for edge in range(starts[state], starts[state + 1]):
                weight = weights[layer, slots[edge]] * (factors[edge] if chooses else 1.0)
                if slots[edge] == chosen:
                    if not in_rooms:
                        split[targets[edge], plan[layer, CARD]] += ways[state] * weight
                elif ready:
                    _add_row(split, targets[edge], state, weight)


@njit(cache=True)
def _by_weapon(head, plan, keys, starts, layer_at, targets, slots, factors, weights, rest, envelope, first, split):
    """B by the envelope's weapon, for states where the room is chosen and the weapon is not.

    ``first`` is the first weapon's id. Where the room is known the states before the first room are left
    without their boundary's factor, which F already has.
    """
    chooses = head[CHOOSES] != 0
    known = not head[ENV_OPEN] & 2
    for layer in range(head[LAYERS] - 1, head[ROOMS_AT] - 1, -1):
        in_weapons = layer >= head[WEAPONS_AT]
        chosen = _envelope_slot(plan, layer, envelope)
        for state in range(layer_at[layer], layer_at[layer + 1]):
            waiting = keys[state] & 1
            if not in_weapons and waiting:
                continue
            if known:
                split[state, 0] = rest[state]
                continue
            if in_weapons and not waiting:
                continue
            for edge in range(starts[state], starts[state + 1]):
                weight = weights[layer, slots[edge]] * (factors[edge] if chooses else 1.0)
                if slots[edge] == chosen:
                    split[state, plan[layer, CARD] - first] += rest[targets[edge]] * weight
                else:
                    _add_row(split, state, targets[edge], weight)
            if layer != head[ROOMS_AT] or head[ENV_OPEN] & 4:
                _fit_row(split, state, rest[state])
    if known:
        for state in range(layer_at[head[LAYERS]], head[STATES]):
            split[state, 0] = rest[state]


@njit(cache=True)
def _meet(head, plan, keys, starts, layer_at, targets, slots, factors, weights, left, right, envelope, marginals, first, joint):
    """Join F by suspect and B by weapon on the edges that put a room into the envelope."""
    chooses = head[CHOOSES] != 0
    slab = np.empty((joint.shape[0], right.shape[1]))
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
                weight = weights[layer, chosen] * (factors[edge] if chooses else 1.0)
                _outer(left, state, right, targets[edge], weight, slab)
        _place(slab, marginals[card, envelope], joint[:, :, card - first])


@njit(cache=True)
def _outer(left, a, right, b, weight, slab):
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


@njit(cache=True)
def _place(slab, total, table):
    """Write a slab, scaled to a sum, into its part of the table."""
    now = slab.sum()
    if now > 0.0:
        for row in range(table.shape[0]):
            for column in range(table.shape[1]):
                table[row, column] = slab[row, column] * (total / now)


@njit(cache=True)
def _rows(buffer, rows, columns):
    """A matrix in a buffer, its rows padded to a multiple of four."""
    width = (columns + 3) // 4 * 4
    return buffer[: rows * width].reshape(rows, width)


@njit(cache=True)
def joint(
    has, categories, head, plan, keys, starts, layer_at, targets, slots, factors, ways, rest, weights, marginals, sizes,
    buffers,
):  # fmt: skip
    """P(suspect, weapon, room in the envelope), an array (suspects, weapons, rooms).

    ``buffers`` (2, n) has room for a row of the suspects, and one of the weapons, for every state.
    """
    envelope = has.shape[0] - 1
    suspects, weapons, rooms = sizes
    table = np.zeros((suspects, weapons, rooms))
    known = has[envelope]
    a, b, c = 0, 0, 0  # the known cards' places in their category
    for card in range(suspects + weapons + rooms):
        if known >> card & 1:
            if card < suspects:
                a = card
            elif card < suspects + weapons:
                b = card - suspects
            else:
                c = card - suspects - weapons
    open_ = head[ENV_OPEN]
    if open_ & (open_ - 1) == 0:  # one category at most is open: its marginals say it all
        for card in range(suspects + weapons + rooms):
            p = marginals[card, envelope]
            if categories[0] >> card & 1 and (open_ == 1 or open_ == 0 and card == a):
                table[card, b, c] = p
            elif open_ == 2 and categories[1] >> card & 1:
                table[a, card - suspects, c] = p
            elif open_ == 4 and categories[2] >> card & 1:
                table[a, b, card - suspects - weapons] = p
        return table
    left = _rows(buffers[0], head[STATES], suspects if open_ & 1 else 1)
    right = _rows(buffers[1], head[STATES], weapons if open_ & 2 else 1)
    left[: layer_at[head[WEAPONS_AT] + 1]] = 0.0
    right[layer_at[head[ROOMS_AT]] :] = 0.0
    _by_suspect(head, plan, keys, starts, layer_at, targets, slots, factors, weights, ways, envelope, left)
    _by_weapon(head, plan, keys, starts, layer_at, targets, slots, factors, weights, rest, envelope, suspects, right)
    view = table[
        0 if open_ & 1 else a : suspects if open_ & 1 else a + 1,
        0 if open_ & 2 else b : weapons if open_ & 2 else b + 1,
        :,
    ]
    if open_ & 4:
        _meet(
            head, plan, keys, starts, layer_at, targets, slots, factors, weights, left, right, envelope, marginals,
            suspects + weapons, view,
        )  # fmt: skip
    else:
        at = head[ROOMS_AT]
        slab = np.zeros((suspects, right.shape[1]))
        for state in range(layer_at[at], layer_at[at + 1]):
            _fit_row(left, state, ways[state])
            _outer(left, state, right, state, 1.0, slab)
        _place(slab, 1.0, view[:, :, c])
    return table


@njit(cache=True)
def sample(seed, has, head, plan, starts, targets, slots, factors, rest, weights, deals):
    """Fill ``deals`` (n, cards; int8) with independent exact draws: the place of each card.

    ``seed`` is one unsigned 64-bit word; the generator is splitmix64 (Steele, Lea, Flood 2014).
    """
    chooses = head[CHOOSES] != 0
    odds = np.empty(8)
    state = seed
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
                odds[edge - first] = weights[layer, slots[edge]] * rest[targets[edge]] * (
                    factors[edge] if chooses else 1.0
                )
                total += odds[edge - first]
            state += _GOLDEN
            word = (state ^ (state >> _S30)) * _MIX_1
            word = (word ^ (word >> _S27)) * _MIX_2
            word ^= word >> _S31
            mark = float(word >> _S11) * 2.0**-53 * total
            pick = first
            for edge in range(first, last):
                if odds[edge - first] > 0.0:
                    pick = edge
                    mark -= odds[edge - first]
                    if mark < 0.0:
                        break
            deals[row, plan[layer, CARD]] = plan[layer, PLACE + slots[pick]]
            node = targets[pick]


@njit(cache=True)
def count_wide(head, starts, layer_at, targets, limbs):
    """The number of deals as an integer of ``limbs`` words of 62 bits, the lowest first."""
    ways = np.zeros((head[STATES], limbs), np.int64)
    ways[0, 0] = 1
    for state in range(layer_at[head[LAYERS]]):
        for edge in range(starts[state], starts[state + 1]):
            _add(ways[targets[edge]], ways[state])
    total = np.zeros(limbs, np.int64)
    for state in range(layer_at[head[LAYERS]], head[STATES]):
        _add(total, ways[state])
    return total


@njit(cache=True)
def _add(total, more):
    carry = 0
    for limb in range(total.shape[0]):
        value = total[limb] + more[limb] + carry
        carry = value >> _LIMB
        total[limb] = value & _LIMB_MASK
