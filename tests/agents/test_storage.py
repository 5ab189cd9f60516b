"""What is kept by id: bounded in number, the oldest given up, and found again by another process."""

from __future__ import annotations

import pytest

from cluedo.agents import storage as module
from cluedo.agents.storage import Opened, Storage, StoredById
from cluedo.agents.tools import TOOLS
from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase

MISSING = Phrase("no note {name!r} among {most}")


@pytest.fixture
def notes(tmp_path, monkeypatch):
    """Makes shelves of notes, each as a process of its own would have it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(module, "MOST_FILES", 5)
    monkeypatch.setattr(module, "MOST_IN_MEMORY", 2)
    monkeypatch.setattr(module, "latest_files", lambda folder: sorted(folder.glob("*.json"), key=_number, reverse=True))
    return lambda: StoredById("note", MISSING, _read)


def _read(path):
    text = path.read_text()
    return Opened(text, lambda: path.read_text() != text)


def _number(path):
    return int(path.read_text())


def begin(shelf, number):
    def write(path):
        path.write_text(str(number))
        return _read(path)

    return shelf.begin(write)[0]


def test_of_too_many_the_oldest_are_given_up(notes, tmp_path):
    shelf = notes()
    names = [begin(shelf, number) for number in range(8)]
    for name in names[:3]:
        with pytest.raises(CluedoError, match=f"no note '{name}' among 5"):
            shelf.get(name)
    assert [shelf.get(name) for name in names[3:]] == list("34567")
    assert len(list((tmp_path / "cluedo" / "agents").iterdir())) == 5


def test_one_that_is_no_longer_in_memory_is_read_again(notes):
    shelf = notes()
    names = [begin(shelf, number) for number in range(4)]
    assert len(shelf._open) == 2
    assert shelf.get(names[0]) == "0"
    assert list(shelf._open) == [names[3], names[0]]


def test_another_process_finds_it(notes):
    name = begin(notes(), 7)
    assert notes().get(name) == "7"


def test_what_another_process_has_written_meanwhile_is_read_again(notes, tmp_path):
    shelf = notes()
    name = begin(shelf, 7)
    (tmp_path / "cluedo" / "agents" / f"{name}.json").write_text("8")
    assert shelf.get(name) == "8"


def test_two_processes_enter_into_one_case(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    one, other = Storage(), Storage()
    hand = ["Plum", "Rope", "Study", "Wrench", "Dagger", "Green"]
    told = {"players": ["Ann", "Bob", "Cy"], "me": "Ann", "hand": hand, "map": "classic"}
    case = TOOLS["open_case"].model_validate(told).answer(one)["case"]
    for storage, line in ((other, "bob plum rope hall, cy"), (one, "cy white revolver library, bob")):
        TOOLS["enter"].model_validate({"case": case, "line": line}).answer(storage)
    assert [len(storage.cases.get(case).case.entries) for storage in (one, other, Storage())] == [2, 2, 2]


@pytest.mark.parametrize("name", ["", "note-", "case-000000000000", "../note-000000000000", "note-000000000000/.."])
def test_what_is_no_id_leads_to_no_file(notes, name):
    with pytest.raises(CluedoError, match="no note"):
        notes().get(name)
