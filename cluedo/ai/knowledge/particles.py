"""Compiled: deals drawn card by card, many at a time, each weighed by what the guide has left out.

The guide may leave out, at each place: that clauses are satisfied, that a hand is full, that three cards are not
together, how somebody chose the card that they showed, and how readily somebody names their own cards. While a deal is
drawn, such a weight is replaced by its expectation, the cards to come being taken as independent; after the last card
it is exact. So most draws come from where the weight is, and all of them are weighed exactly (twisted sequential Monte
Carlo: Whiteley and Lee 2014). From time to time deals of little weight are replaced by copies of those of much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.compiled import compiled
from cluedo.ai.knowledge.guide import Guide, Layers
from cluedo.ai.knowledge.programme import Floats, Ints
from cluedo.ai.knowledge.splitmix import uniform

__all__ = ["Tallies", "draw", "expected", "tally"]


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
def expected(tallies: Tallies, shares: Floats) -> Floats:
    """What the weight of each tally is expected to become: (tally, layer, value).

    ``shares`` (layer, place) is how likely each card is at each place. Where the guide ensures that the hand is full,
    the expectation is that of full hands.
    """
    count, layers = tallies.here.shape
    values = tallies.final.shape[1]
    table = np.zeros((count, layers + 1, values))
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
    return table


class _Expected(NamedTuple):
    """What the tallies expect of each of n deals at a layer.

    Attributes:
        before: (n), as it is, and of the guide what it has left to go.
        others: (n), if the layer's card is nowhere, but for those places that must have it.
        must: (n), how many places must have it, so that nothing else is possible.
        stay: (place, n), of a place alone, if the card is not there.
        odds: (place, n), by how much more is expected if the card is there; of a place that must have it, what is.
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
    chance: NDArray[np.uint64],
) -> None:
    """Place the next card of each deal that has a share: its state, its share and where the card was ``placed``.

    A deal for which there is no way has no share any more.
    """
    places, slot_weights = layers.places[layer], weights[layer]
    sums = np.empty(places.shape[0])
    for row in range(states.shape[0]):
        placed[row] = -1
        if shares[row] == 0.0:
            continue
        total, must = 0.0, found.must[row]
        first = np.int64(guide.starts[states[row]])
        count = np.int64(guide.starts[states[row] + 1]) - first
        for edge in range(count):
            slot = guide.slots[first + edge]
            place = places[slot]
            if must == 0 or (must == 1 and found.stay[place, row] == 0.0):
                total += slot_weights[slot] * guide.rest[guide.targets[first + edge]] * found.odds[place, row]
            sums[edge] = total
        if total == 0.0 or found.before[row] == 0.0:
            shares[row] = 0.0
            continue
        mark = uniform(chance, 0) * total
        edge = 0
        while edge < count - 1 and sums[edge] <= mark:
            edge += 1
        states[row], placed[row] = guide.targets[first + edge], places[guide.slots[first + edge]]
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
def _trace(placed: NDArray[np.int8], origins: NDArray[np.int32], deals: NDArray[np.int8]) -> None:
    """Fill ``deals`` (n, layers) with what was ``placed`` (layer, n), by where each went on from after a layer."""
    for row in range(deals.shape[0]):
        at = row
        for layer in range(deals.shape[1] - 1, -1, -1):
            at = origins[layer, at]
            deals[row, layer] = placed[layer, at]


@compiled
def draw(
    layers: Layers,
    guide: Guide,
    weights: Floats,
    tallies: Tallies,
    table: Floats,
    seed: int,
    deals: NDArray[np.int8],
    shares: Floats,
) -> float:
    """Fill ``deals`` (n, layers) with places and ``shares`` (n) with their weights, which add up to 1.

    Returns the log of the total weight of all deals, as this draw estimates it, in units of what the guide counts;
    minus infinity if no deal was found.
    """
    count, last = deals.shape
    chance = np.array([seed], np.uint64)
    states, parents = np.zeros(count, np.int64), np.empty(count, np.int64)
    held, other = np.zeros((2, tallies.places.shape[0], count), np.int32)
    places = layers.places.max() + 1
    for place in tallies.places:
        places = max(places, place + 1)
    stay, odds = np.empty((places, count)), np.empty((places, count))
    found = _Expected(np.empty(count), np.empty(count), np.empty(count, np.int32), stay, odds)
    placed, origins = np.empty((last, count), np.int8), np.empty((last, count), np.int32)
    origins[:] = np.arange(count)
    shares[:] = 1.0 / count
    log_total = 0.0
    for number in range(table.shape[0]):
        log_total += np.log(table[number, 0, 0])
    for layer in range(last):
        for row in range(count):
            found.before[row] = guide.rest[states[row]] * guide.scales[layer]
        _weigh(tallies, table, layer, held, found)
        _place(layers, guide, weights, layer, states, shares, found, placed[layer], chance)
        _count(tallies, layer, placed[layer], held)
        total = shares.sum()
        if total == 0.0:
            return -np.inf
        log_total += np.log(total)
        shares /= total
        if (shares * shares).sum() * count > 2.0:
            _renew(shares, chance, parents)
            states = states[parents]
            for number in range(held.shape[0]):
                old, new = held[number], other[number]
                for row in range(count):
                    new[row] = old[np.uint32(parents[row])]
            held, other = other, held
            shares[:] = 1.0 / count
            origins[layer] = parents
    _trace(placed, origins, deals)
    return log_total


@compiled
def tally(
    deals: NDArray[np.int8], shares: Floats, envelope: int, marginals: Floats, joint: NDArray[np.float64]
) -> None:
    """Add the ``shares`` (n) of some ``deals`` (n, cards) to the ``marginals`` and the envelopes' ``joint``."""
    suspects, weapons, _ = joint.shape
    for row in range(deals.shape[0]):
        a, b, c = 0, 0, 0
        for card in range(deals.shape[1]):
            place = deals[row, card]
            marginals[card, place] += shares[row]
            if place == envelope:
                if card < suspects:
                    a = card
                elif card < suspects + weapons:
                    b = card - suspects
                else:
                    c = card - suspects - weapons
        joint[a, b, c] += shares[row]
