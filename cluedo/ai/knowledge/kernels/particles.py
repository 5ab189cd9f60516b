"""Compiled: deals drawn card by card, many at a time, each weighed by what the guide has left out.

The guide may leave out, at each place: that clauses are satisfied, that a hand is full, that three cards are not
together, how somebody chose the card that they showed, and how readily somebody names their own cards. While a deal is
drawn, such a weight is replaced by its expectation, the cards to come being taken as independent; after the last card
it is exact. So most draws come from where the weight is, and all of them are weighed exactly (twisted sequential Monte
Carlo: Whiteley and Lee 2014). From time to time deals of little weight are replaced by copies of those of much.

What decides where a card goes is not independent from deal to deal, but spread evenly over them, from a random start
(randomised quasi-Monte Carlo, as in Gerber and Chopin 2015). That halves the variance of the odds of cards.
"""

from __future__ import annotations

from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.kernels.common_kernels import GOLDEN, envelope_number, mixed, uniform, unit
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.guide import Guide, Layers
from cluedo.ai.knowledge.kernels.programme import MAX_LAYERS, Deals, Floats, Ints

__all__ = ["Tallies", "draw", "expected", "tally"]

_PRIMES = [number for number in range(2, 312) if all(number % other for other in range(2, number))]
_STEPS = np.array([isqrt(prime << 128) % (1 << 64) for prime in _PRIMES[:MAX_LAYERS]], np.uint64)
"""By layer, how far the marks of two deals that follow each other are apart, of 2^64: parts of roots of primes, whose
multiples spread evenly in many dimensions."""


class Tallies(NamedTuple):
    """What weighs a deal beside the guide: at a place, a tally of the cards that it has got, as one number.

    Attributes:
        places: (tally), the place.
        steps: (tally, layer, value), the value after the layer's card is put there, or -1 if that cannot be.
        final: (tally, value), the weight of the last value.
        needs: (tally, value), how many cards the hand still needs.
        alone: (tally), whether the guide itself sees to it that the hand is full.
        here: (tally, layer), whether the layer's card can be there.
    """

    places: Ints
    steps: NDArray[np.int32]
    final: Floats
    needs: Ints
    alone: NDArray[np.bool_]
    here: NDArray[np.bool_]


@compiled
def expected(tallies: Tallies, shares: Floats) -> tuple[Floats, float]:
    """What the weight of each tally is expected to become: (tally, layer, value); and the log of that of all together.

    ``shares`` (layer, place) is how likely each card is at each place. Where the guide ensures that the hand is full,
    the expectation is that of full hands.
    """
    count, layers = tallies.here.shape
    values = tallies.final.shape[1]
    table, log_total = np.zeros((count, layers + 1, values)), 0.0
    full = np.zeros((layers + 1, tallies.needs.max() + 2 if count else 1))
    for number in range(count):
        place, now = tallies.places[number], table[number]
        now[layers] = tallies.final[number]
        full[layers] = 0.0
        full[layers, 0] = 1.0
        for layer in range(layers - 1, -1, -1):
            share = shares[layer, place] if tallies.here[number, layer] else 0.0
            for need in range(full.shape[1]):
                full[layer, need] = (1.0 - share) * full[layer + 1, need]
                if need:
                    full[layer, need] += share * full[layer + 1, need - 1]
            for value in range(values):
                step = tallies.steps[number, layer, value]
                now[layer, value] = (1.0 - share) * now[layer + 1, value]
                if step >= 0:
                    now[layer, value] += share * now[layer + 1, step]
        if tallies.alone[number]:
            for layer in range(layers + 1):
                for value in range(values):
                    odds = full[layer, tallies.needs[number, value]]
                    now[layer, value] = now[layer, value] / odds if odds > 0.0 else 0.0
        log_total += np.log(now[0, 0])
    return table, log_total


class _Expected(NamedTuple):
    """What the tallies expect of each of n deals at a layer.

    Attributes:
        before: (n), as it is, and of the guide what it has left to go.
        others: (n), if the layer's card is nowhere, but for those places that must have it.
        must: (n), how many places must have it, so that nothing else is possible.
        stay: (place, n), of a place alone, if the card is not there.
        odds: (place, n), by how much more is expected if the card is there; of a place that must have it, what is, and
            0 where others must.
    """

    before: Floats
    others: Floats
    must: NDArray[np.int32]
    stay: Floats
    odds: Floats


@compiled
def _weigh(tallies: Tallies, table: Floats, layer: int, held: NDArray[np.int32], found: _Expected) -> None:
    """Write what is expected at a layer, but ``before``, which is multiplied; ``held`` (tally, n) are the tallies.

    The loop runs tally by tally and place by place, so that numbers used together lie close together in memory.
    """
    before, others, must = found.before, found.others, found.must
    found.stay[:] = 1.0
    found.odds[:] = 1.0
    for number in range(held.shape[0]):
        if not tallies.here[number, layer]:
            continue
        place = tallies.places[number]
        steps, now, then = tallies.steps[number, layer], table[number, layer], table[number, layer + 1]
        values, stay, take = held[number], found.stay[place], found.odds[place]
        for row in range(values.shape[0]):
            value = np.uint32(values[row])
            before[row] *= now[value]
            stay[row] *= then[value]
            after = steps[value]
            take[row] *= then[np.uint32(after)] if after >= 0 else 0.0
    others[:] = 1.0
    must[:] = 0
    for place in range(found.stay.shape[0]):
        stay, take = found.stay[place], found.odds[place]
        for row in range(others.shape[0]):
            zero = stay[row] == 0.0
            alone = 1.0 if zero else stay[row]
            must[row] += zero
            others[row] *= alone
            take[row] /= alone
    for place in range(found.stay.shape[0]):
        stay, take = found.stay[place], found.odds[place]
        for row in range(must.shape[0]):
            if must[row] > (stay[row] == 0.0):
                take[row] = 0.0


@compiled
def _place(
    layers: Layers,
    guide: Guide,
    weights: Floats,
    layer: int,
    states: Ints,
    shares: Floats,
    found: _Expected,
    placed: NDArray[np.int8],
    word: np.uint64,
) -> None:
    """Place the next card of each deal that has a share: its state, its share and where the card was ``placed``.

    A deal for which there is no way has no share any more. ``word`` is random; the mark of each deal is that of the
    one before and a step.
    """
    places, slot_weights, step = layers.places[layer], weights[layer], _STEPS[layer]
    sums = np.empty(places.shape[0])
    for row in range(states.shape[0]):
        word += step
        placed[row] = -1
        if shares[row] == 0.0:
            continue
        first, total = np.uint64(guide.starts[states[row]]), 0.0
        count = np.uint64(guide.starts[states[row] + 1]) - first
        for edge in range(count):
            slot = np.uint64(guide.slots[first + edge])
            rest = guide.rest[np.uint64(guide.targets[first + edge])]
            total += slot_weights[slot] * rest * found.odds[np.uint64(places[slot]), row]
            sums[edge] = total
        if total == 0.0 or found.before[row] == 0.0:
            shares[row] = 0.0
            continue
        mark, taken = unit(word) * total, first
        for edge in range(count - 1):  # all of them: a loop that ends anywhere is slower
            taken += np.uint64(sums[edge] <= mark)
        states[row], placed[row] = guide.targets[taken], places[guide.slots[taken]]
        shares[row] *= total * found.others[row] / found.before[row]


@compiled
def _count(tallies: Tallies, layer: int, placed: NDArray[np.int8], held: NDArray[np.int32]) -> None:
    """Count the card of a layer in the tallies (tally, n) of the place where it was put."""
    for number in range(held.shape[0]):
        place = tallies.places[number]
        if tallies.here[number, layer]:
            steps, values = tallies.steps[number, layer], held[number]
            for row in range(values.shape[0]):
                if placed[row] == place:
                    values[row] = steps[values[row]]


@compiled
def _renew(weights: Floats, chance: NDArray[np.uint64], parents: Ints) -> None:
    """Choose for each deal the deal that it continues: systematic resampling."""
    count = weights.shape[0]
    step = weights.sum() / count
    mark, total, parent = uniform(chance, 0) * step, weights[0], 0
    for row in range(count):
        while total <= mark and parent < count - 1:
            parent += 1
            total += weights[parent]
        parents[row] = parent
        mark += step


@compiled
def draw(
    layers: Layers,
    guide: Guide,
    weights: Floats,
    tallies: Tallies,
    table: Floats,
    cards: Ints,
    seed: int,
    deals: Deals,
    shares: Floats,
    totals: Floats,
) -> None:
    """Draw several runs of deals, each by itself: ``deals`` (run, n, card) get the places of the cards of the layers.

    The weights of a run, in ``shares`` (run, n), add up to 1. ``totals`` (run) get the log of the total weight of all
    deals, as the run estimates it, by what was expected; minus infinity if it has found no deal.
    """
    chance = np.array([seed], np.uint64)
    for run in range(totals.shape[0]):
        totals[run] = _run(layers, guide, weights, tallies, table, cards, chance, deals[run], shares[run])


@compiled
def _run(
    layers: Layers,
    guide: Guide,
    weights: Floats,
    tallies: Tallies,
    table: Floats,
    cards: Ints,
    chance: NDArray[np.uint64],
    deals: Deals,
    shares: Floats,
) -> float:
    """One run of :func:`draw`; returns its total."""
    count, last = deals.shape[0], cards.shape[0]
    states, parents = np.zeros(count, np.int64), np.empty(count, np.int64)
    held = np.zeros((tallies.places.shape[0], count), np.int32)
    places = layers.places.max() + 1 if last else 0  # no card is unproved, so none has a place
    for place in tallies.places:
        places = max(places, place + 1)
    stay, odds = np.empty((places, count)), np.empty((places, count))
    found = _Expected(np.empty(count), np.empty(count), np.empty(count, np.int32), stay, odds)
    placed = np.empty((last, count), np.int8)
    shares[:] = 1.0 / count
    log_total = 0.0
    for layer in range(last):
        for row in range(count):
            found.before[row] = guide.rest[states[row]] * guide.scales[layer]
        _weigh(tallies, table, layer, held, found)
        chance[0] += GOLDEN
        _place(layers, guide, weights, layer, states, shares, found, placed[layer], mixed(chance[0]))
        _count(tallies, layer, placed[layer], held)
        total, squares = 0.0, 0.0
        for share in shares:
            total += share
            squares += share * share
        if total == 0.0:
            return -np.inf
        log_total += np.log(total)
        shares /= total
        if squares * count > 2.0 * total * total:
            _renew(shares, chance, parents)
            shares[:] = 1.0 / count
            states = states[parents]
            for number in range(held.shape[0]):
                held[number] = held[number][parents]
            for earlier in range(layer + 1):
                placed[earlier] = placed[earlier][parents]
    for layer in range(last):
        deals[:, cards[layer]] = placed[layer]
    return log_total


@compiled
def tally(deals: Deals, shares: Floats, envelope: int, marginals: Floats, joint: Floats) -> None:
    """Add the ``shares`` (run, n) of ``deals`` (run, n, card) to the ``marginals`` and the ``joint`` of each run."""
    sizes, envelopes = joint.shape[1:], joint.reshape(joint.shape[0], -1)
    for run in range(deals.shape[0]):
        for row in range(deals.shape[1]):
            deal, share = deals[run, row], shares[run, row]
            for card in range(deal.shape[0]):
                marginals[run, card, deal[card]] += share
            envelopes[run, envelope_number(deal, envelope, sizes)] += share
