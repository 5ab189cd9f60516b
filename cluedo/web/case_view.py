"""A case as plain data for its page, with all sentences in the user's language."""

from __future__ import annotations

import math
from typing import Any

from cluedo.ai.knowledge import SeatKnowledge
from cluedo.engine.cards import Category
from cluedo.engine.entries import Entry
from cluedo.engine.events import Accused, HandShown, HypothesisMade
from cluedo.language import tr
from cluedo.session.advice import case_sections, verdict_in_short
from cluedo.session.best_rooms import RoomQuestion
from cluedo.session.case.case import Case
from cluedo.session.case.findings import contradiction_sections, fix_sentence, news_lines, next_in_turn
from cluedo.session.case.interpreter import Reply, ReplyKind
from cluedo.session.figures import cell_sign, envelope_first, envelopes_left, sheet_groups, titles
from cluedo.session.sections import ReasonLine, sections_json

__all__ = ["case_view", "reply_view"]


def reply_view(reply: Reply) -> dict[str, Any]:
    """An answer: its ``kind``, ``title`` and ``sections``."""
    sections = reply.sections
    if reply.kind is ReplyKind.DOUBTED:  # a page asks with a button, not with the last section
        sections = sections[:-1]
    return {"kind": reply.kind.name.lower(), "title": reply.title, "sections": sections_json(sections)}


def case_view(case: Case) -> dict[str, Any]:
    """All that a page shows of a case.

    Returns:
        the table (``title``, ``players`` with seat, name and number of cards, ``me``, ``cards`` by category, whether
        anybody ``looks`` into a pool, and whether ``all_answer``), the
        ``sheet`` (None where the entries contradict each other), the ``entries`` as lines, ``next`` (whose turn it
        probably is, or None), who is ``to_lay_open`` their hand, an ``example`` of a line,
        ``advice`` in short, all of it in ``sections``, the ``news`` without reasons, and what to do about a
        ``contradiction``.
    """
    setting = case.setting
    solved = any(isinstance(entry.head, Accused) and entry.head.correct for entry in case.entries)
    return {
        "title": setting.board.title,
        "players": [
            {"seat": seat, "name": name, "cards": size}
            for seat, (name, size) in enumerate(zip(setting.names, setting.sizes, strict=True))
        ],
        "me": setting.me,
        "looks": setting.looks,
        "all_answer": setting.rules.refuters == "all",
        "hand": list(setting.deck.names_in(setting.hand)),
        "cards": [
            {
                "title": tr(category.title),
                "names": [setting.deck.names[card] for card in setting.deck.ids[category]],
                "pictures": [setting.board.map.pictures[card] for card in setting.deck.ids[category]],
            }
            for category in Category
        ],
        "heads": envelope_first(titles(setting.places)),
        "sheet": None if case.known is None else _sheet(case, case.known),
        "entries": _entries(case),
        "to_lay_open": [setting.names[seat] for seat in _to_lay_open(case)],
        "next": next_in_turn(setting, case.entries) if case.entries and not solved else None,
        "solved": solved,
        "out": case.over and not solved,
        "advice": _advice(case),
        "sections": _sections(case),
        "news": [line for line in news_lines(case) if not isinstance(line, ReasonLine)],
        "left": envelopes_left(case.known) if case.known is not None and case.known.envelopes else None,
        "contradiction": _contradiction(case),
        "example": case.grammar.example(),
        "model": case.model.name,
        "pawn": _pawn(case),
        "undo": bool(case.memory.undone),
        "redo": bool(case.memory.redone),
    }


def _to_lay_open(case: Case) -> list[int]:
    """The seats that have accused wrongly, and whose hand should lie open but has not been noted (rule 18)."""
    if not case.setting.rules.wrong_shows_hand:
        return []
    heads = [entry.head for entry in case.entries]
    laid = {head.seat for head in heads if isinstance(head, HandShown)}
    out = dict.fromkeys(head.seat for head in heads if isinstance(head, Accused) and not head.correct)
    return [seat for seat in out if seat not in {*laid, case.setting.me}]


def _entries(case: Case) -> list[dict[str, Any]]:
    """The entries as lines, each with what a change of it begins with: who did it, and the three cards named."""
    clashing = () if case.contradiction is None else case.contradiction.numbers
    return [
        {
            "number": number,
            "text": case.grammar.write(entry),
            "by": case.setting.names[entry.by],
            "cards": [case.setting.deck.names[card] for card in _named(entry)],
            "clashes": number in clashing,
        }
        for number, entry in enumerate(case.entries, 1)
    ]


def _named(entry: Entry) -> tuple[int, ...]:
    return entry.cards if isinstance(entry.head, HypothesisMade | Accused) else ()


def _sheet(case: Case, known: SeatKnowledge) -> list[dict[str, Any]]:
    """By category its cards, each with a cell for each place, the envelope first."""
    deck, chances = case.setting.deck, known.chances
    return sheet_groups(
        deck, lambda card: {"card": deck.names[card], "cells": [_cell(p) for p in envelope_first(chances[card])]}
    )


def _cell(chance: float | None) -> dict[str, Any]:
    """A cell: its ``kind`` (yes and no are proofs), ``text``, how it is ``told``, and its ``heat``, 0 to 10."""
    kind, text = cell_sign(chance)
    proofs = {"yes": tr("proved to be there"), "no": tr("proved not to be there")}
    told = tr("not counted") if chance is None else proofs.get(kind, text)
    heat = 0 if chance is None or kind != "open" else max(1, round(10 * chance))
    return {"kind": kind, "text": text.removesuffix("%").rstrip(), "told": told, "heat": heat}


def _advice(case: Case) -> dict[str, Any] | None:
    """Whether to accuse, in short: the ``tone`` (proved, guess or plain), a ``title`` and the three ``cards``."""
    advice, verdict = case.advice, verdict_in_short(case)
    if advice is None or verdict is None:
        return None
    cards = [case.setting.deck.names[card] for card in advice.cards]
    return {"tone": verdict.tone.name.lower(), "title": verdict.title, "cards": cards}


def _sections(case: Case) -> list[dict[str, Any]]:
    """The advice, with what a page needs to offer its questions."""
    sections = case_sections(case, questions=len(case.setting.deck.rooms), envelopes=5)
    offered = [[_question(case, question) for question in section.questions] for section in sections]
    return [told | {"questions": asked} for told, asked in zip(sections_json(sections), offered, strict=True)]


def _question(case: Case, question: RoomQuestion) -> dict[str, Any]:
    """A question: its cards by name, what an answer rules out and leaves, ``when``, and whether never (``far``)."""
    known = case.consistent_knowledge()
    suspect, weapon, room = (case.setting.deck.names[card] for card in question.cards)
    cards = {"suspect": suspect, "weapon": weapon, "room": room}
    envelopes = len(known.envelopes)
    about = {"rating": question.rating(envelopes), "about": question.about(envelopes)}
    gone = round(1 - question.left, 3)
    return {**cards, "ruled_out": gone, **about, "when": question.when, "far": question.turns == math.inf}


def _pawn(case: Case) -> dict[str, Any] | None:
    """The rooms my pawn may stand in and the ``room`` where it does (None: unknown); None where that is no question."""
    setting = case.setting
    if setting.me is None or not setting.walks:
        return None
    rooms = [setting.deck.names[card] for card in setting.deck.rooms]
    pawn = case.pawn
    board = setting.board
    at = None
    if pawn is not None and board.is_room(pawn.place):
        at = rooms[pawn.place - board.rooms_at]
    return {"rooms": rooms, "room": at}


def _contradiction(case: Case) -> dict[str, Any] | None:
    """What contradicts: the ``lines`` that tell it, and the ``fixes`` on offer, each as a line."""
    contradiction = case.contradiction
    if contradiction is None:
        return None
    clash, offers = contradiction_sections(case)
    lines = [clash.title, *clash.lines, offers.title]
    fixes = [fix_sentence(case, fix) for fix in contradiction.fixes]
    return {"lines": [line.strip() for line in lines], "fixes": fixes}
