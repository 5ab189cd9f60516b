"""Compiled: from evidence to count and marginals in one call, by any of the models of evidence."""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.kernels.askers import MAX_HELD, Asker, fixed_weight, normalisers
from cluedo.ai.knowledge.kernels.common_kernels import GOLDEN, cleared, count, greatest, mixed, uniform
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.draws import joint, sample
from cluedo.ai.knowledge.kernels.forward_backward import backward, build, count_deals, forward
from cluedo.ai.knowledge.kernels.layers import make_plan
from cluedo.ai.knowledge.kernels.programme import (
    CARD,
    CONTRADICTION,
    IN_LOGS,
    LAYERS,
    OK,
    PLACE,
    SLOTS,
    WEIGHTED,
    Deals,
    EvidenceArrays,
    Floats,
    Ints,
    Programme,
)

__all__ = ["mixed_joint", "mixed_sample", "solve"]

_WIDE = 300.0  # factors whose logs are further apart are multiplied in logs: others could be too small for a float
_NEGLIGIBLE = 2.0**-53  # the share of a kind that no sum would notice


@compiled
def _card_weights(programme: Programme, evidence: EvidenceArrays, asker: Asker, kind: int, cards: int) -> float:
    """Fill the weights of one kind, each card's greatest being 1; returns the log of what was divided out."""
    head, plan, soft, weights = programme.head, programme.plan, programme.soft, programme.weights
    rooms = evidence.categories[2]
    offset = 0.0
    seats = evidence.counts.shape[0]
    for layer in range(head[LAYERS]):
        card = plan[layer, CARD]
        chosen = asker.free or not rooms >> card & 1
        top = -np.inf
        for slot in range(plan[layer, SLOTS]):
            place = plan[layer, PLACE + slot]
            value = np.log(soft[card, place])
            if chosen and place < seats:
                value += evidence.named[place * cards + card] * asker.log_own
            weights[layer, slot, kind] = value
            top = max(top, value)
        for slot in range(plan[layer, SLOTS]):
            weights[layer, slot, kind] = np.exp(weights[layer, slot, kind] - top)
        offset += top
    return offset


@compiled
def _fixed_marginals(has: Ints, marginals: Floats) -> None:
    """Clear the marginals and write the cards that are proved somewhere."""
    marginals[:] = 0.0
    for place in range(has.shape[0]):
        for card in range(marginals.shape[0]):
            if has[place] >> card & 1:
                marginals[card, place] = 1.0


@compiled
def _copy(source: Floats, target: Floats) -> None:
    """Copy one table to another: numba compiles a loop in a tenth of the time of ``target[:] = source``."""
    for row in range(source.shape[0]):
        for column in range(source.shape[1]):
            target[row, column] = source[row, column]


@compiled
def _keep_open(fits: Floats, marginals: Floats) -> None:
    """Never let rounding turn an open pair into a certainty: ``fits`` says which pairs are open."""
    for card in range(marginals.shape[0]):
        places = 0.0
        for place in range(marginals.shape[1]):
            places += fits[card, place]
        for place in range(marginals.shape[1]):
            if fits[card, place] > 0.0:
                value = marginals[card, place]
                marginals[card, place] = 1.0 if places == 1.0 else min(max(value, 1e-300), 1.0 - 2.0**-53)
            else:
                marginals[card, place] = 0.0


@compiled
def _prepare(evidence: EvidenceArrays, free: bool, programme: Programme, fits: Floats) -> tuple[int, float, float]:
    """Find the states and count the deals; ``fits`` (cards, places) gets 1 where any of them puts a card.

    Returns a status, the log of the constant of the choices, and the number of deals.
    """
    programme.soft[:] = 1.0
    status, constant = make_plan(evidence, free, programme.head, programme.plan, programme.soft)
    if status == OK:
        status = build(programme)
    if status != OK:
        return status, 0.0, 0.0
    _fixed_marginals(evidence.has, fits)
    deals = count_deals(programme, fits)
    return CONTRADICTION if deals == 0.0 else OK, constant, deals


@compiled
def _fixed(evidence: EvidenceArrays) -> Ints:
    """By category and seat, how many cards the seat is proved to hold."""
    seats = evidence.counts.shape[0]
    fixed = np.empty((3, seats), np.int64)
    for category in range(3):
        for seat in range(seats):
            fixed[category, seat] = count(evidence.has[seat] & evidence.categories[category])
    return fixed


@compiled
def _log_totals(evidence: EvidenceArrays, programme: Programme, norms: Floats, parts: Floats) -> Floats:
    """The log of the total weight of the deals by each kind's weights; writes ``parts``, of the unproved cards."""
    fixed = _fixed(evidence)
    scales = forward(programme, norms, fixed)
    totals = backward(programme, norms, fixed, parts)
    for kind in range(totals.shape[0]):
        totals[kind] = np.log(totals[kind]) + scales[kind] if totals[kind] > 0.0 else -np.inf
    return totals


@compiled
def _least(values: Floats) -> float:
    low = np.inf
    for index in range(values.shape[0]):
        low = min(low, values[index])
    return low


@compiled
def _out_of_logs(evidence: EvidenceArrays, programme: Programme, norms: Floats) -> Floats:
    """Turn the logs ``norms`` into factors, where these are not too far apart; returns by kind what to add for that."""
    offsets, widest = cleared(np.empty(norms.shape[3])), 0.0
    for kind in range(norms.shape[3]):
        width = 0.0
        for category in range(3):
            for seat in range(norms.shape[1]):
                row = norms[category, seat, : count(evidence.categories[category]) + 1, kind]
                width += greatest(row) - _least(row)
        widest = max(widest, width)
    programme.head[IN_LOGS] = widest > _WIDE
    if widest > _WIDE:
        return offsets
    for category in range(3):
        held = count(evidence.categories[category]) + 1
        for seat in range(norms.shape[1]):
            for kind in range(norms.shape[3]):
                row = norms[category, seat, :held, kind]
                top = greatest(row)
                offsets[kind] += top
                for index in range(held):
                    row[index] = np.exp(row[index] - top)
    return offsets


@compiled
def _weigh(evidence: EvidenceArrays, free: bool, kinds: Floats, programme: Programme, parts: Floats) -> Floats:
    """Weigh the states that are there by what the askers named, and write the marginals of the unproved cards.

    Returns by kind the log of the total weight, but for the constant of the choices.
    """
    size, cards = kinds.shape[0], parts.shape[1]
    norms = np.empty((3, evidence.counts.shape[0], MAX_HELD, size))
    log_weights, milder = np.empty(size), 1.0
    programme.head[WEIGHTED] = True
    while True:
        for kind in range(size):
            asker = Asker(free, milder * kinds[kind, 1], kinds[kind, 2])
            normalisers(evidence, asker, norms[:, :, :, kind])
            log_weights[kind] = _card_weights(programme, evidence, asker, kind, cards)
            log_weights[kind] += fixed_weight(evidence, asker, cards)
        offsets = _out_of_logs(evidence, programme, norms)
        totals = _log_totals(evidence, programme, norms, parts)
        for kind in range(size):
            log_weights[kind] += offsets[kind] + totals[kind]
        if _least(log_weights) > -np.inf or milder < 1e-3:
            return log_weights
        milder *= 0.5  # after hundreds of hypotheses an extreme λ leaves weights too small for a float


@compiled
def _weigh_alike(evidence: EvidenceArrays, programme: Programme, parts: Floats) -> tuple[float, float]:
    """Weigh the states by the choices of those who showed me cards, where there are any, as :func:`_weigh` does.

    Returns the logs of two factors of the total weight.
    """
    programme.head[WEIGHTED] = evidence.choices.shape[0] > 0
    programme.weights[:] = 1.0
    chosen = 0.0
    if programme.head[WEIGHTED]:
        chosen = _card_weights(programme, evidence, Asker(False, 0.0, 1.0), 0, parts.shape[1])
    return chosen, _log_totals(evidence, programme, np.empty((3, 0, 0, 1)), parts)[0]


@compiled
def solve(
    evidence: EvidenceArrays,
    free: bool,
    kinds: Floats,
    programme: Programme,
    marginals: Floats,
    parts: Floats,
    shares: Floats,
) -> tuple[int, float, float]:
    """Count the deals and weigh them by a mixture of kinds of askers, each by its prior and its total weight.

    ``free`` says whether askers choose the room; ``kinds`` has a row for each kind: the log of its prior, log λ and ρ.
    Without any, what is named says nothing. ``parts`` (kind, cards, places) and ``shares`` (kind) get the marginals and
    the probability of each; ``marginals`` the mixture's. Returns a status (OK, CONTRADICTION, NO_SPACE, TOO_WIDE), the
    number of deals (exact below 2**53) and the log of their total weight.
    """
    fits = np.empty(marginals.shape)
    status, constant, deals = _prepare(evidence, free and kinds.shape[0] > 0, programme, fits)
    if status != OK:
        return status, 0.0, 0.0
    for kind in range(shares.shape[0]):
        _copy(fits, parts[kind])
    if kinds.shape[0] == 0:
        chosen, total = _weigh_alike(evidence, programme, parts)
        shares[0] = 1.0
        _copy(parts[0], marginals)
        _keep_open(fits, marginals)
        return OK, deals, constant + chosen + total
    log_weights = _weigh(evidence, free, kinds, programme, parts)
    for kind in range(kinds.shape[0]):
        log_weights[kind] += kinds[kind, 0]
    top, total = greatest(log_weights), 0.0
    for kind in range(kinds.shape[0]):
        shares[kind] = np.exp(log_weights[kind] - top)
        total += shares[kind]
    marginals[:] = 0.0
    for kind in range(kinds.shape[0]):
        shares[kind] /= total
        for card in range(marginals.shape[0]):
            for place in range(marginals.shape[1]):
                marginals[card, place] += shares[kind] * parts[kind, card, place]
    _keep_open(fits, marginals)
    return OK, deals, constant + top + np.log(total)


@compiled
def mixed_joint(
    evidence: EvidenceArrays,
    programme: Programme,
    shares: Floats,
    parts: Floats,
    sizes: tuple[int, int, int],
    buffers: Floats,
) -> Floats:
    """P(suspect, weapon, room in the envelope) by the mixture that `solve` found with this evidence.

    ``sizes`` and ``buffers`` are as in :func:`~cluedo.ai.knowledge.kernels.draws.joint`.
    """
    table = cleared(np.empty(sizes))
    for kind in range(shares.shape[0]):
        if shares[kind] > _NEGLIGIBLE:
            one = joint(evidence, programme, kind, sizes, parts[kind], buffers)
            for suspect in range(sizes[0]):
                for weapon in range(sizes[1]):
                    for room in range(sizes[2]):
                        table[suspect, weapon, room] += shares[kind] * one[suspect, weapon, room]
    return table


@compiled
def mixed_sample(seed: np.uint64, evidence: EvidenceArrays, programme: Programme, shares: Floats, deals: Deals) -> None:
    """Fill ``deals`` (n, cards) with exact draws from the mixture that `solve` found with this evidence.

    Each kind gets its share of n, rounded up or down at random; ``seed`` is one unsigned 64-bit word.
    """
    state = np.empty(1, np.uint64)
    state[0] = seed
    count = deals.shape[0]
    mark, ahead, start = uniform(state, 0), 0.0, 0
    for kind in range(shares.shape[0]):
        ahead += shares[kind]
        stop = start
        while stop < count and (stop + mark < ahead * count or kind == shares.shape[0] - 1):
            stop += 1
        if stop > start:
            state[0] += GOLDEN
            sample(mixed(state[0]), evidence.has, programme, kind, deals[start:stop])
        start = stop
