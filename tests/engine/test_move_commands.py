"""Rules 4 and 5: the turn, and walking; the number in a test's name is the rule's."""

from __future__ import annotations

from helpers.support import accuse, ask, ends, go, kinds, make_game, pass_turn, pawn
from helpers.turns import refused, stay

from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, EndTurn, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.events import HypothesisMade, Moved, PassageTaken, Rolled, Stayed, TurnEnded

CLASSIC = Board.load("classic")


# ---- 4: the turn ----------------------------------------------------------------------------------


def test_rule_04_a_turn_is_a_move_then_a_hypothesis_then_an_accusation_then_the_end():
    game = make_game(pawns={"Amber": "Attic"})
    assert kinds(game) == {Roll, SecretPassage, Stay}
    game.execute(Stay())
    assert kinds(game) == {Hypothesis, Accusation, EndTurn}
    happened = ask(game, "Denim", "Shears", "Attic")
    assert kinds(game) == {ShowCard}
    assert isinstance(happened[0], HypothesisMade)
    game.execute(game.legal()[0])
    assert kinds(game) == {Accusation, EndTurn}
    accuse(game, "Amber", "Ladle", "Attic")
    assert kinds(game) == {EndTurn}
    game.execute(EndTurn())
    assert game.state.active == 1
    assert kinds(game) == {Roll, Stay}


def test_rule_04_a_move_is_one_of_roll_and_walk_secret_passage_or_stay():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    assert set(game.legal()) == {Roll(), SecretPassage(), Stay()}
    assert game.execute(SecretPassage()) == (PassageTaken(0, CLASSIC.place("Conservatory")),)
    assert pawn(game, "Scarlett") == "Conservatory"
    assert kinds(game) == {Hypothesis, Accusation, EndTurn}
    game.undo()
    assert game.execute(Stay()) == (Stayed(0),)
    game.undo()
    assert isinstance(game.execute(Roll())[0], Rolled)
    assert kinds(game) == {Move, Stay}


def test_rule_04_only_some_rooms_have_a_passage_and_corridors_have_none():
    game = make_game("classic", pawns={"Scarlett": "Hall", "Mustard": (17, 8)})
    for _ in range(2):
        assert "no secret passage here (rule 4)" in refused(game.execute, SecretPassage())
        pass_turn(game)


def test_rule_04_after_a_roll_the_passage_is_no_longer_open():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    game.execute(Roll())
    assert "rule 4" in refused(game.execute, SecretPassage())
    assert "rule 4" in refused(game.execute, Roll())


def test_rule_04_hypothesis_and_accusation_may_be_left_out():
    game = make_game(pawns={"Amber": "Attic"})
    game.execute(Stay())
    assert game.execute(EndTurn()) == (TurnEnded(0),)


# ---- 5: walking -----------------------------------------------------------------------------------


def rolled(total: int, **options):
    """A game whose first player has rolled this."""
    game = make_game("classic", rolls={0: [total]}, **options)
    game.execute(Roll())
    return game


def test_rule_05_one_walks_up_to_the_roll_orthogonally_and_need_not_use_it_up():
    game = make_game("classic", rolls={0: [3]})
    assert game.execute(Roll()) == (Rolled(0, (1, 2)),)
    assert ends(game) == {(16, 1), (16, 2), (16, 3), (15, 1), (15, 2)}
    assert game.execute(Move(CLASSIC.place((16, 1)))) == (Moved(0, CLASSIC.place((16, 1))),)


def test_rule_05_who_has_rolled_may_also_stay_put():
    game = rolled(7, pawns={"Scarlett": "Lounge"})
    assert stay(game)
    assert pawn(game, "Scarlett") == "Lounge"


def test_rule_05_never_onto_or_through_a_pawn():
    free = rolled(4, pawns={"Scarlett": (1, 17)})
    assert {(2, 17), (4, 17), (5, 17)} <= ends(free)
    blocked = rolled(4, pawns={"Scarlett": (1, 17), "Mustard": (2, 17)})
    assert not ends(blocked) & {(2, 17), (4, 17), (5, 17)}
    assert (3, 17) in ends(blocked), "but round it, in four steps instead of two"


def test_rule_05_who_is_walled_in_by_pawns_can_only_stay():
    game = rolled(9, pawns={"Mustard": (16, 1)})
    assert game.legal() == [Stay()]


def test_rule_05_any_number_of_pawns_fit_in_a_room():
    everybody = dict.fromkeys(CLASSIC.deck.names[:6], "Hall")
    game = make_game("classic", seats=6, pawns=everybody)
    assert {pawn(game, name) for name in everybody} == {"Hall"}


def test_rule_05_passing_a_door_in_costs_one_step():
    for roll, expected in [(2, False), (3, True)]:
        game = rolled(roll, pawns={"Scarlett": (17, 8 - 1)})
        assert ("Lounge" in ends(game)) == (roll >= 2)
        game = rolled(roll, pawns={"Scarlett": (18, 7)})
        assert ("Lounge" in ends(game)) == expected


def test_rule_05_passing_a_door_out_costs_one_step():
    game = rolled(1, dice=1, pawns={"Scarlett": "Hall"})
    assert ends(game) == {(8, 4), (11, 7), (12, 7)}
    game = rolled(2, dice=1, pawns={"Scarlett": "Lounge"})
    assert ends(game) == {(17, 6), (16, 6), (18, 6), (17, 7)}


def test_rule_05_from_door_to_door_costs_both_doors():
    for roll in (3, 4):
        game = rolled(roll, pawns={"Scarlett": "Lounge"})
        assert ("Dining Room" in ends(game)) == (roll == 4)


def test_rule_05_entering_a_room_ends_the_walk_so_none_is_walked_through():
    game = rolled(6, pawns={"Scarlett": (8, 3)})
    assert "Hall" in ends(game)
    assert not ends(game) & {(11, 7), (12, 7)}, "the other side of the Hall"
    go(game, "Hall")
    assert Move not in kinds(game)


def test_rule_05_the_room_left_in_a_move_is_not_entered_again_in_it():
    for roll in (2, 5, 9, 12):
        game = rolled(roll, pawns={"Scarlett": "Hall"})
        assert "Hall" not in ends(game)
        assert "rule 5" in refused(game.execute, Move(CLASSIC.place("Hall")))


def test_rule_05_one_leaves_by_any_door_whose_square_is_free():
    game = rolled(1, dice=1, pawns={"Scarlett": "Hall", "Mustard": (11, 7)})
    assert ends(game) == {(8, 4), (12, 7)}


def test_rule_05_who_finds_all_doors_blocked_cannot_leave_on_foot():
    game = make_game("classic", rolls={0: [8]}, pawns={"Scarlett": "Lounge", "Mustard": (17, 6)})
    assert SecretPassage in kinds(game)
    game.execute(Roll())
    assert game.legal() == [Stay()]
    assert stay(game), "and may still ask there"


def test_rule_05_nor_is_a_room_entered_by_a_blocked_door():
    game = rolled(12, pawns={"Scarlett": (17, 7), "Mustard": (17, 6)})
    assert "Lounge" not in ends(game)


def test_rule_05_a_door_square_leads_into_its_own_room_only():
    game = rolled(1, dice=1, pawns={"Scarlett": (3, 11)})
    assert {end for end in ends(game) if isinstance(end, str)} == {"Library"}


def test_rule_05_a_walk_out_of_reach_or_off_the_board_is_refused():
    game = rolled(2)
    far = CLASSIC.place((16, 4))
    for to, words in [(far, "cannot be reached"), (0, "not a place"), (CLASSIC.places, "not a place")]:
        assert words in refused(game.execute, Move(to))
