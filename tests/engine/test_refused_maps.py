"""What a map file is refused for, whatever is in it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from unicodedata import normalize

import pytest
from helpers.examples import TIMES
from helpers.french import assert_french
from helpers.fuzz_mutations import mutate
from helpers.support import drawn_game, house, write_map

from cluedo.engine.board import Board
from cluedo.engine.errors import MapError
from cluedo.engine.mapfile import MapFile, map_names


def with_row(y: int, row: str):
    return lambda data: data["grid"].__setitem__(y, row)


def with_entry(kind: str, k: int, **values):
    return lambda data: data[kind][k].update(values)


def without(kind: str, k: int, key: str):
    return lambda data: data[kind][k].pop(key)


def closed_bath(data):
    data["grid"][3] = "..a........"


def no_bath(data):
    data["grid"] = [row.replace("B", ".").replace("b", ".") for row in data["grid"]]


def same_alias(data):
    data["suspects"][0]["aliases"] = data["weapons"][0]["aliases"] = ["Twice"]


def walled_in(data):
    data["grid"][0], data["grid"][1] = "AAAA#.#BBBB", "AAAA.#.BBBB"


def refusal(source: Path | str) -> MapError:
    """Why a map cannot be loaded."""
    with pytest.raises(MapError) as caught:
        MapFile.load(source)
    return caught.value


DAMAGE = {
    "unequal rows": (with_row(3, "..a....b.b"), ["grid", "row 3", "10 squares", "11"]),
    "unknown symbol": (with_row(3, "..a..?.b.b."), ["row 3, column 5", "'?'"]),
    "unknown door letter": (with_row(5, "CCCCz..DDDD"), ["row 5, column 4", "'z'"]),
    "a letter that grows in upper case": (with_row(3, "..a..ß.b.b."), ["row 3, column 5", "'ß'"]),
    "a door that touches no square of its room": (with_row(3, "..a.d..b.b."), ["row 3, column 4", "'d'", "'D'"]),
    "a door that touches its room only at a corner": (with_row(3, "..a...bb.b."), ["row 3, column 6", "'b'", "'B'"]),
    "a room that nothing leads to": (closed_bath, ["rooms[1]", "'Bath'", "nothing leads"]),
    "a room without squares": (no_bath, ["'Bath'", "'B'"]),
    "a picture that there is not": (with_entry("weapons", 1, picture="daggr"), ["weapons[1].picture", "'daggr'"]),
    "a start outside the grid": (with_entry("suspects", 2, start=[11, 3]), ["suspects[2]", "row 3, column 11"]),
    "a start with a negative number": (with_entry("suspects", 2, start=[-1, 3]), ["suspects[2]", "row 3, column -1"]),
    "a start in a room": (with_entry("suspects", 1, start=[0, 1]), ["suspects[1]", "row 1, column 0", "'A'"]),
    "a start in a wall": (with_entry("suspects", 1, start=[4, 0]), ["suspects[1]", "row 0, column 4", "'#'"]),
    "two starts on one square": (with_entry("suspects", 3, start=[5, 0]), ["suspects[3]", "row 0, column 5"]),
    "no start": (without("suspects", 3, "start"), ["suspects[3]", "'Denim'", "start"]),
    "a start that is no pair": (with_entry("suspects", 3, start=[5]), ["suspects[3].start"]),
    "two suspects of one name": (with_entry("suspects", 3, name="Basil"), ["suspects[3]", "'Basil'", "suspects[1]"]),
    "a name in capitals": (
        with_entry("weapons", 1, name="LADLE"),
        ["weapons[1]", "'LADLE' stands already at weapons[0]"],
    ),
    "a weapon named like a room": (with_entry("weapons", 1, name="Den"), ["'Den'", "weapons[1]", "rooms[3]"]),
    "a passage to nowhere": (with_entry("rooms", 0, passage="Dan"), ["rooms[0]", "'Attic'", "'Dan'", "'Den'"]),
    "a passage to itself": (with_entry("rooms", 0, passage="Attic"), ["rooms[0]", "'Attic'", "itself"]),
    "a passage one way only": (without("rooms", 3, "passage"), ["rooms[0]", "'Attic'", "'Den'", "back"]),
    "a passage to a room that has another one": (with_entry("rooms", 1, passage="Den"), ["rooms[1]", "'Den'", "back"]),
    "a symbol used twice": (with_entry("rooms", 2, symbol="A"), ["rooms[2]", "'A'", "'Cellar'", "'Attic'"]),
    "a symbol in lower case": (with_entry("rooms", 2, symbol="c"), ["rooms[2].symbol"]),
    "a symbol from another alphabet": (with_entry("rooms", 2, symbol="É"), ["rooms[2].symbol"]),
    "no symbol": (without("rooms", 2, "symbol"), ["rooms[2]", "'Cellar'", "symbol"]),
    "two weapons": (lambda data: data["weapons"].pop(), ["weapons", "3"]),
    "101 weapons": (lambda data: data.update(weapons=[{"name": f"w{k}"} for k in range(101)]), ["weapons", "101; at"]),
    "two suspects": (lambda data: data.update(suspects=data["suspects"][:2]), ["suspects", "3"]),
    "two rooms": (lambda data: data.update(rooms=data["rooms"][:2]), ["rooms", "3"]),
    "no squares": (lambda data: data.update(grid=[]), ["grid", "no squares"]),
    "a side too long": (lambda data: data.update(grid=["." * 201]), ["grid", "201 squares", "at most 200"]),
    "too many squares": (lambda data: data.update(grid=["." * 101] * 100), ["10,100 squares", "at most 10,000"]),
    "a row that is no text": (lambda data: data["grid"].__setitem__(2, 7), ["grid[2]"]),
    "a grid that is no list": (lambda data: data.update(grid=3), ["grid"]),
    "a start that leads nowhere": (walled_in, ["suspects[1]", "'Basil'", "no way"]),
    "starts without a grid": (lambda data: data.pop("grid"), ["suspects[0]", "'Amber'", "no grid"]),
    "an unknown key": (with_entry("rooms", 1, colur="#000000"), ["rooms[1]: ", "did you mean 'colour'"]),
    "a colour that is none": (with_entry("rooms", 1, colour="blue"), ["rooms[1].colour"]),
    "a name that is empty": (with_entry("weapons", 1, name=""), ["weapons[1].name"]),
    "a name with blanks round it": (with_entry("weapons", 1, name=" Poker"), ["weapons[1].name"]),
    "a name with a control character": (with_entry("weapons", 1, name="a\x1bb"), ["weapons[1].name", "control char"]),
    "another card's name as an alias": (with_entry("weapons", 1, aliases=["DEN"]), ["weapons[1].aliases[0]", "'DEN'"]),
    "an alias of two cards": (same_alias, ["weapons[0].aliases[0]", "'Twice'", "suspects[0].aliases[0]"]),
    "no name of the map": (lambda data: data.pop("name"), ["name"]),
    "a newer format": (lambda data: data.update(format=2), ["format 2", "newer"]),
    "an older format": (lambda data: data.update(format=0), ["format"]),
    "a format that is no number": (lambda data: data.update(format="1"), ["format"]),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_map_is_refused_in_a_sentence_that_names_file_and_place(damage, tmp_path):
    data = house()
    change, words = DAMAGE[damage]
    change(data)
    path = write_map(tmp_path, data)
    error = refusal(path)
    assert "\n" not in str(error)
    for word in [str(path), *words]:
        assert word in str(error)
    assert_french(error, str(path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b'{"name": "house",}', "line 1, column"),
        ("\ufeff{}".encode(), "name: is missing"),
        (b"[]", "a map is a JSON object, not a list"),
        (b"{}", "name"),
        (b"\xff\xfe\x00{}", "cannot be read"),
        (None, "cannot be read"),
    ],
    ids=["empty", "a comma too many", "byte order mark", "list", "no keys", "no text", "a folder"],
)
def test_what_is_no_map_is_refused_in_a_sentence(content, words, tmp_path):
    path = tmp_path / "house.json"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    error = str(refusal(path))
    assert str(path) in error
    assert words in error


def test_an_unknown_name_lists_the_maps_and_the_nearest():
    told = f"did you mean 'classic'? known: {', '.join(map_names())}"
    assert told in str(refusal("clasic"))


IMPOSSIBLE = {
    "a folder": "..",
    "a null byte": "nul\0byte",
    "half a character and the ending": "\ud800.json",
    "too long and the ending": "a" * 5000 + ".json",
}


@pytest.mark.parametrize("source", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_name_that_no_file_can_have_is_refused(source):
    assert str(refusal(source))


# ---- fuzz -----------------------------------------------------------------------------------------


def test_a_map_in_which_anything_is_changed_loads_or_is_refused_and_nothing_else(tmp_path):
    for number in range(150 * TIMES):
        path = write_map(tmp_path, house())
        mutate(Random(number), path)
        try:
            board = Board.load(path)
        except MapError:
            continue
        assert drawn_game(board, 3, seed=0, movement="walk" if board.has_grid else "free").legal()


# ---- all that is wrong, and other names ---------------------------------------------------------------


def test_everything_that_is_wrong_with_a_map_is_told_at_once(tmp_path):
    data = house()
    data["suspects"][0]["start"] = [999, 0]
    data["suspects"][1] |= {"start": None}
    data["weapons"][1]["name"] = data["weapons"][0]["name"]
    data["rooms"][0]["passage"] = "Nowhere"
    text = str(refusal(write_map(tmp_path, data)))
    assert "there are 5 errors: (1) weapons[1]: the card name" in text
    for part in ("(2) rooms[0]: the passage", "no passage leads back", "(4) suspects[0]: the start", "(5) suspects[1]"):
        assert part in text
    assert text.isprintable()


def test_of_very_many_errors_the_first_are_told(tmp_path):
    data = house()
    data["grid"] = [row.replace(".", "?") for row in data["grid"]]
    text = str(refusal(write_map(tmp_path, data)))
    assert "(12) " in text
    assert "(13) " not in text
    assert re.search(r"; and \d+ more$", text)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_the_same_in_each_form_of_unicode(tmp_path, form):
    composed, other = "Zoé", normalize({"NFC": "NFD", "NFD": "NFC"}[form], "Zoé")
    data = house()
    room = data["rooms"][0]["name"]
    data["rooms"][0]["name"], data["weapons"][0]["name"] = normalize(form, composed), other
    told = str(refusal(write_map(tmp_path, data)))
    assert "rooms[0]: the card name 'Zoé' stands already at weapons[0]" in told
    data["weapons"][0]["name"] = room
    for entry in data["rooms"]:
        if entry.get("passage") == room:
            entry["passage"] = other
    board = Board.load(write_map(tmp_path, data))
    assert board.deck.id(composed) == board.deck.id(other) == board.deck.rooms[0]
    assert board.place(composed) == board.place(other) == board.room_place(board.deck.rooms[0])


def test_other_names_by_card(tmp_path):
    data = house()
    data["rooms"][0]["aliases"] = ["The Den"]
    found = MapFile.load(write_map(tmp_path, data))
    assert found.aliases[found.deck.rooms.start] == ("The Den",)
    assert sum(map(len, found.aliases)) == 1
