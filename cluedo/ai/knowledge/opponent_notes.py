"""Compiled: what the other players can know, in deals that may be the real one.

In a given deal one can work out all that another player knows: their hand there, all the events of the game, and the
cards that were shown to them. Which of several cards they were shown is drawn at random.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.compiled import compiled, count, propagate
from cluedo.ai.knowledge.event_rows import (
    ACCUSED,
    ASKED,
    KIND,
    LAID_OPEN,
    NAMED,
    PASSED,
    PEEKED,
    SAW,
    SHOWED,
    THEN_ACCUSED,
    WHO,
    Seating,
)
from cluedo.ai.knowledge.programme import Floats, Ints
from cluedo.ai.knowledge.splitmix import next_chance

__all__ = ["WAYS", "know", "outlast"]

WAYS: Final = 3
"""Ways to keep notes: 0, the cards that one has seen; 1, also one's own unanswered hypotheses; 2, a whole notebook."""

_SEEN, _MARKED, _CLAUSES, _BANS, _CHANCE = range(5)
"""Where in a seat's notes stand the masks of cards seen and marked, the numbers of clauses and bans, and chance."""


@compiled
def _seen(held: int, row: Ints, known: int, state: Ints) -> int:
    """The mask of the card that somebody saw of those held.

    It is the card that they are known to have seen; else one that they knew already; else any, drawn at random.
    """
    seen: int = held & row[SAW]
    if seen:
        return seen
    if held & known:
        held &= known
    skip = int(next_chance(state) * count(held))
    while skip:
        held &= held - 1
        skip -= 1
    card: int = held & -held
    return card


@compiled
def _open(mask: int, categories: Ints) -> float:
    """How many envelopes a mask of cards leaves, in bits."""
    bits = 0.0
    for category in range(3):
        bits += np.log2(max(count(mask & categories[category]), 1))
    return bits


@compiled
def _outside(may: Ints, seen: int, marked: int, categories: Ints, ruled_out: Ints) -> None:
    """Fill ``ruled_out`` with the cards that each way to keep notes proves not to be in the envelope."""
    deck = categories[0] | categories[1] | categories[2]
    ruled_out[0] = ruled_out[1] = seen
    for category in range(3):
        if marked & categories[category]:
            ruled_out[1] |= categories[category] & ~marked
    ruled_out[2] = deck & ~may[may.shape[0] - 1]


@compiled
def _naming(row: Ints, hand: int, ruled_out: int, categories: Ints, kind: Floats) -> float:
    """The log of how likely a kind names these three cards, but for where they could have walked.

    In each category an open card counts 1, a card of their own λ, and one that they know to be elsewhere ρ. Where the
    category is settled, a card of their own counts 1 as well: nobody else can show it.
    """
    likely = 0.0
    for category in range(3):
        cards = categories[category]
        at = 3 if category == 2 else 1
        own, again = kind[at], kind[at + 1]
        open_ = count(cards & ~ruled_out)
        if open_ <= 1:
            own = 1.0
        mine, known = count(cards & hand), count(cards & ruled_out & ~hand)
        card = 1 << row[NAMED + category]
        named = own if hand & card else again if ruled_out & card else 1.0
        likely += np.log(named / (open_ + own * mine + again * known))
    return likely


@compiled
def _put(place: int, cards: int, may: Ints, has: Ints) -> None:
    """Note that cards are at a place."""
    for other in range(may.shape[0]):
        if other != place:
            may[other] &= ~cards
    has[place] |= cards


@compiled
def _note(
    row: Ints, seat: int, at: Seating, hands: Ints, may: Ints, has: Ints, clauses: Ints, bans: Ints, notes: Ints
) -> None:
    """Write down what a seat learns of one row of the log in a deal.

    ``may`` and ``has`` (places), ``clauses`` and ``bans`` (pairs of place and mask) are its notebook; ``notes`` holds
    the masks of the cards that it saw and that it marked by itself, the numbers of clauses and bans, and the state of
    chance.
    """
    kind, who = row[KIND], row[WHO]
    mask = 1 << row[NAMED] | 1 << row[NAMED + 1] | 1 << row[NAMED + 2]
    if kind == ASKED:
        _note_answers(row, mask, seat, at, hands, may, has, clauses, notes)
        if at.not_all and who != seat and not row[SHOWED]:
            _note_ban(who, mask, bans, notes)
    elif kind == ACCUSED:
        _note_ban(may.shape[0] - 1, mask, bans, notes)
    elif kind == LAID_OPEN:
        _put(who, hands[who], may, has)
        may[who] &= hands[who]
        notes[_SEEN] |= hands[who]
    elif kind == PEEKED and who == seat:
        left = hands[at.pool_at] & ~notes[_SEEN]
        if left:
            card = _seen(left, row, 0, notes[_CHANCE:])
            _put(at.pool_at, card, may, has)
            notes[_SEEN] |= card


@compiled
def _note_ban(place: int, mask: int, bans: Ints, notes: Ints) -> None:
    """Note that three cards are not all at a place."""
    bans[notes[_BANS]], bans[notes[_BANS] + 1] = place, mask
    notes[_BANS] += 2


@compiled
def _note_answers(
    row: Ints, mask: int, seat: int, at: Seating, hands: Ints, may: Ints, has: Ints, clauses: Ints, notes: Ints
) -> None:
    """Write down who passed, and who showed a card, of the three in ``mask``."""
    asker = row[WHO]
    for other in range(at.seats):
        if other == seat:
            continue
        if row[PASSED] >> other & 1:
            may[other] &= ~mask
        elif row[SHOWED] >> other & 1:
            if asker == seat:
                card = _seen(hands[other] & mask, row, has[other], notes[_CHANCE:])
                notes[_SEEN] |= card
                _put(other, card, may, has)
            elif not has[other] & mask:
                clauses[notes[_CLAUSES]], clauses[notes[_CLAUSES] + 1] = other, mask
                notes[_CLAUSES] += 2
    if asker == seat and not row[SHOWED] and at.pool_at < 0:
        notes[_MARKED] |= mask & ~hands[seat]


@compiled
def _solves(bits: float, seats: int, solves: Floats) -> float:
    """The log odds that somebody wins in their next turn."""
    more = seats - 4.0
    odds: float = solves[0] + bits * (solves[2] + bits * (solves[3] + bits * solves[4]))
    odds += more * (solves[8] + bits * solves[9])
    return odds + solves[1] if bits < 1e-9 else odds


@compiled
def _open_notebook(seat: int, at: Seating, hands: Ints, may: Ints, has: Ints, notes: Ints) -> None:
    """Begin the notebook of a seat at the deal, as for `_note`, but for the state of chance."""
    may[:] = (at.categories[0] | at.categories[1] | at.categories[2]) & ~hands[seat]
    has[:] = 0
    may[seat] = has[seat] = hands[seat]
    notes[:] = 0
    notes[_SEEN] = hands[seat]
    if at.open_at >= 0:
        _put(at.open_at, hands[at.open_at], may, has)
        may[at.open_at] = hands[at.open_at]
        notes[_SEEN] |= hands[at.open_at]


@compiled
def _conclude(at: Seating, may: Ints, has: Ints, clauses: Ints, bans: Ints, notes: Ints, ruled_out: Ints) -> None:
    """Draw every conclusion in a notebook, and fill ``ruled_out`` as `_outside` does."""
    propagate(may, has, at.counts, at.categories, clauses[: notes[_CLAUSES]], bans[: notes[_BANS]])
    _outside(may, notes[_SEEN], notes[_MARKED], at.categories, ruled_out)


@compiled
def _judge_question(
    row: Ints, hand: int, at: Seating, ruled_out: Ints, kinds: Floats, solves: Floats, naming: Floats, silence: Floats
) -> None:
    """Add to ``naming`` and ``silence`` (kinds) how likely each kind asks this, by what the asker knew before."""
    for kind in range(kinds.shape[0]):
        out = ruled_out[int(kinds[kind, 0])]
        naming[kind] += _naming(row, hand, out, at.categories, kinds[kind])
        if not row[THEN_ACCUSED]:
            odds = _solves(_open(~out, at.categories), at.seats, solves[kind])
            silence[kind] -= np.log1p(np.exp(min(odds, 30.0)))


@compiled
def _judge_silence(at: Seating, ruled_out: Ints, kinds: Floats, silence: Floats) -> None:
    """Add to ``silence`` (kinds) how likely each kind does not accuse, by what the asker knew after the answers."""
    for kind in range(kinds.shape[0]):
        if _open(~ruled_out[int(kinds[kind, 0])], at.categories) == 0.0:
            silence[kind] += np.log(kinds[kind, 5])


@compiled
def know(
    deals: NDArray[np.int8],
    log: Ints,
    at: Seating,
    me: int,
    kinds: Floats,
    solves: Floats,
    seed: int,
    left: Floats,
    naming: Floats,
    silence: Floats,
) -> None:
    """Work out what every seat but ``me`` (-1: every seat) knows in every deal.

    ``deals`` (deals, cards) are places, ``log`` rows of :class:`.EventRows`. A kind is a row of
    ``kinds``: its way to keep notes, λ and ρ, both again for the room, and how likely it misses what its notes prove;
    one of ``solves`` the log odds that it wins in a turn, as for :func:`outlast`. ``left`` (deals, seats, way) gets the
    bits that are open to each; ``naming`` and ``silence`` (deals, seats, kinds) the log likelihood of what the seat
    asked, and of its not accusing when it did not: neither in turns that it began with a good chance, nor with a proof.
    """
    places = at.counts.shape[0] + 1
    may, has = np.empty(places, np.int64), np.empty(places, np.int64)
    clauses, bans = np.empty(6 * log.shape[0], np.int64), np.empty(2 * log.shape[0], np.int64)
    hands, notes = np.empty(places, np.int64), np.empty(5, np.int64)
    ruled_out = np.empty(WAYS, np.int64)
    naming[:] = 0.0
    silence[:] = 0.0
    for deal in range(deals.shape[0]):
        hands[:] = 0
        for card in range(deals.shape[1]):
            hands[deals[deal, card]] |= 1 << card
        for seat in range(at.seats):
            if seat == me:
                continue
            _open_notebook(seat, at, hands, may, has, notes)
            notes[_CHANCE] = seed + deal * at.seats + seat
            named, silent = naming[deal, seat], silence[deal, seat]
            for number in range(log.shape[0]):
                row = log[number]
                asks = row[KIND] == ASKED and row[WHO] == seat
                if asks:
                    _conclude(at, may, has, clauses, bans, notes, ruled_out)
                    _judge_question(row, hands[seat], at, ruled_out, kinds, solves, named, silent)
                _note(row, seat, at, hands, may, has, clauses, bans, notes)
                if asks:
                    _conclude(at, may, has, clauses, bans, notes, ruled_out)
                    if not row[THEN_ACCUSED]:
                        _judge_silence(at, ruled_out, kinds, silent)
            _conclude(at, may, has, clauses, bans, notes, ruled_out)
            for way in range(WAYS):
                left[deal, seat, way] = _open(~ruled_out[way], at.categories)


@compiled
def outlast(bits: Floats, weights: Floats, solves: Floats, seats: int, lasts: Floats) -> None:
    """Add to ``lasts`` (turns) the probability that somebody has not won within so many of their next turns.

    ``bits`` (deals) are open by their notes, ``weights`` (deals) what the deals count, and ``solves`` the log odds of a
    turn by the terms of :func:`cluedo.ai.opponents.terms`.
    """
    for deal in range(bits.shape[0]):
        x = bits[deal]
        plain = _solves(x, seats, solves)
        still = weights[deal]
        for turn in range(lasts.shape[0]):
            late = np.log(turn + 1.0)
            odds = plain + late * (solves[5] + x * solves[6] + late * solves[7])
            still /= 1.0 + np.exp(min(odds, 30.0))
            lasts[turn] += still
