"""The shipped boards square for square, and what else a map may be."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from helpers.support import DECK_ALONE, HOUSE, MAPS, board_from, drawn_game, house, play_random, write_map

from cluedo.engine.board import Board
from cluedo.engine.errors import MapError
from cluedo.engine.mapfile import MapFile, map_names, picture_names

DATA = Path(__file__).parents[1] / "data"

FACTS = {
    "classic": {
        "passages": {("Study", "Kitchen"), ("Conservatory", "Lounge")},
        "starts": {
            "Scarlett": (16, 0), "Mustard": (23, 7), "White": (14, 24), "Green": (9, 24), "Peacock": (0, 18),
            "Plum": (0, 5),
        },
        "weapons": ["Candlestick", "Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench"],
        "doors": {
            "Study": 1, "Hall": 3, "Lounge": 1, "Library": 2, "Dining Room": 2, "Billiard Room": 2, "Conservatory": 1,
            "Ballroom": 4, "Kitchen": 1,
        },
    },
    "manoir": {
        "passages": {("Salon", "Chambre"), ("Cuisine", "Garage")},
        "starts": {
            "Rose": (8, 24), "Moutarde": (0, 17), "Leblanc": (9, 0), "Olive": (14, 0), "Pervenche": (23, 6),
            "Violet": (23, 19),
        },
        "weapons": ["Clé anglaise", "Chandelier", "Pistolet", "Corde", "Barre de fer", "Poignard"],
        "doors": {
            "Salon": 1, "Salle à manger": 4, "Cuisine": 1, "Bureau": 2, "Salle de bain": 2, "Chambre": 1, "Entrée": 2,
            "Garage": 1, "Salle de jeux": 2,
        },
    },
}  # fmt: skip
"""Of the boards of the box: passages, where whose pawn starts, weapons, and how many doors each room has."""

BOTH = pytest.mark.parametrize("name", FACTS)


def doors_of(board: Board) -> list[tuple[tuple[int, int], str]]:
    edges = [edge for *edge, kind in board.graph.edges(data="kind") if kind == "door"]
    return [(a, b) if isinstance(b, str) else (b, a) for a, b in edges]


@BOTH
def test_the_grid_is_square_for_square_the_one_of_the_box(name):
    grid = (DATA / f"{name}.txt").read_text(encoding="utf-8").split()
    assert list(Board.load(name).map.grid) == grid
    assert (Board.load(name).width, Board.load(name).height) == (len(grid[0]), len(grid)) == (24, 25)


@BOTH
def test_the_graph_has_a_node_for_every_corridor_square_and_room_and_no_other(name):
    board = Board.load(name)
    expected = {
        (x, y)
        for y, row in enumerate((DATA / f"{name}.txt").read_text(encoding="utf-8").split())
        for x, symbol in enumerate(row)
        if symbol == "." or symbol.islower()
    }
    assert set(board.graph) == expected | set(FACTS[name]["doors"])
    for a, b, kind in board.graph.edges(data="kind"):
        if kind == "step":
            assert abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    steps = sum(kind == "step" for *_, kind in board.graph.edges(data="kind"))
    assert steps == sum((x + 1, y) in expected for x, y in expected) + sum((x, y + 1) in expected for x, y in expected)


@BOTH
def test_the_number_of_doors_of_the_house_and_of_each_room(name):
    board, facts = Board.load(name), FACTS[name]
    doors = doors_of(board)
    assert len(doors) == sum(mask.bit_count() for mask in board.doors) == len(board.door_room)
    assert Counter(room for _, room in doors) == facts["doors"]
    symbols = {room.symbol: room.name for room in board.map.rooms}
    for (x, y), room in doors:
        assert symbols[board.map.grid[y][x].upper()] == room


@BOTH
def test_the_secret_passages(name):
    board = Board.load(name)
    edges = {frozenset((a, b)) for a, b, kind in board.graph.edges(data="kind") if kind == "passage"}
    assert edges == {frozenset(pair) for pair in FACTS[name]["passages"]}
    for a, b in FACTS[name]["passages"]:
        assert board.passage(board.place(a)) == board.place(b)
        assert board.passage(board.place(b)) == board.place(a)
    assert sum(place >= 0 for place in board.passages) == 4
    assert board.passage(board.starts[0]) == -1


@BOTH
def test_the_names_of_the_cards_and_the_starts_in_clockwise_order(name):
    board, facts = Board.load(name), FACTS[name]
    assert [entry.name for entry in board.map.suspects] == list(facts["starts"])
    assert [board.node(place) for place in board.starts] == list(facts["starts"].values())
    assert [entry.name for entry in board.map.weapons] == facts["weapons"]
    assert [entry.name for entry in board.map.rooms] == list(facts["doors"])
    assert board.deck.size == 21


def test_the_tiny_house_is_small_and_complete():
    board = Board.load("tiny")
    assert min(map(len, board.deck.ids)) >= 3
    assert board.width * board.height < 150
    assert any(place >= 0 for place in board.passages)


def test_the_shipped_maps_are_listed_in_alphabetical_order():
    known = map_names()
    assert known == sorted(known)
    assert {"classic", "manoir", "tiny"} <= {*MAPS}


def test_the_master_deck_is_a_deck_alone_of_the_size_of_its_box_and_can_be_played():
    board = Board.load("master")
    assert [len(ids) for ids in board.deck.ids] == [10, 8, 12]
    assert not board.has_grid
    game = drawn_game(board, 6, seed=1, movement="free")
    play_random(game, Random(1), insight=0.2)
    assert game.over


@pytest.mark.parametrize("name", MAPS)
def test_places_and_nodes_name_each_other(name):
    board = Board.load(name)
    assert len({board.place(node) for node in board.graph}) == len(board.graph)
    for node in board.graph:
        assert board.node(board.place(node)) == node
        assert board.is_room(board.place(node)) == isinstance(node, str)
    for card in board.deck.rooms:
        assert board.room_card(board.room_place(card)) == card
        assert board.node(board.room_place(card)) == board.deck.names[card]


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ((0, 0), "corridor square"),
        ((99, 0), "corridor"),
        ("Halle", "'Hall'"),
        *[(node, r"a room's name or a square \[x, y\], not ") for node in (5, None, (7,), ([7], 5))],
    ],
)
def test_a_node_that_is_not_on_the_board_is_refused(node, words):
    with pytest.raises(MapError, match=words):
        Board.load("classic").place(node)


@pytest.mark.parametrize("place", [-1, 634, 2.5, None, "Hall"])
def test_what_is_no_place_has_no_node(place):
    with pytest.raises(MapError, match=f"a place is a number from 0 to 633, not {place!r}"):
        Board.load("classic").node(place)


@pytest.mark.parametrize("what", ["classic", None, 5])
def test_what_is_no_map_makes_no_board(what):
    with pytest.raises(MapError, match=f"made of a MapFile, not {what!r}; Board.load takes a name or a path"):
        Board(what)


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


@pytest.mark.parametrize("name", map_names())
def test_every_suspect_and_weapon_has_a_picture_of_its_own(name):
    pictures = Board.load(name).map.pictures
    drawn = [picture[0] for picture in pictures if picture is not None]
    assert len(drawn) == len(set(drawn)) == len(Board.load(name).deck.suspects) + len(Board.load(name).deck.weapons)
    assert not {"guest", "weapon"} & set(drawn), "those who have none of their own share these"


def test_a_map_that_names_no_pictures_has_the_usual_ones():
    data = house()
    for entry in (*data["suspects"], *data["weapons"]):
        entry.pop("picture", None)
    assert {picture[0] for picture in board_from(data).map.pictures if picture} == {"guest", "weapon"}


@pytest.mark.parametrize("name", picture_names())
def test_a_picture_is_a_drawing_without_names_links_or_code(name):
    drawing = ElementTree.fromstring(files("cluedo.maps.pictures").joinpath(f"{name}.svg").read_text("utf-8"))
    assert drawing.get("viewBox") == "0 0 48 48"
    for element in drawing.iter():
        assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in {"svg", "path", "circle", "ellipse"}
        assert not {"id", "class", "style", "href"} & element.attrib.keys()
