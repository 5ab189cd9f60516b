"""Compiled: the level ``hard`` (:mod:`cluedo.ai.level_hard`), with a generator of its own.

All that it decides depends on what is proved of the envelope, so that nothing else is deduced completely.
"""

from __future__ import annotations

from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Ints
from cluedo.ai.playouts import arrays as at
from cluedo.ai.playouts.arrays import BoardArrays, Numbers, PlayerArrays
from cluedo.ai.playouts.compiled_walking import reach
from cluedo.ai.playouts.deduction import notebook_of
from cluedo.ai.playouts.simple_levels import pick_of
from cluedo.ai.playouts.table import TO_WALK, place_of, room_card

__all__ = ["asks", "best_rooms", "named", "proved"]

_HELD, _NOTHING = 0.25, 1e-6  # as in :mod:`cluedo.ai.level_hard`


@compiled
def proved(state: Ints, seat: int) -> tuple[int, int]:
    """The masks of the cards that are proved to be in the envelope, and of those that may be there as well."""
    may, has = notebook_of(state, seat)
    return has[-1], may[-1] & ~has[-1]


@compiled
def best_rooms(board: BoardArrays, state: Ints, players: PlayerArrays, walk: Numbers) -> int:
    """The rooms where asking settles most for each turn until then: a mask of their numbers."""
    seat, numbers = state[at.ACTIVE], board.numbers
    envelope, unknown = proved(state, seat)
    first = numbers[at.SUSPECTS] + numbers[at.WEAPONS]
    elsewhere = 1.0 if unknown & numbers[at.CATEGORIES] else 0.0
    elsewhere += 1.0 if unknown & numbers[at.CATEGORIES + 1] else 0.0
    unanswered = envelope | (state[at.HAND + seat] if players.columns[seat, at.OWN] != 0 else 0)
    within = 0
    if state[at.STEP] == TO_WALK:
        within = reach(board, place_of(state, seat), state[at.ROLL], walk)
    rooms, best = 0, -1.0
    for room in range(numbers[at.ROOMS]):
        value = elsewhere + 1.0
        if not unknown >> first + room & 1:
            value = max(elsewhere if unanswered >> first + room & 1 else elsewhere * _HELD, _NOTHING)
        score = value / _turns_to(board, state, seat, room, within)
        if score > best:
            rooms, best = 0, score
        if score == best:
            rooms |= 1 << room
    return rooms


@compiled
def _turns_to(board: BoardArrays, state: Ints, seat: int, room: int, within: int) -> float:
    """In how many turns one can expect to ask in a room: :func:`cluedo.ai.walking.turns_to`."""
    rooms_at = board.numbers[at.ROOMS_AT]
    here, rolled = place_of(state, seat), 0
    if board.numbers[at.FREE]:
        return 1.0
    if state[at.USED + seat] == rooms_at + room:
        return float("inf")
    if state[at.STEP] == TO_WALK:
        if within >> room & 1:
            return 1.0
        rolled = state[at.ROLL]
    elif here >= rooms_at and (here == rooms_at + room or board.doors[here - rooms_at, 0] == room):
        return 1.0
    steps = board.places[here, at.DISTANCE + room]
    if steps >= board.turns.shape[0]:
        return float("inf")
    walking: float = board.turns[max(steps - rolled, 1)]
    return walking + 1.0 if state[at.STEP] == TO_WALK else walking


@compiled
def asks(board: BoardArrays, state: Ints, players: PlayerArrays, seat: int) -> bool:
    """Whether it asks in the room where it is: always, unless it would name a card of its own and never does."""
    card = room_card(board, place_of(state, seat))
    return players.columns[seat, at.OWN] != 0 or not state[at.HAND + seat] >> card & 1


@compiled
def named(board: BoardArrays, state: Ints, players: PlayerArrays, category: int) -> int:
    """The card of a category that it names: an open one; in a settled one, one that nobody else can show."""
    seat = state[at.ACTIVE]
    envelope, unknown = proved(state, seat)
    cards = board.numbers[at.CATEGORIES + category]
    if cards & unknown:
        return pick_of(players.chance, seat, cards & unknown)
    if players.columns[seat, at.OWN] != 0:
        envelope |= state[at.HAND + seat]
    return pick_of(players.chance, seat, cards & envelope)
