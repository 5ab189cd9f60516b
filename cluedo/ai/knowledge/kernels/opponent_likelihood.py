"""Compiled: how likely what the other players did is, by what each of them can know in a deal (`opponent_notes`)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from cluedo.ai.knowledge.kernels.common_kernels import count, mixed
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.event_rows import ACCUSED, ASKED, KIND, NAMED, SAW, SHOWED, THEN_ACCUSED, Seating
from cluedo.ai.knowledge.kernels.opponent_notes import (
    WAYS,
    Heard,
    SeatNotes,
    conclude,
    draw,
    envelopes_left,
    hands_of,
    hear,
    named_in,
    note,
    open_notes,
    passes,
)
from cluedo.ai.knowledge.kernels.programme import Deals, Floats, Ints

__all__ = ["Found", "Habits", "know"]

_NEAR: Final = 0.75
"""Where pawns walk, how likely another room is as near as the one that somebody asks in. Of 0.4 to 1 it brought the
odds nearest to the truth at a dozen sorts of tables (seed 991920) without claiming more of a guess than came true
(seeds 991901 to 991905)."""

_CASES: Final = 1 << 10
_TO_SLOT: Final = np.uint64(54)
"""How many cases of questions are kept, and by how much a word of 64 bits is shifted to make a slot of it."""


class Habits(NamedTuple):
    """How others may play; and, of the questions that were judged so far, how likely each naming style made them.

    Attributes:
        naming: (naming styles, 6): the way to keep notes, λ and ρ, both again for the room, and how often they
            stick to a card.
        solving: (solving styles, 2): the way to keep notes, and the log of how likely they miss what these
            prove, or accuse by mistake.
        silent, wrong: (solving styles, envelopes open): the logs of how likely they do not accuse in a turn that they
            begin so, and accuse wrongly.
        cases: (slots): which case stands in a slot, with the way to keep notes; 0 for none.
        likely: (slots, naming styles): in this case, the logs for those who keep such notes.
    """

    naming: Floats
    solving: Floats
    silent: Floats
    wrong: Floats
    cases: Ints
    likely: Floats

    @classmethod
    def of(cls, naming: Floats, solving: Floats, silent: Floats, wrong: Floats) -> Habits:
        """Those habits at a table where no question was judged yet."""
        return cls(naming, solving, silent, wrong, np.zeros(_CASES, np.int64), np.empty((_CASES, len(naming))))


class Found(NamedTuple):
    """What is found of every seat in every deal.

    Attributes:
        left: (deals, seats, ways): how many envelopes are open to it by each way to keep notes.
        naming: (deals, seats, naming styles): the log likelihood of what it asked.
        silence: (deals, seats, solving styles): that of when it accused and of what: not with a good chance at the
            beginning of a turn, nor with a proof at its end; or wrongly.
    """

    left: Ints
    naming: Floats
    silence: Floats


@compiled
def _case_of_hand(heard: Heard, row: int, hand: int) -> int:
    """Of a case, see :func:`_case`, what does not depend on notes: the cards of their own, and whether one is named."""
    case = 0
    for category in range(3):
        named = heard.log[row, NAMED + category]
        case = case << 16 | count(heard.at.categories[category] & hand) << 4 | (hand >> named & 1) << 3
    return case


@compiled
def _case(heard: Heard, row: int, of_hand: int, before: int, ruled_out: int) -> int:
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
def _judge_case(case: int, way: int, at: Seating, naming: Floats, likely: Floats) -> None:
    """Fill ``likely`` (naming styles), the logs of how likely those who keep notes in one way name the cards of a case.

    In each category an open card counts 1, a card of their own λ, and one that they know to be elsewhere ρ. Where the
    category is settled, a card of their own counts 1 as well: nobody else can show it. Who sticks to a card names again
    the one that they named before, while it is open to them. Of rooms, few are near.
    """
    for style in range(naming.shape[0]):
        if naming[style, 0] != way:
            continue
        product = 1.0
        for category in range(3):
            of_category = case >> 16 * (2 - category)
            open_, mine = of_category >> 10 & 63, of_category >> 4 & 63
            column = 3 if category == 2 else 1
            own, again = naming[style, column], naming[style, column + 1]
            if open_ <= 1:
                own = 1.0
            named = own if of_category & 8 else again if of_category & 4 else 1.0
            others = open_ + own * mine + again * (count(at.categories[category]) - open_ - mine) - named
            chance = named / (named + others * (_NEAR if category == 2 and not at.free else 1.0))
            if of_category & 2:
                sticks = naming[style, 5]
                chance = (1.0 - sticks) * chance + (sticks if of_category & 1 else 0.0)
            product *= chance
        likely[style] = np.log(product)


@compiled
def _judge_question(
    heard: Heard, row: int, hand: int, before: int, book: SeatNotes, habits: Habits, naming: Floats
) -> None:
    """Add to ``naming`` how likely each naming style names these, after those ``before``, a mask.

    Deal after deal and question after question brings the same few cases: what is known of one is kept.
    """
    of_hand = _case_of_hand(heard, row, hand)
    for way in range(WAYS):
        case = _case(heard, row, of_hand, before, book.ruled_out[way])
        key = case << 2 | way + 1
        slot = int(mixed(np.uint64(key)) >> _TO_SLOT)
        if habits.cases[slot] != key:
            habits.cases[slot] = key
            _judge_case(case, way, heard.at, habits.naming, habits.likely[slot])
        book.slots[way] = slot
    for style in range(naming.shape[0]):
        naming[style] += habits.likely[book.slots[int(habits.naming[style, 0])], style]


@compiled
def _judge_shown(heard: Heard, row: int, hands: Ints, book: SeatNotes, styles: Floats, naming: Floats) -> None:
    """Add to ``naming`` how likely it is that the seat saw one of the cards that :func:`draw` draws from.

    Those that it names later are left out of the draw; each counts as it is likely to be named once it is known.
    """
    log, rooms_mask = heard.log, heard.at.categories[2]
    for other in range(heard.at.seats):
        if other == heard.seat or not log[row, SHOWED] >> other & 1:
            continue
        held = hands[other] & named_in(log, row)
        again = held & heard.later[row]
        if not again or again == held or held & (log[row, SAW] | book.has[other]):
            continue
        others, cards, rooms = count(held & ~again), count(again & ~rooms_mask), count(again & rooms_mask)
        for style in range(styles.shape[0]):
            likely = others + cards * styles[style, 2] + rooms * styles[style, 4]
            naming[style] += np.log(likely / (others + cards + rooms))


@compiled
def _judge_turn(heard: Heard, book: SeatNotes, solving: Floats, likely: Floats, silence: Floats) -> None:
    """Add to ``silence`` how likely each solving style does what it did in a turn that begins with these notes."""
    for way in range(WAYS):
        book.left[way] = envelopes_left(~book.ruled_out[way], heard.at.categories)
    for style in range(solving.shape[0]):
        silence[style] += likely[style, book.left[int(solving[style, 0])]]


@compiled
def _judge_missed_proofs(heard: Heard, hands: Ints, book: SeatNotes, solving: Floats, silence: Floats) -> None:
    """Add to ``silence`` how likely each solving style misses what is proved at the ends of its turns."""
    open_notes(heard, hands, book)
    for number in range(heard.own.shape[0]):
        row = heard.own[number]
        note(heard, row, hands, book)
        if heard.log[row, KIND] != ASKED or heard.log[row, THEN_ACCUSED]:
            continue
        conclude(heard, row + 1, book)
        for style in range(solving.shape[0]):
            if envelopes_left(~book.ruled_out[int(solving[style, 0])], heard.at.categories) == 1:
                silence[style] += solving[style, 1]


@compiled
def _judge_accusation(heard: Heard, row: int, book: SeatNotes, habits: Habits, silence: Floats) -> None:
    """Add to ``silence`` how likely each solving style accuses of these cards, if they accuse wrongly with these notes.

    Who guesses names an envelope that their notes leave open, or, as likely, one of cards that they have not seen:
    somebody may guess as readily, and keep fewer notes. Of who accuses by mistake nothing is known.
    """
    solving, wrong, categories = habits.solving, habits.wrong, heard.at.categories
    cards, envelopes = named_in(heard.log, row), envelopes_left(-1, categories)
    for style in range(solving.shape[0]):
        ruled_out = book.ruled_out[int(solving[style, 0])]
        mistake = min(float(np.exp(solving[style, 1] - wrong[style, envelopes_left(~ruled_out, categories)])), 1.0)
        likely = mistake / envelopes
        for noted in (book.ruled_out[0], ruled_out):
            if not cards & noted:
                likely += 0.5 * (1.0 - mistake) / envelopes_left(~noted, categories)
        silence[style] += np.log(likely)


@compiled
def _follow(
    heard: Heard, hands: Ints, book: SeatNotes, habits: Habits, left: Ints, naming: Floats, silence: Floats
) -> None:
    """Follow a seat through the game in one deal: judge each thing that it does by its notes, then note what it sees.

    ``left`` (ways), ``naming`` (naming styles) and ``silence`` (solving styles) are as in :class:`Found`.
    """
    log, before = heard.log, 0
    open_notes(heard, hands, book)
    for number in range(heard.own.shape[0]):
        row = heard.own[number]
        if log[row, KIND] == ACCUSED:
            conclude(heard, row, book)
            _judge_accusation(heard, row, book, habits, silence)
            book.drawn[row] = 0
            continue
        if log[row, KIND] == ASKED:
            conclude(heard, row, book)
            _judge_question(heard, row, hands[heard.seat], before, book, habits, naming)
            before = named_in(log, row)
            likely = habits.wrong if log[row, THEN_ACCUSED] else habits.silent
            _judge_turn(heard, book, habits.solving, likely, silence)
            _judge_shown(heard, row, hands, book, habits.naming, naming)
        book.drawn[row] = draw(heard, row, hands, book)
        note(heard, row, hands, book)
    conclude(heard, log.shape[0], book)
    proved = False
    for way in range(WAYS):
        left[way] = envelopes_left(~book.ruled_out[way], heard.at.categories)
        proved = proved or left[way] == 1
    if proved:  # else nothing was proved before
        _judge_missed_proofs(heard, hands, book, habits.solving, silence)


@compiled
def know(deals: Deals, log: Ints, at: Seating, me: int, habits: Habits, seed: int, found: Found) -> None:
    """Work out what every seat but ``me`` (-1: every seat) knows in every deal, and how likely that makes what it did.

    ``deals`` (deals, cards) are places, ``log`` rows of :class:`.EventRows`; ``seed`` decides which of several cards
    somebody was shown. Nothing is written of ``me`` but zeros.
    """
    places, size = at.counts.shape[0] + 1, log.shape[0]
    book = SeatNotes(
        np.empty(places, np.int64),
        np.empty(places, np.int64),
        np.empty(2, np.int64),
        np.empty(size, np.int64),
        np.empty(WAYS, np.int64),
        np.empty(WAYS, np.int64),
        np.empty(WAYS, np.int64),
        np.empty(1, np.uint64),
    )
    hands, not_at = hands_of(deals, places), passes(log, places)
    for seat in range(at.seats):
        found.naming[:, seat] = 0.0
        found.silence[:, seat] = 0.0
        if seat == me:
            continue
        heard = hear(seat, log, at, not_at)
        for deal in range(deals.shape[0]):
            book.chance[0] = seed + deal * at.seats + seat
            left, naming, silence = found.left[deal, seat], found.naming[deal, seat], found.silence[deal, seat]
            _follow(heard, hands[deal], book, habits, left, naming, silence)
