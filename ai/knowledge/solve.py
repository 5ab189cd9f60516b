"""Compiled: one call from evidence to count, marginals and fitted habits."""

from __future__ import annotations

import numpy as np
from numba import njit

from cluedo.ai.knowledge.kernels import backward, build, forward
from cluedo.ai.knowledge.plan import CARD, CHOOSES, CONTRADICTION, LAYERS, OK, PLACE, SLOTS, make_plan
from cluedo.ai.knowledge.rules import count as _count

# Entries of `result`.
DEALS, LOG_TOTAL = range(2)
# Entries of `prior`.
MEAN, SPREAD, LOWEST, HIGHEST, PASSES = range(5)

_MAX_HELD = 64  # a seat's cards of one category are fewer
_STILL = 1e-4  # a move of log λ that is not worth another pass
_LN2 = float(np.log(2.0))


@njit(cache=True)
def _card_weights(head, plan, soft, named, habits, rooms, free, weights):
    """Fill ``weights`` (layer, slot), each card's greatest being 1; returns the log of what was divided out."""
    offset = 0.0
    cards, seats = soft.shape[0], habits.shape[0]
    for layer in range(head[LAYERS]):
        card = plan[layer, CARD]
        speaks = free or not rooms >> card & 1
        top = -np.inf
        for slot in range(plan[layer, SLOTS]):
            place = plan[layer, PLACE + slot]
            value = np.log(soft[card, place])
            if speaks and place < seats:
                value += named[place * cards + card] * habits[place]
            weights[layer, slot] = value
            top = max(top, value)
        for slot in range(plan[layer, SLOTS]):
            weights[layer, slot] = np.exp(weights[layer, slot] - top)
        offset += top
    return offset


@njit(cache=True)
def _fixed_weight(has, named, habits, rooms, free, cards):
    """The log weight of the cards that are proved somewhere."""
    total = 0.0
    for seat in range(habits.shape[0]):
        for card in range(cards):
            if has[seat] >> card & 1 and (free or not rooms >> card & 1):
                total += named[seat * cards + card] * habits[seat]
    return total


@njit(cache=True)
def _normalisers(categories, fixed, needs, asked, habits, free, norms):
    """Fill ``norms`` (category, seat, held) with (n + (λ - 1) held)^-asked, each seat's greatest being 1.

    Returns the log of what was divided out.
    """
    offset = 0.0
    for category in range(3):
        size = _count(categories[category])
        for seat in range(habits.shape[0]):
            norms[category, seat, :] = 1.0
            if asked[seat] == 0 or (category == 2 and not free):
                continue
            gain = np.expm1(habits[seat])
            low = fixed[category, seat]
            high = min(low + needs[seat], size)
            top = -asked[seat] * np.log(size + gain * (low if gain > 0.0 else high))
            for k in range(low, high + 1):
                norms[category, seat, k] = np.exp(-asked[seat] * np.log(size + gain * k) - top)
            offset += top
    return offset


@njit(cache=True)
def _step(categories, asked, named, free, marginals, nodes, prior, habits):
    """One step of Fisher scoring on every seat's log λ at once; False, and no step, where none would move."""
    cards = marginals.shape[0]
    new = habits.copy()
    for seat in range(habits.shape[0]):
        if asked[seat] == 0:
            continue
        slope = (prior[MEAN] - habits[seat]) / prior[SPREAD] ** 2
        bend = 1.0 / prior[SPREAD] ** 2
        gladly = np.exp(habits[seat])
        for category in range(3 if free else 2):
            size = _count(categories[category])
            for card in range(cards):
                if categories[category] >> card & 1:
                    slope += named[seat * cards + card] * marginals[card, seat]
            for k in range(1, min(size, nodes.shape[2] - 1) + 1):
                share = gladly * k / (size + (gladly - 1.0) * k)  # P(names an own card | holds k)
                slope -= asked[seat] * nodes[category, seat, k] * share
                bend += asked[seat] * nodes[category, seat, k] * share * (1.0 - share)
        new[seat] = min(max(habits[seat] + slope / bend, np.log(prior[LOWEST])), np.log(prior[HIGHEST]))
    if np.abs(new - habits).max() < _STILL:
        return False
    habits[:] = new
    return True


@njit(cache=True)
def _fixed_marginals(has, marginals):
    """Clear the marginals and write the cards that are proved somewhere."""
    marginals[:] = 0.0
    for place in range(has.shape[0]):
        for card in range(marginals.shape[0]):
            if has[place] >> card & 1:
                marginals[card, place] = 1.0


@njit(cache=True)
def _keep_open(unit, marginals):
    """Never let rounding turn an open pair into a certainty: ``unit`` (deals counted equally) decides what is open."""
    for card in range(marginals.shape[0]):
        places = 0
        for place in range(marginals.shape[1]):
            places += unit[card, place] > 0.0
        if places == 1:
            for place in range(marginals.shape[1]):
                marginals[card, place] = 1.0 if unit[card, place] > 0.0 else 0.0
        else:
            for place in range(marginals.shape[1]):
                if unit[card, place] > 0.0:
                    marginals[card, place] = min(max(marginals[card, place], 1e-300), 1.0 - 2.0**-53)


@njit(cache=True)
def solve(
    may, has, sizes, categories, clauses, bans, choices,
    named, asked, reading, fit, free, prior, habits,
    head, plan, keys, starts, layer_at, table, targets, slots, factors, ways, rest,
    weights, marginals, result,
):  # fmt: skip
    """Count the deals and weigh them; returns OK, CONTRADICTION, NO_SPACE or TOO_WIDE.

    ``may`` and ``has`` are narrowed to the notebook's. With ``reading`` the habits (log λ of each seat) are fitted
    first if ``fit``, starting at the prior's mean, else taken as given. Results: ``marginals`` (cards, places);
    ``result``: the number of deals (exact below 2**53) and the log of their total weight.
    """
    seats, cards = sizes.shape[0], marginals.shape[0]
    soft = np.ones((cards, seats + 1))
    carry = reading and free
    status, constant = make_plan(may, has, sizes, categories, clauses, bans, choices, carry, head, plan, soft)
    if status != OK:
        return status
    status = build(head, plan, keys, starts, layer_at, table, targets, slots, factors)
    if status != OK:
        return status
    fixed = np.zeros((3, seats), np.int64)
    needs = np.zeros(seats, np.int64)
    for seat in range(seats):
        needs[seat] = sizes[seat] - _count(has[seat])
        for category in range(3):
            fixed[category, seat] = _count(has[seat] & categories[category])
    norms = np.empty((3, seats if reading else 0, _MAX_HELD))
    nodes = np.zeros((3, seats if reading else 0, _MAX_HELD))
    weights[:] = 1.0
    _fixed_marginals(has, marginals)
    forward(head, plan, keys, starts, layer_at, targets, slots, factors, weights, False, norms, fixed, ways)
    total = backward(
        head, plan, keys, starts, layer_at, targets, slots, factors, weights, False, norms, fixed, ways, rest,
        marginals, nodes,
    )  # fmt: skip
    result[DEALS] = total
    result[LOG_TOTAL] = np.log(total) if total > 0.0 else -np.inf
    if total == 0.0:
        return CONTRADICTION
    unit = marginals.copy()
    if reading or choices.shape[0] > 0:
        if reading and fit:
            habits[:] = prior[MEAN]
        for step in range(int(prior[PASSES]) if reading and fit else 0, -1, -1):
            offset = constant + _card_weights(head, plan, soft, named, habits, categories[2], free, weights)
            if reading:
                offset += _normalisers(categories, fixed, needs, asked, habits, free, norms)
                offset += _fixed_weight(has, named, habits, categories[2], free, cards)
            nodes[:] = 0.0
            exponent = forward(
                head, plan, keys, starts, layer_at, targets, slots, factors, weights, True, norms, fixed, ways
            )
            total = backward(
                head, plan, keys, starts, layer_at, targets, slots, factors, weights, True, norms, fixed, ways, rest,
                marginals, nodes,
            )  # fmt: skip
            result[LOG_TOTAL] = np.log(total) + exponent * _LN2 + offset
            if step and not _step(categories, asked, named, free, marginals, nodes, prior, habits):
                break
    _keep_open(unit, marginals)
    return OK
