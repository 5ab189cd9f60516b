"""The work of the assistant's pages, done in another process: plain data goes in, plain data comes out.

A case travels as the text of its :class:`CaseState`, which the server keeps and a browser may bring back, and as plain
data for its page, with all sentences in the user's language. What is wrong with a request comes back as a
:class:`CluedoError`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from pydantic import BaseModel, Field, StrictInt, StrictStr, ValidationError

from cluedo.ai.knowledge import Model, SeatKnowledge, model_named, read_case_log
from cluedo.ai.knowledge.case_checks import CaseLogError
from cluedo.ai.knowledge.caselog import CaseLog
from cluedo.engine.cards import Category
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.entries import Entry, EntryForm, read_entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, HandShown, HypothesisMade
from cluedo.engine.file_io import json_object
from cluedo.engine.mapfile import map_names
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import MAX_SEATS
from cluedo.language import tr
from cluedo.session.advice import case_sections, verdict_in_short
from cluedo.session.best_rooms import RoomQuestion
from cluedo.session.boards import shipped_board
from cluedo.session.case.case import MOST_ENTRIES, Case, Memory
from cluedo.session.case.exports import export_bytes
from cluedo.session.case.findings import contradiction_sections, fix_sentence, news_lines, next_in_turn
from cluedo.session.case.interpreter import Interpreter, Reply, ReplyKind
from cluedo.session.case.setup import make_setting, read_player, read_rules
from cluedo.session.figures import cell_sign, envelope_first, envelopes_left, sheet_groups, titles
from cluedo.session.sections import ReasonLine, sections_json

__all__ = [
    "MOST_LINE",
    "AnsweredLine",
    "CaseState",
    "adopt",
    "answer",
    "case_view",
    "complete",
    "download",
    "look",
    "offered_editions",
    "open_case",
    "restore",
]

MOST_LINE: Final = 400
"""Letters of a line that somebody types."""
_OFFERED: Final = 8
"""Ways to go on that are offered."""
_MOST_STEPS: Final = 60
"""Changes that can be taken back after the case was put away."""


# ---- what pages ask for ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """An answer.

    Attributes:
        state: the case afterwards.
        view: what a page shows of it.
        reply: what was answered.
        changed: whether the case is another one now.
    """

    state: str
    view: dict[str, Any]
    reply: dict[str, Any]
    changed: bool


def offered_editions() -> list[Edition]:
    """The editions that a new case may be of: those that are shipped, and other shipped boards by the box's rules."""
    editions = shipped_editions()
    others = sorted(set(map_names()) - {edition.map for edition in editions})
    return [*editions, *(Edition(name=name, title=shipped_board(name).title, map=name) for name in others)]


def open_case(form: Mapping[str, str]) -> str:
    """A new case, of the table that a form tells; raises CluedoError.

    It needs no detective: nothing is worked out yet.
    """
    edition = _edition(form.get("edition", ""))
    if "free" in form:
        edition = edition.model_copy(update={"rules": edition.rules.model_copy(update={"movement": "free"})})
    edition = read_rules(form.get("rules", "")[:MOST_LINE], edition)
    names = {str(seat): _name(form.get(f"player-{seat}", "")) for seat in range(MAX_SEATS)}
    seated = [seat for seat, name in names.items() if name]
    if not seated:
        raise CluedoError("Say who plays, in turn order, and which of them you are.")
    players = [read_player(f"{names[seat]}:{form.get(f'size-{seat}', '')}".rstrip(": ")) for seat in seated]
    me = names.get(form.get("me", "")) or None
    hand = _own_hand(me, [card for name, card in form.items() if name.startswith("card-") and card])
    face_up = form.get("open", "")[:MOST_LINE]
    setting = make_setting(shipped_board(edition.map), players, me, hand, edition=edition, face_up=face_up)
    return _begun(CaseState(setting.log(), model_named(form.get("model", "uniform"))))


def _edition(name: str) -> Edition:
    for edition in offered_editions():
        if edition.name == name:
            return edition
    raise CluedoError("the edition {name!r} is not known here", name=name[:40])


def _name(text: str) -> str:
    """A name, without what stands between names."""
    return text.replace(",", " ").replace(":", " ").strip()


def _own_hand(me: str | None, hand: list[str]) -> list[str] | None:
    """The cards that were ticked, None for a spectator; raises CluedoError for cards of nobody, and for no cards."""
    if hand and me is None:
        raise CluedoError("you have ticked cards: whose are they? Choose which player you are, or untick the cards")
    if not hand and me is not None:
        raise CluedoError("tick the cards that you hold, or choose that you are only watching")
    return hand or None


def adopt(text: bytes) -> str:
    """The case of a log that was sent; raises CluedoError if it is none.

    It needs no detective: nothing is worked out yet.
    """
    return _begun(CaseState.read({"log": text}))


def restore(sent: bytes) -> str:
    """The case that a browser kept: its log, and what stands beside it if that can be read; raises CluedoError."""
    told = json_object(sent, Phrase("a case log"))
    log, memory = (part if isinstance(part, dict) else {} for part in (told.get("log"), told.get("memory")))
    with suppress(CluedoError):
        return _begun(CaseState.read(memory | {"log": log}))
    return _begun(CaseState.read({"log": log}))


def _begun(state: CaseState) -> str:
    """The state of a case that comes here; raises CluedoError if its entries cannot have happened at its table."""
    if len(state.log.entries) > MOST_ENTRIES:
        raise CluedoError("a case has at most {most} entries; begin another", most=MOST_ENTRIES)
    state.log.evidence()
    return _text(state)


def look(state: str) -> dict[str, Any]:
    """What a page shows of a case."""
    return case_view(_case(state))


def answer(state: str, line: str, *, sure: bool) -> AnsweredLine:
    """The answer of the assistant to a line; ``sure`` keeps a doubtful entry. Raises CluedoError."""
    case = _case(state)
    before = _text(CaseState.of(case))
    interpreter = Interpreter(case, files=False)
    reply = interpreter.answer(line)
    if reply.kind is ReplyKind.DOUBTED and sure:
        reply = interpreter.answer(interpreter.word("keep"))
    after = _text(CaseState.of(case))
    return AnsweredLine(after, case_view(case), _reply_view(reply), after != before)


def complete(state: str, line: str) -> list[tuple[str, str]]:
    """How a line may go on: a word, and the line with it; the first few."""
    found = Interpreter(_case(state), files=False).complete(line)
    return [(one.word, one.line) for one in found[:_OFFERED]]


def download(state: str, ending: str, part: int) -> bytes:
    """A file of a case; raises CluedoError."""
    return export_bytes(_case(state), ending)[part]


# ---- the state of a case -----------------------------------------------------------------------------


def _case(state: str) -> Case:
    return CaseState.read(json.loads(state)).case


def _text(state: CaseState) -> str:
    return json.dumps(state.to_json(), ensure_ascii=False)


_Lists: TypeAlias = Annotated[
    tuple[Annotated[tuple[StrictInt, ...], Field(max_length=MOST_ENTRIES)], ...], Field(max_length=_MOST_STEPS)
]


class _BesideTheLog(BaseModel, frozen=True):
    """What a state holds beside the log; it may come from a stranger."""

    model: StrictStr = "uniform"
    placed: tuple[StrictInt, StrictInt | None] | None = None
    known: tuple[EntryForm, ...] = ()
    undone: _Lists = ()
    redone: _Lists = ()


class CaseState(NamedTuple):
    """A case before anything is worked out: its log, by what its odds are weighed, and what else it remembers."""

    log: CaseLog
    model: Model
    memory: Memory = Memory()

    @classmethod
    def of(cls, case: Case) -> CaseState:
        """That of a case."""
        return cls(case.log, case.model, case.memory)

    @property
    def case(self) -> Case:
        """The case, with what follows from it."""
        return Case(self.log.setting, self.log.entries, model=self.model, memory=self.memory)

    def to_json(self) -> dict[str, Any]:
        """The state as JSON.

        Returns:
            ``log`` is the case log, ``model`` the name of the model, ``placed`` what was said of my pawn (after how
            many entries, and the place). Lists of entries to go back to are many and alike: ``known`` holds each entry
            once, ``undone`` and ``redone`` lists of numbers in it.
        """
        known: dict[Entry, int] = {}

        def numbered(lists: Sequence[Sequence[Entry]]) -> list[list[int]]:
            return [[known.setdefault(entry, len(known)) for entry in entries] for entries in lists[-_MOST_STEPS:]]

        undone, redone = numbered(self.memory.undone), numbered(self.memory.redone)
        return {
            "log": self.log.to_json(),
            "model": self.model.name,
            "placed": self.memory.placed,
            "known": self.log.setting.log(tuple(known)).to_json()["events"],
            "undone": undone,
            "redone": redone,
        }

    @classmethod
    def read(cls, state: Mapping[str, Any]) -> CaseState:
        """The state of :meth:`to_json`, or of a log alone (``{"log": …}``). Raises CluedoError."""
        log = read_case_log(state["log"], shipped_board)
        try:
            beside = _BesideTheLog.model_validate({name: value for name, value in state.items() if name != "log"})
            memory = _memory(beside, log)
        except (ValidationError, LookupError):
            raise CaseLogError("what the case remembers beside its entries cannot be read") from None
        return cls(log, model_named(beside.model), memory)


def _memory(beside: _BesideTheLog, log: CaseLog) -> Memory:
    """What is remembered beside the entries; raises CluedoError or LookupError where that cannot be."""
    setting = log.setting
    known = dict(enumerate(read_entry(form, setting.names, setting.deck) for form in beside.known))

    def listed(lists: Sequence[Sequence[int]]) -> tuple[tuple[Entry, ...], ...]:
        return tuple(tuple(known[number] for number in numbers) for numbers in lists)

    placed = beside.placed
    if placed is not None and not (placed[0] >= 0 and 0 <= (placed[1] or 0) < setting.board.places):
        raise LookupError(placed)
    return Memory(placed, listed(beside.undone), listed(beside.redone))


# ---- what a page shows of it -------------------------------------------------------------------------


def case_view(case: Case) -> dict[str, Any]:
    """All that a page shows of a case.

    Returns:
        the table (``title``, ``players`` with seat, name and number of cards, ``me``, ``cards`` by category, whether
        anybody ``peeks`` into a pool, and whether ``all_answer``), the
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
        "peeks": setting.peeks,
        "all_answer": setting.everybody,
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


def _to_lay_open(case: Case) -> list[int]:
    """The seats that have accused wrongly, and whose hand should lie open but has not been noted (rule 18)."""
    if not case.setting.rules.wrong_shows_hand:
        return []
    heads = [entry.head for entry in case.entries]
    laid = {head.seat for head in heads if isinstance(head, HandShown)}
    out = dict.fromkeys(head.seat for head in heads if isinstance(head, Accused) and not head.correct)
    return [seat for seat in out if seat not in {*laid, case.setting.me}]


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


def _contradiction(case: Case) -> dict[str, Any] | None:
    """What contradicts: the ``lines`` that tell it, and the ``fixes`` on offer, each as a line."""
    contradiction = case.contradiction
    if contradiction is None:
        return None
    clash, offers = contradiction_sections(case)
    lines = [clash.title, *clash.lines, offers.title]
    fixes = [fix_sentence(case, fix) for fix in contradiction.fixes]
    return {"lines": [line.strip() for line in lines], "fixes": fixes}


def _pawn(case: Case) -> dict[str, Any] | None:
    """The rooms my pawn may stand in and the ``room`` where it does (None: unknown); None where that is no question."""
    setting = case.setting
    if setting.me is None or not setting.walks:
        return None
    rooms = [setting.deck.names[card] for card in setting.deck.rooms]
    pawn, board = case.pawn, setting.board
    at = rooms[pawn.place - board.rooms_at] if pawn is not None and board.is_room(pawn.place) else None
    return {"rooms": rooms, "room": at}


def _reply_view(reply: Reply) -> dict[str, Any]:
    """An answer: its ``kind``, ``title`` and ``sections``."""
    sections = reply.sections
    if reply.kind is ReplyKind.DOUBTED:  # a page asks with a button, not with the last section
        sections = sections[:-1]
    return {"kind": reply.kind.name.lower(), "title": reply.title, "sections": sections_json(sections)}
