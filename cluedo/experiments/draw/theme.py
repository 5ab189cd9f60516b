"""The look of pictures of results: colours by day and by night, rows with names, and figures as PNG and SVG."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any, Final
from xml.etree import ElementTree

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from cluedo.experiments.draw.literal_text import boxes_for_unknown_signs, png_of
from cluedo.experiments.read.stats import Estimate
from cluedo.language import percent

__all__ = [
    "FAINT",
    "INK",
    "PALETTE",
    "SERIES",
    "WIDTH",
    "dress",
    "figure",
    "inline",
    "legend",
    "named_rows",
    "number_beside",
    "one_plot",
    "percent_scale",
    "save",
    "scale_label",
    "series_colour",
    "series_dash",
    "series_marker",
    "whisker",
]

PALETTE: Final[dict[str, tuple[str, str]]] = {
    "ink": ("#2b2420", "#ece4d8"),
    "faint": ("#675c52", "#b3a698"),
    "rule": ("#e2d8c5", "#40372f"),
    "s1": ("#0072b2", "#5aaee6"),
    "s2": ("#d55e00", "#f58f4c"),
    "s3": ("#00835c", "#37c596"),
    "s4": ("#b0528a", "#e5a0c8"),
    "s5": ("#a07000", "#e8bd4a"),
    "s6": ("#565f6b", "#bcc5cf"),
}
"""By name, a colour on light and on dark ground; the series are those that the colour-blind tell apart (M. Okabe and
K. Ito, "Color universal design" (2008)), darkened or lightened to a contrast of 3 : 1 and more."""

INK, FAINT, _RULE = (PALETTE[name][0] for name in ("ink", "faint", "rule"))
SERIES: Final = tuple(PALETTE[f"s{k}"][0] for k in range(1, 7))
_MARKERS: Final = ("o", "s", "D", "^", "v", "P")
_DASHES: Final = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)), (0, (4, 1.5)), (0, (1, 1)))
"""So that the sixth line of a picture is told apart without its colour."""

WIDTH: Final = 4.5
"""Inches of a figure: on a phone its letters can still be read, on a desk it is not too large."""

_ROW: Final = 0.42
"""Inches of a row with a name."""
_LABEL: Final = 56
"""Letters of what a scale means on one line."""
_ACROSS, _KEY = 54, 7
"""Letters of a legend's line, and those that a key is as wide as."""
_SVG: Final = "http://www.w3.org/2000/svg"
_XLINK: Final = "http://www.w3.org/1999/xlink"
_NAMES: Final = {light: f"var(--{name})" for name, (light, _) in PALETTE.items()}


def figure(height: float, width: float = WIDTH) -> Figure:
    """An empty figure of this size in inches, with a transparent background."""
    made = Figure(figsize=(width, height), dpi=200, facecolor="none", layout="constrained")
    FigureCanvasAgg(made)
    return made


def dress(axes: Any, *, grid: str) -> None:
    """Quiet axes: a grid along ``x`` or ``y`` (or neither), no frame."""
    axes.set_facecolor("none")
    axes.tick_params(length=0, labelsize=9, labelcolor=FAINT)
    axes.xaxis.label.set(color=FAINT, size=9)
    axes.yaxis.label.set(color=FAINT, size=9)
    if grid:
        axes.grid(axis=grid, color=_RULE, linewidth=0.8, zorder=0)
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom" and grid == "y")
        spine.set_color(FAINT)


def one_plot(height: float, width: float = WIDTH, *, grid: str) -> tuple[Figure, Any]:
    """A figure with one pair of axes, :func:`dress`-ed."""
    made = figure(height, width)
    axes: Any = made.add_subplot()
    dress(axes, grid=grid)
    return made, axes


def named_rows(names: Sequence[str], lines: float = 1.0) -> tuple[Figure, Any]:
    """A figure with a row for each name, the first on top."""
    heights = [max(1.0, 0.55 * (1 + name.count("\n"))) for name in names]
    apart = max(map(mean, pairwise(heights)), default=heights[0])  # all rows are as far apart as two neighbours need
    made, axes = one_plot(0.65 + _ROW * apart * len(names) * lines, grid="x")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", labelsize=10, labelcolor=INK)
    axes.set_ylim(len(names) - 0.45, -0.55)
    return made, axes


def scale_label(made: Figure, text: str) -> None:
    """What the scale of a picture with named rows means; below all of it, for names may leave the scale little room."""
    made.supxlabel("\n".join(textwrap.fill(line, _LABEL) for line in text.split("\n")), fontsize=9, color=FAINT)


def percent_scale(axis: Any) -> None:
    """Write the shares along an axis in per cent, with the decimals that they have."""
    axis.set_major_formatter(FuncFormatter(lambda share, _: percent(round(share, 9), "g")))


def whisker(axes: Any, row: float, estimate: Estimate, series: int) -> None:
    """Draw an estimate and its interval in a row, in the style of a series."""
    value, low, high = estimate
    axes.plot([low, high], [row, row], color=series_colour(series), linewidth=2.4, solid_capstyle="butt", zorder=3)
    axes.plot(
        [value], [row], marker=series_marker(series), markersize=7, color=series_colour(series), linestyle="none",
        zorder=4, clip_on=False,
    )  # fmt: skip


def number_beside(axes: Any, row: float, text: str) -> None:
    """A number to the right of a row."""
    axes.annotate(
        text, (1, row), xycoords=("axes fraction", "data"), xytext=(4, 0), textcoords="offset points", va="center",
        ha="left", color=INK, fontsize=10, fontweight="bold",
    )  # fmt: skip


def legend(axes: Any, *, outside: bool = False) -> None:
    """Draw the legend, inside the picture or above it."""
    longest = max(map(len, axes.get_legend_handles_labels()[1]), default=0)
    columns = max(1, min(3, _ACROSS // (longest + _KEY)))
    place = {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": columns, "borderaxespad": 0.1} if outside else {}
    axes.legend(frameon=False, fontsize=9, labelcolor=INK, **place)


def series_colour(series: int) -> str:
    """The colour of a series by its number, from 0."""
    return SERIES[series % len(SERIES)]


def series_marker(series: int) -> str:
    """The mark of a series: after six series colours repeat, but with another mark."""
    return _MARKERS[(series + series // len(SERIES)) % len(_MARKERS)]


def series_dash(series: int) -> Any:
    """The kind of line of a series: after six series colours repeat, but with another kind of line."""
    return _DASHES[(series + series // len(SERIES)) % len(_DASHES)]


def save(made: Figure, path: Path) -> str:
    """Write a figure as ``path``.png (on white) and ``path``.svg; returns the SVG's text."""
    path.with_suffix(".png").write_bytes(png_of(made))
    with _settings():
        made.set_layout_engine("none")  # all stands where it should; no need to find that out again
        text = io.StringIO()
        made.savefig(text, format="svg", metadata={"Date": None, "Creator": "cluedo"})
    path.with_suffix(".svg").write_text(text.getvalue(), encoding="utf-8")
    return text.getvalue()


def inline(svg: str, name: str, label: str, *, adapts: bool = True) -> str:
    """An SVG of ours for a page: it follows the page's light or dark colours, has unique ids, and a text alternative.

    Args:
        svg: what :func:`save` returned.
        name: different for each picture of the page.
        label: what the picture shows, for those who do not see it.
        adapts: whether its colours follow the page's; those of a board are its own.
    """
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(svg)
    for parent in root.iter():
        for child in list(parent):
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                parent.remove(child)  # a style would hold for the whole page
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key in (f"{{{_XLINK}}}href", "href"):
                del element.attrib[key]
                element.set("href", value.replace("#", f"#{name}-", 1))
            elif key == "id":
                element.set(key, f"{name}-{value}")
            elif key in ("style", "clip-path"):
                element.set(key, _adapted(value.replace("url(#", f"url(#{name}-"), adapts=adapts))
    root.attrib.pop("width", None)
    root.attrib.pop("height", None)
    root.attrib.update(
        {"role": "img", "aria-label": label, "style": "stroke-linejoin: round; stroke-linecap: butt", "class": "chart"}
    )
    return ElementTree.tostring(root, encoding="unicode")


def _adapted(style: str, *, adapts: bool) -> str:
    """A style with the page's fonts, and its colours."""
    style = re.sub(r"font: ((?:\S+ )*?\S+) '.*?sans-serif", r"font: \1 var(--sans)", style)
    return re.sub(r"#[0-9a-f]{6}", lambda found: _NAMES.get(found[0], found[0]), style) if adapts else style


@contextmanager
def _settings() -> Iterator[None]:
    """Settings of matplotlib: text stays text, ids are reproducible, and nothing is said of signs that no font has."""
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "cluedo"}), boxes_for_unknown_signs():
        yield
