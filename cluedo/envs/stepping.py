"""Compiled: many games at a time, each up to the next choice of somebody who learns.

A learner's actions are those of :class:`~cluedo.envs.acting.FlatActions`, and it observes the table and the part
``notes`` of :class:`~cluedo.envs.observing.ObservedFields`; :class:`ObservationArrays` says where what stands.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Floats, Ints
from cluedo.ai.playouts import arrays as at, table
from cluedo.ai.playouts.arrays import BoardArrays, Numbers, PlayerArrays, Rolls
from cluedo.ai.playouts.blueprint import conclude
from cluedo.ai.playouts.chance import deal, seed_words
from cluedo.ai.playouts.compiled_walking import reach
from cluedo.ai.playouts.play import decide, execute, of_key
from cluedo.ai.playouts.table import SOLVED, TO_ACCUSE, TO_ASK, TO_END, TO_MOVE, TO_REFUTE, TO_WALK
from cluedo.envs.acting import ActionMask
from cluedo.envs.observing import Observed

__all__ = ["FIELDS", "LEARNER", "ObservationArrays", "StepGames", "begin_games", "step_games"]

LEARNER: Final = -1
"""In the place of a policy: somebody who is asked."""

FIELDS: Final = (
    *("hand", "step", "active", "to_act", "eliminated", "hand_sizes", "refuted_by", "hypothesis"),
    *("turn", "roll", "used_up", "steps", "pawns", "notes"),
)
_HAND, _STEP, _ACTIVE, _TO_ACT, _ELIMINATED, _SIZES, _REFUTED_BY, _HYPOTHESIS = range(8)
_TURN, _ROLL, _USED_UP, _STEPS, _PAWNS, _NOTES = range(8, 14)

_ROLLS, _PASSES, _STAYS = range(3)  # the actions before the moves; the last of them ends the turn
_MOVES, _ASKS, _SHOWS, _ACCUSES = range(4)


class StepGames(NamedTuple):
    """Some games, each with all that it needs: a row of every array.

    Attributes:
        states: (game, number), see :mod:`cluedo.ai.playouts.arrays`.
        players: (game, seat, column), who plays; ``chance``: (game, seat), the states of their generators.
        totals, twisters, numbers: the dice, as in :class:`~cluedo.ai.playouts.arrays.Rolls`.
        games: (game,), its number.
        asked: (game,), the seat of the learner that has to choose, or chose last.
        skipped: (game,), games before this one that were over before a learner had a choice.
    """

    states: Ints
    players: NDArray[np.float64]
    chance: NDArray[np.uint64]
    totals: NDArray[np.int32]
    twisters: NDArray[np.uint32]
    numbers: Ints
    games: Ints
    asked: Ints
    skipped: Ints


class ObservationArrays(NamedTuple):
    """What learners are told, and what is needed for it.

    Attributes:
        begins: by field of :data:`FIELDS`, where it begins in an observation, or -1.
        starts: the first actions that move, ask, show and accuse.
        places: by move, the place that it leads to; ``action_to``: by place, the action, or -1.
        steps: (place, room), how far it is; ``where``: (place, number), how a place is told.
        rows: (game, number), the observations; ``masks``: (game, action), what is allowed.
    """

    begins: Ints
    starts: Ints
    places: Ints
    action_to: Ints
    steps: Observed
    where: Observed
    rows: Observed
    masks: ActionMask


@compiled
def begin_games(
    board: BoardArrays,
    games: StepGames,
    observations: ObservationArrays,
    line_up: Floats,
    entropy: Ints,
    which: NDArray[np.bool_],
    stride: int,
    estimates: Floats,
    walk: Numbers,
    trace: Numbers,
) -> None:
    """Begin some of the games, up to the first choice of a learner; one that is over before it is skipped.

    Args:
        board: the board and the rules.
        games: all games; ``games.games`` holds the numbers to begin with.
        observations: filled in for the games that begin.
        line_up: (place, column), players by place in the line-up.
        entropy: the seed in words of 32 bits.
        which: (game,), those that begin.
        stride: by how much the next number is greater.
        estimates: room for what players estimate.
        walk: the empty board.
        trace: where what happens in game 0 is written.
    """
    seats = line_up.shape[0]
    words = np.zeros((1, 1 + seats + seats * seats, 4), np.uint32)
    for i in range(which.shape[0]):
        if not which[i]:
            continue
        games.skipped[i] = 0
        state, players = games.states[i], PlayerArrays(games.players[i], games.chance[i], estimates)
        dice = Rolls(games.totals[i], np.zeros(1, np.uint64), games.twisters[i], games.numbers[i])
        kept = trace if i == 0 else trace[:0]
        while True:
            rotation = games.games[i] % seats
            seed_words(entropy, games.games[i] // seats, words)
            starts = deal(board, state, dice, words[0, : 1 + seats])
            for seat in range(seats):
                place = (seat + rotation) % seats
                players.columns[seat] = line_up[place]
                players.chance[seat] = of_key(words[0, 1 + seats + rotation * seats + place])
            state[at.TRACED] = 0
            table.begin(board, state, walk, starts)
            _until_asked(board, state, players, walk, dice, kept)
            if state[at.REASON] < 0:
                break
            table.clear(board, state, walk)
            games.games[i] += stride
            games.skipped[i] += 1
        games.asked[i] = state[at.TO_ACT]
        _tell(board, state, players, games, observations, i, walk)
        table.clear(board, state, walk)


@compiled
def step_games(
    board: BoardArrays,
    games: StepGames,
    observations: ObservationArrays,
    actions: Ints,
    estimates: Floats,
    walk: Numbers,
    trace: Numbers,
) -> None:
    """Do what a learner chose in each game, which has to be allowed, and play on to the next choice of one, or the end.

    ``actions``, (game,), are the choices; all else is as for :func:`begin_games`.
    """
    command = np.zeros(4, np.int64)
    no_seed = np.zeros(1, np.uint64)
    for i in range(actions.shape[0]):
        state, players = games.states[i], PlayerArrays(games.players[i], games.chance[i], estimates)
        dice = Rolls(games.totals[i], no_seed, games.twisters[i], games.numbers[i])
        kept = trace if i == 0 else trace[:0]
        table.set_out(board, state, walk)
        _read(board, observations, actions[i], command)
        execute(board, state, walk, dice, kept, command)
        _until_asked(board, state, players, walk, dice, kept)
        if state[at.REASON] < 0:
            games.asked[i] = state[at.TO_ACT]
        _tell(board, state, players, games, observations, i, walk)
        table.clear(board, state, walk)


@compiled
def _until_asked(
    board: BoardArrays, state: Ints, players: PlayerArrays, walk: Numbers, dice: Rolls, trace: Numbers
) -> None:
    """Play on until a learner has a choice, or the game is over."""
    while state[at.REASON] < 0:
        if players.columns[state[at.TO_ACT], at.POLICY] == LEARNER and state[at.STEP] != TO_END:
            return
        decide(board, state, players, walk, dice, trace)


@compiled
def _read(board: BoardArrays, observations: ObservationArrays, action: int, command: Ints) -> None:
    """An action as a command: a kind of event, and up to three numbers."""
    starts = observations.starts
    weapons, rooms, suspects = board.numbers[at.WEAPONS], board.numbers[at.ROOMS], board.numbers[at.SUSPECTS]
    command[1:] = 0
    if action >= starts[_ACCUSES]:
        k = action - starts[_ACCUSES]
        command[0], command[1] = at.ACCUSED, k // (weapons * rooms)
        command[2], command[3] = suspects + k // rooms % weapons, suspects + weapons + k % rooms
    elif action >= starts[_SHOWS]:
        command[0], command[1] = at.SHOWN, action - starts[_SHOWS]
    elif action >= starts[_ASKS]:
        k = action - starts[_ASKS]
        command[0], command[1], command[2] = at.ASKED, k // weapons, suspects + k % weapons
    elif action >= starts[_MOVES]:
        command[0], command[1] = at.MOVED, observations.places[action - starts[_MOVES]]
    elif action == _ROLLS:
        command[0] = at.ROLLED
    elif action == _PASSES:
        command[0] = at.PASSAGE
    else:
        command[0] = at.STAYED if action == _STAYS else at.ENDED


@compiled
def _tell(
    board: BoardArrays,
    state: Ints,
    players: PlayerArrays,
    games: StepGames,
    observations: ObservationArrays,
    i: int,
    walk: Numbers,
) -> None:
    """Write down what the learner of a game observes and may do."""
    seat = games.asked[i]
    mask = observations.masks[i]
    mask[:] = 0
    if state[at.REASON] < 0:
        _allow(board, state, observations, seat, mask, walk)
    row = observations.rows[i]
    row[:] = 0
    _observe_table(board, state, observations, seat, row)
    if observations.begins[_NOTES] >= 0:
        if state[at.REASON] == SOLVED:  # the verdict told everybody what is in the envelope
            for card in state[at.ENVELOPE : at.ENVELOPE + 3]:
                state[at.HAS + at.PLACES * seat + state[at.SEATS]] |= 1 << card
            state[at.TAKEN_IN + seat] = 0
        conclude(board, state, players, seat)
        _observe_notes(board, state, seat, row[observations.begins[_NOTES] :])


@compiled
def _allow(
    board: BoardArrays, state: Ints, observations: ObservationArrays, seat: int, mask: ActionMask, walk: Numbers
) -> None:
    step, starts, rooms_at = state[at.STEP], observations.starts, board.numbers[at.ROOMS_AT]
    here = table.place_of(state, seat)
    if step == TO_REFUTE:
        for card in (state[at.SUSPECT], state[at.WEAPON], state[at.ROOM]):
            mask[starts[_SHOWS] + card] = state[at.HAND + seat] >> card & 1
    elif step in (TO_ASK, TO_ACCUSE):
        mask[_STAYS + 1] = 1
        mask[starts[_ACCUSES] :] = 1
        if step == TO_ASK:
            mask[starts[_ASKS] : starts[_SHOWS]] = 1
    elif step == TO_MOVE and not board.numbers[at.FREE]:
        mask[_ROLLS] = mask[_STAYS] = 1
        mask[_PASSES] = here >= rooms_at and board.doors[here - rooms_at, 0] >= 0
    else:
        mask[_STAYS] = 1
        rooms = (1 << board.numbers[at.ROOMS]) - 1
        if board.numbers[at.FREE]:
            if here >= rooms_at:
                rooms &= ~(1 << (here - rooms_at))
        else:
            rooms = reach(board, here, state[at.ROLL], walk)
            for k in range(walk[-1, at.REACHED]):
                mask[observations.action_to[walk[k, at.SQUARE]]] = 1
        for room in range(board.numbers[at.ROOMS]):
            if rooms >> room & 1:
                mask[observations.action_to[rooms_at + room]] = 1


@compiled
def _observe_table(board: BoardArrays, state: Ints, observations: ObservationArrays, seat: int, row: Observed) -> None:
    begins, seats, numbers = observations.begins, state[at.SEATS], board.numbers
    cards = numbers[at.SUSPECTS] + numbers[at.WEAPONS] + numbers[at.ROOMS]
    for card in range(cards):
        row[begins[_HAND] + card] = state[at.HAND + seat] >> card & 1
    row[begins[_STEP] + state[at.STEP]] = 1
    row[begins[_ACTIVE] + (state[at.ACTIVE] - seat) % seats] = 1
    row[begins[_TO_ACT] + (state[at.TO_ACT] - seat) % seats] = 1
    if state[at.SUSPECT] >= 0:
        row[begins[_HYPOTHESIS] + state[at.SUSPECT]] = 1
        row[begins[_HYPOTHESIS] + state[at.WEAPON]] = 1
        row[begins[_HYPOTHESIS] + state[at.ROOM]] = 1
        if state[at.REFUTED_BY] >= 0:
            row[begins[_REFUTED_BY] + (state[at.REFUTED_BY] - seat) % seats] = 1
    row[begins[_TURN]] = state[at.TURN] / numbers[at.MAX_TURNS]
    if state[at.STEP] == TO_WALK:
        row[begins[_ROLL]] = state[at.ROLL] / (numbers[at.DICE] * numbers[at.SIDES])
    here = table.place_of(state, seat)
    row[begins[_USED_UP]] = state[at.USED + seat] == here
    row[begins[_STEPS] : begins[_STEPS] + numbers[at.ROOMS]] = observations.steps[here]
    for k in range(seats):
        other = (seat + k) % seats
        row[begins[_ELIMINATED] + k] = state[at.ELIMINATED] >> other & 1
        row[begins[_SIZES] + k] = state[at.SIZE + other] / cards
    _observe_pawns(state, observations, seat, numbers[at.SUSPECTS], row[begins[_PAWNS] :])


@compiled
def _observe_pawns(state: Ints, observations: ObservationArrays, seat: int, suspects: int, row: Observed) -> None:
    """Those of the seats, clockwise from one's own, then the others."""
    seats, width = state[at.SEATS], observations.where.shape[1]
    following = seats
    for suspect in range(suspects):
        owner = state[at.SEAT_OF + suspect]
        if owner >= 0:
            k = (owner - seat) % seats
        else:
            k = following
            following += 1
        row[k * width : (k + 1) * width] = observations.where[state[at.PAWN + suspect]]


@compiled
def _observe_notes(board: BoardArrays, state: Ints, seat: int, row: Observed) -> None:
    """What is proved to be at each place, then what is proved not to be there; seats clockwise, then the envelope."""
    seats = state[at.SEATS]
    cards = board.numbers[at.SUSPECTS] + board.numbers[at.WEAPONS] + board.numbers[at.ROOMS]
    for k in range(seats + 1):
        place = seats if k == seats else (seat + k) % seats
        has, may = state[at.HAS + at.PLACES * seat + place], state[at.MAY + at.PLACES * seat + place]
        for card in range(cards):
            row[k * cards + card] = has >> card & 1
            row[(seats + 1 + k) * cards + card] = ~may >> card & 1
