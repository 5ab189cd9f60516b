"""Commands and events as JSON, each way: in game records, and in messages of programs and pages.

The forms are what stands in a file, checked field by field; names become ids as soon as the deck or the board is known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictInt,
    StrictStr,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from cluedo.engine import events
from cluedo.engine.board import Board
from cluedo.engine.cards import closest
from cluedo.engine.commands import COMMANDS, Command
from cluedo.engine.errors import CluedoError, safe_repr
from cluedo.engine.events import Event
from cluedo.engine.validation import FileForm, InvalidForm, validated

__all__ = [
    "EventForm",
    "Names",
    "Seat",
    "WireInt",
    "command_json",
    "command_of",
    "command_text",
    "event_json",
    "place_json",
    "places_json",
    "read_command",
    "read_event",
]

Seat: TypeAlias = Annotated[int, Field(ge=0)]
Names: TypeAlias = tuple[str, str, str]
"""A suspect, a weapon and a room."""


@lru_cache(maxsize=16)
def places_json(board: Board) -> dict[int, str | list[int]]:
    """Every place as it stands in a file: a room's name, or ``[x, y]``."""
    nodes = {place: board.node(place) for place in range(board.places)}
    return {place: node if isinstance(node, str) else list(node) for place, node in nodes.items()}


def place_json(place: int, board: Board) -> str | list[int]:
    """A place as it stands in a file."""
    return places_json(board)[place]


def _names(cards: Sequence[int], board: Board) -> list[str]:
    names = board.deck.names
    return [names[card] for card in cards]


# ---- commands ----------------------------------------------------------------------------------------


def _place(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """Check a place, with one sentence for an error; pydantic alone would give one for each kind of place."""
    try:
        return check(value)
    except ValidationError:
        raise InvalidForm("must be the name of a room, or a square as [x, y]") from None


_Text = Annotated[StrictStr, Field(max_length=100)]


def _without_point(value: Any) -> Any:
    return int(value) if type(value) is float and value.is_integer() else value


WireInt = Annotated[StrictInt, Field(gt=-(10**9), lt=10**9), BeforeValidator(_without_point)]
"""A whole number from a program, which may write it 7.0, as many do that read numbers of any kind.

Longer ones name nothing of ours, and would be quoted in every fault of a game.
"""


class CommandForm(BaseModel):
    """A command as JSON, from a program or a page; unknown fields are ignored, since a later version may send more."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    type: _Text
    to: Annotated[_Text | tuple[WireInt, WireInt], WrapValidator(_place)] | None = None
    card: _Text | None = None
    position: WireInt | None = None
    cards: tuple[_Text, _Text, _Text] | None = None


_KIND_OF: Final[dict[str, type[Any]]] = {kind.word: kind for kind in COMMANDS}


class _Detail(NamedTuple):
    """How a detail of commands and events is written, and the arguments that it becomes when it is read."""

    written: Callable[[Any, Board], Any]
    read: Callable[[Any, Board], Sequence[Any]]


_DETAILS: Final = {
    "to": _Detail(place_json, lambda node, board: (board.place(node),)),
    "card": _Detail(lambda card, board: board.deck.names[card], lambda name, board: (board.deck.id(name),)),
    "cards": _Detail(_names, lambda names, board: board.deck.triple(names)),
    "position": _Detail(lambda position, _: position, lambda position, _: (position,)),
    "dice": _Detail(lambda dice, _: list(dice), lambda dice, _: (tuple(dice),)),
    "correct": _Detail(lambda correct, _: correct, lambda correct, _: (correct,)),
}


def command_json(command: Command, board: Board) -> dict[str, Any]:
    """A command by its word, with the names of the cards or the place in it, which have to be the board's."""
    detail = command.detail
    if detail is None:
        return {"type": command.word}
    return {"type": command.word, detail: _DETAILS[detail].written(getattr(command, detail), board)}


def read_command(value: object, board: Board) -> Command:
    """Read a command from JSON; raises :class:`CluedoError` that says what is wrong."""
    return command_of(validated(CommandForm, value), board)


def command_of(form: CommandForm | EventForm, board: Board) -> Command:
    """The command of a checked form, which is that of a command or of the event that the command caused.

    Raises:
        CluedoError: no command is called so, its detail is missing, or the board has no such card or place.
    """
    kind = _KIND_OF.get(form.type)
    if kind is None:
        raise CluedoError("{word!r} is no command; {closest}", word=form.type, closest=closest(form.type, _KIND_OF))
    command: Command
    if kind.detail is None:
        command = kind()
    else:
        detail = getattr(form, kind.detail)
        if detail is None:
            raise CluedoError("{name} is missing", name=kind.detail)
        command = kind(*_DETAILS[kind.detail].read(detail, board))
    return command


def command_text(command: Command, board: Board) -> str:
    """A command in a message: its JSON, as a bot writes it, or its ``repr`` where it names nothing of the board."""
    with suppress(Exception):  # a class may answer with any id, or with a command that was made by tricks
        written = command_json(command, board)
        if read_command(written, board) == command:
            return json.dumps(written, ensure_ascii=False)
    return safe_repr(command)


# ---- game records: an event each, its seat by number -------------------------------------------------


class _SeatForm(FileForm):
    type: str
    seat: Seat


class RollForm(_SeatForm):
    """A throw of the dice."""

    type: Literal["roll"]
    dice: tuple[int, ...]


class MoveForm(_SeatForm):
    """A walk to a square ``[x, y]``, or into a room by its name."""

    type: Literal["move"]
    to: tuple[int, int] | str


class PassageForm(_SeatForm):
    """A way through a secret passage."""

    type: Literal["secret_passage"]
    to: str


class PlainForm(_SeatForm):
    """An event with no details but its seat."""

    type: Literal["stay", "pass", "end_turn"]


class HypothesisForm(_SeatForm):
    """A hypothesis: suspect, weapon, room."""

    type: Literal["hypothesis"]
    cards: Names


class ShowForm(_SeatForm):
    """A card shown to the asker; the card is left out for everybody who did not see it."""

    type: Literal["show"]
    card: str | None = None


class PeekForm(_SeatForm):
    """A look at the card at a position of the pool, from 0; the card is left out for everybody who did not see it."""

    type: Literal["peek"]
    position: Annotated[int, Field(ge=0)]
    card: str | None = None


class AccusationForm(_SeatForm):
    """An accusation, and whether it was right."""

    type: Literal["accusation"]
    cards: Names
    correct: bool


class HandForm(_SeatForm):
    """A hand that is laid open."""

    type: Literal["hand"]
    cards: tuple[str, ...]


EventForm: TypeAlias = Annotated[
    RollForm | MoveForm | PassageForm | PlainForm | HypothesisForm | ShowForm | PeekForm | AccusationForm | HandForm,
    Field(discriminator="type"),
]


_EVENTS: Final[dict[str, tuple[Callable[..., Event], tuple[str, ...]]]] = {
    "roll": (events.Rolled, ("dice",)),
    "move": (events.Moved, ("to",)),
    "secret_passage": (events.PassageTaken, ("to",)),
    "stay": (events.Stayed, ()),
    "hypothesis": (events.HypothesisMade, ("cards",)),
    "pass": (events.Passed, ()),
    "show": (events.Shown, ("card",)),
    "peek": (events.Peeked, ("position", "card")),
    "hand": (events.HandShown, ("cards",)),
    "accusation": (events.Accused, ("cards", "correct")),
    "end_turn": (events.TurnEnded, ()),
}
"""By its word, each kind of event and the details that it has beside its seat."""

_WORDS: Final = {kind: (word, details) for word, (kind, details) in _EVENTS.items()}


def event_json(event: Event, board: Board) -> dict[str, Any]:
    """An event as it stands in a record, or as a bot is told of it: a card that was not seen is left out."""
    word, details = _WORDS[type(event)]
    written = {"type": word, "seat": event.seat}
    for key in details:
        value = getattr(event, key)
        if value is not None:
            written[key] = _DETAILS[key].written(value, board)
    return written


def read_event(written: Mapping[str, Any], board: Board, active: int) -> Event:
    """Read an event that :func:`event_json` has written, without checks; a card is shown to the seat ``active``."""
    kind, details = _EVENTS[written["type"]]
    values = [written["seat"]]
    if kind is events.HandShown:
        return events.HandShown(written["seat"], tuple([board.deck.id(name) for name in written["cards"]]))
    if kind is events.Shown:
        values.append(active)
    for key in details:
        values += _DETAILS[key].read(written[key], board) if key in written else (None,)
    return kind(*values)
