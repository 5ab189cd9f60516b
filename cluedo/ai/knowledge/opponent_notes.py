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
from cluedo.ai.knowledge.splitmix import mixed, uniform

__all__ = ["WAYS", "Found", "Habits", "know"]

WAYS: Final = 3
"""Ways to keep notes: 0, the cards that one has seen; 1, also one's own unanswered hypotheses; 2, a whole notebook."""

_NEAR: Final = 0.75
"""Where pawns walk, how likely another room is as near as the one that somebody asks in. Of 0.4 to 1 it brought the
odds nearest to the truth at a dozen sorts of tables (seed 991920) without claiming more of a guess than came true
(seeds 991901 to 991905)."""

_SEEN, _MARKED = range(2)
"""Where in ``_Notebook.seen`` the two masks stand."""

_CASES: Final = 1 << 10
_TO_SLOT: Final = np.uint64(54)
"""How many cases of questions are kept, and by how much a word of 64 bits is shifted to make a slot of it."""


class Habits(NamedTuple):
    """How others may play; and, of the questions that were judged so far, how likely each way to name cards made them.

    Attributes:
        namers: (ways to name cards, 6): the way to keep notes, λ and ρ, both again for the room, and how often they
            stick to a card.
        solvers: (ways to solve the case, 2): the way to keep notes, and the log of how likely they miss what these
            prove, or accuse by mistake.
        silent, wrong: (solvers, envelopes open): the logs of how likely they do not accuse in a turn that they begin
            so, and accuse wrongly.
        cases: (slots): which case stands in a slot, with the way to keep notes; 0 for none.
        likely: (slots, namers): in this case, the logs for those who keep such notes.
    """

    namers: Floats
    solvers: Floats
    silent: Floats
    wrong: Floats
    cases: Ints
    likely: Floats

    @classmethod
    def of(cls, namers: Floats, solvers: Floats, silent: Floats, wrong: Floats) -> Habits:
        """Those habits at a table where no question was judged yet."""
        return cls(namers, solvers, silent, wrong, np.zeros(_CASES, np.int64), np.empty((_CASES, len(namers))))


class Found(NamedTuple):
    """What is found of every seat in every deal.

    Attributes:
        left: (deals, seats, ways): how many envelopes are open to it by each way to keep notes.
        naming: (deals, seats, namers): the log likelihood of what it asked.
        silence: (deals, seats, solvers): that of when it accused and of what: not with a good chance at the beginning
            of a turn, nor with a proof at its end; or wrongly.
    """

    left: Ints
    naming: Floats
    silence: Floats


class _Heard(NamedTuple):
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


class _Notebook(NamedTuple):
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
def _mask(log: Ints, row: int) -> int:
    """The mask of the three cards that a row names."""
    mask: int = 1 << log[row, NAMED] | 1 << log[row, NAMED + 1] | 1 << log[row, NAMED + 2]
    return mask


@compiled
def _envelopes(mask: int, categories: Ints) -> int:
    """How many envelopes a mask of cards leaves."""
    found = 1
    for category in range(3):
        found *= max(count(mask & categories[category]), 1)
    return found


# ---- what a seat hears -------------------------------------------------------------------------------


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
def _hear(seat: int, log: Ints, at: Seating, not_at: Ints) -> _Heard:
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
                    clauses[written], clauses[written + 1] = other, _mask(log, row)
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
            bans[banned], bans[banned + 1] = place, _mask(log, row)
            banned += 2
        clauses_at[row + 1], bans_at[row + 1] = written, banned
    named = 0
    for row in range(size - 1, -1, -1):
        later[row] = named
        if log[row, KIND] == ASKED and log[row, WHO] == seat:
            named |= _mask(log, row)
    return _Heard(seat, log, at, not_at, clauses, clauses_at, bans, bans_at, own[:ours], later)


# ---- what it knows in a deal -------------------------------------------------------------------------


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
def _put(place: int, cards: int, may: Ints, has: Ints) -> None:
    """Note that cards are at a place."""
    for other in range(may.shape[0]):
        if other != place:
            may[other] &= ~cards
    has[place] |= cards


@compiled
def _draw(heard: _Heard, row: int, hands: Ints, book: _Notebook) -> int:
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
            held = hands[other] & _mask(log, row)
            drawn |= _seen(held, log[row, SAW], book.has[other], heard.later[row], book.chance)
    return drawn


@compiled
def _note(heard: _Heard, row: int, hands: Ints, book: _Notebook) -> None:
    """Note what a seat saw of a row, as it was drawn, or that it has marked the cards that nobody had."""
    kind, drawn = heard.log[row, KIND], book.drawn[row]
    for place in range(hands.shape[0]):
        if hands[place] & drawn:
            _put(place, hands[place] & drawn, book.may, book.has)
            if kind == LAID_OPEN:
                book.may[place] &= hands[place]
    book.seen[_SEEN] |= drawn
    if kind == ASKED and not heard.log[row, SHOWED] and heard.at.pool_at < 0:
        book.seen[_MARKED] |= _mask(heard.log, row) & ~book.seen[_SEEN]  # neither held nor open


@compiled
def _open_notebook(heard: _Heard, hands: Ints, book: _Notebook) -> None:
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
def _conclude(heard: _Heard, rows: int, book: _Notebook) -> None:
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


# ---- how likely that makes what it did ---------------------------------------------------------------


@compiled
def _case_of_hand(heard: _Heard, row: int, hand: int) -> int:
    """Of a case, see :func:`_case`, what does not depend on notes: the cards of their own, and whether one is named."""
    case = 0
    for category in range(3):
        named = heard.log[row, NAMED + category]
        case = case << 16 | count(heard.at.categories[category] & hand) << 4 | (hand >> named & 1) << 3
    return case


@compiled
def _case(heard: _Heard, row: int, of_hand: int, before: int, ruled_out: int) -> int:
    """All that the likelihood of a question depends on, by one way to keep notes: a number, sixteen bits a category.

    From the highest: how many cards are open (6 bits); how many are their own (6); whether the card named is their own;
    whether it is ruled out; whether there is a card ``before`` that they can stick to; and whether they do.
    """
    case = of_hand
    for category in range(3):
        cards, named = heard.at.categories[category], heard.log[row, NAMED + category]
        open_, may_stick = count(cards & ~ruled_out), int(before & cards & ~ruled_out != 0)
        may_stick &= int(open_ > 1) & int(category < 2 or heard.at.free)  # pawns that walk cannot stick to a room
        told = open_ << 10 | (ruled_out >> named & 1) << 2 | may_stick << 1 | before >> named & may_stick
        case |= told << 16 * (2 - category)
    return case


@compiled
def _judge_case(case: int, way: int, at: Seating, namers: Floats, likely: Floats) -> None:
    """Fill ``likely`` (namers) with the logs of how likely those who keep notes in one way name the cards of a case.

    In each category an open card counts 1, a card of their own λ, and one that they know to be elsewhere ρ. Where the
    category is settled, a card of their own counts 1 as well: nobody else can show it. Who sticks to a card names again
    the one that they named before, while it is open to them. Of rooms, few are near.
    """
    for namer in range(namers.shape[0]):
        if namers[namer, 0] != way:
            continue
        product = 1.0
        for category in range(3):
            of_category = case >> 16 * (2 - category)
            open_, mine = of_category >> 10 & 63, of_category >> 4 & 63
            column = 3 if category == 2 else 1
            own, again = namers[namer, column], namers[namer, column + 1]
            if open_ <= 1:
                own = 1.0
            named = own if of_category & 8 else again if of_category & 4 else 1.0
            others = open_ + own * mine + again * (count(at.categories[category]) - open_ - mine) - named
            chance = named / (named + others * (_NEAR if category == 2 and not at.free else 1.0))
            if of_category & 2:
                sticks = namers[namer, 5]
                chance = (1.0 - sticks) * chance + (sticks if of_category & 1 else 0.0)
            product *= chance
        likely[namer] = np.log(product)


@compiled
def _judge_question(
    heard: _Heard, row: int, hand: int, before: int, book: _Notebook, habits: Habits, naming: Floats
) -> None:
    """Add to ``naming`` how likely each way to name cards names these, after those ``before``, a mask.

    Deal after deal and question after question brings the same few cases: what is known of one is kept.
    """
    of_hand = _case_of_hand(heard, row, hand)
    for way in range(WAYS):
        case = _case(heard, row, of_hand, before, book.ruled_out[way])
        key = case << 2 | way + 1
        slot = int(mixed(np.uint64(key)) >> _TO_SLOT)
        if habits.cases[slot] != key:
            habits.cases[slot] = key
            _judge_case(case, way, heard.at, habits.namers, habits.likely[slot])
        book.slots[way] = slot
    for namer in range(naming.shape[0]):
        naming[namer] += habits.likely[book.slots[int(habits.namers[namer, 0])], namer]


@compiled
def _judge_shown(heard: _Heard, row: int, hands: Ints, book: _Notebook, namers: Floats, naming: Floats) -> None:
    """Add to ``naming`` how likely it is that the seat saw one of the cards that :func:`_seen` draws from.

    Those that it names later are left out of the draw; each counts as it is likely to be named once it is known.
    """
    log, rooms_mask = heard.log, heard.at.categories[2]
    for other in range(heard.at.seats):
        if other == heard.seat or not log[row, SHOWED] >> other & 1:
            continue
        held = hands[other] & _mask(log, row)
        again = held & heard.later[row]
        if not again or again == held or held & (log[row, SAW] | book.has[other]):
            continue
        others, cards, rooms = count(held & ~again), count(again & ~rooms_mask), count(again & rooms_mask)
        for namer in range(namers.shape[0]):
            likely = others + cards * namers[namer, 2] + rooms * namers[namer, 4]
            naming[namer] += np.log(likely / (others + cards + rooms))


@compiled
def _judge_turn(heard: _Heard, book: _Notebook, solvers: Floats, likely: Floats, silence: Floats) -> None:
    """Add to ``silence`` how likely each solver does what it did in a turn that begins with these notes."""
    for way in range(WAYS):
        book.left[way] = _envelopes(~book.ruled_out[way], heard.at.categories)
    for solver in range(solvers.shape[0]):
        silence[solver] += likely[solver, book.left[int(solvers[solver, 0])]]


@compiled
def _judge_missed_proofs(heard: _Heard, hands: Ints, book: _Notebook, solvers: Floats, silence: Floats) -> None:
    """Add to ``silence`` how likely each solver misses what is proved at the ends of its turns."""
    _open_notebook(heard, hands, book)
    for number in range(heard.own.shape[0]):
        row = heard.own[number]
        _note(heard, row, hands, book)
        if heard.log[row, KIND] != ASKED or heard.log[row, THEN_ACCUSED]:
            continue
        _conclude(heard, row + 1, book)
        for solver in range(solvers.shape[0]):
            if _envelopes(~book.ruled_out[int(solvers[solver, 0])], heard.at.categories) == 1:
                silence[solver] += solvers[solver, 1]


@compiled
def _judge_accusation(heard: _Heard, row: int, book: _Notebook, habits: Habits, silence: Floats) -> None:
    """Add to ``silence`` how likely each solver accuses of these cards, if they accuse wrongly with these notes.

    Who guesses names an envelope that their notes leave open, or, as likely, one of cards that they have not seen:
    somebody may guess as readily, and keep fewer notes. Of who accuses by mistake nothing is known.
    """
    solvers, wrong, categories = habits.solvers, habits.wrong, heard.at.categories
    cards, envelopes = _mask(heard.log, row), _envelopes(-1, categories)
    for solver in range(solvers.shape[0]):
        ruled_out = book.ruled_out[int(solvers[solver, 0])]
        mistake = min(float(np.exp(solvers[solver, 1] - wrong[solver, _envelopes(~ruled_out, categories)])), 1.0)
        likely = mistake / envelopes
        for noted in (book.ruled_out[0], ruled_out):
            if not cards & noted:
                likely += 0.5 * (1.0 - mistake) / _envelopes(~noted, categories)
        silence[solver] += np.log(likely)


@compiled
def _follow(
    heard: _Heard, hands: Ints, book: _Notebook, habits: Habits, left: Ints, naming: Floats, silence: Floats
) -> None:
    """Follow a seat through the game in one deal: judge each thing that it does by its notes, then note what it sees.

    ``left`` (ways), ``naming`` (namers) and ``silence`` (solvers) are as in :class:`Found`.
    """
    log, before = heard.log, 0
    _open_notebook(heard, hands, book)
    for number in range(heard.own.shape[0]):
        row = heard.own[number]
        if log[row, KIND] == ACCUSED:
            _conclude(heard, row, book)
            _judge_accusation(heard, row, book, habits, silence)
            book.drawn[row] = 0
            continue
        if log[row, KIND] == ASKED:
            _conclude(heard, row, book)
            _judge_question(heard, row, hands[heard.seat], before, book, habits, naming)
            before = _mask(log, row)
            likely = habits.wrong if log[row, THEN_ACCUSED] else habits.silent
            _judge_turn(heard, book, habits.solvers, likely, silence)
            _judge_shown(heard, row, hands, book, habits.namers, naming)
        book.drawn[row] = _draw(heard, row, hands, book)
        _note(heard, row, hands, book)
    _conclude(heard, log.shape[0], book)
    proved = False
    for way in range(WAYS):
        left[way] = _envelopes(~book.ruled_out[way], heard.at.categories)
        proved = proved or left[way] == 1
    if proved:  # else nothing was proved before
        _judge_missed_proofs(heard, hands, book, habits.solvers, silence)


@compiled
def know(deals: NDArray[np.int8], log: Ints, at: Seating, me: int, habits: Habits, seed: int, found: Found) -> None:
    """Work out what every seat but ``me`` (-1: every seat) knows in every deal, and how likely that makes what it did.

    ``deals`` (deals, cards) are places, ``log`` rows of :class:`.EventRows`; ``seed`` decides which of several cards
    somebody was shown. Nothing is written of ``me`` but zeros.
    """
    places, size = at.counts.shape[0] + 1, log.shape[0]
    book = _Notebook(
        np.empty(places, np.int64),
        np.empty(places, np.int64),
        np.empty(2, np.int64),
        np.empty(size, np.int64),
        np.empty(WAYS, np.int64),
        np.empty(WAYS, np.int64),
        np.empty(WAYS, np.int64),
        np.empty(1, np.uint64),
    )
    hands, not_at = _hands(deals, places), _passes(log, places)
    for seat in range(at.seats):
        found.naming[:, seat] = 0.0
        found.silence[:, seat] = 0.0
        if seat == me:
            continue
        heard = _hear(seat, log, at, not_at)
        for deal in range(deals.shape[0]):
            book.chance[0] = seed + deal * at.seats + seat
            left, naming, silence = found.left[deal, seat], found.naming[deal, seat], found.silence[deal, seat]
            _follow(heard, hands[deal], book, habits, left, naming, silence)
