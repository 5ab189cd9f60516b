"""What the page of the puzzle has done in another process: the puzzle as far as somebody is, and one step on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from cluedo.engine.cards import Category
from cluedo.engine.errors import CluedoError
from cluedo.language import tr
from cluedo.session.case.interpreter import ReplyLine
from cluedo.session.exercise_text import entries_told, setting_told
from cluedo.session.puzzle import Puzzle, puzzle_of
from cluedo.web.assist_work import refusal
from cluedo.web.case_view import lines_view

__all__ = ["play"]


def play(day: date, board: str, progress: Mapping[str, Any], wish: Mapping[str, Any]) -> dict[str, Any]:
    """One step with the puzzle of a day.

    Args:
        day: whose puzzle.
        board: the board whose cards it has.
        progress: how far somebody is; empty for a fresh one.
        wish: ``do`` is one of claim (with ``card``, ``place`` and ``there``), ask (with ``cards``), hint, solution, and
            look, which is no step.

    Returns:
        ``progress`` afterwards, the ``lines`` of the answer, and what the page shows of the puzzle.

    Raises:
        Refused: what was wished is none of these.
    """
    puzzle = puzzle_of(day, board)
    try:
        puzzle.go_on(progress)
        lines = _step(puzzle, wish)
    except CluedoError as error:
        raise refusal(error) from None
    return {"progress": puzzle.progress(), "lines": lines_view(tuple(lines)), **_view(puzzle)}


def _step(puzzle: Puzzle, wish: Mapping[str, Any]) -> list[ReplyLine]:
    cards, places = range(puzzle.evidence.deck.size), range(len(puzzle.places))
    match wish:
        case {"do": "look"}:
            return []
        case {"do": "hint"}:
            return puzzle.hint()
        case {"do": "solution"}:
            return puzzle.solution()
        case {"do": "claim", "card": int(card), "place": int(place), "there": bool(there)}:
            if card in cards and place in places:
                return puzzle.claim(card, place, there)
        case {"do": "ask", "cards": [int(suspect), int(weapon), int(room)]}:
            three = (suspect, weapon, room)
            if all(card in ids for card, ids in zip(three, puzzle.evidence.deck.ids, strict=True)):
                return puzzle.ask(three)
    raise CluedoError("a statement names a card and a place, and a question a suspect, a weapon and a room")


def _view(puzzle: Puzzle) -> dict[str, Any]:
    """What the page shows: the position in words, and the sheet as far as it is known, the envelope first."""
    log, deck, names = puzzle.exercise.log, puzzle.evidence.deck, puzzle.places
    places = (puzzle.evidence.envelope, *range(len(names) - 1))
    return {
        "task": puzzle.task(),
        "score": puzzle.score(),
        "over": puzzle.over,
        "done": not puzzle.left,
        "setting": setting_told(log.setting),
        "events": entries_told(log),
        "heads": [(place, names[place]) for place in places],
        "me": log.setting.me,
        "sheet": [
            {
                "title": tr(category.title),
                "rows": [
                    {"card": card, "name": deck.names[card], "cells": [puzzle.status(card, place) for place in places]}
                    for card in deck.ids[category]
                ],
            }
            for category in Category
        ],
    }
