"""The puzzle of the day: statements, hints, questions and the solution, and how they are typed."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import pytest
from helpers.said import said

from cluedo.ai.knowledge import read_case_log
from cluedo.ai.positions import ExactAnswer, Finding, difficulty_of, exact_answer, findings
from cluedo.ai.positions.exact import Position
from cluedo.engine.board import Board
from cluedo.language import speak
from cluedo.session.case.vocabulary import Unclear
from cluedo.session.puzzle import Puzzle, answer, help_lines, puzzle_of
from cluedo.words.position_text import position_text

LOG = {
    "map": "classic",
    "players": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cy"}],
    "me": "Ann",
    "hand": ["Plum", "Rope", "Dagger", "Wrench", "Revolver", "Lounge"],
    "events": [
        {"by": "Bob", "hypothesis": ["Plum", "Rope", "Hall"], "refuted_by": "Cy"},
        {"by": "Ann", "hypothesis": ["White", "Lead Pipe", "Study"], "refuted_by": "Bob", "card": "Lead Pipe"},
        {"by": "Cy", "accusation": ["Green", "Candlestick", "Study"], "correct": False},
    ],
}
HALL = Finding("Hall", "Cy", True, 3)
CANDLE = Finding("Candlestick", "envelope", True, 5)


@cache
def position() -> tuple[Position, ExactAnswer]:
    log = read_case_log(LOG, Board.load)
    found = findings(log.evidence())
    position = Position.of(difficulty_of(found), log)
    return position, exact_answer(position, found, {})


@pytest.fixture
def puzzle():
    return Puzzle(*position())


def say(puzzle: Puzzle, line: str) -> str:
    sections = answer(puzzle, line)
    assert sections is not None
    return "\n".join(said(sections))


def test_a_proof_that_is_stated_is_found_with_its_reason(puzzle):
    assert puzzle.left == [HALL, CANDLE]
    assert say(puzzle, "hall = cy") == (
        "Right!\nCy holds Hall.\nYou hold Plum and Rope.\nEntry 1: Cy showed Plum, Rope or Hall.\nOne proof is left."
    )
    assert (puzzle.found, puzzle.left) == ([HALL], [CANDLE])
    assert say(puzzle, "Hall=Cy") == "That is on the sheet already."
    assert "That is all that can be proved." in say(puzzle, "candle = env")
    assert puzzle.score() == "2 of 2 proved; 0 wrong statements; 0 hints."


def test_what_is_open_is_refused_with_a_deal_where_it_is_otherwise(puzzle):
    fits = {"white = cy": "Cy does not hold White", "white not envelope": "White is in the envelope"}
    for line, otherwise in fits.items():
        told = say(puzzle, line)
        assert told.startswith(f"That is not proved. A deal that fits where {otherwise}:\nenvelope: ")
    assert puzzle.mistakes == 2
    assert say(puzzle, "hall != cy") == "No: the opposite can be proved."
    assert puzzle.mistakes == 3
    assert not puzzle.found


def test_what_contradicts_the_sheet_is_no_mistake(puzzle):
    say(puzzle, "hall = cy")
    for line in ("lead pipe not bob", "plum = cy", "hall not cy"):
        assert say(puzzle, line) == "The opposite is on the sheet already."
    assert (puzzle.mistakes, len(puzzle.found)) == (0, 1)


def test_what_is_proved_and_not_to_be_found_is_neither_found_nor_wrong(puzzle):
    for line in ("lead pipe = bob", "plum not cy", "hall not envelope"):
        assert say(puzzle, line) == "That is proved, but it is not one of the things to find."
    assert (puzzle.mistakes, puzzle.found) == (0, [])


def test_hints_come_one_by_one_and_end_with_the_proof(puzzle):
    assert say(puzzle, "hint") == "There is a proof from 3 facts."
    assert say(puzzle, "hint") == "It is about Hall."
    assert say(puzzle, "hint").endswith("Entry 1: Cy showed Plum, Rope or Hall.")
    assert say(puzzle, "hint") == "Cy holds Hall.\nOne proof is left."
    assert say(puzzle, "hint") == "There is a proof from 5 facts."
    assert (puzzle.told, puzzle.found, puzzle.hints) == ([HALL], [], 5)


def test_a_proof_that_is_found_ends_the_hints_about_it(puzzle):
    say(puzzle, "hint")
    say(puzzle, "hint")
    say(puzzle, "hall = cy")
    assert say(puzzle, "hint") == "There is a proof from 5 facts."
    say(puzzle, "candlestick = envelope")
    assert say(puzzle, "hint") == "That is all that can be proved. What would you ask now?"
    assert puzzle.hints == 3


def test_a_question_is_set_against_the_best(puzzle):
    best, bits = puzzle.exact.best
    assert say(puzzle, f"ask {', '.join(reversed(best))}").endswith("No question tells more.")
    told = say(puzzle, "ask plum, rope, lounge")
    assert told == (
        "Plum, Rope, Lounge: on average the answer halves the envelopes 0.00 times.\n"
        f"The best question halves them {bits:.2f} times."
    )


def test_the_solution_has_all_proofs_with_reasons_and_the_best_question(puzzle):
    say(puzzle, "hall = cy")
    told = say(puzzle, "solution")
    assert "✓ Cy holds Hall.\nYou hold Plum and Rope.\n" in told
    assert "\nCandlestick is in the envelope.\nYou hold " in told
    assert "The best question: " in told
    assert puzzle.over
    assert puzzle.left == []


def test_the_sheet_shows_single_facts_and_what_was_proved(puzzle):
    deck = puzzle.evidence.deck
    hall, cy, envelope = deck.id("Hall"), 2, 3
    assert puzzle.status(deck.id("Plum"), 0) is True
    assert puzzle.status(deck.id("Plum"), cy) is False
    assert puzzle.status(hall, cy) is None
    say(puzzle, "hall = cy")
    assert puzzle.status(hall, cy) is True
    assert puzzle.status(hall, envelope) is False


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "nothing was entered"),
        ("   ", "nothing was entered"),
        ("hall", "a card and a place are needed, as in Scarlett=envelope"),
        ("hall cy", "a card and a place are needed"),
        ("hall not", "'' is not one of them"),
        ("halk = cy", "'halk' is not one of them; did you mean Hall?"),
        ("hall = zoe", "'zoe' is not one of them"),
        ("ask", "a question names a suspect, a weapon and a room"),
        ("ask plum white rope", "a question names a suspect, a weapon and a room"),
        ("ask plum rope hall study", "a question names a suspect, a weapon and a room"),
        ("\x1b[2J = " + "x" * 5000, "'\\x1b[2J' is not one of them"),
        ("hint me", "a card and a place are needed"),
    ],
)
def test_what_is_no_statement_is_answered_by_what_would_be_right(puzzle, line, says):
    with pytest.raises(Unclear) as unclear:
        answer(puzzle, line)
    assert str(unclear.value).startswith(says)
    assert (puzzle.mistakes, puzzle.hints) == (0, 0)


def test_words_of_all_languages_are_understood(puzzle):
    assert answer(puzzle, "quit") is answer(puzzle, "quitter") is None
    assert say(puzzle, "indice") == "There is a proof from 3 facts."
    speak("fr")
    assert say(puzzle, "hall pas enveloppe").startswith("C’est prouvé")
    assert say(puzzle, "hall = cy").startswith("Juste\N{NO-BREAK SPACE}!")
    assert say(puzzle, "demander plum, rope, lounge") == say(puzzle, "questions plum, rope, lounge")
    with pytest.raises(Unclear, match=r"as in Scarlett=enveloppe$"):
        answer(puzzle, "hall")
    assert help_lines()


def test_the_position_can_be_read_once_more(puzzle):
    assert say(puzzle, "position") == position_text(puzzle.position.log)


def test_days_have_puzzles_of_their_own_which_get_harder_through_the_week():
    monday = date(2026, 11, 23)
    week = [puzzle_of(monday + timedelta(days=k), "classic") for k in range(7)]
    assert [one.position.difficulty for one in week] == [1, 1, 2, 2, 3, 4, 5]
    assert len({one.position.id for one in week}) == 7
    assert puzzle_of(monday, "classic").position == week[0].position
    assert puzzle_of(monday, "manoir").position.id == week[0].position.id
    assert puzzle_of(date.min, "classic").left
    assert puzzle_of(date.max, "classic").left
