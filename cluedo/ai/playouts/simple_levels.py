"""Compiled: the levels ``random``, ``easy`` and ``medium``, and how simple levels walk.

They are the levels of these names (:mod:`cluedo.ai.level_random` and so on), with a generator of their own: each choice
is drawn from the same distribution, not with the same numbers; but of squares that are equally near, where pawns stand
in the way, another may be taken.

A movement is a place to go to, or one of ROLL_DICE, TAKE_PASSAGE and STAY.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.kernels.common_kernels import count, uniform
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Ints
from cluedo.ai.playouts import arrays as at
from cluedo.ai.playouts.arrays import BoardArrays, Numbers, PlayerArrays
from cluedo.ai.playouts.compiled_walking import reach, toward
from cluedo.ai.playouts.table import TO_MOVE, place_of

__all__ = [
    "ROLL_DICE",
    "STAY",
    "TAKE_PASSAGE",
    "marked",
    "named_card",
    "nth",
    "pick",
    "pick_of",
    "sure_rooms",
    "toward_rooms",
    "wander",
]

STAY, ROLL_DICE, TAKE_PASSAGE = -1, -2, -3


@compiled
def pick(chance: NDArray[np.uint64], seat: int, choices: int) -> int:
    """A number below ``choices``, each as likely."""
    return int(uniform(chance, seat) * choices)


@compiled
def nth(mask: int, k: int) -> int:
    """The k-th bit that is set, from 0."""
    for _ in range(k):
        mask &= mask - 1
    low = mask & -mask
    number = 0
    while low > 1:
        low >>= 1
        number += 1
    return number


@compiled
def pick_of(chance: NDArray[np.uint64], seat: int, mask: int) -> int:
    """One of the bits that are set, each as likely."""
    return nth(mask, pick(chance, seat, count(mask)))


@compiled
def wander(board: BoardArrays, state: Ints, players: PlayerArrays, walk: Numbers) -> int:
    """How ``random`` moves."""
    seat, chance = state[at.ACTIVE], players.chance
    here = place_of(state, seat)
    rooms_at: int = board.numbers[at.ROOMS_AT]
    if board.numbers[at.FREE]:
        if uniform(chance, seat) < 0.5:
            return STAY
        others = (1 << board.numbers[at.ROOMS]) - 1
        if here >= rooms_at:
            others &= ~(1 << (here - rooms_at))
        return rooms_at + pick_of(chance, seat, others)
    if state[at.STEP] == TO_MOVE:
        passage = here >= rooms_at and board.doors[here - rooms_at, 0] >= 0
        return (ROLL_DICE, STAY, TAKE_PASSAGE)[pick(chance, seat, 3 if passage else 2)]
    reached = reach(board, here, state[at.ROLL], walk)
    return _anywhere(rooms_at, chance, seat, walk, reached)


@compiled
def _anywhere(rooms_at: int, chance: NDArray[np.uint64], seat: int, walk: Numbers, rooms: int) -> int:
    """Any place that is reached, each as likely; STAY if there is none."""
    squares = walk[-1, at.REACHED]
    places = squares + count(rooms)
    if places == 0:
        return STAY
    k = pick(chance, seat, places)
    return walk[k, at.SQUARE] if k < squares else rooms_at + nth(rooms, k - squares)


@compiled
def toward_rooms(board: BoardArrays, state: Ints, players: PlayerArrays, walk: Numbers, wanted: int) -> int:
    """One decision of a walk towards the rooms of a mask (of numbers): :func:`cluedo.ai.walking.toward_rooms`."""
    seat, chance = state[at.ACTIVE], players.chance
    rooms_at: int = board.numbers[at.ROOMS_AT]
    here = place_of(state, seat)
    if board.numbers[at.FREE]:
        return rooms_at + pick_of(chance, seat, wanted)  # the place where one is means to stay
    used = state[at.USED + seat]
    if used >= 0:
        others = ~(1 << (used - rooms_at))
        wanted = wanted & others or (1 << board.numbers[at.ROOMS]) - 1 & others
    if state[at.STEP] == TO_MOVE:
        return _before_the_roll(board, chance, seat, here, wanted)
    reached = reach(board, here, state[at.ROLL], walk)
    if reached & wanted:
        return rooms_at + pick_of(chance, seat, reached & wanted)
    if walk[-1, at.REACHED]:
        for k in range(at.DISTANCE + board.numbers[at.ROOMS], board.places.shape[1]):
            room = int(board.places[here, k])
            if room < 0:
                break
            if wanted >> room & 1:
                square = toward(board, state, here, room, walk)
                if square >= 0:
                    return square
    return _anywhere(rooms_at, chance, seat, walk, reached)


@compiled
def sure_rooms(board: BoardArrays, here: int, wanted: int) -> int:
    """The rooms of a mask where one may ask without a roll: the one where one is, and that behind its passage."""
    room = here - board.numbers[at.ROOMS_AT]
    if room < 0:
        return 0
    sure: int = wanted & 1 << room
    passage = board.doors[room, 0]
    if passage >= 0:
        sure |= wanted & 1 << passage
    return sure


@compiled
def _before_the_roll(board: BoardArrays, chance: NDArray[np.uint64], seat: int, here: int, wanted: int) -> int:
    sure = sure_rooms(board, here, wanted)
    if not sure:
        return ROLL_DICE
    near, first = 0, -1
    for k in range(at.DISTANCE + board.numbers[at.ROOMS], board.places.shape[1]):
        other = board.places[here, k]
        if other < 0:
            break
        if (wanted & ~sure) >> other & 1:
            if first < 0:
                first = other
            if board.places[here, at.DISTANCE + other] <= board.numbers[at.AVERAGE]:
                near |= 1 << other
    if not near and first >= 0:
        near = 1 << first
    choice = pick_of(chance, seat, sure | near)
    if not sure >> choice & 1:
        return ROLL_DICE
    return STAY if choice == here - board.numbers[at.ROOMS_AT] else TAKE_PASSAGE


@compiled
def marked(board: BoardArrays, state: Ints, players: PlayerArrays, seat: int) -> tuple[int, int]:
    """What ``easy`` or ``medium`` has marked: the masks of what is in the envelope and of what is unknown."""
    seen = 0
    for holder in range(state[at.SEATS]):
        seen |= state[at.SEEN + at.MOST_SEATS * seat + holder]
    medium = players.columns[seat, at.POLICY] == at.MEDIUM
    envelope = 0
    if medium and players.columns[seat, at.ORIGINAL] == 0:
        envelope = state[at.UNANSWERED + seat] & ~state[at.HAND + seat]
    unknown = 0
    for category in range(3):
        cards = board.numbers[at.CATEGORIES + category]
        left = cards & ~seen
        if not cards & envelope and not left & (left - 1):
            envelope |= left
        if not cards & envelope:
            unknown |= left
    return envelope, unknown


@compiled
def named_card(
    board: BoardArrays, state: Ints, players: PlayerArrays, category: int, envelope: int, unknown: int
) -> int:
    """The card of a category that ``medium`` names."""
    seat, chance = state[at.ACTIVE], players.chance
    cards = board.numbers[at.CATEGORIES + category]
    if cards & unknown:
        return pick_of(chance, seat, cards & unknown)
    safe = cards & (state[at.HAND + seat] | envelope)
    if players.columns[seat, at.ORIGINAL] != 0:
        return nth(cards, pick(chance, seat, count(safe)))
    return pick_of(chance, seat, safe)
