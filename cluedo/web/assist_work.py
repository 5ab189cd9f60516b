"""The work of the assistant's pages, done in another process: plain data goes in, plain data comes out.

A case travels as JSON text (:func:`state_of`). What is wrong with a request comes back as a sentence
(:class:`Refusal`), in the visitor's language.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from pydantic import BaseModel, Field, StrictInt, StrictStr, ValidationError

from cluedo.ai.knowledge import model_named, read_case_log
from cluedo.ai.knowledge.case_checks import CaseLogError
from cluedo.ai.knowledge.caselog import CaseLog
from cluedo.engine.board import Board, loaded_board
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.entries import Entry
from cluedo.engine.entry_codec import EntryForm, read_entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.engine.phrase import Phrase
from cluedo.engine.reading import json_object
from cluedo.engine.rules import MAX_SEATS
from cluedo.language import tr
from cluedo.session.case.case import MOST_ENTRIES, Case, Memory
from cluedo.session.case.exports import export_bytes
from cluedo.session.case.interpreter import Interpreter, ReplyKind
from cluedo.session.case.setup import make_setting, read_player, read_rules
from cluedo.web.case_view import case_view, reply_view
from cluedo.words.narration import as_sentence

__all__ = [
    "MOST_LINE",
    "AnsweredLine",
    "Refusal",
    "adopt",
    "answer",
    "case_of",
    "complete",
    "download",
    "look",
    "offered_editions",
    "open_case",
    "refusals",
    "shipped_board",
    "state_of",
]

MOST_LINE: Final = 400
"""Letters of a line that somebody types."""
_MOST_STEPS: Final = 60
"""Changes that can be taken back after the case was put away."""

_Lists: TypeAlias = Annotated[
    tuple[Annotated[tuple[StrictInt, ...], Field(max_length=MOST_ENTRIES)], ...], Field(max_length=_MOST_STEPS)
]


class _StoredMemory(BaseModel, frozen=True):
    """What a saved state holds beside the log; it may come from a stranger."""

    model: StrictStr = "uniform"
    placed: tuple[StrictInt, StrictInt | None] | None = None
    known: tuple[EntryForm, ...] = ()
    undone: _Lists = ()
    redone: _Lists = ()


def state_of(case: Case) -> dict[str, Any]:
    """All of a case as JSON.

    Returns:
        ``log`` is the case log, ``model`` the name of the model, ``placed`` what was said of my pawn (after how many
        entries, and the place). Lists of entries to go back to are many and alike: ``known`` holds each entry once,
        ``undone`` and ``redone`` lists of numbers in it.
    """
    return _state(_Remembered(case.log, case.model.name, case.memory))


class _Remembered(NamedTuple):
    """A case before anything is worked out: its log, the name of its model, and what else it remembers."""

    log: CaseLog
    model: str
    memory: Memory = Memory()


def _state(remembered: _Remembered) -> dict[str, Any]:
    log, model, memory = remembered
    known: dict[Entry, int] = {}

    def numbered(lists: Sequence[Sequence[Entry]]) -> list[list[int]]:
        return [[known.setdefault(entry, len(known)) for entry in entries] for entries in lists[-_MOST_STEPS:]]

    undone, redone = numbered(memory.undone), numbered(memory.redone)
    return {
        "log": log.to_json(),
        "model": model,
        "placed": memory.placed,
        "known": log.setting.log(tuple(known)).to_json()["events"],
        "undone": undone,
        "redone": redone,
    }


def case_of(state: Mapping[str, Any], boards: Callable[[str], Board]) -> Case:
    """The case of :func:`state_of`; of a log alone (``{"log": …}``), the case of that. Raises CluedoError."""
    log, model, memory = _read_state(state, boards)
    return Case(log.setting, log.entries, model=model_named(model), memory=memory)


def _read_state(state: Mapping[str, Any], boards: Callable[[str], Board]) -> _Remembered:
    log = read_case_log(state["log"], boards)
    try:
        stored = _StoredMemory.model_validate({name: value for name, value in state.items() if name != "log"})
        memory = _memory(stored, log)
    except (ValidationError, LookupError):
        raise CaseLogError("what the case remembers beside its entries cannot be read") from None
    return _Remembered(log, model_named(stored.model).name, memory)


def _memory(remembered: _StoredMemory, log: CaseLog) -> Memory:
    """What is remembered beside the entries; raises CluedoError or LookupError where that cannot be."""
    setting = log.setting
    known = dict(enumerate(read_entry(form, setting.names, setting.deck) for form in remembered.known))

    def listed(lists: Sequence[Sequence[int]]) -> tuple[tuple[Entry, ...], ...]:
        return tuple(tuple(known[number] for number in numbers) for numbers in lists)

    placed = remembered.placed
    if placed is not None and not (placed[0] >= 0 and 0 <= (placed[1] or 0) < setting.board.places):
        raise LookupError(placed)
    return Memory(placed, listed(remembered.undone), listed(remembered.redone))


_OFFERED: Final = 8


class Refusal(Exception):
    """A request that is refused; the text is a sentence for people. It can be pickled."""


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


def shipped_board(name: str) -> Board:
    """A shipped board: a visitor names no file of ours. Raises CluedoError."""
    if name not in map_names():
        names = ", ".join(map_names())
        raise CluedoError("the board {name!r} is not known here; known: {names}", name=name[:40], names=names)
    return loaded_board(name)


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
    """A new case, of the table that a form tells; raises :class:`Refusal`.

    It needs no detective: nothing is worked out yet.
    """
    with refusals():
        edition = _edition(form.get("edition", ""))
        if "free" in form:
            edition = edition.model_copy(update={"rules": edition.rules.model_copy(update={"movement": "free"})})
        edition = read_rules(form.get("rules", "")[:MOST_LINE], edition)
        names = {str(seat): _name(form.get(f"player-{seat}", "")) for seat in range(MAX_SEATS)}
        seated = [seat for seat, name in names.items() if name]
        if not seated:
            raise Refusal(tr("Say who plays, in turn order, and which of them you are."))
        players = [read_player(f"{names[seat]}:{form.get(f'size-{seat}', '')}".rstrip(": ")) for seat in seated]
        me = names.get(form.get("me", "")) or None
        hand = _own_hand(me, [card for name, card in form.items() if name.startswith("card-") and card])
        face_up = form.get("open", "")[:MOST_LINE]
        setting = make_setting(shipped_board(edition.map), players, me, hand, edition=edition, face_up=face_up)
        return _text(_begun(_Remembered(setting.log(), model_named(form.get("model", "uniform")).name)))


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
        Refusal: it is no case log.
    """
    with refusals():
        log = json_object(text, Phrase("a case log"))
        return _text(_begun(_remembering(log, memory)))


def _begun(remembered: _Remembered) -> dict[str, Any]:
    """The state of a case that comes here; raises CluedoError if its entries cannot have happened at its table."""
    if len(remembered.log.entries) > MOST_ENTRIES:
        raise CluedoError("a case has at most {most} entries; begin another", most=MOST_ENTRIES)
    remembered.log.evidence()
    return _state(remembered)


def _remembering(log: dict[str, Any], memory: object) -> _Remembered:
    if isinstance(memory, dict):
        with suppress(CluedoError):
            return _read_state(memory | {"log": log}, shipped_board)
    return _read_state({"log": log}, shipped_board)


def look(state: str) -> dict[str, Any]:
    """What a page shows of a case."""
    return case_view(_case(state))


def answer(state: str, line: str, *, sure: bool) -> AnsweredLine:
    """The answer of the assistant to a line; ``sure`` keeps a doubtful entry. Raises :class:`Refusal`."""
    case = _case(state)
    before = state_of(case)
    interpreter = Interpreter(case, files=False)
    with refusals():
        reply = interpreter.answer(line)
        if reply.kind is ReplyKind.DOUBTED and sure:
            reply = interpreter.answer(interpreter.word("keep"))
    after = state_of(case)
    return AnsweredLine(_text(after), case_view(case), reply_view(reply), after != before)


def complete(state: str, line: str) -> list[tuple[str, str]]:
    """How a line may go on: a word, and the line with it; the first few."""
    found = Interpreter(_case(state), files=False).complete(line)
    return [(one.word, one.line) for one in found[:_OFFERED]]


def download(state: str, ending: str, part: int) -> bytes:
    """A file of a case; raises :class:`Refusal`."""
    with refusals():
        return export_bytes(_case(state), ending)[part]


def _case(state: str) -> Case:
    return case_of(json.loads(state), shipped_board)


def _text(state: dict[str, Any]) -> str:
    return json.dumps(state, ensure_ascii=False)


@contextmanager
def refusals() -> Iterator[None]:
    """Tell an error of ours inside the ``with`` as a refusal."""
    try:
        yield
    except CluedoError as error:
        raise Refusal(as_sentence(tr(error))) from None
