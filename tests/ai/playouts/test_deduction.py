"""The deduction of compiled games is complete: the solver says the same of every card at every place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from helpers.cases import cases
from helpers.compiled_games import replayed

from cluedo.ai.knowledge import EvidenceReader, SatDeducer
from cluedo.ai.playouts import arrays
from cluedo.ai.playouts.batch import CompiledTable
from cluedo.ai.playouts.blueprint import conclude
from cluedo.ai.playouts.deduction import rule_out
from cluedo.ai.playouts.players import compiled_line_up
from cluedo.ai.playouts.table import UNFINISHED
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules

PLAYERS = ("hard", "blueprint:guess=0.2", "easy", "hard:own_cards=never", "random", "medium", "blueprint:own=3")
MOST_TURNS = 60
"""Of a game that is looked at: those of random players are long, and much alike at the end."""


def turn_by_turn(name: str, line_up: Sequence[str], number: int) -> Iterator[tuple[CompiledTable, Game]]:
    """A compiled game after each of its turns but the last, and the referee's, which has played as far."""
    board, rules = Board.load(name), Rules()
    table = CompiledTable(board, rules, compiled_line_up(tuple(line_up)), 21)
    game = Game.begin(board, rules, Seeds(21, number // len(line_up), len(line_up)))
    told = 0
    for turns in range(1, MOST_TURNS + 1):
        table.board_arrays.numbers[arrays.MAX_TURNS] = turns
        played = table.play(range(number, number + 1), traced=True)
        if played.reason[0] != UNFINISHED:
            return
        replayed(game, played.trace[told:].tolist())
        told = len(played.trace)
        yield table, game


def notebook(table: CompiledTable, seat: int) -> tuple[list[int], list[int]]:
    """What may be at each place, and what is there."""
    places = len(table.suspects) + 1
    may, has = arrays.MAY + arrays.PLACES * seat, arrays.HAS + arrays.PLACES * seat
    return table.state[may : may + places].tolist(), table.state[has : has + places].tolist()


def check_game(name: str, line_up: Sequence[str], number: int) -> int:
    """Compare each seat's notebook with the solver's after each turn of a game; how many were compared.

    Seats of ``hard`` bring the deals along that they kept while they played.
    """
    seats, compared = len(line_up), 0
    readers: list[EvidenceReader] = []
    solvers: list[SatDeducer] = []
    for table, game in turn_by_turn(name, line_up, number):
        readers = readers or [EvidenceReader(game.view(seat)) for seat in range(seats)]
        solvers = solvers or [SatDeducer(reader.evidence) for reader in readers]
        table.players.columns[:, arrays.DEDUCTION] = arrays.NOTEBOOK
        for seat, (reader, solver) in enumerate(zip(readers, solvers, strict=True)):
            reader.read(game.view(seat))
            solver.update()
            conclude(table.board_arrays, table.state, table.players, seat)
            rule_out(table.board_arrays, table.state, seat, seats)
            may, has = notebook(table, seat)
            assert (may[-1], has[-1]) == (solver.may[-1], solver.has[-1])
            for place in range(seats):
                rule_out(table.board_arrays, table.state, seat, place)
            assert notebook(table, seat) == (solver.may, solver.has)
            compared += 1
    return compared


def check_games(states: int) -> int:
    """Compare so many states at least, of tables of three to six seats."""
    compared = number = 0
    while compared < states:
        seats = 3 + number % 4
        line_up = [PLAYERS[(number // 4 + 2 * k) % len(PLAYERS)] for k in range(seats)]
        compared += check_game(("manoir", "classic")[number // 4 % 2], line_up, number)
        number += 1
    return compared


def test_the_solver_proves_nothing_more_and_nothing_else():
    assert check_games(1500) >= 1500


@pytest.mark.slow
def test_the_solver_proves_nothing_else_in_many_states():
    states = cases(100_000, 3000)
    assert check_games(states) >= states
