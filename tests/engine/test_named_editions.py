"""Editions by name: each is a map and rules that fit together, and one's own is a TOML file."""

from __future__ import annotations

import pytest
from helpers.support import drawn_game

from cluedo.engine.board import Board
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.errors import SetupError
from cluedo.engine.rules import Rules

EDITIONS = {edition.name: edition for edition in shipped_editions()}


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_can_be_dealt_to_the_fewest_and_the_most_that_it_is_made_for(name):
    edition = EDITIONS[name]
    assert edition.title
    for seats in set(edition.players):
        game = drawn_game(Board.load(edition.map), seats, seed=1, **edition.rules.model_dump())
        deal = game.state.deal
        cards = sum(hand.bit_count() for hand in deal.hands) + len(deal.pool) + deal.open_cards.bit_count()
        assert cards == Board.load(edition.map).deck.size - 3


def test_what_the_editions_are_known_for_is_in_their_rules():
    assert EDITIONS["classic"].rules == Rules()
    assert EDITIONS["clue"].rules.dice == 1
    assert (EDITIONS["two"].players, EDITIONS["two"].rules.pool, EDITIONS["two"].rules.peek) == ((2, 2), 4, True)
    assert EDITIONS["discover"].rules.leftover == "pool"
    assert EDITIONS["master"].rules.refuters == "all"
    assert EDITIONS["master"].players == (3, 10)
    assert {EDITIONS[name].rules.starts for name in ("cluedo", "clue", "manoir")} == {"first_suspect"}


def test_a_rule_beside_an_edition_overrides_its_own_and_leaves_the_others():
    rules = Rules.from_options(["peek=false", "dice=1"], EDITIONS["two"].rules)
    assert (rules.pool, rules.peek, rules.dice) == (4, False, 1)


def test_the_usual_line_up_is_as_long_as_may_play():
    assert EDITIONS["two"].line_up("easy,easy,medium,medium") == "easy,medium"
    assert EDITIONS["classic"].line_up("human,easy,medium,medium") == "human,easy,medium,medium"


def test_the_rules_are_told_as_they_are_set():
    assert EDITIONS["two"].rules_text == "pool=4, peek=true"
    assert EDITIONS["classic"].rules_text == ""


def own(folder, text):
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_edition_of_ones_own_has_its_map_beside_it(tmp_path):
    path = own(tmp_path, 'title = "Ours"\nmap = "house.json"\nplayers = [2, 4]\n[rules]\npool = 4\n')
    edition = Edition.load(path)
    assert (edition.map, edition.players, edition.rules.pool) == (str(tmp_path / "house.json"), (2, 4), 4)
    assert Edition.load(own(tmp_path, 'map = "tiny"')).map == "tiny"


def test_without_an_edition_the_rules_are_those_of_the_box():
    chosen = Edition.chosen(None, "tiny")
    assert (chosen.map, chosen.rules) == ("tiny", Rules())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("map = ", "not TOML: "),
        ("", "map: is missing"),
        ('map = "tiny"\nrule = 1', "there is no key 'rule'; did you mean 'rules'?"),
        ('map = "tiny"\n[rules]\npool = -1', "rules.pool: must be 0 or more"),
        ('map = "tiny"\n[rules]\npeek = true', "rules: peek: there is no pool to look into"),
        ('map = "tiny"\nplayers = [1, 3]', "players[0]: must be 2 or more"),
        ('map = "tiny"\nplayers = [4, 3]', "players: the fewest, 4, are more than the most, 3"),
        ('map = "tiny"\nformat = 2', "format 2 is newer than this program knows (it reads 1)"),
    ],
)
def test_a_file_that_is_no_edition_is_refused_in_a_sentence(tmp_path, text, told):
    with pytest.raises(SetupError) as refused:
        Edition.load(own(tmp_path, text))
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_unknown_name_shows_the_nearest(tmp_path):
    with pytest.raises(SetupError, match=r"no edition is called 'mastr'; did you mean 'master'\? known: classic"):
        Edition.load("mastr")
    with pytest.raises(SetupError, match="no edition is called 'None'"):
        Edition.load(None)
    with pytest.raises(SetupError, match=r"no\.toml: cannot be read: No such file"):
        Edition.load(tmp_path / "no.toml")
