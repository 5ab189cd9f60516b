"""A picture of a board, for people and for reports.

:func:`draw_board` draws on axes that somebody has, so that a report can lay its own colours under
the names and doors; :func:`board_figure` makes a whole picture with a legend.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cluedo.engine.board import Board
from cluedo.engine.geometry import (
    FLOOR,
    INK,
    LINES,
    SECRET,
    WALLS,
    YARD,
    Square,
    doors,
    edge,
    enclosed_squares,
    hatch,
    ink_on,
    middle,
    name_lines,
    rooms_of,
    spots,
    walls,
)
from cluedo.experiments.draw.literal_text import boxes_for_unknown_signs, disable_math
from cluedo.language import tr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["board_figure", "draw_board"]

_WALL_WIDTH, _SQUARE_INCHES, _LEGEND_INCHES = 2.2, 0.34, 1.9


def board_figure(board: Board) -> Figure:
    """A board, which has a grid, with its suspects in a legend."""
    from matplotlib.figure import Figure

    figure = Figure(dpi=120, layout="constrained")
    axes = figure.add_subplot()
    draw_board(axes, board)
    axes.set_title(board.title, fontsize=15, fontweight="bold", color=INK)
    _draw_legend(figure, board)
    across, down = board.width * _SQUARE_INCHES, board.height * _SQUARE_INCHES
    with boxes_for_unknown_signs():
        beside = max(disable_math(figure).legends[0].get_window_extent().width / figure.dpi, _LEGEND_INCHES)
    figure.set_size_inches(max(across, 2.5) + beside + 0.5, down + 1.0)
    return figure


def draw_board(
    axes: Axes,
    board: Board,
    *,
    pawns: Sequence[int] | None = None,
    room_colours: Mapping[str, str] | None = None,
    square_colours: Mapping[Square, str] | None = None,
    notes: Mapping[str, str] | None = None,
) -> None:
    """Draw a board with a grid on axes; the square ``(x, y)`` covers x to x + 1 and y to y + 1, y downwards.

    Args:
        axes: their limits, aspect and ticks are set.
        board: one with a grid.
        pawns: by suspect, the place; the starts if left out; an empty sequence for none.
        room_colours: by room name, a colour instead of the map's.
        square_colours: by corridor square, a colour instead of the plain one.
        notes: by room name, a few words under the name.
    """
    _draw_squares(axes, board, room_colours or {}, square_colours or {})
    _draw_walls(axes, board)
    _draw_doors(axes, board)
    _draw_passages(axes, board)
    _draw_names(axes, board, room_colours or {}, notes or {})
    _draw_pawns(axes, board, board.starts if pawns is None else pawns)
    axes.set_xlim(-0.15, board.width + 0.15)
    axes.set_ylim(board.height + 0.15, -0.15)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _draw_squares(
    axes: Axes, board: Board, room_colours: Mapping[str, str], square_colours: Mapping[Square, str]
) -> None:
    from matplotlib.collections import PolyCollection

    rooms, yard = rooms_of(board), enclosed_squares(board)
    layers: dict[tuple[float, float], list[tuple[Square, str, str]]] = defaultdict(list)
    for x, y, _ in board.map.symbols():
        room = rooms.get((x, y))
        if (x, y) in yard:
            layers[0.4, 0.8].append(((x, y), YARD, YARD))
        if room is not None:
            entry = board.map.rooms[room]
            colour = room_colours.get(entry.name, entry.colour)
            # A hair of overlap, or the seams between the squares would show.
            layers[1, 0.8].append(((x, y), colour, colour))
        elif board.is_corridor(x, y):
            layers[0.5, 0.7].append(((x, y), square_colours.get((x, y), FLOOR), LINES))
    # One collection a layer: a patch for each square takes a second a picture.
    for (zorder, linewidth), squares in layers.items():
        axes.add_collection(
            PolyCollection(
                [((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)) for (x, y), _, _ in squares],
                facecolors=[face for _, face, _ in squares],
                edgecolors=[edge for _, _, edge in squares],
                linewidths=linewidth,
                joinstyle="miter",
                zorder=zorder,
            )
        )


def _draw_walls(axes: Axes, board: Board) -> None:
    """Draw the walls round rooms, and round corridors at the edge."""
    from matplotlib.collections import LineCollection

    axes.add_collection(LineCollection(walls(board), colors=WALLS, linewidths=_WALL_WIDTH, capstyle="round", zorder=3))


def _draw_doors(axes: Axes, board: Board) -> None:
    """A gap with jambs in the wall, and an arrow through it."""
    for square, (dx, dy) in doors(board):
        (x0, y0), (x1, y1) = edge(square, (dx, dy))
        for x, y in ((x0, y0), (x1, y1)):
            axes.plot(
                [x - 0.12 * dx, x + 0.12 * dx],
                [y - 0.12 * dy, y + 0.12 * dy],
                color=WALLS,
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
                "color": INK,
                "linewidth": 1.3,
                "shrinkA": 0,
                "shrinkB": 0,
            },
            zorder=4,
        )


def _draw_names(axes: Axes, board: Board, room_colours: Mapping[str, str], notes: Mapping[str, str]) -> None:
    for k, room in enumerate(board.map.rooms):
        x, y = middle(board, k)
        lines, width = name_lines(board, k)
        longest = max(map(len, lines))
        size = min(12.0, 12.0 * width * 2.35 / longest)
        if room.name in notes:
            lines = [*lines, notes[room.name]]
        axes.text(
            x,
            y,
            "\n".join(lines),
            ha="center",
            va="center",
            fontsize=size,
            fontweight="bold",
            color=ink_on(room_colours.get(room.name, room.colour)),
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
        ends = hatch(board, k, other), hatch(board, other, k)
        curve = FancyArrowPatch(
            *ends,
            connectionstyle="arc3,rad=0.14",
            arrowstyle="-",
            linestyle=(0, (5, 4)),
            linewidth=1.4,
            color=SECRET,
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
                facecolor=SECRET,
                edgecolor="white",
                zorder=5,
            )
            axes.add_patch(box)
            for step in (-0.12, 0.0, 0.12):  # the steps that lead down
                axes.plot([x - 0.16, x + 0.16], [y + step, y + step], color="white", linewidth=1.1, zorder=5.5)


def _draw_pawns(axes: Axes, board: Board, pawns: Sequence[int]) -> None:
    from matplotlib.patches import Circle

    for suspect, centre in enumerate(spots(board, pawns)):
        colour = board.map.suspects[suspect].colour
        axes.add_patch(Circle(centre, 0.36, facecolor=colour, edgecolor=INK, linewidth=1.3, zorder=6))


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
            markeredgecolor=INK,
            label=suspect.name,
        )
        for suspect in board.map.suspects
    ]
    handles.append(
        Line2D([], [], linestyle="none", marker=r"$\rightarrow$", markersize=12, color=INK, label=tr("door"))
    )
    if any(to >= 0 for to in board.passages):
        handles.append(Line2D([], [], linestyle=(0, (4, 3)), color=SECRET, linewidth=1.4, label=tr("secret passage")))
    figure.legend(handles=handles, loc="outside right center", frameon=False, fontsize=11, labelspacing=0.9)
