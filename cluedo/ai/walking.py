"""How the levels walk to the rooms where they want to ask, or have to accuse, and how many turns that takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from random import Random

from cluedo.ai.choosing import may_ask_here, pick
from cluedo.ai.player import Movement
from cluedo.engine.board import UNREACHABLE, Board
from cluedo.engine.commands import Accusation, Move, Roll, SecretPassage, Stay
from cluedo.engine.rules import Rules
from cluedo.engine.state import WALK
from cluedo.engine.view import PlayerView

__all__ = [
    "DISCOUNT",
    "best_move",
    "expected_turns",
    "roll_odds",
    "toward_rooms",
    "turns_for",
    "turns_from",
    "turns_to",
    "way_to_accuse",
]

_ROLL, _SECRET_PASSAGE, _STAY = Roll(), SecretPassage(), Stay()
DISCOUNT = 0.55
"""What a bit is worth that one learns a turn later: the discount factor with which `expert` won most."""
_FAR = 60  # steps from which on the mean roll says enough


def toward_rooms(view: PlayerView, wanted: int, random: Random) -> Movement:
    """The next move of a walk towards the rooms in ``wanted``, a mask over places.

    A room that is used up (rule 7) does not count: any other room has to come first. Which of those
    left is left to chance among those within reach; if none is, the nearest one, by a shortest way
    round the pawns as they stand; if no step leads nearer, the next nearest; at last any square, so
    that two pawns cannot block each other for ever.

    Before the dice are thrown, these count as within reach: the room where one may stay and ask, the
    room behind a secret passage, and the rooms within an average roll, or else the nearest one.
    """
    table = view.table
    board = table.board
    first = board.rooms_at
    wanted >>= first  # a mask over the numbers of rooms: a step with a wide one takes three times as long
    if table.free:
        return _walk_to(view, wanted, random)
    used = view.used[view.active]
    if used >= 0:
        # Back there nothing could be asked; and the way to it leads through another room (rule 7).
        others_than_used = ~(1 << used - first)
        wanted = wanted & others_than_used or board.all_rooms >> first & others_than_used
    if view.step is WALK:
        return _walk_to(view, wanted, random)
    here = view.place - first
    if here < 0:
        return _ROLL
    sure = []
    if wanted >> here & 1:
        sure.append(here)
    passage = board.passages[here] - first
    if passage >= 0 and wanted >> passage & 1:
        sure.append(passage)
    if not sure:
        return _ROLL
    rules = table.rules
    average = rules.dice * (rules.sides + 1) // 2
    others = [(steps, room) for steps, room in board.nearest[view.place] if wanted >> room & 1 and room not in sure]
    near = [room for steps, room in others if steps <= average] or [room for _, room in others[:1]]
    choice = pick(random, sure + near)
    if choice == here:
        return _STAY
    return _SECRET_PASSAGE if choice == passage else _ROLL


def _walk_to(view: PlayerView, wanted: int, random: Random) -> Movement:
    """The end of a walk to the rooms whose numbers are in the mask ``wanted``, where a walk is due; used up or not."""
    board, here, reach = view.table.board, view.place, view.reach
    first = board.rooms_at
    rooms = [room for room in reach.rooms if wanted >> room - first & 1]
    if view.table.free and here >= first and wanted >> here - first & 1:
        rooms.append(here)
    if rooms:
        choice = pick(random, rooms)
        return _STAY if choice == here else Move(choice)
    if not reach.mask:
        return _STAY
    blocked = view.taken & ~(1 << here)
    for _, room in board.nearest[here]:
        if wanted >> room & 1:
            ends = board.toward(first + room, here, reach.mask, blocked)
            if ends:
                return Move((ends & -ends).bit_length() - 1)
    return Move(reach.pick(random))


def way_to_accuse(view: PlayerView, decided: Accusation, random: Random) -> Movement:
    """The next move towards the room in which an accusation has to be made (rule 17).

    Unlike the way to a question, it may lead back into a room that is used up (rule 7).
    """
    board = view.table.board
    to = board.room_place(decided.room)
    if view.place == to:
        return _STAY
    if view.table.free or view.step is WALK:
        return _walk_to(view, 1 << to - board.rooms_at, random)
    return _SECRET_PASSAGE if board.passage(view.place) == to else _ROLL


@lru_cache(maxsize=16)
def roll_odds(dice: int, sides: int) -> tuple[tuple[int, float], ...]:
    """``(total, probability)`` for every total that the dice can throw."""
    odds = {0: 1.0}
    for _ in range(dice):
        thrown: dict[int, float] = {}
        for total, p in odds.items():
            for pips in range(1, sides + 1):
                thrown[total + pips] = thrown.get(total + pips, 0.0) + p / sides
        odds = thrown
    return tuple(odds.items())


@lru_cache(maxsize=16)
def expected_turns(dice: int, sides: int) -> tuple[float, ...]:
    """By distance in steps, the expected number of turns to walk it; what is left of the last roll is lost.

    E(d) = 1 + Σ P(roll = r) E(d - r), with E = 0 for d ≤ 0.
    """
    odds = roll_odds(dice, sides)
    turns = [0.0]
    for distance in range(1, _FAR + 1):
        turns.append(1.0 + sum(p * turns[distance - roll] for roll, p in odds if roll < distance))
    return tuple(turns)


def turns_to(view: PlayerView) -> list[float]:
    """By room, in how many turns (1: this one) the active seat can expect to ask there; ``inf`` if never.

    Before the roll staying and secret passages count, after it what the roll reaches.
    """
    board, here = view.table.board, view.place
    rooms = range(board.rooms_at, board.places)
    if view.table.free:
        return [1.0] * len(rooms)
    rules, used = view.table.rules, view.used[view.active]
    if view.step is not WALK:
        return turns_from(board, rules, here, used)
    table, rolled = expected_turns(rules.dice, rules.sides), sum(view.dice or ())
    turns = []
    for room, distance in zip(rooms, board.distance, strict=True):
        if room == used:
            turns.append(math.inf)
        elif view.reach.mask >> room & 1:
            turns.append(1.0)
        else:
            turns.append(1.0 + turns_for(table, distance[here], rolled))
    return turns


def turns_from(board: Board, rules: Rules, here: int, used: int) -> list[float]:
    """As :func:`turns_to` before the roll, for a pawn at a place ``here`` that has used up the room ``used``, or -1."""
    table = expected_turns(rules.dice, rules.sides)
    rooms = range(board.rooms_at, board.places)
    turns = [math.inf if room == used else turns_for(table, board.distance[k][here]) for k, room in enumerate(rooms)]
    passage = board.passage(here)
    if passage >= 0 and passage != used:
        turns[passage - board.rooms_at] = 1.0
    if board.is_room(here) and here != used:
        turns[here - board.rooms_at] = 1.0
    return turns


def best_move(view: PlayerView, values: Sequence[float], discount: float, random: Random) -> Movement:
    """The move with the greatest value: ``values`` by room for asking there, times ``discount`` for each turn.

    Before the dice are thrown, a sure thing (to stay and ask, a secret passage) is weighed against the mean over all
    rolls of the best that each of them allows. That one may throw and then stay is left out: with it, the levels won no
    more than without.

    Pawns of players who are out stay where they are. Where they shut off rooms, these are worth nothing, and a room
    with a secret passage is worth what the passage leads to.
    """
    board, here = view.table.board, view.place
    first = board.rooms_at
    beyond = values
    if view.eliminated and not view.table.free:
        values, beyond = _not_shut_off(view, values, discount)
    if view.table.free or view.step is WALK:
        worths = [
            _discounted(value, discount, turns - 1.0) for value, turns in zip(values, turns_to(view), strict=True)
        ]
        best = max(worths)
        return toward_rooms(view, sum(1 << first + k for k, worth in enumerate(worths) if worth == best), random)
    moves: list[tuple[float, Movement]] = [(_worth_of_roll(view, values, discount), _ROLL)]
    passage = board.passage(here)
    if passage >= 0 and passage != view.used[view.active]:
        moves.append((beyond[passage - first], _SECRET_PASSAGE))
    if may_ask_here(view):
        moves.append((values[here - first], _STAY))
    return max(moves, key=lambda move: move[0])[1]


def _not_shut_off(
    view: PlayerView, values: Sequence[float], discount: float
) -> tuple[Sequence[float], Sequence[float]]:
    """The values of rooms for who walks there, and for who comes out of a secret passage there, round pawns that stay.

    Before it was asked, 1 in 10,000 games of four `expert` never ended: the last one was shut in by pawns of those who
    were out, and never thought of the passage.
    """
    board, rules, first = view.table.board, view.table.rules, view.table.board.rooms_at
    places = [view.pawns[suspect] for seat, suspect in enumerate(view.table.suspects) if view.eliminated >> seat & 1]
    walls = sum(1 << place for place in places if place < first)
    if not walls:
        return values, values
    far = first  # no way has more steps than there are squares

    def on_foot(start: int) -> list[int]:
        steps = board.steps_to_rooms(start, far, walls)
        return [0 if first + k == start else UNREACHABLE if n > far else n for k, n in enumerate(steps)]

    near = on_foot(view.place)
    if not any(n == UNREACHABLE > unblocked[view.place] for n, unblocked in zip(near, board.distance, strict=True)):
        return values, values
    table, beyond = expected_turns(rules.dice, rules.sides), list(values)
    for end in board.passages:
        if end >= 0:
            onward = [
                _discounted(value, discount, turns_for(table, n)) for value, n in zip(values, on_foot(end), strict=True)
            ]
            beyond[end - first] = max(values[end - first], *onward)
    walked = [
        max(value, discount * beyond[end - first]) if end >= 0 else value
        for value, end in zip(values, board.passages, strict=True)
    ]
    return [0.0 if n == UNREACHABLE else value for value, n in zip(walked, near, strict=True)], beyond


def _worth_of_roll(view: PlayerView, values: Sequence[float], discount: float) -> float:
    board, here, rules = view.table.board, view.place, view.table.rules
    used = view.used[view.active]
    table, discounts = expected_turns(rules.dice, rules.sides), _discounts(discount, rules.dice, rules.sides)
    others = view.taken & ~(1 << here)
    steps = board.steps_to_rooms(here, rules.dice * rules.sides, others)
    rooms = [
        (value, steps[k], board.distance[k][here])
        for k, value in enumerate(values)
        if value > 0.0 and k + board.rooms_at not in (used, here)
    ]
    rooms.sort(reverse=True)
    worth = 0.0
    for roll, p in roll_odds(rules.dice, rules.sides):
        best = 0.0
        for value, needed, distance in rooms:
            if value <= best:
                break  # no room is worth more than what is asked there
            if needed <= roll:
                best = value
                break
            left = distance - roll
            if left <= _FAR:
                later = value * discounts[left if left > 0 else 1]
            else:
                later = _discounted(value, discount, turns_for(table, distance, roll))
            if later > best:
                best = later
        worth += p * best
    return worth


@lru_cache(maxsize=16)
def _discounts(discount: float, dice: int, sides: int) -> tuple[float, ...]:
    """By distance in steps, what is left of a value when one has walked so far."""
    return tuple([discount**turns for turns in expected_turns(dice, sides)])


def _discounted(value: float, discount: float, turns: float) -> float:
    """A value discounted by the turns until it comes; 0 if that is never, and all the same if it is -inf."""
    if turns == math.inf:
        return 0.0
    return value * discount**turns if value > -math.inf else value


def turns_for(table: tuple[float, ...], distance: int, rolled: int = 0) -> float:
    """Expected turns to walk what is left of a distance after a roll that does not reach; one at least."""
    if distance >= UNREACHABLE:
        return math.inf
    left = max(distance - rolled, 1)
    return table[left] if left <= _FAR else table[_FAR] * left / _FAR
