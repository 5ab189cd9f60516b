"""A case as plain data between two questions, for a face that keeps no case in its memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pydantic import TypeAdapter

from cluedo.ai.knowledge import MODELS, read_case_log
from cluedo.engine.board import Board
from cluedo.engine.codec import EntryForm, read_entry
from cluedo.engine.entries import Entry
from cluedo.session.case.case import Case, Memory

__all__ = ["case_of", "state_of"]

_MOST_STEPS: Final = 60
"""Changes that can be taken back after the case was put away."""

_FORM: Final[TypeAdapter[EntryForm]] = TypeAdapter(EntryForm)


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
    setting = log.setting
    known = [read_entry(_FORM.validate_python(form), setting.names, setting.deck) for form in state.get("known", ())]

    def listed(lists: Sequence[Sequence[int]]) -> tuple[tuple[Entry, ...], ...]:
        return tuple(tuple(known[number] for number in numbers) for numbers in lists)

    placed = state.get("placed")
    memory = Memory(
        None if placed is None else (placed[0], placed[1]),
        listed(state.get("undone", ())),
        listed(state.get("redone", ())),
    )
    return Case(setting, log.entries, model=MODELS[state.get("model", "uniform")], memory=memory)
