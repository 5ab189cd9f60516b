"""The rules of editions in words."""

from __future__ import annotations

import pytest

from cluedo.engine.editions import shipped_editions
from cluedo.engine.rules import Rules
from cluedo.session.house_rules import rules_told

TOLD = {
    "dice": 1,
    "movement": "free",
    "pool": 4,
    "leftover": "open",
    "own_cards": "not_all",
    "accuse_in": "room",
    "wrong_shows_hand": True,
    "refuters": "all",
    "starts": "first_suspect",
}


def test_the_rules_of_the_box_need_no_words():
    assert rules_told(Rules()) == []
    assert rules_told(Rules(max_turns=5)) == []


@pytest.mark.parametrize(("key", "value"), TOLD.items())
def test_each_rule_has_its_sentence(key, value):
    (told,) = rules_told(Rules(**{key: value}))
    assert told.endswith(".")


def test_an_edition_is_told_in_the_order_of_its_rules():
    told = rules_told(Rules(pool=4, peek=True, starts="first_suspect"))
    assert told == [
        "4 cards lie face down beside the board, in the pool.",
        "A player whose question nobody answers may look at one card of the pool, alone, and puts it back.",
        "The player whose suspect comes first on the map starts.",
    ]
    assert rules_told(Rules(dice=1)) == ["1 die with 6 sides is thrown."]


def test_every_shipped_edition_but_the_usual_one_has_something_to_tell():
    assert [edition.name for edition in shipped_editions() if not rules_told(edition.rules)] == ["classic"]
