"""A case as JSON, as the server keeps it and a browser may bring it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from pydantic import BaseModel, Field, StrictInt, StrictStr, ValidationError

from cluedo.ai.knowledge import Model, model_named, read_case_log
from cluedo.ai.knowledge.case_checks import CaseLogError
from cluedo.ai.knowledge.caselog import CaseLog
from cluedo.engine.entries import Entry
from cluedo.engine.entry_codec import EntryForm, read_entry
from cluedo.session.boards import shipped_board
from cluedo.session.case.case import MOST_ENTRIES, Case, Memory

__all__ = ["CaseState"]

_MOST_STEPS: Final = 60
"""Changes that can be taken back after the case was put away."""

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
