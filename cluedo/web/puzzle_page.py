"""The puzzle of the day as a page. The browser keeps how far somebody is; the server keeps nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cluedo.engine.errors import CluedoError
from cluedo.language import day_in_words, tr
from cluedo.session.boards import default_map
from cluedo.session.figures import sheet_groups
from cluedo.session.puzzle import Puzzle, puzzle_of
from cluedo.session.sections import Section, sections_json
from cluedo.web.jobs import run_for_visitor
from cluedo.web.responses import page, render_template
from cluedo.web.submissions import read_json
from cluedo.words.position_text import entry_sentences, table_sentences

__all__ = ["play", "routes"]


def play(day: date, board: str, progress: Mapping[str, Any], wish: Mapping[str, Any]) -> dict[str, Any]:
    """One step with the puzzle of a day.

    Args:
        day: whose puzzle.
        board: the board whose cards it has.
        progress: how far somebody is; empty for a fresh one.
        wish: ``do`` is one of claim (with ``card``, ``place`` and ``there``), ask (with ``cards``), hint, solution, and
            look, which is no step.

    Returns:
        ``progress`` afterwards, the ``sections`` of the answer, and what the page shows of the puzzle.

    Raises:
        CluedoError: what was wished is none of these.
    """
    puzzle = puzzle_of(day, board)
    puzzle.go_on(progress)
    sections = _step(puzzle, wish)
    return {"progress": puzzle.progress(), "sections": sections_json(sections), **_view(puzzle)}


def _step(puzzle: Puzzle, wish: Mapping[str, Any]) -> list[Section]:
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
    log, deck, names = puzzle.position.log, puzzle.evidence.deck, puzzle.places
    places = (puzzle.evidence.envelope, *range(len(names) - 1))
    return {
        "task": puzzle.task(),
        "score": puzzle.score(),
        "over": puzzle.over,
        "done": not puzzle.left,
        "setting": table_sentences(log.setting),
        "events": entry_sentences(log),
        "heads": [(place, names[place]) for place in places],
        "me": log.setting.me,
        "sheet": sheet_groups(
            deck,
            lambda card: {
                "card": card,
                "name": deck.names[card],
                "cells": [puzzle.status(card, place) for place in places],
            },
        ),
    }


async def today(request: Request) -> Response:
    """The puzzle of today."""
    return await _shown(request, date.today())


async def show(request: Request) -> Response:
    """The puzzle of a day."""
    return await _shown(request, _day(request))


async def _shown(request: Request, day: date) -> Response:
    board = default_map()
    puzzle = await run_for_visitor(request, play, day, board, {}, {"do": "look"})
    step = timedelta(days=1)
    before = day - step if day > date.min else None
    after = day + step if day < date.today() else None
    told = day_in_words(day)
    return page(request, "puzzle.html", puzzle=puzzle, day=day, told_day=told, board=board, before=before, after=after)


async def step(request: Request) -> Response:
    """One statement, question or hint."""
    day, told = _day(request), await read_json(request)
    progress = told.get("progress")
    known = progress if isinstance(progress, dict) else {}
    puzzle = await run_for_visitor(request, play, day, default_map(), known, told)
    parts = render_template(request, "puzzle_parts.html", puzzle=puzzle)
    return JSONResponse({"progress": puzzle["progress"], "parts": parts})


def _day(request: Request) -> date:
    try:
        return date.fromisoformat(request.path_params["day"])
    except ValueError:
        raise HTTPException(404, tr("A day is written like 2026-01-31.")) from None


routes = [
    Route("/puzzle", today),
    Route("/puzzle/{day}", show),
    Route("/puzzle/{day}", step, methods=["POST"]),
]
