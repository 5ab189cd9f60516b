"""How levels walk where pawns are in the way, and that they get there in the end."""

from __future__ import annotations

from random import Random

import pytest
from helpers.asked_seat import Seat, uniform
from helpers.level_games import played
from helpers.support import LEVELS, board_from, house, make_game

from cluedo.ai.walking import best_move
from cluedo.engine.cards import Category
from cluedo.engine.commands import Move, Roll, SecretPassage, Stay

NOTING = pytest.mark.parametrize("level", ["easy", "medium", "medium:original=true"])
MEDIUMS = pytest.mark.parametrize("level", ["medium", "medium:original=true"])


def lane(*more: str):
    """Three rooms on a corridor one square wide; ``more`` rows below it."""
    data = house()
    data["suspects"] = [
        {"name": "Amber", "start": [1, 2]},
        {"name": "Basil", "start": [4, 2]},
        {"name": "Coral", "start": [9, 2]},
    ]
    data["rooms"] = [
        {"name": "Attic", "symbol": "A"},
        {"name": "Bath", "symbol": "B"},
        {"name": "Cellar", "symbol": "C"},
    ]
    data["grid"] = ["AAA#BBB#CCC", "AAA#BBB#CCC", "a....b....c", *more]
    return board_from(data)


def test_who_can_get_no_nearer_takes_another_destination():
    for pawns, expected in [({"Amber": (3, 2), "Basil": "Bath"}, {(4, 2)}), ({"Amber": (3, 2)}, {(2, 2)})]:
        game = make_game(lane(), dice=1, rolls={0: [1]}, pawns=pawns)
        seat = Seat(game, "easy")
        game.execute(Roll())
        assert seat.destinations() == expected


def test_who_gets_no_nearer_to_any_destination_walks_to_a_random_reachable_square():
    hands = [["Attic", "Amber"], ["Bath", "Ladle"], ["Basil", "Poker"]]
    game = make_game(
        lane(), dice=1, hands=hands, envelope=["Coral", "Shears", "Cellar"], rolls={0: [2]}, pawns={"Amber": (3, 2)}
    )
    seat = Seat(game, "medium")
    game.execute(Roll())
    uniform(seat.answers("choose_move"), [move for move in game.legal() if isinstance(move, Move)])


def test_who_cannot_move_at_all_stays():
    game = make_game(
        lane(), dice=1, rolls={0: [2]}, suspects=["Basil", "Amber", "Coral"], pawns={"Amber": (3, 2), "Coral": (5, 2)}
    )
    for level in LEVELS:
        seat = Seat(game, level)
        game.execute(Roll())
        assert seat.ask("choose_move") == Stay()
        game.undo()


@MEDIUMS
def test_the_way_taken_is_a_shortest_one_round_the_pawns_as_they_stand(level):
    hands = [["Bath", "Amber"], ["Attic", "Ladle"], ["Basil", "Poker"]]
    options = {"dice": 1, "hands": hands, "envelope": ["Coral", "Shears", "Cellar"], "rolls": {0: [1]}}
    for pawns, expected in [({"Amber": (8, 2), "Coral": "Cellar"}, (9, 2)), ({"Amber": (8, 2)}, (8, 3))]:
        game = make_game(lane("..........."), pawns=pawns, **options)
        seat = Seat(game, level)
        game.execute(Roll())
        assert seat.destinations() == {expected}


@NOTING
def test_two_pawns_do_not_block_each_other_for_ever(level):
    board = lane()
    for deal in range(40):
        assert played([level] * 3, board, 2, deal).game.result.reason == "solved"


@pytest.mark.parametrize("level", ["easy", "medium"])
@pytest.mark.parametrize("name", ["manoir", "classic", "tiny"])
def test_games_with_one_die_are_decided_too(name, level):
    """Nobody walks out of a room that is used up and back into it for ever."""
    for deal in range(10):
        match = played([level] * 4, name, 3, deal, dice=1, max_turns=8000)  # they are only slow
        assert match.game.result.reason == "solved"


PAWNS = {"Moutarde": (14, 17), "Leblanc": (8, 10), "Olive": (9, 11)}
"""On `manoir` these three shut off the south-west, out of which the passage of the garage leads to the kitchen."""


@pytest.mark.parametrize(("out", "to"), [(0b1110, "Garage"), (0b0110, None), (0, None)])
def test_who_is_shut_in_by_players_who_are_out_goes_to_the_passage_that_leads_out(out, to):
    """Those who are out do not move any more; others may."""
    game = make_game("manoir", seats=4, pawns=PAWNS | {"Rose": (9, 18)}, dice=1, rolls={0: [4]})
    deck, board = game.table.deck, game.table.board
    values = [float(name == "Bureau") for name in deck.names_in(deck.masks[Category.ROOM])]
    game.execute(Roll())
    went = best_move(game.view(0)._replace(eliminated=out), values, 0.5, Random(1)).to
    assert (board.is_room(went) and board.node(went)) == (to or False)


@pytest.mark.parametrize(("out", "move"), [(0b1110, SecretPassage()), (0b0110, Roll()), (0, Roll())])
def test_and_takes_it(out, move):
    game = make_game("manoir", seats=4, pawns=PAWNS | {"Rose": "Garage"})
    deck = game.table.deck
    values = [float(name == "Entrée") + 9.0 * (name == "Bureau") for name in deck.names_in(deck.masks[Category.ROOM])]
    assert best_move(game.view(0)._replace(eliminated=out), values, 0.5, Random(1)) == move
