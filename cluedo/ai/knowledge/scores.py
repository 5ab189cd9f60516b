"""Compiled: the gain of many hypotheses from one set of sampled deals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.compiled import compiled
from cluedo.ai.knowledge.programme import Floats, Ints

__all__ = ["PoolView", "score"]

_ENOUGH = 16  # deals for each envelope among them, below which envelopes are told apart by the named cards only


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
def _label(deals: NDArray[np.int8], envelope: int, categories: tuple[int, int, int], labels: Ints) -> int:
    """Number the envelopes of the deals from 0; returns how many there are."""
    a, b, c = categories
    numbers = np.full(a * b * c, -1)
    found = 0
    for row in range(deals.shape[0]):
        code = 0
        for card in range(a + b + c):
            if deals[row, card] == envelope:
                if card < a:
                    code += card * b * c
                elif card < a + b:
                    code += (card - a) * c
                else:
                    code += card - a - b
        if numbers[code] < 0:
            numbers[code] = found
            found += 1
        labels[row] = numbers[code]
    return found


@compiled
def _tally(
    deals: NDArray[np.int8],
    triple: tuple[int, int, int],
    me: int,
    before: Ints,
    labels: Ints,
    coarse: bool,
    envelope: int,
    peek: PoolView,
    tally: Floats,
) -> None:
    """Count deals by answer (row; seat * 3 + which card, nobody last) and envelope (column)."""
    seats = before.shape[0]
    a, b, c = triple
    for row in range(deals.shape[0]):
        at = (deals[row, a], deals[row, b], deals[row, c])
        column = labels[row]
        if coarse:
            column = (at[0] == envelope) | (at[1] == envelope) << 1 | (at[2] == envelope) << 2
        seat = -1
        for step in range(1, seats):
            seat = me + step if me + step < seats else me + step - seats
            if at[0] == seat or at[1] == seat or at[2] == seat:
                break
            seat = -1
        if seat < 0:
            if peek.unseen:
                _look(deals, row, peek, 3 * seats, column, tally)
            else:
                tally[3 * seats, column] += 1.0
        elif before[seat] >> a & 1 or before[seat] >> b & 1 or before[seat] >> c & 1:
            tally[3 * seat, column] += 1.0
        else:
            share = 1.0 / ((at[0] == seat) + (at[1] == seat) + (at[2] == seat))
            for which in range(3):
                if at[which] == seat:
                    tally[3 * seat + which, column] += share


@compiled
def _look(deals: NDArray[np.int8], row: int, peek: PoolView, first: int, column: int, tally: Floats) -> None:
    """Count a deal in which nobody answers and I look into the pool: from row ``first`` on, by the card that I find."""
    for card in range(deals.shape[1]):
        if deals[row, card] == peek.pool and not peek.seen >> card & 1:
            tally[first + card, column] += 1.0 / peek.unseen


@compiled
def _tally_all(
    deals: NDArray[np.int8],
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
        if _by_all(at, triple, me, before, column, tally):
            continue
        if peek.unseen:
            _look(deals, row, peek, nobody, column, tally)
        else:
            tally[nobody, column] += 1.0


@compiled
def _by_all(
    at: tuple[int, int, int], triple: tuple[int, int, int], me: int, before: Ints, column: int, tally: Floats
) -> bool:
    """Count the answers of all who hold any of the three. Whether anybody does.

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
            tally[answer, column] += 1.0
        return answer > 0
    share = 1.0 / ((at[0] == choosing) + (at[1] == choosing) + (at[2] == choosing))
    weight = 1
    for which in range(3):
        if at[which] == choosing:
            tally[answer + weight * (choosing + 1), column] += share
        weight *= seats + 1
    return True


@compiled
def _information(tally: Floats, deals: int) -> float:
    """The mutual information, in bits, of the rows and columns of a table of counts.

    With the first-order correction of Miller and Madow (1955): a sample shows some dependence where there is none.
    """
    total, cells, rows, columns = 0.0, 0, 0, 0
    for row in range(tally.shape[0]):
        weight = 0.0
        for column in range(tally.shape[1]):
            value = tally[row, column]
            if value > 0.0:
                total += value * np.log2(value)
                weight += value
                cells += 1
        if weight > 0.0:
            total -= weight * np.log2(weight)
            rows += 1
    for column in range(tally.shape[1]):
        weight = tally[:, column].sum()
        if weight > 0.0:
            total -= weight * np.log2(weight)
            columns += 1
    bias = (cells - rows - columns + 1) / (2.0 * deals * np.log(2.0))
    information: float = max(total / deals + np.log2(deals) - bias, 0.0)
    return information


@compiled
def score(
    deals: NDArray[np.int8],
    triples: Ints,
    me: int,
    before: Ints,
    categories: tuple[int, int, int],
    envelope: int,
    peek: PoolView,
    everybody: bool,
) -> Floats:
    """The estimated gain of each triple (n, 3), in bits; see :func:`cluedo.ai.knowledge.gains.sampled_gains`.

    ``before`` holds for each seat the mask of the cards it has shown me; ``categories`` the sizes of the three;
    ``everybody`` says whether all show a card who can, and not the first alone.
    """
    count = deals.shape[0]
    labels = np.empty(count, np.int64)
    envelopes = _label(deals, envelope, categories, labels)
    coarse = count < _ENOUGH * envelopes
    answers = (before.shape[0] + 1) ** 3 if everybody else 3 * before.shape[0]
    rows = answers + (deals.shape[1] if peek.unseen else 1)
    tally = np.empty((rows, 8 if coarse else envelopes))
    gains = np.empty(triples.shape[0])
    for index in range(triples.shape[0]):
        tally[:] = 0.0
        triple = (triples[index, 0], triples[index, 1], triples[index, 2])
        if everybody:
            _tally_all(deals, triple, me, before, labels, coarse, envelope, peek, tally)
        else:
            _tally(deals, triple, me, before, labels, coarse, envelope, peek, tally)
        gains[index] = _information(tally, count)
    return gains
