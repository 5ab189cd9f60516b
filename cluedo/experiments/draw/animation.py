"""A game as moving pictures: the board is drawn once, and for every frame only the pawns and the words on it."""

from __future__ import annotations

import io
import itertools
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.engine.board import Board
from cluedo.engine.geometry import INK, ink_on, pawn_codes, spots, weapon_codes, weapon_spots
from cluedo.experiments.draw.board_picture import draw_board
from cluedo.experiments.draw.literal_text import boxes_for_unknown_signs, disable_math

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Circle
    from matplotlib.text import Text
    from PIL.Image import Image

__all__ = ["Frame", "animation", "still"]

_SQUARE_INCHES = 0.25
_LEAST_WIDTH = 4.6  # inches, for the words
_TITLE, _CAPTION = 0.42, 1.0  # inches above and below the board
_LINES = 5  # of a caption
_CHARACTER = 0.078  # inches, about
_EACH_MS, _LAST_MS = 1500, 4000  # that a frame is shown
_PAPER = "#ffffff"
_COLOURS = 96  # of an animation: flat colours need no more, and a file of few is small
_CLEAR = 255
"""The number of the colour that lets the frame before shine through."""


class Frame(NamedTuple):
    """One picture: by suspect and by weapon the place, a title above the board and a caption below it."""

    pawns: Sequence[int]
    weapons: Sequence[int]
    title: str
    caption: str


@boxes_for_unknown_signs()
def animation(board: Board, frames: Sequence[Frame]) -> bytes:
    """A GIF that shows every frame for some seconds, the last one longer, again and again.

    Args:
        board: one with a grid.
        frames: one at least, no two in a row alike (or they become one).
    """
    # One palette for all: the board has the same colours in every frame.
    pictures = _pictures(board, frames, dpi=80)
    start = next(pictures)
    palette = _with_swatches(start, board).quantize(_COLOURS)
    palette.putpalette([255, 255, 255, *(palette.getpalette() or [])])
    whole = (_reduced(picture, palette) for picture in itertools.chain([start], pictures))
    first = next(whole)
    changes = (_change(before, after) for before, after in itertools.pairwise(itertools.chain([first], whole)))
    buffer = io.BytesIO()
    first.save(
        buffer,
        format="GIF",
        save_all=True,
        append_images=changes,
        duration=[_EACH_MS] * (len(frames) - 1) + [_LAST_MS],
        loop=0,
        disposal=1,
        transparency=_CLEAR,
        optimize=False,
        comment=b"cluedo",
    )
    return buffer.getvalue()


def _with_swatches(picture: Image, board: Board) -> Image:
    """The picture with large patches of the pawns' colours below it, so that its palette includes them."""
    from PIL import Image

    suspects = board.map.suspects
    swatch = 60
    whole = Image.new("RGB", (picture.width, picture.height + swatch * len(suspects)))
    whole.paste(picture)
    for number, suspect in enumerate(suspects):
        top = picture.height + swatch * number
        whole.paste(suspect.colour, (0, top, picture.width, top + swatch))
    return whole


def _reduced(picture: Image, palette: Image) -> Image:
    """The picture in the colours of a palette, which begins with white.

    What is white stays so, and is not taken for a colour that is nearly white: the pages around it are white, too.
    """
    from PIL import Image

    numbers = np.array(picture.quantize(palette=palette, dither=Image.Dither.NONE))
    numbers[(np.asarray(picture) == 255).all(axis=2)] = 0
    return _coloured(numbers, palette)


def _coloured(numbers: NDArray[np.uint8], palette: Image) -> Image:
    from PIL import Image

    picture = Image.fromarray(numbers)
    picture.putpalette(palette.getpalette() or [])
    return picture


def _change(before: Image, after: Image) -> Image:
    """A picture that is transparent where it equals the one before, which makes the file a third as large."""
    numbers = np.array(after)
    numbers[numbers == np.asarray(before)] = _CLEAR
    return _coloured(numbers, after)


@boxes_for_unknown_signs()
def still(board: Board, frame: Frame) -> bytes:
    """One frame as a PNG, sharper than in an animation."""
    from PIL.PngImagePlugin import PngInfo

    buffer, about = io.BytesIO(), PngInfo()
    about.add_text("Software", "cluedo")
    next(_pictures(board, [frame], dpi=130)).save(buffer, format="PNG", optimize=True, pnginfo=about)
    return buffer.getvalue()


def _pictures(board: Board, frames: Sequence[Frame], dpi: int) -> Iterator[Image]:
    """The frames as pictures without transparency."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    across, drawn = _inches(board)
    down = drawn + _TITLE + _CAPTION
    figure = Figure(figsize=(across, down), dpi=dpi, facecolor=_PAPER)
    canvas: Any = FigureCanvasAgg(figure)  # matplotlib does not type it all
    axes = figure.add_axes((0.0, _CAPTION / down, 1.0, drawn / down))
    draw_board(axes, board, pawns=())
    title = figure.text(0.5, 1.0 - 0.12 / down, "", ha="center", va="top", fontsize=12, fontweight="bold", color=INK)
    caption = figure.text(0.5, (_CAPTION - 0.06) / down, "", ha="center", va="top", fontsize=9.5, color=INK)
    pieces = _Pieces.on(axes, board)
    disable_math(figure)
    canvas.draw()
    background = canvas.copy_from_bbox(figure.bbox)
    columns = int(across / _CHARACTER)
    for frame in frames:
        canvas.restore_region(background)
        pieces.place(board, frame)
        title.set_text(textwrap.shorten(frame.title, columns - 16, placeholder="…"))
        lines = textwrap.wrap(frame.caption, columns)
        cut = "… " * (len(lines) > _LINES)  # the end of a turn says most
        caption.set_text(cut + "\n".join(lines[-_LINES:]))
        for artist in (*pieces.weapons, *pieces.pawns, *pieces.letters, title, caption):
            figure.draw_artist(artist)
        yield Image.frombuffer("RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba())).convert("RGB")


def _inches(board: Board) -> tuple[float, float]:
    """The width of a picture, and the height of the board in it."""
    across = board.width * _SQUARE_INCHES
    if across < _LEAST_WIDTH:
        return _LEAST_WIDTH, board.height * _SQUARE_INCHES
    return across, across * board.height / board.width


class _Pieces(NamedTuple):
    """What moves from frame to frame: by suspect a pawn and the letter on it, by weapon its name."""

    pawns: list[Circle]
    letters: list[Text]
    weapons: list[Text]

    @classmethod
    def on(cls, axes: Axes, board: Board) -> _Pieces:
        """The pieces of a board, hidden until they are first placed."""
        from matplotlib.patches import Circle

        middle: dict[str, Any] = {"ha": "center", "va": "center_baseline", "visible": False}
        box = {"boxstyle": "round,pad=0.12", "facecolor": "#fffdf5", "edgecolor": INK, "linewidth": 0.8}
        edge: dict[str, Any] = {"edgecolor": INK, "linewidth": 1.2, "zorder": 6, "visible": False}
        pawns: list[Circle] = []
        letters: list[Text] = []
        for suspect, code in zip(board.map.suspects, pawn_codes(board.deck), strict=True):
            pawns.append(Circle((0, 0), 0.42, facecolor=suspect.colour, **edge))
            axes.add_patch(pawns[-1])
            colour = ink_on(suspect.colour)
            letters.append(axes.text(0, 0, code, fontsize=6.5, fontweight="bold", color=colour, zorder=7, **middle))
        weapons = [
            axes.text(0, 0, code.capitalize(), fontsize=6, bbox=box, zorder=5, **middle)
            for code in weapon_codes(board.deck)
        ]
        return cls(pawns, letters, weapons)

    def place(self, board: Board, frame: Frame) -> None:
        """Put them where they are in a frame."""
        for pawn, letter, spot in zip(self.pawns, self.letters, spots(board, frame.pawns), strict=True):
            pawn.set_center(spot)
            letter.set_position(spot)
        for weapon, spot in zip(self.weapons, weapon_spots(board, frame.weapons), strict=True):
            weapon.set_position(spot)
        for artist in (*self.weapons, *self.pawns, *self.letters):
            artist.set_visible(True)
