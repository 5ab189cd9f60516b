"""Commands and events as JSON, each way: in game records, in case logs, and in messages of programs and pages.

The forms are what stands in a file, checked field by field; names become ids as soon as the deck or the board is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from cluedo.engine.board import Board
from cluedo.engine.cards import Deck, closest
from cluedo.engine.commands import KINDS, Command
from cluedo.engine.entries import UNNOTED, Entry
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
    "EntryForm",
    "EventForm",
    "Names",
    "Seat",
    "command_json",
    "command_of",
    "entry_json",
    "event_json",
    "place_json",
    "read_command",
    "read_entry",
    "read_event",
    "seat_of",
]

Seat: TypeAlias = Annotated[int, Field(ge=0)]
Names: TypeAlias = tuple[str, str, str]
"""A suspect, a weapon and a room."""


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def place_json(place: int, board: Board) -> str | list[int]:
    """A place as it stands in a file: a room's name, or ``[x, y]``."""
    node = board.node(place)
    return node if isinstance(node, str) else list(node)


# ---- commands ----------------------------------------------------------------------------------------


def _place(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """In one sentence: pydantic tells of each kind of place why it is not that one."""
    try:
        return check(value)
    except ValidationError:
        raise Faults(Phrase("must be the name of a room, or a square as [x, y]")) from None


_Text = Annotated[StrictStr, Field(max_length=100)]
_Number = Annotated[StrictInt, Field(gt=-(10**9), lt=10**9)]
"""Longer ones name nothing of ours, and would be quoted in every fault of a game."""


class CommandForm(BaseModel):
    """A command as somebody else has written it; what is not known is ignored, for a later version may say more."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    type: _Text
    to: Annotated[_Text | tuple[_Number, _Number], WrapValidator(_place)] | None = None
    card: _Text | None = None
    position: _Number | None = None
    cards: tuple[_Text, _Text, _Text] | None = None


_KIND_OF: Final[dict[str, type[Any]]] = {kind.word: kind for kind in KINDS}


class _Detail(NamedTuple):
    """How the detail of a command is written, and what its command is made of when it is read."""

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
    """The command that somebody else has written; raises :class:`CluedoError` that says what is wrong."""
    try:
        form = CommandForm.model_validate(value)
    except ValidationError as error:
        raise CluedoError("{wrong}", wrong=sentence(error)) from None
    return command_of(form, board)


def command_of(form: CommandForm | EventForm, board: Board) -> Command:
    """The command that a checked form stands for: one itself, or the event that came of it.

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
    """A card shown to the asker; left out for whoever did not see it."""

    type: Literal["show"]
    seat: Seat
    card: str | None = None


class PeekForm(_Form):
    """A look at the card at a position of the pool, from 0; the card is left out for whoever did not see it."""

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


def event_json(event: Event, board: Board) -> dict[str, Any]:
    """An event as it stands in a record, or as a bot is told of it: a card that was not seen is left out."""
    names = board.deck.names
    match event:
        case Rolled():
            return {"type": "roll", "seat": event.seat, "dice": list(event.dice)}
        case Moved():
            return {"type": "move", "seat": event.seat, "to": place_json(event.to, board)}
        case PassageTaken():
            return {"type": "secret_passage", "seat": event.seat, "to": board.node(event.to)}
        case Stayed():
            return {"type": "stay", "seat": event.seat}
        case HypothesisMade():
            return {"type": "hypothesis", "seat": event.seat, "cards": [names[card] for card in event.cards]}
        case Passed():
            return {"type": "pass", "seat": event.seat}
        case Shown():
            shown: dict[str, Any] = {"type": "show", "seat": event.seat}
            return shown if event.card is None else shown | {"card": names[event.card]}
        case Peeked():
            peeked: dict[str, Any] = {"type": "peek", "seat": event.seat, "position": event.position}
            return peeked if event.card is None else peeked | {"card": names[event.card]}
        case HandShown():
            return {"type": "hand", "seat": event.seat, "cards": [names[card] for card in event.cards]}
        case Accused():
            cards = [names[card] for card in event.cards]
            return {"type": "accusation", "seat": event.seat, "cards": cards, "correct": event.correct}
        case TurnEnded():
            return {"type": "end_turn", "seat": event.seat}


def read_event(form: EventForm, board: Board, active: int) -> Event:
    """The event of a record's entry; ``active`` is the seat whose turn it is, which is shown what is shown.

    Raises:
        CluedoError: a card or a place that the board does not have.
    """
    seat, deck = form.seat, board.deck
    match form:
        case RollForm():
            return Rolled(seat, form.dice)
        case MoveForm():
            return Moved(seat, board.place(form.to))
        case PassageForm():
            return PassageTaken(seat, board.place(form.to))
        case HypothesisForm():
            return HypothesisMade(seat, *deck.triple(form.cards))
        case ShowForm():
            return Shown(seat, active, None if form.card is None else deck.id(form.card))
        case PeekForm():
            return Peeked(seat, form.position, None if form.card is None else deck.id(form.card))
        case HandForm():
            return HandShown(seat, tuple([deck.id(name) for name in form.cards]))
        case AccusationForm():
            return Accused(seat, *deck.triple(form.cards), form.correct)
        case PlainForm(type="stay"):
            return Stayed(seat)
        case PlainForm(type="pass"):
            return Passed(seat)
        case PlainForm():
            return TurnEnded(seat)


# ---- case logs: an entry each, its seats by name -----------------------------------------------------


StrictNames: TypeAlias = tuple[StrictStr, StrictStr, StrictStr]


class HypothesisLine(_Form):
    """A hypothesis and who refuted it, perhaps with which card; a list of all who did, where everybody answers."""

    by: StrictStr
    hypothesis: StrictNames
    refuted_by: StrictStr | tuple[StrictStr, ...] | None
    card: StrictStr | None = None
    cards: dict[StrictStr, StrictStr] | None = None


class AccusationLine(_Form):
    """An accusation and its verdict."""

    by: StrictStr
    accusation: StrictNames
    correct: StrictBool


class PeekLine(_Form):
    """A look into the pool: at which position, from 0, if that was noted; and the card, where it was seen."""

    by: StrictStr
    peek: Annotated[StrictInt, Field(ge=0)] | None
    card: StrictStr | None = None


class HandLine(_Form):
    """A hand that is laid open."""

    by: StrictStr
    hand: tuple[StrictStr, ...]


Line: TypeAlias = HypothesisLine | AccusationLine | PeekLine | HandLine


def _kind(entry: object) -> str:
    keys = entry if isinstance(entry, Mapping) else ()
    return next((kind for kind in ("accusation", "peek", "hand") if kind in keys), "hypothesis")


EntryForm: TypeAlias = Annotated[
    Annotated[HypothesisLine, Tag("hypothesis")]
    | Annotated[AccusationLine, Tag("accusation")]
    | Annotated[PeekLine, Tag("peek")]
    | Annotated[HandLine, Tag("hand")],
    Discriminator(_kind),
]


def entry_json(entry: Entry, names: Sequence[str], deck: Deck) -> dict[str, Any]:
    """An entry as it stands in a case log; ``names`` are those of the seats."""
    line: dict[str, Any] = {"by": names[entry.by]}
    card = {} if entry.card is None else {"card": deck.names[entry.card]}
    three = [deck.names[named] for named in entry.cards]
    match entry.head:
        case Accused(correct=correct):
            return line | {"accusation": three, "correct": correct}
        case Peeked(_, position, seen):
            line["peek"] = None if position == UNNOTED else position
            return line if seen is None else line | {"card": deck.names[seen]}
        case HandShown(_, cards):
            return line | {"hand": [deck.names[shown] for shown in cards]}
        case HypothesisMade() if entry.shown is None or entry.shows == entry.answers[-1:]:
            refuter = None if entry.refuter is None else names[entry.refuter]
            return line | {"hypothesis": three, "refuted_by": refuter} | card
    refuters = [names[shown.seat] for shown in entry.shows]
    seen_cards = {names[shown.seat]: deck.names[shown.card] for shown in entry.shows if shown.card is not None}
    line |= {"hypothesis": three, "refuted_by": refuters}
    return line | {"cards": seen_cards} if seen_cards else line


def read_entry(form: Line, names: Sequence[str], deck: Deck) -> Entry:
    """The entry of a case log's event; ``names`` are those of the seats.

    Raises:
        CluedoError: a name that is not known, or an answer that nobody can give.
    """
    by = seat_of(form.by, names)
    match form:
        case AccusationLine():
            return Entry.accusation(by, deck.triple(form.accusation), form.correct)
        case PeekLine():
            position = UNNOTED if form.peek is None else form.peek
            return Entry.peek(by, position, None if form.card is None else deck.id(form.card))
        case HandLine():
            return Entry.hand(by, [deck.id(name) for name in form.hand])
    cards = deck.triple(form.hypothesis)
    if isinstance(form.refuted_by, tuple):
        return _answered_by_all(form, form.refuted_by, names, deck)
    if form.cards is not None:
        raise CluedoError("cards stands only where refuted_by is a list; one card is written as card")
    refuter = None if form.refuted_by is None else seat_of(form.refuted_by, names)
    if refuter == by:
        raise CluedoError("{by} cannot refute their own hypothesis", by=form.by)
    if form.card is None:
        return Entry.hypothesis(len(names), by, cards, refuter)
    card = deck.id(form.card)
    if refuter is None:
        raise CluedoError("nobody refuted, so {card!r} was not shown", card=form.card)
    return Entry.hypothesis(len(names), by, cards, refuter, card)


def _answered_by_all(form: HypothesisLine, refuters: Sequence[str], names: Sequence[str], deck: Deck) -> Entry:
    """A hypothesis whose refuters are a list, with the cards that were seen by name."""
    if form.card is not None:
        raise CluedoError("card stands only where refuted_by is one name; of a list, the cards are written as cards")
    by = seat_of(form.by, names)
    shows: dict[int, int | None] = {seat_of(name, names): None for name in refuters}
    if by in shows:
        raise CluedoError("{by} cannot refute their own hypothesis", by=form.by)
    for name, card in (form.cards or {}).items():
        seat = seat_of(name, names)
        if seat not in shows:
            raise CluedoError("{name} did not refute, so {card!r} was not shown", name=name, card=card)
        shows[seat] = deck.id(card)
    return Entry.answered_by_all(len(names), by, deck.triple(form.hypothesis), shows)


def seat_of(name: str, names: Sequence[str]) -> int:
    """The seat of the player called so; raises :class:`CluedoError`, with the nearest name."""
    if name not in names:
        raise CluedoError("nobody at the table is called {name!r}; {closest}", name=name, closest=closest(name, names))
    return names.index(name)
