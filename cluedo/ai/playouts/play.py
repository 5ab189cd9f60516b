"""Compiled: games from some state to their end, one or many."""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.kernels.common_kernels import mixed, uniform
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Ints, Words
from cluedo.ai.playouts import arrays as at, table
from cluedo.ai.playouts.arrays import (
    BoardArrays,
    Numbers,
    PlannedGames,
    PlayerArrays,
    PlayoutStart,
    Rolls,
    Workspace,
    Worlds,
)
from cluedo.ai.playouts.blueprint import best_pair, conclude, estimate, go, likeliest, picked
from cluedo.ai.playouts.chance import deal, split
from cluedo.ai.playouts.deduction import rule_out
from cluedo.ai.playouts.hard import asks, best_rooms, named, proved
from cluedo.ai.playouts.simple_levels import (
    ROLL_DICE,
    STAY,
    TAKE_PASSAGE,
    marked,
    named_card,
    nth,
    pick,
    pick_of,
    toward_rooms,
    wander,
)
from cluedo.ai.playouts.table import TO_ACCUSE, TO_ASK, TO_END, TO_MOVE, TO_REFUTE, TO_WALK

__all__ = ["decide", "execute", "of_key", "play_games", "play_on"]


@compiled
def _think(board: BoardArrays, state: Ints, players: PlayerArrays, seat: int) -> None:
    """Have whoever keeps a notebook bring it up to date."""
    policy = players.columns[seat, at.POLICY]
    if policy == at.BLUEPRINT:
        conclude(board, state, players, seat)
        estimate(board, state, players, seat)
    elif policy == at.HARD:
        conclude(board, state, players, seat)
        rule_out(board, state, seat, state[at.SEATS])


@compiled
def _movement(board: BoardArrays, state: Ints, players: PlayerArrays, walk: Numbers) -> int:
    """How the active seat moves."""
    seat = state[at.ACTIVE]
    policy = players.columns[seat, at.POLICY]
    if policy == at.RANDOM:
        return wander(board, state, players, walk)
    all_rooms = (1 << board.numbers[at.ROOMS]) - 1
    if policy == at.EASY:
        return toward_rooms(board, state, players, walk, all_rooms)
    if policy == at.BLUEPRINT:
        return go(board, state, players, walk)
    if policy == at.HARD:
        return toward_rooms(board, state, players, walk, best_rooms(board, state, players, walk))
    envelope, unknown = marked(board, state, players, seat)
    cards = board.numbers[at.CATEGORIES + 2]
    wanted = cards & unknown or cards & (state[at.HAND + seat] | envelope)
    wanted >>= board.numbers[at.SUSPECTS] + board.numbers[at.WEAPONS]
    return toward_rooms(board, state, players, walk, wanted)


@compiled
def _go(board: BoardArrays, state: Ints, walk: Numbers, trace: Numbers, to: int) -> None:
    """Make a movement that is no roll."""
    seat = state[at.ACTIVE]
    here = table.place_of(state, seat)
    if to in (STAY, here):
        table.note(state, trace, at.STAYED, seat, 0, 0, 0)
        table.end_move(board, state, here)
    elif to == TAKE_PASSAGE:
        to = board.numbers[at.ROOMS_AT] + board.doors[here - board.numbers[at.ROOMS_AT], 0]
        table.note(state, trace, at.PASSAGE, seat, to, 0, 0)
        table.enter(board, state, walk, to)
    else:
        table.note(state, trace, at.MOVED, seat, to, 0, 0)
        table.enter(board, state, walk, to)


@compiled
def _ask(board: BoardArrays, state: Ints, players: PlayerArrays, walk: Numbers, trace: Numbers) -> None:
    """Choose a hypothesis, and make it."""
    seat, chance = state[at.ACTIVE], players.chance
    policy = players.columns[seat, at.POLICY]
    if policy in (at.RANDOM, at.EASY):
        suspect = pick(chance, seat, board.numbers[at.SUSPECTS])
        weapon = board.numbers[at.SUSPECTS] + pick(chance, seat, board.numbers[at.WEAPONS])
    elif policy == at.HARD:
        if not asks(board, state, players, seat):
            state[at.STEP] = TO_ACCUSE
            return
        suspect, weapon = named(board, state, players, 0), named(board, state, players, 1)
    elif policy == at.BLUEPRINT:
        suspect, weapon = -1, -1
        if uniform(chance, seat) < players.columns[seat, at.CARE]:
            room = table.room_card(board, table.place_of(state, seat))
            suspect, weapon, _ = best_pair(board, players, seat, room)
        if suspect < 0:
            suspect, weapon = picked(board, players, seat, 0), picked(board, players, seat, 1)
    else:
        envelope, unknown = marked(board, state, players, seat)
        suspect = named_card(board, state, players, 0, envelope, unknown)
        weapon = named_card(board, state, players, 1, envelope, unknown)
    table.ask(board, state, walk, trace, suspect, weapon)


@compiled
def _card_to_show(state: Ints, players: PlayerArrays, asker: int, shower: int, named: int) -> int:
    """The card of a mask that the shower chooses to show."""
    cards = state[at.HAND + shower] & named
    if players.columns[shower, at.POLICY] in (at.BLUEPRINT, at.HARD):  # what the asker has seen already tells nothing
        cards = cards & state[at.SEEN + at.MOST_SEATS * asker + shower] or cards
    return pick_of(players.chance, shower, cards)


@compiled
def _accusation(board: BoardArrays, state: Ints, players: PlayerArrays) -> tuple[int, int, int]:
    """Whom the active seat accuses of what; -1 thrice if nobody."""
    seat, chance = state[at.ACTIVE], players.chance
    policy = players.columns[seat, at.POLICY]
    suspects, weapons, rooms = board.numbers[at.SUSPECTS], board.numbers[at.WEAPONS], board.numbers[at.ROOMS]
    if policy == at.RANDOM:
        if uniform(chance, seat) < 0.5:
            return -1, -1, -1
        suspect, weapon = pick(chance, seat, suspects), suspects + pick(chance, seat, weapons)
        return suspect, weapon, suspects + weapons + pick(chance, seat, rooms)
    if policy == at.BLUEPRINT:
        return likeliest(board, state, players, seat)
    if policy == at.HARD:
        envelope, _ = proved(state, seat)
    else:
        envelope, _ = marked(board, state, players, seat)
    suspect = envelope & board.numbers[at.CATEGORIES]
    weapon = envelope & board.numbers[at.CATEGORIES + 1]
    room = envelope & board.numbers[at.CATEGORIES + 2]
    if suspect and weapon and room:
        return nth(suspect, 0), nth(weapon, 0), nth(room, 0)
    return -1, -1, -1


@compiled
def decide(board: BoardArrays, state: Ints, players: PlayerArrays, walk: Numbers, dice: Rolls, trace: Numbers) -> None:
    """One choice of whoever is to act; where nothing is left to choose, the end of the turn."""
    step = state[at.STEP]
    if step in (TO_MOVE, TO_ASK, TO_ACCUSE):
        _think(board, state, players, state[at.ACTIVE])
    if step in (TO_MOVE, TO_WALK):
        to = _movement(board, state, players, walk)
        if to == ROLL_DICE:
            table.roll(board, state, dice, trace)
        else:
            _go(board, state, walk, trace, to)
    elif step == TO_ASK:
        _ask(board, state, players, walk, trace)
    elif step == TO_REFUTE:
        named = 1 << state[at.SUSPECT] | 1 << state[at.WEAPON] | 1 << state[at.ROOM]
        card = _card_to_show(state, players, state[at.ACTIVE], state[at.TO_ACT], named)
        table.show(state, trace, card)
    elif step == TO_ACCUSE:
        suspect, weapon, room = _accusation(board, state, players)
        if suspect >= 0:
            table.accuse(board, state, walk, trace, suspect, weapon, room)
        else:
            state[at.STEP] = TO_END
    else:
        table.end_turn(board, state, trace)


@compiled
def _finish(board: BoardArrays, state: Ints, work: Workspace) -> None:
    """Let whoever is to act choose, until the game is over."""
    while state[at.REASON] < 0:
        decide(board, state, work.players, work.walk, work.dice, work.trace)


@compiled
def play_games(board: BoardArrays, state: Ints, work: Workspace, games: PlannedGames, results: Ints) -> None:
    """Play some consecutive games of a table, each from the deal, as many as there are rows of results.

    Args:
        board: the board and the rules.
        state: room for a game, as :mod:`~cluedo.ai.playouts.arrays` says; after the call the end of the last one.
        work: an empty board and room for the rest; each game is written in its trace behind the one before.
        games: which games.
        results: (games, RESULT + 4 seats), filled with who started, the winner's seat or -1, the reason, the turns, and
            where the game ends in the trace; then for each seat its turns, hypotheses and accusations; then the sizes
            of the hands.
    """
    seats = state[at.SEATS]
    dealt = state.copy()
    starts, number = 0, -1
    state[at.TRACED] = 0
    for k in range(results.shape[0]):
        deal_number, rotation = (games.first + k) // seats, (games.first + k) % seats
        keys = games.words[deal_number - games.first // seats]
        if deal_number != number:
            number = deal_number
            starts = deal(board, dealt, work.dice, keys[: 1 + seats])
        state[at.HAND : at.HAND + seats] = dealt[at.HAND : at.HAND + seats]
        state[at.ENVELOPE : at.ENVELOPE + 3] = dealt[at.ENVELOPE : at.ENVELOPE + 3]
        for seat in range(seats):
            place = (seat + rotation) % seats
            work.players.columns[seat] = games.line_up[place]
            work.players.chance[seat] = of_key(keys[1 + seats + rotation * seats + place])
        table.begin(board, state, work.walk, starts)
        _finish(board, state, work)
        results[k, 0], results[k, 1], results[k, 2] = starts, state[at.WINNER], state[at.REASON]
        results[k, 3], results[k, 4] = state[at.TURN], state[at.TRACED]
        results[k, at.RESULT : at.RESULT + 3 * seats] = state[at.COUNT : at.COUNT + 3 * seats]
        results[k, at.RESULT + 3 * seats :] = state[at.SIZE : at.SIZE + seats]


@compiled
def of_key(key: Words) -> np.uint64:
    """The words of a seed as one."""
    low = np.uint64(key[0]) | np.uint64(key[1]) << np.uint64(32)
    high = np.uint64(key[2]) | np.uint64(key[3]) << np.uint64(32)
    return mixed(low) ^ high


@compiled
def _suppose(board: BoardArrays, state: Ints, start: PlayoutStart, worlds: Worlds, k: int, work: Workspace) -> None:
    """Set a state up with the deal of a world: everybody knows their hand there, and the cards shown to them.

    Where it is not known which card that was, one is drawn among those that the shower holds there.
    """
    table.clear(board, state, work.walk)
    state[:] = start.state
    table.set_out(board, state, work.walk)
    for seat in range(state[at.SEATS]):
        work.players.chance[seat] = split(worlds.seeds[k], 1 + seat)
    work.dice.seed[0] = split(worlds.seeds[k], 0)
    table.hand_out(board, state, worlds.deals[k])
    shows = start.shows
    for show in range(shows.shape[0]):
        asker, shower, card = shows[show, 0], shows[show, 1], shows[show, 3]
        if card < 0:
            card = _card_to_show(state, work.players, asker, shower, shows[show, 2])
        state[at.SEEN + at.MOST_SEATS * asker + shower] |= 1 << card


@compiled
def play_on(
    board: BoardArrays, start: PlayoutStart, work: Workspace, worlds: Worlds, commands: Ints, results: Ints
) -> None:
    """Play on from a state to the end in each of some worlds; everybody acts on what they can know there.

    Args:
        board: the board and the rules.
        start: where to begin (see :mod:`cluedo.ai.playouts.playing_out`); it is left as it is.
        work: an empty board, dice that follow from a seed, and room for the rest; its trace gets what happens with the
            last of them.
        worlds: where it is played on.
        commands: (k, 4), what is done first, instead of choosing: a kind of event, and up to three numbers.
        results: (worlds, 3), filled with the winner's seat or -1, the reason, and the turns.
    """
    state = start.state.copy()
    table.set_out(board, state, work.walk)
    for k in range(results.shape[0]):
        _suppose(board, state, start, worlds, k, work)
        for number in range(commands.shape[0]):
            execute(board, state, work.walk, work.dice, work.trace, commands[number])
        if state[at.STEP] == TO_WALK:
            _think(board, state, work.players, state[at.ACTIVE])  # as before it rolled
        _finish(board, state, work)
        results[k, 0], results[k, 1], results[k, 2] = state[at.WINNER], state[at.REASON], state[at.TURN]


@compiled
def execute(board: BoardArrays, state: Ints, walk: Numbers, dice: Rolls, trace: Numbers, command: Ints) -> None:
    """Do a command, a row as of a trace without the seat; ENDED neither asks nor accuses."""
    kind, x, y, z = command
    if kind == at.ROLLED:
        table.roll(board, state, dice, trace)
    elif kind in (at.STAYED, at.MOVED, at.PASSAGE):
        to = x if kind == at.MOVED else STAY if kind == at.STAYED else TAKE_PASSAGE
        _go(board, state, walk, trace, to)
    elif kind == at.ASKED:
        table.ask(board, state, walk, trace, x, y)
    elif kind == at.SHOWN:
        table.show(state, trace, x)
    elif kind == at.ACCUSED:
        table.accuse(board, state, walk, trace, x, y, z)
    else:
        state[at.STEP] = TO_END
