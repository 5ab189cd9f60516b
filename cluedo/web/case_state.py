"""A case as plain data between two requests: pages keep no case in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from cluedo.ai.knowledge import MODELS, read_case_log
from cluedo.ai.knowledge.case_checks import CaseLogError
from cluedo.ai.knowledge.caselog import CaseLog
from cluedo.engine.board import Board
from cluedo.engine.entries import Entry
from cluedo.engine.entry_codec import EntryForm, read_entry
from cluedo.session.case.case import Case, Memory

__all__ = ["case_of", "state_of"]

_MOST_STEPS: Final = 60
"""Changes that can be taken back after the case was put away."""

_MOST_ENTRIES: Final = 500
"""Of a list to go back to."""

_Lists: TypeAlias = Annotated[
    tuple[Annotated[tuple[StrictInt, ...], Field(max_length=_MOST_ENTRIES)], ...], Field(max_length=_MOST_STEPS)
]


class _Remembered(BaseModel):
    """What a state holds beside the log; it may come from a stranger."""

    model_config = ConfigDict(frozen=True)

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
    memory = case.memory
    known: dict[Entry, int] = {}

    def numbered(lists: Sequence[Sequence[Entry]]) -> list[list[int]]:
        return [[known.setdefault(entry, len(known)) for entry in entries] for entries in lists[-_MOST_STEPS:]]

    undone, redone = numbered(memory.undone), numbered(memory.redone)
    return {
        "log": case.log.to_json(),
        "model": case.model.name,
        "placed": memory.placed,
        "known": case.setting.log(tuple(known)).to_json()["events"],
        "undone": undone,
        "redone": redone,
    }


def case_of(state: Mapping[str, Any], boards: Callable[[str], Board]) -> Case:
    """The case of :func:`state_of`; of a log alone (``{"log": …}``), the case of that. Raises CluedoError."""
    log = read_case_log(state["log"], boards)
    try:
        remembered = _Remembered.model_validate({name: value for name, value in state.items() if name != "log"})
        memory = _memory(remembered, log)
        model = MODELS[remembered.model]
    except (ValidationError, LookupError):
        raise CaseLogError("what the case remembers beside its entries cannot be read") from None
    return Case(log.setting, log.entries, model=model, memory=memory)


def _memory(remembered: _Remembered, log: CaseLog) -> Memory:
    """What is remembered beside the entries; raises CluedoError or LookupError where that cannot be."""
    setting = log.setting
    known = dict(enumerate(read_entry(form, setting.names, setting.deck) for form in remembered.known))

    def listed(lists: Sequence[Sequence[int]]) -> tuple[tuple[Entry, ...], ...]:
        return tuple(tuple(known[number] for number in numbers) for numbers in lists)

    placed = remembered.placed
    if placed is not None and not (placed[0] >= 0 and 0 <= (placed[1] or 0) < setting.board.places):
        raise LookupError(placed)
    return Memory(placed, listed(remembered.undone), listed(remembered.redone))
