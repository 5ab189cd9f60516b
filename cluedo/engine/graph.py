"""A map as a graph: squares of the corridors and rooms, joined by steps, doors and secret passages.

A node is a corridor square ``(x, y)``, x to the right and y downwards from 0, or the name of a room. Its attribute
``kind`` is ``"square"`` or ``"room"``. Every edge leads both ways, and its attribute ``kind`` is

- ``"step"`` between two neighbouring squares,
- ``"door"`` between a room and the square before its door,
- ``"passage"`` between two rooms that a secret passage joins.

networkx is imported when a graph is made, since it takes a tenth of a second, which help texts need not wait for.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["CORRIDOR", "WALL", "Node", "graph_of", "shortest_walk", "steps_to_room"]

CORRIDOR: Final = "."
WALL: Final = "#"
"""The symbols in a grid of a corridor square without a door, and of a square that nobody can stand on."""

Node: TypeAlias = tuple[int, int] | str
"""A corridor square ``(x, y)``, or the name of a room."""


def graph_of(
    grid: Sequence[str], rooms: Mapping[str, str | None], passages: Iterable[tuple[str, str]]
) -> nx.Graph[Node]:
    """The graph of a house, which cannot be changed afterwards.

    Args:
        grid: the rows of a map file's grid, checked.
        rooms: by name, the upper-case letter that stands for the room in the grid.
        passages: pairs of rooms that secret passages join; it does no harm to name a pair both ways.
    """
    import networkx as nx

    graph: nx.Graph[Node] = nx.Graph()
    graph.add_nodes_from(rooms, kind="room")
    behind = {symbol.lower(): name for name, symbol in rooms.items() if symbol}
    symbols = {(x, y): symbol for y, row in enumerate(grid) for x, symbol in enumerate(row)}
    squares = {square: symbol for square, symbol in symbols.items() if symbol == CORRIDOR or symbol.islower()}
    graph.add_nodes_from(squares, kind="square")
    for (x, y), symbol in squares.items():
        graph.add_edges_from((((x, y), step) for step in ((x + 1, y), (x, y + 1)) if step in squares), kind="step")
        if symbol != CORRIDOR:
            graph.add_edge((x, y), behind[symbol], kind="door")
    graph.add_edges_from(passages, kind="passage")
    nx.freeze(graph)
    return graph


def steps_to_room(graph: nx.Graph[Node], room: str) -> dict[Node, int]:
    """The fewest steps to a room through corridors alone: through no other room, by no secret passage.

    By square that a walk joins to the room, the nearest first; the room itself comes before them, with 0.
    """
    import networkx as nx

    squares = [node for node in graph if not isinstance(node, str)]
    return nx.single_source_shortest_path_length(graph.subgraph([*squares, room]), room)


def shortest_walk(graph: nx.Graph[Node], start: Node, to: Node, taken: Container[Node]) -> list[Node] | None:
    """The nodes of a shortest walk, its ends included, through no other room and over no square that is taken.

    None where there is none.
    """
    import networkx as nx

    def is_free(node: Node) -> bool:
        return node in (start, to) or not (isinstance(node, str) or node in taken)

    def is_walked(a: Node, b: Node) -> bool:
        return bool(graph.edges[a, b]["kind"] != "passage")

    try:
        return nx.shortest_path(nx.subgraph_view(graph, filter_node=is_free, filter_edge=is_walked), start, to)
    except nx.NetworkXNoPath:
        return None
