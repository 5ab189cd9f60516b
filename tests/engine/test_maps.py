"""The shipped boards square for square, and what a map file is refused for."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest
from helpers.examples import examples
from helpers.support import (
    DECK_ALONE,
    DECKS,
    HOUSE,
    MAPS,
    board_from,
    board_of,
    drawn_game,
    house,
    play_random,
    write_map,
)
from hypothesis import example, given
from hypothesis import strategies as st

from cluedo.engine.board import Board
from cluedo.engine.errors import MapError
from cluedo.engine.mapfile import MapFile, map_names

DATA = Path(__file__).parents[1] / "data"

FACTS = {
    "classic": {
        "doors": 17,
        "passages": {("Study", "Kitchen"), ("Conservatory", "Lounge")},
        "starts": {
            "Scarlett": (16, 0),
            "Mustard": (23, 7),
            "White": (14, 24),
            "Green": (9, 24),
            "Peacock": (0, 18),
            "Plum": (0, 5),
        },
        "weapons": ["Candlestick", "Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench"],
        "rooms": {
            "S": "Study",
            "H": "Hall",
            "O": "Lounge",
            "L": "Library",
            "D": "Dining Room",
            "B": "Billiard Room",
            "C": "Conservatory",
            "A": "Ballroom",
            "K": "Kitchen",
        },
        "doors of": {"S": 1, "H": 3, "O": 1, "L": 2, "D": 2, "B": 2, "C": 1, "A": 4, "K": 1},
    },
    "manoir": {
        "doors": 16,
        "passages": {("Salon", "Chambre"), ("Cuisine", "Garage")},
        "starts": {
            "Rose": (8, 24),
            "Moutarde": (0, 17),
            "Leblanc": (9, 0),
            "Olive": (14, 0),
            "Pervenche": (23, 6),
            "Violet": (23, 19),
        },
        "weapons": ["Clé anglaise", "Chandelier", "Pistolet", "Corde", "Barre de fer", "Poignard"],
        "rooms": {
            "L": "Salon",
            "D": "Salle à manger",
            "K": "Cuisine",
            "S": "Bureau",
            "B": "Salle de bain",
            "E": "Chambre",
            "H": "Entrée",
            "G": "Garage",
            "A": "Salle de jeux",
        },
        "doors of": {"L": 1, "D": 4, "K": 1, "S": 2, "B": 2, "E": 1, "H": 2, "G": 1, "A": 2},
    },
}

BOTH = pytest.mark.parametrize("name", FACTS)


def doors_of(board: Board) -> list[tuple[tuple[int, int], str]]:
    edges = [edge for *edge, kind in board.graph.edges(data="kind") if kind == "door"]
    return [(a, b) if isinstance(b, str) else (b, a) for a, b in edges]


@BOTH
def test_the_grid_is_square_for_square_the_one_of_the_box(name):
    grid = (DATA / f"{name}.txt").read_text(encoding="utf-8").split()
    assert list(board_of(name).map.grid) == grid
    assert (board_of(name).width, board_of(name).height) == (len(grid[0]), len(grid)) == (24, 25)


@BOTH
def test_the_graph_has_a_node_for_every_corridor_square_and_room_and_no_other(name):
    board = board_of(name)
    expected = {
        (x, y)
        for y, row in enumerate((DATA / f"{name}.txt").read_text(encoding="utf-8").split())
        for x, symbol in enumerate(row)
        if symbol == "." or symbol.islower()
    }
    assert set(board.graph) == expected | set(FACTS[name]["rooms"].values())
    for a, b, kind in board.graph.edges(data="kind"):
        if kind == "step":
            assert abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    steps = sum(kind == "step" for *_, kind in board.graph.edges(data="kind"))
    assert steps == sum((x + 1, y) in expected for x, y in expected) + sum((x, y + 1) in expected for x, y in expected)


@BOTH
def test_the_number_of_doors_of_the_house_and_of_each_room(name):
    board, facts = board_of(name), FACTS[name]
    doors = doors_of(board)
    assert len(doors) == facts["doors"] == sum(mask.bit_count() for mask in board.doors) == len(board.door_room)
    assert Counter(room for _, room in doors) == {facts["rooms"][s]: n for s, n in facts["doors of"].items()}
    for (x, y), room in doors:
        symbol = board.map.grid[y][x]
        assert facts["rooms"][symbol.upper()] == room
        around = [
            board.map.grid[v][u]
            for u, v in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            if 0 <= v < 25 and 0 <= u < 24
        ]
        assert symbol.upper() in around


@BOTH
def test_the_secret_passages(name):
    board = board_of(name)
    edges = {frozenset((a, b)) for a, b, kind in board.graph.edges(data="kind") if kind == "passage"}
    assert edges == {frozenset(pair) for pair in FACTS[name]["passages"]}
    for a, b in FACTS[name]["passages"]:
        assert board.passage(board.place(a)) == board.place(b)
        assert board.passage(board.place(b)) == board.place(a)
    assert sum(place >= 0 for place in board.passages) == 4
    assert board.passage(board.starts[0]) == -1


@BOTH
def test_the_names_of_the_cards_and_the_starts_in_clockwise_order(name):
    board, facts = board_of(name), FACTS[name]
    assert [entry.name for entry in board.map.suspects] == list(facts["starts"])
    assert [board.node(place) for place in board.starts] == list(facts["starts"].values())
    assert [entry.name for entry in board.map.weapons] == facts["weapons"]
    assert {entry.symbol: entry.name for entry in board.map.rooms} == facts["rooms"]
    assert board.deck.size == 21


def test_the_tiny_house_is_small_and_complete():
    board = board_of("tiny")
    assert min(map(len, board.deck.ids)) >= 3
    assert board.width * board.height < 150
    assert any(place >= 0 for place in board.passages)


def test_the_shipped_maps_are_listed_in_alphabetical_order():
    assert map_names() == sorted(MAPS + DECKS)


def test_the_master_deck_is_a_deck_alone_of_the_size_of_its_box_and_can_be_played():
    board = board_of("master")
    assert [len(ids) for ids in board.deck.ids] == [10, 8, 12]
    assert not board.has_grid
    game = drawn_game(board, 6, seed=1, movement="free")
    play_random(game, Random(1), insight=0.2)
    assert game.over


@pytest.mark.parametrize("name", MAPS)
def test_places_and_nodes_name_each_other(name):
    board = board_of(name)
    assert len({board.place(node) for node in board.graph}) == len(board.graph)
    for node in board.graph:
        assert board.node(board.place(node)) == node
        assert board.is_room(board.place(node)) == isinstance(node, str)
    for card in board.deck.rooms:
        assert board.room_card(board.room_place(card)) == card
        assert board.node(board.room_place(card)) == board.deck.names[card]


@pytest.mark.parametrize(
    ("node", "words"), [((0, 0), "not a corridor square"), ((99, 0), "not a corridor square"), ("Halle", "'Hall'")]
)
def test_a_node_that_is_not_on_the_board_is_refused(node, words):
    with pytest.raises(MapError, match=words):
        board_of("classic").place(node)


# ---- files ----------------------------------------------------------------------------------------


def test_a_users_own_file_is_read_by_path(tmp_path):
    path = write_map(tmp_path, house())
    for source in (path, str(path)):
        board = Board.load(source)
        assert board.source == str(path)
        assert board.deck.names[0] == "Amber"
    game = drawn_game(board, 4, seed=1)
    play_random(game, Random(1), insight=0.2)
    assert game.over


def test_a_path_without_the_ending_json_is_read_too(tmp_path):
    path = tmp_path / "my house"
    path.write_text(json.dumps(house()), encoding="utf-8")
    assert MapFile.load(path) == MapFile.model_validate(house())


def test_format_may_be_absent_and_means_one():
    assert "format" not in HOUSE
    assert MapFile.model_validate(house()) == MapFile.model_validate(house() | {"format": 1})


def test_a_deck_alone_is_a_map():
    board = board_from(DECK_ALONE)
    assert not board.has_grid
    assert board.deck.size == 21
    assert all(table[start] > 1000 for table in board.distance for start in board.starts)


def test_a_door_square_may_touch_a_second_room_and_its_letter_decides():
    data = house()
    data["grid"][3] = "..c....b.b."  # under a square of the attic, over one of the cellar
    board = board_from(data)
    assert board.node(board.door_room[board.place((2, 3))]) == "Cellar"


def with_row(y: int, row: str):
    return lambda data: data["grid"].__setitem__(y, row)


def with_entry(kind: str, k: int, **values):
    return lambda data: data[kind][k].update(values)


def without(kind: str, k: int, key: str):
    return lambda data: data[kind][k].pop(key)


def closed_bath(data):
    data["grid"][3] = "..a........"


def walled_in(data):
    data["grid"][0], data["grid"][1] = "AAAA#.#BBBB", "AAAA.#.BBBB"


DAMAGE = {
    "unequal rows": (with_row(3, "..a....b.b"), ["grid", "row 3", "10 squares", "11"]),
    "a row too long": (with_row(6, "CCCC#.#DDDD."), ["grid", "row 6", "12 squares", "11"]),
    "unknown symbol": (with_row(3, "..a..?.b.b."), ["row 3, column 5", "'?'"]),
    "unknown room letter": (with_row(1, "AAAA..ZBBBB"), ["row 1, column 6", "'Z'"]),
    "unknown door letter": (with_row(5, "CCCCz..DDDD"), ["row 5, column 4", "'z'"]),
    "a letter that grows in upper case": (with_row(3, "..a..ß.b.b."), ["row 3, column 5", "'ß'"]),
    "a blank": (with_row(3, "..a.. .b.b."), ["row 3, column 5", "' '"]),
    "a door that touches no square of its room": (with_row(3, "..a.d..b.b."), ["row 3, column 4", "'d'", "'D'"]),
    "a door that touches its room only at a corner": (with_row(3, "..a...bb.b."), ["row 3, column 6", "'b'", "'B'"]),
    "a room that nothing leads to": (closed_bath, ["rooms[1]", "'Bath'", "nothing leads"]),
    "a room without squares": (
        lambda data: data.update(grid=[row.replace("B", ".").replace("b", ".") for row in data["grid"]]),
        ["'Bath'", "'B'"],
    ),
    "a start outside the grid": (
        with_entry("suspects", 2, start=[11, 3]),
        ["suspects[2]", "'Coral'", "row 3, column 11"],
    ),
    "a start with a negative number": (with_entry("suspects", 2, start=[-1, 3]), ["suspects[2]", "row 3, column -1"]),
    "a start below the grid": (with_entry("suspects", 2, start=[0, 7]), ["suspects[2]", "row 7, column 0"]),
    "a start in a room": (with_entry("suspects", 1, start=[0, 1]), ["suspects[1]", "row 1, column 0", "'A'"]),
    "a start in a wall": (with_entry("suspects", 1, start=[4, 0]), ["suspects[1]", "row 0, column 4", "'#'"]),
    "two starts on one square": (
        with_entry("suspects", 3, start=[5, 0]),
        ["suspects[3]", "row 0, column 5", "'Basil'"],
    ),
    "no start": (without("suspects", 3, "start"), ["suspects[3]", "'Denim'", "start"]),
    "a start that is no pair": (with_entry("suspects", 3, start=[5]), ["suspects[3].start"]),
    "two suspects of one name": (with_entry("suspects", 3, name="Basil"), ["suspects[3]", "'Basil'", "suspects[1]"]),
    "a weapon named like a room": (with_entry("weapons", 1, name="Den"), ["'Den'", "weapons[1]", "rooms[3]"]),
    "a passage to nowhere": (with_entry("rooms", 0, passage="Dan"), ["rooms[0]", "'Attic'", "'Dan'", "'Den'"]),
    "a passage to itself": (with_entry("rooms", 0, passage="Attic"), ["rooms[0]", "'Attic'", "itself"]),
    "a passage one way only": (without("rooms", 3, "passage"), ["rooms[0]", "'Attic'", "'Den'", "back"]),
    "a passage to a room that has another one": (
        with_entry("rooms", 1, passage="Den"),
        ["rooms[1]", "'Bath'", "'Den'", "back"],
    ),
    "a symbol used twice": (with_entry("rooms", 2, symbol="A"), ["rooms[2]", "'A'", "'Cellar'", "'Attic'"]),
    "a symbol in lower case": (with_entry("rooms", 2, symbol="c"), ["rooms[2].symbol"]),
    "a symbol of two letters": (with_entry("rooms", 2, symbol="CC"), ["rooms[2].symbol"]),
    "a symbol from another alphabet": (with_entry("rooms", 2, symbol="É"), ["rooms[2].symbol"]),
    "no symbol": (without("rooms", 2, "symbol"), ["rooms[2]", "'Cellar'", "symbol"]),
    "two weapons": (lambda data: data["weapons"].pop(), ["weapons", "3"]),
    "two suspects": (lambda data: data.update(suspects=data["suspects"][:2]), ["suspects", "3"]),
    "two rooms": (lambda data: data.update(rooms=data["rooms"][:2]), ["rooms", "3"]),
    "no squares": (lambda data: data.update(grid=[]), ["grid", "no squares"]),
    "empty rows": (lambda data: data.update(grid=["", ""]), ["grid", "no squares"]),
    "a side too long": (lambda data: data.update(grid=["." * 201]), ["grid", "201 squares", "at most 200"]),
    "too many squares": (lambda data: data.update(grid=["." * 101] * 100), ["10,100 squares", "at most 10,000"]),
    "a row that is no text": (lambda data: data["grid"].__setitem__(2, 7), ["grid[2]"]),
    "a grid that is no list": (lambda data: data.update(grid=3), ["grid"]),
    "a start that leads nowhere": (walled_in, ["suspects[1]", "'Basil'", "no way"]),
    "starts without a grid": (lambda data: data.pop("grid"), ["suspects[0]", "'Amber'", "no grid"]),
    "an unknown key": (with_entry("rooms", 1, colur="#000000"), ["rooms[1].colur"]),
    "a colour that is none": (with_entry("rooms", 1, colour="blue"), ["rooms[1].colour"]),
    "a name that is empty": (with_entry("weapons", 1, name=""), ["weapons[1].name"]),
    "a name with blanks round it": (with_entry("weapons", 1, name=" Poker"), ["weapons[1].name"]),
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
    with pytest.raises(MapError) as refusal:
        MapFile.load(path)
    sentence = str(refusal.value)
    assert "\n" not in sentence
    for word in [str(path), *words]:
        assert word in sentence


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ('{"name": "house",}', "line 1 column"),
        ("[" * 100_000, "not JSON"),
        ("\ufeff{}", "not JSON"),
        ("9" * 5000, "not JSON"),
        ("[]", "a map is a JSON object, not a list"),
        ("null", "a map is a JSON object"),
        ("{}", "name"),
    ],
    ids=["empty", "cut off", "a comma too many", "deep", "byte order mark", "long number", "list", "null", "no keys"],
)
def test_a_file_that_is_no_map_is_refused_in_a_sentence(text, words, tmp_path):
    path = write_map(tmp_path, text)
    with pytest.raises(MapError) as refusal:
        MapFile.load(path)
    assert str(path) in str(refusal.value)
    assert words in str(refusal.value)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "house.json"
    path.write_bytes(b"\xff\xfe\x00{}")
    with pytest.raises(MapError, match="cannot be read"):
        MapFile.load(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    (tmp_path / "folder.json").mkdir()
    for path in (tmp_path / "missing.json", tmp_path / "folder.json"):
        with pytest.raises(MapError, match="cannot be read") as refusal:
            MapFile.load(path)
        assert str(path) in str(refusal.value)


def test_an_unknown_name_lists_the_maps_and_the_nearest():
    with pytest.raises(MapError, match=r"did you mean 'classic'\? known: classic, discover, manoir, master, tiny"):
        MapFile.load("clasic")


IMPOSSIBLE = {
    "empty": "",
    "a folder": "..",
    "a null byte": "nul\0byte",
    "a null byte and the ending": "nul\0byte.json",
    "half a character": "\ud800",
    "half a character and the ending": "\ud800.json",
    "too long": "a" * 5000,
    "too long and the ending": "a" * 5000 + ".json",
}


@pytest.mark.parametrize("source", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_name_that_no_file_can_have_is_refused(source):
    with pytest.raises(MapError):
        MapFile.load(source)


# ---- fuzz -----------------------------------------------------------------------------------------

TEXTS = [json.dumps(HOUSE, indent=1), files("cluedo.maps").joinpath("classic.json").read_text(encoding="utf-8")]
SNIPPETS = [
    '"',
    ",",
    "{",
    "]",
    "null",
    "true",
    "-1",
    "1e999",
    "NaN",
    "#",
    ".",
    "A",
    "z",
    "ß",
    "\\ud800",
    "\\u0000",
    '"\\ud800": 1,',
    "[[",
    "9" * 30,
]


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """A valid map's text with a few places cut, repeated or overwritten."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 6)))
        new = draw(st.sampled_from([*SNIPPETS, ""]) | st.text(max_size=2) | st.just(text[start:stop] * 2))
        text = text[:start] + new + text[stop:]
    return text


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(["Den", "A", "a", "#", [5, 0], 10**40]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "symbol", "start", "x"]), inner, max_size=3)
    ),
    max_leaves=4,
)


@st.composite
def replacements(draw: st.DrawFn) -> str:
    """A valid map with one value of it replaced, added or removed."""
    data = house()
    here: object = data
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = draw(st.sampled_from(keys))
        if isinstance(here[key], (dict, list)) and here[key] and draw(st.integers(0, 3)):
            here = here[key]
            continue
        if draw(st.integers(0, 4)):
            here[key] = draw(JUNK)
        else:
            del here[key]
        return json.dumps(data)


def loads_or_is_refused(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except UnicodeEncodeError:
        return
    try:
        board = Board.load(path)
    except MapError:
        return
    game = drawn_game(board, 3, seed=0, movement="walk" if board.has_grid else "free")
    assert game.legal()


@given(mutations())
@examples(60)
@example('{"\\ud800": 1}')
def test_a_mutated_map_loads_or_is_refused_and_nothing_else(tmp_path, text):
    loads_or_is_refused(tmp_path / "house.json", text)


@given(replacements())
@examples(60)
def test_a_map_with_a_value_replaced_loads_or_is_refused_and_nothing_else(tmp_path, text):
    loads_or_is_refused(tmp_path / "house.json", text)


# ---- all that is wrong, and other names ---------------------------------------------------------------


def tiny_map(**changes) -> dict:
    data = json.loads(files("cluedo.maps").joinpath("tiny.json").read_text(encoding="utf-8"))
    return data | changes


def refusal(tmp_path: Path, data: dict) -> str:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(MapError) as caught:
        MapFile.load(path)
    return str(caught.value)


def test_everything_that_is_wrong_with_a_map_is_told_at_once(tmp_path):
    data = tiny_map()
    data["suspects"][0]["start"] = [999, 0]
    data["suspects"][1] |= {"start": None}
    data["weapons"][1]["name"] = data["weapons"][0]["name"]
    data["rooms"][0]["passage"] = "Nowhere"
    text = refusal(tmp_path, data)
    assert "there are 5 errors: (1) weapons[1]: the card name" in text
    for part in (
        "(2) rooms[0]: the passage",
        "no passage leads back",
        "(4) suspects[0]: the start",
        "(5) suspects[1]: ",
    ):
        assert part in text
    assert text.isprintable()


def test_of_very_many_errors_the_first_are_told(tmp_path):
    data = tiny_map()
    data["grid"] = [row.replace(".", "?") for row in data["grid"]]
    text = refusal(tmp_path, data)
    assert "(12) " in text
    assert "(13) " not in text
    assert re.search(r"; and \d+ more$", text)


@pytest.mark.parametrize("alias", ["{other}", "{OTHER}", "twice"])
def test_another_name_is_nobody_elses(tmp_path, alias):
    data = tiny_map()
    other = data["rooms"][1]["name"]
    data["suspects"][0]["aliases"] = [alias.format(other=other, OTHER=other.upper())]
    data["weapons"][0]["aliases"] = ["Twice"] if alias == "twice" else []
    assert "is a name already, at " in refusal(tmp_path, data)


def test_other_names_by_card(tmp_path):
    data = tiny_map()
    data["rooms"][0]["aliases"] = ["The Den"]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    found = MapFile.load(path)
    assert found.aliases[found.deck.rooms.start] == ("The Den",)
    assert sum(map(len, found.aliases)) == 1
