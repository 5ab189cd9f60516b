"""Maps made from names: what a table may say, and the mansions that are laid out."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from string import ascii_uppercase

import pytest
from helpers.support import board_from, drawn_game, play_random

from cluedo.engine.board import Board
from cluedo.engine.cards import Category
from cluedo.engine.errors import MapError
from cluedo.session.new_map import LAID_OUT, NO_BOARD, NewCard, lay_out, make_map, read_cards, start_squares, title_of

TABLE = """\
kind,name,aliases,colour
suspect,Alice,Miss Alice|A. Liddell,#3366cc
suspect,Hatter
suspect,Queen
weapon,Teapot
weapon,Mallet
weapon,Watch
room,Garden
room,Kitchen
room,Court
room,"Burrow, Rabbit's"
"""

GRID = """\
GGGG.1.KKKK
GGGG...KKKK
GGGGg..KKKK
  g....k.2
CCCCc.bBBBB
CCCC...BBBB
CCCC.3.BBBB
"""


def cards(suspects=3, weapons=3, rooms=4):
    counts = zip(Category, (suspects, weapons, rooms), strict=True)
    return [NewCard(category, f"{category.word} {k}") for category, count in counts for k in range(count)]


def table(folder, text=TABLE, **how):
    path = folder / "names.csv"
    path.write_text(text, **{"encoding": "utf-8", **how})
    return path


def made(folder, text=TABLE, board=LAID_OUT):
    """The map of a table, as JSON."""
    return json.loads(make_map(read_cards(table(folder, text)), folder / "wonder.json", "Wonderland", board))


def drawn(folder, grid):
    """The map of the usual table on this grid, as JSON."""
    (folder / "grid.txt").write_text(grid, encoding="utf-8")
    return made(folder, board=str(folder / "grid.txt"))


def played_out(board, seed, **rules):
    """Whether a random game comes to its end, solved."""
    game = drawn_game(board, seed=seed, seats=3, **rules)
    play_random(game, Random(seed), insight=0.02)
    return game.result.reason == "solved"


# ---- the layout ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rooms", range(3, 27))
def test_a_mansion_is_playable_for_any_number_of_rooms_and_pawns(rooms):
    board = board_from(json.loads(make_map(cards(10, 3, rooms), Path("m.json"), "")))
    doors = Counter(board.door_room.values())
    assert all(doors[room] >= 2 for room in range(board.rooms_at, board.places))
    assert len(set(board.starts)) == 10
    assert not board.starts_mask & board.all_doors


def test_no_single_pawn_can_close_a_corridor_of_a_mansion():
    grid = lay_out(ascii_uppercase[:5]).grid
    corridor = {(x, y) for y, row in enumerate(grid) for x, square in enumerate(row) if not square.isupper()}
    for pawn in corridor:
        left = corridor - {pawn}
        todo = [min(left)]
        while todo:
            x, y = todo.pop()
            beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            left -= beside
            todo += beside
        assert not left


def test_rooms_of_a_mansion_are_whole_rectangles_in_the_order_of_the_map():
    grid = lay_out(ascii_uppercase[:12]).grid
    text = "".join(grid)
    first = [text.index(symbol) for symbol in ascii_uppercase[:12]]
    assert first == sorted(first)
    for symbol in ascii_uppercase[:12]:
        rows = [row for row in grid if symbol in row]
        assert len(rows) == 5
        assert len({(row.index(symbol), row.count(symbol)) for row in rows}) == 1


def test_passages_join_the_corners():
    assert lay_out("ABCDEFGHI").passages == ((0, 8), (2, 6))
    assert lay_out("ABC").passages == ((0, 2),)


def test_pawns_start_at_the_edge_while_there_is_room():
    grid = lay_out("ABCDEFGHI").grid
    assert all(x in (0, len(grid[0]) - 1) or y in (0, len(grid) - 1) for x, y in start_squares(grid, 10))
    assert len(set(start_squares(grid, 40))) == 40
    with pytest.raises(MapError, match="1000 pawns cannot start on a board with"):
        start_squares(grid, 1000)


def test_games_are_played_to_their_end_on_a_mansion(tmp_path):
    (tmp_path / "wonder.json").write_text(json.dumps(made(tmp_path)), encoding="utf-8")
    board = Board.load(tmp_path / "wonder.json")
    for seed in range(3):
        assert played_out(board, seed)


# ---- the table -----------------------------------------------------------------------------------


def test_a_table_names_the_cards_and_what_is_left_open_is_filled_in(tmp_path):
    data = made(tmp_path)
    assert (data["name"], data["title"]) == ("wonder", "Wonderland")
    assert data["suspects"][0] | {"start": None} == {
        "name": "Alice", "aliases": ["Miss Alice", "A. Liddell"], "colour": "#3366cc", "start": None,
    }  # fmt: skip
    assert [room["symbol"] for room in data["rooms"]] == ["G", "K", "C", "B"]
    assert data["rooms"][3]["name"] == "Burrow, Rabbit's"
    assert len({card["colour"] for card in data["suspects"] + data["rooms"]}) == 7


@pytest.mark.parametrize("between", [";", "\t"])
def test_columns_stand_in_any_order_between_other_signs_and_after_a_mark(tmp_path, between):
    lines = [["Name", "KIND"], *([card.name, card.category.word] for card in cards())]
    text = "\r\n".join(between.join(line) for line in lines)
    path = table(tmp_path, text, encoding="utf-8-sig", newline="")
    assert read_cards(path) == cards()


def test_a_deck_alone_has_neither_grid_nor_starts(tmp_path):
    data = made(tmp_path, board=NO_BOARD)
    assert "grid" not in data
    assert not any({"start", "symbol"} & set(card) for key in ("suspects", "weapons", "rooms") for card in data[key])
    assert played_out(board_from(data), 1, movement="free")


def test_a_passage_named_once_leads_both_ways(tmp_path):
    text = TABLE.replace("colour", "colour,passage", 1).replace("room,Court", "room,Court,,,Garden")
    passages = {room["name"]: room.get("passage") for room in made(tmp_path, text)["rooms"]}
    assert passages == {"Garden": "Court", "Court": "Garden", "Kitchen": None, "Burrow, Rabbit's": None}


def test_a_grid_is_read_as_it_is_drawn(tmp_path):
    data = drawn(tmp_path, GRID)
    assert [suspect["start"] for suspect in data["suspects"]] == [[5, 0], [9, 3], [5, 6]]
    assert data["grid"][0] == "GGGG...KKKK"
    assert data["grid"][3] == "##g....k..#"  # what is left blank is no square
    assert not any("passage" in room for room in data["rooms"])


def test_where_a_grid_marks_no_starts_they_are_found(tmp_path):
    data = drawn(tmp_path, GRID.translate({ord(digit): "." for digit in "123"}))
    assert len({tuple(suspect["start"]) for suspect in data["suspects"]}) == 3


def grid(text):
    return lambda folder: drawn(folder, text)


def rows(text):
    return lambda folder: read_cards(table(folder, text))


def changed(old, new):
    return lambda folder: made(folder, TABLE.replace(old, new))


HEAD = "the first line must name the columns kind and name, each once"


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (rows(""), HEAD),
        (rows("kind,name,name\n"), HEAD),
        (rows("kind,name,color\n"), "there is no column 'color'; did you mean 'colour'? known: kind, name"),
        (rows("kind,name\nsuspekt,Alice\n"), "line 2: the kind is suspect, weapon or room, not 'suspekt'"),
        (rows("kind,name\n\nroom,A,B\n"), "line 3: there are 3 cells for 2 columns"),
        (rows("kind,name\nroom\n"), "line 2: the name is missing"),
        (rows("kind,name,symbol\nweapon,Rope,R\n"), "line 2: a weapon has no symbol"),
        (rows("kind,name\nroom,A\n\nweapon,a\n"), "line 4: the name 'a' stands in line 2, too"),
        (rows('kind,name\nroom,"A\nB"\n'), "line 3: a name stands on one line"),
        (rows('kind,name\nroom,"A\n'), "line 2: not comma-separated values: unexpected end of data"),
        (changed("suspect,Queen\n", ""), "suspects: there are 2; 3 or more are needed"),
        (changed("#3366cc", "blue"), "wonder.json: suspects[0].colour: must be a colour such as #3366cc"),
        (grid(""), "there are no squares in it"),
        (grid(GRID.replace("2", "1")), "row 3, column 9: the start 1 stands there a second time"),
        (grid(GRID.replace("2", ".")), "suspects[1]: 'Hatter' needs a start [x, y] on the grid"),
        (grid(GRID.replace("K", "Q").replace("k", "q")), "unknown symbol 'Q'"),
    ],
)
def test_what_makes_no_map_is_refused_with_the_line(tmp_path, make, told):
    with pytest.raises(MapError) as refused:
        make(tmp_path)
    assert told in str(refused.value)


def test_more_rooms_than_letters_make_only_a_deck(tmp_path):
    with pytest.raises(MapError, match="27 rooms are too many for a board, which has a letter for each: at most 26"):
        make_map(cards(rooms=27), tmp_path / "m.json", "")
    assert '"grid"' not in make_map(cards(rooms=27), tmp_path / "m.json", "", NO_BOARD)


def test_letters_of_rooms_differ_whatever_their_names(tmp_path):
    names = ["Été", "Ether", "東", "Eve", "E", "Hall"]
    rooms = [NewCard(Category.ROOM, name) for name in names]
    data = json.loads(make_map([*cards(rooms=0), *rooms], tmp_path / "m.json", ""))
    assert [room["symbol"] for room in data["rooms"]] == ["E", "T", "A", "V", "B", "H"]


def test_a_map_is_called_by_its_file(tmp_path):
    assert title_of(tmp_path / "my-old_house.json") == "My old house"
    assert json.loads(make_map(cards(), tmp_path / "my house!.json", "x"))["name"] == "my-house-"
