"""Compiled: deals drawn card by card, many at a time, each weighed by what the guide has left out.

That is, at each place: that clauses are satisfied, that a hand is full, that three cards are not together, how a shower
chose, how readily somebody names own cards. While a deal is drawn, such a weight is replaced by what it may be expected
to become, the cards to come being taken as independent; at the last card it is what it is. So the draws are weighed
exactly, and drawn where the weight is (twisted sequential Monte Carlo: Whiteley and Lee 2014). Deals of little weight
give way to those of much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.compiled import compiled
from cluedo.ai.knowledge.guide import Guide, Layers
from cluedo.ai.knowledge.programme import Floats, Ints
from cluedo.ai.knowledge.splitmix import GOLDEN, mixed, unit

__all__ = ["Tallies", "draw", "expected", "next_chance", "tally"]


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

    ``shares`` (layer, place) is how likely each card is at each place. Where the guide sees to it that the hand is
    full, it is what is expected if it is.
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


@compiled
def next_chance(state: Ints) -> float:
    """The next number from 0 up to 1 of a generator whose word is kept among signed ones."""
    word = np.uint64(state[0]) + GOLDEN
    state[0] = np.int64(word)
    return unit(mixed(word))


@compiled
def _step(
    layers: Layers,
    guide: Guide,
    weights: Floats,
    tallies: Tallies,
    table: Floats,
    layer: int,
    state: int,
    held: NDArray[np.int32],
    odds: Floats,
    chance: Ints,
) -> tuple[int, int, float]:
    """Place the next card of one deal; returns the state after it, the place and the weight (0: there is no way)."""
    stay, take = odds[0], odds[1]
    stay[:] = 1.0
    take[:] = 1.0
    before = guide.rest[state] * guide.scales[layer]
    for number in range(held.shape[0]):
        place, value = tallies.places[number], held[number]
        if not tallies.here[number, layer]:
            continue
        before *= table[number, layer, value]
        stay[place] *= table[number, layer + 1, value]
        after = tallies.steps[number, layer, value]
        take[place] *= table[number, layer + 1, after] if after >= 0 else 0.0
    barred, others = 0, 1.0
    for place in range(stay.shape[0]):
        if stay[place] == 0.0:
            barred += 1
        else:
            others *= stay[place]
    total = 0.0
    first, last = guide.starts[state], guide.starts[state + 1]
    for edge in range(first, last):
        slot = guide.slots[edge]
        place = layers.places[layer, slot]
        rest = others if stay[place] == 0.0 else others / stay[place]
        if barred > (stay[place] == 0.0):
            rest = 0.0
        total += weights[layer, slot] * guide.rest[guide.targets[edge]] * rest * take[place]
        odds[2, edge - first] = total
    if total == 0.0 or before == 0.0:
        return 0, 0, 0.0
    mark = next_chance(chance) * total
    edge = first
    while edge < last - 1 and odds[2, edge - first] <= mark:
        edge += 1
    return int(guide.targets[edge]), int(layers.places[layer, guide.slots[edge]]), total / before


@compiled
def _renew(weights: Floats, chance: Ints, parents: Ints) -> None:
    """Choose whom each deal goes on from: systematic resampling."""
    count = weights.shape[0]
    step = weights.sum() / count
    mark, total, parent = next_chance(chance) * step, weights[0], 0
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
    seed: int,
    deals: NDArray[np.int8],
    shares: Floats,
) -> float:
    """Fill ``deals`` (n, layers) with places and ``shares`` (n) with their weights, which add up to 1.

    Returns the log of the total weight of all deals, as this draw estimates it, in units of what the guide counts;
    minus infinity if no deal was found.
    """
    count = deals.shape[0]
    chance = np.array([seed])
    states, parents = np.zeros(count, np.int64), np.empty(count, np.int64)
    held = np.zeros((count, tallies.places.shape[0]), np.int32)
    places = max(1 + layers.places.max(), layers.places.shape[1])
    odds = np.empty((3, places))
    shares[:] = 1.0 / count
    log_total = 0.0
    for number in range(table.shape[0]):
        log_total += np.log(table[number, 0, 0])
    for layer in range(layers.slots.shape[0]):
        for row in range(count):
            if shares[row] == 0.0:
                continue
            state, place, weight = _step(
                layers, guide, weights, tallies, table, layer, states[row], held[row], odds, chance
            )
            states[row], deals[row, layer] = state, place
            shares[row] *= weight
            if weight > 0.0:
                for number in range(held.shape[1]):
                    if tallies.places[number] == place:
                        held[row, number] = tallies.steps[number, layer, held[row, number]]
        total = shares.sum()
        if total == 0.0:
            return -np.inf
        log_total += np.log(total)
        shares /= total
        if (shares * shares).sum() * count > 2.0:
            _renew(shares, chance, parents)
            states, held = states[parents], held[parents]
            deals[:, : layer + 1] = deals[parents, : layer + 1]
            shares[:] = 1.0 / count
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
