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
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@njit(cache=True)
def _envelope_slot(plan, layer, envelope):
    """The slot of the envelope in a layer, or -1; places are in order, so it is the last."""
    last = plan[layer, SLOTS] - 1
    return last if plan[layer, PLACE + last] == envelope else -1


@njit(cache=True)
def _fit_row(row, total):
    """Scale a row to a sum: that brings in the boundary's factor and the layer's scale at once."""
    now = 0.0
    for index in range(row.shape[0]):
        now += row[index]
    if now > 0.0:
        ratio = total / now
        for index in range(row.shape[0]):
            row[index] *= ratio


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
                _fit_row(split[state], ways[state])
            for edge in range(starts[state], starts[state + 1]):
                weight = weights[layer, slots[edge]] * (factors[edge] if chooses else 1.0)
                if slots[edge] == chosen:
                    if not in_rooms:
                        split[targets[edge], plan[layer, CARD]] += ways[state] * weight
                elif ready:
                    for index in range(split.shape[1]):
                        split[targets[edge], index] += split[state, index] * weight


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
                    for index in range(split.shape[1]):
                        split[state, index] += split[targets[edge], index] * weight
            if layer != head[ROOMS_AT] or head[ENV_OPEN] & 4:
                _fit_row(split[state], rest[state])
    if known:
        for state in range(layer_at[head[LAYERS]], head[STATES]):
            split[state, 0] = rest[state]


@njit(cache=True)
def _meet(head, plan, keys, starts, layer_at, targets, slots, factors, weights, left, right, envelope, marginals, first, joint):
    """Join F by suspect and B by weapon on the edges that put a room into the envelope."""
    chooses = head[CHOOSES] != 0
    for layer in range(head[ROOMS_AT], head[WEAPONS_AT]):
        chosen = _envelope_slot(plan, layer, envelope)
        if chosen < 0:
            continue
        card = plan[layer, CARD]
        slab = joint[:, :, card - first]
        for state in range(layer_at[layer], layer_at[layer + 1]):
            if not keys[state] & 1:
                continue
            for edge in range(starts[state], starts[state + 1]):
                if slots[edge] != chosen:
                    continue
                weight = weights[layer, chosen] * (factors[edge] if chooses else 1.0)
                _outer(left[state], right[targets[edge]], weight, slab)
        _scale(slab, marginals[card, envelope])


@njit(cache=True)
def _outer(left, right, weight, slab):
    for row in range(left.shape[0]):
        value = left[row] * weight
        if value:
            for column in range(right.shape[0]):
                slab[row, column] += value * right[column]


@njit(cache=True)
def _scale(slab, total):
    now = slab.sum()
    if now > 0.0:
        slab *= total / now


@njit(cache=True)
def joint(
    has, categories, head, plan, keys, starts, layer_at, targets, slots, factors, ways, rest, weights, marginals, sizes
):
    """P(suspect, weapon, room in the envelope), an array (suspects, weapons, rooms)."""
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
    left = np.zeros((head[STATES], suspects if open_ & 1 else 1))
    right = np.zeros((head[STATES], weapons if open_ & 2 else 1))
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
        for state in range(layer_at[at], layer_at[at + 1]):
            _fit_row(left[state], ways[state])
            _outer(left[state], right[state], 1.0, view[:, :, c])
        _scale(view[:, :, c], 1.0)
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
