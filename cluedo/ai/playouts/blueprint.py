"""Compiled: the blueprint, a note-taker with habits that can be set.

It keeps the notebook of :mod:`cluedo.ai.knowledge.notebook`, by the same rules. It asks and walks by an estimate of the
gain of a hypothesis that takes a microsecond: each open card is as likely in a hand as that hand has room for it, and
cards are taken as independent of each other.
"""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.kernels.common_kernels import count, propagate, uniform
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Ints
from cluedo.ai.playouts import arrays as at
from cluedo.ai.playouts.arrays import BoardArrays, Numbers, PlayerArrays
from cluedo.ai.playouts.compiled_walking import reach, toward
from cluedo.ai.playouts.deduction import notebook_of, said
from cluedo.ai.playouts.simple_levels import ROLL_DICE, STAY, TAKE_PASSAGE, pick, sure_rooms
from cluedo.ai.playouts.table import TO_MOVE, place_of

__all__ = ["best_pair", "conclude", "estimate", "go", "likeliest", "picked"]

_TINY = 1e-9


@compiled
def conclude(board: BoardArrays, state: Ints, players: PlayerArrays, seat: int) -> None:
    """Bring the notebook of a seat up to date."""
    may, has = notebook_of(state, seat)
    seats, level = state[at.SEATS], players.columns[seat, at.DEDUCTION]
    heard = 1 + state[at.CLAUSES] + state[at.BANS]  # 0 is before it has taken in anything
    new = state[at.TAKEN_IN + seat] != heard
    state[at.TAKEN_IN + seat] = heard
    may[seat] &= state[at.HAND + seat]
    seen = 0
    for holder in range(seats):
        known = state[at.SEEN + at.MOST_SEATS * seat + holder]
        gone = state[at.OUT + holder] if level >= at.PASSES else 0
        new = new or known & ~has[holder] != 0 or may[holder] & gone != 0
        has[holder] |= known
        may[holder] &= ~gone
        seen |= known
    if not new:
        return
    if level < at.PASSES:
        may[seats] &= ~seen
        for holder in range(seats):
            may[holder] &= ~seen | has[holder]
        for category in range(3):
            left = may[seats] & board.numbers[at.CATEGORIES + category]
            if not left & (left - 1):
                has[seats] |= left
        return
    clauses, bans = said(state)
    if level < at.NOTEBOOK:
        clauses, bans = clauses[:0], bans[:0]
    sizes, categories = state[at.SIZE : at.SIZE + seats], board.numbers[at.CATEGORIES : at.CATEGORIES + 3]
    propagate(may, has, sizes, categories, clauses, bans)
    while level >= at.TRIALS and _tried(may, has, sizes, categories, clauses, bans):
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
def estimate(board: BoardArrays, state: Ints, players: PlayerArrays, seat: int) -> None:
    """Estimate, card by card, where the open ones are, and what their being shown would tell."""
    may, has = notebook_of(state, seat)
    seats, estimates = state[at.SEATS], players.estimates
    own, again = players.columns[seat, at.OWN], players.columns[seat, at.AGAIN]
    pull = np.zeros(at.MOST_SEATS)  # of a hand on each open card: the room left in it over the cards that it may take
    for holder in range(seats):
        choices = count(may[holder] & ~has[holder])
        if choices:
            pull[holder] = (state[at.SIZE + holder] - count(has[holder])) / choices
    for category in range(3):
        first, size = _span(board, category)
        candidates = may[seats] & board.numbers[at.CATEGORIES + category]
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
            estimates[at.ODDS, card] = odds
            total += odds
        for card in range(first, first + size):
            mine = has[seat] >> card & 1
            odds = estimates[at.ODDS, card] / total if total > 0.0 else 0.0
            estimates[at.ODDS, card] = odds
            estimates[at.KEPT, card] = 1.0 if mine else odds
            estimates[at.TOLD, card] = -np.log2(1.0 - odds) if _TINY < odds < 1.0 - _TINY else 0.0
            estimates[at.WEIGHTS, card] = own if mine else 1.0 if odds > 0.0 else again


@compiled
def _span(board: BoardArrays, category: int) -> tuple[int, int]:
    """The first card of a category, and how many there are."""
    first = 0
    for k in range(category):
        first += board.numbers[at.SUSPECTS + k]
    return first, board.numbers[at.SUSPECTS + category]


@compiled
def _gain(players: PlayerArrays, cards: tuple[int, int, int], bits: tuple[float, float, float]) -> float:
    """The bits that a hypothesis may be expected to tell of the envelope, weighed by the habit of naming its cards.

    ``bits`` is what is open of each category.
    """
    nobody, habit, told, shown = 1.0, 1.0, 0.0, 0.0
    all_open = 0.0
    for k in range(3):
        card = cards[k]
        nobody *= players.estimates[at.KEPT, card]
        habit *= players.estimates[at.WEIGHTS, card]
        showing = 1.0 - players.estimates[at.KEPT, card]
        shown += showing
        told += showing * players.estimates[at.TOLD, card]
        if players.estimates[at.ODDS, card] > 0.0:
            all_open += bits[k]
    refuted = (1.0 - nobody) * told / shown if shown > _TINY else 0.0
    return habit * (nobody * all_open + refuted)


@compiled
def _open_bits(board: BoardArrays, players: PlayerArrays, category: int) -> float:
    """The entropy of a category's card, in bits."""
    total = 0.0
    first, size = _span(board, category)
    for card in range(first, first + size):
        odds = players.estimates[at.ODDS, card]
        if _TINY < odds < 1.0 - _TINY:
            total -= odds * np.log2(odds)
    return total


@compiled
def _options(board: BoardArrays, players: PlayerArrays, seat: int, category: int) -> tuple[int, int, int]:
    """Of each sort of card of a category one: the likeliest open one, a safe one, and one that somebody holds; or -1.

    The search begins anywhere, so that of those alike each is as likely.
    """
    estimates = players.estimates
    first, size = _span(board, category)
    k = pick(players.chance, seat, size)
    likely, safe, held = -1, -1, -1
    for _ in range(size):
        card = first + k
        k = k + 1 if k + 1 < size else 0
        odds = estimates[at.ODDS, card]
        if estimates[at.KEPT, card] >= 1.0 - _TINY:
            if safe < 0 or estimates[at.WEIGHTS, card] > estimates[at.WEIGHTS, safe]:
                safe = card
        elif odds > 0.0:
            if likely < 0 or odds > estimates[at.ODDS, likely] + _TINY:
                likely = card
        else:
            held = card
    return likely, safe, held


@compiled
def best_pair(board: BoardArrays, players: PlayerArrays, seat: int, room: int) -> tuple[int, int, float]:
    """The suspect and the weapon to ask about with a room (a card), and the worth of asking so."""
    bits = _open_bits(board, players, 0), _open_bits(board, players, 1), _open_bits(board, players, 2)
    first, second = _options(board, players, seat, 0), _options(board, players, seat, 1)
    return _best_of(players, first, second, room, bits)


@compiled
def _best_of(
    players: PlayerArrays,
    first: tuple[int, int, int],
    second: tuple[int, int, int],
    room: int,
    bits: tuple[float, float, float],
) -> tuple[int, int, float]:
    best, suspect, weapon = -1.0, -1, -1
    for a in first:
        for b in second:
            if a >= 0 and b >= 0:
                gain = _gain(players, (a, b, room), bits)
                if gain > best:
                    best, suspect, weapon = gain, a, b
    return suspect, weapon, best


@compiled
def picked(board: BoardArrays, players: PlayerArrays, seat: int, category: int) -> int:
    """A card of a category to ask about, by habit alone."""
    first, size = _span(board, category)
    weights = players.estimates[at.WEIGHTS, first : first + size]
    total = weights.sum()
    if total <= 0.0:
        return first + pick(players.chance, seat, size)
    left = uniform(players.chance, seat) * total
    chosen = 0
    for k in range(size):
        if weights[k] > 0.0:
            chosen = k
            left -= weights[k]
            if left < 0.0:
                break
    return first + chosen


@compiled
def likeliest(board: BoardArrays, state: Ints, players: PlayerArrays, seat: int) -> tuple[int, int, int]:
    """The cards to accuse of, if it is sure enough; else -1 thrice."""
    suspect, weapon, room = _likeliest(board, players, 0), _likeliest(board, players, 1), _likeliest(board, players, 2)
    odds = players.estimates[at.ODDS]
    enough = odds[suspect] * odds[weapon] * odds[room] >= players.columns[seat, at.GUESS] - _TINY
    for k in range(state[at.BANS]):
        if state[at.BAN + 2 * k + 1] == 1 << suspect | 1 << weapon | 1 << room:
            enough = False
    if enough:
        return suspect, weapon, room
    return -1, -1, -1


@compiled
def _likeliest(board: BoardArrays, players: PlayerArrays, category: int) -> int:
    first, size = _span(board, category)
    return first + int(np.argmax(players.estimates[at.ODDS, first : first + size]))


@compiled
def go(board: BoardArrays, state: Ints, players: PlayerArrays, walk: Numbers) -> int:
    """How it moves: to where asking is worth most for the turns that the way takes."""
    rooms_at: int = board.numbers[at.ROOMS_AT]
    seat = state[at.ACTIVE]
    here, used = place_of(state, seat), state[at.USED + seat]
    _value_rooms(board, players, seat)
    if board.numbers[at.FREE]:
        return rooms_at + _best_room(board, players, seat, (1 << board.numbers[at.ROOMS]) - 1)
    others = (1 << board.numbers[at.ROOMS]) - 1
    if used >= 0:
        others &= ~(1 << (used - rooms_at))
    if state[at.STEP] == TO_MOVE:
        return _move_or_roll(board, players, seat, here, others)
    within = reach(board, here, state[at.ROLL], walk) & others
    if within:
        return rooms_at + _best_room(board, players, seat, within)
    while others:
        room, _ = _best_way(board, players, here, others)
        if room < 0:
            break
        square = toward(board, state, here, room, walk)
        if square >= 0:
            return square
        others &= ~(1 << room)
    return STAY


@compiled
def _value_rooms(board: BoardArrays, players: PlayerArrays, seat: int) -> None:
    first, size = _span(board, 2)
    bits = _open_bits(board, players, 0), _open_bits(board, players, 1), _open_bits(board, players, 2)
    suspects, weapons = _options(board, players, seat, 0), _options(board, players, seat, 1)
    for room in range(size):
        players.estimates[at.WORTH, room] = _best_of(players, suspects, weapons, first + room, bits)[2]


@compiled
def _best_room(board: BoardArrays, players: PlayerArrays, seat: int, rooms: int) -> int:
    """The room of a mask where asking is worth most; of those alike each is as likely."""
    worth, size = players.estimates[at.WORTH], board.numbers[at.ROOMS]
    k = pick(players.chance, seat, size)
    best = -1
    for _ in range(size):
        if rooms >> k & 1 and (best < 0 or worth[k] > worth[best] + _TINY):
            best = k
        k = k + 1 if k + 1 < size else 0
    return best


@compiled
def _best_way(board: BoardArrays, players: PlayerArrays, here: int, rooms: int) -> tuple[int, float]:
    """The room of a mask to walk to, or -1, and the worth of asking there for each turn that it takes."""
    best, worth = -1, -1.0
    for k in range(at.DISTANCE + board.numbers[at.ROOMS], board.places.shape[1]):
        room = int(board.places[here, k])
        if room < 0:
            break
        if rooms >> room & 1:
            steps = board.places[here, at.DISTANCE + room]
            turns = steps / board.numbers[at.AVERAGE]
            if steps < board.reaching.shape[0] - 1:
                turns = 1.0 / board.reaching[steps]
            if players.estimates[at.WORTH, room] / turns > worth + _TINY:
                best, worth = room, players.estimates[at.WORTH, room] / turns
    return best, worth


@compiled
def _move_or_roll(board: BoardArrays, players: PlayerArrays, seat: int, here: int, others: int) -> int:
    sure = sure_rooms(board, here, others)
    if not sure:
        return ROLL_DICE
    best = _best_room(board, players, seat, sure)
    if _best_way(board, players, here, others)[1] > players.estimates[at.WORTH, best] + _TINY:
        return ROLL_DICE
    return STAY if best == here - board.numbers[at.ROOMS_AT] else TAKE_PASSAGE
