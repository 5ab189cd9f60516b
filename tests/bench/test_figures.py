"""The table of `make bench`: what stands in it, and what it is compared with."""

from __future__ import annotations

import sys
from itertools import chain, count

import pytest

pytest.importorskip("pyspiel", reason="the extra cluedo[openspiel] is not installed")
pytest.importorskip("httpx2", reason="the extra cluedo[dev] is not installed")

from bench import __main__ as program, figures
from bench.figures import PAGE, SHOWN, Figure, Line, keep, measure, put, read, row, short


@pytest.fixture(autouse=True)
def _references(monkeypatch):
    """A plain loop and a game of four `hard` on a machine that gets slower and slower."""
    loops, games = count(1), count(1)
    monkeypatch.setattr(figures, "plain_loop", lambda: 0.5 * next(loops))
    monkeypatch.setattr(figures, "hard_game", lambda: 5.0 * next(games))


def slower():
    """A tenth of a loop, as slow as everything else."""
    rounds = count(1)
    return lambda: 0.05 * next(rounds)


def test_a_cost_is_told_in_what_was_measured_right_before_it():
    value, loops, hard = measure(Line("a game", "games/s", slower))
    assert value == pytest.approx(1 / 0.15), "of the middle round"
    assert loops == pytest.approx(0.1)
    assert hard == pytest.approx(0.01)
    assert measure(Line("an answer", "ms", slower, 1)).value == pytest.approx(50.0)


def test_what_is_no_time_has_no_cost():
    assert measure(Line("memory", "MB", lambda: lambda: 7.0)) == Figure(7.0)


def test_figures_that_are_kept_stand_beside_those_of_today(tmp_path):
    path = tmp_path / "before.json"
    assert read(path) == ("", {})
    keep(path, "abc of today", {"a game": Figure(123.456789, 0.1, 0.01), "memory": Figure(7.0)})
    of, before = read(path)
    assert of == "abc of today"
    assert before == {"a game": Figure(123.5, 0.1, 0.01), "memory": Figure(7.0)}
    line = Line("a game", "games/s", slower)
    told = row(line, Figure(1234.5, 0.05, 0.002), before["a game"])
    assert told == ("a game", "games/s", "", "1,230", "124", "0.05", "0.1", "0.002", "0.01")
    assert row(line, Figure(1234.5), None) == ("a game", "games/s", "", "1,230", "", "", "", "", "")


@pytest.mark.parametrize(
    ("aim", "value", "told"),
    [("≤ 8", 8.0, "≤ 8"), ("≤ 8", 8.1, "≤ 8, missed"), ("≥ 1.8", 1.8, "≥ 1.8"), ("≥ 1.8", 1.7, "≥ 1.8, missed")],
)
def test_an_aim_that_is_missed_is_said_to_be(aim, value, told):
    assert row(Line("a game", "s", slower, aim=aim), Figure(value), None)[2] == told


@pytest.mark.parametrize(
    ("value", "told"),
    [(None, ""), (0, "0"), (0.00001234, "0.0000123"), (0.01234, "0.0123"), (99.95, "100"), (1234567, "1,230,000")],
)
def test_numbers_have_three_figures(value, told):
    assert short(value) == told


def test_only_what_stands_between_the_marks_is_replaced():
    page = "a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n<!-- y: begin -->\nkept\n<!-- y: end -->\n"
    assert put(page, "x", "new \\1") == page.replace("old", "new \\1")
    empty = page.replace("old\n", "")
    assert put(empty, "x", "new") == page.replace("old", "new")
    with pytest.raises(AssertionError, match="no marks of z"):
        put(page, "z", "new")


def test_each_line_is_there_once():
    parts = (program.games, program.detective, program.processes, program.laboratory, program.environments)
    lines = list(chain.from_iterable(part.lines() for part in parts))
    names = [line.what for line in lines]
    assert len(set(names)) == len(names)
    assert {line.unit for line in lines} - set(SHOWN) == {"s by the clock", "MB", "×"}


def test_the_page_has_room_for_the_tables():
    page = PAGE.read_text(encoding="utf-8")
    assert put(put(page, "bench", "one"), "growth", "two").count("<!-- ") == 4


def test_the_program_measures_what_is_asked_for_keeps_it_and_compares(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(program, "BEFORE", tmp_path / "before.json")
    monkeypatch.setattr(program.games, "lines", lambda: [Line("a game", "s", slower), Line("a song", "s", slower)])
    for part in (program.detective, program.processes, program.laboratory, program.environments):
        monkeypatch.setattr(part, "lines", lambda: iter([]))
    monkeypatch.setattr(sys, "argv", ["bench", "--only", "game", "--keep", str(tmp_path / "before.json")])
    program.main()
    head, line = capsys.readouterr().out.splitlines()
    assert " ".join(head.split()) == "what aim today before loops loops before `hard` `hard` before"
    assert line.split() == ["a", "game", "s", "0.15", "0.1", "0.01"]
    page = tmp_path / "page.md"
    page.write_text("<!-- bench: begin -->\n<!-- bench: end -->\n")
    monkeypatch.setattr(program, "PAGE", page)
    monkeypatch.setattr(sys, "argv", ["bench", "--page"])
    program.main()
    assert "| a game | s |  | 0.15 | 0.15 | 0.0375 | 0.1 | 0.00375 | 0.01 |" in page.read_text()
    assert "| a song | s |  | 0.15 |  |" in page.read_text()
