"""The entries of a person's notes, and their JSON: hypotheses, accusations, looks into the pool, open hands.

The forms are what stands in a file, checked field by field; names become ids as soon as the deck is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

from pydantic import Discriminator, Field, StrictBool, StrictInt, StrictStr, Tag

from cluedo.engine.cards import Deck, Triple, closest, normalised
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, Event, HandShown, HypothesisMade, Passed, Peeked, Shown
from cluedo.engine.state import Table
from cluedo.engine.validation import FileForm

__all__ = ["UNNOTED", "Entry", "EntryForm", "entries_of", "entry_json", "named_twice", "read_entry", "seat_of"]

UNNOTED: Final = -1
"""The position of a look into the pool, where nobody has noted which card it was."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: the events of a hypothesis with its answers, of an accusation, of a look, or of an open hand.

    Make one by :meth:`hypothesis`, :meth:`accusation`, :meth:`peek` or :meth:`hand`, or from a game's events by
    :func:`entries_of`.

    Attributes:
        head: the hypothesis, the accusation, the look into the pool, or the hand laid open.
        answers: who passed, in turn, and who showed a card.
    """

    head: HypothesisMade | Accused | Peeked | HandShown
    answers: tuple[Passed | Shown, ...] = ()

    @classmethod
    def hypothesis(
        cls, seats: int, by: int, cards: Triple, shows: Mapping[int, int | None], *, everybody: bool = False
    ) -> Entry:
        """A hypothesis at a table of ``seats`` players; ``shows``: who showed a card, and which, where that was seen.

        Of the others pass, clockwise, those before the first who shows; or all, where ``everybody`` answers (rule 19).
        """
        answers: list[Passed | Shown] = []
        for step in range(1, seats):
            seat = (by + step) % seats
            answers.append(Shown(seat, by, shows[seat]) if seat in shows else Passed(seat))
            if seat in shows and not everybody:
                break
        return cls(HypothesisMade(by, *cards), tuple(answers))

    @classmethod
    def accusation(cls, by: int, cards: Triple, correct: bool) -> Entry:
        """An accusation and its verdict."""
        return cls(Accused(by, *cards, correct))

    @classmethod
    def peek(cls, by: int, position: int, card: int | None) -> Entry:
        """A look at a card of the pool (rule 15), perhaps :data:`UNNOTED`, and which it was, where that was seen."""
        return cls(Peeked(by, position, card))

    @classmethod
    def hand(cls, by: int, cards: Iterable[int]) -> Entry:
        """A hand that is laid open (rule 18)."""
        return cls(HandShown(by, tuple(sorted(set(cards)))))

    @property
    def events(self) -> tuple[HypothesisMade | Passed | Shown | Accused | Peeked | HandShown, ...]:
        """Everything that happened, in order."""
        return self.head, *self.answers

    @property
    def by(self) -> int:
        """The seat that asks, accuses, looks or lays its hand open."""
        return self.head.seat

    @property
    def cards(self) -> Triple:
        """The suspect, the weapon and the room that are named; (0, 0, 0) where none are."""
        return self.head.cards if isinstance(self.head, HypothesisMade | Accused) else (0, 0, 0)

    @property
    def shows(self) -> tuple[Shown, ...]:
        """The cards shown, in turn; more than one only where everybody answers (rule 19)."""
        return tuple([answer for answer in self.answers if isinstance(answer, Shown)])

    @property
    def refuter(self) -> int | None:
        """The seat that showed the first card, or None: nobody could answer, or it is no hypothesis."""
        return self.shows[0].seat if self.shows else None

    @property
    def card(self) -> int | None:
        """That card, where it was seen."""
        return self.shows[0].card if self.shows else None


def entries_of(events: Iterable[Event], table: Table) -> list[Entry]:
    """The entries of a game's events, seen from the first one on.

    Who does not pass has to show: so where a game breaks off, the next in turn is the refuter.
    """
    seats, everybody = table.seats, table.rules.refuters == "all"
    entries: list[Entry] = []
    for event in events:
        match event:
            case HypothesisMade(seat):
                entries.append(Entry(event, (Shown((seat + 1) % seats, seat, None),)))
            case Passed(seat) | Shown(seat):
                asked, after = entries[-1], (seat + 1) % seats
                answers = (*asked.answers[:-1], event)  # in place of the answer that was expected
                if after != asked.by and (everybody or isinstance(event, Passed)):
                    answers = (*answers, Shown(after, asked.by, None))
                entries[-1] = Entry(asked.head, answers)
            case Accused() | Peeked() | HandShown():
                entries.append(Entry(event))
    return entries


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
        case HypothesisMade() if not entry.shows or entry.shows == entry.answers[-1:]:
            refuter = None if entry.refuter is None else names[entry.refuter]
            return line | {"hypothesis": three, "refuted_by": refuter} | card
    refuters = [names[shown.seat] for shown in entry.shows]
    seen_cards = {names[shown.seat]: deck.names[shown.card] for shown in entry.shows if shown.card is not None}
    line |= {"hypothesis": three, "refuted_by": refuters}
    return line | {"cards": seen_cards} if seen_cards else line


def read_entry(form: EntryForm, names: Sequence[str], deck: Deck, *, everybody: bool = False) -> Entry:
    """The entry of a case log's event; ``names`` are those of the seats, ``everybody`` as in :meth:`Entry.hypothesis`.

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
    card = None if form.card is None else deck.id(form.card)
    if card is not None and refuter is None:
        raise CluedoError("nobody refuted, so {card!r} was not shown", card=form.card)
    return Entry.hypothesis(len(names), by, cards, {} if refuter is None else {refuter: card}, everybody=everybody)


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
    return Entry.hypothesis(len(names), by, deck.triple(form.hypothesis), shows, everybody=True)


def named_twice(names: Sequence[str]) -> str | None:
    """The first of some names that stands there more than once."""
    return next((name for name in names if names.count(name) > 1), None)


def seat_of(name: str, names: Sequence[str]) -> int:
    """The seat of the player called so; raises :class:`CluedoError`, with the nearest name."""
    known = normalised(name) if isinstance(name, str) else name
    if known not in names:
        raise CluedoError(
            "nobody at the table is called {name!r}; {closest}", name=name, closest=closest(str(name), names)
        )
    return names.index(known)
