"""The way that a pawn is seen to walk."""

from __future__ import annotations

from typing import Any

import networkx as nx

from cluedo.engine.board import Board

__all__ = ["way"]

Node = tuple[int, int] | str


def way(board: Board, start: int, to: int, taken: int) -> list[int]:
    """The places of a shortest walk from ``start`` to ``to``, both included, round the squares of a mask.

    Where nobody can walk (under free movement, or a pawn that somebody else moved) it is these two alone.
    """
    graph, ends = board.graph, (board.node(start), board.node(to))

    def free(node: Node) -> bool:
        return node in ends or (not isinstance(node, str) and not taken >> board.place(node) & 1)

    def walked(a: Node, b: Node) -> bool:
        return bool(graph.edges[a, b]["kind"] != "passage")

    corridors: nx.Graph[Any] = nx.subgraph_view(graph, filter_node=free, filter_edge=walked)
    try:
        return [board.place(node) for node in nx.shortest_path(corridors, *ends)]
    except (nx.NetworkXNoPath, nx.NodeNotFound):
        return [start, to]
