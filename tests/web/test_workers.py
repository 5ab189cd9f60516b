"""Processes that think: the detective is compiled while everything else goes on, and people are told so."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import re
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial

import httpx2
import pytest
from helpers.sites import PATIENT, Client, Server, another, client, words
from helpers.web_tables import USUAL, begun, open_table, site_of, state
from helpers.worker_jobs import for_ever, wait_for

from cluedo.ai.levels import PlayerSpec
from cluedo.engine.errors import CluedoError
from cluedo.language import tr, unbroken
from cluedo.session.level_choice import PREPARING
from cluedo.web import replay_routes, workers as web_workers
from cluedo.web.guard import Concurrent
from cluedo.web.shared import SiteSettings
from cluedo.web.workers import TookTooLong, Workers

NOTE = unbroken(tr(PREPARING, done=0))
CASE = {"edition": "manoir", "player-0": "A", "player-1": "B", "player-2": "C", "me": ""}


def not_ready(visitor: Client) -> asyncio.Event:
    """From now on the detective of a site is being prepared, until the event is set."""
    workers, ready = site_of(visitor).workers, asyncio.Event()

    async def begin() -> None:
        workers._preparing = asyncio.create_task(ready.wait())

    visitor.portal.call(begin)
    return ready


def test_a_level_that_cannot_think_yet_is_waited_for_with_a_note():
    with client(PATIENT) as ann:
        ready = not_ready(ann)
        path = begun(ann, "expert", "expert")
        while not (now := state(ann, path)["now"])["offer"] and now["prompt"] != NOTE:
            pass
        while (now := state(ann, path)["now"])["offer"]:  # one's own turn goes on
            done = next(action["do"] for action in now["offer"]["actions"] if not action["do"].get("name"))
            assert ann.send_json(f"{path}/do", {"after": now["moment"], "do": done}).status_code == 200
        while (now := state(ann, path)["now"])["prompt"] != NOTE:
            assert now["to_act"] != now["you"]
        ann.send_form(f"{path}/seats", number="1", who="easy")
        ann.send_form(f"{path}/seats", number="2", who="easy")
        while (now := state(ann, path)["now"])["prompt"] == NOTE:  # a level that needs no detective need not wait
            pass
        ann.portal.call(ready.set)


def test_a_level_goes_on_once_the_detective_is_ready(monkeypatch):
    monkeypatch.setattr(PlayerSpec, "prepares", True)
    with client(PATIENT) as ann:
        ready = not_ready(ann)
        path = begun(ann, "easy", "easy")
        table = open_table(ann, path).table
        if table.thinker() is not None:
            while state(ann, path)["now"]["prompt"] != NOTE:
                pass
        before = table.moment
        ann.portal.call(ready.set)
        while table.prepared_percent is not None or (table.thinker() is not None and table.moment == before):
            state(ann, path)


def test_what_needs_the_detective_is_refused_with_a_note_and_comes_again_by_itself():
    with client() as ann:
        path = begun(ann, "easy", "easy")
        ready = not_ready(ann)
        assert ann.ask_json(f"{path}/hint").status_code == 200, "a hint does not wait for all of it"
        waits = ann.send_form("/assistant", **CASE)  # what a form sends is taken, and the page that follows waits
        assert (waits.status_code, waits.request.method) == (503, "GET")
        assert NOTE in waits.text
        assert int(waits.headers["refresh"]) > 0
        line = ann.send_json(f"{waits.url.path}/line", {"line": "A", "after": 0})
        assert (line.status_code, line.json()) == (503, {"error": NOTE})  # its script sends it again
        lost = "a" * 22
        log = {"map": "manoir", "me": None, "players": [{"name": name, "cards": 6} for name in "ABC"], "events": []}
        back = ann.send_json(f"/assistant/{lost}/back", {"log": log})
        assert (back.status_code, back.json()) == (200, {"at": f"/assistant/{lost}"})
        assert ann.send_form("/replay", text=json.dumps(log)).headers["refresh"]
        assert ann.get("/puzzle").status_code == 200
        ann.portal.call(ready.set)
        again = ann.get(waits.url.path)
        assert (again.status_code, "refresh" in again.headers) == (200, False)


@pytest.mark.slow
def test_others_think_while_one_prepares(tmp_path, monkeypatch):
    monkeypatch.setattr(web_workers, "_PATIENCE_S", 0.05)
    file = tmp_path / "ready"

    async def go() -> None:
        alone, two = Workers(1), Workers(2)
        try:
            for workers in (alone, two):
                workers.prepare(partial(wait_for, file))
            assert [await workers.ready_soon() for workers in (alone, two)] == [False, False]
            for workers in (alone, two):
                assert await workers.run(os.getpid) != os.getpid()
            file.touch()
            for workers in (alone, two):
                while not await workers.ready_soon():
                    await asyncio.sleep(0.01)
        finally:
            alone.close()
            two.close()

    asyncio.run(go())


@pytest.mark.slow
def test_a_server_that_has_compiled_nothing_yet_serves_pages(tmp_path):
    server = Server(tmp_path, env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "compiled")})
    try:
        with httpx2.Client(base_url=server.url, timeout=300, headers={"Origin": server.url.rstrip("/")}) as visitor:
            ask(visitor)
    finally:
        server.end()


def ask(visitor: httpx2.Client) -> None:
    """Everything is answered, a hint too, but what needs all of the detective, who is still being prepared then."""
    token = re.search(r'<meta name="token" content="(\w+)">', visitor.get("/").text)[1]
    for path in ("/play", "/assistant", "/replay", "/puzzle"):
        assert visitor.get(path).status_code == 200
    table = visitor.post("/play", data={"token": token, **USUAL, "seat-1": "easy"}).headers["location"]
    assert visitor.post(f"{table}/start", data={"token": token}).status_code == 303
    assert "offer" in visitor.get(table).text
    hint = visitor.get(f"{table}/hint", headers={"Accept": "application/json"})
    assert hint.json()["sections"][0]["title"]
    case = visitor.post("/assistant", data={"token": token, **CASE}).headers["location"]
    refused = visitor.get(case, headers={"Accept": "application/json"})
    assert refused.status_code == 503
    assert re.search(r"once after an installation: \d+\s% done", refused.json()["error"])


@pytest.mark.slow
def test_what_takes_too_long_is_given_up_and_the_process_goes_on():
    async def go() -> None:
        workers = Workers(1, seconds=1.0)
        try:
            before = await workers.run(os.getpid)
            with pytest.raises(TookTooLong):
                await workers.run(for_ever)
            assert await workers.run(os.getpid) == before
        finally:
            workers.close()

    asyncio.run(go())


def test_a_level_waits_for_one_piece_of_work_of_visitors_however_many_there_are():
    async def go() -> list[str]:
        workers, done = Workers(1), list[str]()
        with ThreadPoolExecutor(1) as workers._pool:
            visitors = [workers.run_in_turn(partial(done.append, f"visitor {number}")) for number in range(3)]
            level = workers.run(done.append, "level")
            await asyncio.gather(*visitors, level)
        return done

    assert asyncio.run(go()) == ["visitor 0", "level", "visitor 1", "visitor 2"]


@pytest.mark.slow
def test_when_a_process_dies_all_who_wait_get_an_answer_though_somebody_has_left(tmp_path):
    async def go() -> None:
        workers = Workers(1)
        try:
            victim = await workers.run(os.getpid)
            first = asyncio.ensure_future(workers.run(wait_for, tmp_path / "ready"))
            others = [asyncio.ensure_future(workers.run(os.getpid)) for _ in range(6)]
            await asyncio.sleep(0.1)  # some of them would wait in the pool
            for other in others[2:4]:
                other.cancel()
            os.kill(victim, signal.SIGKILL)
            (tmp_path / "ready").touch()
            async with asyncio.timeout(300):
                answers = await asyncio.gather(first, *others, return_exceptions=True)
            assert [type(answer) for answer in answers[3:5]] == [asyncio.CancelledError] * 2
            assert victim not in (answers[1], answers[2], *answers[5:])
        finally:
            workers.close()

    asyncio.run(go())


@pytest.mark.slow
def test_no_process_or_thread_is_left_when_the_workers_are_closed(tmp_path):
    threads, processes = set(threading.enumerate()), set(multiprocessing.active_children())

    async def go() -> None:
        workers = Workers(1)
        workers.prepare(partial(wait_for, tmp_path / "never"))  # in a process of its own
        running = asyncio.ensure_future(workers.run(time.sleep, 60))
        await asyncio.sleep(0)
        assert len(set(multiprocessing.active_children()) - processes) == 2
        workers.close()
        assert set(threading.enumerate()) <= threads
        await asyncio.wait([running])
        assert running.cancelled() or isinstance(running.exception(), BrokenProcessPool)
        assert set(multiprocessing.active_children()) <= processes

    asyncio.run(go())


def give_up(*_: object) -> None:
    """Work that has taken too long."""
    raise TookTooLong


def test_what_is_given_up_is_logged_with_its_time_and_without_what_it_was_asked(caplog):
    workers = Workers(1, seconds=90)
    with ThreadPoolExecutor(1) as workers._pool, pytest.raises(TookTooLong):
        asyncio.run(workers.run(partial(give_up, "my hand"), "my notes"))
    assert [record.getMessage() for record in caplog.records] == ["give_up took longer than 90 s and was given up"]


@pytest.mark.slow
def test_neither_tables_nor_the_replays_of_others_wait_for_slow_replays():
    with client(SiteSettings(workers=1)) as ann:
        site = site_of(ann)

        async def go() -> None:
            with site.replay_jobs.one("somebody"):
                assert site.replay_jobs.full("somebody")
            slow = [asyncio.ensure_future(site.replays.run(time.sleep, 600))]
            await asyncio.sleep(0)  # it begins
            async with asyncio.timeout(300):
                assert await site.replays.run(os.getpid) != os.getpid()
                slow += [asyncio.ensure_future(site.replays.run(time.sleep, 600)) for _ in range(7)]
                await asyncio.sleep(0)
                assert await site.workers.run(os.getpid) != os.getpid()
            assert not any(replay.done() for replay in slow)
            for replay in slow:
                replay.cancel()

        ann.portal.call(go)


async def too_long(*_: object) -> None:
    """Work that is given up."""
    raise TookTooLong


@pytest.mark.parametrize("reading", [True, False])
def test_a_game_that_takes_too_long_to_replay_is_refused_in_a_sentence(reading, monkeypatch):
    with client() as ann:
        site = site_of(ann)
        monkeypatch.setattr(site.replays, "run", too_long)
        if reading:
            ann.portal.call(site.database.put, "record", "a" * 22, "{}")
            answer = ann.get(f"/replay/{'a' * 22}")
        else:
            answer = ann.send_form("/replay", text="{}")
    assert answer.status_code == 400
    assert "It takes too long to replay this game here." in words(answer.text)


def test_what_takes_too_long_is_refused_in_a_sentence_and_not_asked_again(monkeypatch):
    with client() as ann:
        monkeypatch.setattr(site_of(ann).workers, "run", too_long)
        for answer in (ann.get("/puzzle"), ann.ask_json("/puzzle")):
            assert "This takes too long here." in words(answer.text)
            assert (answer.status_code, "retry-after" in answer.headers) == (422, False)


def test_a_replay_is_worked_out_once_for_all_who_look_at_it(monkeypatch):
    asked, replayed, both = [], [], threading.Event()
    text_of, path = replay_routes._text, f"/replay/{'a' * 22}"

    async def text(*request: object) -> str:
        asked.append(1)
        if len(asked) > 1:
            both.set()
        return await text_of(*request)

    def replay(_: str) -> None:
        replayed.append(1)
        assert both.wait(60)
        raise CluedoError("there is no such board")

    monkeypatch.setattr(replay_routes, "_text", text)
    monkeypatch.setattr(replay_routes, "_replay_context", replay)
    with client() as ann, ThreadPoolExecutor(2) as pool:
        ann.portal.call(site_of(ann).database.put, "record", "a" * 22, "{}")
        answers = [*pool.map(lambda visitor: visitor.get(path), [ann, another(ann)]), ann.get(path)]
    assert [("no such board" in words(answer.text), answer.status_code) for answer in answers] == [(True, 400)] * 3
    assert len(replayed) == 1


def test_who_opens_many_replays_is_told_to_wait_and_may_come_again(monkeypatch):
    with client() as ann:
        site = site_of(ann)
        site.replay_jobs = Concurrent(1, 1)
        ann.portal.call(site.database.put, "record", "a" * 22, "{}")
        with site.replay_jobs.one("testclient"):
            looked, sent = ann.get(f"/replay/{'a' * 22}"), ann.send_form("/replay", text="{}")
            assert (looked.status_code, sent.status_code) == (429, 429)
            assert "Other games are being replayed first. This page will then load by itself." in words(looked.text)
            assert looked.headers["Refresh"] == "5"
            assert "Other games are being replayed first. Send this one again in a minute." in words(sent.text)
            assert "Refresh" not in sent.headers
            assert ann.get("/puzzle").status_code == 200
        assert ann.get(f"/replay/{'a' * 22}").status_code == 400


def test_nobody_waits_for_work_when_the_server_is_stopped(monkeypatch):
    begun, end = threading.Event(), threading.Event()

    def replay(_: str) -> None:
        begun.set()
        end.wait(60)

    monkeypatch.setattr(replay_routes, "_replay_context", replay)
    with client() as ann, ThreadPoolExecutor(1) as pool:
        ann.portal.call(site_of(ann).database.put, "record", "a" * 22, "{}")
        answer = pool.submit(ann.get, f"/replay/{'a' * 22}")
        assert begun.wait(60)
        ann.portal.call(site_of(ann).end_streams)
        assert answer.result(60).status_code == 503
        end.set()
