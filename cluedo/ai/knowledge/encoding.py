"""Evidence as clauses and cardinality constraints over one variable for each (card, place)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pysat.solvers import Solver

from cluedo.ai.knowledge.evidence import Evidence, Open, Own, Premise
from cluedo.engine.cards import Deck
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown

__all__ = ["background", "clauses_of", "new_solver", "variable"]


def variable(card: int, place: int, places: int) -> int:
    """The variable (from 1) that says that ``card`` is at ``place``."""
    return card * places + place + 1


def new_solver(evidence: Evidence) -> Any:
    """A solver that knows the background of some evidence: what holds at its table before a card is seen.

    minicard takes "at most" constraints natively; "at least" is "at most" of the opposites.
    """
    solver = Solver(name="minicard")
    deck, places = evidence.deck, evidence.places
    for card in range(deck.size):
        spots = [variable(card, place, places) for place in range(places)]
        solver.add_clause(spots)
        solver.add_atmost(spots, 1)
    for cards, place, size in background(deck, evidence.counts):
        spots = [variable(card, place, places) for card in cards]
        solver.add_atmost(spots, size)
        solver.add_atmost([-spot for spot in spots], len(spots) - size)
    return solver


def background(deck: Deck, counts: Sequence[int]) -> Iterator[tuple[range, int, int]]:
    """Cards, place and how many of them are there: ``counts`` by place, and one of each category in the envelope."""
    for place, count in enumerate(counts):
        yield range(deck.size), place, count
    for ids in deck.ids:
        yield ids, len(counts), 1


def clauses_of(fact: Premise, evidence: Evidence) -> list[list[int]]:
    """What a fact says, as clauses; none for a fact that proves nothing."""
    places, envelope = evidence.places, evidence.envelope
    if isinstance(fact, Own | Open):
        place = evidence.me if isinstance(fact, Own) else evidence.open_at
        assert place is not None
        return [[variable(fact.card, place, places)]]
    match fact.event:
        case Passed(seat):
            return [[-variable(card, seat, places)] for card in fact.cards]
        case Shown(seat, _, None):
            return [[variable(card, seat, places) for card in fact.cards]]
        case Shown(seat, _, shown):
            assert shown is not None
            return [[variable(shown, seat, places)]]
        case Accused(correct=False):
            return [[-variable(card, envelope, places) for card in fact.cards]]
        case Accused():
            return [[variable(card, envelope, places)] for card in fact.cards]
        case HypothesisMade(seat) if evidence.rules.own_cards == "not_all" and seat != evidence.me:
            return [[-variable(card, seat, places) for card in fact.cards]]
        case Peeked(_, _, int(seen)) if evidence.pool_at is not None:
            return [[variable(seen, evidence.pool_at, places)]]
        case HandShown(seat, cards):
            return [[variable(card, seat, places)] for card in cards]
    return []
