"""Compiled: what many hypotheses are expected to tell, from one set of sampled deals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.kernels.common_kernels import envelope_number
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Deals, Floats, Ints

__all__ = ["PoolView", "score_all", "score_first"]

_ENOUGH = 16  # deals for each envelope among them, below which envelopes are told apart by the named cards only
_NOBODY, _ENVELOPE = 100, 101  # ranks; those of seats are below


class PoolView(NamedTuple):
    """What may be seen of the pool when nobody answers.

    Attributes:
        pool: its place.
        unseen: how many of its cards may be looked at and were not; 0 where none may be.
        seen: the mask of those that were.
    """

    pool: int
    unseen: int
    seen: int


@compiled
def _label(deals: Deals, envelope: int, sizes: tuple[int, int, int], labels: Ints) -> int:
    """Number the envelopes of the deals from 0; returns how many there are."""
    numbers = np.empty(sizes[0] * sizes[1] * sizes[2], np.int64)
    numbers[:] = -1
    found = 0
    for row in range(deals.shape[0]):
        number = envelope_number(deals[row], envelope, sizes)
        if numbers[number] < 0:
            numbers[number] = found
            found += 1
        labels[row] = numbers[number]
    return found


@compiled
def _ranks(deals: Deals, me: int, seats: int, envelope: int) -> NDArray[np.int8]:
    """In which order the holders of each card are asked, from 1: an array (cards, deals).

    _NOBODY where nobody who is asked holds it, _ENVELOPE where it is in the envelope.
    """
    ranks = np.empty((deals.shape[1], deals.shape[0]), np.int8)
    ranks[:] = _NOBODY
    for row in range(deals.shape[0]):
        for card in range(deals.shape[1]):
            place = deals[row, card]
            if place == envelope:
                ranks[card, row] = _ENVELOPE
            elif place < seats and place != me:
                ranks[card, row] = place - me if place > me else place - me + seats
    return ranks


@compiled
def _tally(
    ranks: NDArray[np.int8],
    weights: Floats,
    deals: Deals,
    triple: tuple[int, int, int],
    me: int,
    before: Ints,
    labels: Ints,
    coarse: bool,
    peek: PoolView,
    tally: Floats,
) -> None:
    """Sum weights by answer (row; seat * 3 + which card, nobody last) and envelope (column)."""
    seats = before.shape[0]
    named = 1 << triple[0] | 1 << triple[1] | 1 << triple[2]
    for row in range(weights.shape[0]):
        a, b, c = ranks[triple[0], row], ranks[triple[1], row], ranks[triple[2], row]
        column = labels[row]
        if coarse:
            column = (a == _ENVELOPE) | (b == _ENVELOPE) << 1 | (c == _ENVELOPE) << 2
        first = min(a, b, c)
        if first >= _NOBODY:
            if peek.unseen:
                _look(deals, row, weights[row], peek, 3 * seats, column, tally)
            else:
                tally[3 * seats, column] += weights[row]
            continue
        seat = me + first if me + first < seats else me + first - seats
        if before[seat] & named:
            tally[3 * seat, column] += weights[row]
            continue
        share = weights[row] / ((a == first) + (b == first) + (c == first))
        if a == first:
            tally[3 * seat, column] += share
        if b == first:
            tally[3 * seat + 1, column] += share
        if c == first:
            tally[3 * seat + 2, column] += share


@compiled
def _look(deals: Deals, row: int, weight: float, peek: PoolView, first: int, column: int, tally: Floats) -> None:
    """Count a deal in which nobody answers and I look into the pool: from row ``first`` on, by the card that I find."""
    for card in range(deals.shape[1]):
        if deals[row, card] == peek.pool and not peek.seen >> card & 1:
            tally[first + card, column] += weight / peek.unseen


@compiled
def _tally_all(
    deals: Deals,
    weights: Floats,
    triple: tuple[int, int, int],
    me: int,
    before: Ints,
    labels: Ints,
    coarse: bool,
    envelope: int,
    peek: PoolView,
    tally: Floats,
) -> None:
    """As `_tally`, where everybody who can answers; one function for both would take half as long again."""
    nobody = (before.shape[0] + 1) ** 3
    a, b, c = triple
    for row in range(deals.shape[0]):
        at = (deals[row, a], deals[row, b], deals[row, c])
        column = labels[row]
        if coarse:
            column = (at[0] == envelope) | (at[1] == envelope) << 1 | (at[2] == envelope) << 2
        if _by_all(at, weights[row], triple, me, before, column, tally):
            continue
        if peek.unseen:
            _look(deals, row, weights[row], peek, nobody, column, tally)
        else:
            tally[nobody, column] += weights[row]


@compiled
def _by_all(
    at: tuple[int, int, int],
    deal: float,
    triple: tuple[int, int, int],
    me: int,
    before: Ints,
    column: int,
    tally: Floats,
) -> bool:
    """Add the weight of a deal to the answers of all who hold any of the three. Whether anybody does.

    A row is a number of three digits: for each card the seat, from 1, that shows it, or 0. One seat at most has a
    choice, and shows each card that it holds equally often.
    """
    seats = before.shape[0]
    answer, choosing = 0, -1
    weight, earlier = 1, 0
    for which in range(3):
        seat = at[which]
        if seat < seats and seat != me:
            again = before[seat] & (1 << triple[0] | 1 << triple[1] | 1 << triple[2])
            if again:
                # They show the first of the cards that they have shown me before, whatever else they hold.
                if again >> triple[which] & 1 and not again & earlier:
                    answer += weight * (seat + 1)
            elif (at[0] == seat) + (at[1] == seat) + (at[2] == seat) == 1:
                answer += weight * (seat + 1)
            else:
                choosing = seat
        weight *= seats + 1
        earlier |= 1 << triple[which]
    if choosing < 0:
        if answer:
            tally[answer, column] += deal
        return answer > 0
    share = deal / ((at[0] == choosing) + (at[1] == choosing) + (at[2] == choosing))
    weight = 1
    for which in range(3):
        if at[which] == choosing:
            tally[answer + weight * (choosing + 1), column] += share
        weight *= seats + 1
    return True


@compiled
def _information(tally: Floats, deals: float) -> tuple[float, float]:
    """The mutual information of the rows and columns of a table of weights, the sum of which is 1, and the rows' rest.

    Both in bits, the first with the first-order correction of Miller and Madow (1955), for so many deals of equal
    weight: a sample shows some dependence where there is none. The rest is the entropy of the rows beyond that.
    """
    total, answers, cells, rows, columns = 0.0, 0.0, 0, 0, 0
    for row in range(tally.shape[0]):
        weight = 0.0
        for column in range(tally.shape[1]):
            value = tally[row, column]
            if value > 0.0:
                total += value * np.log2(value)
                weight += value
                cells += 1
        if weight > 0.0:
            answers -= weight * np.log2(weight)
            rows += 1
    for column in range(tally.shape[1]):
        weight = 0.0
        for row in range(tally.shape[0]):
            weight += tally[row, column]
        if weight > 0.0:
            total -= weight * np.log2(weight)
            columns += 1
    bias = (cells - rows - columns + 1) / (2.0 * deals * np.log(2.0))
    information = max(total + answers - bias, 0.0)
    return information, answers - information


@compiled
def score_first(
    deals: Deals,
    weights: Floats,
    triples: Ints,
    me: int,
    before: Ints,
    sizes: tuple[int, int, int],
    envelope: int,
    peek: PoolView,
) -> Floats:
    """What the answer to each triple (n, 3) tells where the first who can shows a card: an array (n, 2).

    See :func:`.gains.sampled_information`. ``weights`` (deals) add up to 1; ``before`` holds for each seat the mask of
    the cards it has shown me; ``sizes`` are those of the three categories.
    """
    labels = np.empty(deals.shape[0], np.int64)
    columns, coarse = _columns(deals, envelope, sizes, labels)
    ranks, alike = _ranks(deals, me, before.shape[0], envelope), _equals(weights)
    tally = np.empty((3 * before.shape[0] + (deals.shape[1] if peek.unseen else 1), columns))
    told = np.empty((triples.shape[0], 2))
    for index in range(triples.shape[0]):
        tally[:] = 0.0
        triple = (triples[index, 0], triples[index, 1], triples[index, 2])
        _tally(ranks, weights, deals, triple, me, before, labels, coarse, peek, tally)
        told[index, 0], told[index, 1] = _information(tally, alike)
    return told


@compiled
def score_all(
    deals: Deals,
    weights: Floats,
    triples: Ints,
    me: int,
    before: Ints,
    sizes: tuple[int, int, int],
    envelope: int,
    peek: PoolView,
) -> Floats:
    """As `score_first`, where all show a card who can: few games are so played, and it is as much to compile."""
    labels = np.empty(deals.shape[0], np.int64)
    columns, coarse = _columns(deals, envelope, sizes, labels)
    alike = _equals(weights)
    tally = np.empty(((before.shape[0] + 1) ** 3 + (deals.shape[1] if peek.unseen else 1), columns))
    told = np.empty((triples.shape[0], 2))
    for index in range(triples.shape[0]):
        tally[:] = 0.0
        triple = (triples[index, 0], triples[index, 1], triples[index, 2])
        _tally_all(deals, weights, triple, me, before, labels, coarse, envelope, peek, tally)
        told[index, 0], told[index, 1] = _information(tally, alike)
    return told


@compiled
def _equals(weights: Floats) -> float:
    """How many deals of equal weight say as much as these."""
    squares = 0.0
    for row in range(weights.shape[0]):
        squares += weights[row] * weights[row]
    return 1.0 / squares


@compiled
def _columns(deals: Deals, envelope: int, sizes: tuple[int, int, int], labels: Ints) -> tuple[int, bool]:
    """How many columns a tally has, and whether they are coarse; numbers the envelopes of the deals in ``labels``."""
    envelopes = _label(deals, envelope, sizes, labels)
    coarse = deals.shape[0] < _ENOUGH * envelopes
    return 8 if coarse else envelopes, coarse
