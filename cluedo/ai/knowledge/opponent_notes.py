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

from cluedo.ai.knowledge.compiled import cleared, compiled, count, propagate
from cluedo.ai.knowledge.event_rows import (
    ACCUSED,
    ASKED,
    KIND,
    LAID_OPEN,
    NAMED,
    PASSED,
    SAW,
    SHOWED,
    THEN_ACCUSED,
    WHO,
    Seating,
)
from cluedo.ai.knowledge.programme import Floats, Ints
from cluedo.ai.knowledge.splitmix import uniform

__all__ = ["WAYS", "know"]

WAYS: Final = 3
"""Ways to keep notes: 0, the cards that one has seen; 1, also one's own unanswered hypotheses; 2, a whole notebook."""

_NEAR: Final = 0.75
"""Where pawns walk, how likely another room is as near as the one that somebody asks in. Of 0.4 to 1 it brought the
odds nearest to the truth at a dozen sorts of tables (seed 991920) without claiming more of a guess than came true
(seeds 991901 to 991905)."""

_SEEN, _MARKED = range(2)
"""Where in ``_Notebook.seen`` the two masks stand."""


class _Heard(NamedTuple):
    """What everybody at the table hears, and one seat writes down, after each number of rows of the log.

    Attributes:
        not_at: (rows + 1, places): the mask of the cards that the passes prove not to be there.
        clauses, bans: pairs of place and mask, as in :class:`~cluedo.ai.knowledge.evidence.Evidence`.
        clauses_at, bans_at: (rows + 1): how long these are by then.
        own: the rows of which the seat sees more than the others: what it asked, found in the pool, was laid open; and
            in which it accused.
        later: (rows): the mask of the cards that the seat names after the row.
    """

    not_at: Ints
    clauses: Ints
    clauses_at: Ints
    bans: Ints
    bans_at: Ints
    own: Ints
    later: Ints


class _Notebook(NamedTuple):
    """What one seat knows.

    Attributes:
        may, has: (places): the masks of the cards that may be there, and of those that are.
        seen: the masks of the cards that it saw, and of those that it marked by itself.
        ruled_out: (ways): the masks of the cards proved out of the envelope, by each way to keep notes.
        chance: the state of chance.
    """

    may: Ints
    has: Ints
    seen: Ints
    ruled_out: Ints
    chance: NDArray[np.uint64]


@compiled
def _mask(log: Ints, row: int) -> int:
    """The mask of the three cards that a row names."""
    mask: int = 1 << log[row, NAMED] | 1 << log[row, NAMED + 1] | 1 << log[row, NAMED + 2]
    return mask


@compiled
def _passes(log: Ints, places: int) -> Ints:
    """Of :class:`_Heard`, ``not_at``: the same for all seats."""
    not_at = cleared(np.empty((log.shape[0] + 1, places), np.int64))
    for row in range(log.shape[0]):
        for place in range(places):
            passed = log[row, KIND] == ASKED and log[row, PASSED] >> place & 1
            not_at[row + 1, place] = not_at[row, place] | (_mask(log, row) if passed else 0)
    return not_at


@compiled
def _hear(log: Ints, seat: int, at: Seating, heard: _Heard) -> int:
    """Fill in what a seat hears of, and the rows of which it sees more; returns how many these are."""
    clauses, bans, own, envelope = 0, 0, 0, at.counts.shape[0]
    for row in range(log.shape[0]):
        kind, who = log[row, KIND], log[row, WHO]
        if kind == ASKED and who != seat:
            for other in range(at.seats):
                if other != seat and log[row, SHOWED] >> other & 1:
                    heard.clauses[clauses], heard.clauses[clauses + 1] = other, _mask(log, row)
                    clauses += 2
        elif kind == LAID_OPEN or who == seat:
            heard.own[own] = row
            own += 1
        banned = -1
        if kind == ACCUSED:
            banned = envelope
        elif kind == ASKED and at.not_all and who != seat and not log[row, SHOWED]:
            banned = who
        if banned >= 0:
            heard.bans[bans], heard.bans[bans + 1] = banned, _mask(log, row)
            bans += 2
        heard.clauses_at[row + 1], heard.bans_at[row + 1] = clauses, bans
    later = 0
    for row in range(log.shape[0] - 1, -1, -1):
        heard.later[row] = later
        if log[row, KIND] == ASKED and log[row, WHO] == seat:
            later |= _mask(log, row)
    return own


@compiled
def _hands(deals: NDArray[np.int8], places: int) -> Ints:
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
def _envelopes(mask: int, categories: Ints) -> int:
    """How many envelopes a mask of cards leaves."""
    found = 1
    for category in range(3):
        found *= max(count(mask & categories[category]), 1)
    return found


@compiled
def _put(place: int, cards: int, may: Ints, has: Ints) -> None:
    """Note that cards are at a place."""
    for other in range(may.shape[0]):
        if other != place:
            may[other] &= ~cards
    has[place] |= cards


@compiled
def _draw(log: Ints, row: int, seat: int, at: Seating, hands: Ints, later: int, book: _Notebook) -> int:
    """Draw what a seat sees of a row: the mask of the cards that it was shown or found, or of a hand laid open.

    ``later`` is the mask of the cards that it names after that.
    """
    kind = log[row, KIND]
    if kind == LAID_OPEN:
        laid: int = hands[log[row, WHO]]
        return laid
    if kind != ASKED:
        left = hands[at.pool_at] & ~book.seen[_SEEN]
        return _seen(left, log[row, SAW], 0, 0, book.chance) if left else 0
    drawn = 0
    for other in range(at.seats):
        if other != seat and log[row, SHOWED] >> other & 1:
            drawn |= _seen(hands[other] & _mask(log, row), log[row, SAW], book.has[other], later, book.chance)
    return drawn


@compiled
def _note(log: Ints, row: int, at: Seating, hands: Ints, drawn: int, book: _Notebook) -> None:
    """Note what a seat sees of a row, as :func:`_draw` drew it, or that it has marked the cards that nobody had."""
    kind = log[row, KIND]
    for place in range(hands.shape[0]):
        if hands[place] & drawn:
            _put(place, hands[place] & drawn, book.may, book.has)
            if kind == LAID_OPEN:
                book.may[place] &= hands[place]
    book.seen[_SEEN] |= drawn
    if kind == ASKED and not log[row, SHOWED] and at.pool_at < 0:
        book.seen[_MARKED] |= _mask(log, row) & ~book.seen[_SEEN]  # neither held nor open


@compiled
def _open_notebook(seat: int, at: Seating, hands: Ints, book: _Notebook) -> None:
    """Begin the notebook of a seat at the deal."""
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
def _conclude(rows: int, at: Seating, heard: _Heard, book: _Notebook) -> None:
    """Draw every conclusion after so many rows."""
    may, seen, marked, ruled_out = book.may, book.seen[_SEEN], book.seen[_MARKED], book.ruled_out
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


@compiled
def _judge_question(
    log: Ints, row: int, hand: int, before: int, at: Seating, book: _Notebook, namers: Floats, naming: Floats
) -> None:
    """Add to ``naming`` how likely each way to name cards names these.

    In each category an open card counts 1, a card of their own λ, and one that they know to be elsewhere ρ. Where the
    category is settled, a card of their own counts 1 as well: nobody else can show it. Who sticks to a card names again
    the one that they named ``before``, a mask, while it is open to them. Pawns that walk cannot stick to a room, and
    few rooms are near.
    """
    for namer in range(namers.shape[0]):
        ruled_out = book.ruled_out[int(namers[namer, 0])]
        likely = 1.0
        for category in range(3):
            cards = at.categories[category]
            walks = category == 2 and not at.free
            column = 3 if category == 2 else 1
            own, again = namers[namer, column], namers[namer, column + 1]
            open_, mine = count(cards & ~ruled_out), count(cards & hand)
            if open_ <= 1:
                own = 1.0
            card = 1 << log[row, NAMED + category]
            named = own if hand & card else again if ruled_out & card else 1.0
            others = open_ + own * mine + again * (count(cards) - open_ - mine) - named
            chance = named / (named + others * (_NEAR if walks else 1.0))
            if open_ > 1 and not walks and before & cards & ~ruled_out:
                sticks = namers[namer, 5]
                chance = (1.0 - sticks) * chance + (sticks if before & card else 0.0)
            likely *= chance
        naming[namer] += np.log(likely)


@compiled
def _judge_shown(
    log: Ints,
    row: int,
    seat: int,
    at: Seating,
    hands: Ints,
    later: int,
    book: _Notebook,
    namers: Floats,
    naming: Floats,
) -> None:
    """Add to ``naming`` how likely it is that the seat saw one of the cards that :func:`_seen` draws from.

    Those that it names ``later`` are left out of the draw; each counts as it is likely to be named once it is known.
    """
    for other in range(at.seats):
        if other == seat or not log[row, SHOWED] >> other & 1:
            continue
        held = hands[other] & _mask(log, row)
        again = held & later
        if not again or again == held or held & (log[row, SAW] | book.has[other]):
            continue
        others, cards, rooms = count(held & ~later), count(again & ~at.categories[2]), count(again & at.categories[2])
        for namer in range(namers.shape[0]):
            likely = others + cards * namers[namer, 2] + rooms * namers[namer, 4]
            naming[namer] += np.log(likely / (others + cards + rooms))


@compiled
def _judge_turn(at: Seating, book: _Notebook, solvers: Floats, likely: Floats, silence: Floats) -> None:
    """Add to ``silence`` how likely each solver does what it did in a turn that begins with these notes."""
    for solver in range(solvers.shape[0]):
        silence[solver] += likely[solver, _envelopes(~book.ruled_out[int(solvers[solver, 0])], at.categories)]


@compiled
def _judge_missed_proofs(
    log: Ints,
    rows: Ints,
    seat: int,
    at: Seating,
    hands: Ints,
    drawn: Ints,
    heard: _Heard,
    book: _Notebook,
    solvers: Floats,
    silence: Floats,
) -> None:
    """Add to ``silence`` how likely each solver misses what is proved at the ends of its turns."""
    _open_notebook(seat, at, hands, book)
    for row in rows:
        _note(log, row, at, hands, drawn[row], book)
        if log[row, KIND] != ASKED or log[row, THEN_ACCUSED]:
            continue
        _conclude(row + 1, at, heard, book)
        for solver in range(solvers.shape[0]):
            if _envelopes(~book.ruled_out[int(solvers[solver, 0])], at.categories) == 1:
                silence[solver] += solvers[solver, 1]


@compiled
def _judge_accusation(
    log: Ints, row: int, at: Seating, book: _Notebook, solvers: Floats, wrong: Floats, silence: Floats
) -> None:
    """Add to ``silence`` how likely each solver accuses of these cards, if they accuse wrongly with these notes.

    Who guesses names an envelope that their notes leave open, or, as likely, one of cards that they have not seen:
    somebody may guess as readily, and keep fewer notes. Of who accuses by mistake nothing is known.
    """
    cards, envelopes = _mask(log, row), _envelopes(-1, at.categories)
    for solver in range(solvers.shape[0]):
        ruled_out = book.ruled_out[int(solvers[solver, 0])]
        mistake = min(float(np.exp(solvers[solver, 1] - wrong[solver, _envelopes(~ruled_out, at.categories)])), 1.0)
        likely = mistake / envelopes
        for noted in (book.ruled_out[0], ruled_out):
            if not cards & noted:
                likely += 0.5 * (1.0 - mistake) / _envelopes(~noted, at.categories)
        silence[solver] += np.log(likely)


@compiled
def know(
    deals: NDArray[np.int8],
    log: Ints,
    at: Seating,
    me: int,
    namers: Floats,
    solvers: Floats,
    silent: Floats,
    wrong: Floats,
    seed: int,
    left: Ints,
    naming: Floats,
    silence: Floats,
) -> None:
    """Work out what every seat but ``me`` (-1: every seat) knows in every deal.

    ``deals`` (deals, cards) are places, ``log`` rows of :class:`.EventRows`. A row of ``namers`` is a way to name
    cards: the way to keep notes, λ and ρ, both again for the room, and how often they stick to a card. One of
    ``solvers`` is a way to solve the case: the way to keep notes, and the log of how likely they miss what these prove,
    or accuse by mistake; one of ``silent`` and of ``wrong``, by the number of envelopes open, are the logs of how
    likely they do not accuse in a turn that they begin so, and do it wrongly. ``left`` (deals, seats, way) gets the
    number of envelopes open to each; ``naming`` (deals, seats, namers) and ``silence`` (deals, seats, solvers) the log
    likelihood of what the seat asked, and of when it accused and of what: not with a good chance at the beginning of a
    turn, nor with a proof at its end; or wrongly.
    """
    places, size = at.counts.shape[0] + 1, log.shape[0]
    book = _Notebook(
        np.empty(places, np.int64),
        np.empty(places, np.int64),
        np.empty(2, np.int64),
        np.empty(WAYS, np.int64),
        np.empty(1, np.uint64),
    )
    clauses_at, bans_at = cleared(np.empty(size + 1, np.int64)), cleared(np.empty(size + 1, np.int64))
    clauses, bans, own = np.empty(2 * at.seats * size, np.int64), np.empty(2 * size, np.int64), np.empty(size, np.int64)
    heard = _Heard(_passes(log, places), clauses, clauses_at, bans, bans_at, own, np.empty(size, np.int64))
    hands, drawn = _hands(deals, places), np.empty(size, np.int64)
    for seat in range(at.seats):
        naming[:, seat] = 0.0
        silence[:, seat] = 0.0
        if seat == me:
            continue
        rows = own[: _hear(log, seat, at, heard)]
        for deal in range(deals.shape[0]):
            book.chance[0] = seed + deal * at.seats + seat
            _open_notebook(seat, at, hands[deal], book)
            before = 0
            for row in rows:
                if log[row, KIND] == ACCUSED:
                    _conclude(row, at, heard, book)
                    _judge_accusation(log, row, at, book, solvers, wrong, silence[deal, seat])
                    drawn[row] = 0
                    continue
                if log[row, KIND] == ASKED:
                    _conclude(row, at, heard, book)
                    _judge_question(log, row, hands[deal, seat], before, at, book, namers, naming[deal, seat])
                    before = _mask(log, row)
                    _judge_turn(at, book, solvers, wrong if log[row, THEN_ACCUSED] else silent, silence[deal, seat])
                    _judge_shown(log, row, seat, at, hands[deal], heard.later[row], book, namers, naming[deal, seat])
                drawn[row] = _draw(log, row, seat, at, hands[deal], heard.later[row], book)
                _note(log, row, at, hands[deal], drawn[row], book)
            _conclude(size, at, heard, book)
            proved = False
            for way in range(WAYS):
                left[deal, seat, way] = _envelopes(~book.ruled_out[way], at.categories)
                proved = proved or left[deal, seat, way] == 1
            if proved:  # else nothing was proved before
                _judge_missed_proofs(log, rows, seat, at, hands[deal], drawn, heard, book, solvers, silence[deal, seat])
