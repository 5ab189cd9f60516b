"""Entries of a case log as JSON, each way: a hypothesis with its answers, seats by name.

The forms are what stands in a file, checked field by field; names become ids as soon as the deck is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import Discriminator, Field, StrictBool, StrictInt, StrictStr, Tag

from cluedo.engine.cards import Deck, closest
from cluedo.engine.entries import UNNOTED, Entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Peeked
from cluedo.engine.validation import FileForm

__all__ = ["EntryForm", "entry_json", "named_twice", "read_entry", "seat_of"]


StrictNames: TypeAlias = tuple[StrictStr, StrictStr, StrictStr]


class HypothesisEntryForm(FileForm):
    """A hypothesis and who refuted it, perhaps with which card; a list of all who did, where everybody answers."""

    by: StrictStr
    hypothesis: StrictNames
    refuted_by: StrictStr | tuple[StrictStr, ...] | None
    card: StrictStr | None = None
    cards: dict[StrictStr, StrictStr] | None = None


class AccusationEntryForm(FileForm):
    """An accusation and its verdict."""

    by: StrictStr
    accusation: StrictNames
    correct: StrictBool


class PeekEntryForm(FileForm):
    """A look into the pool: at which position, from 0, if that was noted; and the card, where it was seen."""

    by: StrictStr
    peek: Annotated[StrictInt, Field(ge=0)] | None
    card: StrictStr | None = None


class HandEntryForm(FileForm):
    """A hand that is laid open."""

    by: StrictStr
    hand: tuple[StrictStr, ...]


def _kind(entry: object) -> str:
    keys = entry if isinstance(entry, Mapping) else ()
    return next((kind for kind in ("accusation", "peek", "hand") if kind in keys), "hypothesis")


EntryForm: TypeAlias = Annotated[
    Annotated[HypothesisEntryForm, Tag("hypothesis")]
    | Annotated[AccusationEntryForm, Tag("accusation")]
    | Annotated[PeekEntryForm, Tag("peek")]
    | Annotated[HandEntryForm, Tag("hand")],
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


def read_entry(form: EntryForm, names: Sequence[str], deck: Deck) -> Entry:
    """The entry of a case log's event; ``names`` are those of the seats.

    Raises:
        CluedoError: a name that is not known, or an answer that nobody can give.
    """
    by = seat_of(form.by, names)
    match form:
        case AccusationEntryForm():
            return Entry.accusation(by, deck.triple(form.accusation), form.correct)
        case PeekEntryForm():
            position = UNNOTED if form.peek is None else form.peek
            return Entry.peek(by, position, None if form.card is None else deck.id(form.card))
        case HandEntryForm():
            if (twice := named_twice(form.hand)) is not None:
                raise CluedoError("the hand has {name!r} twice", name=twice)
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


def _answered_by_all(form: HypothesisEntryForm, refuters: Sequence[str], names: Sequence[str], deck: Deck) -> Entry:
    """A hypothesis whose refuters are a list, with the cards that were seen by name."""
    if form.card is not None:
        raise CluedoError("card stands only where refuted_by is one name; of a list, the cards are written as cards")
    by = seat_of(form.by, names)
    if (twice := named_twice(refuters)) is not None:
        raise CluedoError("refuted_by has {name!r} twice", name=twice)
    shows: dict[int, int | None] = {seat_of(name, names): None for name in refuters}
    if by in shows:
        raise CluedoError("{by} cannot refute their own hypothesis", by=form.by)
    for name, card in (form.cards or {}).items():
        seat = seat_of(name, names)
        if seat not in shows:
            raise CluedoError("{name} did not refute, so {card!r} was not shown", name=name, card=card)
        shows[seat] = deck.id(card)
    return Entry.answered_by_all(len(names), by, deck.triple(form.hypothesis), shows)


def named_twice(names: Sequence[str]) -> str | None:
    """The first of some names that stands there more than once."""
    return next((name for name in names if names.count(name) > 1), None)


def seat_of(name: str, names: Sequence[str]) -> int:
    """The seat of the player called so; raises :class:`CluedoError`, with the nearest name."""
    if name not in names:
        raise CluedoError(
            "nobody at the table is called {name!r}; {closest}", name=name, closest=closest(str(name), names)
        )
    return names.index(name)
