"""How long a way is, which move is best, and how levels walk where pawns are in the way."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf
from random import Random

import pytest
from helpers.asked_seat import Seat, uniform
from helpers.cases import cases
from helpers.level_games import played
from helpers.support import (
    DECK_ALONE,
    LEVELS,
    ask,
    board_from,
    drawn_game,
    finish_turn,
    go,
    house,
    make_game,
    play_random,
)
from helpers.turns import next_turn_of

from cluedo.ai.walking import best_move, expected_turns, roll_odds, turns_to
from cluedo.engine.board import UNREACHABLE, Board
from cluedo.engine.cards import Category
from cluedo.engine.commands import EndTurn, Move, Roll, SecretPassage, Stay
from cluedo.engine.game import Game

DICE = [(1, 2), (1, 6), (2, 6), (3, 6), (2, 20), (1, 100)]
NOTING = pytest.mark.parametrize("level", ["easy", "medium", "medium:original=true"])
MEDIUMS = pytest.mark.parametrize("level", ["medium", "medium:original=true"])


# ---- dice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dice", "sides"), DICE)
def test_the_odds_of_a_roll_are_those_of_counting_every_throw(dice, sides):
    counts = Counter(sum(throw) for throw in product(range(1, sides + 1), repeat=dice))
    odds = dict(roll_odds(dice, sides))
    assert odds == pytest.approx({total: count / sides**dice for total, count in counts.items()})
    assert sum(odds.values()) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(("dice", "sides"), DICE)
def test_the_expected_turns_are_those_of_exact_fractions(dice, sides):
    @cache
    def turns(distance: int) -> Fraction:
        if distance <= 0:
            return Fraction(0)
        totals = Counter(map(sum, product(range(1, sides + 1), repeat=dice)))
        return 1 + sum(Fraction(n, sides**dice) * turns(distance - total) for total, n in totals.items())

    table = expected_turns(dice, sides)
    for distance in range(len(table)):
        assert table[distance] == pytest.approx(float(turns(distance)), rel=1e-12)
    assert list(table) == sorted(table), "a longer way never takes fewer turns"


# ---- the way to each room -------------------------------------------------------------------------


def turns_by_name(game: Game) -> dict[str, float]:
    """The turns to each room for the seat whose turn it is."""
    names = [room.name for room in game.table.board.map.rooms]
    turns = turns_to(game.view(game.state.active))
    return dict(zip(names, turns, strict=True))


@pytest.mark.parametrize(("place", "now"), [((8, 5), []), ("Lounge", ["Lounge", "Conservatory"])])
def test_before_the_roll_it_is_the_walk_or_this_turn_where_one_may_stay_or_take_a_passage(place, now):
    game = make_game("classic", pawns={"Scarlett": place})
    here, distance = game.state.place, game.table.board.distance
    for k, (room, turns) in enumerate(turns_by_name(game).items()):
        walk = max(expected_turns(2, 6)[distance[k][here]], 1.0)
        assert turns == (1.0 if room in now else pytest.approx(walk))
        assert turns > 1.0 or room in now or distance[k][here] < 3


def asked_in_the_lounge() -> Game:
    """Scarlett asked there, and it is her turn again."""
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    game.execute(Stay())
    ask(game, "White", "Rope", "Lounge")
    next_turn_of(game, 0)
    return game


def test_a_room_that_is_used_up_is_never_reached_until_another_was_entered():
    game = asked_in_the_lounge()
    turns = turns_by_name(game)
    assert turns["Lounge"] == inf
    assert turns["Conservatory"] == 1.0
    game.execute(Roll())
    assert turns_by_name(game)["Lounge"] == inf


def test_a_passage_into_the_room_that_is_used_up_leads_nowhere():
    game = asked_in_the_lounge()
    game.execute(SecretPassage())
    ask(game, "White", "Rope", "Conservatory")
    next_turn_of(game, 0)
    turns = turns_by_name(game)
    assert turns["Conservatory"] == inf
    assert turns["Lounge"] == 1.0


def test_who_was_drawn_into_a_room_may_ask_there_at_once():
    game = make_game("classic", pawns={"Scarlett": "Lounge", "Mustard": "Kitchen"})
    next_turn_of(game, 1)
    game.execute(Stay())
    ask(game, "Scarlett", "Rope", "Kitchen")
    next_turn_of(game, 0)
    assert turns_by_name(game)["Kitchen"] == 1.0


def test_after_the_roll_it_is_what_the_roll_reaches_and_then_the_rest_of_the_walk():
    game = make_game("classic", rolls={0: [8]}, pawns={"Scarlett": (8, 5)})
    here = game.state.place
    game.execute(Roll())
    board, reach = game.table.board, game.state.reach
    turns = turns_by_name(game)
    assert len(reach.rooms) >= 3
    for k, (name, turn) in enumerate(turns.items()):
        if board.rooms_at + k in reach.rooms:
            assert turn == 1.0
        else:
            left = max(board.distance[k][here] - 8, 1)
            assert turn == pytest.approx(1.0 + expected_turns(2, 6)[left]), name
            assert turn >= 2.0


def test_a_room_behind_a_blocked_door_takes_another_turn_at_least():
    board = Board.load("classic")
    door = next(iter(board.node(d) for d in board.door_room if board.door_room[d] == board.place("Study")))
    assert board.doors[board.place("Study") - board.rooms_at].bit_count() == 1
    game = make_game("classic", rolls={0: [12]}, pawns={"Scarlett": (8, 5), "Mustard": door})
    while game.state.active:
        finish_turn(game)
    game.execute(Roll())
    assert turns_by_name(game)["Study"] == 2.0


def test_under_free_movement_every_room_is_near():
    for board in (Board.load("manoir"), board_from(DECK_ALONE)):
        game = make_game(board, seats=4, movement="free")
        assert turns_to(game.view(0)) == [1.0] * 9


def walled_up() -> Board:
    """A house where only the secret passage leads to the attic."""
    data = house()
    data["grid"] = [row.replace("a", "#") for row in data["grid"]]
    data["suspects"][0]["start"] = [6, 1]
    board = board_from(data)
    assert board.distance[0][board.place((5, 3))] >= UNREACHABLE
    return board


def test_a_room_that_no_walk_leads_to_is_infinitely_far_before_and_after_the_roll():
    game = make_game(walled_up(), rolls={0: [12], 1: [12]})
    assert turns_by_name(game)["Attic"] == inf
    game.execute(Roll())
    assert turns_by_name(game)["Attic"] == inf
    game.undo()
    finish_turn(game)
    go(game, "Den")
    next_turn_of(game, 1)
    assert turns_by_name(game)["Attic"] == 1.0, "Basil is at the other end of the passage"


def test_where_the_table_ends_the_mean_roll_goes_on():
    data = {
        "name": "street",
        "suspects": [{"name": f"S{k}", "start": [k + 1, 1]} for k in range(3)],
        "weapons": [{"name": f"W{k}"} for k in range(3)],
        "rooms": [{"name": name, "symbol": name} for name in "ABC"],
        "grid": ["A" + "#" * 148 + "B", "a" + "." * 148 + "b", "." * 149 + "c", "#" * 149 + "C"],
    }
    game = make_game(board_from(data), dice=1)
    distance = game.table.board.distance[1][game.state.place]
    assert distance > 140
    turns = turns_by_name(game)["B"]
    assert turns == pytest.approx(distance / 3.5, rel=0.03)


# ---- the best move --------------------------------------------------------------------------------


def decide(game: Game, discount: float = 0.5, **values: float):
    """The best move for worths by room; rooms that are not named are worth nothing."""
    rooms = [room.name.replace(" ", "_") for room in game.table.board.map.rooms]
    assert set(values) <= set(rooms)
    return best_move(game.view(game.state.active), [values.get(room, 0.0) for room in rooms], discount, Random(1))


def test_it_stays_takes_the_passage_or_rolls_where_the_worth_is():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    assert decide(game, Lounge=1.0) == Stay()
    assert decide(game, Conservatory=1.0) == SecretPassage()
    assert decide(game, Hall=1.0) == Roll()
    assert decide(game, Lounge=1.0, Conservatory=1.1) == SecretPassage()
    assert decide(game, Lounge=1.1, Conservatory=1.0) == Stay()
    assert decide(game, Lounge=1.0, Conservatory=1.0, Study=1.5) != Roll()


def test_a_sure_thing_is_weighed_against_the_mean_of_the_rolls():
    """One corridor room at d steps: the roll is worth P(reach) + P(miss) · discount ^ (turns that are left)."""
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    board, here = game.table.board, game.state.place
    distance = board.distance[board.place("Dining Room") - board.rooms_at][here]
    table = expected_turns(2, 6)
    for discount in (0.3, 0.55, 0.9):
        worth = 0.0
        for total, p in roll_odds(2, 6):
            worth += p * (1.0 if total >= distance else discount ** max(table[distance - total], 1.0))
        assert decide(game, discount, Lounge=worth - 1e-6, Dining_Room=1.0) == Roll()
        assert decide(game, discount, Lounge=worth + 1e-6, Dining_Room=1.0) == Stay()


def test_it_rolls_where_staying_and_the_passage_are_used_up():
    game = asked_in_the_lounge()
    assert decide(game, Lounge=9.0, Hall=0.1) == Roll()
    game.execute(SecretPassage())
    ask(game, "White", "Rope", "Conservatory")
    next_turn_of(game, 0)
    assert decide(game, Conservatory=9.0, Lounge=1.0) == SecretPassage()


def test_in_the_corridor_it_rolls_whatever_things_are_worth():
    game = make_game("classic", pawns={"Scarlett": (8, 5)})
    assert decide(game, Kitchen=1.0) == Roll()
    assert decide(game) == Roll()


def test_after_the_roll_it_walks_to_the_best_of_what_is_reached_or_towards_better():
    game = make_game("classic", rolls={0: [8]}, pawns={"Scarlett": (8, 5)})
    game.execute(Roll())
    board = game.table.board
    near = [board.node(room) for room in game.state.reach.rooms]
    assert {"Hall", "Study"} <= set(near)
    assert "Kitchen" not in near
    assert decide(game, Hall=1.0, Study=1.2) == Move(board.place("Study"))
    assert decide(game, Hall=1.3, Study=1.2) == Move(board.place("Hall"))
    toward = decide(game, Hall=0.1, Kitchen=5.0)
    assert isinstance(toward, Move)
    assert not board.is_room(toward.to)
    to_kitchen = board.distance[board.place("Kitchen") - board.rooms_at]
    assert to_kitchen[toward.to] < to_kitchen[game.state.place]
    assert decide(game, 0.01, Hall=0.1, Kitchen=5.0) == Move(board.place("Hall")), "later is worth next to nothing"


def test_under_free_movement_it_enters_the_best_room_or_stays_in_it():
    game = make_game("classic", movement="free")
    go(game, "Hall")
    ask(game, "White", "Rope", "Hall")
    next_turn_of(game, 0)
    board = game.table.board
    assert decide(game, Hall=1.0) == Stay()
    assert decide(game, Hall=1.0, Kitchen=1.1) == Move(board.place("Kitchen"))


def test_where_nothing_may_be_asked_is_no_way_to_go_however_little_later_is_worth():
    game = make_game("classic", rolls={0: [8]}, pawns={"Scarlett": "Lounge"})
    game.execute(Roll())
    board = game.table.board
    worth = {room.name.replace(" ", "_"): -inf for room in board.map.rooms} | {"Hall": 1.0}
    for discount in (0.0, 0.5, 1.0):
        assert decide(game, discount, **worth) == Move(board.place("Hall"))


@pytest.mark.slow
def test_every_move_is_legal_wherever_the_pawns_stand_and_whatever_rooms_are_worth():
    random = Random(8)
    for deal in range(cases(200, 40)):
        name = random.choice(["tiny", "classic", "manoir"])
        movement = random.choice(["walk", "free"])
        game = drawn_game(
            Board.load(name), random.randint(3, 4), 8, deal, movement=movement, dice=random.choice([1, 2])
        )
        play_random(game, random, "patient", limit=random.randrange(200))
        while not game.over and game.state.step.name not in ("MOVE", "WALK"):
            game.execute(random.choice(game.legal()) if game.state.step.name == "REFUTE" else EndTurn())
        if game.over:
            continue
        rooms = len(game.table.deck.rooms)
        for _ in range(2):
            values = [random.choice([0.0, 1e-6, random.random()]) for _ in range(rooms)]
            move = best_move(game.view(game.state.active), values, 0.6, random)
            assert move.why_not(game.state) is None
            game.execute(move)
            if game.state.step.name != "WALK":
                break


# ---- where pawns are in the way -------------------------------------------------------------------


def lane(*more: str):
    """Three rooms on a corridor one square wide; ``more`` rows below it."""
    data = house()
    data["suspects"] = [{"name": name, "start": [x, 2]} for name, x in (("Amber", 1), ("Basil", 4), ("Coral", 9))]
    data["rooms"] = [{"name": name, "symbol": name[0]} for name in ("Attic", "Bath", "Cellar")]
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
    cards = {"hands": hands, "envelope": ["Coral", "Shears", "Cellar"]}
    game = make_game(lane(), dice=1, **cards, rolls={0: [2]}, pawns={"Amber": (3, 2)})
    seat = Seat(game, "medium")
    game.execute(Roll())
    uniform(seat.answers("choose_move"), [move for move in game.legal() if isinstance(move, Move)])


def test_who_cannot_move_at_all_stays():
    pawns = {"Amber": (3, 2), "Coral": (5, 2)}
    game = make_game(lane(), dice=1, rolls={0: [2]}, suspects=["Basil", "Amber", "Coral"], pawns=pawns)
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
