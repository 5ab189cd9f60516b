"""Requests that mean harm: each is refused in a sentence."""

from __future__ import annotations

import asyncio
import gzip

import pytest
from helpers.sites import ADDRESS, client
from helpers.web_tables import begun, site_of

from cluedo.web import submissions
from cluedo.web.guard import Limits
from cluedo.web.shared import SiteSettings


@pytest.fixture(scope="module")
def table(visitor):
    return begun(visitor, "easy")


def sent(visitor, path, body, **headers):
    script = {"Origin": ADDRESS, "X-Token": visitor.token, "Accept": "application/json"}
    return visitor.post(path, content=body, headers=script | {"Content-Type": "application/json"} | headers)


@pytest.mark.parametrize(
    "body",
    [b"[" * 15_000, b'{"do":' * 2_500, b"\xff\xfe", b"", b"[]", b"null", gzip.compress(b'{"do": null}')],
    ids=["deep", "deep objects", "no UTF-8", "empty", "a list", "null", "compressed"],
)
def test_what_is_no_command_is_refused_in_a_sentence(visitor, table, body):
    answer = sent(visitor, f"{table}/do", body)
    assert answer.status_code == 400
    assert answer.json() == {"error": "This request cannot be understood."}


@pytest.mark.parametrize(
    "headers",
    [{"X-Token": ""}, {"Origin": "null"}, {"Origin": "http://evil.example"}, {"Origin": "http://["}, {"Origin": ""}],
)
def test_a_command_without_its_token_or_from_another_site_is_refused(visitor, table, headers):
    assert sent(visitor, f"{table}/do", b"{}", **headers).status_code == 403


def test_connections_for_events_are_limited():
    with client(SiteSettings(limits=Limits(streams=0))) as visitor:
        answer = visitor.ask_json(f"{begun(visitor, 'easy')}/events")
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert "Too many connections" in answer.json()["error"]


def test_connections_for_events_count_before_anything_of_them_is_read_and_until_they_end():
    with client(SiteSettings(limits=Limits(streams=2))) as visitor:
        path = f"{begun(visitor, 'easy')}/events"
        streams = site_of(visitor).streams

        async def go() -> None:
            begun = asyncio.Semaphore(0)

            async def unread(_message: object) -> None:
                begun.release()
                await asyncio.Event().wait()

            scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "client": ("testclient", 1)}
            scope |= {"headers": [(b"host", b"testserver")], "scheme": "http"}
            asked = [asyncio.create_task(visitor.app(dict(scope), asyncio.Event().wait, unread)) for _ in range(2)]
            for _ in asked:
                await begun.acquire()
            assert streams.full("testclient")
            for task in asked:
                task.cancel()
            await asyncio.wait(asked)
            assert not streams._counts

        visitor.portal.call(go)


def test_so_many_uploads_of_an_address_come_at_a_time_and_no_more(monkeypatch):
    """Each lies in memory until all of it has come, which may take two minutes."""
    with client(SiteSettings(limits=Limits(uploads=1))) as visitor:
        uploads, path, full = visitor.app._uploads, f"/assistant/{'x' * 22}/back", []
        monkeypatch.setattr(submissions, "check_token", lambda *_: full.append(uploads.full("testclient")))
        with uploads.one("testclient"):
            assert sent(visitor, path, b"x" * 20_000).status_code == 429
            assert sent(visitor, path, b"{}").status_code == 400, "a form"
        assert sent(visitor, path, b"x" * 20_000).status_code == 400
        assert (full, uploads.full("testclient")) == ([True, True], False)


@pytest.mark.parametrize("name", ["../site.py", "%2e%2e/site.py", "..%2f..%2fsite.py", "%00", "a" * 5_000])
@pytest.mark.parametrize("area", ["/static", "/replay", "/r"])
def test_no_file_of_the_server_can_be_named(visitor, area, name):
    assert visitor.get(f"{area}/{name}").status_code in (400, 404)
