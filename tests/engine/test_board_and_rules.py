"""The board and the rules of games, from what a caller in Python gives for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluedo.engine.board import Board
from cluedo.engine.board_and_rules import AnyBoard, AnyRules, board_and_rules
from cluedo.engine.editions import Edition
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import MapFile
from cluedo.engine.rules import BOX_RULES, Rules

TINY = Path("cluedo/maps/tiny.json").resolve()


@pytest.mark.parametrize("board", ["tiny", TINY, str(TINY), MapFile.load("tiny"), Board.load("tiny")])
def test_a_board_has_a_name_a_path_or_is_given_itself_and_is_played_by_the_rules_of_the_box(board):
    found, rules = board_and_rules(board, None, 3)
    assert (found.map.name, rules) == ("tiny", BOX_RULES)


def test_a_board_that_is_given_is_taken_as_it_is():
    board = Board.load("tiny")
    assert board_and_rules(board, None, 3)[0] is board


def test_a_board_is_made_once_as_long_as_its_file_does_not_change(tmp_path):
    file = tmp_path / "own.json"
    file.write_bytes(TINY.read_bytes())
    before = Board.load(file)
    assert (Board.load(str(file)) is before, Board.load("tiny") is Board.load("tiny")) == (True, True)
    file.write_text(TINY.read_text(encoding="utf-8").replace('"title": "', '"title": "Own '), encoding="utf-8")
    assert Board.load(file).title == f"Own {before.title}"


def test_an_edition_has_its_board_and_its_rules(tmp_path):
    edition = Edition.load("speedclue")
    file = tmp_path / "own.toml"
    file.write_text('format = 1\nname = "own"\ntitle = "Our own"\nmap = "tiny"\n[rules]\ndice = 1\n', encoding="utf-8")
    for given in ("speedclue", edition):
        board, rules = board_and_rules(given, None, 3)
        assert (board.map.name, rules) == (edition.map, edition.rules)
    for given in (file, str(file)):
        board, rules = board_and_rules(given, None, 3)
        assert (board.map.name, rules.dice) == ("tiny", 1)


def test_rules_are_all_of_them_or_those_that_differ():
    one = Rules(dice=1)
    assert board_and_rules("tiny", one, 3)[1] is one
    assert board_and_rules("tiny", {"dice": 1}, 3)[1] == one
    usual = Edition.load("speedclue").rules
    assert board_and_rules("speedclue", {"max_turns": 7}, 3)[1] == usual.model_copy(update={"max_turns": 7})


@pytest.mark.parametrize(
    ("told", "board", "rules", "players"),
    [
        ("no board or edition is called 'tony'; did you mean 'tiny'", "tony", None, 3),
        ("a board is a name, a path, a Board, a MapFile or an Edition, not 7", 7, None, 3),
        ("rules are a Rules or a dict of those that differ, not", "tiny", [("dice", 1)], 3),
        ("there is no rule 'dices'; did you mean 'dice'?", "tiny", {"dices": 1}, 3),
        ("Cluedo is played by 2 to 10 players, not 11", "tiny", None, 11),
        ("the edition 'speedclue' is for 3 to 6 players, not 2", "speedclue", None, 2),
        ("5 players are too many for the 4 suspects of this map", "tiny", None, 5),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(told: str, board: AnyBoard, rules: AnyRules, players: int):
    with pytest.raises(CluedoError) as error:
        board_and_rules(board, rules, players)
    assert told in str(error.value)
