"""A picture of a board, for people and for reports.

:func:`draw_board` draws on axes that somebody has, so that a report can lay its own colours under
the names and doors; :func:`board_figure` makes a whole picture with a legend.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cluedo.board import Board

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["board_figure", "draw_board"]

Square = tuple[int, int]

_CORRIDOR, _GRID_LINE, _WALL, _INK, _YARD, _SECRET = "#f3ecd9", "#dccfae", "#4a3f35", "#2b2420", "#ddd5c4", "#7a2e2e"
_WALL_WIDTH, _SQUARE_INCHES = 2.2, 0.34


def board_figure(board: Board, pawns: Sequence[int] | None = None, title: str | None = None) -> Figure:
    """The board with its suspects in a legend.

    Args:
        board: one with a grid.
        pawns: by suspect, the place; the starts if left out.
        title: instead of the map's own.
    """
    from matplotlib.figure import Figure

    legend_inches = 1.9
    across, down = board.width * _SQUARE_INCHES, board.height * _SQUARE_INCHES
    figure = Figure(
        figsize=(max(across, 2.5) + legend_inches + 0.5, down + 1.0), layout="constrained", facecolor="white"
    )
    axes = figure.add_subplot()
    draw_board(axes, board, pawns=pawns)
    axes.set_title(
        board.map.title or board.map.name if title is None else title, fontsize=15, fontweight="bold", color=_INK
    )
    _draw_legend(figure, board)
    return figure


def draw_board(
    axes: Axes,
    board: Board,
    *,
    pawns: Sequence[int] | None = None,
    room_colours: Mapping[str, str] | None = None,
    square_colours: Mapping[Square, str] | None = None,
    notes: Mapping[str, str] | None = None,
    labels: bool = True,
) -> None:
    """Draw a board with a grid on axes; the square ``(x, y)`` covers x to x + 1 and y to y + 1, y downwards.

    Args:
        axes: their limits, aspect and ticks are set.
        board: one with a grid.
        pawns: by suspect, the place; the starts if left out; an empty sequence for none.
        room_colours: by room name, a colour instead of the map's.
        square_colours: by corridor square, a colour instead of the plain one.
        notes: by room name, a few words under the name.
        labels: whether to write the names of the rooms.
    """
    _draw_squares(axes, board, room_colours or {}, square_colours or {})
    _draw_walls(axes, board)
    _draw_doors(axes, board)
    _draw_passages(axes, board)
    if labels:
        _draw_names(axes, board, room_colours or {}, notes or {})
    _draw_pawns(axes, board, board.starts if pawns is None else pawns)
    axes.set_xlim(-0.15, board.width + 0.15)
    axes.set_ylim(board.height + 0.15, -0.15)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _rooms_of(board: Board) -> dict[Square, int]:
    """By square inside a room, the room's number."""
    index = {room.symbol: k for k, room in enumerate(board.map.rooms)}
    return {(x, y): index[symbol] for x, y, symbol in board.map.symbols() if symbol in index}


def _enclosed(board: Board) -> set[Square]:
    """The squares that are none and that the house surrounds: a stairwell, a yard."""
    walls = {(x, y) for x, y, symbol in board.map.symbols() if symbol == "#"}
    outside = [(x, y) for x, y in walls if x in (0, board.width - 1) or y in (0, board.height - 1)]
    while outside:
        x, y = outside.pop()
        if (x, y) in walls:
            walls.remove((x, y))
            outside += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return walls


def _node(board: Board, place: int) -> Square:
    return place % board.stride, place // board.stride


def _draw_squares(
    axes: Axes, board: Board, room_colours: Mapping[str, str], square_colours: Mapping[Square, str]
) -> None:
    from matplotlib.patches import Rectangle

    rooms, yard = _rooms_of(board), _enclosed(board)
    for x, y, _ in board.map.symbols():
        room = rooms.get((x, y))
        if (x, y) in yard:
            axes.add_patch(Rectangle((x, y), 1, 1, facecolor=_YARD, edgecolor=_YARD, linewidth=0.8, zorder=0.4))
        if room is not None:
            entry = board.map.rooms[room]
            colour = room_colours.get(entry.name, entry.colour)
            # A hair of overlap, or the seams between the squares would show.
            axes.add_patch(Rectangle((x, y), 1.0, 1.0, facecolor=colour, edgecolor=colour, linewidth=0.8, zorder=1))
        elif (x, y) in board.graph:
            colour = square_colours.get((x, y), _CORRIDOR)
            axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor=_GRID_LINE, linewidth=0.7, zorder=0.5))


def _way_in(square: Square, room: int, rooms: Mapping[Square, int]) -> Square:
    """The step that leads from a door square into its room."""
    x, y = square
    return next((dx, dy) for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)) if rooms.get((x + dx, y + dy)) == room)


def _edge(square: Square, step: Square) -> tuple[tuple[float, float], tuple[float, float]]:
    """The two ends of the side of a square that lies in the direction of a step."""
    x, y = square[0] + 0.5 + step[0] / 2, square[1] + 0.5 + step[1] / 2
    along = (abs(step[1]) / 2, abs(step[0]) / 2)
    return (x - along[0], y - along[1]), (x + along[0], y + along[1])


def _doors(board: Board) -> list[tuple[Square, Square]]:
    """Each door: its square, and the step into the room."""
    rooms = _rooms_of(board)
    return [
        (square, _way_in(square, room - board.rooms_at, rooms))
        for square, room in ((_node(board, place), room) for place, room in board.door_room.items())
    ]


def _draw_walls(axes: Axes, board: Board) -> None:
    """Round every room, and round the corridor where there is nothing beyond."""
    from matplotlib.collections import LineCollection

    rooms = _rooms_of(board)
    kinds: dict[Square, int] = {
        (x, y): rooms.get((x, y), -1 if (x, y) in board.graph else -2) for x, y, _ in board.map.symbols()
    }
    gaps = {_edge(square, step) for square, step in _doors(board)}
    walls = []
    for x in range(-1, board.width):
        for y in range(-1, board.height):
            for step in ((1, 0), (0, 1)):
                here, there = kinds.get((x, y), -2), kinds.get((x + step[0], y + step[1]), -2)
                edge = _edge((x, y), step)
                if here != there and edge not in gaps:
                    walls.append(edge)
    axes.add_collection(LineCollection(walls, colors=_WALL, linewidths=_WALL_WIDTH, capstyle="round", zorder=3))


def _draw_doors(axes: Axes, board: Board) -> None:
    """A gap with jambs in the wall, and an arrow through it."""
    for square, (dx, dy) in _doors(board):
        (x0, y0), (x1, y1) = _edge(square, (dx, dy))
        for x, y in ((x0, y0), (x1, y1)):
            axes.plot(
                [x - 0.12 * dx, x + 0.12 * dx],
                [y - 0.12 * dy, y + 0.12 * dy],
                color=_WALL,
                linewidth=_WALL_WIDTH,
                solid_capstyle="butt",
                zorder=3,
            )
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        axes.annotate(
            "",
            xy=(x + 0.42 * dx, y + 0.42 * dy),
            xytext=(x - 0.42 * dx, y - 0.42 * dy),
            arrowprops={
                "arrowstyle": "-|>,head_width=0.22,head_length=0.3",
                "color": _INK,
                "linewidth": 1.3,
                "shrinkA": 0,
                "shrinkB": 0,
            },
            zorder=4,
        )


def _middle(board: Board, room: int) -> tuple[float, float]:
    """Where a room's name goes: the middle of its bounding box, or its square nearest to that."""
    squares = [square for square, k in _rooms_of(board).items() if k == room]
    xs, ys = [x for x, _ in squares], [y for _, y in squares]
    x, y = (min(xs) + max(xs) + 1) / 2, (min(ys) + max(ys) + 1) / 2
    if (int(x), int(y)) in squares:
        return x, y
    near = min(squares, key=lambda square: abs(square[0] + 0.5 - x) + abs(square[1] + 0.5 - y))
    return near[0] + 0.5, near[1] + 0.5


def _width_at(board: Board, room: int, y: float) -> int:
    return sum(1 for (_, row), k in _rooms_of(board).items() if k == room and row == int(y))


def _draw_names(axes: Axes, board: Board, room_colours: Mapping[str, str], notes: Mapping[str, str]) -> None:
    for k, room in enumerate(board.map.rooms):
        x, y = _middle(board, k)
        width = max(_width_at(board, k, y), 1)
        name = "\n".join(textwrap.wrap(room.name, max(int(width * 1.9), 6), break_long_words=False))
        longest = max(map(len, name.split("\n")))
        size = min(12.0, 12.0 * width * 2.35 / longest)
        if room.name in notes:
            name += f"\n{notes[room.name]}"
        axes.text(
            x,
            y,
            name,
            ha="center",
            va="center",
            fontsize=size,
            fontweight="bold",
            color=_ink_on(room_colours.get(room.name, room.colour)),
            linespacing=1.05,
            zorder=5,
        )


def _draw_passages(axes: Axes, board: Board) -> None:
    """A trapdoor in either room, and a dashed curve between the two."""
    from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

    for k, to in enumerate(board.passages):
        other = to - board.rooms_at
        if to < 0 or other < k:
            continue
        ends = _hatch(board, k, other), _hatch(board, other, k)
        curve = FancyArrowPatch(
            *ends,
            connectionstyle="arc3,rad=0.14",
            arrowstyle="-",
            linestyle=(0, (5, 4)),
            linewidth=1.4,
            color=_SECRET,
            alpha=0.7,
            shrinkA=6,
            shrinkB=6,
            zorder=4,
        )
        axes.add_patch(curve)
        for x, y in ends:
            box = FancyBboxPatch(
                (x - 0.22, y - 0.22),
                0.44,
                0.44,
                boxstyle="round,pad=0.06",
                facecolor=_SECRET,
                edgecolor="white",
                zorder=5,
            )
            axes.add_patch(box)
            for step in (-0.12, 0.0, 0.12):  # the steps that lead down
                axes.plot([x - 0.16, x + 0.16], [y + step, y + step], color="white", linewidth=1.1, zorder=5.5)


def _hatch(board: Board, room: int, other: int) -> tuple[float, float]:
    """Where a passage comes up: the room's square nearest the other room, clear of the name and the doors."""
    rooms = _rooms_of(board)
    x, y = _middle(board, room)
    far = _middle(board, other)
    doors = [(sx + 0.5 + dx, sy + 0.5 + dy) for (sx, sy), (dx, dy) in _doors(board) if rooms[sx + dx, sy + dy] == room]

    def cost(square: Square) -> float:
        u, v = square[0] + 0.5, square[1] + 0.5
        on_name = abs(v - y) < 0.9 and abs(u - x) < 0.14 * len(board.map.rooms[room].name) + 0.7
        by_door = any(abs(u - p) + abs(v - q) < 1.5 for p, q in doors)
        return float(((u - far[0]) ** 2 + (v - far[1]) ** 2) ** 0.5 + 8 * by_door + 16 * on_name)

    square = min((square for square, k in rooms.items() if k == room), key=cost)
    return square[0] + 0.5, square[1] + 0.5


def _draw_pawns(axes: Axes, board: Board, pawns: Sequence[int]) -> None:
    from matplotlib.patches import Circle

    for suspect, place in enumerate(pawns):
        if board.is_room(place):
            company = [other for other, where in enumerate(pawns) if where == place]
            u, v = _middle(board, place - board.rooms_at)
            centre = u + (company.index(suspect) - (len(company) - 1) / 2) * 0.85, v + 1.1
        else:
            x, y = _node(board, place)
            centre = x + 0.5, y + 0.5
        colour = board.map.suspects[suspect].colour
        axes.add_patch(Circle(centre, 0.36, facecolor=colour, edgecolor=_INK, linewidth=1.3, zorder=6))


def _draw_legend(figure: Figure, board: Board) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [],
            [],
            linestyle="none",
            marker="o",
            markersize=10,
            markerfacecolor=suspect.colour,
            markeredgecolor=_INK,
            label=suspect.name,
        )
        for suspect in board.map.suspects
    ]
    handles.append(Line2D([], [], linestyle="none", marker=r"$\rightarrow$", markersize=12, color=_INK, label="door"))
    if any(to >= 0 for to in board.passages):
        handles.append(Line2D([], [], linestyle=(0, (4, 3)), color=_SECRET, linewidth=1.4, label="secret passage"))
    figure.legend(handles=handles, loc="outside right center", frameon=False, fontsize=11, labelspacing=0.9)


def _ink_on(colour: str) -> str:
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return _INK if 0.299 * red + 0.587 * green + 0.114 * blue > 120 else "#ffffff"
