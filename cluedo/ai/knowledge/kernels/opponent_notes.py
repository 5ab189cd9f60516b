"""Compiled: what the other players can know, in deals that may be the real one.

In a given deal one can work out all that another player knows: their hand there, all the events of the game, and the
cards that were shown to them. Which of several cards they were shown is drawn at random, of those that they did not
name again if there are such: hardly anybody asks about a card that they have seen, so in nearly all other cases what
they named would be nearly impossible. What everybody could hear is the same in all deals, and is worked out once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.kernels.common_kernels import cleared, count, propagate, uniform
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.event_rows import (
    ACCUSED,
    ASKED,
    KIND,
    LAID_OPEN,
    NAMED,
    PASSED,
    SAW,
    SHOWED,
    WHO,
    Seating,
)
from cluedo.ai.knowledge.kernels.programme import Deals, Ints

__all__ = [
    "WAYS",
    "Heard",
    "SeatNotes",
    "conclude",
    "draw",
    "envelopes_left",
    "hands_of",
    "hear",
    "named_in",
    "note",
    "open_notes",
    "passes",
]

WAYS: Final = 3
"""Ways to keep notes: 0, the cards that one has seen; 1, also one's own unanswered hypotheses; 2, a whole notebook."""

_SEEN, _MARKED = range(2)
"""Where in ``SeatNotes.seen`` the two masks stand."""


class Heard(NamedTuple):
    """The game as one seat hears it, in whatever deal: what it writes down after each number of rows of the log.

    Attributes:
        seat: whose it is.
        log: the rows of :class:`.EventRows`.
        at: who sits there.
        not_at: (rows + 1, places): the mask of the cards that the passes prove not to be there.
        clauses, bans: pairs of place and mask, as in :class:`~cluedo.ai.knowledge.evidence.Evidence`.
        clauses_at, bans_at: (rows + 1): how long these are by then.
        own: the rows of which the seat sees more than the others: what it asked, found in the pool, was laid open; and
            in which it accused.
        later: (rows): the mask of the cards that the seat names after the row.
    """

    seat: int
    log: Ints
    at: Seating
    not_at: Ints
    clauses: Ints
    clauses_at: Ints
    bans: Ints
    bans_at: Ints
    own: Ints
    later: Ints


class SeatNotes(NamedTuple):
    """What one seat knows in one deal.

    Attributes:
        may, has: (places): the masks of the cards that may be there, and of those that are.
        seen: the masks of the cards that it saw, and of those that it marked by itself.
        drawn: (rows): the mask of the cards that it saw in a row of its own.
        ruled_out: (ways): the masks of the cards proved out of the envelope, by each way to keep notes.
        left: (ways): how many envelopes these leave, once it was looked at.
        slots: (ways): which case of a question is looked at.
        chance: the state of chance.
    """

    may: Ints
    has: Ints
    seen: Ints
    drawn: Ints
    ruled_out: Ints
    left: Ints
    slots: Ints
    chance: NDArray[np.uint64]


@compiled
def named_in(log: Ints, row: int) -> int:
    """The mask of the three cards that a row names."""
    mask: int = 1 << log[row, NAMED] | 1 << log[row, NAMED + 1] | 1 << log[row, NAMED + 2]
    return mask


@compiled
def envelopes_left(mask: int, categories: Ints) -> int:
    """How many envelopes a mask of cards leaves."""
    found = 1
    for category in range(3):
        found *= max(count(mask & categories[category]), 1)
    return found


# ---- what a seat hears -------------------------------------------------------------------------------


@compiled
def passes(log: Ints, places: int) -> Ints:
    """Of :class:`Heard`, ``not_at``: the same for all seats."""
    not_at = cleared(np.empty((log.shape[0] + 1, places), np.int64))
    for row in range(log.shape[0]):
        for place in range(places):
            passed = log[row, KIND] == ASKED and log[row, PASSED] >> place & 1
            not_at[row + 1, place] = not_at[row, place] | (named_in(log, row) if passed else 0)
    return not_at


@compiled
def hear(seat: int, log: Ints, at: Seating, not_at: Ints) -> Heard:
    """What a seat hears of a game."""
    size = log.shape[0]
    clauses_at, bans_at = cleared(np.empty(size + 1, np.int64)), cleared(np.empty(size + 1, np.int64))
    clauses, bans = np.empty(2 * at.seats * size, np.int64), np.empty(2 * size, np.int64)
    own, later = np.empty(size, np.int64), np.empty(size, np.int64)
    written, banned, ours = 0, 0, 0
    for row in range(size):
        kind, who = log[row, KIND], log[row, WHO]
        if kind == ASKED and who != seat:
            for other in range(at.seats):
                if other != seat and log[row, SHOWED] >> other & 1:
                    clauses[written], clauses[written + 1] = other, named_in(log, row)
                    written += 2
        elif kind == LAID_OPEN or who == seat:
            own[ours] = row
            ours += 1
        place = -1
        if kind == ACCUSED:
            place = at.counts.shape[0]
        elif kind == ASKED and at.not_all and who != seat and not log[row, SHOWED]:
            place = who
        if place >= 0:
            bans[banned], bans[banned + 1] = place, named_in(log, row)
            banned += 2
        clauses_at[row + 1], bans_at[row + 1] = written, banned
    named = 0
    for row in range(size - 1, -1, -1):
        later[row] = named
        if log[row, KIND] == ASKED and log[row, WHO] == seat:
            named |= named_in(log, row)
    return Heard(seat, log, at, not_at, clauses, clauses_at, bans, bans_at, own[:ours], later)


# ---- what it knows in a deal -------------------------------------------------------------------------


@compiled
def hands_of(deals: Deals, places: int) -> Ints:
    """The masks of the cards at each place: an array (deals, places)."""
    hands = cleared(np.empty((deals.shape[0], places), np.int64))
    for deal in range(deals.shape[0]):
        for card in range(deals.shape[1]):
            hands[deal, deals[deal, card]] |= 1 << card
    return hands


@compiled
def _seen(held: int, found: int, known: int, later: int, chance: NDArray[np.uint64]) -> int:
    """The mask of the card that somebody saw of those held.

    It is the card that they are known to have ``found``; else one that they knew already; else one that they did not
    name ``later``; else any, drawn at random.
    """
    seen: int = held & found
    if seen:
        return seen
    if held & known:
        held &= known
    elif held & ~later:
        held &= ~later
    skip = int(uniform(chance, 0) * count(held))
    while skip:
        held &= held - 1
        skip -= 1
    card: int = held & -held
    return card


@compiled
def _put(place: int, cards: int, may: Ints, has: Ints) -> None:
    """Note that cards are at a place."""
    for other in range(may.shape[0]):
        if other != place:
            may[other] &= ~cards
    has[place] |= cards


@compiled
def draw(heard: Heard, row: int, hands: Ints, book: SeatNotes) -> int:
    """Draw what a seat sees of a row: the mask of the cards that it was shown or found, or of a hand laid open."""
    log, at = heard.log, heard.at
    if log[row, KIND] == LAID_OPEN:
        laid: int = hands[log[row, WHO]]
        return laid
    if log[row, KIND] != ASKED:
        left = hands[at.pool_at] & ~book.seen[_SEEN]
        return _seen(left, log[row, SAW], 0, 0, book.chance) if left else 0
    drawn = 0
    for other in range(at.seats):
        if other != heard.seat and log[row, SHOWED] >> other & 1:
            held = hands[other] & named_in(log, row)
            drawn |= _seen(held, log[row, SAW], book.has[other], heard.later[row], book.chance)
    return drawn


@compiled
def note(heard: Heard, row: int, hands: Ints, book: SeatNotes) -> None:
    """Note what a seat saw of a row, as it was drawn, or that it has marked the cards that nobody had."""
    kind, drawn = heard.log[row, KIND], book.drawn[row]
    for place in range(hands.shape[0]):
        if hands[place] & drawn:
            _put(place, hands[place] & drawn, book.may, book.has)
            if kind == LAID_OPEN:
                book.may[place] &= hands[place]
    book.seen[_SEEN] |= drawn
    if kind == ASKED and not heard.log[row, SHOWED] and heard.at.pool_at < 0:
        book.seen[_MARKED] |= named_in(heard.log, row) & ~book.seen[_SEEN]  # neither held nor open


@compiled
def open_notes(heard: Heard, hands: Ints, book: SeatNotes) -> None:
    """Begin the notebook of a seat at the deal."""
    seat, at = heard.seat, heard.at
    book.may[:] = (at.categories[0] | at.categories[1] | at.categories[2]) & ~hands[seat]
    book.has[:] = 0
    book.may[seat] = book.has[seat] = hands[seat]
    book.seen[_MARKED] = 0
    book.seen[_SEEN] = hands[seat]
    if at.open_at >= 0:
        _put(at.open_at, hands[at.open_at], book.may, book.has)
        book.may[at.open_at] = hands[at.open_at]
        book.seen[_SEEN] |= hands[at.open_at]


@compiled
def conclude(heard: Heard, rows: int, book: SeatNotes) -> None:
    """Draw every conclusion after so many rows."""
    at, may, seen, marked, ruled_out = heard.at, book.may, book.seen[_SEEN], book.seen[_MARKED], book.ruled_out
    for place in range(may.shape[0]):
        may[place] &= ~heard.not_at[rows, place]
    clauses, bans = heard.clauses[: heard.clauses_at[rows]], heard.bans[: heard.bans_at[rows]]
    propagate(may, book.has, at.counts, at.categories, clauses, bans)
    ruled_out[0] = ruled_out[1] = seen
    deck = 0
    for category in range(3):
        deck |= at.categories[category]
        if marked & at.categories[category]:
            ruled_out[1] |= at.categories[category] & ~marked
    ruled_out[2] = deck & ~may[may.shape[0] - 1]
