"""The twelve rules, one after another; the number in a test's name is the rule's."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from helpers.support import (
    DECK_ALONE,
    MANNERS,
    accuse,
    ask,
    board_from,
    board_of,
    drawn_game,
    ends,
    finish_turn,
    go,
    house,
    kinds,
    make_game,
    pass_turn,
    pawn,
    play_random,
    show,
)

from cluedo.engine.commands import Accusation, EndTurn, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.deal import Seeds, check_seats, draw_deal
from cluedo.engine.errors import IllegalCommand, SetupError
from cluedo.engine.events import Accused, HypothesisMade, Moved, PassageTaken, Passed, Rolled, Shown, Stayed, TurnEnded
from cluedo.engine.game import Result
from cluedo.engine.rules import Rules

CLASSIC = board_of("classic")


def may_ask(game) -> bool:
    return Hypothesis in kinds(game)


def stay(game):
    """Stay; whether one may then ask."""
    game.execute(Stay())
    return may_ask(game)


def next_turn_of(game, seat: int) -> None:
    """End this turn, and let everybody else pass until it is the seat's turn."""
    finish_turn(game)
    while game.state.active != seat:
        finish_turn(game)


# ---- 1: players -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_rule_01_three_to_six_players_take_the_suspects_in_the_maps_order(seats):
    game = drawn_game(CLASSIC, seats, seed=1)
    assert game.table.seats == seats
    assert [game.table.name(seat) for seat in range(seats)] == list(CLASSIC.deck.names[:seats])


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_rule_01_fewer_than_two_or_more_than_ten_are_refused(seats):
    with pytest.raises(SetupError, match=f"2 to 10 players, not {seats}"):
        check_seats(CLASSIC.deck, Rules(), seats)


def test_rule_01_more_players_than_suspects_are_refused():
    with pytest.raises(SetupError, match="5 players are too many for the 4 suspects"):
        check_seats(board_of("tiny").deck, Rules(), 5)


def test_rule_01_each_player_takes_a_suspect_of_their_own():
    game = make_game("classic", suspects=["Plum", "White", "Mustard"])
    assert [game.table.name(seat) for seat in range(3)] == ["Plum", "White", "Mustard"]
    assert [game.table.seat_of[CLASSIC.deck.id(name)] for name in ("Scarlett", "Mustard", "White", "Plum")] == [
        -1,
        2,
        1,
        0,
    ]
    for wrong in ([0, 0, 1], [0, 1], [0, 1, 2, 3], [0, 1, CLASSIC.deck.weapons[0]]):
        with pytest.raises(SetupError, match="suspect of their own"):
            check_seats(CLASSIC.deck, Rules(), 3, wrong)


def test_rule_01_all_pawns_stand_on_the_board_played_or_not_and_block():
    game = make_game("classic")
    assert tuple(game.view(0).pawns) == CLASSIC.starts
    data = house()
    data["suspects"][3]["start"] = [4, 3]
    game = make_game(board_from(data), seats=3, rolls={0: [12]})
    game.execute(Roll())
    assert (4, 3) not in ends(game)


@pytest.mark.parametrize("name", ["classic", "manoir", "tiny"])
def test_rule_01_weapon_k_starts_in_room_k(name):
    game = make_game(name)
    board = game.table.board
    assert list(game.view(0).weapons) == [board.rooms_at + k for k in range(len(board.deck.weapons))]


# ---- 2: the deal ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_rule_02_one_card_of_each_category_is_hidden_and_the_rest_is_dealt(seats):
    deck = CLASSIC.deck
    for number in range(50):
        deal = draw_deal(Seeds(3, number, seats), deck, Rules())
        for card, ids in zip(deal.envelope, deck.ids, strict=True):
            assert card in ids
        hidden = sum(1 << card for card in deal.envelope)
        assert sum(deal.hands) + hidden == deck.all
        assert sum(hand.bit_count() for hand in deal.hands) == 18


def test_rule_02_hands_may_be_unequal_and_the_longer_ones_begin_left_of_a_dealer_drawn_at_random():
    begins = Counter()
    for number in range(400):
        deal = draw_deal(Seeds(4, number, 4), CLASSIC.deck, Rules())
        sizes = [hand.bit_count() for hand in deal.hands]
        assert sorted(sizes) == [4, 4, 5, 5]
        longer = [seat for seat in range(4) if sizes[seat] == 5 and sizes[seat - 1] == 4]
        assert len(longer) == 1, "the two longer hands are neighbours"
        begins[longer[0]] += 1
    assert min(begins[seat] for seat in range(4)) > 70


def test_rule_02_every_card_is_hidden_and_dealt_to_each_seat_about_equally_often():
    hidden, held = Counter(), Counter()
    for number in range(600):
        deal = draw_deal(Seeds(5, number, 3), CLASSIC.deck, Rules())
        hidden.update(deal.envelope)
        held.update((seat, card) for seat, hand in enumerate(deal.hands) for card in range(21) if hand >> card & 1)
    for card in range(21):
        chance = 1 / 9 if card in CLASSIC.deck.rooms else 1 / 6
        assert abs(hidden[card] / 600 - chance) < 0.06
        for seat in range(3):
            assert abs(held[seat, card] / 600 - (1 - chance) / 3) < 0.08


# ---- 3: who starts --------------------------------------------------------------------------------


class LoadedRandom(Random):
    """A generator whose last answers, from the k-th on, are the faces wanted of six-sided dice."""

    def __init__(self, before: int, faces: list[int]):
        super().__init__(0)
        self.before, self.faces, self.asked = before, list(faces), 0

    def random(self) -> float:
        self.asked += 1
        if self.asked <= self.before:
            return 0.5
        return (self.faces.pop(0) - 0.5) / 6

    def getrandbits(self, k: int) -> int:  # the shuffle asks for bits
        return 0


class LoadedSeeds(Seeds):
    """Seeds that load the opening rolls."""

    __slots__ = ("loaded",)

    def __init__(self, seats: int, faces: list[int]):
        super().__init__(0, 0, seats)
        self.loaded = LoadedRandom(4, faces)  # the envelope takes three draws, the dealer one

    def for_cards(self) -> Random:
        return self.loaded


@pytest.mark.parametrize(
    ("faces", "first"),
    [
        ([1, 1, 5, 1, 2, 3, 1, 2], 1),
        ([6, 6, 1, 1, 2, 2, 3, 3], 0),
        ([1, 2, 2, 2, 3, 2, 6, 6], 3),
        ([6, 1, 1, 1, 2, 2, 5, 2, 3, 3, 4, 4], 3),
        ([6, 6, 1, 1, 6, 6, 6, 6, 1, 2, 3, 4, 6, 1, 3, 2, 5, 2], 3),
        ([1, 2, 2, 1, 1, 2, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1], 1),
    ],
    ids=["highest", "first seat", "last seat", "two tie", "three tie, then two", "all tie"],
)
def test_rule_03_the_highest_roll_starts_and_ties_roll_again_among_themselves(faces, first):
    seeds = LoadedSeeds(4, faces)
    assert draw_deal(seeds, CLASSIC.deck, Rules()).first == first
    assert seeds.loaded.faces == [], "every roll that was due was thrown, and no other"


def test_rule_03_every_seat_starts_about_equally_often_even_with_many_ties():
    for seats in (3, 6):
        firsts = Counter(draw_deal(Seeds(6, k, seats), CLASSIC.deck, Rules(dice=1, sides=2)).first for k in range(900))
        for seat in range(seats):
            assert abs(firsts[seat] / 900 - 1 / seats) < 0.06


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_rule_03_play_goes_clockwise_from_the_first(first):
    game = make_game("classic", seats=4, first=first)
    assert game.view(0).table.first == first
    order = []
    for _ in range(9):
        order.append(game.state.active)
        pass_turn(game)
    assert order == [(first + k) % 4 for k in range(9)]


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
        with pytest.raises(IllegalCommand, match=r"no secret passage here \(rule 4\)"):
            game.execute(SecretPassage())
        pass_turn(game)


def test_rule_04_after_a_roll_the_passage_is_no_longer_open():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    game.execute(Roll())
    with pytest.raises(IllegalCommand, match="rule 4"):
        game.execute(SecretPassage())
    with pytest.raises(IllegalCommand, match="rule 4"):
        game.execute(Roll())


def test_rule_04_hypothesis_and_accusation_may_be_left_out():
    game = make_game(pawns={"Amber": "Attic"})
    game.execute(Stay())
    assert game.execute(EndTurn()) == (TurnEnded(0),)


# ---- 5: walking -----------------------------------------------------------------------------------


def test_rule_05_one_walks_up_to_the_roll_orthogonally_and_need_not_use_it_up():
    game = make_game("classic", rolls={0: [3]})
    assert game.execute(Roll()) == (Rolled(0, (1, 2)),)
    assert ends(game) == {(16, 1), (16, 2), (16, 3), (15, 1), (15, 2)}
    assert game.execute(Move(CLASSIC.place((16, 1)))) == (Moved(0, CLASSIC.place((16, 1))),)


def test_rule_05_who_has_rolled_may_also_stay_put():
    game = make_game("classic", rolls={0: [7]}, pawns={"Scarlett": "Lounge"})
    game.execute(Roll())
    assert stay(game)
    assert pawn(game, "Scarlett") == "Lounge"


def test_rule_05_never_onto_or_through_a_pawn():
    free = make_game("classic", rolls={0: [4]}, pawns={"Scarlett": (1, 17)})
    free.execute(Roll())
    assert {(2, 17), (4, 17), (5, 17)} <= ends(free)
    blocked = make_game("classic", rolls={0: [4]}, pawns={"Scarlett": (1, 17), "Mustard": (2, 17)})
    blocked.execute(Roll())
    assert not ends(blocked) & {(2, 17), (4, 17), (5, 17)}
    assert (3, 17) in ends(blocked), "but round it, in four steps instead of two"


def test_rule_05_who_is_walled_in_by_pawns_can_only_stay():
    game = make_game("classic", rolls={0: [9]}, pawns={"Mustard": (16, 1)})
    game.execute(Roll())
    assert game.legal() == [Stay()]


def test_rule_05_any_number_of_pawns_fit_in_a_room():
    everybody = dict.fromkeys(CLASSIC.deck.names[:6], "Hall")
    game = make_game("classic", seats=6, pawns=everybody)
    assert {pawn(game, name) for name in everybody} == {"Hall"}


def test_rule_05_passing_a_door_in_costs_one_step():
    for roll, expected in [(2, False), (3, True)]:
        game = make_game("classic", rolls={0: [roll]}, pawns={"Scarlett": (17, 8 - 1)})
        game.execute(Roll())
        assert ("Lounge" in ends(game)) == (roll >= 2)
        game = make_game("classic", rolls={0: [roll]}, pawns={"Scarlett": (18, 7)})
        game.execute(Roll())
        assert ("Lounge" in ends(game)) == expected


def test_rule_05_passing_a_door_out_costs_one_step():
    game = make_game("classic", dice=1, rolls={0: [1]}, pawns={"Scarlett": "Hall"})
    game.execute(Roll())
    assert ends(game) == {(8, 4), (11, 7), (12, 7)}
    game = make_game("classic", dice=1, rolls={0: [2]}, pawns={"Scarlett": "Lounge"})
    game.execute(Roll())
    assert ends(game) == {(17, 6), (16, 6), (18, 6), (17, 7)}


def test_rule_05_from_door_to_door_costs_both_doors():
    for roll in (3, 4):
        game = make_game("classic", rolls={0: [roll]}, pawns={"Scarlett": "Lounge"})
        game.execute(Roll())
        assert ("Dining Room" in ends(game)) == (roll == 4)


def test_rule_05_entering_a_room_ends_the_walk_so_none_is_walked_through():
    game = make_game("classic", rolls={0: [6]}, pawns={"Scarlett": (8, 3)})
    game.execute(Roll())
    assert "Hall" in ends(game)
    assert not ends(game) & {(11, 7), (12, 7)}, "the other side of the Hall"
    go(game, "Hall")
    assert Move not in kinds(game)


def test_rule_05_the_room_left_in_a_move_is_not_entered_again_in_it():
    for roll in (2, 5, 9, 12):
        game = make_game("classic", rolls={0: [roll]}, pawns={"Scarlett": "Hall"})
        game.execute(Roll())
        assert "Hall" not in ends(game)
        with pytest.raises(IllegalCommand, match="rule 5"):
            game.execute(Move(CLASSIC.place("Hall")))


def test_rule_05_one_leaves_by_any_door_whose_square_is_free():
    game = make_game("classic", dice=1, rolls={0: [1]}, pawns={"Scarlett": "Hall", "Mustard": (11, 7)})
    game.execute(Roll())
    assert ends(game) == {(8, 4), (12, 7)}


def test_rule_05_who_finds_all_doors_blocked_cannot_leave_on_foot():
    game = make_game("classic", rolls={0: [8]}, pawns={"Scarlett": "Lounge", "Mustard": (17, 6)})
    assert SecretPassage in kinds(game)
    game.execute(Roll())
    assert game.legal() == [Stay()]
    assert stay(game), "and may still ask there"


def test_rule_05_nor_is_a_room_entered_by_a_blocked_door():
    game = make_game("classic", rolls={0: [12]}, pawns={"Scarlett": (17, 7), "Mustard": (17, 6)})
    game.execute(Roll())
    assert "Lounge" not in ends(game)


def test_rule_05_a_door_square_leads_into_its_own_room_only():
    game = make_game("classic", dice=1, rolls={0: [1]}, pawns={"Scarlett": (3, 11)})
    game.execute(Roll())
    assert {end for end in ends(game) if isinstance(end, str)} == {"Library"}


def test_rule_05_a_walk_out_of_reach_or_off_the_board_is_refused():
    game = make_game("classic", rolls={0: [2]})
    game.execute(Roll())
    for to, words in [
        (CLASSIC.place((16, 4)), "cannot be reached"),
        (0, "not a place"),
        (CLASSIC.places, "not a place"),
    ]:
        with pytest.raises(IllegalCommand, match=words):
            game.execute(Move(to))


# ---- 6: the hypothesis ----------------------------------------------------------------------------


def test_rule_06_a_hypothesis_is_made_only_in_a_room():
    game = make_game("classic", pawns={"Scarlett": (17, 6)})
    assert not stay(game)
    with pytest.raises(IllegalCommand, match=r"made in a room \(rule 6\)"):
        ask(game, "Plum", "Rope", "Lounge")


def test_rule_06_a_hypothesis_is_about_the_room_one_is_in():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    game.execute(Stay())
    asked = {command for command in game.legal() if isinstance(command, Hypothesis)}
    assert len(asked) == 36
    assert {CLASSIC.deck.names[command.room] for command in asked} == {"Lounge"}
    with pytest.raises(IllegalCommand, match="Lounge, not Hall"):
        ask(game, "Plum", "Rope", "Hall")


def test_rule_06_at_most_one_hypothesis_a_turn():
    game = make_game("classic", envelope=["Plum", "Rope", "Lounge"], pawns={"Scarlett": "Lounge"})
    game.execute(Stay())
    ask(game, "Plum", "Rope", "Lounge")
    with pytest.raises(IllegalCommand, match=r"only one hypothesis is allowed in a turn \(rule 6\)"):
        ask(game, "Green", "Rope", "Lounge")


def test_rule_06_the_named_pawn_and_weapon_are_moved_into_the_room():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    game.execute(Stay())
    ask(game, "Plum", "Rope", "Lounge")
    assert pawn(game, "Plum") == "Lounge", "a pawn that nobody plays, from its start"
    deck, lounge = CLASSIC.deck, CLASSIC.place("Lounge")
    weapons = list(game.view(1).weapons)
    assert weapons[deck.id("Rope") - deck.weapons[0]] == lounge
    assert weapons[deck.id("Dagger") - deck.weapons[0]] == CLASSIC.rooms_at + 1
    assert [pawn(game, name) for name in ("Mustard", "White")] == [(23, 7), (14, 24)]


def test_rule_06_a_pawn_drawn_off_a_square_frees_it():
    game = make_game("classic", pawns={"Scarlett": "Lounge", "Mustard": (17, 6)}, rolls={2: [12]})
    game.execute(Stay())
    ask(game, "Mustard", "Rope", "Lounge")
    next_turn_of(game, 0)
    game.execute(Roll())
    assert (17, 6) in ends(game)


def test_rule_06_naming_ones_own_cards_and_ones_own_suspect_is_allowed():
    deck = CLASSIC.deck
    own = ["Scarlett", "Rope", "Lounge"]
    envelope = deck.triple(["Plum", "Dagger", "Hall"])
    rest = [name for card, name in enumerate(deck.names) if name not in own and card not in envelope]
    game = make_game(
        "classic",
        hands=[own, rest[:8], rest[8:]],
        envelope=["Plum", "Dagger", "Hall"],
        pawns={"Scarlett": "Lounge"},
    )
    game.execute(Stay())
    happened = ask(game, *own)
    assert happened == (HypothesisMade(0, *deck.triple(own)), Passed(1), Passed(2))
    assert pawn(game, "Scarlett") == "Lounge"
    assert kinds(game) == {Accusation, EndTurn}


# ---- 7 and 8: a used-up room, and pawns that are drawn --------------------------------------------


def asked_in(room: str, board="classic", **options):
    """Seat 0 has asked in the room about a suspect that nobody plays, and it is its turn again."""
    game = make_game(board, pawns={"Scarlett": room, **options.pop("pawns", {})}, **options)
    assert stay(game)
    ask(game, "Plum", "Rope", room)
    next_turn_of(game, 0)
    return game


def test_rule_07_staying_is_not_enough_to_ask_again():
    game = asked_in("Lounge")
    assert not stay(game)
    with pytest.raises(IllegalCommand, match=r"already asked.*\(rule 7\)"):
        ask(game, "Green", "Rope", "Lounge")
    next_turn_of(game, 0)
    assert not stay(game), "however long one waits"


def test_rule_07_staying_after_a_roll_is_not_enough():
    game = asked_in("Lounge")
    game.execute(Roll())
    assert not stay(game)


def test_rule_07_walking_out_and_back_in_is_not_enough():
    game = asked_in("Lounge", rolls={0: [2, 12, 12]})
    go(game, (17, 6))
    next_turn_of(game, 0)
    go(game, "Lounge")
    assert not may_ask(game)


def test_rule_07_entering_another_room_on_foot_in_between_is_enough():
    game = asked_in("Lounge", rolls={0: [12, 12, 12]})
    go(game, "Dining Room")
    next_turn_of(game, 0)
    go(game, "Lounge")
    assert may_ask(game)


def test_rule_07_it_need_not_be_asked_in_the_other_room_and_that_room_is_not_used_up():
    game = asked_in("Lounge", rolls={0: [12]})
    go(game, "Dining Room")
    next_turn_of(game, 0)
    assert stay(game)


def test_rule_07_passing_through_a_passage_in_between_is_enough():
    game = asked_in("Lounge")
    game.execute(SecretPassage())
    assert may_ask(game)
    next_turn_of(game, 0)
    game.execute(SecretPassage())
    assert pawn(game, "Scarlett") == "Lounge"
    assert may_ask(game)


def test_rule_07_being_drawn_into_another_room_in_between_is_enough():
    game = asked_in("Lounge", pawns={"Mustard": "Hall"}, rolls={0: [12, 12]})
    finish_turn(game)
    game.execute(Stay())
    ask(game, "Scarlett", "Rope", "Hall")
    next_turn_of(game, 0)
    assert pawn(game, "Scarlett") == "Hall"
    go(game, "Lounge")
    assert may_ask(game)


def test_rule_07_being_drawn_into_the_same_room_from_outside_is_enough():
    game = asked_in("Lounge", pawns={"Mustard": "Lounge"}, rolls={0: [2]})
    go(game, (17, 7))
    finish_turn(game)
    game.execute(Stay())
    ask(game, "Scarlett", "Rope", "Lounge")
    next_turn_of(game, 0)
    assert stay(game)


def test_rule_07_being_named_by_another_while_inside_is_not_enough():
    game = asked_in("Lounge", pawns={"Mustard": "Lounge"})
    finish_turn(game)
    game.execute(Stay())
    ask(game, "Scarlett", "Rope", "Lounge")
    next_turn_of(game, 0)
    assert not stay(game)


def test_rule_07_naming_oneself_is_not_enough():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    game.execute(Stay())
    ask(game, "Scarlett", "Rope", "Lounge")
    next_turn_of(game, 0)
    assert not stay(game)


def test_rule_07_a_room_is_used_up_for_the_asker_alone():
    game = make_game("classic", pawns={"Scarlett": "Lounge", "Mustard": "Lounge"})
    game.execute(Stay())
    ask(game, "Plum", "Rope", "Lounge")
    finish_turn(game)
    assert stay(game)


def test_rule_07_a_room_entered_without_asking_is_not_used_up():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    assert stay(game)
    next_turn_of(game, 0)
    assert stay(game)


def test_rule_07_only_the_last_room_asked_in_is_used_up():
    game = asked_in("Lounge", rolls={0: [12, 12]})
    go(game, "Dining Room")
    ask(game, "Plum", "Rope", "Dining Room")
    next_turn_of(game, 0)
    go(game, "Lounge")
    assert may_ask(game)


def test_rule_08_who_was_drawn_by_another_may_stay_and_ask_at_once():
    game = make_game("classic", pawns={"Scarlett": "Lounge"})
    game.execute(Stay())
    ask(game, "White", "Rope", "Lounge")
    next_turn_of(game, 2)
    assert pawn(game, "White") == "Lounge"
    assert kinds(game) == {Roll, SecretPassage, Stay}
    assert stay(game)


def test_rule_08_drawn_again_and_again_one_may_ask_each_time():
    game = make_game("classic", pawns={"Scarlett": "Hall", "Mustard": "Study"}, rolls={0: [12] * 4})
    game.execute(Stay())
    ask(game, "Mustard", "Rope", "Hall")
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

HANDS = {
    "hands": [["Amber", "Attic"], ["Basil", "Bath"], ["Coral", "Ladle", "Cellar"], []],
    "envelope": ["Denim", "Shears", "Den"],
}


def table_of_four(**options):
    hands = [list(hand) for hand in HANDS["hands"]]
    hands[3] = ["Poker"]
    return make_game("tiny", hands=hands, envelope=HANDS["envelope"], **options)


def test_rule_09_those_before_the_shower_pass_in_clockwise_order():
    game = table_of_four(first=1, pawns={"Basil": "Attic"})
    game.execute(Stay())
    happened = ask(game, "Denim", "Shears", "Attic")
    assert happened[1:] == (Passed(2), Passed(3))
    assert game.state.to_act == 0
    assert game.legal() == [ShowCard(game.table.deck.id("Attic"))]


def test_rule_09_the_first_who_holds_one_must_show_even_if_others_hold_more():
    game = table_of_four(pawns={"Amber": "Bath"})
    game.execute(Stay())
    assert ask(game, "Coral", "Ladle", "Bath")[1:] == ()
    assert (game.state.to_act, game.legal()) == (1, [ShowCard(game.table.deck.id("Bath"))])


def test_rule_09_the_shower_chooses_exactly_one_of_those_named_and_held():
    game = table_of_four(pawns={"Amber": "Cellar"})
    game.execute(Stay())
    ask(game, "Coral", "Poker", "Cellar")
    deck = game.table.deck
    assert set(game.legal()) == {ShowCard(deck.id("Coral")), ShowCard(deck.id("Cellar"))}
    for wrong in ("Ladle", "Poker", "Basil"):
        with pytest.raises(IllegalCommand, match=r"named and that its player holds: Coral or Cellar \(rule 9\)"):
            show(game, wrong)
    assert show(game, "Coral") == (Shown(2, 0, deck.id("Coral")),)
    with pytest.raises(IllegalCommand, match=r"nothing to refute now \(rule 9\)"):
        show(game, "Cellar")
    assert (game.state.active, game.state.to_act) == (0, 0)


def test_rule_09_the_card_is_shown_to_the_asker_alone():
    game = table_of_four(pawns={"Amber": "Cellar"})
    game.execute(Stay())
    ask(game, "Coral", "Poker", "Cellar")
    show(game, "Coral")
    coral = game.table.deck.id("Coral")
    seen = {seat: (game.view(seat).card_shown, game.view(seat).events[-1]) for seat in range(4)}
    assert seen[0] == seen[2] == (coral, Shown(2, 0, coral))
    assert seen[1] == seen[3] == (None, Shown(2, 0, None))
    assert {game.view(seat).refuted_by for seat in range(4)} == {2}


def test_rule_09_nobody_may_be_able_to_show_and_the_asker_is_not_asked():
    game = table_of_four(first=1, pawns={"Basil": "Den"})
    game.execute(Stay())
    assert ask(game, "Basil", "Shears", "Den")[1:] == (Passed(2), Passed(3), Passed(0))
    assert game.view(1).refuted_by is None
    assert kinds(game) == {Accusation, EndTurn}


def test_rule_09_nothing_else_may_be_done_before_the_card_is_shown():
    game = table_of_four(pawns={"Amber": "Cellar"})
    game.execute(Stay())
    ask(game, "Coral", "Poker", "Cellar")
    for command in (EndTurn(), Accusation(*game.table.deck.triple(HANDS["envelope"])), Stay(), Roll()):
        with pytest.raises(IllegalCommand, match="has to be shown first"):
            game.execute(command)


# ---- 10: the accusation ---------------------------------------------------------------------------

TRUTH, LIE = ["Plum", "Wrench", "Kitchen"], ["Scarlett", "Rope", "Hall"]


def test_rule_10_one_accuses_at_the_end_of_ones_turn_and_not_before_the_move():
    game = make_game("classic")
    with pytest.raises(IllegalCommand, match="rule 10"):
        accuse(game, *TRUTH)
    game.execute(Roll())
    with pytest.raises(IllegalCommand, match="rule 10"):
        accuse(game, *TRUTH)
    game.execute(Stay())
    accuse(game, *TRUTH)
    assert game.over


@pytest.mark.parametrize("place", [(17, 7), "Lounge"])
def test_rule_10_from_anywhere_about_any_three_cards(place):
    game = make_game("classic", pawns={"Scarlett": place})
    game.execute(Stay())
    assert sum(isinstance(command, Accusation) for command in game.legal()) == 6 * 6 * 9
    deck = CLASSIC.deck
    for wrong in [(deck.rooms[0], deck.weapons[0], 0), (0, 0, deck.rooms[0]), (0, deck.weapons[0], 99)]:
        with pytest.raises(IllegalCommand, match="of this deck"):
            game.execute(Accusation(*wrong))


def test_rule_10_one_may_accuse_after_a_hypothesis():
    game = make_game("classic", envelope=["Plum", "Rope", "Lounge"], pawns={"Scarlett": "Lounge"})
    game.execute(Stay())
    ask(game, "Plum", "Rope", "Lounge")
    assert accuse(game, "Plum", "Rope", "Lounge")[0].correct


def test_rule_10_a_right_accusation_wins_and_nothing_follows():
    game = make_game("classic", first=1)
    game.execute(Stay())
    assert accuse(game, *TRUTH) == (Accused(1, *CLASSIC.deck.triple(TRUTH), True),)
    assert game.result == Result(1, "solved", 1)
    assert game.legal() == []
    for command in (EndTurn(), Roll(), Stay(), Accusation(*CLASSIC.deck.triple(TRUTH))):
        with pytest.raises(IllegalCommand, match="over"):
            game.execute(command)


def test_rule_10_a_wrong_accusation_eliminates_and_only_the_end_of_the_turn_follows():
    game = make_game("classic")
    game.execute(Stay())
    assert accuse(game, *LIE) == (Accused(0, *CLASSIC.deck.triple(LIE), False),)
    assert game.view(2).eliminated == 1
    with pytest.raises(IllegalCommand, match="wrong accusation the turn can only end"):
        accuse(game, *TRUTH)
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
        game.execute(Stay())
        accuse(game, *LIE)
        game.execute(EndTurn())
    for _ in range(3):
        assert game.state.active == 2
        pass_turn(game)
    assert game.state.turn == 6


def test_rule_10_an_eliminated_player_still_shows_cards():
    game = table_of_four(first=1, pawns={"Coral": "Cellar"})
    game.execute(Stay())
    accuse(game, "Amber", "Ladle", "Attic")
    game.execute(EndTurn())
    game.execute(Stay())
    ask(game, "Basil", "Shears", "Cellar")
    assert (game.state.to_act, game.state.active) == (1, 2)
    show(game, "Basil")
    assert game.view(2).card_shown == game.table.deck.id("Basil")


def test_rule_10_a_pawn_on_a_door_square_goes_into_that_room_and_blocks_nobody():
    names = ["Mustard", "Scarlett", "White"]
    game = make_game("classic", suspects=names, pawns={"Mustard": "Lounge", "Scarlett": (17, 6)}, rolls={0: [2]})
    pass_turn(game)
    game.execute(Stay())
    accuse(game, *LIE)
    assert pawn(game, "Scarlett") == "Lounge"
    next_turn_of(game, 0)
    game.execute(Roll())
    assert (17, 6) in ends(game)


@pytest.mark.parametrize("place", [(17, 7), "Hall"])
def test_rule_10_any_other_pawn_of_an_eliminated_player_stays_where_it_is(place):
    game = make_game("classic", pawns={"Scarlett": place})
    game.execute(Stay())
    accuse(game, *LIE)
    assert pawn(game, "Scarlett") == place


def test_rule_10_a_right_accusation_on_a_door_square_moves_no_pawn():
    game = make_game("classic", pawns={"Scarlett": (17, 6)})
    game.execute(Stay())
    accuse(game, *TRUTH)
    assert pawn(game, "Scarlett") == (17, 6)


def test_rule_10_the_pawn_of_an_eliminated_player_is_still_drawn():
    game = make_game("classic", pawns={"Mustard": "Lounge"})
    game.execute(Stay())
    accuse(game, *LIE)
    game.execute(EndTurn())
    game.execute(Stay())
    ask(game, "Scarlett", "Dagger", "Lounge")
    assert pawn(game, "Scarlett") == "Lounge"


def test_rule_10_all_learn_that_these_three_are_wrong_and_nothing_of_the_envelope():
    game = make_game("classic")
    game.execute(Stay())
    accuse(game, *LIE)
    assert {game.view(seat).events[-1] for seat in range(3)} == {Accused(0, *CLASSIC.deck.triple(LIE), False)}


# ---- 11: the end ----------------------------------------------------------------------------------


def test_rule_11_all_eliminated_is_unsolved():
    game = make_game("classic")
    for _ in range(3):
        assert game.result is None
        game.execute(Stay())
        accuse(game, *LIE)
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


def test_rule_11_the_last_turn_is_played_out_and_may_win_or_lose_all():
    game = make_game("classic", max_turns=1)
    game.execute(Stay())
    accuse(game, *TRUTH)
    assert game.result == Result(0, "solved", 1)
    game = make_game("classic", max_turns=3)
    for _ in range(3):
        game.execute(Stay())
        accuse(game, *LIE)
        game.execute(EndTurn())
    assert game.result.reason == "unsolved"


def test_rule_11_the_default_limit_is_a_thousand_turns():
    assert Rules().max_turns == 1000
    game = make_game()
    while not game.over:
        pass_turn(game)
    assert game.result == Result(None, "unfinished", 1000)


@pytest.mark.parametrize("manner", MANNERS)
def test_rule_11_a_game_always_ends(manner):
    for seed in range(3):
        game = drawn_game(board_of("tiny"), 4, seed, max_turns=300)
        play_random(game, Random(seed), manner)
        assert game.over
        assert game.result.turns <= 300


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
    assert set(game.legal()) == {Stay()} | {
        Move(CLASSIC.place(room.name)) for room in CLASSIC.map.rooms if room.name != "Lounge"
    }
    for command in (Roll(), SecretPassage(), Move(CLASSIC.place("Lounge")), Move(CLASSIC.starts[0])):
        with pytest.raises(IllegalCommand, match=r"\(rule 12\)"):
            game.execute(command)
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
