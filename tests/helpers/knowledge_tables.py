"""Random tables, and oracles that share no code with the engines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.evidence import Evidence, Fact
from cluedo.ai.knowledge.models import AskerKind
from cluedo.engine.cards import Deck
from cluedo.engine.entries import Entry
from cluedo.engine.events import Accused, HypothesisMade, Passed, Shown

ROOT = Path(__file__).parents[2]


@cache
def named_deck(name: str) -> Deck:
    """The deck of a map."""
    data = json.loads((ROOT / "cluedo" / "maps" / f"{name}.json").read_text(encoding="utf-8"))
    return Deck(*([card["name"] for card in data[kind]] for kind in ("suspects", "weapons", "rooms")))


@cache
def plain_deck(suspects: int, weapons: int, rooms: int) -> Deck:
    """A deck without a board."""
    return Deck(*([f"{kind}{k}" for k in range(n)] for kind, n in zip("SWR", (suspects, weapons, rooms), strict=True)))


def fair_sizes(deck: Deck, seats: int) -> tuple[int, ...]:
    """Hand sizes as dealt round the table."""
    return tuple((deck.size - 3 - seat + seats - 1) // seats for seat in range(seats))


def deal(deck: Deck, sizes: tuple[int, ...], rng: Random) -> list[int]:
    """A random deal: the place of each card."""
    places = [-1] * deck.size
    for ids in deck.ids:
        places[rng.choice(ids)] = len(sizes)
    rest = [card for card in range(deck.size) if places[card] < 0]
    rng.shuffle(rest)
    for seat, size in enumerate(sizes):
        for _ in range(size):
            places[rest.pop()] = seat
    return places


def note(evidence: Evidence, turn: int, entry: Entry) -> None:
    """Add a hypothesis with its answers, or an accusation."""
    for event in entry.events:
        evidence.add(Fact(turn, event, entry.cards))


def table(
    deck: Deck,
    seats: int,
    hypotheses: int,
    rng: Random,
    *,
    spectator: bool | None = None,
    accusations: float = 0.1,
    free: bool | None = None,
) -> tuple[Evidence, list[int]]:
    """What one person knows after some truthful hypotheses, and the deal behind it."""
    sizes = fair_sizes(deck, seats)
    places = deal(deck, sizes, rng)
    watches = rng.random() < 0.15 if spectator is None else spectator
    me = None if watches else rng.randrange(seats)
    hand = sum(1 << card for card in range(deck.size) if places[card] == me)
    evidence = Evidence(deck, sizes, me, hand, free=rng.random() < 0.5 if free is None else free)
    for turn in range(1, hypotheses + 1):
        asker = rng.randrange(seats)
        s, w, r = (rng.choice(ids) for ids in deck.ids)
        refuter, card = None, None
        for step in range(1, seats):
            seat = (asker + step) % seats
            could = [c for c in (s, w, r) if places[c] == seat]
            if could:
                refuter = seat
                card = rng.choice(could) if me in (asker, seat) else None
                break
        note(evidence, turn, Entry.hypothesis(seats, asker, (s, w, r), refuter, card))
        if rng.random() < accusations:
            s, w, r = (rng.choice(ids) for ids in deck.ids)
            right = all(places[c] == seats for c in (s, w, r))
            note(evidence, turn, Entry.accusation(asker, (s, w, r), right))
    return evidence, places


@cache
def all_deals(deck: Deck, sizes: tuple[int, ...]) -> NDArray[np.int8]:
    """Every deal, an array (deals, cards) of places."""
    seats = len(sizes)

    def hands(cards: tuple[int, ...], seat: int) -> list[list[tuple[int, int]]]:
        if seat == seats:
            return [[]]
        return [
            [(card, seat) for card in hand] + more
            for hand in combinations(cards, sizes[seat])
            for more in hands(tuple(c for c in cards if c not in hand), seat + 1)
        ]

    found = []
    rest_of = [tuple(range(deck.size - 3))]
    patterns = np.array([[p for _, p in sorted(one)] for one in hands(rest_of[0], 0)], np.int8)
    for envelope in product(*deck.ids):
        block = np.full((len(patterns), deck.size), seats, np.int8)
        block[:, [c for c in range(deck.size) if c not in envelope]] = patterns
        found.append(block)
    return np.concatenate(found)


def fitting(evidence: Evidence) -> NDArray[np.int8]:
    """Every deal that fits the facts, one by one from their meaning."""
    deals = all_deals(evidence.deck, evidence.sizes)
    if evidence.me is not None:
        mine = np.array([evidence.hand >> card & 1 for card in range(evidence.deck.size)], bool)
        deals = deals[((deals == evidence.me) == mine).all(1)]
    for fact in evidence.facts:
        triple = fact.cards
        match fact.event:
            case Passed(seat):
                deals = deals[(deals[:, triple] != seat).all(1)]
            case Shown(seat, _, None):
                deals = deals[(deals[:, triple] == seat).any(1)]
            case Shown(seat, _, card):
                deals = deals[deals[:, card] == seat]
            case Accused(correct=False):
                deals = deals[~(deals[:, triple] == evidence.seats).all(1)]
            case Accused():
                deals = deals[(deals[:, triple] == evidence.seats).all(1)]
    return deals


def weigh(evidence: Evidence, deals: NDArray[np.int8], choice: bool, habits: list[float] | None) -> NDArray[np.float64]:
    """The weight of each deal under the models, from their definition."""
    weights = np.ones(len(deals))
    seen: set[tuple[int, int]] = set()
    for fact in evidence.facts:
        event = fact.event
        if choice and isinstance(event, Shown) and event.card is not None and event.asker == evidence.me:
            if (event.seat, event.card) not in seen:
                seen.add((event.seat, event.card))
                weights /= (deals[:, fact.cards] == event.seat).sum(1)
        elif habits is not None and isinstance(event, HypothesisMade) and event.seat != evidence.me:
            fond = habits[event.seat]
            for ids, card in zip(evidence.deck.ids, fact.cards, strict=True):
                if ids is evidence.deck.rooms and not evidence.free:
                    continue
                held = (deals[:, ids] == event.seat).sum(1)
                own = deals[:, card] == event.seat
                weights *= np.where(own, fond, 1.0) / (len(ids) + (fond - 1.0) * held)
    return weights


def weigh_kinds(evidence: Evidence, deals: NDArray[np.int8], kinds: Sequence[AskerKind]) -> NDArray[np.float64]:
    """The weights, an array (kinds, deals), of each deal under each kind, its prior included, from their definition."""
    weights = np.outer([kind.prior for kind in kinds], weigh(evidence, deals, True, None))
    told: set[tuple[int, int]] = set()
    for fact in evidence.facts:
        event = fact.event
        if isinstance(event, Shown) and event.seat == evidence.me and event.card is not None:
            told.add((event.asker, event.card))
        if not isinstance(event, HypothesisMade) or event.seat == evidence.me:
            continue
        for ids, card in zip(evidence.deck.ids, fact.cards, strict=True):
            if ids is evidence.deck.rooms and not evidence.free:
                continue
            for row, kind in zip(weights, kinds, strict=True):
                fond = {
                    named: np.where(deals[:, named] == event.seat, kind.own, 1.0)
                    * (kind.again if (event.seat, named) in told else 1.0)
                    for named in ids
                }
                row *= fond[card] / sum(fond.values())
    return weights


def marginals(deals: NDArray[np.int8], weights: NDArray[np.float64], places: int) -> NDArray[np.float64]:
    """P(card at place) by adding up."""
    return np.stack([((deals == place) * weights[:, None]).sum(0) for place in range(places)], 1) / weights.sum()


def joint(deck: Deck, deals: NDArray[np.int8], weights: NDArray[np.float64], envelope: int) -> NDArray[np.float64]:
    """P(envelope) by adding up."""
    found = np.zeros(tuple(len(ids) for ids in deck.ids))
    at = [np.argmax(deals[:, ids] == envelope, 1) for ids in deck.ids]
    np.add.at(found, tuple(at), weights)
    return found / weights.sum()


def count_without_events(deck: Deck, sizes: tuple[int, ...], may: list[int]) -> int:
    """Deals under masks alone: a coefficient of a product of polynomials, one factor a card."""
    seats = len(sizes)
    poly = np.zeros((2, *(size + 1 for size in sizes)), np.int64 if deck.size < 24 else object)
    poly[(0,) * (seats + 1)] = 1
    for ids in deck.ids:
        for card in ids:
            new = np.zeros_like(poly)
            for place in range(seats + 1):
                if may[place] >> card & 1:
                    axis = 0 if place == seats else place + 1
                    to = tuple(slice(1, None) if a == axis else slice(None) for a in range(seats + 1))
                    source = tuple(slice(None, -1) if a == axis else slice(None) for a in range(seats + 1))
                    new[to] += poly[source]
            poly = new
        poly[0] = poly[1]  # the envelope has its card of this category
        poly[1] = 0
    return int(poly[(0, *sizes)])


def inclusion_exclusion(evidence: Evidence, card: int | None = None, place: int | None = None) -> int:
    """The number of deals, with signs over subsets of the refutations and failed accusations."""
    deck, seats = evidence.deck, evidence.seats
    may = [deck.all] * (seats + 1)
    wants: set[tuple[int, int]] = set()
    bans: set[int] = set()

    def put(where: int, cards: int) -> None:
        for other in range(seats + 1):
            if other != where:
                may[other] &= ~cards

    if evidence.me is not None:
        put(evidence.me, evidence.hand)
        may[evidence.me] &= evidence.hand
    if card is not None and place is not None:
        put(place, 1 << card)
    for fact in evidence.facts:
        mask = sum(1 << c for c in fact.cards)
        match fact.event:
            case Passed(seat):
                may[seat] &= ~mask
            case Shown(seat, _, None):
                wants.add((seat, mask))
            case Shown(seat, _, shown):
                put(seat, 1 << shown)
            case Accused(correct=False):
                bans.add(mask)
            case Accused():
                put(seats, mask)
    terms: list[tuple[str, int, int]] = [("want", seat, mask) for seat, mask in wants]
    terms += [("ban", 0, mask) for mask in bans]

    def total(index: int, now: list[int]) -> int:
        while index < len(terms):
            kind, seat, mask = terms[index]
            touched = now[seat] & mask if kind == "want" else (now[seats] & mask == mask)
            if not touched:
                if kind == "want":
                    return 0
                index += 1
                continue
            other = list(now)
            if kind == "want":
                other[seat] &= ~mask
            else:
                for p in range(seats):
                    other[p] &= ~mask
            return total(index + 1, now) - total(index + 1, other)
        return count_without_events(deck, evidence.sizes, now)

    return total(0, may)
