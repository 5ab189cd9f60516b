"""What one person at a table knows: the setting, and the facts in the order in which they came.

A *place* is where a card can be: a seat (0 to n - 1, clockwise) or the envelope (n). A fact is an
event of the game with the number of the turn (or of the entry of a case log) that it came in, so that
a reason can quote it, and the three cards that it is about. Beside the facts :class:`Evidence` keeps
their hard content as masks and flat arrays, grown fact by fact, which every engine reads; it draws no
conclusion itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from cluedo.engine.cards import Category, Deck
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, HypothesisMade, Passed, Shown
from cluedo.engine.phrase import Phrase

__all__ = ["Evidence", "Fact", "InconsistentEvidence", "Own", "Triple", "check_deck", "triple_mask"]

_MAX_CARDS = 62  # masks are signed 64-bit words in the compiled kernels

Triple = tuple[int, int, int]
"""The ids of a suspect, a weapon and a room, in this order."""


@dataclass(frozen=True, slots=True)
class Own:
    """I hold this card. Made by :class:`Evidence` itself, before all other facts."""

    card: int


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened at the table and says where cards are, or what somebody wants to know.

    Attributes:
        turn: the number of the turn, or of the entry of a case log, that it came in.
        event: a hypothesis (no hard fact, but model `reading` weighs it), a pass, a card shown, or an accusation.
        cards: the suspect, the weapon and the room that it is about.
    """

    turn: int
    event: HypothesisMade | Passed | Shown | Accused
    cards: Triple


class InconsistentEvidence(CluedoError):
    """The facts contradict each other.

    Attributes:
        facts: a minimal set of facts that clash, in the order in which they came.
    """

    def __init__(self, message: str, facts: Sequence[Own | Fact] = ()):
        super().__init__(message)
        self.facts = tuple(facts)


def check_deck(deck: Deck) -> None:
    """Raise :class:`CluedoError` for a deck that has too many cards to reason about."""
    if deck.size > _MAX_CARDS:
        raise CluedoError("a deck has at most {max_cards} cards, not {size}", max_cards=_MAX_CARDS, size=deck.size)


def triple_mask(triple: Triple) -> int:
    """The mask of the three cards."""
    return 1 << triple[0] | 1 << triple[1] | 1 << triple[2]


class Evidence:
    """Everything one person knows of a deal: hand sizes, their own hand, and a growing list of facts.

    Args:
        deck: the cards.
        sizes: the hand size of each seat, clockwise; with the envelope's three they make up the deck.
        me: my seat, or None for a spectator.
        hand: the mask of my cards (0 for a spectator).
        names: the seats' names for sentences; "P1", "P2", … if left out.
        free: free movement, where an asker also chooses the room that is named (model `reading`).
        unit: what a fact's number counts, for sentences.

    Raises:
        CluedoError: the sizes or the hand do not fit the deck.

    Attributes, all of them read-only for others (cards and masks as in :mod:`cluedo.engine.cards`):
        facts: the facts, oldest first.
        may: for each place the mask of cards that no single fact keeps out of it.
        has: for each place the mask of cards that a single fact puts into it.
        clauses: flat pairs (seat, mask): the seat holds one of the mask at least.
        bans: masks of three cards that are not together in the envelope.
        choices: flat triples (seat, card, mask of the three): shown to me, by that seat for the first time.
        named: ``named[seat * deck.size + card]``, how often the seat has named the card (0 for mine).
        asked: how many hypotheses each seat has made (0 for mine).
        told: for each seat the mask of my cards that I have shown it.
        again: flat groups (seat, category, told, times): hypotheses after I had shown it ``told`` > 0 cards of that.
        repeated: ``repeated[seat * 3 + category]``, how often the seat has named a card that I had shown it.
    """

    __slots__ = (
        "_known",
        "again",
        "asked",
        "bans",
        "choices",
        "clauses",
        "deck",
        "facts",
        "free",
        "hand",
        "has",
        "may",
        "me",
        "named",
        "names",
        "repeated",
        "seats",
        "sizes",
        "told",
        "unit",
    )

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
    ):
        self.deck = deck
        self.sizes: tuple[int, ...] = tuple(sizes)
        self.seats: int = len(self.sizes)
        self.me = me
        self.hand = hand
        self.names: tuple[str, ...] = tuple(names or (f"P{seat + 1}" for seat in range(self.seats)))
        self.free = free
        self.unit = unit
        self._check()
        self.facts: list[Fact] = []
        self.may = array("q", [deck.all] * (self.seats + 1))
        self.has = array("q", [0] * (self.seats + 1))
        self.clauses = array("q")
        self.bans = array("q")
        self.choices = array("q")
        self.named = array("q", [0] * (self.seats * deck.size))
        self.asked = array("q", [0] * self.seats)
        self.told = array("q", [0] * self.seats)
        self.again = array("q")
        self.repeated = array("q", [0] * (self.seats * len(Category)))
        self._known: set[tuple[int, int]] = set()
        if me is not None:
            self.may[me] = hand
            self._put(me, hand)

    def _check(self) -> None:
        deck = self.deck
        if not 2 <= self.seats <= 6:
            raise CluedoError("two to six players can sit at a table, not {seats}", seats=self.seats)
        check_deck(deck)
        if len(self.names) != self.seats:
            raise CluedoError("{count} names for {seats} players", count=len(self.names), seats=self.seats)
        if min(self.sizes) < 0 or sum(self.sizes) != deck.size - 3:
            raise CluedoError(
                "the hands hold {size} cards in all, not {sizes}", size=deck.size - 3, sizes=sum(self.sizes)
            )
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
    def envelope(self) -> int:
        """The place of the envelope, which is the number of seats."""
        return self.seats

    @property
    def own(self) -> list[Own]:
        """My own cards as facts, in deck order."""
        return [Own(card) for card in range(self.deck.size) if self.hand >> card & 1]

    def place_name(self, place: int) -> str:
        """The name of a seat, or "envelope"."""
        return "envelope" if place == self.seats else self.names[place]

    def add(self, fact: Fact) -> None:
        """Take note of one more fact. Contradictions are the engines' business, not found here."""
        self.facts.append(fact)
        match fact.event:
            case HypothesisMade(seat) if seat != self.me:
                self.asked[seat] += 1
                for card in fact.cards:
                    self.named[seat * self.deck.size + card] += 1
                if self.told[seat]:
                    self._note_repeats(seat, fact.cards)
            case Passed(seat):
                self.may[seat] &= ~triple_mask(fact.cards)
            case Shown(seat, _, None):
                self._clause(seat, triple_mask(fact.cards))
            case Shown(seat, asker, shown):
                assert shown is not None
                if asker == self.me and not self.has[seat] >> shown & 1:
                    self.choices.extend((seat, shown, triple_mask(fact.cards)))
                elif seat == self.me:
                    self.told[asker] |= 1 << shown
                self._put(seat, 1 << shown)
            case Accused(correct=True):
                self._put(self.seats, triple_mask(fact.cards))
            case Accused():
                self.bans.append(triple_mask(fact.cards))

    def copy(self) -> Evidence:
        """An independent copy, to ask "what if"."""
        twin = Evidence.__new__(Evidence)
        for name in ("deck", "sizes", "seats", "me", "hand", "names", "free", "unit"):
            setattr(twin, name, getattr(self, name))
        for name in ("may", "has", "clauses", "bans", "choices", "named", "asked", "told", "again", "repeated"):
            setattr(twin, name, getattr(self, name)[:])
        twin.facts = self.facts.copy()
        twin._known = self._known.copy()
        return twin

    def _put(self, place: int, cards: int) -> None:
        self.has[place] |= cards
        for other in range(self.seats + 1):
            if other != place:
                self.may[other] &= ~cards

    def _note_repeats(self, seat: int, cards: Triple) -> None:
        """Count, for somebody to whom I have shown cards, whether they name one of them again where they could."""
        again = self.again
        for category, card in enumerate(cards):
            told = self.told[seat] & self.deck.masks[category]
            if not told:
                continue
            self.repeated[seat * len(Category) + category] += told >> card & 1
            group = (seat, category, told.bit_count())
            for at in range(0, len(again), 4):
                if tuple(again[at : at + 3]) == group:
                    again[at + 3] += 1
                    break
            else:
                again.extend((*group, 1))

    def _clause(self, seat: int, mask: int) -> None:
        if self.has[seat] & mask or (seat, mask) in self._known:
            return
        self._known.add((seat, mask))
        self.clauses.extend((seat, mask))
