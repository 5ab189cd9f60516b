"""The cards whose place is not proved: where each can be, and how the possible deals of them are weighted.

The sampler works on it. It makes no difference between seats and other places: each needs a number of cards, the
envelope one of each category that is not proved, and all other knowledge is a list of factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.kernels.guide import WAITS, Guide, Layers
from cluedo.ai.knowledge.kernels.particles import Tallies
from cluedo.ai.knowledge.kernels.programme import ORDER, Floats, Ints
from cluedo.engine.cards import Deck, bits

__all__ = ["Factor", "UnprovedCards", "at_least_one"]

_BITS = 62
_MOST_VALUES = 1 << 12  # of a tally
_ROUNDS = 40  # of scaling rows and columns, until cards and hands agree


class Factor(NamedTuple):
    """A weight that depends on how many cards of a mask are at a place: ``values[count]``."""

    place: int
    cards: int
    values: tuple[float, ...]

    def up_to(self, count: int) -> Factor:
        """The factor for at most this many cards."""
        return self._replace(values=self.values[: count + 1])

    @property
    def clause(self) -> bool:
        """Whether it only says that at least one of the cards is there."""
        return self.values[0] == 0.0 and set(self.values[1:]) == {1.0}


def at_least_one(place: int, cards: int) -> Factor:
    """The factor of a clause: 0 if none of the cards is at the place, else 1."""
    return Factor(place, cards, (0.0, *[1.0] * cards.bit_count()))


class _Field(NamedTuple):
    """A field of the guide's states: what some places need together."""

    members: tuple[int, ...]
    need: int


class UnprovedCards:
    """The unproved cards by layer, and the factors.

    Args:
        evidence: what is known: of it, the deck and how many cards are at each place.
        may: by place, the mask of the cards that can be there.
        has: by place, the mask of the cards that are proved to be there.
        factors: what weighs the deals, over unproved cards only.
        width: how many states the guide may have in a layer.

    Attributes:
        cards: the unproved cards, by layer.
        layers: what the guide is built from.
        root: the state that it begins with.
    """

    def __init__(
        self, evidence: Evidence, may: Sequence[int], has: Sequence[int], factors: Sequence[Factor], width: int
    ):
        deck, envelope = evidence.deck, evidence.envelope
        self._envelope = envelope
        self._may = [there & ~held for there, held in zip(may, has, strict=True)]
        self._needs = {place: size - has[place].bit_count() for place, size in enumerate(evidence.counts)}
        self._categories = [0 if has[envelope] & mask else mask for mask in deck.masks]
        self.cards = self._in_order(deck, factors)
        fields = self._fields(width)
        self._alone = {field.members[0] for field in fields if len(field.members) == 1} | {envelope}
        self._factors = list(factors)
        self._inside = self._covered(self._factors)
        self._bits: dict[int, int] = {}
        self._shape: list[tuple[int, int, list[tuple[int, int]]]] = []
        self._steps = self._unweighed([])
        self.layers, self.root = self._laid_out(deck, fields)

    def tallies(self, guide: Guide, more: Sequence[Factor]) -> Tallies:
        """The factors that a guide has forgotten or never known, and some more, put together by place."""
        last = len(self.cards)
        kept = [
            factor
            for k, factor in enumerate(self._factors)
            if k not in self._bits or guide.since[self._bits[k]] <= last
        ]
        groups = list(self._grouped([*kept, *more]))
        shape = [(place, need, [(factor.cards, _radix(factor)) for factor in group]) for place, need, group in groups]
        if shape != self._shape:  # the steps depend on it alone: other habits of the askers change the weights only
            self._shape, self._steps = shape, self._unweighed(groups)
        final = np.zeros(self._steps.final.shape)
        for number, (_, need, group) in enumerate(groups):
            digits = _digits(group, need)
            weights = np.ones(len(digits))
            for k, factor in enumerate(group, 1):
                weights *= np.array(factor.values)[digits[:, k]]
            if need:
                weights[digits[:, 0] != need] = 0.0
            final[number, : len(weights)] = weights
        return self._steps._replace(final=final)

    def _unweighed(self, groups: Sequence[tuple[int, int, list[Factor]]]) -> Tallies:
        """The tallies of these groups, without their weights."""
        last = len(self.cards)
        most = max((_radices(group, need)[1] for _, need, group in groups), default=1)
        found = Tallies(
            places=np.array([place for place, _, _ in groups], np.int64),
            steps=np.full((len(groups), last, most), -1, np.int32),
            final=np.zeros((len(groups), most)),
            needs=np.zeros((len(groups), most), np.int64),
            alone=np.array([self._sure(groups, number) for number in range(len(groups))], np.bool_),
            here=np.zeros((len(groups), last), np.bool_),
        )
        for number, (place, need, group) in enumerate(groups):
            self._fill(found, number, place, need, group)
        return found

    def _sure(self, groups: Sequence[tuple[int, int, list[Factor]]], number: int) -> bool:
        """Whether the guide, or an earlier group of the place, sees to it that the hand is full."""
        place = groups[number][0]
        return place != self._envelope and (place in self._alone or place in {group[0] for group in groups[:number]})

    def _grouped(self, factors: Sequence[Factor]) -> Iterator[tuple[int, int, list[Factor]]]:
        """Factors of one place together, as many as one tally can hold, with what the place needs (0: unbounded)."""
        shared = [place for place, need in self._needs.items() if need and place not in self._alone]
        for place in sorted({factor.place for factor in factors} | set(shared)):
            need, group = self._needs.get(place, 0), list[Factor]()
            for factor in factors:
                if factor.place != place:
                    continue
                reached = factor.up_to(need) if need else factor
                if group and _radices([*group, reached], need)[1] > _MOST_VALUES:
                    yield place, need, group
                    group = []
                group.append(reached)
            yield place, need, group

    def _fill(self, found: Tallies, number: int, place: int, need: int, group: Sequence[Factor]) -> None:
        """Write how one tally counts."""
        radices, values = _radices(group, need)
        strides, digits = np.cumprod([1, *radices[:-1]]), _digits(group, need)
        counted = np.vstack([np.full(len(self.cards), need > 0), self._covered(group)])
        steps = np.arange(values) + counted.T @ ((digits < np.array(radices) - 1) * strides).T
        if need:
            found.needs[number, :values] = need - digits[:, 0]
            steps[:, digits[:, 0] == need] = -1
        here = np.array([self._may[place] >> card & 1 for card in self.cards], np.bool_)
        found.here[number] = here
        found.steps[number, here, :values] = steps[here]

    def weights(self, odds: Floats) -> Floats:
        """Weights of cards (cards, places) as weights of slots (layers, slots)."""
        found: Floats = odds[np.array(self.cards, np.int64)[:, None], self.layers.places]
        return found

    # ---- inside --------------------------------------------------------------------------------

    def _covered(self, factors: Sequence[Factor]) -> NDArray[np.bool_]:
        """Whether each factor is about the card of each layer: (factors, layers)."""
        rows = [[factor.cards >> card & 1 for card in self.cards] for factor in factors]
        return np.array(rows, np.bool_).reshape(len(factors), len(self.cards))

    def _in_order(self, deck: Deck, factors: Sequence[Factor]) -> list[int]:
        """Cards of many clauses late among the suspects and soon among the weapons, so that few are open at once."""
        there = 0
        for possible in self._may:
            there |= possible
        rank = {card: sum(factor.clause and factor.cards >> card & 1 for factor in factors) for card in bits(there)}
        found: list[int] = []
        for category in ORDER:
            cards = bits(there & deck.masks[category])
            found += sorted(cards, key=lambda card: -rank[card] if category == 1 else rank[card])
        return found

    def _fields(self, width: int) -> list[_Field]:
        """A field for each place that needs cards; the least share one while there would be too many states."""
        fields = [_Field((place,), need) for place, need in self._needs.items() if need]
        while len(fields) > 1 and 2 * _most_vectors([field.need for field in fields]) > width:
            fields.sort(key=lambda field: field.need)
            a, b, *others = fields
            fields = [*others, _Field(a.members + b.members, a.need + b.need)]
        return sorted(fields)

    def _laid_out(self, deck: Deck, fields: Sequence[_Field]) -> tuple[Layers, int]:
        units = {self._envelope: WAITS}
        masks = {self._envelope: WAITS}
        guards, needs, root, offset = 0, 0, 0, 1
        for field in fields:
            size = field.need.bit_length()
            for place in field.members:
                units[place], masks[place] = 1 << offset, ((1 << size) - 1) << offset
            needs |= ((1 << size) - 1) << offset
            guards |= 1 << offset + size
            root |= field.need << offset
            offset += size + 1
        layers = self._blank((guards, needs))
        left = dict.fromkeys(range(len(fields)), 0)
        for at in range(len(self.cards) - 1, -1, -1):
            card = self.cards[at]
            places = [place for place, cards in enumerate(self._may) if cards >> card & 1]
            layers.slots[at] = len(places)
            layers.caps[at] = guards
            for k, field in enumerate(fields):
                layers.caps[at] |= min(left[k], field.need) * units[field.members[0]]
                left[k] += any(place in field.members for place in places)
            for slot, place in enumerate(places):
                layers.places[at, slot] = place
                layers.units[at, slot], layers.fields[at, slot] = units[place], masks[place]
        root |= self._openings(deck, layers)
        self._keep_clauses(layers, offset)
        return layers, root

    def _openings(self, deck: Deck, layers: Layers) -> int:
        """Mark where the envelope starts to need a card of a category, and must have it; returns the root's bit."""
        kinds = [deck.category(card) for card in self.cards]
        root = 0
        for at, kind in enumerate(kinds):
            if not self._categories[kind]:
                continue
            if at == 0:
                root = WAITS
            elif kinds[at - 1] != kind:
                layers.adds[at - 1] = WAITS
            if at + 1 == len(kinds) or kinds[at + 1] != kind:
                layers.shut[at] = WAITS
        return root

    def _keep_clauses(self, layers: Layers, offset: int) -> None:
        """A bit for each clause, those first that will hardly be satisfied by themselves."""
        likely = self._balanced()
        clauses = []
        for k, factor in enumerate(self._factors):
            if factor.clause:
                misses = np.where(self._inside[k], 1.0 - likely[:, factor.place], 1.0)
                clauses.append((1.0 - float(misses.prod()), k))
        for bit, (_, k) in enumerate(sorted(clauses)[: _BITS - offset], offset):
            self._bits[k] = bit
            place = self._factors[k].place
            inside = np.flatnonzero(self._inside[k])
            missed = 1.0
            for at in range(len(self.cards) - 1, -1, -1):
                if inside[0] <= at < inside[-1]:
                    layers.hopes[at, bit] = 1.0 - missed
                if self._inside[k, at]:
                    missed *= 1.0 - likely[at, place]
            layers.closed[inside[-1]] |= 1 << bit
            slots = layers.places == place
            layers.marks[slots & self._inside[k][:, None]] |= 1 << bit
            if place in self._alone:
                layers.wanted[slots] |= 1 << bit

    def _balanced(self) -> Floats:
        """Roughly how likely each card is where, by where it can be and who needs it: an array (layers, columns).

        The columns are the places without the envelope, and then the envelope's card of each category.
        """
        places = [*self._may[:-1], *(self._may[-1] & mask for mask in self._categories)]  # the envelope needs three
        needs = [*(self._needs.values()), *(mask > 0 for mask in self._categories)]
        rows = [[cards >> card & 1 for cards in places] for card in self.cards]
        table = np.array(rows, float).reshape(len(rows), len(places))
        for _ in range(_ROUNDS):
            table *= needs / np.maximum(table.sum(0), 1e-300)
            table /= np.maximum(table.sum(1, keepdims=True), 1e-300)
        return table

    def _blank(self, masks: tuple[int, int]) -> Layers:
        count = len(self.cards)
        slots = max((sum(cards >> card & 1 for cards in self._may) for card in self.cards), default=1)
        return Layers(
            slots=np.zeros(count, np.int64),
            places=np.full((count, slots), 0, np.int64),
            units=np.zeros((count, slots), np.int64),
            fields=np.zeros((count, slots), np.int64),
            marks=np.zeros((count, slots), np.int64),
            wanted=np.zeros((count, slots), np.int64),
            caps=np.zeros(count, np.int64),
            closed=np.zeros(count, np.int64),
            adds=np.zeros(count, np.int64),
            shut=np.zeros(count, np.int64),
            masks=masks,
            hopes=np.full((count, _BITS + 1), -1.0),
        )


def _radices(factors: Sequence[Factor], need: int) -> tuple[list[int], int]:
    """How many digits a hand and some factors have each, and how many numbers that makes; a clause counts to one."""
    radices = [need + 1, *map(_radix, factors)]
    return radices, prod(radices)


def _radix(factor: Factor) -> int:
    return 2 if factor.clause else len(factor.values)


def _digits(factors: Sequence[Factor], need: int) -> Ints:
    """The digits of each value of a tally: one for the cards of the hand, if it is bounded, and one for each factor."""
    radices, values = _radices(factors, need)
    found: Ints = np.arange(values)[:, None] // np.cumprod([1, *radices[:-1]]) % radices
    return found


def _most_vectors(needs: Sequence[int]) -> int:
    """The greatest number of ways in which some places can still need a given number of cards together."""
    ways = np.ones(1)
    for need in needs:
        ways = np.convolve(ways, np.ones(need + 1))
    return int(ways.max())
