"""How long the way to a room is, in turns."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product

from cluedo.ai.walking import may_ask_here
from cluedo.board import UNREACHABLE
from cluedo.rules import Rules
from cluedo.state import WALK
from cluedo.view import PlayerView

__all__ = ["expected_turns", "turns_to"]

_FAR = 60  # steps from which on the mean roll says enough


@lru_cache(maxsize=16)
def expected_turns(dice: int, sides: int) -> tuple[float, ...]:
    """By distance in steps, the expected number of turns to walk it; what is left of the last roll is lost.

    E(d) = 1 + Σ P(roll = r) E(d - r), with E = 0 for d ≤ 0.
    """
    ways: dict[int, float] = {}
    if sides**dice <= 10_000:
        for roll in product(range(1, sides + 1), repeat=dice):
            ways[sum(roll)] = ways.get(sum(roll), 0.0) + sides**-dice
    else:
        ways[dice * (sides + 1) // 2] = 1.0
    turns = [0.0]
    for distance in range(1, _FAR + 1):
        turns.append(1.0 + sum(p * turns[distance - roll] for roll, p in ways.items() if roll < distance))
    return tuple(turns)


def turns_to(view: PlayerView) -> list[float]:
    """By room, in how many turns (1: this one) the active seat can expect to ask there; ``inf`` if never.

    Before the roll staying and secret passages count, after it what the roll reaches.
    """
    board, here = view.table.board, view.place
    rooms = range(board.rooms_at, board.places)
    if view.table.free:
        return [1.0] * len(rooms)
    rules: Rules = view.table.rules
    table = expected_turns(rules.dice, rules.sides)
    used = view.used[view.active]
    if view.step is WALK:
        rolled = sum(view.dice or ())
        turns = []
        for room, distance in zip(rooms, board.distance, strict=True):
            if room == used:
                turns.append(math.inf)
            elif view.reach.mask >> room & 1:
                turns.append(1.0)
            else:
                turns.append(1.0 + _walk(table, max(distance[here] - rolled, 1)))
        return turns
    turns = [math.inf if room == used else _walk(table, board.distance[k][here]) for k, room in enumerate(rooms)]
    passage = board.passage(here)
    if passage >= 0 and passage != used:
        turns[passage - board.rooms_at] = 1.0
    if may_ask_here(view):
        turns[here - board.rooms_at] = 1.0
    return turns


def _walk(table: tuple[float, ...], distance: int) -> float:
    if distance >= UNREACHABLE:
        return math.inf
    if distance <= _FAR:
        return max(table[distance], 1.0)
    return table[_FAR] * distance / _FAR
