"""The rules in words: all by number, and those of editions."""

from __future__ import annotations

import re

import pytest
from helpers.editions import ALL_RULES

from cluedo.engine import rules as the_rules
from cluedo.engine.editions import shipped_editions
from cluedo.engine.rules import Rules
from cluedo.words.rule_text import numbered_rules, rule_sentences

TOLD = {"dice": 1, "movement": "free"} | {key: value for key, value in ALL_RULES.items() if key != "peek"}
"""By key, a value that is told; a look into the pool needs one."""


def test_the_rules_are_told_by_the_numbers_that_messages_refer_to():
    names = re.findall(r"^(\d+)\. +\*(.+?)\*", the_rules.__doc__, re.MULTILINE)
    box, editions = numbered_rules()
    told = box + editions
    assert [int(number) for number, _ in names] == [*range(1, len(told) + 1)]
    for number, word in {6: "hypothesis", 7: "next one", 10: "accuse", 15: "look", 17: "accuse", 20: "starts"}.items():
        assert word in told[number - 1]


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
