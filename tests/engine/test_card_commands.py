"""Rules 6 to 10: hypotheses, refutations and accusations; the number in a test's name is the rule's."""

from __future__ import annotations

import pytest
from helpers.support import accuse, ask, ends, finish_turn, go, kinds, make_game, pass_turn, pawn, show
from helpers.turns import may_ask, next_turn_of, refused, stay, stay_and_accuse, stay_and_ask

from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, EndTurn, Hypothesis, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.events import Accused, HypothesisMade, Passed, Shown
from cluedo.engine.game import Result

CLASSIC = Board.load("classic")


# ---- 6: the hypothesis ----------------------------------------------------------------------------


def test_rule_06_a_hypothesis_is_made_only_in_a_room():
    game = make_game("classic", pawns={"Scarlett": (17, 6)})
    assert not stay(game)
    assert "made in a room (rule 6)" in refused(ask, game, "Plum", "Rope", "Lounge")


def test_rule_06_a_hypothesis_is_about_the_room_one_is_in():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    game.execute(Stay())
    asked = {command for command in game.legal() if isinstance(command, Hypothesis)}
    assert len(asked) == 36
    assert {CLASSIC.deck.names[command.room] for command in asked} == {"Lounge"}
    assert "Lounge, not Hall" in refused(ask, game, "Plum", "Rope", "Hall")


def test_rule_06_at_most_one_hypothesis_a_turn():
    game = make_game("classic", envelope=["Plum", "Rope", "Lounge"], pawns={"Scarlett": "Lounge"})
    stay_and_ask(game, "Plum", "Rope", "Lounge")
    assert "only one hypothesis is allowed in a turn (rule 6)" in refused(ask, game, "Green", "Rope", "Lounge")


def test_rule_06_the_named_pawn_and_weapon_are_moved_into_the_room():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    stay_and_ask(game, "Plum", "Rope", "Lounge")
    assert pawn(game, "Plum") == "Lounge", "a pawn that nobody plays, from its start"
    deck, lounge = CLASSIC.deck, CLASSIC.place("Lounge")
    weapons = list(game.view(1).weapons)
    assert weapons[deck.id("Rope") - deck.weapons[0]] == lounge
    assert weapons[deck.id("Dagger") - deck.weapons[0]] == CLASSIC.rooms_at + 1
    assert [pawn(game, name) for name in ("Mustard", "White")] == [(23, 7), (14, 24)]


def test_rule_06_a_pawn_drawn_off_a_square_frees_it():
    game = make_game("classic", pawns={"Scarlett": "Lounge", "Mustard": (17, 6)}, rolls={2: [12]})
    stay_and_ask(game, "Mustard", "Rope", "Lounge")
    next_turn_of(game, 0)
    game.execute(Roll())
    assert (17, 6) in ends(game)


def test_rule_06_naming_ones_own_cards_and_ones_own_suspect_is_allowed():
    deck = CLASSIC.deck
    own = ["Scarlett", "Rope", "Lounge"]
    envelope = deck.triple(["Plum", "Dagger", "Hall"])
    rest = [name for card, name in enumerate(deck.names) if name not in own and card not in envelope]
    hands = [own, rest[:8], rest[8:]]
    game = make_game("classic", hands=hands, envelope=["Plum", "Dagger", "Hall"], pawns={"Scarlett": "Lounge"})
    happened = stay_and_ask(game, *own)
    assert happened == (HypothesisMade(0, *deck.triple(own)), Passed(1), Passed(2))
    assert pawn(game, "Scarlett") == "Lounge"
    assert kinds(game) == {Accusation, EndTurn}


# ---- 7 and 8: a used-up room, and pawns that are drawn --------------------------------------------


def asked_in_the_lounge(named: str = "Plum", **options):
    """Seat 0 has asked in the Lounge about a suspect, and it is its turn again."""
    game = make_game("classic", pawns={"Scarlett": "Lounge", **options.pop("pawns", {})}, **options)
    stay_and_ask(game, named, "Rope", "Lounge")
    next_turn_of(game, 0)
    return game


def test_rule_07_staying_is_not_enough_to_ask_again():
    game = asked_in_the_lounge()
    assert not stay(game)
    assert "already asked in this room" in refused(ask, game, "Green", "Rope", "Lounge")
    next_turn_of(game, 0)
    game.execute(Roll())
    assert not stay(game), "however long one waits, and after a roll, too"


@pytest.mark.parametrize(("to", "enough"), [((17, 6), False), ("Dining Room", True)])
def test_rule_07_walking_out_and_back_in_is_enough_by_way_of_another_room_alone(to, enough):
    game = asked_in_the_lounge(rolls={0: [12, 12, 12]})
    go(game, to)
    next_turn_of(game, 0)
    go(game, "Lounge")
    assert may_ask(game) is enough


def test_rule_07_it_need_not_be_asked_in_the_other_room_and_that_room_is_not_used_up():
    game = asked_in_the_lounge(rolls={0: [12]})
    go(game, "Dining Room")
    next_turn_of(game, 0)
    assert stay(game)


def test_rule_07_passing_through_a_passage_in_between_is_enough():
    game = asked_in_the_lounge()
    game.execute(SecretPassage())
    assert may_ask(game)
    next_turn_of(game, 0)
    game.execute(SecretPassage())
    assert pawn(game, "Scarlett") == "Lounge"
    assert may_ask(game)


def test_rule_07_being_drawn_into_another_room_in_between_is_enough():
    game = asked_in_the_lounge(pawns={"Mustard": "Hall"}, rolls={0: [12, 12]})
    finish_turn(game)
    stay_and_ask(game, "Scarlett", "Rope", "Hall")
    next_turn_of(game, 0)
    assert pawn(game, "Scarlett") == "Hall"
    go(game, "Lounge")
    assert may_ask(game)


@pytest.mark.parametrize("outside", [True, False])
def test_rule_07_being_drawn_into_the_same_room_is_enough_from_outside_alone(outside):
    game = asked_in_the_lounge(pawns={"Mustard": "Lounge"}, rolls={0: [2]})
    if outside:
        go(game, (17, 7))
    finish_turn(game)
    stay_and_ask(game, "Scarlett", "Rope", "Lounge")
    next_turn_of(game, 0)
    assert stay(game) is outside


def test_rule_07_naming_oneself_is_not_enough():
    assert not stay(asked_in_the_lounge(named="Scarlett"))


def test_rule_07_a_room_is_used_up_for_the_asker_alone():
    game = make_game("classic", pawns={"Scarlett": "Lounge", "Mustard": "Lounge"})
    stay_and_ask(game, "Plum", "Rope", "Lounge")
    finish_turn(game)
    assert stay(game)


def test_rule_07_a_room_entered_without_asking_is_not_used_up():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    assert stay(game)
    next_turn_of(game, 0)
    assert stay(game)


def test_rule_07_only_the_last_room_asked_in_is_used_up():
    game = asked_in_the_lounge(rolls={0: [12, 12]})
    go(game, "Dining Room")
    ask(game, "Plum", "Rope", "Dining Room")
    next_turn_of(game, 0)
    go(game, "Lounge")
    assert may_ask(game)


def test_rule_08_who_was_drawn_by_another_may_stay_and_ask_at_once():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    stay_and_ask(game, "White", "Rope", "Lounge")
    next_turn_of(game, 2)
    assert pawn(game, "White") == "Lounge"
    assert kinds(game) == {Roll, SecretPassage, Stay}
    assert stay(game)


def test_rule_08_drawn_again_and_again_one_may_ask_each_time():
    game = make_game("classic", pawns={"Scarlett": "Hall", "Mustard": "Study"}, rolls={0: [12] * 4})
    stay_and_ask(game, "Mustard", "Rope", "Hall")
    finish_turn(game)
    assert stay(game)
    ask(game, "Plum", "Rope", "Hall")
    next_turn_of(game, 0)
    go(game, "Lounge")
    ask(game, "Mustard", "Rope", "Lounge")
    finish_turn(game)
    assert pawn(game, "Mustard") == "Lounge"
    assert stay(game)


# ---- 9: refutation --------------------------------------------------------------------------------

SECRET = ["Denim", "Shears", "Den"]


def table_of_four(**options):
    hands = [["Amber", "Attic"], ["Basil", "Bath"], ["Coral", "Ladle", "Cellar"], ["Poker"]]
    return make_game("tiny", hands=hands, envelope=SECRET, **options)


def asked_in_the_cellar():
    """The third of four players can answer with two cards."""
    game = table_of_four(pawns={"Amber": "Cellar"})
    stay_and_ask(game, "Coral", "Poker", "Cellar")
    return game


def test_rule_09_those_before_the_shower_pass_in_clockwise_order():
    game = table_of_four(first=1, pawns={"Basil": "Attic"})
    happened = stay_and_ask(game, "Denim", "Shears", "Attic")
    assert happened[1:] == (Passed(2), Passed(3))
    assert game.state.to_act == 0
    assert game.legal() == [ShowCard(game.table.deck.id("Attic"))]


def test_rule_09_the_first_who_holds_one_must_show_even_if_others_hold_more():
    game = table_of_four(pawns={"Amber": "Bath"})
    assert stay_and_ask(game, "Coral", "Ladle", "Bath")[1:] == ()
    assert (game.state.to_act, game.legal()) == (1, [ShowCard(game.table.deck.id("Bath"))])


def test_rule_09_the_shower_chooses_exactly_one_of_those_named_and_held():
    game = asked_in_the_cellar()
    deck = game.table.deck
    assert set(game.legal()) == {ShowCard(deck.id("Coral")), ShowCard(deck.id("Cellar"))}
    for wrong in ("Ladle", "Poker", "Basil"):
        assert "named and that its player holds: Coral or Cellar (rule 9)" in refused(show, game, wrong)
    assert show(game, "Coral") == (Shown(2, 0, deck.id("Coral")),)
    assert "nothing to refute now (rule 9)" in refused(show, game, "Cellar")
    assert (game.state.active, game.state.to_act) == (0, 0)


def test_rule_09_the_card_is_shown_to_the_asker_alone():
    game = asked_in_the_cellar()
    show(game, "Coral")
    coral = game.table.deck.id("Coral")
    seen = {seat: (game.view(seat).card_shown, game.view(seat).events[-1]) for seat in range(4)}
    assert seen[0] == seen[2] == (coral, Shown(2, 0, coral))
    assert seen[1] == seen[3] == (None, Shown(2, 0, None))
    assert {game.view(seat).refuted_by for seat in range(4)} == {2}


def test_rule_09_nobody_may_be_able_to_show_and_the_asker_is_not_asked():
    game = table_of_four(first=1, pawns={"Basil": "Den"})
    assert stay_and_ask(game, "Basil", "Shears", "Den")[1:] == (Passed(2), Passed(3), Passed(0))
    assert game.view(1).refuted_by is None
    assert kinds(game) == {Accusation, EndTurn}


def test_rule_09_nothing_else_may_be_done_before_the_card_is_shown():
    game = asked_in_the_cellar()
    for command in (EndTurn(), Accusation(*game.table.deck.triple(SECRET)), Stay(), Roll()):
        assert "has to be shown first" in refused(game.execute, command)


# ---- 10: the accusation ---------------------------------------------------------------------------

TRUTH, LIE = ["Plum", "Wrench", "Kitchen"], ["Scarlett", "Rope", "Hall"]


def test_rule_10_one_accuses_at_the_end_of_ones_turn_and_not_before_the_move():
    game = make_game("classic")
    assert "rule 10" in refused(accuse, game, *TRUTH)
    game.execute(Roll())
    assert "rule 10" in refused(accuse, game, *TRUTH)
    stay_and_accuse(game, *TRUTH)
    assert game.over


@pytest.mark.parametrize("place", [(17, 7), "Lounge"])
def test_rule_10_from_anywhere_about_any_three_cards(place):
    game = make_game("classic", pawns={"Scarlett": place})
    game.execute(Stay())
    assert sum(isinstance(command, Accusation) for command in game.legal()) == 6 * 6 * 9
    deck = CLASSIC.deck
    for wrong in [(deck.rooms[0], deck.weapons[0], 0), (0, 0, deck.rooms[0]), (0, deck.weapons[0], 99)]:
        assert "of this deck" in refused(game.execute, Accusation(*wrong))


def test_rule_10_one_may_accuse_after_a_hypothesis():
    game = make_game("classic", envelope=["Plum", "Rope", "Lounge"], pawns={"Scarlett": "Lounge"})
    stay_and_ask(game, "Plum", "Rope", "Lounge")
    assert accuse(game, "Plum", "Rope", "Lounge")[0].correct


def test_rule_10_a_right_accusation_wins_and_nothing_follows():
    game = make_game("classic", first=1)
    assert stay_and_accuse(game, *TRUTH) == (Accused(1, *CLASSIC.deck.triple(TRUTH), True),)
    assert game.result == Result(1, "solved", 1)
    assert game.legal() == []
    for command in (EndTurn(), Roll(), Stay(), Accusation(*CLASSIC.deck.triple(TRUTH))):
        assert "over" in refused(game.execute, command)


def test_rule_10_all_learn_of_a_wrong_accusation_which_eliminates_and_ends_the_turn():
    game = make_game("classic")
    happened = stay_and_accuse(game, *LIE)
    assert happened == (Accused(0, *CLASSIC.deck.triple(LIE), False),)
    assert {game.view(seat).events[-1] for seat in range(3)} == set(happened)
    assert game.view(2).eliminated == 1
    assert "wrong accusation the turn can only end" in refused(accuse, game, *TRUTH)
    assert game.legal() == [EndTurn()]


def test_rule_10_the_turns_of_an_eliminated_player_are_skipped():
    game = make_game("classic", seats=4)
    order = []
    for turn in range(8):
        order.append(game.state.active)
        game.execute(Stay())
        if turn in (1, 3):
            accuse(game, *LIE)
        game.execute(EndTurn())
    assert order == [0, 1, 2, 3, 0, 2, 0, 2]


def test_rule_10_the_last_one_left_plays_on_alone():
    game = make_game("classic")
    for _ in range(2):
        stay_and_accuse(game, *LIE)
        game.execute(EndTurn())
    for _ in range(3):
        assert game.state.active == 2
        pass_turn(game)
    assert game.state.turn == 6


def test_rule_10_an_eliminated_player_still_shows_cards():
    game = table_of_four(first=1, pawns={"Coral": "Cellar"})
    stay_and_accuse(game, "Amber", "Ladle", "Attic")
    game.execute(EndTurn())
    stay_and_ask(game, "Basil", "Shears", "Cellar")
    assert (game.state.to_act, game.state.active) == (1, 2)
    show(game, "Basil")
    assert game.view(2).card_shown == game.table.deck.id("Basil")


def test_rule_10_a_pawn_on_a_door_square_goes_into_that_room_and_blocks_nobody():
    names = ["Mustard", "Scarlett", "White"]
    game = make_game("classic", suspects=names, pawns={"Mustard": "Lounge", "Scarlett": (17, 6)}, rolls={0: [2]})
    pass_turn(game)
    stay_and_accuse(game, *LIE)
    assert pawn(game, "Scarlett") == "Lounge"
    next_turn_of(game, 0)
    game.execute(Roll())
    assert (17, 6) in ends(game)


@pytest.mark.parametrize(("place", "accused"), [((17, 7), LIE), ("Hall", LIE), ((17, 6), TRUTH)])
def test_rule_10_any_other_pawn_of_one_who_accuses_stays_where_it_is(place, accused):
    game = make_game("classic", pawns={"Scarlett": place})
    stay_and_accuse(game, *accused)
    assert pawn(game, "Scarlett") == place


def test_rule_10_the_pawn_of_an_eliminated_player_is_still_drawn():
    game = make_game("classic", pawns={"Mustard": "Lounge"})
    stay_and_accuse(game, *LIE)
    game.execute(EndTurn())
    stay_and_ask(game, "Scarlett", "Dagger", "Lounge")
    assert pawn(game, "Scarlett") == "Lounge"
