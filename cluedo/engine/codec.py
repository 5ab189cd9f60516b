"""Commands and events as JSON, each way: in game records, and in messages of programs and pages.

The forms are what stands in a file, checked field by field; names become ids as soon as the deck or the board is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    StrictStr,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from cluedo.engine.board import Board
from cluedo.engine.cards import closest
from cluedo.engine.commands import KINDS, Command
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import (
    Accused,
    Event,
    HandShown,
    HypothesisMade,
    Moved,
    PassageTaken,
    Passed,
    Peeked,
    Rolled,
    Shown,
    Stayed,
    TurnEnded,
)
from cluedo.engine.faults import Faults, sentence
from cluedo.engine.phrase import Phrase

__all__ = [
    "EventForm",
    "Names",
    "Seat",
    "command_json",
    "command_of",
    "event_json",
    "place_json",
    "place_of",
    "read_command",
    "read_event",
]

Seat: TypeAlias = Annotated[int, Field(ge=0)]
Names: TypeAlias = tuple[str, str, str]
"""A suspect, a weapon and a room."""


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


@lru_cache(maxsize=16)
def _places_json(board: Board) -> dict[int, str | list[int]]:
    nodes = {place: board.node(place) for place in range(board.places)}
    return {place: node if isinstance(node, str) else list(node) for place, node in nodes.items()}


def place_json(place: int, board: Board) -> str | list[int]:
    """A place as it stands in a file: a room's name, or ``[x, y]``."""
    return _places_json(board)[place]


@lru_cache(maxsize=16)
def _place_of(board: Board) -> dict[str | tuple[int, int], int]:
    return {board.node(place): place for place in range(board.places)}


def place_of(written: str | list[int], board: Board) -> int:
    """The place that :func:`place_json` has written."""
    places = _place_of(board)
    return places[written] if isinstance(written, str) else places[written[0], written[1]]


# ---- commands ----------------------------------------------------------------------------------------


def _place(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """Check a place, with one sentence for an error; pydantic alone would give one for each kind of place."""
    try:
        return check(value)
    except ValidationError:
        raise Faults(Phrase("must be the name of a room, or a square as [x, y]")) from None


_Text = Annotated[StrictStr, Field(max_length=100)]
_Number = Annotated[StrictInt, Field(gt=-(10**9), lt=10**9)]
"""Longer ones name nothing of ours, and would be quoted in every fault of a game."""


class CommandForm(BaseModel):
    """A command as JSON, from a program or a page; unknown fields are ignored, since a later version may send more."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    type: _Text
    to: Annotated[_Text | tuple[_Number, _Number], WrapValidator(_place)] | None = None
    card: _Text | None = None
    position: _Number | None = None
    cards: tuple[_Text, _Text, _Text] | None = None


_KIND_OF: Final[dict[str, type[Any]]] = {kind.word: kind for kind in KINDS}


class _Detail(NamedTuple):
    """How the detail of a kind of command is written and read."""

    written: Callable[[Any, Board], Any]
    read: Callable[[Any, Board], tuple[Any, ...]]


_DETAILS: Final = {
    "to": _Detail(place_json, lambda node, board: (board.place(node),)),
    "card": _Detail(lambda card, board: board.deck.names[card], lambda name, board: (board.deck.id(name),)),
    "cards": _Detail(
        lambda cards, board: [board.deck.names[card] for card in cards],
        lambda names, board: board.deck.triple(names),
    ),
    "position": _Detail(lambda position, _: position, lambda position, _: (position,)),
}


def command_json(command: Command, board: Board) -> dict[str, Any]:
    """A command by its word, with the names of the cards or the place in it, which have to be the board's."""
    detail = command.detail
    if detail is None:
        return {"type": command.word}
    return {"type": command.word, detail: _DETAILS[detail].written(getattr(command, detail), board)}


def read_command(value: object, board: Board) -> Command:
    """Read a command from JSON; raises :class:`CluedoError` that says what is wrong."""
    try:
        form = CommandForm.model_validate(value)
    except ValidationError as error:
        raise CluedoError("{wrong}", wrong=sentence(error)) from None
    return command_of(form, board)


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


# ---- game records: an event each, its seat by number -------------------------------------------------


class RollForm(_Form):
    """A throw of the dice."""

    type: Literal["roll"]
    seat: Seat
    dice: tuple[int, ...]


class MoveForm(_Form):
    """A walk to a square ``[x, y]``, or into a room by its name."""

    type: Literal["move"]
    seat: Seat
    to: tuple[int, int] | str


class PassageForm(_Form):
    """A way through a secret passage."""

    type: Literal["secret_passage"]
    seat: Seat
    to: str


class PlainForm(_Form):
    """An event with no details but its seat."""

    type: Literal["stay", "pass", "end_turn"]
    seat: Seat


class HypothesisForm(_Form):
    """A hypothesis: suspect, weapon, room."""

    type: Literal["hypothesis"]
    seat: Seat
    cards: Names


class ShowForm(_Form):
    """A card shown to the asker; the card is left out for everybody who did not see it."""

    type: Literal["show"]
    seat: Seat
    card: str | None = None


class PeekForm(_Form):
    """A look at the card at a position of the pool, from 0; the card is left out for everybody who did not see it."""

    type: Literal["peek"]
    seat: Seat
    position: Annotated[int, Field(ge=0)]
    card: str | None = None


class AccusationForm(_Form):
    """An accusation, and whether it was right."""

    type: Literal["accusation"]
    seat: Seat
    cards: Names
    correct: bool


class HandForm(_Form):
    """A hand that is laid open."""

    type: Literal["hand"]
    seat: Seat
    cards: tuple[str, ...]


EventForm: TypeAlias = Annotated[
    RollForm | MoveForm | PassageForm | PlainForm | HypothesisForm | ShowForm | PeekForm | AccusationForm | HandForm,
    Field(discriminator="type"),
]


def _names(cards: Sequence[int], board: Board) -> list[str]:
    names = board.deck.names
    return [names[card] for card in cards]


def _ids(names: Sequence[str], board: Board) -> list[int]:
    return [board.deck.id(name) for name in names]


def _seen_card(event: Shown | Peeked, board: Board) -> dict[str, str]:
    """The card of an event, left out where it was not seen."""
    return {} if event.card is None else {"card": board.deck.names[event.card]}


def _seen_id(entry: Mapping[str, Any], board: Board) -> int | None:
    return board.deck.id(entry["card"]) if "card" in entry else None


class _EventRow(NamedTuple):
    """A kind of event: its word in JSON, and how its fields beside the seat are written and read.

    Reading takes the entry, the board and the seat whose turn it is, which is shown what is shown.
    """

    word: str
    kind: type[Event]
    written: Callable[[Any, Board], dict[str, Any]]
    read: Callable[[Mapping[str, Any], Board, int], Event]


_EVENTS: Final = (
    _EventRow(
        "roll",
        Rolled,
        lambda event, _: {"dice": list(event.dice)},
        lambda entry, *_: Rolled(entry["seat"], tuple(entry["dice"])),
    ),
    _EventRow(
        "move",
        Moved,
        lambda event, board: {"to": place_json(event.to, board)},
        lambda entry, board, _: Moved(entry["seat"], place_of(entry["to"], board)),
    ),
    _EventRow(
        "secret_passage",
        PassageTaken,
        lambda event, board: {"to": place_json(event.to, board)},
        lambda entry, board, _: PassageTaken(entry["seat"], place_of(entry["to"], board)),
    ),
    _EventRow("stay", Stayed, lambda *_: {}, lambda entry, *_: Stayed(entry["seat"])),
    _EventRow(
        "hypothesis",
        HypothesisMade,
        lambda event, board: {"cards": _names(event.cards, board)},
        lambda entry, board, _: HypothesisMade(entry["seat"], *_ids(entry["cards"], board)),
    ),
    _EventRow("pass", Passed, lambda *_: {}, lambda entry, *_: Passed(entry["seat"])),
    _EventRow(
        "show", Shown, _seen_card, lambda entry, board, active: Shown(entry["seat"], active, _seen_id(entry, board))
    ),
    _EventRow(
        "peek",
        Peeked,
        lambda event, board: {"position": event.position, **_seen_card(event, board)},
        lambda entry, board, _: Peeked(entry["seat"], entry["position"], _seen_id(entry, board)),
    ),
    _EventRow(
        "hand",
        HandShown,
        lambda event, board: {"cards": _names(event.cards, board)},
        lambda entry, board, _: HandShown(entry["seat"], tuple(_ids(entry["cards"], board))),
    ),
    _EventRow(
        "accusation",
        Accused,
        lambda event, board: {"cards": _names(event.cards, board), "correct": event.correct},
        lambda entry, board, _: Accused(entry["seat"], *board.deck.triple(entry["cards"]), entry["correct"]),
    ),
    _EventRow("end_turn", TurnEnded, lambda *_: {}, lambda entry, *_: TurnEnded(entry["seat"])),
)
_ROW_OF: Final = {row.kind: row for row in _EVENTS}
_READERS: Final = {row.word: row.read for row in _EVENTS}


def event_json(event: Event, board: Board) -> dict[str, Any]:
    """An event as it stands in a record, or as a bot is told of it: a card that was not seen is left out."""
    row = _ROW_OF[type(event)]
    return {"type": row.word, "seat": event.seat, **row.written(event, board)}


def read_event(entry: Mapping[str, Any], board: Board, active: int) -> Event:
    """Read an event that :func:`event_json` has written, without checks; a card is shown to the seat ``active``."""
    return _READERS[entry["type"]](entry, board, active)
