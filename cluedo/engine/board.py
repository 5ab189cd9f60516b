"""The board: its places, and where a pawn can walk; computed from the graph of the map.

Games number the nodes of the graph: a *place* is an int. The corridor square ``(x, y)`` is ``y * stride + x`` with
``stride`` one more than the width, and room ``k`` of the map is ``rooms_at + k``. A set of places is a *mask*, an int
with bit ``place`` set for each of them, so that all squares of a set take a step at once by shifting the mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING

from cluedo.engine.cards import Category, Deck, bits, closest, normalised
from cluedo.engine.errors import MapError, SetupError, safe_repr, short_repr
from cluedo.engine.graph import Node, shortest_walk, steps_to_room
from cluedo.engine.mapfile import MapFile, map_text
from cluedo.engine.rules import Rules
from cluedo.engine.validation import whole_number

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["NOWHERE", "UNREACHABLE", "Board", "Reach"]

UNREACHABLE = 10_000
"""A distance longer than any walk, for places that no walk joins."""

_MEMO_SQUARES = 8_000_000
"""Squares that the walks remembered per board may have, if each reached them all; at most 300 MB, on the largest board,
and about 10 MB on a board of a box, where walks are short."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Where one walk may end.

    Attributes:
        mask: the mask of the places, squares and rooms alike.
        rooms: the rooms among them.
        within: the places, and perhaps some that pawns keep from being reached.
    """

    mask: int
    rooms: tuple[int, ...]
    within: tuple[int, ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The places in ascending order. Squares come first, row by row, then rooms as in the map."""
        mask = self.mask
        return tuple([place for place in self.within if mask >> place & 1])

    def pick(self, random: Random) -> int:
        """One of the places, all equally likely; there has to be one."""
        within, mask = self.within, self.mask
        while True:
            place = within[int(random.random() * len(within))]
            if mask >> place & 1:
                return place


NOWHERE = Reach(0, (), ())
"""The reach of somebody who does not walk."""


class Board:
    """A map made ready for play. It does not change: all players of all games of a process share it.

    Attributes:
        map: the :class:`MapFile`.
        source: the map's name, or the path that it was read from.
        deck: its cards.
        graph: the :class:`networkx.Graph` by which games are played, frozen: all that follows is computed from it.
            :mod:`cluedo.engine.graph` describes its nodes and edges.
        has_grid: whether there is a board to walk on, or a deck alone.
        width: of the grid, in squares, as is ``height``.
        stride: what one step down adds to a square's place.
        squares: the mask of all corridor squares; ``all_rooms``: the mask of all rooms.
        numbers: by node of the graph, its place.
        rooms_at: the place of room 0; places from here on are rooms.
        places: one more than the last place.
        starts: by suspect, the place where the pawn starts; ``starts_mask``: the mask of these squares.
        weapon_starts: by weapon, the place of the room where it starts (rule 1).
        passages: by room, the place that the secret passage leads to, or -1.
        doors: by room, the mask of its door squares.
        door_room: for each door square, the place of its room.
        distance: by room, the fewest steps from each place on an empty board, walking through no
            other room (:data:`UNREACHABLE` if there is no way), over places.
        nearest: by place, ``(steps, number of the room)`` for every other room that one can walk to, the nearest first.

    >>> board = Board.load("classic")
    >>> board.node(board.place("Hall")), board.node(board.place((8, 5)))
    ('Hall', (8, 5))
    >>> board.node(board.passage(board.place("Kitchen")))
    'Study'
    """

    def __init__(self, map_file: MapFile, source: str | Path | None = None):
        if not isinstance(map_file, MapFile):
            raise MapError(
                "a Board is made of a MapFile, not {what}; Board.load takes a name or a path", what=short_repr(map_file)
            )
        self.map = map_file
        self.source = str(source) if source is not None else map_file.name
        self.deck: Deck = map_file.deck
        self.has_grid = map_file.grid is not None
        self.graph: nx.Graph[Node] = map_file.graph
        self.width, self.height = len(map_file.floor[0]), len(map_file.floor)
        self.stride = self.width + 1
        self.rooms_at = self.stride * self.height
        self.places = self.rooms_at + len(map_file.rooms)
        self._room_offset: int = self.rooms_at - self.deck.rooms.start
        self.numbers: Mapping[Node, int] = MappingProxyType({node: self._number(node) for node in self.graph})
        self.starts: tuple[int, ...] = tuple(self.place(start) for start in map_file.starts)
        self.starts_mask: int = sum(1 << start for start in self.starts)
        weapons, rooms = len(map_file.weapons), len(map_file.rooms)
        self.weapon_starts: tuple[int, ...] = tuple(self.rooms_at + k % rooms for k in range(weapons))
        self._read_graph()
        self.all_rooms: int = (1 << self.places) - (1 << self.rooms_at)
        each_room = tuple(range(self.rooms_at, self.places))
        self._other_rooms = tuple(self._reach_of(self.all_rooms & ~(1 << room), each_room) for room in each_room)
        self._any_room = self._reach_of(self.all_rooms, each_room)
        # Only the game's own rolls come here, which everybody sees: what players think of leaves no trace.
        self._walk = lru_cache(maxsize=_MEMO_SQUARES // self.places)(self._walked)

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, "_walk"):  # the last to be set
            raise AttributeError("a board does not change: all players share it")
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[type[Board], tuple[MapFile, str]]:
        """Pickle the map alone: all else follows from it."""
        return Board, (self.map, self.source)

    def __deepcopy__(self, memo: object) -> Board:
        """The board itself, as it does not change."""
        return self

    @classmethod
    def load(cls, source: str | Path) -> Board:
        """The board of a shipped map, by name, or of a map file, by path; raises :class:`MapError`.

        As long as its text does not change, it is the same object: a loop may name its board in each game.
        """
        return _made(str(source), map_text(source))

    def check_movement(self, rules: Rules) -> None:
        """Raise :class:`SetupError` for rules by which pawns walk where there is nothing to walk on."""
        if not self.has_grid and not rules.free:
            raise SetupError("the map {source} has no grid to walk on; play it with movement=free", source=self.source)

    def __repr__(self) -> str:
        return f"Board({self.map.name!r})"

    def _repr_svg_(self) -> str | None:
        """The drawing of the board at the start of a game, for a notebook; None for a deck alone."""
        from cluedo.engine.board_svg import board_svg

        return board_svg(self) if self.has_grid else None

    # ---- names of places -------------------------------------------------------------------

    def _number(self, node: Node) -> int:
        if isinstance(node, str):
            return self.room_place(self.deck.id(node, Category.ROOM))
        return node[1] * self.stride + node[0]

    def is_room(self, place: int) -> bool:
        """Whether the place is a room."""
        return place >= self.rooms_at

    @property
    def title(self) -> str:
        """What people call it."""
        return self.map.title or self.map.name

    def room_place(self, card: int) -> int:
        """The place of the room with this card id."""
        return card + self._room_offset

    def room_card(self, place: int) -> int:
        """The card id of the room at this place."""
        return place - self._room_offset

    def node(self, place: int) -> Node:
        """The node of :attr:`graph` for a place: ``(x, y)``, or the room's name; raises :class:`MapError`."""
        if whole_number(place, 0, self.places - 1) is None:
            raise MapError(
                "a place is a number from 0 to {most}, not {place}", most=self.places - 1, place=safe_repr(place)
            )
        if place >= self.rooms_at:
            return self.map.rooms[place - self.rooms_at].name
        return place % self.stride, place // self.stride

    def is_corridor(self, x: int, y: int) -> bool:
        """Whether there is a corridor square at ``(x, y)``, which may lie outside the board."""
        return (x, y) in self.numbers

    def place(self, node: Iterable[int] | str) -> int:
        """The place of a node, written as in files (``[x, y]`` or a room's name); raises :class:`MapError`."""
        if isinstance(node, str):
            place = self.numbers.get(normalised(node))
            if place is None:
                names = [room.name for room in self.map.rooms]
                raise MapError("no room is called {node!r}; {closest}", node=node, closest=closest(node, names))
            return place
        try:
            x, y = node
            found = self.numbers.get((x, y))
        except (TypeError, ValueError):
            raise MapError("a place is a room's name or a square [x, y], not {what}", what=short_repr(node)) from None
        if found is None:
            raise MapError("[{x}, {y}] is not a corridor square of {name}", x=x, y=y, name=self.map.name)
        return found

    # ---- tables ----------------------------------------------------------------------------

    def _read_graph(self) -> None:
        """Compute the masks and tables that games use from the graph."""
        passages, doors = [-1] * len(self.map.rooms), [0] * len(self.map.rooms)
        right = down = 0
        for a, b, edge in self.graph.edges(data=True):
            first, second = sorted((self.numbers[a], self.numbers[b]))  # squares before rooms
            if edge["kind"] == "passage":
                passages[first - self.rooms_at], passages[second - self.rooms_at] = second, first
            elif edge["kind"] == "door":
                doors[second - self.rooms_at] |= 1 << first
            elif second == first + 1:
                right |= 1 << first
            else:
                down |= 1 << first
        self.squares: int = sum(1 << place for place in self.numbers.values() if place < self.rooms_at)
        self._steps_right, self._steps_down = right, down
        self.passages: tuple[int, ...] = tuple(passages)
        self.doors: tuple[int, ...] = tuple(doors)
        self.all_doors: int = sum(doors)
        door_room = {square: self.rooms_at + k for k, mask in enumerate(doors) for square in bits(mask)}
        self.door_room: Mapping[int, int] = MappingProxyType(door_room)
        self._door_bits = tuple((1 << square, 1 << room) for square, room in door_room.items())
        walks = [self._walks_to(k) for k in range(len(doors))]
        self.distance: tuple[tuple[int, ...], ...] = tuple(distances for distances, _, _ in walks)
        self._rings = tuple(rings for _, rings, _ in walks)
        self._ways = tuple(ways for _, _, ways in walks)
        self.nearest = tuple(self._nearest(place) for place in range(self.places))

    def _walks_to(self, k: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The distances and shortest ways to room ``k`` on an empty board.

        Returns:
            By place, the fewest steps; by number of steps, the mask of the squares that far away; by square, the mask
            of the squares on all shortest ways, itself included.
        """
        distances, ways = [UNREACHABLE] * self.places, [0] * self.rooms_at
        steps = steps_to_room(self.graph, self.map.rooms[k].name)
        rings = [0] * (1 + max(steps.values()))
        for node, distance in steps.items():
            place = self.numbers[node]
            distances[place] = distance
            if place < self.rooms_at:
                rings[distance] |= 1 << place
                ways[place] = 1 << place
                for other in self.graph[node]:
                    if steps.get(other) == distance - 1 > 0:
                        ways[place] |= ways[self.numbers[other]]
        for room, doors in enumerate(self.doors, start=self.rooms_at):
            if distances[room] > 0:
                distances[room] = min([UNREACHABLE, *(1 + distances[door] for door in bits(doors))])
        return tuple(distances), tuple(rings), tuple(ways)

    def passage(self, place: int) -> int:
        """The place that the secret passage here leads to, or -1."""
        return self.passages[place - self.rooms_at] if place >= self.rooms_at else -1

    def other_rooms(self, place: int) -> Reach:
        """Every room but the one at ``place``: where free movement leads."""
        return self._other_rooms[place - self.rooms_at] if place >= self.rooms_at else self._any_room

    def _nearest(self, place: int) -> tuple[tuple[int, int], ...]:
        ways = ((table[place], k) for k, table in enumerate(self.distance))
        return tuple(sorted(way for way in ways if 0 < way[0] < UNREACHABLE))

    # ---- walking ---------------------------------------------------------------------------

    def _around(self, squares: int) -> int:
        """The mask of the squares one step from those of a mask."""
        right, down, stride = self._steps_right, self._steps_down, self.stride
        return (squares & right) << 1 | squares >> 1 & right | (squares & down) << stride | squares >> stride & down

    def reach(self, start: int, steps: int, pawns: int) -> Reach:
        """Where a walk of at most ``steps`` (≥ 1) from ``start`` may end.

        ``pawns`` is the mask of squares that pawns stand on, one's own or not: no walk goes onto or
        through those of others. Entering a room costs a step and ends the walk; the room that one leaves cannot be
        entered again, and the start itself is no end.
        """
        on_empty_board = self._walk(start, steps, 0)
        # Only pawns that the walk could meet change it, so most walks have been seen before.
        pawns &= on_empty_board.mask
        return self._walk(start, steps, pawns) if pawns else on_empty_board

    def _walked(self, start: int, steps: int, pawns: int) -> Reach:
        mask = self._flood(start, steps, pawns)
        return self._reach_of(mask, self._walk(start, steps, 0).within if pawns else tuple(bits(mask)))

    def steps_to_rooms(self, start: int, most: int, pawns: int) -> tuple[int, ...]:
        """By room, the lowest roll that reaches it; more than ``most`` if none up to ``most`` does."""
        free = self.squares & ~pawns
        inside, steps = (1 << start, 0) if start < self.rooms_at else (self.doors[start - self.rooms_at] & free, 1)
        seen = inside
        found = [most + 1] * len(self.doors)
        while inside and steps < most:
            steps += 1
            if inside & self.all_doors:
                for k, doors in enumerate(self.doors):
                    if inside & doors and steps < found[k]:
                        found[k] = steps
            inside = self._around(inside) & free & ~seen
            seen |= inside
        if start >= self.rooms_at:
            found[start - self.rooms_at] = most + 1
        return tuple(found)

    def _reach_of(self, mask: int, within: tuple[int, ...]) -> Reach:
        return Reach(mask, tuple(self.rooms_at + k for k in bits(mask >> self.rooms_at)), within)

    def _flood(self, start: int, steps: int, pawns: int) -> int:
        free = self.squares & ~pawns
        if start >= self.rooms_at:
            seen = self.doors[start - self.rooms_at] & free
            steps -= 1
            inside = seen if steps else 0
            left = 1 << start
        else:
            seen = inside = left = 1 << start
        edge = seen
        for _ in range(steps):
            inside = seen  # one step short: from here a door can still be passed
            edge = self._around(edge) & free & ~seen
            if not edge:
                break
            seen |= edge
        ends = seen
        if inside & self.all_doors:
            for square, room in self._door_bits:
                if inside & square:
                    ends |= room
        return ends & ~left

    def toward(self, room: int, start: int, ends: int, pawns: int) -> int:
        """Squares in ``ends`` (a :attr:`Reach.mask`) that are nearest to ``room``, and nearer than ``start``.

        Near is counted round the ``pawns`` as they stand. Gives a mask of at least one such square,
        not always of all that are equally near; 0 if there is none.
        """
        k = room - self.rooms_at
        rings, ways = self._rings[k], self._ways[k]
        for distance in range(1, min(self.distance[k][start], len(rings))):
            if nearest := rings[distance] & ends:
                # No end is nearer on the empty board; if no pawn is in its way, none is nearer on this one.
                if not pawns:
                    return nearest
                clear = sum(1 << end for end in bits(nearest) if not ways[end] & pawns)
                if clear:
                    return clear
                break
        return self._toward_round(k, start, ends, pawns)

    def _toward_round(self, k: int, start: int, ends: int, pawns: int) -> int:
        free = self.squares & ~pawns
        here = 1 << start
        seen = edge = self.doors[k] & free
        while edge:
            if edge & here:
                return 0
            if edge & ends:
                return edge & ends
            edge = self._around(edge) & free & ~seen
            seen |= edge
        return 0

    def way(self, start: int, to: int, taken: int) -> list[int]:
        """The places of a shortest walk from ``start`` to ``to``, both included, round squares that are taken (a mask).

        Where no walk leads (under free movement, say, or for a pawn that somebody else moved) it is these two alone.
        """
        occupied = {self.node(place) for place in bits(taken)}
        walk = shortest_walk(self.graph, self.node(start), self.node(to), occupied)
        return [start, to] if walk is None else [self.numbers[node] for node in walk]


@lru_cache(maxsize=16)
def _made(source: str, text: str) -> Board:
    return Board(MapFile.from_text(text, source), source)
