"""Rules 1 to 3: who plays, what is dealt, and who starts; the number in a test's name is the rule's."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from helpers.support import board_from, drawn_game, ends, house, make_game, pass_turn

from cluedo.engine.board import Board
from cluedo.engine.commands import Roll
from cluedo.engine.deal import Seeds, check_seats, draw_deal
from cluedo.engine.errors import SetupError
from cluedo.engine.rules import Rules

CLASSIC = Board.load("classic")


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
        check_seats(Board.load("tiny").deck, Rules(), 5)


def test_rule_01_each_player_takes_a_suspect_of_their_own():
    game = make_game("classic", suspects=["Plum", "White", "Mustard"])
    assert [game.table.name(seat) for seat in range(3)] == ["Plum", "White", "Mustard"]
    seats = [game.table.seat_of[CLASSIC.deck.id(name)] for name in ("Scarlett", "Mustard", "White", "Plum")]
    assert seats == [-1, 2, 1, 0]
    numbers = check_seats(CLASSIC.deck, Rules(), 3, np.array([3, 1, 2]))
    assert [(number, type(number)) for number in numbers] == [(3, int), (1, int), (2, int)]
    for wrong in ([0, 0, 1], [0, 1], [0, 1, 2, 3], [0, 1, CLASSIC.deck.weapons[0]], [0.0, 1.0, 2.0], ["Plum", 1, 2]):
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
