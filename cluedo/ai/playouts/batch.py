"""Plays compiled games of an experiment from the deal, many in one call."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from cluedo.ai.knowledge.kernels.programme import Floats, Ints, Words
from cluedo.ai.playouts.arrays import (
    RESULT,
    BoardArrays,
    Numbers,
    PlannedGames,
    PlayerArrays,
    Rolls,
    Workspace,
    check_compiled,
    new_state,
    new_trace,
    new_walk,
    words_of,
)
from cluedo.ai.playouts.chance import seed_words
from cluedo.ai.playouts.play import play_games
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds, check_seats
from cluedo.engine.rules import Rules

__all__ = ["CompiledGames", "CompiledTable"]

_ROWS_A_TURN: Final = 12


class CompiledGames(NamedTuple):
    """The results of some consecutive games.

    Attributes:
        first: (games,), the seat that started; ``winner``: the seat that won, or -1; ``reason``: 0 solved, 1 unsolved,
            2 unfinished; ``turns``: turns begun.
        own_turns: (games, seats), turns begun by a seat; ``hypotheses`` and ``accusations``: how many it made;
            ``hand_sizes``: the cards it held.
        trace: (events, 5), what happened, if it was asked for; ``ends``: (games,), where each game ends in it.
    """

    first: Ints
    winner: Ints
    reason: Ints
    turns: Ints
    own_turns: Ints
    hypotheses: Ints
    accusations: Ints
    hand_sizes: Ints
    trace: Numbers
    ends: Ints


class CompiledTable:
    """A board, rules and players, laid out once for many compiled games.

    Args:
        board, rules: what is played.
        players: (place in the line-up, column), as :func:`~cluedo.ai.playouts.players.compiled_player` gives them.
        seed: the master seed; ``secret``: its secret part, if it has one.

    Attributes:
        board_arrays, players, state: the arrays that kernels work on.

    Raises:
        CluedoError: the map cannot be played on, or has too many cards.
    """

    def __init__(self, board: Board, rules: Rules, players: Floats, seed: int = 0, secret: str | None = None):
        check_compiled(rules, len(players))
        self.suspects = check_seats(board.deck, rules, len(players))
        self.board_arrays = BoardArrays.of(board, rules)
        self._board = board
        self._line_up = np.ascontiguousarray(players, np.float64)
        self._seed, self._secret = seed, secret
        self._dice = Rolls.of_the_engine(rules, len(players))
        self.players = PlayerArrays.of(self._line_up.copy())
        self.state = new_state(board, self.suspects)

    def play(self, games: range, *, traced: bool = False) -> CompiledGames:
        """Play some consecutive games of the table, at least one; :attr:`state` is then the end of the last."""
        seats = len(self._line_up)
        words = self._words(range(games[0] // seats, games[-1] // seats + 1))
        results = np.zeros((len(games), RESULT + 4 * seats), np.int64)
        trace = new_trace(_ROWS_A_TURN * 64 * len(games) if traced else 0)
        planned = PlannedGames(words, self._line_up, games[0])
        while True:
            work = Workspace(self.players, new_walk(self._board), self._dice, trace)
            play_games(self.board_arrays, self.state, work, planned, results)
            rows = int(results[-1, RESULT - 1])
            if not traced or rows <= len(trace):
                break
            trace = new_trace(rows)  # the same games again
        counts = results[:, RESULT : RESULT + 3 * seats].reshape(len(games), seats, 3)
        first, winner, reason, turns, ends = results[:, :RESULT].T
        own_turns, hypotheses, accusations = np.moveaxis(counts, 2, 0)
        return CompiledGames(
            *(first, winner, reason, turns, own_turns, hypotheses, accusations),
            hand_sizes=results[:, RESULT + 3 * seats :],
            trace=trace[: rows if traced else 0],
            ends=ends,
        )

    def _words(self, deals: range) -> Words:
        """The seeds of some deals: (deals, words, 4), 32 bits each, the lowest first."""
        seats = len(self._line_up)
        words = np.zeros((len(deals), 1 + seats + seats * seats, 4), np.uint32)
        if self._secret is None:
            seed_words(np.array(words_of(self._seed), np.int64), deals.start, words)
            return words
        for k, deal in enumerate(deals):
            for word, value in enumerate(Seeds(self._seed, deal, seats, self._secret).words):
                parts = words_of(value)
                words[k, word, : len(parts)] = parts
        return words
