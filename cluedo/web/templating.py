"""The templates of pages, for the site and for pages that are files."""

from __future__ import annotations

import json
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from cluedo.language import tr, tr_count

__all__ = ["json_of", "templates"]


@cache
def templates() -> Environment:
    """The templates, which have ``tr`` and ``tr_count``, and ``data(value)`` for JSON in a script element."""
    environment = Environment(
        loader=PackageLoader("cluedo.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"tr": tr, "tr_count": tr_count, "data": json_of}
    return environment


def json_of(value: object) -> Markup:
    """JSON that may stand in an element of a page: nothing in a name can end it."""
    return Markup(json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))
