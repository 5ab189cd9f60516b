"""Compiled games are the games of the engine: the referee plays them again, and they are won as often."""

from __future__ import annotations

import dataclasses
import math
from random import Random

import numpy as np
import pytest
from helpers.cases import cases
from helpers.compiled_games import KINDS_OF_GAMES, REASONS, check_games, replayed, stopped
from helpers.support import LARGE_DECK, board_from, roll_of

from cluedo.ai.knowledge import EvidenceReader, Notebook
from cluedo.ai.playouts import arrays
from cluedo.ai.playouts.arrays import BoardArrays, Worlds, new_state, new_trace, new_walk
from cluedo.ai.playouts.batch import CompiledTable
from cluedo.ai.playouts.blueprint import conclude
from cluedo.ai.playouts.compiled_walking import reach, toward
from cluedo.ai.playouts.players import compiled_line_up, compiled_player
from cluedo.ai.playouts.playing_out import Playouts, start_of
from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Accusation
from cluedo.engine.deal import Dice, Seeds
from cluedo.engine.errors import CluedoError, PlayerError
from cluedo.engine.events import Rolled
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.engine.state import Step
from cluedo.experiments.plan.part import Part
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

BOARDS = ("manoir", "classic")
PLAYERS = (
    "random",
    "easy",
    "medium",
    "blueprint",
    "medium:original=true",
    "blueprint:deduction=trials:own=0:guess=0.7",
    "blueprint:deduction=sight:care=0:again=0.5:guess=0.3",
    "blueprint:deduction=passes:care=0.5",
    "hard",
    "hard:own_cards=never",
)


def line_up(seats: int, turn: int) -> list[str]:
    """Some players, others each turn."""
    return [PLAYERS[(turn + 3 * k) % len(PLAYERS)] for k in range(seats)]


@pytest.mark.parametrize(("board", "seats", "movement"), KINDS_OF_GAMES)
def test_the_referee_plays_compiled_games_to_the_same_events_state_and_result(board, seats, movement):
    first = 5 * seats
    check_games(Board.load(board), Rules(movement=movement), line_up(seats, seats), range(first, first + 19), seed=3)


SOME_RULES = [{"dice": 1}, {"dice": 3, "sides": 4}, {"max_turns": 9}, {"dice": 6, "sides": 2}]


@pytest.mark.parametrize(
    ("board", "rules"), [*(("manoir", rules) for rules in SOME_RULES), (LARGE_DECK, {"movement": "free"})]
)
def test_the_referee_agrees_under_every_rule_that_can_be_set_and_without_a_grid(board, rules):
    board = Board.load(board) if isinstance(board, str) else board_from(board)
    check_games(board, Rules(**rules), line_up(4, 1), range(12), seed=2**63)


@pytest.mark.slow
def test_the_referee_plays_many_compiled_games_to_the_same_end():
    games = cases(100_000, 800) // 16
    variants = ({}, {"dice": 1}, {"dice": 3, "sides": 4}, {"max_turns": 30})
    for turn, (board, seats, movement) in enumerate(KINDS_OF_GAMES):
        for k, rules in enumerate(variants):
            numbers = range(k * games // 4, (k + 1) * games // 4)
            check_games(
                Board.load(board), Rules(movement=movement, **rules), line_up(seats, turn + k), numbers, seed=11
            )


def test_a_chunk_of_games_does_not_depend_on_those_before():
    players = compiled_line_up(("random", "blueprint:care=0.5", "medium", "easy"))
    whole = CompiledTable(Board.load("manoir"), Rules(), players, 7).play(range(30))
    for games in (range(1), range(1, 4), range(4, 30)):
        piece = CompiledTable(Board.load("manoir"), Rules(), players, 7).play(games)
        for all_games, these in zip(whole[:7], piece[:7], strict=True):
            assert (all_games[games.start : games.stop] == these).all()


def test_a_secret_part_of_the_seed_gives_the_deals_of_the_engine():
    part = Part("manoir", Rules(), ("random",) * 3, 6, 5, "hush")
    first = [result.first for result in GameRunner(part).play(range(6), Interrupt())]
    table = CompiledTable(Board.load("manoir"), Rules(), compiled_line_up(part.line_up), 5, "hush")
    assert table.play(range(6)).first.tolist() == first


@pytest.mark.parametrize("name", BOARDS)
def test_a_compiled_walk_ends_where_the_board_says(name):
    board, random = Board.load(name), Random(name)
    arrays_of_board, squares = BoardArrays.of(board, Rules()), bits(board.squares)
    walk, state = new_walk(board), new_state(board, (0, 1, 2))
    for _ in range(300):
        pawns = random.sample(squares, random.randint(1, 6))
        here = random.choice([pawns[0], board.rooms_at + random.randrange(9)])
        others = sum(1 << pawn for pawn in pawns if pawn != here)
        walk[:-1, arrays.TAKEN] = 0
        walk[pawns, arrays.TAKEN] = 1
        state[arrays.PAWN : arrays.PAWN + 6] = (pawns + [board.rooms_at] * 6)[:6]
        steps = random.randint(1, 14)
        rooms = reach(arrays_of_board, here, steps, walk)
        ends = sum(1 << int(square) for square in walk[: walk[-1, arrays.REACHED], arrays.SQUARE])
        wanted = board.reach(here, steps, others)
        assert ends | rooms << board.rooms_at == wanted.mask
        room = random.randrange(9)
        if board.rooms_at + room != here:
            nearest = board.toward(board.rooms_at + room, here, wanted.mask, others)
            found = toward(arrays_of_board, state, here, room, walk)
            assert (found < 0) == (nearest == 0)
            if found >= 0:
                assert steps_round(board, found, room, others) == steps_round(board, bits(nearest)[0], room, others)


def steps_round(board, square, room, others):
    return board.steps_to_rooms(square, 100, others)[room]


@pytest.mark.parametrize("seats", [3, 6])
def test_the_blueprint_concludes_what_the_notebook_does(seats):
    board, rules = Board.load("classic"), Rules()
    texts = ("blueprint:guess=0.2",) * 2 + ("blueprint",) * (seats - 2)
    for number in range(8):
        table = CompiledTable(board, rules, compiled_line_up(texts), 1)
        rows = table.play(range(number, number + 1), traced=True).trace.tolist()
        dealt = Game.begin(board, rules, Seeds(1, number // seats, seats))
        game = replayed(dealt, rows[:-1])  # the verdict that ends the game is nobody's to conclude
        for seat in range(seats):
            notebook = Notebook(EvidenceReader(game.view(seat)).evidence)
            conclude(table.board_arrays, table.state, table.players, seat)
            for start, masks in ((arrays.MAY, notebook.may), (arrays.HAS, notebook.has)):
                at = start + arrays.PLACES * seat
                assert table.state[at : at + seats + 1].tolist() == list(masks)


@pytest.mark.parametrize("movement", ["walk", "free"])
@pytest.mark.parametrize("events", [0.0, 0.2, 0.41, 0.6, 0.8])
def test_a_position_in_the_middle_of_a_game_is_played_on_by_the_rules(events, movement):
    line_up = ("blueprint:guess=0.3", "medium", "easy", "random")
    for number in range(4):
        game = stopped(Board.load("manoir"), line_up, number, events, movement=movement)
        state = game.state
        start = start_of(game.view(state.to_act))
        deals = true_deal(game)
        trace = new_trace(20_000)
        worlds = Worlds(deals, np.array([number], np.uint64))
        results = Playouts(game.table, compiled_line_up(line_up)).run(start, worlds, trace=trace)
        rows = trace[: np.flatnonzero((trace == 0).all(axis=1) & (np.arange(len(trace)) > 0))[0]].tolist()
        rolls = [[roll for seat, roll in rolls_of(game) if seat == k] for k in range(4)]
        for row in rows:
            if row[0] == arrays.ROLLED:
                rolls[row[1]].append(roll_of(row[2], 2))
        dice = tuple(Dice(game.table.rules, None, known) for known in rolls)
        again = Game(game.table.board, game.table.rules, dataclasses.replace(state.deal, dice=dice))
        for command in game.commands:
            again.execute(command)
        replayed(again, rows)
        winner, reason, turns = again.result
        found = results.winner[0], REASONS[results.reason[0]], results.turns[0]
        assert found == (-1 if winner is None else winner, reason, turns)


def true_deal(game):
    """The hands and the envelope as a row for the play-outs."""
    return np.array([[*game.state.deal.hands, *game.state.deal.envelope]])


def rolls_of(game):
    return [(event.seat, event.dice) for event in game.events if isinstance(event, Rolled)]


def play_until(game, step):
    """Do the first that may be done, but accuse, until this step."""
    while game.state.step != step:
        game.execute(next(command for command in game.legal() if not isinstance(command, Accusation)))


def test_what_is_done_first_can_be_ordered():
    game = stopped(Board.load("manoir"), ("blueprint",) * 4, 1, 0.5)
    play_until(game, Step.MOVE)
    seat = game.state.active
    start, deals = start_of(game.view(seat)), true_deal(game)
    playouts, world = Playouts(game.table, compiled_line_up(("blueprint",) * 4)), Worlds(deals, np.zeros(1, np.uint64))
    wins = [(arrays.STAYED, 0, 0, 0), (arrays.ACCUSED, *game.state.deal.envelope)]
    assert playouts.run(start, world, wins).winner[0] == seat
    trace = new_trace(1000)
    playouts.run(start, world, [(arrays.ROLLED, 0, 0, 0), (arrays.STAYED, 0, 0, 0)], trace)
    assert trace[:2, 0].tolist() == [arrays.ROLLED, arrays.STAYED]


def test_the_same_seeds_give_the_same_play_outs_in_any_company():
    game = stopped(Board.load("manoir"), ("blueprint",) * 4, 2, 0.4)
    start = start_of(game.view(game.state.to_act))
    deals = np.repeat(true_deal(game), 20, axis=0)
    worlds = Worlds(deals, np.arange(20, dtype=np.uint64))
    playouts = Playouts(game.table, compiled_line_up(("blueprint:care=0.5",) * 4))
    together = playouts.run(start, worlds)
    alone = [playouts.run(start, worlds.part(k, k + 1)).turns[0] for k in range(20)]
    assert together.turns.tolist() == alone
    assert len(set(alone)) > 3


def test_who_has_just_rolled_walks_to_where_asking_is_worth_most_to_it():
    game = stopped(Board.load("manoir"), ("blueprint",) * 4, 0, 0.3)
    play_until(game, Step.WALK)
    view = game.view(game.state.active)
    assert len(view.reach.rooms) == 3
    playouts, trace = Playouts(game.table, compiled_line_up(("blueprint",) * 4)), new_trace(1000)
    deals, gone = true_deal(game), set()
    for seed in range(10):
        playouts.run(start_of(view), Worlds(deals, np.array([seed], np.uint64)), trace=trace)
        gone.add(tuple(trace[0, :3].tolist()))
    ((kind, _, room),) = gone
    assert kind == arrays.MOVED
    assert room in view.reach.rooms


def test_a_moment_holds_nothing_that_its_seat_may_not_know():
    """Another deal that the seat cannot tell from this one gives the same start."""
    game = stopped(Board.load("classic"), ("easy",) * 3, 0, 0.3)
    start = start_of(game.view(0))
    hands = game.state.deal.hands
    assert not start.state[arrays.HAND : arrays.HAND + 3].any()
    assert not start.state[arrays.SEEN : arrays.CLAUSE].any()
    seen_by_others = [row for row in start.shows.tolist() if 0 not in row[:2]]
    assert seen_by_others
    assert all(card == -1 for *_, card in seen_by_others)
    for asker, shower, named, card in start.shows.tolist():
        assert card == -1 or hands[shower] >> card & named >> card & 1, asker


@pytest.mark.slow
@pytest.mark.parametrize("movement", ["walk", "free"])
@pytest.mark.parametrize(
    "line_up",
    [
        *(("random",) * 3, ("easy", "easy", "medium", "medium"), ("medium:original=true", "medium", "random")),
        ("hard", "hard:own_cards=never", "medium"),
    ],
)
def test_compiled_levels_win_as_often_as_the_levels_of_these_names(line_up, movement):
    """Within four standard errors of the difference."""
    games = cases(20_000, 400)
    rules = Rules(movement=movement)
    python = GameRunner(Part("manoir", rules, line_up, games, 1)).play(range(games), Interrupt())
    compiled = CompiledTable(Board.load("manoir"), rules, compiled_line_up(line_up), 2).play(range(games))
    turns = np.array([result.turns for result in python])
    assert_alike(turns, compiled.turns)
    seats = len(line_up)
    places = [-1 if r.winner is None else (r.winner + r.game) % seats for r in python]
    theirs = np.where(compiled.winner < 0, -1, (compiled.winner + np.arange(games)) % seats)
    for place in range(-1, seats):
        assert_alike(np.array(places) == place, theirs == place)


def assert_alike(a, b):
    """Two samples whose means differ by no more than chance."""
    spread = math.sqrt(np.var(a) / len(a) + np.var(b) / len(b))
    assert abs(np.mean(a) - np.mean(b)) <= 4 * spread + 1e-12


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("blueprint:own=-1", "^blueprint:own=-1: own is a number from 0 to 1,000, not -1"),
        ("blueprint:guess=nan", "guess=nan: a finite number is needed"),
        ("blueprint:car=1", "did you mean 'care'"),
        ("blueprint:deduction=all", "sight, passes, notebook, trials"),
        ("easy:x=1", "it has no parameters"),
        ("hard:own_cards=all", "probe, never"),
        *((text, "are played by random, easy, medium, hard") for text in ("bot.py:A", "", "expert:drag=1")),
    ],
)
def test_other_players_and_wrong_parameters_are_refused_in_a_sentence(text, told):
    with pytest.raises(PlayerError, match=told):
        compiled_player(text)


def test_a_map_without_a_grid_cannot_be_walked():
    with pytest.raises(CluedoError, match="has no grid to walk on"):
        CompiledTable(board_from(LARGE_DECK), Rules(), compiled_line_up(("easy",) * 3))
