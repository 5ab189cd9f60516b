"""The base class of observers: an observer is a statistic of games, as a small class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from numbers import Integral, Real
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from pydantic import Field

from cluedo.ai.match import where_raised
from cluedo.ai.watchdog import OutOfTime
from cluedo.engine.deal import Deal
from cluedo.engine.errors import CluedoError, safe_repr
from cluedo.engine.events import Event
from cluedo.engine.game import Game, Result
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import Table
from cluedo.engine.validation import FileForm
from cluedo.engine.view import PlayerView

if TYPE_CHECKING:  # the detective is slow to import, and few observers ask it
    from cluedo.ai.knowledge import SeatKnowledge

__all__ = [
    "DealtGame",
    "ObservedColumn",
    "ObservedSeat",
    "Observer",
    "ObserverError",
    "ObserverSpec",
    "UnfitValues",
    "Value",
    "Values",
]

Value: TypeAlias = int | float | bool | None
"""One cell of a column; None is NULL."""

Values: TypeAlias = dict[str, Value | list[Value]]
"""What is observed in one game, by column: a value, or a list of values by seat."""

_LARGEST: Final = 2**53
"""Whole numbers up to this are exact as floats, which carry them."""
GREATEST: Final = 1e100
"""Numbers up to this have sums and squares that floats hold, too."""


class ObserverError(CluedoError):
    """An observer that cannot be used, or that failed over a game."""


class UnfitValues(ValueError):
    """Values that do not fit the declared columns; the text says what would."""


class DealtGame(NamedTuple):
    """A game when the cards are dealt, all of them visible.

    Attributes:
        table: board, deck, rules, and what else everybody knows.
        deal: envelope, hands (masks of cards, by seat) and the seat that starts.
        levels: by seat, the text of the player.
    """

    table: Table
    deal: Deal
    levels: tuple[str, ...]


class ObservedSeat:
    """A seat at one moment of a game.

    Attributes:
        view: what the player of the seat is given at this moment.
    """

    def __init__(self, view: PlayerView):
        self.view = view
        self._known: SeatKnowledge | None = None

    @property
    def knowledge(self) -> SeatKnowledge:
        """All that follows from what the seat has seen, worked out when it is asked for; odds are of ``choice``."""
        if self._known is None:
            from cluedo.ai.knowledge import SeatKnowledge

            self._known = SeatKnowledge.of(self.view)
        self._known.read(self.view)
        return self._known


class Observer(ABC):
    """The base class of observers, which watch games and note a statistic of each.

    Subclass it, declare the columns, and give them in :meth:`on_result`. An observer is made anew for each
    game, and called when the game is over, so that it disturbs nobody: it is given the deal, each event in order,
    all cards open, and the result; and after each turn what every seat knows, if it has :meth:`on_turn`.

    Attributes:
        per_seat: by name, the type of each column that has a value for each seat of a game: int, float or bool.
        per_game: the same for columns that have one value for each game.
    """

    per_seat: ClassVar[Mapping[str, type]] = {}
    per_game: ClassVar[Mapping[str, type]] = {}

    def on_deal(self, game: DealtGame) -> None:  # noqa: B027 - not everybody cares
        """The cards are dealt, and nothing has happened yet."""

    def on_event(self, event: Event) -> None:  # noqa: B027 - not everybody cares
        """Something happened."""

    def on_turn(self, turn: int, seats: Sequence[ObservedSeat]) -> None:  # noqa: B027 - not everybody cares
        """A turn is over: what each seat sees and knows now.

        Args:
            turn: how many turns are over; 0 right after the deal.
            seats: by seat. In the end they do not know of a right accusation yet, which tells everybody everything.
        """

    @abstractmethod
    def on_result(self, result: Result) -> Mapping[str, Value | Sequence[Value]]:
        """The game is over: the value of each column, or the values by seat. None is NULL, and is left out of means."""


class ObservedColumn(FileForm):
    """A column that an observer adds to the results.

    Attributes:
        name: what it is called, in SQL too.
        per: what has a value of its own: each seat of a game, or each game.
        type: what the values are, if they are not NULL.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
    per: Literal["seat", "game"]
    type: Literal["int", "float", "bool"]

    @property
    def kind(self) -> str:
        """The type in DuckDB."""
        return {"int": "BIGINT", "float": "DOUBLE", "bool": "BOOLEAN"}[self.type]

    def plain(self, value: Any) -> Value:
        """A value as Python's own; raises :class:`UnfitValues` for one that does not fit the column."""
        if value is None:
            return None
        if self.type == "bool" and isinstance(value, bool | np.bool_):
            return bool(value)
        if self.type == "int" and isinstance(value, Integral) and abs(int(value)) <= _LARGEST:
            return int(value)
        if self.type == "float" and isinstance(value, Real):
            with suppress(OverflowError):
                number = float(value)  # first: numpy's small floats cannot hold the limit
                if abs(number) <= GREATEST:
                    return number
        what = {
            "int": f"a whole number from {-_LARGEST} to {_LARGEST}",
            "float": f"a number from {-GREATEST:g} to {GREATEST:g}",
            "bool": "True or False",
        }[self.type]
        raise UnfitValues(f"{self.name}: {what} or None is needed, not {safe_repr(value)}")


class ObserverSpec(NamedTuple):
    """How to make an observer; a new one is made for each game.

    Attributes:
        text: as it was written.
        make: its class.
        columns: what it notes.
    """

    text: str
    make: type[Observer]
    columns: tuple[ObservedColumn, ...]

    @property
    def watches_turns(self) -> bool:
        """Whether it has :meth:`Observer.on_turn`, where it may ask what each seat knows."""
        return self.make.on_turn is not Observer.on_turn

    def watch(self, dealt: DealtGame, game: Game) -> Values:
        """What an observer notes of a finished game; raises whatever it raises, and :class:`UnfitValues`."""
        observer = self.make()
        observer.on_deal(dealt)
        seen = _watch_turns(observer, game) if self.watches_turns else 0
        for event in game.events[seen:]:
            observer.on_event(event)
        assert game.result is not None
        return _plain_values(self.columns, observer.on_result(game.result), game.table.seats)

    def error_for(self, error: BaseException, where: str) -> ObserverError:
        """The error for an observer that failed in a game."""
        if isinstance(error, OutOfTime):
            what = Phrase("took longer than the think limit")
        elif isinstance(error, UnfitValues):
            what = Phrase("gave what it has not declared: {error}", error=str(error))
        else:
            what = Phrase("raised {error}", error=safe_repr(error))
        if line := where_raised(error):
            what = Phrase("{told} ({where})", told=what, where=line)
        return ObserverError("{observer}: {what}, over {where}", observer=self.text, what=what, where=where)


def _watch_turns(observer: Observer, game: Game) -> int:
    """Show an observer the events of each turn, then what the seats know; returns how many events it has seen."""
    from cluedo.ai.knowledge.seat_knowledge import after_each_turn

    seats: list[ObservedSeat] = []
    seen = 0
    for turn, position in enumerate(after_each_turn(game)):
        for event in position.events[seen:]:
            observer.on_event(event)
        seen = len(position.events)
        views = [position.view(seat) for seat in range(game.table.seats)]
        seats = seats or [ObservedSeat(view) for view in views]
        for seat, view in zip(seats, views, strict=True):
            seat.view = view
        observer.on_turn(turn, tuple(seats))
    return seen


def _plain_values(columns: Sequence[ObservedColumn], given: Any, seats: int) -> Values:
    """The values of some columns in a game of some seats, as plain data; raises :class:`UnfitValues`."""
    names = {column.name for column in columns}
    if not isinstance(given, Mapping) or set(given) != names:
        raise UnfitValues(f"a dict of {', '.join(sorted(names))} is needed, not {safe_repr(given)}")
    values: Values = {}
    for column in columns:
        value = given[column.name]
        if column.per == "game":
            values[column.name] = column.plain(value)
        elif isinstance(value, Sequence | np.ndarray) and not isinstance(value, str) and len(value) == seats:
            values[column.name] = [column.plain(one) for one in value]
        else:
            raise UnfitValues(f"{column.name}: {seats} values are needed, one for each seat, not {safe_repr(value)}")
    return values
