"""Cards and decks.

A card is a small int, its *id*: suspects first, then weapons, then rooms, each in the map's order.
A set of cards is an int too, a *mask* with bit ``id`` set for each card of the set. The names live
here and come back only where a person or a file needs them.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Sized
from enum import IntEnum
from types import MappingProxyType
from typing import TypeAlias

from cluedo.engine.errors import CluedoError, safe_repr
from cluedo.engine.phrase import Phrase

__all__ = [
    "Category",
    "Deck",
    "Triple",
    "UnknownCard",
    "bits",
    "closest",
    "meant",
    "normalised",
    "not_int",
    "triple_mask",
]

Triple: TypeAlias = tuple[int, int, int]
"""The ids of a suspect, a weapon and a room, in this order."""


class Category(IntEnum):
    """The three kinds of card; the value is the place in a (suspect, weapon, room) triple."""

    SUSPECT = 0
    WEAPON = 1
    ROOM = 2

    @property
    def word(self) -> Phrase:
        """What such a card is called."""
        return _WORDS[self]

    @property
    def title(self) -> Phrase:
        """What stands above a list of all such cards."""
        return _TITLES[self]


_WORDS = {Category.SUSPECT: Phrase("suspect"), Category.WEAPON: Phrase("weapon"), Category.ROOM: Phrase("room")}
_TITLES = {Category.SUSPECT: Phrase("Suspects"), Category.WEAPON: Phrase("Weapons"), Category.ROOM: Phrase("Rooms")}


class UnknownCard(CluedoError):
    """A name that no card of the deck has."""


def bits(mask: int) -> list[int]:
    """The ids in ``mask``, ascending; raises :class:`CluedoError` for a negative number, whose bits never end."""
    if mask < 0:
        raise CluedoError("a mask is 0 or more, not {mask}: all cards but some are deck.all & ~some", mask=mask)
    ids = []
    while mask:
        low = mask & -mask
        ids.append(low.bit_length() - 1)
        mask ^= low
    return ids


def triple_mask(cards: Triple) -> int:
    """The mask of three cards."""
    suspect, weapon, room = cards
    return 1 << suspect | 1 << weapon | 1 << room


def not_int(value: object) -> Phrase:
    """Why something cannot stand for a card, a place or a position: views hold ints, and numpy's would make others."""
    return Phrase(
        "{value} is of type {type}; a card, a place and a position are of type int",
        value=safe_repr(value),
        type=type(value).__name__,
    )


def normalised(name: str) -> str:
    """A name in the form in which names are kept and compared: in Unicode, é may be one character or two (NFC)."""
    return unicodedata.normalize("NFC", name)


def meant(word: str, known: Iterable[str]) -> str | None:
    """The known name that equals a word but for capitals and blanks; None if none does.

    >>> meant(" mrs.  white ", ["Prof. Plum", "Mrs. White"])
    'Mrs. White'
    """
    folded = " ".join(normalised(word).casefold().split())
    return next((name for name in known if " ".join(name.casefold().split()) == folded), None)


def closest(word: str, known: Iterable[str]) -> Phrase:
    """The end of an error sentence: the nearest known name, if one is near, then all of them.

    >>> print(closest("clasic", ["classic", "manoir"]))
    did you mean 'classic'? known: classic, manoir
    """
    names = list(known)
    folded = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.5)
    if near:
        return Phrase("did you mean {name!r}? known: {names}", name=folded[near[0]], names=", ".join(names))
    return Phrase("known: {names}", names=", ".join(names))


class Deck:
    """The cards of a map.

    Attributes:
        names: every name, by id.
        size: the number of cards.
        suspects: the range of their ids; ``weapons`` and ``rooms`` likewise; ``ids``: the three, by :class:`Category`.
        masks: for each category, the mask of all its cards.
        all: the mask of the whole deck.

    >>> deck = Deck(["Plum", "White"], ["Rope", "Dagger"], ["Hall", "Study"])
    >>> deck.triple(["Plum", "Rope", "Hall"])
    (0, 2, 4)
    >>> deck.names_in(deck.mask(["Rope", "Plum"]))
    ['Plum', 'Rope']
    """

    __slots__ = ("_by_name", "_categories", "all", "ids", "masks", "names", "rooms", "size", "suspects", "weapons")

    def __init__(self, suspects: Sequence[str], weapons: Sequence[str], rooms: Sequence[str]):
        self.names: tuple[str, ...] = tuple(map(normalised, (*suspects, *weapons, *rooms)))
        self.size: int = len(self.names)
        first_weapon, first_room = len(suspects), len(suspects) + len(weapons)
        self.suspects = range(first_weapon)
        self.weapons = range(first_weapon, first_room)
        self.rooms = range(first_room, self.size)
        self.ids: tuple[range, range, range] = (self.suspects, self.weapons, self.rooms)
        self.masks: tuple[int, int, int] = (self._span(self.suspects), self._span(self.weapons), self._span(self.rooms))
        self._categories = tuple([category for category in Category for _ in self.ids[category]])
        self.all: int = (1 << self.size) - 1
        self._by_name: Mapping[str, int] = MappingProxyType({name: id_ for id_, name in enumerate(self.names)})
        if len(self._by_name) != self.size:
            raise CluedoError("two cards of the deck have the same name")

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, "_by_name"):  # the last to be set
            raise AttributeError("a deck does not change: all players share it")
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[type[Deck], tuple[tuple[str, ...], ...]]:
        """Pickle the names alone: all else follows from them."""
        return Deck, tuple(tuple(self.names[card] for card in ids) for ids in self.ids)

    @property
    def outside(self) -> int:
        """The number of cards that are not in the envelope."""
        return self.size - len(Category)

    @property
    def by_kind(self) -> dict[str, list[str]]:
        """The names of all ``suspects``, ``weapons`` and ``rooms``, as files and programs call these."""
        kinds = zip(("suspects", "weapons", "rooms"), self.ids, strict=True)
        return {kind: list(self.names[ids.start : ids.stop]) for kind, ids in kinds}

    @staticmethod
    def _span(ids: range) -> int:
        return (1 << ids.stop) - (1 << ids.start)

    def category(self, card: int) -> Category:
        """The category of a card id."""
        return self._categories[card]

    def id(self, name: str, category: Category | None = None) -> int:
        """The id of the card called ``name``; raises :class:`UnknownCard`, with the nearest name.

        With ``category`` a card of another category is refused as well.
        """
        found = self._by_name.get(normalised(name)) if isinstance(name, str) else None
        if found is not None and (category is None or found in self.ids[category]):
            return found
        if category is None:
            raise UnknownCard(
                "no card is called {name!r}; {closest}", name=name, closest=closest(str(name), self.names)
            )
        known = [self.names[card] for card in self.ids[category]]
        raise UnknownCard(
            "no {kind} is called {name!r}; {closest}",
            kind=category.word,
            name=name,
            closest=closest(str(name), known),
        )

    def wrong_card(self, card: object, category: Category) -> Phrase | None:
        """Say that something is not the id of a card of this category, whatever object it is; None if it is."""
        if type(card) is not int:
            return not_int(card)
        if card in self.ids[category]:
            return None
        return Phrase("{card} is not the id of a {category} of this deck", card=safe_repr(card), category=category.word)

    def triple(self, names: Sequence[str]) -> Triple:
        """The ids of a suspect, a weapon and a room, named in that order."""
        if not isinstance(names, Sized) or len(names) != 3:
            raise UnknownCard("a suspect, a weapon and a room are needed, not {names!r}", names=names)
        suspect, weapon, room = (self.id(name, category) for name, category in zip(names, Category, strict=True))
        return suspect, weapon, room

    def mask(self, names: Iterable[str]) -> int:
        """The mask of the named cards."""
        mask = 0
        for name in names:
            mask |= 1 << self.id(name)
        return mask

    def names_in(self, mask: int) -> list[str]:
        """The names of the cards in ``mask``, in deck order; raises :class:`CluedoError` for a mask of other cards."""
        if mask > self.all:
            raise CluedoError(
                "a mask of these {size} cards is at most {all}, not {mask}", size=self.size, all=self.all, mask=mask
            )
        return [self.names[card] for card in bits(mask)]

    def listed(self, cards: Iterable[int]) -> str:
        """The names of cards, in the order given, with commas."""
        return ", ".join([self.names[card] for card in cards])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and (self.names, self.ids) == (other.names, other.ids)

    def __hash__(self) -> int:
        return hash((self.names, self.ids))

    def __repr__(self) -> str:
        return f"Deck({len(self.suspects)} suspects, {len(self.weapons)} weapons, {len(self.rooms)} rooms)"
