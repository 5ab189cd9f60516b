"""Reasons: complete, none too many, smallest; and words a person can check."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from helpers import knowledge_tables as tables
from pysat.examples.optux import OptUx
from pysat.formula import WCNFPlus

from cluedo.ai.knowledge import Evidence, InconsistentEvidence, SatDeducer, explain
from cluedo.ai.knowledge.models import UNIFORM
from cluedo.ai.knowledge.sat import background, clauses_of, variable
from cluedo.ai.knowledge.seat_knowledge import SeatKnowledge
from cluedo.engine.entries import Entry


def decided(evidence):
    sat = SatDeducer(evidence)
    pairs = [(card, place) for card in range(evidence.deck.size) for place in range(evidence.seats + 1)]
    return [pair for pair in pairs if sat.status(*pair) is not None], [p for p in pairs if sat.status(*p) is None]


def test_brute_force():
    """On the tiny deck: the facts prove it, fewer do not, and no smaller set of facts at all does."""
    rng = Random("reasons")
    for _ in range(25):
        evidence, _ = tables.table(tables.plain_deck(3, 3, 3), rng.randint(2, 4), rng.randrange(1, 5), rng)
        deals = tables.all_deals(evidence.deck, evidence.sizes)
        facts = [fact for fact in (*evidence.given, *evidence.facts) if clauses_of(fact, evidence)]
        truth = {fact: tables.true_in(deals, fact, evidence) for fact in facts}

        def proves(some, card, place, proved, deals=deals, truth=truth):
            left = deals[np.logical_and.reduce([np.ones(len(deals), bool), *(truth[fact] for fact in some)])]
            return ((left[:, card] == place) == proved).all()

        known, _ = decided(evidence)
        for card, place in rng.sample(known, min(4, len(known))):
            found = explain(evidence, card, place)
            assert found.smallest
            assert proves(found.facts, card, place, found.proved)
            fewer = combinations(facts, len(found.facts) - 1)
            assert not any(proves(some, card, place, found.proved) for some in fewer)


def optux_size(evidence, card, place, proved):
    """The size of a smallest reason by python-sat's own program."""
    formula = WCNFPlus()
    places = evidence.seats + 1
    for other in range(evidence.deck.size):
        spots = [variable(other, where, places) for where in range(places)]
        formula.append(spots)
        formula.append([spots, 1], is_atmost=True)
    for cards, where, size in background(evidence.deck, evidence.sizes):
        spots = [variable(other, where, places) for other in cards]
        formula.append([spots, size], is_atmost=True)
        formula.append([[-spot for spot in spots], len(spots) - size], is_atmost=True)
    spot = variable(card, place, places)
    formula.append([-spot if proved else spot])
    switch = evidence.deck.size * places
    for fact in (*evidence.given, *evidence.facts):
        clauses = clauses_of(fact, evidence)
        if clauses:
            switch += 1
            for clause in clauses:
                formula.append([*clause, -switch])
            formula.append([switch], weight=1)
    with OptUx(formula, solver="mc", puresat=False) as optux:
        return len(optux.compute())


def test_full_size_against_optux():
    rng = Random("optux")
    for _ in range(40):
        evidence, places = tables.table(tables.named_deck("classic"), rng.randint(2, 6), rng.randrange(4, 16), rng)
        known, _ = decided(evidence)
        for card, place in rng.sample(known, min(3, len(known))):
            found = explain(evidence, card, place)
            assert found.proved is (places[card] == place)
            assert found.smallest
            assert len(found.facts) == optux_size(evidence, card, place, found.proved)
            bounded = explain(evidence, card, place, seconds=0.0)
            assert bounded.smallest is (len(bounded.facts) <= 1)
            assert len(bounded.facts) >= len(found.facts)
            assert ("may exist" in bounded.text) is not bounded.smallest


def test_with_more_time_a_reason_is_looked_for_again():
    rng = Random("again")
    evidence, _ = tables.table(tables.named_deck("classic"), 4, 12, rng)
    seat = SeatKnowledge(evidence, UNIFORM)
    card, place = next(pair for pair in decided(evidence)[0] if len(explain(evidence, *pair).facts) > 1)
    assert not seat.why(card, place, seconds=0.0).smallest
    assert seat.why(card, place, seconds=60.0).smallest


def test_open_pairs_have_two_examples():
    rng = Random("open")
    for _ in range(30):
        evidence, _ = tables.table(tables.named_deck("manoir"), rng.randint(2, 6), 6, rng)
        _, open_pairs = decided(evidence)
        for card, place in rng.sample(open_pairs, min(2, len(open_pairs))):
            found = explain(evidence, card, place)
            assert found.proved is None
            assert 0.0 < found.probability < 1.0
            within, without = found.examples
            assert within[card] == place != without[card]
            for fact in (*evidence.given, *evidence.facts):
                assert tables.true_in(np.array(found.examples), fact, evidence).all()


def mine(*hand):
    """What a player with these cards knows at the deal of a game of three."""
    deck = tables.named_deck("classic")
    return Evidence(deck, (6, 6, 6), 0, deck.mask(hand), names=("Me", "Ann", "Bob"))


def test_words():
    evidence = mine("Scarlett", "Dagger", "Hall", "Study", "Lounge", "Kitchen")
    deck = evidence.deck
    triple = deck.triple(["Scarlett", "Rope", "Hall"])
    tables.note(evidence, 7, Entry.hypothesis(3, 0, triple, {}))
    found = explain(evidence, deck.id("Rope"), 3)
    assert found.text.splitlines() == [
        "You hold Scarlett, Dagger, Study, Hall, Lounge and Kitchen.",
        "Turn 7: Ann could not show Scarlett, Rope or Hall.",
        "Turn 7: Bob could not show Scarlett, Rope or Hall.",
        "Therefore Rope is in the envelope.",
        "(No smaller reason exists.)",
    ]
    text = explain(evidence, deck.id("Plum"), 1).text
    assert text.startswith("It is not known whether Ann holds Plum: 40 % (model uniform).")
    assert explain(evidence, deck.id("Rope"), 1).text.splitlines()[-2] == "Therefore Ann does not hold Rope."


def test_examples_are_told_as_conclusions_are():
    evidence = mine("Scarlett", "Dagger", "Hall", "Study", "Lounge", "Kitchen")
    deck = evidence.deck
    _, within, without = explain(evidence, deck.id("Rope"), 3).text.splitlines()
    assert within.startswith("A deal that fits where Rope is in the envelope: envelope: ")
    assert without.startswith("A deal that fits where Rope is not in the envelope: envelope: ")
    _, within, without = explain(evidence, deck.id("Rope"), 1).text.splitlines()
    assert within.startswith("A deal that fits where Ann holds Rope: envelope: ")
    assert without.startswith("A deal that fits where Ann does not hold Rope: envelope: ")


@pytest.mark.parametrize("seconds", [1.0, 0.0])
def test_my_cards_are_quoted_rather_than_what_i_did_with_them(seconds):
    evidence = mine("Scarlett", "Rope", "Hall", "Study", "Lounge", "Kitchen")
    deck = evidence.deck
    triple = deck.triple(["Plum", "Rope", "Library"])
    tables.note(evidence, 1, Entry.hypothesis(3, 1, triple, {0: deck.id("Rope")}))
    tables.note(evidence, 2, Entry.hypothesis(3, 2, triple, {0: deck.id("Rope")}))
    text = explain(evidence, deck.id("Rope"), 3, seconds=seconds).text
    assert text.splitlines()[:2] == ["You hold Rope.", "Therefore Rope is not in the envelope."]


def test_contradictory_evidence_is_not_explained():
    deck = tables.named_deck("classic")
    evidence = Evidence(deck, (6, 6, 6))
    tables.note(evidence, 1, Entry.accusation(0, (0, 6, 12), correct=True))
    tables.note(evidence, 2, Entry.accusation(1, (0, 6, 12), correct=False))
    with pytest.raises(InconsistentEvidence, match="rightly; Turn 2: P2 accused"):
        explain(evidence, 0, 0)
