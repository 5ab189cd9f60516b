"""Walking, against plain searches over the graph: every place, every roll, with pawns in the way and without."""

from __future__ import annotations

import sys
from functools import cache
from random import Random
from typing import Any

import networkx as nx
import pytest
from helpers.examples import some
from helpers.slow_rules import SlowGame, sequences, walk_lengths
from helpers.support import MAPS, ask, board_from, finish_turn, house, make_game, pawn

from cluedo.engine.board import UNREACHABLE, Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Stay
from cluedo.engine.game import Game
from cluedo.engine.mapfile import MapFile

ROLLS = range(1, 13)


WALLED = "classic with walls"
"""A board whose graph has lost a fifth of its edges of each kind, and so has walls that no grid can draw."""
BOARDS = pytest.mark.parametrize("name", [*MAPS, WALLED])


def named(name: str) -> Board:
    return walled_board() if name == WALLED else Board.load(name)


@cache
def walled_board() -> Board:
    whole, random = Board.load("classic"), Random(1)
    graph = nx.Graph(whole.graph)
    for kind in ("step", "door", "passage"):
        edges = [edge[:2] for edge in whole.graph.edges(data="kind") if edge[2] == kind]
        graph.remove_edges_from(random.sample(edges, max(1, len(edges) // 5)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MapFile, "graph", graph)
        return Board(whole.map)


def squares_of(board: Board) -> list[tuple[int, int]]:
    return [node for node, kind in board.graph.nodes(data="kind") if kind == "square"]


def mask_of(board: Board, nodes) -> int:
    return sum(1 << board.place(node) for node in nodes)


def nodes_of(board: Board, mask: int) -> set:
    return {board.node(place) for place in bits(mask)}


def crowds(board: Board, start, random: Random) -> list[list[tuple[int, int]]]:
    """No pawns, a tableful anywhere, a tableful near the start, and more pawns than any table has."""
    squares = [square for square in squares_of(board) if square != start]
    lengths = walk_lengths(board.graph, start, ())
    near = [square for square in squares if lengths.get(square, UNREACHABLE) <= 4]
    some = [(squares, min(5, len(squares))), (near, min(5, len(near))), (squares, len(squares) // 4)]
    return [[], *(random.sample(among, count) for among, count in some)]


@BOARDS
def test_reach_and_the_steps_to_each_room_are_what_a_breadth_first_search_finds(name):
    board, random = named(name), Random(name)
    for start in some(board.graph, 40, random):
        for pawns in crowds(board, start, random):
            lengths = walk_lengths(board.graph, start, set(pawns))
            for roll in ROLLS:
                expected = {node for node, length in lengths.items() if length <= roll}
                reach = board.reach(board.place(start), roll, mask_of(board, pawns))
                assert nodes_of(board, reach.mask) == expected, (start, roll, pawns)
                assert reach.places == tuple(sorted(bits(reach.mask)))
                assert reach.rooms == tuple(place for place in reach.places if board.is_room(place))
            for most in (2, 7, 12):
                expected = tuple(min(lengths.get(room.name, UNREACHABLE), most + 1) for room in board.map.rooms)
                assert board.steps_to_rooms(board.place(start), most, mask_of(board, pawns)) == expected


@BOARDS
def test_toward_gives_ends_that_are_nearest_to_the_room_round_the_pawns(name):
    board, random = named(name), Random(name)
    rooms = [room.name for room in board.map.rooms]
    for start in some(board.graph, 10, random):
        for pawns in crowds(board, start, random)[:3]:
            roll = random.choice(ROLLS)
            reach = board.reach(board.place(start), roll, mask_of(board, pawns))
            for room in rooms:
                if room == start:
                    continue
                expected = nearest_ends(board, room, start, nodes_of(board, reach.mask), set(pawns))
                found = board.toward(board.place(room), board.place(start), reach.mask, mask_of(board, pawns))
                assert nodes_of(board, found) <= expected, (room, start, roll, pawns)
                assert bool(found) == bool(expected), (room, start, roll, pawns)
                if not pawns:
                    assert nodes_of(board, found) == expected, (room, start, roll)


def nearest_ends(board: Board, room: str, start, ends: set, pawns: set) -> set:
    """The squares among ``ends`` with the shortest way to ``room``, if shorter than from ``start``."""
    lengths = walk_lengths(board.graph, room, pawns)
    far = {node: length for node, length in lengths.items() if not isinstance(node, str)}
    ways = {end: far[end] for end in ends if end in far}
    best = min(ways.values(), default=UNREACHABLE)
    return {end for end, length in ways.items() if length == best < far.get(start, UNREACHABLE)}


@BOARDS
def test_distance_tables_are_shortest_paths_that_cross_no_other_room(name):
    board = named(name)
    for room in board.map.rooms:
        lengths = {room.name: 0} | walk_lengths(board.graph, room.name, ())
        table = board.distance[board.place(room.name) - board.rooms_at]
        assert all(table[board.place(node)] == lengths.get(node, UNREACHABLE) for node in board.graph), room.name


def test_the_walks_that_the_largest_board_remembers_fit_into_memory_even_if_each_reaches_every_square():
    data = house()
    data["grid"] = [row.ljust(100, ".") for row in data["grid"]]
    data["grid"] += ["." * 100] * (100 - len(data["grid"]))
    board = board_from(data)
    walk = board.reach(board.starts[0], 200, 0)
    size = sum(map(sys.getsizeof, (walk.mask, walk.within, *walk.within)))
    assert board._walk.cache_info().maxsize * size < 400_000_000


def test_each_edge_of_the_graph_is_a_way_that_games_have():
    board, whole = walled_board(), Board.load("classic")
    for a, b, kind in whole.graph.edges(data="kind"):
        one, other = sorted((whole.place(a), whole.place(b)))
        if kind == "passage":
            found = board.passage(one) == other, board.passage(other) == one
        else:
            found = bool(board.reach(one, 1, 0).mask >> other & 1), bool(board.reach(other, 1, 0).mask >> one & 1)
        assert found == (board.graph.has_edge(a, b),) * 2, (a, b)


def test_distance_is_unreachable_where_only_a_secret_passage_leads():
    data = house()
    data["grid"][2] = "AAAA...BBBB"
    data["grid"][3] = ".......b.b."
    board = board_from(data)
    attic, start = board.place("Attic"), board.starts[0]
    assert board.distance[0][start] == UNREACHABLE
    assert board.distance[1][attic] == UNREACHABLE
    assert board.reach(attic, 12, 0).mask == 0
    assert board.toward(attic, start, board.reach(start, 12, 0).mask, 0) == 0


# ---- counts of command sequences -----------------------------------------------------------------


def opening(name: str) -> Game:
    return make_game(name, rolls={0: [7, 4], 1: [5], 2: [12]})


CROWDS: dict[str, dict[str, Any]] = {
    "classic": {"Scarlett": "Lounge", "Mustard": (17, 7), "White": (16, 6), "Green": (7, 4), "Peacock": (6, 5)},
    "manoir": {"Rose": "Salon", "Moutarde": (4, 8), "Leblanc": (5, 7), "Olive": (9, 8), "Pervenche": (7, 4)},
    "tiny": {"Amber": "Attic", "Basil": (4, 2), "Coral": (4, 3)},
}
"""By map, the first pawn in a room with a passage, others on most of its doors and round about."""


def crowded(name: str) -> Game:
    """The first seat shut in by others."""
    pawns = CROWDS[name]
    return make_game(name, seats=len(pawns), rolls={0: [3, 9], 1: [6], 2: [2]}, pawns=pawns)


def used_up(name: str) -> Game:
    """The first seat has used its room up and may not ask there again."""
    return after_asking(name, turns=len(crowded(name).state.deal.hands))


def drawn(name: str) -> Game:
    """The second seat has just been drawn into a room, where it may ask at once."""
    return after_asking(name, turns=1)


def after_asking(name: str, turns: int) -> Game:
    game = crowded(name)
    names, room = game.table.deck.names, str(pawn(game, game.table.name(0)))
    game.execute(Stay())
    ask(game, names[1], names[game.table.deck.weapons[0]], room)
    for _ in range(turns):
        finish_turn(game)
    return game


def free(name: str) -> Game:
    return make_game(name, movement="free")


def count(game: Game, depth: int) -> int:
    if depth == 1:
        return len(game.legal())
    total = 0
    for command in game.legal():
        game.execute(command)
        total += count(game, depth - 1)
        game.undo()
    return total


POSITIONS = {"opening": opening, "crowded": crowded, "used up": used_up, "drawn": drawn, "free": free}


@pytest.mark.parametrize("name", CROWDS)
@pytest.mark.parametrize("position", POSITIONS)
def test_as_many_sequences_of_commands_are_legal_as_the_second_referee_counts(position, name):
    game = POSITIONS[position](name)
    twin = slow_twin(game)
    for depth in (1, 2, 3):
        assert count(game, depth) == sequences(twin, depth)


def slow_twin(game: Game) -> SlowGame:
    """The second referee, brought to the same position by the same commands."""
    twin = SlowGame(game.table.board, game.table.rules, game.state.deal)
    for command in game.commands:
        twin.do(command)
    return twin
