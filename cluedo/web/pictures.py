"""The drawings of suspects and weapons as one file of symbols, which pages refer to by name."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cluedo.engine.mapfile import picture_names
from cluedo.web.guard import caching

__all__ = ["picture", "pictures_path", "routes"]


@cache
def _symbols() -> str:
    """All drawings, each a symbol with its name; ``currentColor`` is the colour of the element that refers to it."""
    drawings = (
        (name, files("cluedo.maps.pictures").joinpath(f"{name}.svg").read_text("utf-8")) for name in picture_names()
    )
    symbols = (
        drawing.replace('<svg xmlns="http://www.w3.org/2000/svg"', f'<symbol id="{name}"').replace(
            "</svg>", "</symbol>"
        )
        for name, drawing in drawings
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'


@cache
def pictures_path() -> str:
    """Where the symbols are; the address changes with them, so browsers may keep them."""
    return f"/pictures.svg?v={sha256(_symbols().encode()).hexdigest()[:10]}"


def picture(symbols: str, drawing: tuple[str, str] | None) -> Markup:
    """The drawing of a card by :attr:`~cluedo.engine.mapfile.MapFile.pictures`, from where the symbols are."""
    if drawing is None:
        return Markup("")
    name, colour = drawing
    return Markup('<svg class="picture" color="{}" aria-hidden="true"><use href="{}#{}"/></svg>').format(
        colour, symbols, name
    )


async def _pictures(request: Request) -> Response:
    headers = {"Cache-Control": caching(request.scope, pictures_path())}
    return Response(_symbols(), media_type="image/svg+xml", headers=headers)


routes = [Route("/pictures.svg", _pictures)]
