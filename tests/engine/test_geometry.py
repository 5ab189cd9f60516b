"""What a board is drawn from: rooms, walls, doors, names, pawns; the drawing; and the way that a pawn walks."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from random import Random
from xml.etree import ElementTree

import pytest
from helpers.slow_rules import walk_lengths
from helpers.support import MAPS, board_from, drawn_game, house

from cluedo.engine.board import Board
from cluedo.engine.board_svg import board_svg
from cluedo.engine.commands import Hypothesis
from cluedo.engine.geometry import (
    doors,
    edge,
    enclosed_squares,
    hatch,
    middle,
    name_lines,
    rooms_of,
    spots,
    walls,
    weapon_spots,
)
from cluedo.engine.mapfile import map_names

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def rooms(board: Board) -> range:
    return range(len(board.map.rooms))


def beside(square: tuple[int, int], step: tuple[int, int]) -> tuple[int, int]:
    return square[0] + step[0], square[1] + step[1]


def symbols(board: Board) -> dict[tuple[int, int], str]:
    return {(x, y): symbol for x, y, symbol in board.map.symbols()}


@pytest.mark.parametrize("name", MAPS)
def test_every_square_with_a_rooms_symbol_is_a_square_of_that_room_and_no_other(name):
    board = Board.load(name)
    by_symbol = {room.symbol: k for k, room in enumerate(board.map.rooms)}
    assert rooms_of(board) == {at: by_symbol[symbol] for at, symbol in symbols(board).items() if symbol in by_symbol}
    assert set(rooms_of(board).values()) == set(rooms(board))


def test_a_square_that_the_house_surrounds_is_enclosed_and_one_at_its_edge_is_not():
    data = house()
    data["grid"][2] = "AAAA..#BBBB"
    assert (4, 0) not in enclosed_squares(board_from(house()))
    assert enclosed_squares(board_from(data)) == {(6, 2)}
    for board in map(Board.load, MAPS):
        for x, y in enclosed_squares(board):
            assert symbols(board)[x, y] == "#"
            assert 0 < x < board.width - 1


@pytest.mark.parametrize("name", MAPS)
def test_each_door_leads_from_its_square_into_its_room(name):
    board = Board.load(name)
    found = doors(board)
    assert len(found) == len(board.door_room)
    for square, step in found:
        assert board.is_room(board.door_room[board.place(square)])
        assert rooms_of(board)[beside(square, step)] == board.door_room[board.place(square)] - board.rooms_at


@pytest.mark.parametrize("name", MAPS)
def test_a_side_is_a_wall_where_two_kinds_of_square_meet_and_no_door_is(name):
    board = Board.load(name)
    found = Counter(walls(board))
    assert max(found.values()) == 1
    kind = {at: rooms_of(board).get(at, "corridor" if at in board.graph else "none") for at in symbols(board)}
    gaps = set(doors(board))
    for at in kind:
        for step in STEPS:
            there = beside(at, step)
            apart = kind[at] != kind.get(there, "none")
            open_ = (at, step) in gaps or (there, (-step[0], -step[1])) in gaps
            assert (edge(at, step) in found) == (apart and not open_), (at, step)


def test_the_sides_of_a_square():
    assert edge((2, 3), (1, 0)) == ((3, 3), (3, 4))
    assert edge((2, 3), (-1, 0)) == ((2, 3), (2, 4)) == edge((1, 3), (1, 0))
    assert edge((2, 3), (0, -1)) == ((2, 3), (3, 3)) == edge((2, 2), (0, 1))


@pytest.mark.parametrize("name", MAPS)
def test_a_rooms_name_stands_in_the_room_and_fits_into_it(name):
    board = Board.load(name)
    for room in rooms(board):
        x, y = middle(board, room)
        assert rooms_of(board)[int(x), int(y)] == room
        lines, width = name_lines(board, room)
        assert " ".join(lines) == board.map.rooms[room].name
        assert 1 <= width <= board.width


@pytest.mark.parametrize("name", MAPS)
def test_no_name_touches_the_arrow_of_a_door(name):
    board = Board.load(name)
    drawing = ElementTree.fromstring(board_svg(board))
    for room, text in enumerate(drawing.findall("{*}text[@class='name']")):
        x, size = middle(board, room)[0], float(text.attrib["font-size"])
        for line in text:
            half = 0.28 * size * len(line.text)  # letters are a bit more than half as wide as they are high
            for (u, v), (dx, _) in doors(board):
                if dx and rooms_of(board)[u + dx, v] == room and v < float(line.attrib["y"]) < v + 1.3:
                    assert half < abs(u + 0.5 + dx / 2 - x) - 0.5, line.text


def test_the_name_of_a_room_round_a_corner_stands_on_a_square_of_it():
    data = house()
    data["grid"][:3] = ["A...#.#BBBB", "A......BBBB", "AAAAa..BBBB"]
    board = board_from(data)
    x, y = middle(board, 0)
    assert rooms_of(board)[int(x), int(y)] == 0
    assert (x % 1, y % 1) == (0.5, 0.5)


def test_the_name_of_a_room_in_two_parts_stands_in_one_of_them():
    data = house()
    data["grid"][:4] = ["AA..#.#BBBB", "..AAa..BBBB", ".......BBBB", ".......b.b."]
    board = board_from(data)
    x, y = middle(board, 0)
    assert all(rooms_of(board).get((int(x + dx / 4), int(y + dy / 4))) == 0 for dx, dy in STEPS)


@pytest.mark.parametrize("name", MAPS)
def test_pawns_and_weapons_stand_apart_on_their_squares_and_in_their_rooms(name):
    board, random = Board.load(name), Random(name)
    places = [*board.starts, *(board.rooms_at + room for room in rooms(board))]
    count = len(board.deck.suspects)
    rows = {room: [y for (_, y), k in rooms_of(board).items() if k == room] for room in rooms(board)}
    for _ in range(10):
        pawns = [*random.choices(places[count:], k=count - 1), board.starts[-1]]
        at = spots(board, pawns)
        assert len(set(at)) == count
        x, y = board.node(pawns[-1])
        assert at[-1] == (x + 0.5, y + 0.5)
        weapons = random.choices(places[count:], k=len(board.deck.weapons))
        marked = weapon_spots(board, weapons)
        assert len(set(marked)) == len(weapons)
        assert not set(marked) & set(at)
        for place, (_, v) in zip(pawns[:-1] + weapons, at[:-1] + marked, strict=True):
            assert min(rows[place - board.rooms_at]) < v < max(rows[place - board.rooms_at]) + 1


@pytest.mark.parametrize("name", MAPS)
def test_a_passage_comes_up_on_a_square_of_its_room(name):
    board = Board.load(name)
    for room in rooms(board):
        x, y = hatch(board, room, (room + 1) % len(rooms(board)))
        assert rooms_of(board)[int(x), int(y)] == room


def test_a_passage_comes_up_at_the_side_of_the_other_room():
    board = Board.load("classic")
    names = [room.name for room in board.map.rooms]
    study, kitchen = names.index("Study"), names.index("Kitchen")
    (x, y), (p, q) = hatch(board, study, kitchen), hatch(board, kitchen, study)
    mine, other = middle(board, study), middle(board, kitchen)
    assert abs(x - other[0]) + abs(y - other[1]) < abs(mine[0] - other[0]) + abs(mine[1] - other[1])
    assert abs(p - mine[0]) + abs(q - mine[1]) < abs(mine[0] - other[0]) + abs(mine[1] - other[1])


# ---- the drawing ----------------------------------------------------------------------------------


def drawn_at(drawing: str, kind: str) -> list[tuple[float, float]]:
    """Where a drawing, which is read as XML, has its pawns or weapons."""
    pieces = [piece for piece in ElementTree.fromstring(drawing).iter() if piece.get("class") == kind]
    return [tuple(map(float, piece.get("transform")[len("translate(") : -1].split())) for piece in pieces]


def as_drawn(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points with as many digits as a drawing writes."""
    return [(float(f"{x:g}"), float(f"{y:g}")) for x, y in points]


@pytest.mark.parametrize("name", MAPS)
def test_a_notebook_is_shown_a_drawing_that_stands_alone(name):
    board = Board.load(name)
    drawing = board._repr_svg_()
    assert ElementTree.fromstring(drawing).tag == "{http://www.w3.org/2000/svg}svg"
    assert drawn_at(drawing, "pawn") == as_drawn(spots(board, board.starts))
    assert drawn_at(drawing, "weapon") == as_drawn(weapon_spots(board, board.weapon_starts))
    for element in ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}path"):
        assert {"fill", "stroke"} <= set(element.keys())
    assert sum(entry.name in drawing for entry in board.map.rooms) == len(board.map.rooms)


def test_a_drawing_has_pawns_and_weapons_where_they_are_said_to_be():
    board = Board.load("tiny")
    rooms = [board.rooms_at + k % 4 for k in range(7)]
    drawing = board_svg(board, rooms[:4], rooms[4:])
    assert drawn_at(drawing, "pawn") == as_drawn(spots(board, rooms[:4]))
    assert drawn_at(drawing, "weapon") == as_drawn(weapon_spots(board, rooms[4:]))


def test_a_notebook_is_shown_a_game_as_it_stands_now():
    game = drawn_game(Board.load("tiny"), 3, seed=1, movement="free")
    game.execute(game.legal()[0])
    game.execute(next(command for command in game.legal() if isinstance(command, Hypothesis)))
    state, board = game.state, game.table.board
    assert (state.pawns, state.weapons) != (board.starts, board.weapon_starts)
    assert drawn_at(game._repr_svg_(), "pawn") == as_drawn(spots(board, state.pawns))
    assert drawn_at(game._repr_svg_(), "weapon") == as_drawn(weapon_spots(board, state.weapons))


def test_names_in_a_drawing_are_text_and_no_markup():
    data = house() | {"title": "<House> & 'more'"}
    data["rooms"][1]["name"] = '<b>&"'
    root = ElementTree.fromstring(board_from(data)._repr_svg_())
    assert root.get("aria-label") == data["title"]
    assert data["rooms"][1]["name"] in [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]


def test_a_deck_alone_has_no_drawing():
    assert Board.load("master")._repr_svg_() is None
    assert drawn_game(Board.load("master"), 3, seed=1, movement="free")._repr_svg_() is None


# ---- walks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAPS)
def test_the_way_is_a_shortest_walk_round_the_pawns(name):
    board, random = Board.load(name), Random(name)
    squares = [node for node in board.graph if not isinstance(node, str)]
    for _ in range(60):
        start, to = random.sample(list(board.graph), 2)
        taken = set(random.sample(squares, 3)) - {start, to}
        steps = [
            board.node(place)
            for place in board.way(board.place(start), board.place(to), sum(1 << board.place(at) for at in taken))
        ]
        assert (steps[0], steps[-1]) == (start, to)
        length = walk_lengths(board.graph, start, taken).get(to)
        if length is None:
            assert len(steps) == 2
            continue
        assert len(steps) == length + 1
        assert not taken & set(steps)
        assert not any(isinstance(step, str) for step in steps[1:-1])
        assert all(board.graph.edges[pair]["kind"] != "passage" for pair in pairwise(steps))


def test_where_nobody_can_walk_the_way_is_its_two_ends():
    board = Board.load("tiny")
    one, two = board.rooms_at, board.rooms_at + 1
    assert board.way(one, two, board.squares) == [one, two]


@pytest.mark.parametrize("name", map_names())
@pytest.mark.parametrize("kind", ["pawn", "weapon"])
def test_no_two_pieces_of_a_drawing_have_the_same_letters(name, kind):
    board = Board.load(name)
    if not board.has_grid:
        pytest.skip("nothing is drawn")
    letters = re.findall(rf'<g class="{kind}".*?<text[^>]*>([^<]*)</text>', board_svg(board))
    assert len(letters) == len(board.map.suspects if kind == "pawn" else board.map.weapons)
    assert len(set(letters)) == len(letters)
