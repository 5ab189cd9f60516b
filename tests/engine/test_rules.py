"""Rules 11 and 12: the end, and the variants; the number in a test's name is the rule's."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from helpers.support import (
    DECK_ALONE,
    ask,
    board_from,
    drawn_game,
    ends,
    finish_turn,
    go,
    make_game,
    pass_turn,
    pawn,
    play_random,
)
from helpers.turns import may_ask, next_turn_of, refused, stay, stay_and_accuse

from cluedo.engine.board import Board
from cluedo.engine.commands import EndTurn, Move, Roll, SecretPassage, Stay
from cluedo.engine.errors import SetupError
from cluedo.engine.game import Result
from cluedo.engine.rules import Rules

CLASSIC = Board.load("classic")
TRUTH, LIE = ["Plum", "Wrench", "Kitchen"], ["Scarlett", "Rope", "Hall"]


# ---- 11: the end ----------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [3, 1000])
def test_rule_11_all_eliminated_is_unsolved_even_in_the_last_turn(limit):
    game = make_game("classic", max_turns=limit)
    for _ in range(3):
        assert game.result is None
        stay_and_accuse(game, *LIE)
        game.execute(EndTurn())
    assert game.result == Result(None, "unsolved", 3)
    assert game.legal() == []


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_rule_11_the_turn_limit_reached_is_unfinished(limit):
    game = make_game("classic", max_turns=limit)
    for turn in range(1, limit + 1):
        assert not game.over
        assert game.state.turn == turn
        pass_turn(game)
    assert game.result == Result(None, "unfinished", limit)


def test_rule_11_the_last_turn_is_played_out_and_may_win():
    game = make_game("classic", max_turns=1)
    stay_and_accuse(game, *TRUTH)
    assert game.result == Result(0, "solved", 1)


# ---- 12: variants ---------------------------------------------------------------------------------


def test_rule_12_the_defaults_are_two_dice_of_six_sides_on_foot():
    assert Rules().model_dump() == {"dice": 2, "sides": 6, "movement": "walk", "max_turns": 1000}


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 6), (1, 12), (2, 3), (3, 4)])
def test_rule_12_the_number_of_dice_and_of_their_sides_may_be_set(dice, sides):
    game = drawn_game(CLASSIC, 3, seed=2, dice=dice, sides=sides)
    faces = Counter()
    for _ in range(600):
        roll = game.execute(Roll())[0].dice
        assert len(roll) == dice
        faces.update(roll)
        game.execute(Stay())
        game.execute(EndTurn())
    assert set(faces) == set(range(1, sides + 1))
    for face in faces:
        assert abs(faces[face] / (600 * dice) - 1 / sides) < 0.06


def free_game(**options):
    return make_game("classic", movement="free", **options)


def test_rule_12_free_movement_enters_any_room_or_stays_without_dice_or_passages():
    game = free_game(pawns={"Scarlett": "Lounge"})
    rooms = {room.name for room in CLASSIC.map.rooms} - {"Lounge"}
    assert set(game.legal()) == {Stay()} | {Move(CLASSIC.place(room)) for room in rooms}
    for command in (Roll(), SecretPassage(), Move(CLASSIC.place("Lounge")), Move(CLASSIC.starts[0])):
        assert "(rule 12)" in refused(game.execute, command)
    go(game, "Kitchen")
    assert may_ask(game)


def test_rule_12_under_free_movement_a_pawn_at_its_start_may_enter_every_room_but_not_ask_where_it_is():
    game = free_game()
    assert ends(game) == {room.name for room in CLASSIC.map.rooms}
    assert not stay(game)


def test_rule_12_under_free_movement_no_room_is_used_up():
    game = free_game(pawns={"Scarlett": "Lounge"})
    for _ in range(3):
        assert stay(game)
        ask(game, "Plum", "Rope", "Lounge")
        next_turn_of(game, 0)


def test_rule_12_under_free_movement_pawns_block_nobody_and_are_still_drawn():
    game = free_game(pawns={"Scarlett": "Lounge", "Mustard": "Hall"})
    assert stay(game)
    ask(game, "Mustard", "Rope", "Lounge")
    finish_turn(game)
    assert pawn(game, "Mustard") == "Lounge"
    assert len(ends(game)) == 8


def test_rule_12_free_movement_plays_with_a_deck_alone():
    game = drawn_game(board_from(DECK_ALONE), 6, seed=3, movement="free")
    assert len(ends(game)) == 9
    play_random(game, Random(3), insight=0.2)
    assert game.result.reason == "solved"


def test_rule_12_rules_are_set_by_key_and_value():
    rules = Rules.from_options(["dice=1", "sides=8", "movement=free", "max_turns=50"])
    assert rules == Rules(dice=1, sides=8, movement="free", max_turns=50)
    assert Rules.from_options([]) == Rules()
    assert Rules.from_options(["dice=1", "dice=2"]).dice == 2


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("dice", "KEY=VALUE"),
        ("dise=1", "did you mean 'dice'\\? known: dice, sides, movement, max_turns"),
        ("dice=two", "dice"),
        ("dice=0", "dice"),
        ("dice=1.5", "dice"),
        ("sides=1", "sides"),
        ("movement=fly", "movement.*'walk' or 'free'"),
        ("max_turns=0", "max_turns"),
        ("max_turns=-3", "max_turns"),
        ("=1", "there is no rule ''"),
    ],
)
def test_rule_12_a_wrong_setting_is_refused_in_a_sentence(option, words):
    with pytest.raises(SetupError, match=words) as refusal:
        Rules.from_options([option])
    assert "\n" not in str(refusal.value)
