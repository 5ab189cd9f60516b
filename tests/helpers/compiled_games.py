"""Compiled games, and the referee that plays them again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from cluedo.ai.playouts import arrays
from cluedo.ai.playouts.arrays import commands_of
from cluedo.ai.playouts.batch import CompiledGames, CompiledTable
from cluedo.ai.playouts.players import compiled_line_up
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds
from cluedo.engine.events import Accused, Event, HypothesisMade, Moved, PassageTaken, Rolled, Shown
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules

REASONS = ("solved", "unsolved", "unfinished")

KINDS_OF_GAMES = [*product(("manoir", "classic"), (3, 4, 5, 6), ("walk", "free"))]
"""Boards, seats, and how pawns move."""


def check_games(board: Board, rules: Rules, line_up: Sequence[str], games: range, seed: int = 0) -> CompiledGames:
    """Play compiled games, and have the referee play each again: same events, same state, same result."""
    table = CompiledTable(board, rules, compiled_line_up(tuple(line_up)), seed)
    played = table.play(games, traced=True)
    begins = 0
    for k, number in enumerate(games):
        rows = played.trace[begins : played.ends[k]].tolist()
        begins = played.ends[k]
        game = replayed(Game.begin(board, rules, Seeds(seed, number // len(line_up), len(line_up))), rows)
        check_result(game, played, k)
    check_state(game, table)
    return played


def replayed(game: Game, rows: Sequence[Sequence[int]]) -> Game:
    """Play what a trace tells, and compare each event."""
    rest = iter(rows)
    for command in commands_of(np.array(rows).reshape(-1, 5)):
        for event in game.execute(command):
            assert told(event) == next(rest)
    assert next(rest, None) is None
    return game


def told(event: Event) -> list[int]:
    """An event as a row of a trace."""
    kinds = ("Rolled", "Moved", "PassageTaken", "Stayed", "HypothesisMade", "Passed", "Shown", "Accused", "TurnEnded")
    row = [kinds.index(type(event).__name__), event.seat, 0, 0, 0]
    match event:
        case Rolled(_, dice):
            row[2] = sum(dice)
        case Moved(_, to) | PassageTaken(_, to):
            row[2] = to
        case HypothesisMade() | Accused():
            row[2:] = event.cards
        case Shown(card=card):
            row[2] = card
    return row


def check_result(game: Game, played: CompiledGames, k: int) -> None:
    """The result and the counts of the k-th game."""
    winner, reason, turns = game.result
    assert played.first[k] == game.table.first
    assert (-1 if winner is None else winner) == played.winner[k]
    assert REASONS.index(reason) == played.reason[k]
    assert turns == played.turns[k] == played.own_turns[k].sum()
    assert tuple(played.hand_sizes[k]) == game.table.hand_sizes
    for seat in range(game.table.seats):
        mine = [event for event in game.events if event.seat == seat]
        assert sum(isinstance(event, HypothesisMade) for event in mine) == played.hypotheses[k, seat]
        assert sum(isinstance(event, Accused) for event in mine) == played.accusations[k, seat]


def check_state(game: Game, table: CompiledTable) -> None:
    """The state at the end of the last game."""
    state, numbers, seats = game.state, table.state, game.table.seats

    def found(start: int, values: Sequence[int]) -> list[int]:
        return numbers[start : start + len(values)].tolist()

    for start, values in (
        (arrays.PAWN, state.pawns),
        (arrays.TOKEN, state.weapons),
        (arrays.USED, state.used),
        (arrays.THROWN, state.rolled),
        (arrays.HAND, state.deal.hands),
        (arrays.ENVELOPE, state.deal.envelope),
        (arrays.PLAYS, game.table.suspects),
        (arrays.SIZE, game.table.hand_sizes),
    ):
        assert found(start, values) == list(values)
    assert (numbers[arrays.TURN], numbers[arrays.ACTIVE]) == (state.turn, state.active)
    assert (numbers[arrays.STEP], numbers[arrays.ELIMINATED]) == (state.step, state.eliminated)
    assert seats == numbers[arrays.SEATS]


def stopped(board: Board, line_up: Sequence[str], number: int, share: float, **options: Any) -> Game:
    """A compiled game of a seed, which the referee has played up to some share of its events."""
    rules = Rules(**options)
    table = CompiledTable(board, rules, compiled_line_up(tuple(line_up)), 4)
    rows = table.play(range(number, number + 1), traced=True).trace
    end = int(share * len(rows))
    while rows[end, 0] == arrays.PASSED:
        end += 1  # the referee says all that follows a hypothesis at once
    dealt = Game.begin(board, rules, Seeds(4, number // len(line_up), len(line_up)))
    return replayed(dealt, rows[:end].tolist())
