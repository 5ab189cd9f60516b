"""The deal: everything that chance decides before the first turn, and every roll to come.

All of it follows from a master seed and the number of the deal, whatever is played beside it or
after it: :class:`Seeds` turns the two into one seed for each purpose.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import shake_256
from random import Random

import numpy as np

from cluedo.engine.cards import Deck, Triple
from cluedo.engine.errors import SetupError, safe_repr, short_repr
from cluedo.engine.rules import MAX_SEATS, MIN_SEATS, Rules
from cluedo.engine.validation import whole_number

__all__ = [
    "SEEDS",
    "Deal",
    "Dice",
    "Seeds",
    "cards_dealt",
    "check_player_count",
    "check_seats",
    "draw_deal",
    "places_by_seat",
    "whole_seed",
]

SEEDS = 2**64
"""How many seeds there are."""
_BYTES = 16
"""Of a word that comes from a secret."""


def whole_seed(seed: object) -> int:
    """A seed, perhaps numpy's, as a Python int; raises :class:`SetupError` for what is no whole number from 0 up."""
    if (whole := whole_number(seed, 0)) is not None:
        return whole
    raise SetupError("a seed is a whole number from 0 up, not {seed}", seed=safe_repr(seed))


class Seeds:
    """The seeds of one deal: words of ``numpy.random.SeedSequence(seed, spawn_key=(deal,))``.

    Word 0 deals the cards, words 1 to n throw the dice of seats 0 to n - 1, and each player of each
    of the n rotations has a word of its own, so that no stream depends on another's use.

    Such words can be inverted: half of the players find the deal in the state of their own generator, and whoever
    knows the seed has it all. With a ``secret`` they come from a cryptographic hash of it (SHAKE-256) instead, and
    nothing short of the secret tells one from another.

    Attributes:
        seed: what they are for, with ``deal`` and ``seats``.
        words: the seeds, in this order.

    Raises:
        SetupError: a number is not a whole one in its range.
    """

    __slots__ = ("deal", "seats", "seed", "words")

    def __init__(self, seed: int, deal: int, seats: int, secret: str | None = None):
        if (number := whole_number(deal, 0)) is None:
            raise SetupError("deals are numbered from 0 up, not {deal}", deal=safe_repr(deal))
        self.seed, self.deal, self.seats = whole_seed(seed), number, check_player_count(seats)
        count = 1 + self.seats + self.seats * self.seats
        self.words: list[int]
        if secret is None:
            sequence = np.random.SeedSequence(self.seed, spawn_key=(number,))
            self.words = sequence.generate_state(count, np.uint64).tolist()
        else:
            stream = shake_256(json.dumps([secret, self.seed, number, self.seats]).encode()).digest(_BYTES * count)
            self.words = [int.from_bytes(stream[k : k + _BYTES]) for k in range(0, len(stream), _BYTES)]

    def for_cards(self) -> Random:
        """The generator of the envelope, the shuffle, the dealer and the opening rolls."""
        return _generator(self.words[0])

    def for_dice(self, seat: int) -> Random:
        """The generator of one seat's dice."""
        return _generator(self.words[1 + seat])

    def for_player(self, rotation: int, place: int) -> Random:
        """The generator of the player at ``place`` in the line-up, in a rotation."""
        return _generator(self.words[1 + self.seats + rotation % self.seats * self.seats + place])


def _generator(word: int) -> Random:
    """``Random(word)``, in three quarters of its time: the constructor asks first what else the seed may be.

    A game of players that think little spends a tenth of its time on this.
    """
    random = Random.__new__(Random)
    super(Random, random).seed(word)
    random.gauss_next = None  # type: ignore[attr-defined]
    return random


@cache
def places_by_seat(seats: int, rotation: int) -> tuple[int, ...]:
    """By seat, which place in the line-up plays it, after a rotation of the line-up round the table.

    >>> places_by_seat(4, 1)
    (1, 2, 3, 0)
    """
    return tuple([(seat + rotation) % seats for seat in range(seats)])


class Dice:
    """One seat's rolls: the k-th is the same however often it is asked for.

    ``rolls`` are those already known (from a record, say); what lies beyond is drawn from ``random``,
    and where there is none the dice are used up.
    """

    __slots__ = ("_random", "_rolls", "_rules")

    def __init__(self, rules: Rules, random: Random | None, rolls: Sequence[tuple[int, ...]] = ()):
        self._rules, self._random, self._rolls = rules, random, list(rolls)

    @classmethod
    def after(cls, rules: Rules, random: Random, rolls: Sequence[tuple[int, ...]]) -> Dice:
        """The dice of a generator that has already thrown ``rolls``: what follows is what would have followed."""
        for _ in rolls:
            _throw(random, rules)
        return cls(rules, random, rolls)

    def __getitem__(self, k: int) -> tuple[int, ...]:
        rolls = self._rolls
        while len(rolls) <= k:
            if self._random is None:
                raise SetupError("no roll is known beyond those of the record")
            rolls.append(_throw(self._random, self._rules))
        return rolls[k]


def _throw(random: Random, rules: Rules) -> tuple[int, ...]:
    sides, throw = rules.sides, random.random
    return tuple([int(throw() * sides) + 1 for _ in range(rules.dice)])


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: the hands and the envelope, the seat that starts, and the dice of each seat.

    Attributes:
        envelope: the suspect, weapon and room to be found, as card ids.
        hands: by seat, the mask of the cards held.
        suspects: by seat, the card id of the suspect whose pawn the seat moves.
        first: the seat that starts.
        dice: by seat, the rolls.
        pool: the cards face down beside the board, by their positions (rule 13).
        open_cards: the mask of those that lie face up (rule 14).
    """

    envelope: Triple
    hands: tuple[int, ...]
    suspects: tuple[int, ...]
    first: int
    dice: tuple[Dice, ...]
    pool: tuple[int, ...] = ()
    open_cards: int = 0

    @property
    def places(self) -> list[int]:
        """The masks of what lies where: hands, the pool and the open cards if there are any, the envelope."""
        pool, envelope = (sum(1 << card for card in cards) for cards in (self.pool, self.envelope))
        return [*self.hands, *([pool] if pool else []), *([self.open_cards] if self.open_cards else []), envelope]


def check_player_count(seats: object) -> int:
    """A number of players with which Cluedo is played (rule 1); raises :class:`SetupError` for what is none."""
    if (count := whole_number(seats, MIN_SEATS, MAX_SEATS)) is not None:
        return count
    raise SetupError(
        "Cluedo is played by {min_seats} to {max_seats} players, not {seats}",
        min_seats=MIN_SEATS,
        max_seats=MAX_SEATS,
        seats=short_repr(seats),
    )


def check_seats(deck: Deck, rules: Rules, seats: int, suspects: Sequence[int] | None = None) -> tuple[int, ...]:
    """The suspects of the seats (rule 1), the map's first ones by default; raises :class:`SetupError`."""
    check_player_count(seats)
    if seats > len(deck.suspects):
        raise SetupError(
            "{seats} players are too many for the {count} suspects of this map", seats=seats, count=len(deck.suspects)
        )
    pool, _ = rules.set_aside(deck.outside, seats)
    if seats == MIN_SEATS and not pool:
        raise SetupError("two players need a pool of cards beside the board, as by the rule pool=4 (rule 13)")
    cards_dealt(deck, rules, seats)
    if suspects is None:
        return tuple(deck.suspects[:seats])
    taken = tuple([number for suspect in suspects if (number := whole_number(suspect, 0)) is not None])
    if len(suspects) != seats or len(set(taken)) != seats or not set(taken) <= set(deck.suspects):
        raise SetupError("each of the {seats} players needs a suspect of their own", seats=seats)
    return taken


def cards_dealt(deck: Deck, rules: Rules, seats: int) -> int:
    """How many cards the players hold in all; raises :class:`SetupError` where some of them would hold none."""
    pool, face_up = rules.set_aside(deck.outside, seats)
    cards = deck.outside - pool - face_up
    if cards < seats:
        raise SetupError(
            "with {pool} cards in the pool, {cards} cards are too few for {seats} players (rule 13)",
            pool=pool,
            cards=deck.size,
            seats=seats,
        )
    return cards


def draw_deal(seeds: Seeds, deck: Deck, rules: Rules, suspects: Sequence[int] | None = None) -> Deal:
    """Lay cards aside (rules 13 and 14), deal the others (rule 2) and roll for the start (rule 3)."""
    seats = seeds.seats
    taken = check_seats(deck, rules, seats, suspects)
    random = seeds.for_cards()
    suspect, weapon, room = [ids.start + int(random.random() * len(ids)) for ids in deck.ids]
    rest = [card for card in range(deck.size) if card not in (suspect, weapon, room)]
    random.shuffle(rest)
    in_pool, face_up = rules.set_aside(len(rest), seats)
    dealt = len(rest) - face_up
    dealer = int(random.random() * seats)
    hands = [0] * seats
    for k, card in enumerate(rest[in_pool:dealt], start=dealer + 1):
        hands[k % seats] |= 1 << card
    return Deal(
        envelope=(suspect, weapon, room),
        hands=tuple(hands),
        suspects=taken,
        first=taken.index(min(taken)) if rules.starts == "first_suspect" else _opening(random, rules, seats),
        dice=tuple([Dice(rules, seeds.for_dice(seat)) for seat in range(seats)]),
        pool=tuple(rest[:in_pool]),
        open_cards=sum(1 << card for card in rest[dealt:]),
    )


def _opening(random: Random, rules: Rules, seats: int) -> int:
    """The seat that rolls highest; those who tie roll again among themselves."""
    still = list(range(seats))
    while len(still) > 1:
        totals = [sum(_throw(random, rules)) for _ in still]
        best = max(totals)
        still = [seat for seat, total in zip(still, totals, strict=True) if total == best]
    return still[0]
