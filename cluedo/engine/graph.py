"""The board as a graph, for whoever looks at it or searches it: made from the map, not from the tables of games."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import networkx as nx

from cluedo.engine.board import Board, layout
from cluedo.engine.mapfile import CORRIDOR

__all__ = ["graph_of"]


@lru_cache(maxsize=64)
def graph_of(board: Board) -> nx.Graph[Any]:
    """See :attr:`Board.graph`."""
    graph: nx.Graph[Any] = nx.Graph(name=board.map.name)
    rooms = {room.symbol: room for room in board.map.rooms}
    for room in board.map.rooms:
        graph.add_node(room.name, kind="room")
    grid, _ = layout(board.map)
    symbols = {(x, y): symbol for y, row in enumerate(grid) for x, symbol in enumerate(row)}
    squares = {node: symbol for node, symbol in symbols.items() if symbol == CORRIDOR or symbol.islower()}
    graph.add_nodes_from(squares, kind="square")
    for (x, y), symbol in squares.items():
        graph.add_edges_from((((x, y), way) for way in ((x + 1, y), (x, y + 1)) if way in squares), kind="step")
        if symbol.islower():
            graph.add_edge((x, y), rooms[symbol.upper()].name, kind="door")
    graph.add_edges_from(((room.name, room.passage) for room in board.map.rooms if room.passage), kind="passage")
    nx.freeze(graph)
    return graph
