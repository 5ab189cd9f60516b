"""The templates of pages, for the site and for pages that are files."""

from __future__ import annotations

import json
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from cluedo.language import tr, tr_count, unbroken

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
        finalize=_finished,
    )
    environment.globals |= {"tr": tr, "tr_count": tr_count, "data": json_of}
    return environment


def _finished(value: object) -> object:
    """What is put into a page, as it is written there; markup is finished already."""
    return unbroken(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def json_of(value: object) -> Markup:
    """JSON that may stand in an element of a page: nothing in a name can end it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(unbroken(text).replace("<", "\\u003c"))
