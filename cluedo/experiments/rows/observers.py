"""The observers that are shipped, and how one is named: ``unrefuted``, or ``path/to/stat.py:Class``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from pydantic import ValidationError

from cluedo.ai.loading import class_in, file_of, somebodys_code
from cluedo.engine.cards import closest
from cluedo.engine.events import Event, HypothesisMade, Moved, PassageTaken, Shown
from cluedo.engine.game import Result
from cluedo.engine.phrase import Phrase
from cluedo.engine.validation import sentence
from cluedo.experiments.rows.observer import DealtGame, ObservedColumn, Observer, ObserverError, ObserverSpec
from cluedo.experiments.rows.result_rows import COLUMNS

__all__ = ["OBSERVERS", "OwnCards", "Rooms", "Unrefuted", "checked_columns", "columns_of", "parse_observer"]

_TAKEN: Final = frozenset(COLUMNS) | {"experiment", "filename", "place", "players"}
"""Names of columns that have a meaning already."""


class Unrefuted(Observer):
    """``unrefuted``: how many of a seat's hypotheses nobody refuted."""

    per_seat: ClassVar = {"unrefuted": int}

    def on_deal(self, game: DealtGame) -> None:
        self._unrefuted = [0] * game.table.seats

    def on_event(self, event: Event) -> None:
        if isinstance(event, HypothesisMade):
            self._unrefuted[event.seat] += 1
        elif isinstance(event, Shown):
            self._unrefuted[event.asker] -= 1

    def on_result(self, result: Result) -> Mapping[str, Any]:  # noqa: ARG002 - whatever it is
        return {"unrefuted": self._unrefuted}


class OwnCards(Observer):
    """``own_named``: how many cards of its own hand a seat names in a hypothesis, on average; NULL without any."""

    per_seat: ClassVar = {"own_named": float}

    def on_deal(self, game: DealtGame) -> None:
        self._hands = game.deal.hands
        self._named: list[list[int]] = [[] for _ in self._hands]

    def on_event(self, event: Event) -> None:
        if isinstance(event, HypothesisMade):
            hand = self._hands[event.seat]
            self._named[event.seat].append(sum(hand >> card & 1 for card in event.cards))

    def on_result(self, result: Result) -> Mapping[str, Any]:  # noqa: ARG002 - whatever it is
        return {"own_named": [sum(named) / len(named) if named else None for named in self._named]}


class Rooms(Observer):
    """``rooms_entered``: how often a seat's pawn walked into a room; ``passages``: how often it took a passage."""

    per_seat: ClassVar = {"rooms_entered": int, "passages": int}

    def on_deal(self, game: DealtGame) -> None:
        self._board = game.table.board
        self._entered = [0] * game.table.seats
        self._passages = [0] * game.table.seats

    def on_event(self, event: Event) -> None:
        if isinstance(event, Moved) and self._board.is_room(event.to):
            self._entered[event.seat] += 1
        elif isinstance(event, PassageTaken):
            self._passages[event.seat] += 1

    def on_result(self, result: Result) -> Mapping[str, Any]:  # noqa: ARG002 - whatever it is
        return {"rooms_entered": self._entered, "passages": self._passages}


OBSERVERS: Final[dict[str, type[Observer]]] = {"unrefuted": Unrefuted, "own_cards": OwnCards, "rooms": Rooms}
"""The shipped observers."""


def parse_observer(text: str) -> ObserverSpec:
    """An observer from its text; the file of one that is not shipped is run for it, here and now.

    Raises:
        CluedoError: in one sentence, if there is none such or it cannot be made.
    """
    path = file_of(text)
    if path is not None:
        kind: Any = class_in(path, text.strip().partition(".py:")[2], Observer)
    elif text in OBSERVERS:
        kind = OBSERVERS[text]
    else:
        told = closest(text, OBSERVERS)
        raise ObserverError("no observer is called {text!r}; {told}; or path/to/stat.py:Class", text=text, told=told)
    with somebodys_code(Phrase("{what}: the observer cannot be made", what=text)):
        kind()
    return ObserverSpec(text, kind, _declared_columns(text, kind))


def columns_of(texts: Iterable[str]) -> tuple[ObservedColumn, ...]:
    """The columns of some observers, in order; raises :class:`CluedoError` as :func:`parse_observer` does."""
    return checked_columns([column for text in texts for column in parse_observer(text).columns])


def checked_columns(columns: Sequence[ObservedColumn]) -> tuple[ObservedColumn, ...]:
    """The columns; raises :class:`ObserverError` if two have one name, or one has a name that is taken."""
    seen = set(_TAKEN)
    for column in columns:
        if column.name in seen:
            raise ObserverError("there is a column {name!r} already; rename the observer's", name=column.name)
        seen.add(column.name)
    return tuple(columns)


def _declared_columns(text: str, kind: type[Observer]) -> tuple[ObservedColumn, ...]:
    try:
        columns = tuple(
            ObservedColumn.model_validate({"name": name, "per": per, "type": getattr(type_, "__name__", type_)})
            for per, types in (("seat", kind.per_seat), ("game", kind.per_game))
            for name, type_ in types.items()
        )
    except ValidationError as error:
        raise ObserverError("{text}: not a valid column: {sentence}", text=text, sentence=sentence(error)) from None
    except Exception:  # somebody's class: no mapping at all
        raise ObserverError(
            "{text}: per_seat and per_game are dicts, such as {example}", text=text, example="{'unrefuted': int}"
        ) from None
    if not columns:
        raise ObserverError(
            "{text}: it declares no columns; per_seat = {example} declares one",
            text=text,
            example="{'unrefuted': int}",
        )
    return columns
