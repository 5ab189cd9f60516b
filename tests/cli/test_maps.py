"""``cluedo maps new``: from a table and from questions."""

from __future__ import annotations

import json

import pytest
from helpers.command_line import complaint, ran, run

from cluedo.engine.mapfile import MapFile

NAMES = "kind,name\n" + "".join(
    f"{kind},{kind} {k}\n" for kind, count in (("suspect", 4), ("weapon", 3), ("room", 5)) for k in range(count)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "names.csv").write_text(NAMES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_table_becomes_a_map_that_can_be_shown_and_played(folder):
    assert run("maps", "new", "villa.json", "--names", "names.csv", "--title", "The villa").splitlines() == [
        "The map is villa.json. Next:",
        "    cluedo maps show villa.json",
        "    cluedo play --map villa.json",
    ]
    assert MapFile.load("villa.json").title == "The villa"
    run("maps", "show", "villa.json")
    assert "3 games" in run("autoplay", "--map", "villa.json", "--players", "easy,easy,random", "--games", 3)


def test_a_deck_alone_is_said_to_be_played_freely(folder):
    out = run("maps", "new", "cards.json", "--names", "names.csv", "--board", "none")
    assert out.splitlines()[-1] == "    cluedo play --map cards.json --rule movement=free"


def test_nothing_is_overwritten(folder):
    (folder / "mine.json").write_text("mine", encoding="utf-8")
    told = complaint("maps", "new", "mine.json", "--names", "names.csv")
    assert told == "mine.json exists already and is not overwritten"
    assert (folder / "mine.json").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["villa.txt"], "villa.txt: the name of a map file ends in .json"),
        (["villa.json", "--names", "no.csv"], "names no.csv: cannot be read: No such file or directory"),
        (["villa.json", "--names", "names.csv", "--board", "no.txt"], "grid no.txt: cannot be read: No such file"),
        (["no/villa.json", "--names", "names.csv"], "no/villa.json cannot be written: No such file or directory"),
    ],
)
def test_what_cannot_be_made_is_one_sentence_and_no_file(folder, arguments, told):
    assert told in complaint("maps", "new", *arguments)
    assert [path.name for path in folder.iterdir()] == ["names.csv"]


def test_the_questions_are_asked_again_until_they_can_be_answered(folder):
    suspects, weapons = ["Ann, Bob", "Ann, Bob = Robert = Bobby, Cy"], ["Rope, Ann, Sack", "Rope, Stone, Sack"]
    lines = ["Old mill", *suspects, *weapons, "Mill, Barn, Yard", "no.txt", "\n"]
    out = run("maps", "new", "mill.json", typed="\n".join(lines))
    assert "suspects: there are 2; 3 or more are needed" in out
    assert "he card name 'Ann' stands already" in out
    assert "Grid no.txt: cannot be read" in out
    data = json.loads((folder / "mill.json").read_text(encoding="utf-8"))
    assert data["title"] == "Old mill"
    assert data["suspects"][1]["aliases"] == ["Robert", "Bobby"]
    assert "grid" in data


def test_what_is_told_on_the_command_line_is_not_asked(folder):
    lines = "Ann, Bob, Cy\nRope, Stone, Sack\nMill, Barn, Yard\n"
    run("maps", "new", "mill.json", "--title", "Mill", "--board", "none", typed=lines)


def test_an_input_that_ends_leaves_no_file(folder):
    done = ran("maps", "new", "mill.json", typed="Old mill\nAnn, Bob, Cy\n")
    assert str(done.error) == "the input ended before the map was described; nothing is written"
    assert not (folder / "mill.json").exists()
