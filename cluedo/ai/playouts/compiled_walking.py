"""Compiled: where a walk may end (rule 5), and which end is nearest to a room."""

from __future__ import annotations

from cluedo.ai.knowledge.compiled import compiled
from cluedo.ai.knowledge.programme import Ints
from cluedo.ai.playouts.arrays import (
    DISTANCE,
    DOOR,
    MARK,
    MET,
    PAWN,
    QUEUE,
    REACHED,
    ROOMS_AT,
    SEARCHES,
    SQUARE,
    STAMP,
    STEPS,
    SUSPECTS,
    TAKEN,
    BoardArrays,
    Numbers,
)

__all__ = ["reach", "toward"]


@compiled
def reach(board: BoardArrays, start: int, steps: int, walk: Numbers) -> int:
    """Where a walk of at most ``steps`` (≥ 1) from ``start`` may end: squares in ``walk``, the mask of room numbers.

    Breadth first over free squares; a door is passed where a step is left for it.
    """
    places, rooms_at = board.places, board.numbers[ROOMS_AT]
    stamp = walk[-1, STAMP] + 1
    walk[-1, STAMP] = stamp
    rooms = 0
    count = 0
    if start >= rooms_at:
        first = board.doors[start - rooms_at, 1:]
    else:
        first = places[start, :4]
        walk[start, MARK] = stamp
        if places[start, DOOR] >= 0:
            rooms = 1 << places[start, DOOR]
    for k in range(first.shape[0]):
        square = first[k]
        if square >= 0 and not walk[square, TAKEN]:
            walk[square, MARK], walk[square, STEPS] = stamp, 1
            walk[count, SQUARE] = square
            count += 1
    done = 0
    while done < count:
        square = walk[done, SQUARE]
        far = walk[square, STEPS] + 1
        if far > steps:
            break
        done += 1
        if places[square, DOOR] >= 0:
            rooms |= 1 << places[square, DOOR]
        for k in range(4):
            near = places[square, k]
            if near < 0:
                break
            if walk[near, MARK] != stamp and not walk[near, TAKEN]:
                walk[near, MARK], walk[near, STEPS] = stamp, far
                walk[count, SQUARE] = near
                count += 1
    if start >= rooms_at:
        rooms &= ~(1 << (start - rooms_at))
    else:
        walk[start, MARK] = 0  # staying is no walk
    walk[-1, REACHED] = count
    return rooms


@compiled
def toward(board: BoardArrays, position: Ints, here: int, room: int, walk: Numbers) -> int:
    """The reached square that is nearest to ``room`` (a number) and nearer than ``here``, or -1.

    Near is counted round the pawns as they stand; of those equally near it is the first.
    """
    places, column = board.places, DISTANCE + room
    found = -1
    nearest = places[here, column]
    for k in range(walk[-1, REACHED]):
        square = walk[k, SQUARE]
        steps = places[square, column]
        if steps < nearest or (steps == nearest and found >= 0 and square < found):
            nearest, found = steps, square
    for suspect in range(board.numbers[SUSPECTS]):
        pawn = position[PAWN + suspect]
        if pawn != here and pawn < board.numbers[ROOMS_AT] and (found < 0 or places[pawn, column] < nearest):
            return _toward_round(board, here, room, walk)  # it may stand in the way
    return found


@compiled
def _toward_round(board: BoardArrays, here: int, room: int, walk: Numbers) -> int:
    """As :func:`toward`, ring by ring from the room."""
    search = walk[-1, SEARCHES] + 1
    walk[-1, SEARCHES] = search
    low, high = 0, 0
    for k in range(1, board.doors.shape[1]):
        door = board.doors[room, k]
        if door >= 0 and (not walk[door, TAKEN] or door == here):
            walk[high, QUEUE] = door
            walk[door, MET] = search
            high += 1
    while low < high:
        found = -1
        for k in range(low, high):
            square = walk[k, QUEUE]
            if square == here:
                return -1
            if walk[square, MARK] == walk[-1, STAMP] and (found < 0 or square < found):
                found = square
        if found >= 0:
            return found
        end = high
        for k in range(low, end):
            for way in range(4):
                near = board.places[walk[k, QUEUE], way]
                if near >= 0 and walk[near, MET] != search and (not walk[near, TAKEN] or near == here):
                    walk[high, QUEUE] = near
                    walk[near, MET] = search
                    high += 1
        low = end
    return -1
