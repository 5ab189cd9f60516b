"""The work of the assistant's pages, done in another process: plain data goes in, plain data comes out.

A case travels as the text of its :class:`~cluedo.web.case_state.CaseState`. What is wrong with a request comes back as
a :class:`CluedoError`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from cluedo.ai.knowledge import model_named
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.engine.phrase import Phrase
from cluedo.engine.reading import json_object
from cluedo.engine.rules import MAX_SEATS
from cluedo.session.boards import shipped_board
from cluedo.session.case.case import MOST_ENTRIES, Case
from cluedo.session.case.exports import export_bytes
from cluedo.session.case.interpreter import Interpreter, ReplyKind
from cluedo.session.case.setup import make_setting, read_player, read_rules
from cluedo.web.case_state import CaseState
from cluedo.web.case_view import case_view, reply_view

__all__ = [
    "MOST_LINE",
    "AnsweredLine",
    "adopt",
    "answer",
    "complete",
    "download",
    "look",
    "offered_editions",
    "open_case",
]

MOST_LINE: Final = 400
"""Letters of a line that somebody types."""
_OFFERED: Final = 8
"""Ways to go on that are offered."""


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


def _edition(name: str) -> Edition:
    for edition in offered_editions():
        if edition.name == name:
            return edition
    raise CluedoError("the edition {name!r} is not known here", name=name[:40])


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


def adopt(text: bytes, memory: object = None) -> str:
    """The case of a log that was sent, and of what a browser remembers beside it, if that can be read.

    It needs no detective: nothing is worked out yet.

    Raises:
        CluedoError: it is no case log.
    """
    log = json_object(text, Phrase("a case log"))
    return _begun(_remembering(log, memory))


def _begun(state: CaseState) -> str:
    """The state of a case that comes here; raises CluedoError if its entries cannot have happened at its table."""
    if len(state.log.entries) > MOST_ENTRIES:
        raise CluedoError("a case has at most {most} entries; begin another", most=MOST_ENTRIES)
    state.log.evidence()
    return _text(state)


def _remembering(log: dict[str, Any], memory: object) -> CaseState:
    if isinstance(memory, dict):
        with suppress(CluedoError):
            return CaseState.read(memory | {"log": log})
    return CaseState.read({"log": log})


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
    return AnsweredLine(after, case_view(case), reply_view(reply), after != before)


def complete(state: str, line: str) -> list[tuple[str, str]]:
    """How a line may go on: a word, and the line with it; the first few."""
    found = Interpreter(_case(state), files=False).complete(line)
    return [(one.word, one.line) for one in found[:_OFFERED]]


def download(state: str, ending: str, part: int) -> bytes:
    """A file of a case; raises CluedoError."""
    return export_bytes(_case(state), ending)[part]


def _case(state: str) -> Case:
    return CaseState.read(json.loads(state)).case


def _text(state: CaseState) -> str:
    return json.dumps(state.to_json(), ensure_ascii=False)
