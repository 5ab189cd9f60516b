"""Compiled: where a walk may end (rule 5), and which end is nearest to a room."""

from __future__ import annotations

from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Ints
from cluedo.ai.playouts import arrays as at
from cluedo.ai.playouts.arrays import BoardArrays, Numbers

__all__ = ["reach", "toward"]


@compiled
def reach(board: BoardArrays, start: int, steps: int, walk: Numbers) -> int:
    """Where a walk of at most ``steps`` (≥ 1) from ``start`` may end: squares in ``walk``, the mask of room numbers.

    Breadth first over free squares; a door is passed where a step is left for it.
    """
    places, rooms_at = board.places, board.numbers[at.ROOMS_AT]
    stamp = walk[-1, at.STAMP] + 1
    walk[-1, at.STAMP] = stamp
    rooms = 0
    count = 0
    if start >= rooms_at:
        first = board.doors[start - rooms_at, 1:]
    else:
        first = places[start, :4]
        walk[start, at.MARK] = stamp
        if places[start, at.DOOR] >= 0:
            rooms = 1 << places[start, at.DOOR]
    for k in range(first.shape[0]):
        square = first[k]
        if square >= 0 and not walk[square, at.TAKEN]:
            walk[square, at.MARK], walk[square, at.STEPS] = stamp, 1
            walk[count, at.SQUARE] = square
            count += 1
    done = 0
    while done < count:
        square = walk[done, at.SQUARE]
        far = walk[square, at.STEPS] + 1
        if far > steps:
            break
        done += 1
        if places[square, at.DOOR] >= 0:
            rooms |= 1 << places[square, at.DOOR]
        for k in range(4):
            near = places[square, k]
            if near < 0:
                break
            if walk[near, at.MARK] != stamp and not walk[near, at.TAKEN]:
                walk[near, at.MARK], walk[near, at.STEPS] = stamp, far
                walk[count, at.SQUARE] = near
                count += 1
    if start >= rooms_at:
        rooms &= ~(1 << (start - rooms_at))
    else:
        walk[start, at.MARK] = 0  # staying is no walk
    walk[-1, at.REACHED] = count
    return rooms


@compiled
def toward(board: BoardArrays, state: Ints, here: int, room: int, walk: Numbers) -> int:
    """The reached square that is nearest to ``room`` (a number) and nearer than ``here``, or -1.

    Near is counted round the pawns as they stand; of those equally near it is the first.
    """
    places, column = board.places, at.DISTANCE + room
    found = -1
    nearest = places[here, column]
    for k in range(walk[-1, at.REACHED]):
        square = walk[k, at.SQUARE]
        steps = places[square, column]
        if steps < nearest or (steps == nearest and found >= 0 and square < found):
            nearest, found = steps, square
    for suspect in range(board.numbers[at.SUSPECTS]):
        pawn = state[at.PAWN + suspect]
        if pawn != here and pawn < board.numbers[at.ROOMS_AT] and (found < 0 or places[pawn, column] < nearest):
            return _toward_round(board, here, room, walk)  # it may stand in the way
    return found


@compiled
def _toward_round(board: BoardArrays, here: int, room: int, walk: Numbers) -> int:
    """As :func:`toward`, ring by ring from the room."""
    search = walk[-1, at.SEARCHES] + 1
    walk[-1, at.SEARCHES] = search
    low, high = 0, 0
    for k in range(1, board.doors.shape[1]):
        door = board.doors[room, k]
        if door >= 0 and (not walk[door, at.TAKEN] or door == here):
            walk[high, at.QUEUE] = door
            walk[door, at.MET] = search
            high += 1
    while low < high:
        found = -1
        for k in range(low, high):
            square = walk[k, at.QUEUE]
            if square == here:
                return -1
            if walk[square, at.MARK] == walk[-1, at.STAMP] and (found < 0 or square < found):
                found = square
        if found >= 0:
            return found
        end = high
        for k in range(low, end):
            for way in range(4):
                near = board.places[walk[k, at.QUEUE], way]
                if near >= 0 and walk[near, at.MET] != search and (not walk[near, at.TAKEN] or near == here):
                    walk[high, at.QUEUE] = near
                    walk[near, at.MET] = search
                    high += 1
        low = end
    return -1
