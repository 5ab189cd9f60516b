"""Compiled: the rules by which a position changes. `roll`, `ask`, `show` and `accuse` do what the engine's commands do.

Nothing is verified here: players choose among what is allowed, and tests have the referee play what they chose.
"""

from __future__ import annotations

from cluedo.ai.knowledge.compiled import compiled, count
from cluedo.ai.knowledge.programme import Ints
from cluedo.ai.playouts.arrays import (
    ACCUSED,
    ACTIVE,
    ASKED,
    BAN,
    BANS,
    CATEGORIES,
    CLAUSE,
    CLAUSE_SPACE,
    CLAUSES,
    COUNT,
    DICE,
    DOOR,
    DRAWN,
    ELIMINATED,
    ENDED,
    ENVELOPE,
    FREE,
    HAND,
    MAX_TURNS,
    MAY,
    MOST_SEATS,
    OUT,
    PASSED,
    PAWN,
    PLACES,
    PLAYS,
    REASON,
    REFUTED_BY,
    ROLL,
    ROLLED,
    ROOM,
    ROOMS_AT,
    SEAT_OF,
    SEATS,
    SEEN,
    SHOWN,
    SIDES,
    SIZE,
    STARTS,
    STEP,
    SUSPECT,
    SUSPECTS,
    TAKEN,
    THROWN,
    TO_ACT,
    TOKEN,
    TOKENS,
    TRACED,
    TURN,
    UNANSWERED,
    USED,
    WEAPON,
    WEAPONS,
    WINNER,
    BoardArrays,
    Numbers,
    Rolls,
)
from cluedo.ai.playouts.chance import counted, draw
from cluedo.engine.state import Step

__all__ = ["accuse", "ask", "begin", "clear", "end_move", "end_turn", "enter", "hand_out", "note", "roll", "set_out"]

# As plain numbers: numba would make a class of them.
TO_MOVE, TO_WALK, TO_ASK, TO_REFUTE, TO_ACCUSE, TO_END, IS_OVER = (int(step) for step in Step)
SOLVED, UNSOLVED, UNFINISHED = range(3)
"""Why a game has ended; -1 while it goes on."""


@compiled
def note(position: Ints, trace: Numbers, kind: int, seat: int, x: int, y: int, z: int) -> None:
    """Write down an event where there is room."""
    k = position[TRACED]
    if k < trace.shape[0]:
        trace[k, 0], trace[k, 1], trace[k, 2], trace[k, 3], trace[k, 4] = kind, seat, x, y, z
    position[TRACED] = k + 1


@compiled
def begin(board: BoardArrays, position: Ints, walk: Numbers, first: int) -> None:
    """The first turn of the first seat, with the hands and the envelope that are there (rules 1 and 3)."""
    position[WINNER] = position[REASON] = -1
    position[TURN] = position[ELIMINATED] = position[CLAUSES] = position[BANS] = 0
    clear(board, position, walk)
    for suspect in range(board.numbers[SUSPECTS]):
        position[PAWN + suspect] = board.numbers[STARTS + suspect]
    for weapon in range(board.numbers[WEAPONS]):
        position[TOKEN + weapon] = board.numbers[TOKENS + weapon]
    position[COUNT:SEEN] = 0
    for seat in range(position[SEATS]):
        position[USED + seat] = -1
        position[THROWN + seat] = position[UNANSWERED + seat] = position[OUT + seat] = 0
    _know_hands(board, position)
    set_out(board, position, walk)
    _begin_turn(position, first)


@compiled
def _know_hands(board: BoardArrays, position: Ints) -> None:
    """Let every seat know its hand, and nothing else by sight."""
    position[SEEN:CLAUSE] = 0
    cards = board.numbers[CATEGORIES] | board.numbers[CATEGORIES + 1] | board.numbers[CATEGORIES + 2]
    for seat in range(position[SEATS]):
        position[SEEN + MOST_SEATS * seat + seat] = position[HAND + seat]
        position[SIZE + seat] = count(position[HAND + seat])
        for place in range(PLACES):
            position[MAY + PLACES * seat + place] = cards


@compiled
def hand_out(board: BoardArrays, position: Ints, deal: Ints) -> None:
    """Put the hands and the envelope of a deal into a position that has none."""
    seats = position[SEATS]
    position[HAND : HAND + seats] = deal[:seats]
    position[ENVELOPE : ENVELOPE + 3] = deal[seats : seats + 3]
    _know_hands(board, position)


@compiled
def clear(board: BoardArrays, position: Ints, walk: Numbers) -> None:
    """Take the pawns of a position from the board of ``walk``."""
    for suspect in range(board.numbers[SUSPECTS]):
        walk[position[PAWN + suspect], TAKEN] = 0  # of a room, too, it is 0


@compiled
def set_out(board: BoardArrays, position: Ints, walk: Numbers) -> None:
    """Put the pawns of a position on the empty board of ``walk``."""
    for suspect in range(board.numbers[SUSPECTS]):
        if position[PAWN + suspect] < board.numbers[ROOMS_AT]:
            walk[position[PAWN + suspect], TAKEN] = 1


@compiled
def _begin_turn(position: Ints, seat: int) -> None:
    position[TURN] += 1
    position[ACTIVE] = position[TO_ACT] = seat
    position[STEP] = TO_MOVE
    position[SUSPECT] = position[REFUTED_BY] = -1
    position[COUNT + 3 * seat] += 1


@compiled
def roll(board: BoardArrays, position: Ints, dice: Rolls, trace: Numbers) -> None:
    """Throw the dice for a walk."""
    seat = position[ACTIVE]
    k = position[THROWN + seat]
    position[THROWN + seat] = k + 1
    total = 0
    if dice.totals.shape[1] == 0:
        for die in range(board.numbers[DICE]):
            total += int(counted(dice.seed[0], (k * 6 + die) * 8 + seat) * board.numbers[SIDES]) + 1
    else:
        if k == dice.numbers[DRAWN + seat]:
            for _ in range(board.numbers[DICE]):
                total += draw(dice, 1 + seat, board.numbers[SIDES]) + 1
            dice.totals[seat, k] = total
            dice.numbers[DRAWN + seat] = k + 1
        total = dice.totals[seat, k]
    position[ROLL] = total
    position[STEP] = TO_WALK
    note(position, trace, ROLLED, seat, total, 0, 0)


@compiled
def _put(board: BoardArrays, position: Ints, walk: Numbers, suspect: int, place: int) -> None:
    """Put a pawn on a place, from wherever it stands."""
    before = position[PAWN + suspect]
    if before < board.numbers[ROOMS_AT]:
        walk[before, TAKEN] = 0
    if place < board.numbers[ROOMS_AT]:
        walk[place, TAKEN] = 1
    position[PAWN + suspect] = place


@compiled
def enter(board: BoardArrays, position: Ints, walk: Numbers, to: int) -> None:
    """Put the active pawn on a place that it moved to by itself."""
    seat = position[ACTIVE]
    _put(board, position, walk, position[PLAYS + seat], to)
    if to >= board.numbers[ROOMS_AT] and position[USED + seat] != to:
        position[USED + seat] = -1
    end_move(board, position, to)


@compiled
def end_move(board: BoardArrays, position: Ints, here: int) -> None:
    """End the move: a hypothesis may follow, or not (rules 6 to 8)."""
    fresh = position[USED + position[ACTIVE]] != here or board.numbers[FREE] != 0
    position[STEP] = TO_ASK if here >= board.numbers[ROOMS_AT] and fresh else TO_ACCUSE


@compiled
def ask(board: BoardArrays, position: Ints, walk: Numbers, trace: Numbers, suspect: int, weapon: int) -> None:
    """Ask about the room that one is in, and hear who cannot answer."""
    seats = position[SEATS]
    seat = position[ACTIVE]
    place = position[PAWN + position[PLAYS + seat]]
    room = place - board.numbers[ROOMS_AT] + board.numbers[SUSPECTS] + board.numbers[WEAPONS]
    position[SUSPECT], position[WEAPON], position[ROOM] = suspect, weapon, room
    position[COUNT + 3 * seat + 1] += 1
    position[USED + seat] = place
    if position[PAWN + suspect] != place:
        _put(board, position, walk, suspect, place)
        if position[SEAT_OF + suspect] >= 0:
            position[USED + position[SEAT_OF + suspect]] = -1
    position[TOKEN + weapon - board.numbers[SUSPECTS]] = place
    note(position, trace, ASKED, seat, suspect, weapon, room)
    named = 1 << suspect | 1 << weapon | 1 << room
    position[STEP] = TO_ACCUSE
    other = seat
    for _ in range(seats - 1):
        other = other + 1 if other + 1 < seats else 0
        if position[HAND + other] & named:
            position[STEP], position[TO_ACT] = TO_REFUTE, other
            return
        position[OUT + other] |= named
        note(position, trace, PASSED, other, 0, 0, 0)
    position[UNANSWERED + seat] |= named


@compiled
def show(position: Ints, trace: Numbers, card: int) -> None:
    """Show the asker one of the three cards."""
    shower, asker = position[TO_ACT], position[ACTIVE]
    position[REFUTED_BY] = shower
    position[STEP], position[TO_ACT] = TO_ACCUSE, asker
    position[SEEN + MOST_SEATS * asker + shower] |= 1 << card
    _remember(position, shower, 1 << position[SUSPECT] | 1 << position[WEAPON] | 1 << position[ROOM])
    note(position, trace, SHOWN, shower, card, 0, 0)


@compiled
def _remember(position: Ints, shower: int, named: int) -> None:
    """Everybody has seen that a seat showed one of three cards."""
    count = position[CLAUSES]
    for k in range(min(count, CLAUSE_SPACE)):
        if position[CLAUSE + 2 * k] == shower and position[CLAUSE + 2 * k + 1] == named:
            return
    k = count % CLAUSE_SPACE
    position[CLAUSE + 2 * k], position[CLAUSE + 2 * k + 1] = shower, named
    position[CLAUSES] = count + 1


@compiled
def accuse(
    board: BoardArrays, position: Ints, walk: Numbers, trace: Numbers, suspect: int, weapon: int, room: int
) -> None:
    """Say what is in the envelope, and stake the game on it."""
    envelope = position[ENVELOPE : ENVELOPE + 3]
    seat = position[ACTIVE]
    position[COUNT + 3 * seat + 2] += 1
    note(position, trace, ACCUSED, seat, suspect, weapon, room)
    if suspect == envelope[0] and weapon == envelope[1] and room == envelope[2]:
        position[WINNER], position[REASON], position[STEP] = seat, SOLVED, IS_OVER
        return
    position[ELIMINATED] |= 1 << seat
    ban = BAN + 2 * position[BANS]
    position[ban], position[ban + 1] = position[SEATS], 1 << suspect | 1 << weapon | 1 << room
    position[BANS] += 1
    inside = board.places[position[PAWN + position[PLAYS + seat]], DOOR]
    if inside >= 0:
        _put(board, position, walk, position[PLAYS + seat], board.numbers[ROOMS_AT] + inside)
    position[STEP] = TO_END


@compiled
def end_turn(board: BoardArrays, position: Ints, trace: Numbers) -> None:
    """End one's turn."""
    seats = position[SEATS]
    seat = position[ACTIVE]
    note(position, trace, ENDED, seat, 0, 0, 0)
    if position[ELIMINATED] == (1 << seats) - 1:
        position[REASON], position[STEP] = UNSOLVED, IS_OVER
    elif position[TURN] >= board.numbers[MAX_TURNS]:
        position[REASON], position[STEP] = UNFINISHED, IS_OVER
    else:
        seat = seat + 1 if seat + 1 < seats else 0
        while position[ELIMINATED] >> seat & 1:
            seat = seat + 1 if seat + 1 < seats else 0
        _begin_turn(position, seat)
