"""Compiled: the rules by which a position changes. `roll`, `ask`, `show` and `accuse` do what the engine's commands do.

Nothing is verified here: players choose among what is allowed, and tests have the referee play what they chose.
"""

from __future__ import annotations

from cluedo.ai.knowledge.kernels.common_kernels import count
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Ints
from cluedo.ai.playouts import arrays as at
from cluedo.ai.playouts.arrays import BoardArrays, Numbers, Rolls
from cluedo.ai.playouts.chance import counted, draw
from cluedo.engine.state import Step

__all__ = [
    "accuse",
    "ask",
    "begin",
    "clear",
    "end_move",
    "end_turn",
    "enter",
    "hand_out",
    "note",
    "place_of",
    "roll",
    "room_card",
    "set_out",
]

# As plain numbers: numba would make a class of them.
TO_MOVE, TO_WALK, TO_ASK, TO_REFUTE, TO_ACCUSE, TO_END, IS_OVER = (int(step) for step in Step)
SOLVED, UNSOLVED, UNFINISHED = range(3)
"""Why a game has ended; -1 while it goes on."""


@compiled
def note(position: Ints, trace: Numbers, kind: int, seat: int, x: int, y: int, z: int) -> None:
    """Write down an event where there is room."""
    k = position[at.TRACED]
    if k < trace.shape[0]:
        trace[k, 0], trace[k, 1], trace[k, 2], trace[k, 3], trace[k, 4] = kind, seat, x, y, z
    position[at.TRACED] = k + 1


@compiled
def place_of(position: Ints, seat: int) -> int:
    """Where the pawn of a seat stands."""
    place: int = position[at.PAWN + position[at.PLAYS + seat]]
    return place


@compiled
def room_card(board: BoardArrays, place: int) -> int:
    """The card of the room at a place."""
    card: int = place - board.numbers[at.ROOMS_AT] + board.numbers[at.SUSPECTS] + board.numbers[at.WEAPONS]
    return card


@compiled
def begin(board: BoardArrays, position: Ints, walk: Numbers, first: int) -> None:
    """The first turn of the first seat, with the hands and the envelope that are there (rules 1 and 3)."""
    position[at.WINNER] = position[at.REASON] = -1
    position[at.TURN] = position[at.ELIMINATED] = position[at.CLAUSES] = position[at.BANS] = 0
    clear(board, position, walk)
    for suspect in range(board.numbers[at.SUSPECTS]):
        position[at.PAWN + suspect] = board.numbers[at.STARTS + suspect]
    for weapon in range(board.numbers[at.WEAPONS]):
        position[at.TOKEN + weapon] = board.numbers[at.TOKENS + weapon]
    position[at.COUNT : at.SEEN] = 0
    for seat in range(position[at.SEATS]):
        position[at.USED + seat] = -1
        position[at.THROWN + seat] = position[at.UNANSWERED + seat] = position[at.OUT + seat] = 0
    _know_hands(board, position)
    set_out(board, position, walk)
    _begin_turn(position, first)


@compiled
def _know_hands(board: BoardArrays, position: Ints) -> None:
    """Let every seat know its hand, and nothing else by sight."""
    position[at.SEEN : at.CLAUSE] = 0
    cards = board.numbers[at.CATEGORIES] | board.numbers[at.CATEGORIES + 1] | board.numbers[at.CATEGORIES + 2]
    for seat in range(position[at.SEATS]):
        position[at.SEEN + at.MOST_SEATS * seat + seat] = position[at.HAND + seat]
        position[at.SIZE + seat] = count(position[at.HAND + seat])
        for place in range(at.PLACES):
            position[at.MAY + at.PLACES * seat + place] = cards


@compiled
def hand_out(board: BoardArrays, position: Ints, deal: Ints) -> None:
    """Put the hands and the envelope of a deal into a position that has none."""
    seats = position[at.SEATS]
    position[at.HAND : at.HAND + seats] = deal[:seats]
    position[at.ENVELOPE : at.ENVELOPE + 3] = deal[seats : seats + 3]
    _know_hands(board, position)


@compiled
def clear(board: BoardArrays, position: Ints, walk: Numbers) -> None:
    """Take the pawns of a position from the board of ``walk``."""
    for suspect in range(board.numbers[at.SUSPECTS]):
        walk[position[at.PAWN + suspect], at.TAKEN] = 0  # of a room, too, it is 0


@compiled
def set_out(board: BoardArrays, position: Ints, walk: Numbers) -> None:
    """Put the pawns of a position on the empty board of ``walk``."""
    for suspect in range(board.numbers[at.SUSPECTS]):
        if position[at.PAWN + suspect] < board.numbers[at.ROOMS_AT]:
            walk[position[at.PAWN + suspect], at.TAKEN] = 1


@compiled
def _begin_turn(position: Ints, seat: int) -> None:
    position[at.TURN] += 1
    position[at.ACTIVE] = position[at.TO_ACT] = seat
    position[at.STEP] = TO_MOVE
    position[at.SUSPECT] = position[at.REFUTED_BY] = -1
    position[at.COUNT + 3 * seat] += 1


@compiled
def roll(board: BoardArrays, position: Ints, dice: Rolls, trace: Numbers) -> None:
    """Throw the dice for a walk."""
    seat = position[at.ACTIVE]
    k = position[at.THROWN + seat]
    position[at.THROWN + seat] = k + 1
    total = 0
    if dice.totals.shape[1] == 0:
        for die in range(board.numbers[at.DICE]):
            total += int(counted(dice.seed[0], (k * 6 + die) * 8 + seat) * board.numbers[at.SIDES]) + 1
    else:
        if k == dice.numbers[at.DRAWN + seat]:
            for _ in range(board.numbers[at.DICE]):
                total += draw(dice, 1 + seat, board.numbers[at.SIDES]) + 1
            dice.totals[seat, k] = total
            dice.numbers[at.DRAWN + seat] = k + 1
        total = dice.totals[seat, k]
    position[at.ROLL] = total
    position[at.STEP] = TO_WALK
    note(position, trace, at.ROLLED, seat, total, 0, 0)


@compiled
def _put(board: BoardArrays, position: Ints, walk: Numbers, suspect: int, place: int) -> None:
    """Put a pawn on a place, from wherever it stands."""
    before = position[at.PAWN + suspect]
    if before < board.numbers[at.ROOMS_AT]:
        walk[before, at.TAKEN] = 0
    if place < board.numbers[at.ROOMS_AT]:
        walk[place, at.TAKEN] = 1
    position[at.PAWN + suspect] = place


@compiled
def enter(board: BoardArrays, position: Ints, walk: Numbers, to: int) -> None:
    """Put the active pawn on a place that it moved to by itself."""
    seat = position[at.ACTIVE]
    _put(board, position, walk, position[at.PLAYS + seat], to)
    if to >= board.numbers[at.ROOMS_AT] and position[at.USED + seat] != to:
        position[at.USED + seat] = -1
    end_move(board, position, to)


@compiled
def end_move(board: BoardArrays, position: Ints, here: int) -> None:
    """End the move: a hypothesis may follow, or not (rules 6 to 8)."""
    fresh = position[at.USED + position[at.ACTIVE]] != here or board.numbers[at.FREE] != 0
    position[at.STEP] = TO_ASK if here >= board.numbers[at.ROOMS_AT] and fresh else TO_ACCUSE


@compiled
def ask(board: BoardArrays, position: Ints, walk: Numbers, trace: Numbers, suspect: int, weapon: int) -> None:
    """Ask about the room that one is in, and hear who cannot answer."""
    seats = position[at.SEATS]
    seat = position[at.ACTIVE]
    place = place_of(position, seat)
    room = room_card(board, place)
    position[at.SUSPECT], position[at.WEAPON], position[at.ROOM] = suspect, weapon, room
    position[at.COUNT + 3 * seat + 1] += 1
    position[at.USED + seat] = place
    if position[at.PAWN + suspect] != place:
        _put(board, position, walk, suspect, place)
        if position[at.SEAT_OF + suspect] >= 0:
            position[at.USED + position[at.SEAT_OF + suspect]] = -1
    position[at.TOKEN + weapon - board.numbers[at.SUSPECTS]] = place
    note(position, trace, at.ASKED, seat, suspect, weapon, room)
    named = 1 << suspect | 1 << weapon | 1 << room
    position[at.STEP] = TO_ACCUSE
    other = seat
    for _ in range(seats - 1):
        other = other + 1 if other + 1 < seats else 0
        if position[at.HAND + other] & named:
            position[at.STEP], position[at.TO_ACT] = TO_REFUTE, other
            return
        position[at.OUT + other] |= named
        note(position, trace, at.PASSED, other, 0, 0, 0)
    position[at.UNANSWERED + seat] |= named


@compiled
def show(position: Ints, trace: Numbers, card: int) -> None:
    """Show the asker one of the three cards."""
    shower, asker = position[at.TO_ACT], position[at.ACTIVE]
    position[at.REFUTED_BY] = shower
    position[at.STEP], position[at.TO_ACT] = TO_ACCUSE, asker
    position[at.SEEN + at.MOST_SEATS * asker + shower] |= 1 << card
    _remember(position, shower, 1 << position[at.SUSPECT] | 1 << position[at.WEAPON] | 1 << position[at.ROOM])
    note(position, trace, at.SHOWN, shower, card, 0, 0)


@compiled
def _remember(position: Ints, shower: int, named: int) -> None:
    """Everybody has seen that a seat showed one of three cards."""
    count = position[at.CLAUSES]
    for k in range(min(count, at.CLAUSE_SPACE)):
        if position[at.CLAUSE + 2 * k] == shower and position[at.CLAUSE + 2 * k + 1] == named:
            return
    k = count % at.CLAUSE_SPACE
    position[at.CLAUSE + 2 * k], position[at.CLAUSE + 2 * k + 1] = shower, named
    position[at.CLAUSES] = count + 1


@compiled
def accuse(
    board: BoardArrays, position: Ints, walk: Numbers, trace: Numbers, suspect: int, weapon: int, room: int
) -> None:
    """Say what is in the envelope, and stake the game on it."""
    envelope = position[at.ENVELOPE : at.ENVELOPE + 3]
    seat = position[at.ACTIVE]
    position[at.COUNT + 3 * seat + 2] += 1
    note(position, trace, at.ACCUSED, seat, suspect, weapon, room)
    if suspect == envelope[0] and weapon == envelope[1] and room == envelope[2]:
        position[at.WINNER], position[at.REASON], position[at.STEP] = seat, SOLVED, IS_OVER
        return
    position[at.ELIMINATED] |= 1 << seat
    ban = at.BAN + 2 * position[at.BANS]
    position[ban], position[ban + 1] = position[at.SEATS], 1 << suspect | 1 << weapon | 1 << room
    position[at.BANS] += 1
    inside = board.places[place_of(position, seat), at.DOOR]
    if inside >= 0:
        _put(board, position, walk, position[at.PLAYS + seat], board.numbers[at.ROOMS_AT] + inside)
    position[at.STEP] = TO_END


@compiled
def end_turn(board: BoardArrays, position: Ints, trace: Numbers) -> None:
    """End one's turn."""
    seats = position[at.SEATS]
    seat = position[at.ACTIVE]
    note(position, trace, at.ENDED, seat, 0, 0, 0)
    if position[at.ELIMINATED] == (1 << seats) - 1:
        position[at.REASON], position[at.STEP] = UNSOLVED, IS_OVER
    elif position[at.TURN] >= board.numbers[at.MAX_TURNS]:
        position[at.REASON], position[at.STEP] = UNFINISHED, IS_OVER
    else:
        seat = seat + 1 if seat + 1 < seats else 0
        while position[at.ELIMINATED] >> seat & 1:
            seat = seat + 1 if seat + 1 < seats else 0
        _begin_turn(position, seat)
