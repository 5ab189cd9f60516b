"""Plays a game to its end many times: from what a seat may know and possible deals, to who wins.

    start = start_of(view)                         # the public state, and the cards that were shown
    playouts = Playouts(view.table, players)       # laid out once a game
    results = playouts.run(start, worlds, commands)

No player sees the deal that is tried: each seat acts on its hand there, on the open events, and on the cards shown to
it (:func:`~cluedo.ai.playouts.play.play_on`). ``commands`` is the choice to be judged, such as
``[row_of(Hypothesis(suspect, weapon, room))]``; try each choice in the same worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cluedo.ai.knowledge.kernels.programme import Floats, Ints
from cluedo.ai.playouts import arrays as at
from cluedo.ai.playouts.arrays import (
    BoardArrays,
    Numbers,
    PlayerArrays,
    PlayoutStart,
    Rolls,
    Workspace,
    Worlds,
    new_state,
    new_trace,
    new_walk,
)
from cluedo.ai.playouts.play import play_on
from cluedo.engine.cards import triple_mask
from cluedo.engine.events import Accused, HypothesisMade, Passed, Rolled, Shown
from cluedo.engine.state import Table
from cluedo.engine.view import PlayerView

__all__ = ["PlayoutResults", "Playouts", "start_of"]


class PlayoutResults(NamedTuple):
    """How some play-outs ended, by world: the winner's seat or -1; 0 solved, 1 unsolved, 2 unfinished; turns begun."""

    winner: Ints
    reason: Ints
    turns: Ints


def start_of(view: PlayerView) -> PlayoutStart:
    """Where a game stands by a view; nothing of it depends on what its seat may not know."""
    state = new_state(view.board, view.table.suspects)
    scalars = {
        at.TURN: view.turn,
        at.ACTIVE: view.active,
        at.STEP: int(view.step),
        at.TO_ACT: view.to_act,
        at.ROLL: sum(view.dice or ()),
        at.ELIMINATED: view.eliminated,
        at.REFUTED_BY: -1 if view.refuted_by is None else view.refuted_by,
        at.WINNER: -1,
        at.REASON: -1,
    }
    for entry, value in scalars.items():
        state[entry] = value
    state[at.SUSPECT], state[at.WEAPON], state[at.ROOM] = view.hypothesis or (-1, -1, -1)
    for start, values in (
        (at.PAWN, view.pawns),
        (at.TOKEN, view.weapons),
        (at.USED, view.used),
        (at.SIZE, view.table.hand_sizes),
    ):
        state[start : start + len(values)] = values
    return PlayoutStart(state, _write_events(view, state))


def _write_events(view: PlayerView, state: Ints) -> Ints:
    """Write the open events into a state; returns the cards shown."""
    shows: list[tuple[int, int, int, int]] = []
    clauses: dict[tuple[int, int], None] = {}
    asker = named = passed = 0
    for event in view.events:
        match event:
            case Rolled(seat):
                state[at.THROWN + seat] += 1
            case HypothesisMade(seat):
                asker, named, passed = seat, triple_mask(event.cards), 0
            case Passed(seat):
                state[at.OUT + seat] |= named
                passed += 1
                if passed == state[at.SEATS] - 1:
                    state[at.UNANSWERED + asker] |= named
            case Shown(seat, _, card):
                shows.append((asker, seat, named, -1 if card is None else card))
                clauses[seat, named] = None
            case Accused(correct=False):
                ban = at.BAN + 2 * state[at.BANS]
                state[ban], state[ban + 1] = state[at.SEATS], triple_mask(event.cards)
                state[at.BANS] += 1
    for k, (seat, mask) in enumerate([*clauses][-at.CLAUSE_SPACE :]):
        state[at.CLAUSE + 2 * k], state[at.CLAUSE + 2 * k + 1] = seat, mask
        state[at.CLAUSES] = k + 1
    return np.array(shows, np.int64).reshape(-1, 4)


class Playouts:
    """The arrays of a table, made once for all play-outs there.

    Args:
        table: the game's.
        players: (seats, column), who plays on (:func:`~cluedo.ai.playouts.players.compiled_line_up`).

    Raises:
        CluedoError: the deck has too many cards.
    """

    def __init__(self, table: Table, players: Floats):
        self._board_arrays = BoardArrays.of(table.board, table.rules)
        self._board = table.board
        self._players = PlayerArrays.of(players)
        self._dice = Rolls.of_a_seed(table.seats)

    def run(
        self,
        start: PlayoutStart,
        worlds: Worlds,
        commands: Sequence[tuple[int, ...]] = (),
        trace: Numbers | None = None,
    ) -> PlayoutResults:
        """Play on in each of some worlds.

        Args:
            start: where to begin.
            worlds: ways in which it may go on.
            commands: what is done first, as rows of a trace without the seat: the choices of whoever is to act, one
                after the other. They have to be allowed; ENDED means not to ask, or not to accuse.
            trace: where what happens in the last world is written to.
        """
        results = np.zeros((len(worlds.deals), 3), np.int64)
        work = Workspace(self._players, new_walk(self._board), self._dice, new_trace(0) if trace is None else trace)
        first = np.array(commands, np.int64).reshape(-1, 4)
        play_on(self._board_arrays, start, work, worlds, first, results)
        return PlayoutResults(*results.T)
