"""Looking back: what is sent is read with bounds, replayed as `cluedo replay` does, and shared by link."""

from __future__ import annotations

import html
import json
import re

import pytest
from helpers.recorded import played, record_of
from helpers.sites import ADDRESS, another, words
from helpers.tables import noted_game

from cluedo.engine.record import read_record
from cluedo.web.replay_page import replay_page


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    return record_of(played(), tmp_path_factory.mktemp("record") / "game.jsonl", seed=31, number=4)


TURN_END = ', {"type": "end_turn", "seat": 0}'


def send(visitor, data: bytes, name: str = "game.jsonl", **fields: str):
    fields = {"token": visitor.token, **fields}
    return visitor.post("/replay", data=fields, files={"file": (name, data)}, headers={"Origin": ADDRESS})


def data_of(page: str) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])


@pytest.mark.slow
def test_a_record_becomes_the_page_that_replay_writes_and_is_shared_by_link(visitor, record):
    page = send(visitor, record.read_bytes())
    assert page.status_code == 200, words(page.text)
    written = replay_page(read_record(record), played())
    assert data_of(page.text) == data_of(written)
    for review in re.findall(r'<section class="review".*?</section>', written, re.DOTALL):
        assert words(review) in words(page.text)
    link = page.url.path
    assert data_of(another(visitor).get(link).text) == data_of(written)
    assert visitor.get(f"{link}/game.jsonl").json() == json.loads(record.read_bytes())


def test_a_case_log_goes_on_in_the_assistant(visitor):
    setting, noted = noted_game("classic", 3, 1)
    page = send(visitor, json.dumps(setting.log(noted[:3]).to_json()).encode(), "case.json")
    assert page.url.path.startswith("/assistant/")
    assert 'data-entry="3"' in page.text


def test_a_record_can_be_pasted(visitor, record):
    text = record.read_text(encoding="utf-8").replace('"winner": ', '"winner": 9')
    fields = {"token": visitor.token, "text": text}
    page = visitor.post("/replay", data=fields, files={"file": ("", b"")}, headers={"Origin": ADDRESS})
    assert "By its result seat 9" in words(page.text)  # it was read to its end


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "There is nothing in what was sent"),
        (b"\xff\xfe\x00", "The file game.jsonl"),
        (b"[" * 100_000, "nested"),
        (b'{"players": [], "events": []}', "The case log"),
        (b'{"players": 3, "envelope": 4, "events": []}', "The file game.jsonl"),
        (b'{"map": "/etc/passwd", "players": [{"name": "A"}, {"name": "B"}]}', "is not known here"),
    ],
)
def test_what_is_neither_is_refused_with_a_sentence(visitor, data, sentence):
    page = send(visitor, data)
    assert page.status_code == 400
    told = re.search(r'role="alert">(.*?)</p>', page.text, re.DOTALL)[1]
    assert sentence in html.unescape(told)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text.replace('"map": "manoir"', '"map": "/etc/passwd"'), "is not known here"),
        (lambda text: text * 2, "there are several games"),
        (lambda text: text.replace('}], "result"', "}" + TURN_END * 500 + '], "result"'), "too long to be"),
    ],
)
def test_a_record_that_cannot_be_replayed_here_is_refused(visitor, record, change, sentence):
    assert sentence in words(send(visitor, change(record.read_text(encoding="utf-8")).encode()).text)


def test_of_several_games_one_is_chosen(visitor, record):
    line = record.read_bytes()
    several = line + line.replace(b'"winner": ', b'"winner": 9')
    assert "By its result seat 9" in words(send(visitor, several, number="1").text)


def test_what_was_pasted_and_typed_stays_where_it_is_refused(visitor, record):
    line = record.read_text(encoding="utf-8").replace("Rose", "R <é> : & %")
    page = visitor.send_form("/replay", text=line * 2, number="7")
    assert page.status_code == 400
    [(opened, kept)] = re.findall(r"<details( open)?>.*?<textarea[^>]*>(.*?)</textarea>", page.text, re.DOTALL)
    assert opened
    assert html.unescape(kept) == line * 2
    assert 'value="7"' in page.text
    assert "<details>" in visitor.get("/replay").text


def test_what_is_too_large_is_refused_before_it_is_read(visitor):
    answer = send(visitor, b" " * 2_000_001)
    assert answer.status_code == 413
    assert "What was sent is too large." in words(answer.text)
    assert "<form" in answer.text
    assert send(visitor, b" " * 5_000_000).status_code == 413


def test_a_link_that_leads_nowhere_says_so(visitor):
    for path in (f"/replay/{'x' * 22}", f"/replay/{'x' * 22}/game.jsonl"):
        assert visitor.get(path).status_code == 404
