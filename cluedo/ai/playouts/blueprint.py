"""Compiled: the blueprint, a note-taker with habits that can be set.

It keeps the notebook of :mod:`cluedo.ai.knowledge.notebook`, by the same rules. It asks and walks by an estimate of the
gain of a hypothesis that takes a microsecond: each open card is as likely in a hand as that hand has room for it, and
cards are taken as independent of each other.
"""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.compiled import compiled, count, propagate
from cluedo.ai.knowledge.programme import Ints
from cluedo.ai.knowledge.splitmix import uniform
from cluedo.ai.playouts.arrays import (
    ACTIVE,
    AGAIN,
    AVERAGE,
    BAN,
    BANS,
    CATEGORIES,
    CLAUSES,
    DEDUCTION,
    DISTANCE,
    FREE,
    GUESS,
    HAND,
    KEPT,
    MOST_SEATS,
    NOTEBOOK,
    ODDS,
    OUT,
    OWN,
    PASSES,
    PAWN,
    PLAYS,
    ROLL,
    ROOMS,
    ROOMS_AT,
    SEATS,
    SEEN,
    SIZE,
    STEP,
    SUSPECTS,
    TAKEN_IN,
    TOLD,
    TRIALS,
    USED,
    WEIGHTS,
    WORTH,
    BoardArrays,
    Minds,
    Numbers,
)
from cluedo.ai.playouts.compiled_walking import reach, toward
from cluedo.ai.playouts.deduction import notebook_of, said
from cluedo.ai.playouts.simple_levels import ROLL_DICE, STAY, TAKE_PASSAGE, pick
from cluedo.ai.playouts.table import TO_MOVE

__all__ = ["best_pair", "conclude", "estimate", "go", "likeliest", "picked"]

_TINY = 1e-9


@compiled
def conclude(house: BoardArrays, position: Ints, minds: Minds, seat: int) -> None:
    """Bring the notebook of a seat up to date."""
    may, has = notebook_of(position, seat)
    seats, level = position[SEATS], minds.players[seat, DEDUCTION]
    heard = 1 + position[CLAUSES] + position[BANS]  # 0 is before it has taken in anything
    new = position[TAKEN_IN + seat] != heard
    position[TAKEN_IN + seat] = heard
    may[seat] &= position[HAND + seat]
    seen = 0
    for holder in range(seats):
        known = position[SEEN + MOST_SEATS * seat + holder]
        gone = position[OUT + holder] if level >= PASSES else 0
        new = new or known & ~has[holder] != 0 or may[holder] & gone != 0
        has[holder] |= known
        may[holder] &= ~gone
        seen |= known
    if not new:
        return
    if level < PASSES:
        may[seats] &= ~seen
        for holder in range(seats):
            may[holder] &= ~seen | has[holder]
        for category in range(3):
            left = may[seats] & house.numbers[CATEGORIES + category]
            if not left & (left - 1):
                has[seats] |= left
        return
    clauses, bans = said(position)
    if level < NOTEBOOK:
        clauses, bans = clauses[:0], bans[:0]
    sizes, categories = position[SIZE : SIZE + seats], house.numbers[CATEGORIES : CATEGORIES + 3]
    propagate(may, has, sizes, categories, clauses, bans)
    while level >= TRIALS and _tried(may, has, sizes, categories, clauses, bans):
        propagate(may, has, sizes, categories, clauses, bans)


@compiled
def _tried(may: Ints, has: Ints, sizes: Ints, categories: Ints, clauses: Ints, bans: Ints) -> bool:
    """Put each card in the envelope on trial; what leads to a contradiction is not there. Whether any did."""
    seats = sizes.shape[0]
    found = False
    for category in range(3):
        cards = categories[category]
        left = may[seats] & cards & ~has[seats]
        while left:
            card = left & -left
            left ^= card
            could, would = may.copy(), has.copy()
            could[seats] &= ~(cards & ~card)
            would[seats] |= card
            if not propagate(could, would, sizes, categories, clauses, bans):
                may[seats] &= ~card
                found = True
    return found


@compiled
def estimate(house: BoardArrays, position: Ints, minds: Minds, seat: int) -> None:
    """Estimate, card by card, where the open ones are, and what their being shown would tell."""
    may, has = notebook_of(position, seat)
    seats, thoughts = position[SEATS], minds.thoughts
    own, again = minds.players[seat, OWN], minds.players[seat, AGAIN]
    pull = np.zeros(MOST_SEATS)  # of a hand on each open card: the room left in it over the cards that it may take
    for holder in range(seats):
        choices = count(may[holder] & ~has[holder])
        if choices:
            pull[holder] = (position[SIZE + holder] - count(has[holder])) / choices
    for category in range(3):
        first, size = _span(house, category)
        candidates = may[seats] & house.numbers[CATEGORIES + category]
        share, total = 1.0 / max(1, count(candidates)), 0.0
        for card in range(first, first + size):
            odds, bit = 0.0, 1 << card
            if has[seats] & bit:
                odds = 1.0
            elif candidates & bit:
                elsewhere = 0.0
                for holder in range(seats):
                    if may[holder] & bit:
                        elsewhere += pull[holder]
                odds = share / (share + elsewhere)
            thoughts[ODDS, card] = odds
            total += odds
        for card in range(first, first + size):
            mine = has[seat] >> card & 1
            odds = thoughts[ODDS, card] / total if total > 0.0 else 0.0
            thoughts[ODDS, card] = odds
            thoughts[KEPT, card] = 1.0 if mine else odds
            thoughts[TOLD, card] = -np.log2(1.0 - odds) if _TINY < odds < 1.0 - _TINY else 0.0
            thoughts[WEIGHTS, card] = own if mine else 1.0 if odds > 0.0 else again


@compiled
def _span(house: BoardArrays, category: int) -> tuple[int, int]:
    """The first card of a category, and how many there are."""
    first = 0
    for k in range(category):
        first += house.numbers[SUSPECTS + k]
    return first, house.numbers[SUSPECTS + category]


@compiled
def _gain(minds: Minds, cards: tuple[int, int, int], bits: tuple[float, float, float]) -> float:
    """The bits that a hypothesis may be expected to tell of the envelope, weighed by the habit of naming its cards.

    ``bits`` is what is open of each category.
    """
    nobody, habit, told, shown = 1.0, 1.0, 0.0, 0.0
    all_open = 0.0
    for k in range(3):
        card = cards[k]
        nobody *= minds.thoughts[KEPT, card]
        habit *= minds.thoughts[WEIGHTS, card]
        showing = 1.0 - minds.thoughts[KEPT, card]
        shown += showing
        told += showing * minds.thoughts[TOLD, card]
        if minds.thoughts[ODDS, card] > 0.0:
            all_open += bits[k]
    refuted = (1.0 - nobody) * told / shown if shown > _TINY else 0.0
    return habit * (nobody * all_open + refuted)


@compiled
def _open_bits(house: BoardArrays, minds: Minds, category: int) -> float:
    """The entropy of a category's card, in bits."""
    total = 0.0
    first, size = _span(house, category)
    for card in range(first, first + size):
        odds = minds.thoughts[ODDS, card]
        if _TINY < odds < 1.0 - _TINY:
            total -= odds * np.log2(odds)
    return total


@compiled
def _options(house: BoardArrays, minds: Minds, seat: int, category: int) -> tuple[int, int, int]:
    """Of each sort of card of a category one: the likeliest open one, a safe one, and one that somebody holds; or -1.

    The search begins anywhere, so that of those alike each is as likely.
    """
    thoughts = minds.thoughts
    first, size = _span(house, category)
    at = pick(minds.chance, seat, size)
    likely, safe, held = -1, -1, -1
    for _ in range(size):
        card = first + at
        at = at + 1 if at + 1 < size else 0
        odds = thoughts[ODDS, card]
        if thoughts[KEPT, card] >= 1.0 - _TINY:
            if safe < 0 or thoughts[WEIGHTS, card] > thoughts[WEIGHTS, safe]:
                safe = card
        elif odds > 0.0:
            if likely < 0 or odds > thoughts[ODDS, likely] + _TINY:
                likely = card
        else:
            held = card
    return likely, safe, held


@compiled
def best_pair(house: BoardArrays, minds: Minds, seat: int, room: int) -> tuple[int, int, float]:
    """The suspect and the weapon to ask about with a room (a card), and the worth of asking so."""
    bits = _open_bits(house, minds, 0), _open_bits(house, minds, 1), _open_bits(house, minds, 2)
    first, second = _options(house, minds, seat, 0), _options(house, minds, seat, 1)
    return _best_of(minds, first, second, room, bits)


@compiled
def _best_of(
    minds: Minds,
    first: tuple[int, int, int],
    second: tuple[int, int, int],
    room: int,
    bits: tuple[float, float, float],
) -> tuple[int, int, float]:
    best, suspect, weapon = -1.0, -1, -1
    for a in first:
        for b in second:
            if a >= 0 and b >= 0:
                gain = _gain(minds, (a, b, room), bits)
                if gain > best:
                    best, suspect, weapon = gain, a, b
    return suspect, weapon, best


@compiled
def picked(house: BoardArrays, minds: Minds, seat: int, category: int) -> int:
    """A card of a category to ask about, by habit alone."""
    first, size = _span(house, category)
    weights = minds.thoughts[WEIGHTS, first : first + size]
    total = weights.sum()
    if total <= 0.0:
        return first + pick(minds.chance, seat, size)
    left = uniform(minds.chance, seat) * total
    chosen = 0
    for k in range(size):
        if weights[k] > 0.0:
            chosen = k
            left -= weights[k]
            if left < 0.0:
                break
    return first + chosen


@compiled
def likeliest(house: BoardArrays, position: Ints, minds: Minds, seat: int) -> tuple[int, int, int]:
    """The cards to accuse of, if it is sure enough; else -1 thrice."""
    suspect, weapon, room = _likeliest(house, minds, 0), _likeliest(house, minds, 1), _likeliest(house, minds, 2)
    odds = minds.thoughts[ODDS]
    enough = odds[suspect] * odds[weapon] * odds[room] >= minds.players[seat, GUESS] - _TINY
    for k in range(position[BANS]):
        if position[BAN + 2 * k + 1] == 1 << suspect | 1 << weapon | 1 << room:
            enough = False
    if enough:
        return suspect, weapon, room
    return -1, -1, -1


@compiled
def _likeliest(house: BoardArrays, minds: Minds, category: int) -> int:
    first, size = _span(house, category)
    return first + int(np.argmax(minds.thoughts[ODDS, first : first + size]))


@compiled
def go(house: BoardArrays, position: Ints, minds: Minds, walk: Numbers) -> int:
    """How it moves: to where asking is worth most for the turns that the way takes."""
    rooms_at: int = house.numbers[ROOMS_AT]
    seat = position[ACTIVE]
    here, used = position[PAWN + position[PLAYS + seat]], position[USED + seat]
    _value_rooms(house, minds, seat)
    if house.numbers[FREE]:
        return rooms_at + _best_room(house, minds, seat, (1 << house.numbers[ROOMS]) - 1)
    others = (1 << house.numbers[ROOMS]) - 1
    if used >= 0:
        others &= ~(1 << (used - rooms_at))
    if position[STEP] == TO_MOVE:
        return _move_or_roll(house, minds, seat, here, others)
    within = reach(house, here, position[ROLL], walk) & others
    if within:
        return rooms_at + _best_room(house, minds, seat, within)
    while others:
        room, _ = _best_way(house, minds, here, others)
        if room < 0:
            break
        square = toward(house, position, here, room, walk)
        if square >= 0:
            return square
        others &= ~(1 << room)
    return STAY


@compiled
def _value_rooms(house: BoardArrays, minds: Minds, seat: int) -> None:
    first, size = _span(house, 2)
    bits = _open_bits(house, minds, 0), _open_bits(house, minds, 1), _open_bits(house, minds, 2)
    suspects, weapons = _options(house, minds, seat, 0), _options(house, minds, seat, 1)
    for room in range(size):
        minds.thoughts[WORTH, room] = _best_of(minds, suspects, weapons, first + room, bits)[2]


@compiled
def _best_room(house: BoardArrays, minds: Minds, seat: int, rooms: int) -> int:
    """The room of a mask where asking is worth most; of those alike each is as likely."""
    worth, size = minds.thoughts[WORTH], house.numbers[ROOMS]
    at = pick(minds.chance, seat, size)
    best = -1
    for _ in range(size):
        if rooms >> at & 1 and (best < 0 or worth[at] > worth[best] + _TINY):
            best = at
        at = at + 1 if at + 1 < size else 0
    return best


@compiled
def _best_way(house: BoardArrays, minds: Minds, here: int, rooms: int) -> tuple[int, float]:
    """The room of a mask to walk to, or -1, and the worth of asking there for each turn that it takes."""
    best, worth = -1, -1.0
    for k in range(DISTANCE + house.numbers[ROOMS], house.board.shape[1]):
        room = int(house.board[here, k])
        if room < 0:
            break
        if rooms >> room & 1:
            steps = house.board[here, DISTANCE + room]
            turns = steps / house.numbers[AVERAGE]
            if steps < house.reaching.shape[0] - 1:
                turns = 1.0 / house.reaching[steps]
            if minds.thoughts[WORTH, room] / turns > worth + _TINY:
                best, worth = room, minds.thoughts[WORTH, room] / turns
    return best, worth


@compiled
def _move_or_roll(house: BoardArrays, minds: Minds, seat: int, here: int, others: int) -> int:
    rooms_at = house.numbers[ROOMS_AT]
    if here < rooms_at:
        return ROLL_DICE
    sure, room, passage = 0, here - rooms_at, house.doors[here - rooms_at, 0]
    if others >> room & 1:
        sure = 1 << room
    if passage >= 0 and others >> passage & 1:
        sure |= 1 << passage
    if not sure:
        return ROLL_DICE
    best = _best_room(house, minds, seat, sure)
    if _best_way(house, minds, here, others)[1] > minds.thoughts[WORTH, best] + _TINY:
        return ROLL_DICE
    return STAY if best == room else TAKE_PASSAGE
