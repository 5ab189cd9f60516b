"""Cards by id and by name, sets of cards as masks."""

from __future__ import annotations

import pytest

from cluedo.engine.board import Board
from cluedo.engine.cards import Category, Deck, UnknownCard, bits, closest
from cluedo.engine.errors import CluedoError

DECK = Board.load("classic").deck


def test_ids_count_suspects_then_weapons_then_rooms_in_the_maps_order():
    assert [DECK.names[ids[0]] for ids in DECK.ids] == ["Scarlett", "Candlestick", "Study"]
    assert (DECK.suspects, DECK.weapons, DECK.rooms) == (range(6), range(6, 12), range(12, 21)) == DECK.ids
    assert [DECK.category(card) for card in (0, 5, 6, 11, 12, 20)] == [0, 0, 1, 1, 2, 2]


def test_masks_are_the_sets_of_the_categories():
    assert [list(bits(mask)) for mask in DECK.masks] == [list(ids) for ids in DECK.ids]
    assert sum(DECK.masks) == DECK.all
    assert list(bits(0)) == []


def test_a_complement_by_itself_is_no_mask():
    hand = DECK.mask(["Rope", "Hall"])
    with pytest.raises(CluedoError, match=f"a mask is 0 or more, not {~hand}: all cards but some are"):
        DECK.names_in(~hand)
    assert len(DECK.names_in(DECK.all & ~hand)) == DECK.size - 2


def test_a_mask_of_other_cards_is_refused():
    with pytest.raises(CluedoError, match=f"a mask of these 21 cards is at most {DECK.all}, not {1 << 40}"):
        DECK.names_in(1 << 40)


def test_every_name_leads_back_to_its_id():
    for card, name in enumerate(DECK.names):
        assert DECK.id(name) == card
        assert DECK.id(name, DECK.category(card)) == card
    assert DECK.triple(["Plum", "Rope", "Hall"]) == (DECK.id("Plum"), DECK.id("Rope"), DECK.id("Hall"))
    assert DECK.names_in(DECK.mask(["Hall", "Plum"])) == ["Plum", "Hall"]


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(UnknownCard, match="no card is called 'Plumm'; did you mean 'Plum'"):
        DECK.id("Plumm")
    with pytest.raises(UnknownCard, match=r"no weapon is called 'Plum'; .*Candlestick"):
        DECK.id("Plum", Category.WEAPON)
    for names in (["Plum", "Rope"], ["Rope", "Plum", "Hall"], [], 5, None):
        with pytest.raises(UnknownCard):
            DECK.triple(names)


def test_the_nearest_name_is_found_whatever_the_case_and_none_is_guessed_from_afar():
    assert closest("ROPE", ["Rope", "Hall"]).startswith("did you mean 'Rope'?")
    assert closest("xyz", ["Rope", "Hall"]) == "known: Rope, Hall"


def test_a_deck_with_two_cards_of_one_name_is_refused():
    with pytest.raises(CluedoError, match="same name"):
        Deck(["A", "B", "C"], ["D", "E", "F"], ["G", "H", "A"])
    with pytest.raises(CluedoError, match="same name"):
        Deck(["Zo\u00e9", "B", "C"], ["D", "E", "F"], ["G", "H", "Zoe\u0301"])


def test_decks_are_equal_when_their_cards_are():
    one, two = (Deck("ABC", "DEF", "GHI") for _ in range(2))
    assert one == two
    assert hash(one) == hash(two)
    assert one != Deck("ABC", "DEFG", "HI")
    assert one != "ABC"
    assert repr(one) == "Deck(3 suspects, 3 weapons, 3 rooms)"
