"""Whatever is sent, by whichever way: the answer is no fault of the server, and the table goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from helpers.sites import ADDRESS, Client, client
from helpers.web_tables import begun, open_table
from hypothesis import given, settings, strategies as st
from starlette.routing import Route

from cluedo.web.guard import Limits
from cluedo.web.shared import SiteSettings
from cluedo.web.site import AREAS

DAY = "2026-01-05"
NOW = "now"
"""Stands for the moment of the table when the body is sent."""

_TEXTS = st.text(st.characters(codec=None), max_size=20) | st.sampled_from(["\ud800", "a\udcff", "\0", "\U0010ffff"])
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS
JSON = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3), max_leaves=6
)
_SMALL = st.integers(-2, 30) | JSON
KEYS = {
    **dict.fromkeys(("card", "column", "place"), _SMALL),
    "cards": st.lists(_SMALL, max_size=4),
    "sign": st.sampled_from("✓✗?") | JSON,
    "do": st.sampled_from(["claim", "ask", "hint", "look", {"type": "stay"}, {"type": "take_back"}])
    | st.fixed_dictionaries({"type": st.sampled_from(["move", "hypothesis", "show"])}, optional={"cards": JSON})
    | JSON,
    "progress": st.fixed_dictionaries({}, optional=dict.fromkeys(("asked", "claims", "steps", "left"), JSON)) | JSON,
    **dict.fromkeys(("note", "there", "line", "id", "sure", "log", "memory"), JSON),
    "after": st.sampled_from([NOW, 0]) | JSON,
}
NOTES = st.fixed_dictionaries({"card": st.integers(0, 9), "note": _TEXTS})
BODIES = NOTES | st.fixed_dictionaries({}, optional=KEYS) | st.dictionaries(_TEXTS, JSON, max_size=3) | JSON

FIELDS = [
    "name", "map", "seat-1", "clock", "number", "who", "suspect", "level", "player-0", "card-1", "me", "text", "back",
]  # fmt: skip

ROUTES = [route for area in AREAS for route in area.routes if isinstance(route, Route)]
POSTED = [*(route.path for route in ROUTES if "POST" in (route.methods or ())), "/settings"]


def multipart(fields: dict[str, bytes], charset: str) -> tuple[bytes, str]:
    """A form of several parts whose sender names an encoding: its body, and the header that says what it is."""
    head = '--part\r\nContent-Disposition: form-data; name="{}"\r\n\r\n'
    parts = [head.format(name).encode() + value + b"\r\n" for name, value in fields.items()]
    return b"".join(parts) + b"--part--\r\n", f"multipart/form-data; boundary=part; charset={charset}"


@pytest.fixture(scope="module")
def visitor() -> Iterator[Client]:
    """A browser that is answered where the server fails, at a site that takes any number of requests."""
    limits = Limits(burst=10**9, new_documents=10**9, tables=50)
    with client(SiteSettings(limits=limits), raise_server_exceptions=False) as visitor:
        yield visitor


@pytest.fixture(scope="module")
def places(visitor) -> dict[str, str]:
    """The path of every route that takes something, at a table whose game goes on and a case that is kept."""
    table = begun(visitor, "easy", map="tiny").rpartition("/")[2]
    players = {"player-0": "Ann", "player-1": "Bob", "player-2": "Cy"}
    case = visitor.send_form("/assistant", **players, edition="classic").url.path
    return {path: path.format(id=table, token=case.rpartition("/")[2], day=DAY) for path in POSTED}


def sent(visitor: Client, path: str, body: bytes, kind: str):
    own = {"Origin": ADDRESS, "X-Token": visitor.token, "Accept": "application/json", "Content-Type": kind}
    return visitor.post(path, content=body, headers=own, follow_redirects=False)


@pytest.mark.parametrize("route", POSTED)
@given(body=BODIES)
@settings(max_examples=12, deadline=None)
def test_any_json_that_is_sent_anywhere_is_answered(visitor, places, route, body):
    if isinstance(body, dict) and body.get("after") == NOW:
        body["after"] = open_table(visitor, places["/r/{id}/do"].removesuffix("/do")).table.moment
    answer = sent(visitor, places[route], json.dumps(body).encode(), "application/json")
    assert 200 <= answer.status_code < 500, answer.text
    assert answer.status_code != 429


@pytest.mark.parametrize("route", POSTED)
@given(
    fields=st.dictionaries(st.sampled_from(FIELDS), st.binary(max_size=20).filter(lambda b: b"\r" not in b)),
    charset=st.sampled_from(["utf-8", "utf-7", "utf-16-le", "unicode_escape", "punycode", "undefined", "base64", "\0"]),
)
@settings(max_examples=12, deadline=None)
def test_any_form_that_is_sent_anywhere_is_answered(visitor, places, route, fields, charset):
    token = visitor.token.encode("utf-16-le" if charset == "utf-16-le" else "utf-8")
    answer = sent(visitor, places[route], *multipart(fields | {"token": token}, charset))
    assert 200 <= answer.status_code < 500, answer.text
    assert answer.status_code != 429


@pytest.mark.parametrize("note", [b'"\\ud800"', b'"\xed\xa0\x80"', b'"\\u0000"'], ids=["escaped", "bytes", "NUL"])
def test_a_note_that_cannot_be_kept_is_refused_and_the_table_goes_on(visitor, note):
    sheet = f"{begun(visitor, 'easy', map='tiny')}/sheet"
    answer = sent(visitor, sheet, b'{"card": 3, "note": %s}' % note, "application/json")
    assert answer.status_code == 400
    assert answer.json() == {"error": "This request cannot be understood."}
    assert visitor.send_json(sheet, {"card": 3, "note": "mine \U0001f50d"}).status_code == 200
