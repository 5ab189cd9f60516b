"""Compiled: from evidence to count and marginals in one call, by any of the models of evidence."""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.compiled import compiled, count
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
    Asker,
    Facts,
    Floats,
    Ints,
    Programme,
)

__all__ = ["MAX_HELD", "asker_of", "fixed_weight", "mix", "normalisers", "reweigh", "solve"]

MAX_HELD = 64
"""A seat's cards of one category are fewer."""


@compiled
def _card_weights(programme: Programme, facts: Facts, asker: Asker, cards: int) -> float:
    """Fill the weights, each card's greatest being 1; returns the log of what was divided out."""
    head, plan, soft, weights = programme.head, programme.plan, programme.soft, programme.weights
    rooms = facts.categories[2]
    offset = 0.0
    seats = facts.sizes.shape[0]
    for layer in range(head[LAYERS]):
        card = plan[layer, CARD]
        chosen = asker.free or not rooms >> card & 1
        top = -np.inf
        for slot in range(plan[layer, SLOTS]):
            place = plan[layer, PLACE + slot]
            value = np.log(soft[card, place])
            if chosen and place < seats:
                value += facts.named[place * cards + card] * asker.log_own
            weights[layer, slot] = value
            top = max(top, value)
        for slot in range(plan[layer, SLOTS]):
            weights[layer, slot] = np.exp(weights[layer, slot] - top)
        offset += top
    return offset


@compiled
def fixed_weight(facts: Facts, asker: Asker, cards: int) -> float:
    """The log weight of naming the cards that are proved somewhere, and of naming cards that I had shown the asker."""
    total = 0.0
    for seat in range(facts.sizes.shape[0]):
        if asker.again != 1.0:
            for category in range(3 if asker.free else 2):
                total += facts.repeats[3 * seat + category] * np.log(asker.again)
        for card in range(cards):
            if facts.has[seat] >> card & 1 and (asker.free or not facts.categories[2] >> card & 1):
                total += facts.named[seat * cards + card] * asker.log_own
    return total


@compiled
def normalisers(facts: Facts, asker: Asker, norms: Floats) -> None:
    """Fill ``norms`` (category, seat, held) with the log of (n + (λ - 1) held)^-asked, for n cards of the category.

    Where ρ is not 1, the base is n + (λ - 1) held + (ρ - 1) shown for every hypothesis before which I had shown the
    asker so many cards of the category.
    """
    norms[:] = 0.0
    for category in range(3 if asker.free else 2):
        size = count(facts.categories[category])
        for seat in range(norms.shape[1]):
            if facts.asked[seat]:
                for k in range(size + 1):
                    norms[category, seat, k] = -facts.asked[seat] * np.log(size + np.expm1(asker.log_own) * k)
    if asker.again == 1.0:
        return
    groups = facts.after_showing
    for at in range(0, groups.shape[0], 4):
        seat, category, shown, often = groups[at], groups[at + 1], groups[at + 2], groups[at + 3]
        size = count(facts.categories[category])
        if category < 2 or asker.free:
            for k in range(size - shown + 1):
                plain = size + np.expm1(asker.log_own) * k
                norms[category, seat, k] += often * np.log(plain / (plain + (asker.again - 1.0) * shown))


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
    deals = backward(programme, False, norms, fixed, marginals)
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
def _total(facts: Facts, programme: Programme, norms: Floats, marginals: Floats) -> float:
    """The log of the total weight of the deals, by the weights that are set; writes ``marginals`` of the open cards."""
    fixed = _fixed(facts)
    scale = forward(programme, True, norms, fixed)
    total = backward(programme, True, norms, fixed, marginals)
    log_total: float = np.log(total) + scale if total > 0.0 else -np.inf
    return log_total


@compiled
def _weigh(facts: Facts, asker: Asker, programme: Programme, marginals: Floats) -> float:
    """Weigh the states that are there by what the askers named, and write the ``marginals`` of the open cards.

    Returns the log of the total weight, but for the constant of the choices.
    """
    norms = np.empty((3, facts.sizes.shape[0], MAX_HELD))
    programme.head[WEIGHTED] = True
    while True:
        log_weight = _card_weights(programme, facts, asker, marginals.shape[0])
        normalisers(facts, asker, norms)
        log_weight += fixed_weight(facts, asker, marginals.shape[0])
        log_total = _total(facts, programme, norms, marginals)
        if log_total > -np.inf or np.abs(asker.log_own) <= 1e-3:
            weight: float = log_weight + log_total
            return weight
        # After hundreds of hypotheses an extreme λ leaves weights too small for a float: a milder one is taken.
        asker = Asker(asker.free, 0.5 * asker.log_own, asker.again)


@compiled
def solve(facts: Facts, programme: Programme, marginals: Floats) -> tuple[int, float, float]:
    """Count the deals and weigh them by the choices of those who showed me cards, where there are any.

    ``marginals`` (cards, places) are written. Returns a status (OK, CONTRADICTION, NO_SPACE, TOO_WIDE), the number of
    deals (exact below 2**53) and the log of their total weight.
    """
    status, constant, deals = _prepare(facts, False, programme, marginals)
    if status != OK:
        return status, 0.0, 0.0
    unit = marginals.copy()
    log_weight = np.log(deals)
    programme.head[WEIGHTED] = facts.choices.shape[0] > 0
    if programme.head[WEIGHTED]:
        log_weight = _card_weights(programme, facts, Asker(False, 0.0, 1.0), marginals.shape[0])
        log_weight = constant + (log_weight + _total(facts, programme, np.empty((3, 0, 0)), marginals))
    _keep_open(unit, marginals)
    return OK, deals, log_weight


@compiled
def asker_of(free: bool, kind: Floats) -> Asker:
    """The asker of one row of a mixture: the log of its prior, log λ and ρ."""
    return Asker(free, kind[1], kind[2])


@compiled
def mix(
    facts: Facts, free: bool, kinds: Floats, programme: Programme, marginals: Floats, parts: Floats, shares: Floats
) -> tuple[int, float, float]:
    """Count the deals and weigh them by a mixture of kinds of askers, each by its prior and its total weight.

    ``free`` says whether askers choose the room; ``kinds`` has a row for each kind: the log of its prior, log λ and ρ.
    ``parts`` (kind, cards, places) and ``shares`` (kind) get the marginals and the probability of each; ``marginals``
    the mixture's. Returns what :func:`solve` does.
    """
    status, constant, deals = _prepare(facts, free, programme, marginals)
    if status != OK:
        return status, 0.0, 0.0
    unit = marginals.copy()
    for kind in range(kinds.shape[0]):
        parts[kind] = unit
        shares[kind] = kinds[kind, 0] + _weigh(facts, asker_of(free, kinds[kind]), programme, parts[kind])
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
def reweigh(facts: Facts, free: bool, kind: Floats, programme: Programme, marginals: Floats) -> None:
    """Weigh the states that are there, found by `mix` with these facts, by one row of the mixture."""
    _weigh(facts, asker_of(free, kind), programme, marginals.copy())
