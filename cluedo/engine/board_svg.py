"""A board as an SVG drawing, one unit a square: whole in a file or a notebook, and a part of the pages.

Elements say their colours in attributes, which the style sheet of a page overrides for light and dark by the classes
``board``, ``yard``, ``corridor``, ``room``, ``passage``, ``wall``, ``door``, ``name``, ``weapon`` and ``pawn``. Rooms
are ``#room-N`` by their numbers; weapons and pawns, which scripts move, are ``#weapon-N`` and ``#pawn-N``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup

from cluedo.engine import geometry
from cluedo.engine.board import Board
from cluedo.engine.geometry import pawn_codes, weapon_codes

__all__ = ["board_svg"]

_MARGIN = 0.2
_HEAD = 0.16  # half the width of the head of a door's arrow
_PIXELS = 22  # of a square, where no page says how large the drawing is


def board_svg(
    board: Board, pawns: Sequence[int] | None = None, weapons: Sequence[int] | None = None, *, label: str = ""
) -> Markup:
    """The drawing of a board, with all pawns and weapons.

    Args:
        board: one with a grid.
        pawns: by suspect, the place; the starts if left out.
        weapons: by weapon, the place; those of the beginning if left out.
        label: what it is, for those who do not see it; the board's title if left out.
    """
    corridor = [node for node in board.graph if not isinstance(node, str)]
    arrows = "".join(_arrows(board))
    walls = "".join(f"M{x0:g} {y0:g}L{x1:g} {y1:g}" for (x0, y0), (x1, y1) in geometry.walls(board))
    parts = [
        Markup('<path class="yard" fill="{0}" stroke="{0}" stroke-width="0.03" d="{1}"/>').format(
            geometry.YARD, _squares(geometry.enclosed_squares(board))
        ),
        Markup('<path class="corridor" fill="{}" stroke="{}" stroke-width="0.04" d="{}"/>').format(
            geometry.FLOOR, geometry.LINES, _squares(corridor)
        ),
        *_rooms(board),
        _line("passage", geometry.SECRET, 0.1, "".join(_passages(board)), opacity=0.75, dash="0.35 0.28"),
        _line("wall", geometry.WALLS, 0.14, walls),
        _line("door halo", geometry.FLOOR, 0.24, arrows, opacity=0.85),
        _line("door", geometry.INK, 0.09, arrows),
        *_names(board),
        *_weapons(board, board.weapon_starts if weapons is None else weapons),
        *_pawns(board, board.starts if pawns is None else pawns),
    ]
    width, height = board.width + 2 * _MARGIN, board.height + 2 * _MARGIN
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="{0} {0} {1} {2}" width="{3:g}" height="{4:g}" '
        'preserveAspectRatio="xMidYMin" font-family="system-ui, sans-serif" text-anchor="middle" role="img" '
        'aria-label="{5}">{6}</svg>'
    ).format(-_MARGIN, width, height, _PIXELS * width, _PIXELS * height, label or board.title, Markup("").join(parts))


def _squares(squares: Iterable[tuple[int, int]]) -> str:
    return "".join(f"M{x} {y}h1v1h-1z" for x, y in sorted(squares))


def _line(kind: str, colour: str, width: float, path: str, opacity: float = 1.0, dash: str = "none") -> Markup:
    return Markup(
        '<path class="{}" fill="none" stroke="{}" stroke-width="{}" stroke-linecap="round" stroke-linejoin="round" '
        'opacity="{}" stroke-dasharray="{}" d="{}"/>'
    ).format(kind, colour, width, opacity, dash, path)


def _rooms(board: Board) -> Iterator[Markup]:
    rooms = geometry.rooms_of(board)
    for number, room in enumerate(board.map.rooms):
        squares = _squares(square for square, k in rooms.items() if k == number)
        # A stroke of its own colour, or the seams between the squares would show.
        yield Markup(
            '<path class="room" id="room-{0}" fill="{1}" stroke="{1}" stroke-width="0.03" d="{2}">'
            "<title>{3}</title></path>"
        ).format(number, room.colour, squares, room.name)


def _arrows(board: Board) -> Iterator[str]:
    """An arrow through every gap."""
    for square, (dx, dy) in geometry.doors(board):
        (x0, y0), (x1, y1) = geometry.edge(square, (dx, dy))
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        tip, back = (x + 0.4 * dx, y + 0.4 * dy), (x + 0.1 * dx, y + 0.1 * dy)
        yield f"M{x - 0.4 * dx:g} {y - 0.4 * dy:g}L{tip[0]:g} {tip[1]:g}"
        for side in (_HEAD, -_HEAD):
            yield f"M{back[0] + side * dy:g} {back[1] + side * dx:g}L{tip[0]:g} {tip[1]:g}"


def _passages(board: Board) -> Iterator[str]:
    for room, to in enumerate(board.passages):
        other = to - board.rooms_at
        if to >= 0 and other > room:
            (x0, y0), (x1, y1) = geometry.hatch(board, room, other), geometry.hatch(board, other, room)
            yield f"M{x0:g} {y0:g}L{x1:g} {y1:g}"


def _names(board: Board) -> Iterator[Markup]:
    for number, room in enumerate(board.map.rooms):
        x, y = geometry.middle(board, number)
        lines, width = geometry.name_lines(board, number)
        size = min(0.85, 1.55 * width / max(map(len, lines)))
        top = y - 0.6 * size * (len(lines) - 1) + 0.32 * size - 0.25
        spans = Markup("").join(
            Markup('<tspan x="{:g}" y="{:g}">{}</tspan>').format(x, round(top + 1.15 * size * k, 3), line)
            for k, line in enumerate(lines)
        )
        yield Markup('<text class="name" font-size="{:g}" font-weight="650" fill="{}">{}</text>').format(
            round(size, 3), geometry.ink_on(room.colour), spans
        )


def _weapons(board: Board, places: Sequence[int]) -> Iterator[Markup]:
    told = zip(board.map.weapons, weapon_codes(board.deck), geometry.weapon_spots(board, places), strict=True)
    for number, (weapon, code, (x, y)) in enumerate(told):
        yield Markup(
            '<g class="weapon" id="weapon-{}" transform="translate({:g} {:g})"><title>{}</title>'
            '<rect x="-0.45" y="-0.3" width="0.9" height="0.6" rx="0.14" fill="#4b4f58" stroke="#f6f1e6" '
            'stroke-width="0.05"/>'
            '<text y="0.15" font-size="0.42" font-weight="650" fill="#f6f1e6">{}</text></g>'
        ).format(number, x, y, weapon.name, code.capitalize())


def _pawns(board: Board, places: Sequence[int]) -> Iterator[Markup]:
    told = zip(board.map.suspects, pawn_codes(board.deck), geometry.spots(board, places), strict=True)
    for number, (suspect, code, (x, y)) in enumerate(told):
        yield Markup(
            '<g class="pawn" id="pawn-{}" transform="translate({:g} {:g})"><title>{}</title><circle r="0.4" fill="{}" '
            'stroke="{}" stroke-width="0.09"/><text y="0.15" font-size="0.42" font-weight="700" fill="{}">{}</text></g>'
        ).format(number, x, y, suspect.name, suspect.colour, geometry.INK, geometry.ink_on(suspect.colour), code)
