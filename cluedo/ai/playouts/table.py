"""Compiled: the rules by which a state changes. `roll`, `ask`, `show` and `accuse` do what the engine's commands do.

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
def note(state: Ints, trace: Numbers, kind: int, seat: int, x: int, y: int, z: int) -> None:
    """Write down an event where there is room."""
    k = state[at.TRACED]
    if k < trace.shape[0]:
        trace[k, 0], trace[k, 1], trace[k, 2], trace[k, 3], trace[k, 4] = kind, seat, x, y, z
    state[at.TRACED] = k + 1


@compiled
def place_of(state: Ints, seat: int) -> int:
    """Where the pawn of a seat stands."""
    place: int = state[at.PAWN + state[at.PLAYS + seat]]
    return place


@compiled
def room_card(board: BoardArrays, place: int) -> int:
    """The card of the room at a place."""
    card: int = place - board.numbers[at.ROOMS_AT] + board.numbers[at.SUSPECTS] + board.numbers[at.WEAPONS]
    return card


@compiled
def begin(board: BoardArrays, state: Ints, walk: Numbers, first: int) -> None:
    """The first turn of the first seat, with the hands and the envelope that are there (rules 1 and 3)."""
    state[at.WINNER] = state[at.REASON] = -1
    state[at.TURN] = state[at.ELIMINATED] = state[at.CLAUSES] = state[at.BANS] = 0
    clear(board, state, walk)
    for suspect in range(board.numbers[at.SUSPECTS]):
        state[at.PAWN + suspect] = board.numbers[at.STARTS + suspect]
    for weapon in range(board.numbers[at.WEAPONS]):
        state[at.TOKEN + weapon] = board.numbers[at.TOKENS + weapon]
    state[at.COUNT : at.SEEN] = 0
    for seat in range(state[at.SEATS]):
        state[at.USED + seat] = -1
        state[at.THROWN + seat] = state[at.UNANSWERED + seat] = state[at.OUT + seat] = 0
    _know_hands(board, state)
    set_out(board, state, walk)
    _begin_turn(state, first)


@compiled
def _know_hands(board: BoardArrays, state: Ints) -> None:
    """Let every seat know its hand, and nothing else by sight."""
    state[at.SEEN : at.CLAUSE] = 0
    cards = board.numbers[at.CATEGORIES] | board.numbers[at.CATEGORIES + 1] | board.numbers[at.CATEGORIES + 2]
    for seat in range(state[at.SEATS]):
        state[at.SEEN + at.MOST_SEATS * seat + seat] = state[at.HAND + seat]
        state[at.SIZE + seat] = count(state[at.HAND + seat])
        for place in range(at.PLACES):
            state[at.MAY + at.PLACES * seat + place] = cards


@compiled
def hand_out(board: BoardArrays, state: Ints, deal: Ints) -> None:
    """Put the hands and the envelope of a deal into a state that has none."""
    seats = state[at.SEATS]
    state[at.HAND : at.HAND + seats] = deal[:seats]
    state[at.ENVELOPE : at.ENVELOPE + 3] = deal[seats : seats + 3]
    _know_hands(board, state)


@compiled
def clear(board: BoardArrays, state: Ints, walk: Numbers) -> None:
    """Take the pawns of a state from the board of ``walk``."""
    for suspect in range(board.numbers[at.SUSPECTS]):
        walk[state[at.PAWN + suspect], at.TAKEN] = 0  # of a room, too, it is 0


@compiled
def set_out(board: BoardArrays, state: Ints, walk: Numbers) -> None:
    """Put the pawns of a state on the empty board of ``walk``."""
    for suspect in range(board.numbers[at.SUSPECTS]):
        if state[at.PAWN + suspect] < board.numbers[at.ROOMS_AT]:
            walk[state[at.PAWN + suspect], at.TAKEN] = 1


@compiled
def _begin_turn(state: Ints, seat: int) -> None:
    state[at.TURN] += 1
    state[at.ACTIVE] = state[at.TO_ACT] = seat
    state[at.STEP] = TO_MOVE
    state[at.SUSPECT] = state[at.REFUTED_BY] = -1
    state[at.COUNT + 3 * seat] += 1


@compiled
def roll(board: BoardArrays, state: Ints, dice: Rolls, trace: Numbers) -> None:
    """Throw the dice for a walk."""
    seat = state[at.ACTIVE]
    k = state[at.THROWN + seat]
    state[at.THROWN + seat] = k + 1
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
    state[at.ROLL] = total
    state[at.STEP] = TO_WALK
    note(state, trace, at.ROLLED, seat, total, 0, 0)


@compiled
def _put(board: BoardArrays, state: Ints, walk: Numbers, suspect: int, place: int) -> None:
    """Put a pawn on a place, from wherever it stands."""
    before = state[at.PAWN + suspect]
    if before < board.numbers[at.ROOMS_AT]:
        walk[before, at.TAKEN] = 0
    if place < board.numbers[at.ROOMS_AT]:
        walk[place, at.TAKEN] = 1
    state[at.PAWN + suspect] = place


@compiled
def enter(board: BoardArrays, state: Ints, walk: Numbers, to: int) -> None:
    """Put the active pawn on a place that it moved to by itself."""
    seat = state[at.ACTIVE]
    _put(board, state, walk, state[at.PLAYS + seat], to)
    if to >= board.numbers[at.ROOMS_AT] and state[at.USED + seat] != to:
        state[at.USED + seat] = -1
    end_move(board, state, to)


@compiled
def end_move(board: BoardArrays, state: Ints, here: int) -> None:
    """End the move: a hypothesis may follow, or not (rules 6 to 8)."""
    fresh = state[at.USED + state[at.ACTIVE]] != here or board.numbers[at.FREE] != 0
    state[at.STEP] = TO_ASK if here >= board.numbers[at.ROOMS_AT] and fresh else TO_ACCUSE


@compiled
def ask(board: BoardArrays, state: Ints, walk: Numbers, trace: Numbers, suspect: int, weapon: int) -> None:
    """Ask about the room that one is in, and hear who cannot answer."""
    seats = state[at.SEATS]
    seat = state[at.ACTIVE]
    place = place_of(state, seat)
    room = room_card(board, place)
    state[at.SUSPECT], state[at.WEAPON], state[at.ROOM] = suspect, weapon, room
    state[at.COUNT + 3 * seat + 1] += 1
    state[at.USED + seat] = place
    if state[at.PAWN + suspect] != place:
        _put(board, state, walk, suspect, place)
        if state[at.SEAT_OF + suspect] >= 0:
            state[at.USED + state[at.SEAT_OF + suspect]] = -1
    state[at.TOKEN + weapon - board.numbers[at.SUSPECTS]] = place
    note(state, trace, at.ASKED, seat, suspect, weapon, room)
    named = 1 << suspect | 1 << weapon | 1 << room
    state[at.STEP] = TO_ACCUSE
    other = seat
    for _ in range(seats - 1):
        other = other + 1 if other + 1 < seats else 0
        if state[at.HAND + other] & named:
            state[at.STEP], state[at.TO_ACT] = TO_REFUTE, other
            return
        state[at.OUT + other] |= named
        note(state, trace, at.PASSED, other, 0, 0, 0)
    state[at.UNANSWERED + seat] |= named


@compiled
def show(state: Ints, trace: Numbers, card: int) -> None:
    """Show the asker one of the three cards."""
    shower, asker = state[at.TO_ACT], state[at.ACTIVE]
    state[at.REFUTED_BY] = shower
    state[at.STEP], state[at.TO_ACT] = TO_ACCUSE, asker
    state[at.SEEN + at.MOST_SEATS * asker + shower] |= 1 << card
    _remember(state, shower, 1 << state[at.SUSPECT] | 1 << state[at.WEAPON] | 1 << state[at.ROOM])
    note(state, trace, at.SHOWN, shower, card, 0, 0)


@compiled
def _remember(state: Ints, shower: int, named: int) -> None:
    """Everybody has seen that a seat showed one of three cards."""
    count = state[at.CLAUSES]
    for k in range(min(count, at.CLAUSE_SPACE)):
        if state[at.CLAUSE + 2 * k] == shower and state[at.CLAUSE + 2 * k + 1] == named:
            return
    k = count % at.CLAUSE_SPACE
    state[at.CLAUSE + 2 * k], state[at.CLAUSE + 2 * k + 1] = shower, named
    state[at.CLAUSES] = count + 1


@compiled
def accuse(
    board: BoardArrays, state: Ints, walk: Numbers, trace: Numbers, suspect: int, weapon: int, room: int
) -> None:
    """Say what is in the envelope, and stake the game on it."""
    envelope = state[at.ENVELOPE : at.ENVELOPE + 3]
    seat = state[at.ACTIVE]
    state[at.COUNT + 3 * seat + 2] += 1
    note(state, trace, at.ACCUSED, seat, suspect, weapon, room)
    if suspect == envelope[0] and weapon == envelope[1] and room == envelope[2]:
        state[at.WINNER], state[at.REASON], state[at.STEP] = seat, SOLVED, IS_OVER
        return
    state[at.ELIMINATED] |= 1 << seat
    ban = at.BAN + 2 * state[at.BANS]
    state[ban], state[ban + 1] = state[at.SEATS], 1 << suspect | 1 << weapon | 1 << room
    state[at.BANS] += 1
    inside = board.places[place_of(state, seat), at.DOOR]
    if inside >= 0:
        _put(board, state, walk, state[at.PLAYS + seat], board.numbers[at.ROOMS_AT] + inside)
    state[at.STEP] = TO_END


@compiled
def end_turn(board: BoardArrays, state: Ints, trace: Numbers) -> None:
    """End one's turn."""
    seats = state[at.SEATS]
    seat = state[at.ACTIVE]
    note(state, trace, at.ENDED, seat, 0, 0, 0)
    if state[at.ELIMINATED] == (1 << seats) - 1:
        state[at.REASON], state[at.STEP] = UNSOLVED, IS_OVER
    elif state[at.TURN] >= board.numbers[at.MAX_TURNS]:
        state[at.REASON], state[at.STEP] = UNFINISHED, IS_OVER
    else:
        seat = seat + 1 if seat + 1 < seats else 0
        while state[at.ELIMINATED] >> seat & 1:
            seat = seat + 1 if seat + 1 < seats else 0
        _begin_turn(state, seat)
