"""Random tables, and oracles that share no code with the solvers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.evidence import Evidence, Fact, Given
from cluedo.ai.knowledge.models import CHOICE, AskerKind, Model
from cluedo.ai.knowledge.posterior import Posterior
from cluedo.engine.cards import Deck, Triple, bits
from cluedo.engine.entries import Entry
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown
from cluedo.engine.rules import Rules

ROOT = Path(__file__).parents[2]
BOX = Rules()


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
    rules: Rules = BOX,
) -> tuple[Evidence, list[int]]:
    """What one person knows after some truthful hypotheses, and the deal behind it."""
    pool, face_up = rules.set_aside(deck.size - 3, seats)
    sizes = tuple((deck.size - 3 - pool - face_up - seat + seats - 1) // seats for seat in range(seats))
    places = deal(deck, (*sizes, *[count for count in (pool, face_up) if count]), rng)
    watches = rng.random() < 0.15 if spectator is None else spectator
    me = None if watches else rng.randrange(seats)
    hand = cards_at(me, places)
    open_cards = cards_at(seats + (pool > 0), places) if face_up else 0
    free = rng.random() < 0.5 if free is None else free
    evidence = Evidence(deck, sizes, me, hand, free=free, pool_size=pool, open_cards=open_cards, rules=rules)
    out: set[int] = set()
    for turn in range(1, hypotheses + 1):
        asker = rng.choice([seat for seat in range(seats) if seat not in out])
        triple = ask(evidence, turn, asker, places, rng)
        if rng.random() < accusations and len(out) < seats - 1:
            s, w, r = (rng.choice(ids) for ids in deck.ids)
            right = all(places[c] == evidence.envelope for c in (s, w, r))
            evidence.add(Fact(turn, Accused(asker, s, w, r, right), (s, w, r)))
            if rules.wrong_shows_hand and not right:
                out.add(asker)
                evidence.add(Fact(turn, HandShown(asker, tuple(bits(cards_at(asker, places))))))
        assert evidence.me != asker or evidence.may_ask(triple)
    return evidence, places


def cards_at(place: int | None, places: list[int]) -> int:
    """The mask of the cards at a place of a deal."""
    return sum(1 << card for card, at in enumerate(places) if at == place)


def ask(evidence: Evidence, turn: int, asker: int, places: list[int], rng: Random) -> Triple:
    """Add somebody's hypothesis, its answers and, where the house has it so, a look into the pool."""
    rules, me, seats = evidence.rules, evidence.me, evidence.seats
    while True:
        triple = s, w, r = tuple(rng.choice(ids) for ids in evidence.deck.ids)
        if rules.own_cards == "any" or any(places[card] != asker for card in triple):
            break
    evidence.add(Fact(turn, HypothesisMade(asker, s, w, r), (s, w, r)))
    for step in range(1, seats):
        seat = (asker + step) % seats
        could = [card for card in triple if places[card] == seat]
        if not could:
            evidence.add(Fact(turn, Passed(seat), (s, w, r)))
            continue
        card = rng.choice(could) if me in (asker, seat) else None
        evidence.add(Fact(turn, Shown(seat, asker, card), (s, w, r)))
        if rules.refuters == "first":
            return s, w, r
    unanswered = all(places[card] in (asker, *range(seats, evidence.places)) for card in triple)
    if rules.peek and evidence.pool_at is not None and unanswered:
        pool = bits(cards_at(evidence.pool_at, places))
        position = rng.randrange(len(pool))
        evidence.add(Fact(turn, Peeked(asker, position, pool[position] if me == asker else None)))
    return s, w, r


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
    deals = all_deals(evidence.deck, evidence.counts)
    for place, cards in ((evidence.me, evidence.hand), (evidence.open_at, evidence.has[evidence.open_at or 0])):
        if place is not None:
            there = np.array([cards >> card & 1 for card in range(evidence.deck.size)], bool)
            deals = deals[((deals == place) == there).all(1)]
    for fact in evidence.facts:
        deals = deals[true_in(deals, fact, evidence)]
    return deals


def true_in(deals: NDArray[np.int8], fact: Fact | Given, evidence: Evidence) -> NDArray[np.bool_]:
    """In which of some deals a fact is true, from its meaning."""
    if isinstance(fact, Given):
        return deals[:, fact.card] == fact.place
    three = deals[:, fact.cards]
    match fact.event:
        case HypothesisMade(seat) if evidence.rules.own_cards == "not_all":
            return ~(three == seat).all(1)
        case Passed(seat):
            return (three != seat).all(1)
        case Shown(seat, _, None):
            return (three == seat).any(1)
        case Shown(seat, _, card):
            return deals[:, card] == seat
        case Peeked(_, _, int(card)):
            return deals[:, card] == evidence.pool_at
        case HandShown(seat, cards):
            return (deals[:, cards] == seat).all(1)
        case Accused(correct=False):
            return ~(three == evidence.envelope).all(1)
        case Accused():
            return (three == evidence.envelope).all(1)
    return np.ones(len(deals), np.bool_)


def weigh(evidence: Evidence, deals: NDArray[np.int8], model: Model) -> NDArray[np.float64]:
    """The weight of each deal under a model, from its definition."""
    if model.kinds:
        found: NDArray[np.float64] = weigh_kinds(evidence, deals, model.kinds).sum(0)
        return found
    weights = np.ones(len(deals))
    seen: set[tuple[int, int]] = set()
    for fact in evidence.facts:
        event = fact.event
        shown_to_me = isinstance(event, Shown) and event.card is not None and event.asker == evidence.me
        if model.choice and shown_to_me and (event.seat, event.card) not in seen:
            seen.add((event.seat, event.card))
            weights /= (deals[:, fact.cards] == event.seat).sum(1)
    return weights


def weigh_kinds(evidence: Evidence, deals: NDArray[np.int8], kinds: Sequence[AskerKind]) -> NDArray[np.float64]:
    """The weights, an array (kinds, deals), of each deal under each kind, its prior included, from their definition."""
    weights = np.outer([kind.prior for kind in kinds], weigh(evidence, deals, CHOICE))
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


def count_without_events(deck: Deck, counts: tuple[int, ...], may: list[int]) -> int:
    """Deals under masks alone: a coefficient of a product of polynomials, one factor a card."""
    envelope = len(counts)
    poly = np.zeros((2, *(count + 1 for count in counts)), np.int64 if deck.size < 24 else object)
    poly[(0,) * (envelope + 1)] = 1
    for ids in deck.ids:
        for card in ids:
            new = np.zeros_like(poly)
            for place in range(envelope + 1):
                if may[place] >> card & 1:
                    axis = 0 if place == envelope else place + 1
                    to = tuple(slice(1, None) if a == axis else slice(None) for a in range(envelope + 1))
                    source = tuple(slice(None, -1) if a == axis else slice(None) for a in range(envelope + 1))
                    new[to] += poly[source]
            poly = new
        poly[0] = poly[1]  # the envelope has its card of this category
        poly[1] = 0
    return int(poly[(0, *counts)])


def inclusion_exclusion(evidence: Evidence, card: int | None = None, place: int | None = None) -> int:
    """The number of deals, with signs over subsets of the refutations and of what is not together."""
    deck, envelope = evidence.deck, evidence.envelope
    may = [deck.all] * evidence.places
    terms: dict[tuple[str, int, int], None] = {}

    def put(where: int, cards: int) -> None:
        for other in range(evidence.places):
            if other != where:
                may[other] &= ~cards

    for where, cards in ((evidence.me, evidence.hand), (evidence.open_at, evidence.has[evidence.open_at or 0])):
        if where is not None:
            put(where, cards)
            may[where] &= cards
    if card is not None and place is not None:
        put(place, 1 << card)
    for fact in evidence.facts:
        mask = sum(1 << c for c in fact.cards)
        match fact.event:
            case HypothesisMade(seat) if evidence.rules.own_cards == "not_all":
                terms["ban", seat, mask] = None
            case Passed(seat):
                may[seat] &= ~mask
            case Shown(seat, _, None):
                terms["want", seat, mask] = None
            case Shown(seat, _, shown):
                put(seat, 1 << shown)
            case Accused(correct=False):
                terms["ban", envelope, mask] = None
            case Accused():
                put(envelope, mask)
    listed = list(terms)

    def total(index: int, now: list[int]) -> int:
        while index < len(listed):
            kind, where, mask = listed[index]
            touched = now[where] & mask if kind == "want" else (now[where] & mask == mask)
            if not touched:
                if kind == "want":
                    return 0
                index += 1
                continue
            other = list(now)
            if kind == "want":
                other[where] &= ~mask
            else:
                for p in range(evidence.places):
                    if p != where:
                        other[p] &= ~mask
            return total(index + 1, now) - total(index + 1, other)
        return count_without_events(deck, evidence.counts, now)

    return total(0, may)


def check_against_brute_force(posterior: Posterior) -> None:
    """Its counts, probabilities and joint are those of the definition."""
    evidence, model = posterior.evidence, posterior.model
    deals = fitting(evidence)
    weights = weigh(evidence, deals, model)
    if model.kinds:
        by_kind = weigh_kinds(evidence, deals, model.kinds)
        np.testing.assert_allclose(posterior.shares, by_kind.sum(1) / weights.sum(), atol=1e-12)
    assert posterior.deals == len(deals)
    np.testing.assert_allclose(posterior.log_weight, np.log(weights.sum()), atol=1e-9)
    expected = marginals(deals, weights, evidence.places)
    np.testing.assert_allclose(posterior.marginals, expected, atol=1e-12)
    counts = marginals(deals, np.ones(len(deals)), evidence.places)
    for verdict in (0.0, 1.0):
        np.testing.assert_array_equal(posterior.marginals == verdict, counts == verdict)
    envelope = joint(evidence.deck, deals, weights, evidence.envelope)
    np.testing.assert_allclose(posterior.joint, envelope, atol=1e-12)
    np.testing.assert_array_equal(posterior.joint > 0, envelope > 0)
