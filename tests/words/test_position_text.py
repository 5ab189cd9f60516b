"""Positions in words, where editions bring something new."""

from __future__ import annotations

import pytest

from cluedo.ai.knowledge import read_case_log
from cluedo.engine.board import Board
from cluedo.words.position_text import entry_sentences, position_text

LOG = {
    "map": "tiny",
    "rules": {"pool": 2, "peek": True, "wrong_shows_hand": True},
    "players": [{"name": "Ann", "cards": 2}, {"name": "Bob", "cards": 2}, {"name": "Cy", "cards": 2}],
    "me": "Ann",
    "hand": ["Amber", "Ladle"],
}


def told(*events, **more):
    return entry_sentences(read_case_log({**LOG, **more, "events": list(events)}, Board.load))


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
    accuses, shows = told(wrong, shown)
    assert accuses == "Bob accuses: Coral, Shears, Den. That is wrong."
    assert shows == "Bob lays their hand open: Basil, Attic."


def test_the_rules_and_what_lies_open_stand_before_ones_own_hand():
    rules = {"leftover": "open"}
    players = [{"name": name, "cards": 2} for name in ("Ann", "Bob", "Cy")]
    log = read_case_log(
        {**LOG, "rules": rules, "players": players, "open": ["Bath", "Poker"], "events": []}, Board.load
    )
    lines = position_text(log).splitlines()
    at = lines.index("Cards that do not go round evenly lie open on the table.")
    assert lines[at + 1 : at + 3] == ["Face up for all: Poker and Bath.", "You are Ann and hold Amber, Ladle."]
