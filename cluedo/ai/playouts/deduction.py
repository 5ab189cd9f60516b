"""Compiled: complete deduction. What no rule of the notebook strikes out is struck out if no deal has it.

As in :mod:`cluedo.ai.knowledge.sat`, a seat keeps deals that fit all that it knows. A new fact sifts them, and only a
card that none of them shows at a place is searched for: first by an exchange of two cards in one that is kept, then by
trial of card after card, with the rules of the notebook after each. A search that finds none is a proof.

Of what was shown the last :data:`~cluedo.ai.playouts.arrays.CLAUSE_SPACE` hands and triples are remembered, more than
any game with somebody has who deduces.
"""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.kernels.common_kernels import count, propagate
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Ints
from cluedo.ai.playouts import arrays as at
from cluedo.ai.playouts.arrays import BoardArrays

__all__ = ["notebook_of", "rule_out", "said"]


@compiled
def notebook_of(state: Ints, seat: int) -> tuple[Ints, Ints]:
    """The notebook of a seat: what may be at each place, the envelope last, and what is there."""
    places = state[at.SEATS] + 1
    may, has = at.MAY + at.PLACES * seat, at.HAS + at.PLACES * seat
    return state[may : may + places], state[has : has + places]


@compiled
def said(state: Ints) -> tuple[Ints, Ints]:
    """Who showed one of which cards, and which three are not all in the envelope: pairs of a place and a mask."""
    clauses, bans = 2 * min(state[at.CLAUSES], at.CLAUSE_SPACE), 2 * state[at.BANS]
    return state[at.CLAUSE : at.CLAUSE + clauses], state[at.BAN : at.BAN + bans]


@compiled
def rule_out(board: BoardArrays, state: Ints, seat: int, place: int) -> None:
    """Strike from a seat's notebook, which is up to date, whatever can be at a place in no deal that fits."""
    may, has = notebook_of(state, seat)
    clauses, bans = said(state)
    sizes = state[at.SIZE : at.SIZE + state[at.SEATS]]
    categories = board.numbers[at.CATEGORIES : at.CATEGORIES + 3]
    own = at.KEPT_DEAL + at.DEAL_SPACE * at.PLACES * seat
    deals = state[own : own + at.DEAL_SPACE * at.PLACES]
    kept = _sift(state, seat, deals, may, clauses, bans)
    unseen = may[place] & ~has[place]
    for k in range(kept):
        unseen &= ~deals[at.PLACES * k + place]
    while unseen:
        card = unseen & -unseen
        new = at.PLACES * (state[at.FITTING + seat] % at.DEAL_SPACE)
        deal = deals[new : new + at.PLACES]
        kept = min(state[at.FITTING + seat], at.DEAL_SPACE)
        if _exchange(deals, kept, may, categories, clauses, bans, card, place, deal) or _search(
            may, has, sizes, categories, clauses, bans, card, place, deal
        ):
            state[at.FITTING + seat] += 1
            unseen &= ~deal[place]
        else:
            may[place] &= ~card
            propagate(may, has, sizes, categories, clauses, bans)
            unseen &= may[place] & ~has[place]


@compiled
def _sift(state: Ints, seat: int, deals: Ints, may: Ints, clauses: Ints, bans: Ints) -> int:
    """Of the deals that a seat keeps leave those that also fit what is new. How many there are."""
    kept = 0
    first = max(state[at.TRIED + seat], state[at.CLAUSES] - at.CLAUSE_SPACE)
    for k in range(min(state[at.FITTING + seat], at.DEAL_SPACE)):
        deal = deals[at.PLACES * k : at.PLACES * k + may.shape[0]]
        fits = _allowed(bans, may.shape[0] - 1, deal[-1])
        for place in range(may.shape[0]):
            fits = fits and not deal[place] & ~may[place]
        for number in range(first, state[at.CLAUSES]):
            clause = 2 * (number % at.CLAUSE_SPACE)
            fits = fits and deal[clauses[clause]] & clauses[clause + 1] != 0
        if fits:
            _copy(deal, deals[at.PLACES * kept :])
            kept += 1
    state[at.FITTING + seat], state[at.TRIED + seat] = kept, state[at.CLAUSES]
    return kept


@compiled
def _copy(masks: Ints, to: Ints) -> None:
    """By hand: a slice that is assigned takes numba longer to compile than all of this."""
    for k in range(masks.shape[0]):
        to[k] = masks[k]


@compiled
def _allowed(bans: Ints, place: int, cards: int) -> bool:
    """Whether the cards of a place may be these."""
    fits = True
    for k in range(0, bans.shape[0], 2):
        fits = fits and not (bans[k] == place and cards & bans[k + 1] == bans[k + 1])
    return fits


@compiled
def _fits(clauses: Ints, bans: Ints, place: int, cards: int) -> bool:
    """Whether the cards of a place may be these, and could have been shown as they were."""
    for k in range(0, clauses.shape[0], 2):
        if clauses[k] == place and not cards & clauses[k + 1]:
            return False
    return _allowed(bans, place, cards)


@compiled
def _exchange(
    deals: Ints, kept: int, may: Ints, categories: Ints, clauses: Ints, bans: Ints, card: int, place: int, new: Ints
) -> bool:
    """Find a deal with a card at a place where two cards of one that is kept change places; into ``new``."""
    envelope = may.shape[0] - 1
    category = categories[0] if categories[0] & card else categories[1] if categories[1] & card else categories[2]
    for k in range(kept):
        deal = deals[at.PLACES * k : at.PLACES * k + may.shape[0]]
        home = 0
        while not deal[home] & card:
            home += 1
        others = deal[place] & may[home]
        if envelope in (place, home):
            others &= category
        while others:
            both = others & -others | card
            others &= others - 1
            there, here = deal[place] ^ both, deal[home] ^ both
            if _fits(clauses, bans, place, there) and _fits(clauses, bans, home, here):
                _copy(deal, new)
                new[place], new[home] = there, here
                return True
    return False


@compiled
def _search(
    may: Ints,
    has: Ints,
    sizes: Ints,
    categories: Ints,
    clauses: Ints,
    bans: Ints,
    card: int,
    place: int,
    new: Ints,
) -> bool:
    """Find a deal with a card at a place, into ``new``, or prove that there is none.

    A way back for each card that is put somewhere on trial: the same notebook, with the card not there.
    """
    places = may.shape[0]
    depths = count(categories[0] | categories[1] | categories[2]) + 1
    could, does = np.empty((depths, places), np.int64), np.empty((depths, places), np.int64)
    _copy(may, could[0])
    _copy(has, does[0])
    does[0, place] |= card
    depth = 0
    while depth >= 0:
        if not propagate(could[depth], does[depth], sizes, categories, clauses, bans):
            depth -= 1
            continue
        where, trial = _trial(could[depth], does[depth], clauses)
        if not trial:
            _copy(does[depth], new)
            return True
        _copy(could[depth], could[depth + 1])
        _copy(does[depth], does[depth + 1])
        does[depth + 1, where] |= trial
        could[depth, where] &= ~trial
        depth += 1
    return False


@compiled
def _trial(may: Ints, has: Ints, clauses: Ints) -> tuple[int, int]:
    """A place and a card to put there on trial, where the fewest are possible; no card where all are somewhere."""
    fewest, place, card = 64, 0, 0
    for k in range(0, clauses.shape[0], 2):
        cards = may[clauses[k]] & clauses[k + 1]
        if not has[clauses[k]] & clauses[k + 1] and count(cards) < fewest:
            fewest, place, card = count(cards), clauses[k], cards & -cards
    if card:
        return place, card
    once, twice, often = 0, 0, 0
    for cards in may:
        often |= twice & cards
        twice |= once & cards
        once |= cards
    choices = twice & ~often or twice
    card = choices & -choices
    while card and not may[place] & card:
        place += 1
    return place, card
