"""The puzzle of the day as a page: it answers as `cluedo puzzle` does, and the browser keeps how far one is."""

from __future__ import annotations

import re
from datetime import date

import pytest
from helpers.said import said
from helpers.sites import another, words

from cluedo.language import day_in_words
from cluedo.session.puzzle import puzzle_of
from cluedo.words.position_text import entry_sentences

DAY = "2026-11-20"


@pytest.fixture
def puzzle():
    return puzzle_of(date.fromisoformat(DAY), "classic")


def told(sections) -> list[str]:
    return [" ".join(line.split()) for line in said(sections)]


def test_the_page_tells_the_position_and_not_the_answer(visitor, puzzle):
    page = words(visitor.get(f"/puzzle/{DAY}").text)
    assert puzzle.task() in page
    assert all(line in page for line in entry_sentences(puzzle.position.log))
    for finding in puzzle.exact.proved:
        assert puzzle._conclusion(finding) not in page


def test_without_a_day_it_is_the_one_of_today(visitor):
    assert day_in_words(date.today()) in words(visitor.get("/puzzle").text)


def test_a_statement_a_question_hints_and_the_solution_are_answered_as_by_the_session(visitor, puzzle):
    progress: dict = {}

    def step(**wish: object) -> str:
        answer = visitor.send_json(f"/puzzle/{DAY}", {"progress": progress, **wish})
        assert answer.status_code == 200, answer.text
        progress.update(answer.json()["progress"])
        return words(answer.json()["parts"])

    first = puzzle.exact.proved[0]
    where = dict(zip(("card", "place"), puzzle._spot(first), strict=True))
    for lines, wish in [
        (puzzle.claim(*where.values(), not first.there), {"do": "claim", **where, "there": not first.there}),
        (puzzle.hint(), {"do": "hint"}),
        (puzzle.hint(), {"do": "hint"}),
        (puzzle.claim(*where.values(), first.there), {"do": "claim", **where, "there": first.there}),
        (puzzle.ask((0, 6, 12)), {"do": "ask", "cards": [0, 6, 12]}),
        (puzzle.solution(), {"do": "solution"}),
    ]:
        page = step(**wish)
        assert all(line in page for line in told(lines))
    assert f"The puzzle is over. {puzzle.score()}" in page
    fresh = visitor.get(f"/puzzle/{DAY}").text
    assert "The puzzle is over" not in fresh
    assert re.search(r'aria-label="[^"]*: not proved yet">·<', fresh)
    assert progress == puzzle.progress()


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"do": "cheat"},
        {"do": "claim", "card": 99, "place": 0, "there": True},
        {"do": "claim", "card": 0, "place": -1, "there": True},
        {"do": "ask", "cards": [0, 0, 0]},
        {"do": "hint", "progress": {"found": [99]}},
        {"do": "hint", "progress": {"found": [0], "told": [0]}},
        {"do": "hint", "progress": {"hints": "many"}},
    ],
)
def test_what_no_page_of_ours_sends_is_refused_with_a_sentence(visitor, wish):
    answer = visitor.send_json(f"/puzzle/{DAY}", wish)
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(".")


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "9" * 400])
def test_what_is_no_day_is_not_found(visitor, day):
    assert visitor.get(f"/puzzle/{day}").status_code == 404


def test_in_french_the_cards_are_french(visitor):
    french = another(visitor)
    french.headers["Accept-Language"] = "fr"
    page = words(french.get(f"/puzzle/{DAY}").text)
    assert "Ce que vous savez" in page
    assert "Pervenche" in page
