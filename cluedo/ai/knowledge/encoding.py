"""Evidence as clauses and cardinality constraints over one variable for each (card, place)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pysat.solvers import Solver

from cluedo.ai.knowledge.evidence import Evidence, Fact, Own
from cluedo.engine.cards import Deck
from cluedo.engine.events import Accused, Passed, Shown

__all__ = ["background", "clauses_of", "new_solver", "variable"]


def variable(card: int, place: int, places: int) -> int:
    """The variable (from 1) that says that ``card`` is at ``place``."""
    return card * places + place + 1


def new_solver(deck: Deck, sizes: Sequence[int]) -> Any:
    """A solver that knows the background: what holds at any table before a card is seen.

    minicard takes "at most" constraints natively; "at least" is "at most" of the opposites.
    """
    solver = Solver(name="minicard")
    places = len(sizes) + 1
    for card in range(deck.size):
        spots = [variable(card, place, places) for place in range(places)]
        solver.add_clause(spots)
        solver.add_atmost(spots, 1)
    for cards, place, size in background(deck, sizes):
        spots = [variable(card, place, places) for card in cards]
        solver.add_atmost(spots, size)
        solver.add_atmost([-spot for spot in spots], len(spots) - size)
    return solver


def background(deck: Deck, sizes: Sequence[int]) -> Iterator[tuple[range, int, int]]:
    """Cards, place and how many of the cards are there: the hands, and one of each category in the envelope."""
    for seat, size in enumerate(sizes):
        yield range(deck.size), seat, size
    for ids in deck.ids:
        yield ids, len(sizes), 1


def clauses_of(fact: Own | Fact, evidence: Evidence) -> list[list[int]]:
    """What a fact says, as clauses; none for a fact that proves nothing."""
    places, envelope = evidence.seats + 1, evidence.seats
    if isinstance(fact, Own):
        assert evidence.me is not None
        return [[variable(fact.card, evidence.me, places)]]
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
    return []
