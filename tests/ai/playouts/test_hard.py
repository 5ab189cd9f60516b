"""The compiled level ``hard`` is the level of this name: with the same knowledge and numbers, the same choices."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from helpers.cases import cases
from helpers.compiled_games import KINDS_OF_GAMES
from helpers.support import LARGE_DECK, board_from

from cluedo.ai.level_hard import HardPlayer
from cluedo.ai.levels import parse_player
from cluedo.ai.playouts.arrays import commands_of
from cluedo.ai.playouts.batch import CompiledTable
from cluedo.ai.playouts.players import compiled_line_up
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, Command, Hypothesis, Move
from cluedo.engine.deal import Seeds, places_by_seat
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.engine.state import Step
from cluedo.engine.view import PlayerView

MIXED = ("hard", "easy", "hard:own_cards=never", "blueprint:guess=0.3", "hard", "medium")
_64 = (1 << 64) - 1


def mixed(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _64
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _64
    return word ^ word >> 31


class Same(Random):
    """The numbers of a seat in compiled games (splitmix64)."""

    def begin(self, word: int) -> Same:
        self.state = mixed(word & _64) ^ word >> 64
        return self

    def random(self) -> float:
        self.state = self.state + 0x9E3779B97F4A7C15 & _64
        return (mixed(self.state) >> 11) / (1 << 53)


class Spread(Random):
    """Numbers that leave no gap: the golden section again and again."""

    value = 0.0

    def random(self) -> float:
        self.value = (self.value + 0.6180339887) % 1.0
        return self.value


class Beside:
    """A level of the Python engine that sits beside a seat of a compiled game, and says what it would have done."""

    def __init__(self, player: HardPlayer, view: PlayerView, word: int):
        self.player, self.same, self.spread = player, Same().begin(word), Spread()
        player.begin(view, self.same)

    def check(self, view: PlayerView, step: Step, command: Command) -> None:
        """Compare a choice; a movement may be any of those that are as good, since they are drawn in another order."""
        player = self.player
        if step is Step.REFUTE:
            assert player.choose_card(view) == command
        elif step is Step.ASK:
            assert player.choose_hypothesis(view) == (command if isinstance(command, Hypothesis) else None)
        elif step in (Step.MOVE, Step.WALK):
            before = self.same.state
            found = {player.choose_move(view)}
            if self.same.state != before:  # one number is enough for any square; the Python level may draw more
                self.same.state = before
                self.same.random()
            if command in found:
                return
            player.random = self.spread
            found = {player.choose_move(view) for _ in range(100)}
            player.random = self.same
            assert command in found or any(as_near(view, command, other) for other in found)
        if step in (Step.ASK, Step.ACCUSE) and not isinstance(command, Hypothesis):
            assert player.choose_accusation(view) == (command if isinstance(command, Accusation) else None)


def as_near(view: PlayerView, walk: Command, other: Command) -> bool:
    """Whether two walks end equally near to some room: which of these is taken is left open."""
    if not (isinstance(walk, Move) and isinstance(other, Move)):
        return False
    board, taken = view.table.board, view.taken & ~(1 << view.place)
    ways = (board.steps_to_rooms(end.to, 100, taken) for end in (walk, other))
    return any(one == another < 100 for one, another in zip(*ways, strict=True))


def check_choices(board: Board, rules: Rules, line_up: Sequence[str], number: int, seed: int = 5) -> int:
    """Compare every choice of ``hard`` in a compiled game with the Python level's; how many there were."""
    seats = len(line_up)
    seeds, rotation = Seeds(seed, number // seats, seats), number % seats
    table = CompiledTable(board, rules, compiled_line_up(tuple(line_up)), seed)
    trace = table.play(range(number, number + 1), traced=True).trace
    game = Game.begin(board, rules, seeds)
    beside = {}
    for seat, place in enumerate(places_by_seat(seats, rotation)):
        if line_up[place].startswith("hard"):
            word = seeds.words[1 + seats + rotation * seats + place]
            beside[seat] = Beside(parse_player(line_up[place]).make(), game.dealt(seat), word)
    compared = 0
    for command in commands_of(trace):
        state = game.state
        if state.to_act in beside and state.step is not Step.END:
            beside[state.to_act].check(game.view(state.to_act), state.step, command)
            compared += 1
        game.execute(command)
    assert game.over
    return compared


@pytest.mark.parametrize(("name", "seats", "movement"), KINDS_OF_GAMES)
def test_it_chooses_as_the_level_of_the_python_engine(name, seats, movement):
    for number in range(3):
        line_up = (MIXED[number:] + MIXED)[:seats]
        assert check_choices(Board.load(name), Rules(movement=movement), line_up, number)


@pytest.mark.parametrize("rules", [{"dice": 1}, {"dice": 3, "sides": 4}, {"max_turns": 9}])
def test_it_chooses_so_with_other_dice(rules):
    assert check_choices(Board.load("manoir"), Rules(**rules), ("hard",) * 3, 1)


def test_it_chooses_so_with_the_largest_deck():
    assert check_choices(board_from(LARGE_DECK), Rules(movement="free"), ("hard", "easy", "hard", "random"), 2)


@pytest.mark.slow
def test_it_chooses_so_in_many_games():
    for turn, (name, seats, movement) in enumerate(KINDS_OF_GAMES):
        for number in range(cases(100, 4)):
            line_up = (MIXED[(turn + number) % 6 :] + MIXED)[:seats]
            check_choices(Board.load(name), Rules(movement=movement), line_up, number, 6)
