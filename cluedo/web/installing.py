"""What lets a browser install the site, and say something where the server cannot be reached.

A service worker keeps one page, and the files that this page is made of; it answers with it where no page comes. That
page shows the last case of the assistant, which the script of a case has put aside in this browser. The worker keeps
no other page: nothing that was sent to a seat, and no token, is in its cache.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cluedo.web.responses import page, render_template, site_path, static_path

__all__ = ["routes"]

_ICONS: Final = ("any-192", "any-512", "maskable-192", "maskable-512")
"""The pictures ``icon-NAME.png`` of ``icon.svg``, for home screens: what for, and the side in pixels. When it changes,
they are drawn anew, with 64 colours. A maskable one fills its square, so it has no round corners, and the rest is drawn
at four fifths of its size, in the middle, where every mask leaves it (W3C manifest)."""
_OFFLINE: Final = "/offline"
_LINKED: Final = ("base.css", "assist.css", "icon.svg", "offline.js", "base.js")
"""Files that the page for who is offline names with their version."""
_IMPORTED: Final = ("kept.js", "page.js")
"""Those that its scripts import by name alone."""


async def _manifest(request: Request) -> Response:
    """What the site is called, how it looks, and which addresses belong to it (W3C Web Application Manifest)."""
    home = site_path(request, "/")
    icons = [
        {
            "src": static_path(request, f"icon-{name}.png"),
            "sizes": f"{side}x{side}",
            "type": "image/png",
            "purpose": purpose,
        }
        for name in _ICONS
        for purpose, side in [name.split("-")]
    ]
    told = {
        "name": "Cluedo",
        "short_name": "Cluedo",
        "id": home,
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": "#f7f3ea",
        "theme_color": "#fffdf8",
        "icons": icons,
    }
    return JSONResponse(told, media_type="application/manifest+json")


async def _worker(request: Request) -> Response:
    """The service worker; another one where its page or a file of it has changed, or the visitor's language."""
    shown = render_template(request, "offline.html")
    linked = [static_path(request, name) for name in _LINKED]
    imported = {name: static_path(request, name) for name in _IMPORTED}
    version = sha256(json.dumps([shown, linked, imported]).encode()).hexdigest()[:10]
    script = render_template(
        request,
        "worker.js",
        files=linked + [site_path(request, f"/static/{name}") for name in imported],
        offline=site_path(request, _OFFLINE),
        caches=f"cluedo {site_path(request, '/')} ",  # several sites may share an origin
        version=version,
    )
    return Response(script, media_type="text/javascript")


async def _offline(request: Request) -> Response:
    """The page that the worker keeps."""
    return page(request, "offline.html")


routes = [
    Route("/manifest.webmanifest", _manifest),
    Route("/worker.js", _worker),
    Route(_OFFLINE, _offline),
]
