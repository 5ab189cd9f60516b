"""What one person at a table knows: the setting, and the facts in the order in which they came.

A *place* is where a card can be: a seat (0 to n - 1, clockwise); then the pool, cards face down beside the
board, and the cards that lie open for all, where there are any; and, last, the envelope. A fact is an
event of the game with the number of the turn (or of the entry of a case log) that it came in, so that
a reason can quote it, and the three cards that it is about. Beside the facts :class:`Evidence` keeps
their hard content as masks and flat arrays, grown fact by fact, which every solver reads; it draws no
conclusion itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cluedo.engine.cards import Category, Deck, Triple, bits, triple_mask
from cluedo.engine.deal import check_player_count
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import (
    Accused,
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
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import BOX_RULES, Rules
from cluedo.engine.view import PlayerView

__all__ = [
    "Evidence",
    "EvidenceReader",
    "Fact",
    "Given",
    "InconsistentEvidence",
    "Premise",
    "check_deck",
    "place_names",
]

_MAX_CARDS = 62  # masks are signed 64-bit words in the compiled kernels
_SET = (
    *("deck", "sizes", "seats", "me", "hand", "names", "free", "unit", "rules"),
    *("pool_at", "open_at", "counts", "envelope", "places", "peeked"),
)
"""The attributes of :class:`Evidence` that a copy shares."""
_GROWN = (
    *("facts", "may", "has", "clauses", "bans", "choices", "named", "asked"),
    *("shown_me", "shown_by_me", "after_showing", "repeats"),
)
"""Those that grow in place: lists and arrays, of which a copy has its own."""


@dataclass(frozen=True, slots=True)
class Given:
    """A card that I hold, or that lies open for all. Made by :class:`Evidence` itself, before all other facts."""

    card: int
    place: int


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened at the table and says where cards are, or what somebody wants to know.

    Attributes:
        turn: the number of the turn, or of the entry of a case log, that it came in.
        event: a hypothesis (which model `kinds` weighs; it proves something only where not all three cards may be
            the asker's), a pass, a card shown, a look into the pool, an accusation, or a hand shown after one.
        cards: the suspect, the weapon and the room that were named; three zeros for a look or a hand.
    """

    turn: int
    event: HypothesisMade | Passed | Shown | Peeked | Accused | HandShown
    cards: Triple = (0, 0, 0)


Premise: TypeAlias = Given | Fact
"""What a conclusion can rest on."""


class InconsistentEvidence(CluedoError):
    """The facts contradict each other.

    Attributes:
        facts: a minimal set of facts that clash, in the order in which they came.
    """

    def __init__(self, message: str, facts: Sequence[Premise] = ()):
        super().__init__(message)
        self.facts = tuple(facts)


def check_deck(deck: Deck) -> None:
    """Raise :class:`CluedoError` for a deck that has too many cards to reason about."""
    if deck.size > _MAX_CARDS:
        raise CluedoError("a deck has at most {max_cards} cards, not {size}", max_cards=_MAX_CARDS, size=deck.size)


def place_names(names: Sequence[str], *, pool: bool, face_up: bool) -> tuple[str, ...]:
    """What the places are called: the players by name, then "pool", "open" and "envelope", which can be translated."""
    aside = (Phrase("pool"),) * pool + (Phrase("open"),) * face_up
    return (*names, *aside, Phrase("envelope"))


class Evidence:
    """Everything one person knows of a deal: hand sizes, their own hand, and a growing list of facts.

    Args:
        deck: the cards.
        sizes: the hand size of each seat, clockwise; with the envelope's three, the pool and the open cards they make
            up the deck.
        me: my seat, or None for a spectator.
        hand: the mask of my cards (0 for a spectator).
        names: the seats' names for sentences; "P1", "P2", … if left out.
        free: free movement, where an asker also chooses the room that is named (model `kinds`).
        unit: what a fact's number counts, for sentences.
        pool_size: how many cards lie in the pool.
        open_cards: the mask of the cards that lie open.
        rules: those of the house that matter here: which cards may be named, who answers, who may look into the pool.

    Raises:
        CluedoError: the sizes or the hand do not fit the deck.

    All attributes are read-only for others; cards and masks are as in :mod:`cluedo.engine.cards`.

    Attributes:
        pool_at: the place of the pool, or None.
        open_at: the place of the open cards, or None.
        envelope: the place of the envelope, the last one; ``places``: how many there are.
        counts: for each place but the envelope how many cards are there. The pool and the open cards stand in all
            arrays by place like seats that neither ask nor answer.
        facts: the facts, oldest first.
        may: for each place the mask of cards that no single fact keeps out of it.
        has: for each place the mask of cards that a single fact puts into it.
        clauses: flat pairs (seat, mask): the seat holds one of the mask at least.
        bans: flat pairs (place, mask): the three cards of the mask are not all there.
        choices: flat pairs (seat, mask of the three): of which that seat showed me one for the first time.
        named: ``named[seat * deck.size + card]``, how often the seat has named the card (0 for mine).
        asked: how many hypotheses each seat has made (0 for mine).
        shown_me: for each seat the mask of the cards that it has shown me.
        shown_by_me: for each seat the mask of my cards that I have shown it.
        peeked: the mask of the cards that I have seen in the pool.
        after_showing: flat groups (seat, category, shown, times): how many hypotheses the seat has made after I had
            shown it so many cards of the category, one at least.
        repeats: ``repeats[seat * 3 + category]``, how often the seat has named a card that I had shown it.
    """

    __slots__ = (*_SET, *_GROWN, "_known")

    def __init__(
        self,
        deck: Deck,
        sizes: Sequence[int],
        me: int | None = None,
        hand: int = 0,
        *,
        names: Sequence[str] | None = None,
        free: bool = False,
        unit: str = Phrase("Turn"),
        pool_size: int = 0,
        open_cards: int = 0,
        rules: Rules = BOX_RULES,
    ):
        self.deck = deck
        self.sizes: tuple[int, ...] = tuple(sizes)
        self.seats: int = len(self.sizes)
        self.me = me
        self.hand = hand
        self.names: tuple[str, ...] = tuple(names or (f"P{seat + 1}" for seat in range(self.seats)))
        self.free = free
        self.unit = unit
        self.rules = rules
        self.pool_at = self.seats if pool_size else None
        self.open_at = self.seats + (pool_size > 0) if open_cards else None
        aside = [count for count in (pool_size, open_cards.bit_count()) if count]
        self.counts: tuple[int, ...] = (*self.sizes, *aside)
        self.envelope: int = len(self.counts)
        self.places: int = self.envelope + 1
        self._check(open_cards)
        self.facts: list[Fact] = []
        self.may = array("q", [deck.all] * self.places)
        self.has = array("q", [0] * self.places)
        self.clauses = array("q")
        self.bans = array("q")
        self.choices = array("q")
        self.named = array("q", [0] * (self.envelope * deck.size))
        self.asked = array("q", [0] * self.envelope)
        self.shown_me = array("q", [0] * self.seats)
        self.shown_by_me = array("q", [0] * self.seats)
        self.after_showing = array("q")
        self.repeats = array("q", [0] * (self.envelope * len(Category)))
        self.peeked = 0
        self._known: set[tuple[int, int]] = set()
        if me is not None:
            self._fill(me, hand)
        if self.open_at is not None:
            self._fill(self.open_at, open_cards)

    def _check(self, open_cards: int) -> None:
        deck = self.deck
        check_player_count(self.seats)
        check_deck(deck)
        if len(self.names) != self.seats:
            raise CluedoError("{count} names for {seats} players", count=len(self.names), seats=self.seats)
        held = deck.outside - sum(self.counts[self.seats :])
        if min(self.counts) < 0 or sum(self.sizes) != held:
            raise CluedoError("the hands hold {size} cards in all, not {sizes}", size=held, sizes=sum(self.sizes))
        if open_cards & (~deck.all | self.hand):
            raise CluedoError("the open cards are cards of the deck that nobody holds")
        if self.me is None:
            if self.hand:
                raise CluedoError("a spectator has no hand")
        elif not 0 <= self.me < self.seats:
            raise CluedoError("there is no seat {me} at a table of {seats}", me=self.me, seats=self.seats)
        elif self.hand & ~deck.all or self.hand.bit_count() != self.sizes[self.me]:
            raise CluedoError(
                "the hand of {names} is {sizes} cards of the deck, not {hand}",
                names=self.names[self.me],
                sizes=self.sizes[self.me],
                hand=self.hand.bit_count(),
            )

    @property
    def given(self) -> list[Given]:
        """What is known before anything happens, in deck order: my own cards, then those that lie open."""
        mine = [] if self.me is None else [Given(card, self.me) for card in bits(self.hand)]
        face_up = [] if self.open_at is None else [Given(card, self.open_at) for card in bits(self.has[self.open_at])]
        return mine + face_up

    @property
    def to_peek(self) -> int:
        """How many cards of the pool I may look at when nobody answers, and have not seen."""
        if self.pool_at is None or not self.rules.peek:
            return 0
        return self.counts[self.pool_at] - self.peeked.bit_count()

    def may_ask(self, cards: Triple) -> bool:
        """Whether I may name these three: under some house rules not all of them are to be my own."""
        return self.rules.own_cards == "any" or triple_mask(cards) & ~self.hand != 0

    @property
    def place_names(self) -> tuple[str, ...]:
        """By place, what it is called."""
        return place_names(self.names, pool=self.pool_at is not None, face_up=self.open_at is not None)

    def add(self, fact: Fact) -> None:
        """Add a fact. This finds no contradictions: the notebook, the SAT solver and the posterior do."""
        self.facts.append(fact)
        match fact.event:
            case HypothesisMade(seat) if seat != self.me:
                self.asked[seat] += 1
                for card in fact.cards:
                    self.named[seat * self.deck.size + card] += 1
                if self.shown_by_me[seat]:
                    self._note_repeats(seat, fact.cards)
                if self.rules.own_cards == "not_all":
                    self._ban(seat, triple_mask(fact.cards))
            case Passed(seat):
                self.may[seat] &= ~triple_mask(fact.cards)
            case Shown(seat, asker, None):
                self._clause(seat, triple_mask(fact.cards))
                self._lift(asker, triple_mask(fact.cards))
            case Shown(seat, asker, shown):
                assert shown is not None
                self._lift(asker, triple_mask(fact.cards))
                if asker == self.me and not self.shown_me[seat] >> shown & 1:
                    self.shown_me[seat] |= 1 << shown
                    self.choices.extend((seat, triple_mask(fact.cards)))
                elif seat == self.me:
                    self.shown_by_me[asker] |= 1 << shown
                self._put(seat, 1 << shown)
            case Peeked(_, _, card) if card is not None and self.pool_at is not None:
                self.peeked |= 1 << card
                self._put(self.pool_at, 1 << card)
            case HandShown(seat, cards):
                self._fill(seat, sum(1 << card for card in cards))
            case Accused(correct=True):
                self._put(self.envelope, triple_mask(fact.cards))
            case Accused():
                self._ban(self.envelope, triple_mask(fact.cards))

    def copy(self) -> Evidence:
        """An independent copy, for trying out further facts."""
        twin = Evidence.__new__(Evidence)
        for name in _SET:
            setattr(twin, name, getattr(self, name))
        for name in _GROWN:
            setattr(twin, name, getattr(self, name)[:])
        twin._known = self._known.copy()
        return twin

    def _fill(self, place: int, cards: int) -> None:
        """Note which cards lie at a place, all of them being known."""
        self.may[place] &= cards
        self._put(place, cards)

    def _put(self, place: int, cards: int) -> None:
        self.has[place] |= cards
        for other in range(self.places):
            if other != place:
                self.may[other] &= ~cards

    def _note_repeats(self, seat: int, cards: Triple) -> None:
        """Count, for somebody to whom I have shown cards, whether they name one of them again where they could."""
        groups = self.after_showing
        for category, card in enumerate(cards):
            shown = self.shown_by_me[seat] & self.deck.masks[category]
            if not shown:
                continue
            self.repeats[seat * len(Category) + category] += shown >> card & 1
            group = (seat, category, shown.bit_count())
            for at in range(0, len(groups), 4):
                if tuple(groups[at : at + 3]) == group:
                    groups[at + 3] += 1
                    break
            else:
                groups.extend((*group, 1))

    def _clause(self, seat: int, mask: int) -> None:
        if self.has[seat] & mask or (seat, mask) in self._known:
            return
        self._known.add((seat, mask))
        self.clauses.extend((seat, mask))

    def _ban(self, place: int, mask: int) -> None:
        if (~place, mask) not in self._known:
            self._known.add((~place, mask))
            self.bans.extend((place, mask))

    def _lift(self, asker: int, mask: int) -> None:
        """Drop the ban on an asker's own three cards once one was shown, which implies it."""
        if len(self.bans) and (self.bans[-2], self.bans[-1]) == (asker, mask):
            del self.bans[-2:]


_MOVES = frozenset((Rolled, Moved, PassageTaken, Stayed))
"""The events that say nothing of the cards."""


class EvidenceReader:
    """Reads the views of one seat, one after another, into one :class:`Evidence` that grows.

    Attributes:
        evidence: what the seat knows up to the last view read.
    """

    __slots__ = ("_cards", "_read", "_turn", "evidence")

    def __init__(self, view: PlayerView):
        table = view.table
        self.evidence = Evidence(
            table.deck,
            table.hand_sizes,
            view.seat,
            view.hand,
            names=table.names,
            free=table.free,
            pool_size=table.pool_size,
            open_cards=table.open_cards,
            rules=table.rules,
        )
        self._read = 0
        self._turn = 1
        self._cards: Triple = (-1, -1, -1)
        self.read(view)

    def read(self, view: PlayerView) -> Evidence:
        """Take in what happened since the last view; returns the evidence.

        Raises:
            CluedoError: the view is of another seat or game, or older, as after an undo.
        """
        evidence, read = self.evidence, self._read
        if view.time < read or view.seat != evidence.me or view.hand != evidence.hand:
            raise CluedoError(
                "only later views of the same seat and game can be read; this one is of seat {seat} after {time} "
                "events, and seat {me} was read up to event {read}",
                seat=view.seat,
                time=view.time,
                me=evidence.me,
                read=read,
            )
        add = evidence.add
        for event in view.events_since(read):
            self._read += 1  # at once: whoever is interrupted here reads no event twice
            if type(event) in _MOVES:  # half of all events, asked for in one step
                continue
            match event:
                case HypothesisMade():
                    self._cards = event.cards
                    add(Fact(self._turn, event, self._cards))
                case Passed() | Shown():
                    add(Fact(self._turn, event, self._cards))
                case Accused():
                    add(Fact(self._turn, event, event.cards))
                case Peeked() | HandShown():
                    add(Fact(self._turn, event))
                case TurnEnded():
                    self._turn += 1
        return evidence
