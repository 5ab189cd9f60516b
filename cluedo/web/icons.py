"""The icon of the site as PNG pictures, for home screens that take no SVG: drawn from ``static/icon.svg``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final
from xml.etree import ElementTree

from PIL import Image, ImageDraw
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

__all__ = ["ICONS", "icon_png", "routes"]

ICONS: Final = {"any-192": 192, "any-512": 512, "maskable-192": 192, "maskable-512": 512}
"""By name the side in pixels. A maskable one fills its square, and what matters is in the middle (W3C manifest)."""
_UNITS: Final = 32
_FINER: Final = 4
"""How many times finer than the picture it is drawn, for smooth edges."""
_SAFE: Final = 0.8
"""The part of a maskable icon that every mask leaves."""


@cache
def icon_png(name: str) -> bytes:
    """The picture of :data:`ICONS` with this name."""
    side, maskable = ICONS[name], name.startswith("maskable")
    image = Image.new("RGBA", (side * _FINER, side * _FINER))
    pen, unit = ImageDraw.Draw(image), side * _FINER / _UNITS
    for shape in ElementTree.fromstring(files("cluedo.web").joinpath("static", "icon.svg").read_text("utf-8")):
        _draw(pen, shape, unit, maskable=maskable)
    small, data = image.resize((side, side), Image.Resampling.LANCZOS), BytesIO()
    small.quantize(64).save(data, "PNG", optimize=True)
    return data.getvalue()


def _draw(pen: ImageDraw.ImageDraw, shape: ElementTree.Element, unit: float, *, maskable: bool) -> None:
    """A shape of the icon: the ground, a ring or a line with round ends."""
    inner, edge = (_SAFE, (1 - _SAFE) * _UNITS / 2) if maskable else (1.0, 0.0)

    def disc(x: float, y: float, radius: float) -> tuple[float, float, float, float]:
        """The square around it, in pixels."""
        x, y, radius = ((inner * x + edge) * unit, (inner * y + edge) * unit, inner * radius * unit)
        return x - radius, y - radius, x + radius, y + radius

    told = shape.attrib
    match shape.tag.partition("}")[2]:
        case "rect":
            whole = _UNITS * unit
            pen.rounded_rectangle((0, 0, whole, whole), 0 if maskable else float(told["rx"]) * unit, told["fill"])
        case "circle":
            width = float(told["stroke-width"])
            ring = disc(float(told["cx"]), float(told["cy"]), float(told["r"]) + width / 2)
            pen.ellipse(ring, outline=told["stroke"], width=round(inner * width * unit))
        case "path":
            width = float(told["stroke-width"])
            x, y, to_x, to_y = map(float, told["d"].removeprefix("M").split())
            for step in range(steps := int(abs(to_x - x) * unit) + 1):
                part = step / steps
                pen.ellipse(disc(x + part * (to_x - x), y + part * (to_y - y), width / 2), told["stroke"])
        case other:
            raise NotImplementedError(other)


def _icon(request: Request) -> Response:
    name: str = request.path_params["name"]
    if name not in ICONS:
        raise HTTPException(404)
    return Response(icon_png(name), media_type="image/png", headers={"Cache-Control": "public, max-age=86400"})


routes = [Route("/icons/{name}.png", _icon)]
