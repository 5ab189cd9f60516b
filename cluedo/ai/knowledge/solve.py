"""Compiled: one call from evidence to count and marginals, under one habit, a fitted one, or a mixture of them."""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.compiled import compiled
from cluedo.ai.knowledge.compiled_unit_rules import count
from cluedo.ai.knowledge.kernels import backward, build, forward
from cluedo.ai.knowledge.layers import make_plan
from cluedo.ai.knowledge.programme import (
    CARD,
    CONTRADICTION,
    LAYERS,
    OK,
    PLACE,
    SLOTS,
    WEIGHTED,
    Facts,
    Floats,
    Habit,
    Ints,
    Programme,
)

__all__ = ["as_kind", "fixed_weight", "mix", "normalisers", "reweigh", "solve", "step"]

_MAX_HELD = 64  # a seat's cards of one category are fewer
_STILL = 1e-4  # a move of log λ that is not worth another pass


@compiled
def _card_weights(programme: Programme, facts: Facts, habit: Habit, cards: int) -> float:
    """Fill the weights, each card's greatest being 1; returns the log of what was divided out."""
    head, plan, soft, weights = programme.head, programme.plan, programme.soft, programme.weights
    rooms = facts.categories[2]
    offset = 0.0
    seats = facts.sizes.shape[0]
    for layer in range(head[LAYERS]):
        card = plan[layer, CARD]
        speaks = habit.on and (habit.free or not rooms >> card & 1)
        top = -np.inf
        for slot in range(plan[layer, SLOTS]):
            place = plan[layer, PLACE + slot]
            value = np.log(soft[card, place])
            if speaks and place < seats:
                value += facts.named[place * cards + card] * habit.logs[place]
            weights[layer, slot] = value
            top = max(top, value)
        for slot in range(plan[layer, SLOTS]):
            weights[layer, slot] = np.exp(weights[layer, slot] - top)
        offset += top
    return offset


@compiled
def fixed_weight(facts: Facts, habit: Habit, cards: int) -> float:
    """The log weight of the cards that are proved somewhere, and of those named again."""
    total = 0.0
    for seat in range(facts.sizes.shape[0]):
        if habit.again != 1.0:
            for category in range(3 if habit.free else 2):
                total += facts.repeated[3 * seat + category] * np.log(habit.again)
        for card in range(cards):
            if facts.has[seat] >> card & 1 and (habit.free or not facts.categories[2] >> card & 1):
                total += facts.named[seat * cards + card] * habit.logs[seat]
    return total


@compiled
def normalisers(facts: Facts, habit: Habit, norms: Floats) -> None:
    """Fill ``norms`` (category, seat, held) with the log of (n + (λ - 1) held)^-asked.

    Where cards shown before count ρ, it is n + (λ - 1) held + (ρ - 1) told for every hypothesis that came after.
    """
    norms[:] = 0.0
    for category in range(3 if habit.free else 2):
        size = count(facts.categories[category])
        for seat in range(norms.shape[1]):
            if facts.asked[seat]:
                for k in range(size + 1):
                    norms[category, seat, k] = -facts.asked[seat] * np.log(size + np.expm1(habit.logs[seat]) * k)
    if habit.again == 1.0:
        return
    for at in range(0, facts.again.shape[0], 4):
        seat, category, told, often = facts.again[at], facts.again[at + 1], facts.again[at + 2], facts.again[at + 3]
        size = count(facts.categories[category])
        if category < 2 or habit.free:
            for k in range(size - told + 1):
                plain = size + np.expm1(habit.logs[seat]) * k
                norms[category, seat, k] += often * np.log(plain / (plain + (habit.again - 1.0) * told))


@compiled
def step(facts: Facts, habit: Habit, marginals: Floats, nodes: Floats) -> bool:
    """One step of Fisher scoring on every seat's log λ at once; False, and no step, where none would move.

    The slope of the log of the total weight is exact: E[named own] - Σ E[λk / (n + (λ - 1)k)].
    """
    cards = marginals.shape[0]
    new = habit.logs.copy()
    for seat in range(new.shape[0]):
        if facts.asked[seat] == 0:
            continue
        slope = (habit.mean - habit.logs[seat]) / habit.spread**2
        bend = 1.0 / habit.spread**2
        gladly = np.exp(habit.logs[seat])
        for category in range(3 if habit.free else 2):
            size = count(facts.categories[category])
            for card in range(cards):
                if facts.categories[category] >> card & 1:
                    slope += facts.named[seat * cards + card] * marginals[card, seat]
            for k in range(1, min(size, nodes.shape[2] - 1) + 1):
                share = gladly * k / (size + (gladly - 1.0) * k)  # P(names an own card | holds k)
                slope -= facts.asked[seat] * nodes[category, seat, k] * share
                bend += facts.asked[seat] * nodes[category, seat, k] * share * (1.0 - share)
        new[seat] = min(max(habit.logs[seat] + slope / bend, np.log(habit.lowest)), np.log(habit.highest))
    if np.abs(new - habit.logs).max() < _STILL:
        return False
    habit.logs[:] = new
    return True


@compiled
def _fixed_marginals(has: Ints, marginals: Floats) -> None:
    """Clear the marginals and write the cards that are proved somewhere."""
    marginals[:] = 0.0
    for place in range(has.shape[0]):
        for card in range(marginals.shape[0]):
            if has[place] >> card & 1:
                marginals[card, place] = 1.0


@compiled
def _keep_open(unit: Floats, marginals: Floats) -> None:
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


@compiled
def _prepare(facts: Facts, free: bool, programme: Programme, marginals: Floats) -> tuple[int, float, float]:
    """Find the states, count the deals and write their ``marginals``.

    Returns a status, the log of the constant of the choices, and the number of deals.
    """
    programme.soft[:] = 1.0
    status, constant = make_plan(facts, free, programme.head, programme.plan, programme.soft)
    if status == OK:
        status = build(programme)
    if status != OK:
        return status, 0.0, 0.0
    norms = np.empty((3, 0, 0))
    fixed = _fixed(facts)
    programme.weights[:] = 1.0
    _fixed_marginals(facts.has, marginals)
    forward(programme, False, norms, fixed)
    deals = backward(programme, False, norms, fixed, marginals, norms)
    return CONTRADICTION if deals == 0.0 else OK, constant, deals


@compiled
def _fixed(facts: Facts) -> Ints:
    """By category and seat, how many cards the seat is proved to hold."""
    seats = facts.sizes.shape[0]
    fixed = np.empty((3, seats), np.int64)
    for category in range(3):
        for seat in range(seats):
            fixed[category, seat] = count(facts.has[seat] & facts.categories[category])
    return fixed


@compiled
def _weigh(facts: Facts, habit: Habit, programme: Programme, marginals: Floats, nodes: Floats) -> float:
    """Weigh the states that are there under ``habit.logs``, and write the ``marginals`` of the open cards.

    ``nodes`` (category, seat, held) gets the probability that a seat, or the pool, holds so many. Returns the log of
    the total weight, but for the constant of the choices.
    """
    norms = np.empty_like(nodes)
    programme.head[WEIGHTED] = True
    while True:
        log_weight = _card_weights(programme, facts, habit, marginals.shape[0])
        if habit.on:
            normalisers(facts, habit, norms)
            log_weight += fixed_weight(facts, habit, marginals.shape[0])
        nodes[:] = 0.0
        fixed = _fixed(facts)
        scale = forward(programme, True, norms, fixed)
        total = backward(programme, True, norms, fixed, marginals, nodes)
        if total > 0.0 or not habit.on or np.abs(habit.logs).max() <= 1e-3:
            weight: float = log_weight + (np.log(total) + scale)
            return weight
        # Hundreds of hypotheses and an extreme λ: no float holds it, so take a milder λ.
        habit.logs[:] *= 0.5


@compiled
def solve(facts: Facts, habit: Habit, programme: Programme, marginals: Floats) -> tuple[int, float, float]:
    """Count the deals and weigh them.

    ``marginals`` (cards, places) are written, and ``habit.logs`` if they are to be fitted. Returns a status (OK,
    CONTRADICTION, NO_SPACE, TOO_WIDE), the number of deals (exact below 2**53) and the log of their total weight.
    """
    status, constant, deals = _prepare(facts, habit.on and habit.free, programme, marginals)
    if status != OK:
        return status, 0.0, 0.0
    unit = marginals.copy()
    log_weight = np.log(deals)
    if habit.fit:
        habit.logs[:] = habit.mean
    left = habit.passes if habit.fit else 0
    programme.head[WEIGHTED] = habit.on or facts.choices.shape[0] > 0
    if programme.head[WEIGHTED]:
        nodes = np.empty((3, facts.sizes.shape[0] if habit.on else 0, _MAX_HELD))
        while True:
            log_weight = constant + _weigh(facts, habit, programme, marginals, nodes)
            if left == 0 or not step(facts, habit, marginals, nodes):
                break
            left -= 1
    _keep_open(unit, marginals)
    return OK, deals, log_weight


@compiled
def as_kind(habit: Habit, kind: Floats) -> Habit:
    """The habit of one row of a mixture."""
    return Habit(
        True,
        False,
        habit.free,
        kind[2],
        habit.mean,
        habit.spread,
        habit.lowest,
        habit.highest,
        habit.passes,
        np.full(habit.logs.shape[0], kind[1]),
    )


@compiled
def mix(
    facts: Facts, habit: Habit, kinds: Floats, programme: Programme, marginals: Floats, parts: Floats, shares: Floats
) -> tuple[int, float, float]:
    """Count the deals and weigh them under a mixture of habits, each weighed by its prior and its total weight.

    ``kinds`` has a row for each habit: the log of its prior, log λ, which all seats share, and ρ. ``parts`` (kind,
    cards, places) and ``shares`` (kind) get the marginals and the probability of each; ``marginals`` the mixture's.
    Returns what :func:`solve` does.
    """
    status, constant, deals = _prepare(facts, habit.free, programme, marginals)
    if status != OK:
        return status, 0.0, 0.0
    unit = marginals.copy()
    nodes = np.empty((3, facts.sizes.shape[0], _MAX_HELD))
    for kind in range(kinds.shape[0]):
        parts[kind] = unit
        shares[kind] = kinds[kind, 0] + _weigh(facts, as_kind(habit, kinds[kind]), programme, parts[kind], nodes)
    top = shares.max()
    shares[:] = np.exp(shares - top)
    total = shares.sum()
    shares /= total
    marginals[:] = 0.0
    for kind in range(kinds.shape[0]):
        marginals += shares[kind] * parts[kind]
    _keep_open(unit, marginals)
    return OK, deals, constant + top + np.log(total)


@compiled
def reweigh(facts: Facts, habit: Habit, kind: Floats, programme: Programme, marginals: Floats) -> None:
    """Weigh the states that are there, found by `mix` with these facts, under one row of the mixture."""
    nodes = np.empty((3, facts.sizes.shape[0], _MAX_HELD))
    _weigh(facts, as_kind(habit, kind), programme, marginals.copy(), nodes)
