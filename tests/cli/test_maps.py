"""``cluedo maps new``: from a table and from questions."""

from __future__ import annotations

import io
import json

import pytest

from cluedo.engine.mapfile import MapFile

NAMES = "kind,name\n" + "".join(
    f"{kind},{kind} {k}\n" for kind, count in (("suspect", 4), ("weapon", 3), ("room", 5)) for k in range(count)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "names.csv").write_text(NAMES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def typed(monkeypatch):
    """Say what is typed."""
    return lambda *lines: monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_table_becomes_a_map_that_can_be_shown_and_played(cluedo, folder):
    code, out, _ = cluedo("maps", "new", "villa.json", "--names", "names.csv", "--title", "The villa")
    assert code == 0
    assert out.splitlines() == [
        "The map is villa.json. Next:",
        "    cluedo maps show villa.json",
        "    cluedo play --map villa.json",
    ]
    assert MapFile.load("villa.json").title == "The villa"
    assert cluedo("maps", "show", "villa.json")[0] == 0
    code, out, _ = cluedo(
        "autoplay", "--map", "villa.json", "--players", "easy,easy,random", "--games", 3, "--workers", 1
    )
    assert code == 0
    assert "3 games" in out


def test_a_deck_alone_is_said_to_be_played_freely(cluedo, folder):
    _, out, _ = cluedo("maps", "new", "cards.json", "--names", "names.csv", "--board", "none")
    assert out.splitlines()[-1] == "    cluedo play --map cards.json --rule movement=free"


def test_nothing_is_overwritten(cluedo, folder):
    (folder / "mine.json").write_text("mine", encoding="utf-8")
    code, _, err = cluedo("maps", "new", "mine.json", "--names", "names.csv")
    assert (code, err) == (2, "cluedo: mine.json exists already and is not overwritten\n")
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
def test_what_cannot_be_made_is_one_sentence_and_no_file(cluedo, folder, arguments, told):
    code, _, err = cluedo("maps", "new", *arguments)
    assert code == 2
    assert told in err
    assert [path.name for path in folder.iterdir()] == ["names.csv"]


def test_the_questions_are_asked_again_until_they_can_be_answered(cluedo, folder, typed):
    typed(
        "Old mill",
        "Ann, Bob", "Ann, Bob = Robert = Bobby, Cy",
        "Rope, Ann, Sack", "Rope, Stone, Sack",
        "Mill, Barn, Yard",
        "no.txt", "",
    )  # fmt: skip
    code, out, _ = cluedo("maps", "new", "mill.json")
    assert code == 0
    assert "suspects: there are 2; 3 or more are needed" in out
    assert "he card name 'Ann' stands already" in out
    assert "Grid no.txt: cannot be read" in out
    data = json.loads((folder / "mill.json").read_text(encoding="utf-8"))
    assert data["title"] == "Old mill"
    assert data["suspects"][1]["aliases"] == ["Robert", "Bobby"]
    assert "grid" in data


def test_what_is_told_on_the_command_line_is_not_asked(cluedo, folder, typed):
    typed("Ann, Bob, Cy", "Rope, Stone, Sack", "Mill, Barn, Yard")
    assert cluedo("maps", "new", "mill.json", "--title", "Mill", "--board", "none")[0] == 0


def test_an_input_that_ends_leaves_no_file(cluedo, folder, typed):
    typed("Old mill", "Ann, Bob, Cy")
    code, _, err = cluedo("maps", "new", "mill.json")
    assert (code, err) == (2, "cluedo: the input ended before the map was described; nothing is written\n")
    assert not (folder / "mill.json").exists()
