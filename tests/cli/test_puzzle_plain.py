"""``cluedo puzzle`` line by line."""

from __future__ import annotations

from helpers.command_line import complaint, run


def played(*lines: str, day: str = "2026-11-26") -> str:
    """What is printed while these lines are typed."""
    return run("puzzle", "--date", day, "--plain", typed="".join(f"{line}\n" for line in lines))


def test_a_day_has_its_puzzle_and_whoever_leaves_is_told_how_it_went():
    first = played("quit")
    assert first == played("quit")
    assert first != played("quit", day="2026-11-27")
    assert first.startswith("The puzzle of Thursday, 26 November 2026\n\nSuspects: Scarlett, Mustard")
    assert "\nDifficulty 2 of 5. " in first
    assert first.endswith("proved; 0 wrong statements; 0 hints.\n")
    french = run("puzzle", "--date", "2026-11-26", "--plain", "--lang", "fr", typed="quitter\n")
    assert french.splitlines()[0].endswith("jeudi 26 novembre 2026")


def test_what_is_not_understood_is_said_and_asked_for_again():
    told = played("", "nonsense", "\x00\x1b", "ask me", "plum = ", "hint")
    assert told.count("> What is proved?") == 7  # the input ends at the last one
    assert "Nothing was entered." in told
    assert "A card and a place are needed, as in Scarlett=envelope." in told
    assert "There is a proof from" in told
    assert told.endswith("0 wrong statements; 1 hint.\n")


def test_the_solution_ends_it():
    told = played("solution", "this is not read")
    assert told.count("> What is proved?") == 1
    assert "The best question: " in told


def test_a_day_that_is_none_is_refused():
    for day in ("today", "2026-02-30", "26-1-1", ""):
        assert complaint("puzzle", "--date", day) == f"--date: a day is written like 2026-01-31, not {day!r}"
