"""A board as an SVG drawing, one unit a square, for a page that colours it light or dark by its style sheet."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from cluedo.engine.board import Board
from cluedo.engine.geometry import doors, edge, enclosed, hatch, middle, name_lines, rooms_of, walls
from cluedo.experiments.draw.board_picture import ink_on

__all__ = ["board_svg"]

_MARGIN = 0.2
_HEAD = 0.16  # half the width of the head of a door's arrow


def board_svg(board: Board, label: str) -> Markup:
    """The board with its rooms, walls, doors and passages, and ``#pawn-N`` and ``#weapon-N`` to be moved.

    Rooms are ``#room-N``. Classes for the style sheet: ``room``, ``corridor``, ``yard``, ``wall``, ``door``, ``name``,
    ``passage``, ``pawn`` and ``weapon``.
    """
    parts = [
        _squares("yard", enclosed(board)),
        _squares("corridor", ((x, y) for x, y, _ in board.map.symbols() if board.is_corridor(x, y))),
        *_rooms(board),
        _passages(board),
        _walls(board),
        _doors(board),
        *_names(board),
        *_weapons(board),
        *_pawns(board),
    ]
    box = f"{-_MARGIN} {-_MARGIN} {board.width + 2 * _MARGIN} {board.height + 2 * _MARGIN}"
    return Markup(
        '<svg class="board" viewBox="{}" preserveAspectRatio="xMidYMin" role="img" aria-label="{}">{}</svg>'
    ).format(box, label, Markup("").join(parts))


def _squares(kind: str, squares: Iterable[tuple[int, int]]) -> Markup:
    return Markup('<path class="{}" d="{}"/>').format(kind, "".join(f"M{x} {y}h1v1h-1z" for x, y in sorted(squares)))


def _rooms(board: Board) -> list[Markup]:
    rooms = rooms_of(board)
    drawn = []
    for number, room in enumerate(board.map.rooms):
        squares = "".join(f"M{x} {y}h1v1h-1z" for (x, y), k in rooms.items() if k == number)
        # A stroke of its own colour, or the seams between the squares would show.
        drawn.append(
            Markup(
                '<path class="room" id="room-{3}" fill="{0}" stroke="{0}" stroke-width="0.03" d="{1}">'
                "<title>{2}</title></path>"
            ).format(room.colour, squares, room.name, number)
        )
    return drawn


def _walls(board: Board) -> Markup:
    lines = "".join(f"M{x0:g} {y0:g}L{x1:g} {y1:g}" for (x0, y0), (x1, y1) in walls(board))
    return Markup('<path class="wall" d="{}"/>').format(lines)


def _doors(board: Board) -> Markup:
    """An arrow through every gap."""
    lines = []
    for square, (dx, dy) in doors(board):
        (x0, y0), (x1, y1) = edge(square, (dx, dy))
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        tip, back = (x + 0.4 * dx, y + 0.4 * dy), (x + 0.1 * dx, y + 0.1 * dy)
        lines.append(f"M{x - 0.4 * dx:g} {y - 0.4 * dy:g}L{tip[0]:g} {tip[1]:g}")
        lines += [f"M{back[0] + side * dy:g} {back[1] + side * dx:g}L{tip[0]:g} {tip[1]:g}" for side in (_HEAD, -_HEAD)]
    arrows = "".join(lines)
    return Markup('<path class="door halo" d="{0}"/><path class="door" d="{0}"/>').format(arrows)


def _passages(board: Board) -> Markup:
    lines = []
    for room, to in enumerate(board.passages):
        other = to - board.rooms_at
        if to >= 0 and other > room:
            (x0, y0), (x1, y1) = hatch(board, room, other), hatch(board, other, room)
            lines.append(f"M{x0:g} {y0:g}L{x1:g} {y1:g}")
    return Markup('<path class="passage" d="{}"/>').format("".join(lines))


def _names(board: Board) -> list[Markup]:
    drawn = []
    for number, room in enumerate(board.map.rooms):
        x, y = middle(board, number)
        lines, width = name_lines(board, number)
        size = min(0.85, 1.55 * width / max(map(len, lines)))
        top = y - 0.6 * size * (len(lines) - 1) + 0.32 * size - 0.25
        spans = Markup("").join(
            Markup('<tspan x="{:g}" y="{:g}">{}</tspan>').format(x, round(top + 1.15 * size * k, 3), line)
            for k, line in enumerate(lines)
        )
        drawn.append(
            Markup('<text class="name" font-size="{:g}" fill="{}">{}</text>').format(
                round(size, 3), ink_on(room.colour), spans
            )
        )
    return drawn


def _weapons(board: Board) -> list[Markup]:
    return [
        Markup(
            '<g class="weapon" id="weapon-{}"><title>{}</title><rect x="-0.45" y="-0.3" width="0.9" height="0.6" '
            'rx="0.14"/><text y="0.15">{}</text></g>'
        ).format(number, weapon.name, weapon.name[:2])
        for number, weapon in enumerate(board.map.weapons)
    ]


def _pawns(board: Board) -> list[Markup]:
    drawn = []
    for number, suspect in enumerate(board.map.suspects):
        drawn.append(
            Markup(
                '<g class="pawn" id="pawn-{}"><title>{}</title><circle r="0.4" fill="{}"/>'
                '<text y="0.17" fill="{}">{}</text></g>'
            ).format(number, suspect.name, suspect.colour, ink_on(suspect.colour), suspect.name[:1])
        )
    return drawn
