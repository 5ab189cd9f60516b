"""Rules and positions in words, where editions bring something new."""

from __future__ import annotations

import re

import pytest
from helpers.support import board_of

from cluedo.ai.knowledge import read_case_log
from cluedo.engine import rules as the_rules
from cluedo.engine.editions import shipped_editions
from cluedo.engine.rules import Rules
from cluedo.words.exercise_text import entry_sentences, numbered_rules, position_text, rule_sentences

LOG = {
    "map": "tiny",
    "rules": {"pool": 2, "peek": True, "wrong_shows_hand": True},
    "players": [{"name": "Ann", "cards": 2}, {"name": "Bob", "cards": 2}, {"name": "Cy", "cards": 2}],
    "me": "Ann",
    "hand": ["Amber", "Ladle"],
}


def told(*events, **more):
    return entry_sentences(read_case_log({**LOG, **more, "events": list(events)}, board_of))


def test_the_rules_are_told_by_the_numbers_that_messages_refer_to():
    names = re.findall(r"^(\d+)\. +\*(.+?)\*", the_rules.__doc__, re.MULTILINE)
    box, editions = numbered_rules()
    told = box + editions
    assert [int(number) for number, _ in names] == [*range(1, len(told) + 1)]
    for number, word in [
        (6, "hypothesis"),
        (7, "next one"),
        (10, "accuse"),
        (15, "look"),
        (17, "accuse"),
        (20, "starts"),
    ]:
        assert word in told[number - 1]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"by": "Ann", "peek": 1, "card": "Bath"}, "You look at card 2 of the pool: Bath."),
        ({"by": "Bob", "peek": 0}, "Bob looks at card 1 of the pool."),
        ({"by": "Ann", "peek": None, "card": "Bath"}, "You look at a card of the pool: Bath."),
        ({"by": "Bob", "peek": None}, "Bob looks at a card of the pool."),
    ],
)
def test_a_look_into_the_pool_is_told_as_far_as_it_is_known(event, sentence):
    asked = {"by": event["by"], "hypothesis": ["Coral", "Shears", "Den"], "refuted_by": None}
    assert told(asked, event)[1] == sentence


def test_a_hand_laid_open_is_told_card_by_card():
    wrong = {"by": "Bob", "accusation": ["Coral", "Shears", "Den"], "correct": False}
    shown = {"by": "Bob", "hand": ["Basil", "Attic"]}
    assert told(wrong, shown) == [
        "Bob accuses: Coral, Shears, Den. That is wrong.",
        "Bob lays their hand open: Basil, Attic.",
    ]


def test_the_rules_and_what_lies_open_stand_before_ones_own_hand():
    rules = {"leftover": "open"}
    players = [{"name": name, "cards": 2} for name in ("Ann", "Bob", "Cy")]
    log = read_case_log({**LOG, "rules": rules, "players": players, "open": ["Bath", "Poker"], "events": []}, board_of)
    lines = position_text(log).splitlines()
    at = lines.index("Cards that do not go round evenly lie open on the table.")
    assert lines[at + 1 : at + 3] == ["Face up for all: Poker and Bath.", "You are Ann and hold Amber, Ladle."]


# ---- the rules of editions in words ------------------------------------------------------------

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
    assert rule_sentences(Rules()) == []
    assert rule_sentences(Rules(max_turns=5)) == []


@pytest.mark.parametrize(("key", "value"), TOLD.items())
def test_each_rule_has_its_sentence(key, value):
    (told,) = rule_sentences(Rules(**{key: value}))
    assert told.endswith(".")


def test_an_edition_is_told_in_the_order_of_its_rules():
    told = rule_sentences(Rules(pool=4, peek=True, starts="first_suspect"))
    assert told == [
        "4 cards lie face down beside the board, in the pool.",
        "A player whose question nobody answers may look at one card of the pool, alone, and puts it back.",
        "The player whose suspect comes first on the map starts.",
    ]
    assert rule_sentences(Rules(dice=1)) == ["1 die with 6 sides is thrown."]


def test_every_shipped_edition_but_the_usual_one_has_something_to_tell():
    assert [edition.name for edition in shipped_editions() if not rule_sentences(edition.rules)] == ["classic"]
