"""The detective under the rules of editions and houses, against brute force on small decks."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from helpers import knowledge_tables as tables
from helpers.cases import cases
from helpers.knowledge_gains import brute_gain

from cluedo.ai.knowledge import (
    CHOICE,
    KINDS,
    UNIFORM,
    Evidence,
    Fact,
    Notebook,
    Posterior,
    SatDeducer,
    SeatKnowledge,
    explain,
    gain,
    sampled_gains,
)
from cluedo.ai.knowledge.gains import answers, best_in_rooms, every_gain
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown
from cluedo.engine.rules import Rules

MODELS = [UNIFORM, CHOICE, KINDS]
EDITIONS = {
    "the box": (5, Rules()),
    "two": (2, Rules(pool=3, peek=True)),
    "pool": (3, Rules(pool=1, peek=True)),
    "left open": (3, Rules(leftover="open")),
    "left in the pool": (3, Rules(leftover="pool", peek=True)),
    "not all one's own": (3, Rules(own_cards="not_all")),
    "two, not all one's own": (2, Rules(pool=2, own_cards="not_all")),
    "hands laid open": (4, Rules(wrong_shows_hand=True)),
    "all answer": (4, Rules(refuters="all")),
    "everything": (
        3,
        Rules(pool=2, leftover="open", peek=True, own_cards="not_all", wrong_shows_hand=True, refuters="all"),
    ),
    "seven": (7, Rules(leftover="open", own_cards="not_all")),
}
DECKS = [(3, 3, 3), (4, 3, 3), (3, 3, 4)]


def drawn(edition: str, rng: Random, **more: object) -> Evidence:
    """What somebody knows at a small table of an edition."""
    seats, rules = EDITIONS[edition]
    deck = tables.plain_deck(*((4, 3, 3) if seats == 7 else rng.choice(DECKS)))
    accusations = 0.3 if rules.wrong_shows_hand else 0.1
    return tables.table(deck, seats, rng.randrange(7), rng, rules=rules, accusations=accusations, **more)[0]


def check_proofs(evidence: Evidence) -> int:
    """The solver proves what all deals have in common, and the notebook nothing else; returns how many open pairs."""
    deals = tables.fitting(evidence)
    sat, notebook = SatDeducer(evidence), Notebook(evidence)
    counts = tables.marginals(deals, np.ones(len(deals)), evidence.places)
    for (card, place), share in np.ndenumerate(counts):
        truth = bool(share) if share in (0.0, 1.0) else None
        assert sat.status(card, place) is truth
        assert notebook.status(card, place) in (truth, None)
    return int(((counts > 0) & (counts < 1)).sum())


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("states", [12, pytest.param(cases(900, 30), marks=pytest.mark.slow)])
def test_counted_as_brute_force_does(edition, states):
    rng = Random(f"editions {edition}")
    opened = 0
    for number in range(states):
        evidence = drawn(edition, rng)
        tables.check_against_brute_force(Posterior(evidence, MODELS[number % len(MODELS)]))
        opened += check_proofs(evidence)
    assert opened, "not all was proved"


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(7, 11))
def test_many_seats_are_counted_as_inclusion_and_exclusion_do(seats):
    """Too many deals to list: ten suspects, four weapons and six rooms."""
    rng = Random(f"many {seats}")
    deck = tables.plain_deck(10, 4, 6)
    for number in range(cases(12, 4)):
        rules = Rules(leftover=rng.choice(["dealt", "open", "pool"]), own_cards=rng.choice(["any", "not_all"]))
        evidence, places = tables.table(deck, seats, 2 + number // 3, rng, rules=rules, spectator=False)
        posterior = Posterior(evidence, UNIFORM)
        assert posterior.deals == tables.inclusion_exclusion(evidence)
        card = rng.randrange(deck.size)
        ways = tables.inclusion_exclusion(evidence, card, places[card])
        assert posterior.marginals[card, places[card]] == pytest.approx(ways / posterior.deals)


@pytest.mark.parametrize("edition", ["the box", "two", "left in the pool", "all answer", "everything"])
@pytest.mark.parametrize("states", [9, pytest.param(cases(120, 12), marks=pytest.mark.slow)])
def test_a_question_tells_what_brute_force_adds_up(edition, states):
    rng = Random(f"gains {edition}")
    for number in range(states):
        model = MODELS[number % len(MODELS)]
        evidence = drawn(edition, rng, spectator=False)
        posterior = Posterior(evidence, model)
        triple = tuple(rng.choice(ids) for ids in evidence.deck.ids)
        assert gain(posterior, triple) == pytest.approx(brute_gain(evidence, model, triple), abs=1e-9)
        assert sum(p for p, _ in answers(posterior, triple)) == pytest.approx(1.0)


@pytest.mark.parametrize("edition", ["the box", "two", "all answer", "everything"])
def test_sampled_gains_come_near_the_exact_ones(edition):
    rng = Random(f"sampled {edition}")
    for _ in range(2):
        evidence = drawn(edition, rng, spectator=False)
        posterior = Posterior(evidence)
        triples = [tuple(rng.choice(ids) for ids in evidence.deck.ids) for _ in range(4)]
        found = sampled_gains(posterior, triples, posterior.sample(rng, 100_000))
        np.testing.assert_allclose(found, [gain(posterior, triple) for triple in triples], atol=0.02)


# ---- single rules ----------------------------------------------------------------------------------


DECK = tables.plain_deck(3, 3, 3)
S0, S1, S2, W0, W1, W2, R0, R1, R2 = range(9)


def test_whom_nobody_answers_may_hold_the_cards_but_not_all_three():
    deals = []
    for rules in (Rules(), Rules(own_cards="not_all")):
        evidence = Evidence(DECK, (3, 3), None, rules=rules)
        evidence.add(Fact(1, HypothesisMade(0, S0, W0, R0), (S0, W0, R0)))
        evidence.add(Fact(1, Passed(1), (S0, W0, R0)))
        deals.append(Posterior(evidence).deals)
    assert deals[1] == deals[0] - 8, "the envelope has one of the other two of each kind, and P2 the rest"
    evidence.add(Fact(2, Shown(0, 1, S0), (S0, W1, R1)))
    evidence.add(Fact(3, Shown(0, 1, W0), (S1, W0, R1)))
    assert SatDeducer(evidence).status(R0, 0) is False
    assert Posterior(evidence).marginals[R0, 0] == 0.0
    assert "asked about S0, W0 and R0, so does not hold all three" in explain(evidence, R0, 0).text
    assert explain(evidence, R0, evidence.envelope).proved is True


def test_a_refuted_hypothesis_takes_no_room_for_the_rule_on_own_cards():
    evidence = Evidence(DECK, (2, 2, 2), None, rules=Rules(own_cards="not_all"))
    evidence.add(Fact(1, HypothesisMade(0, S0, W0, R0), (S0, W0, R0)))
    assert list(evidence.bans) == [0, 0b001001001]
    evidence.add(Fact(1, Shown(1, 0, None), (S0, W0, R0)))
    assert not evidence.bans


def test_a_card_seen_in_the_pool_is_there_for_good():
    evidence = Evidence(DECK, (2, 2), 0, DECK.mask(["S0", "W0"]), pool_size=2, rules=Rules(pool=2, peek=True))
    assert (evidence.pool_at, evidence.envelope, evidence.to_peek) == (2, 3, 2)
    evidence.add(Fact(1, Peeked(1, 0, None)))
    assert Posterior(evidence).deals == Posterior(Evidence(DECK, (2, 2), 0, evidence.hand, pool_size=2)).deals
    evidence.add(Fact(2, Peeked(0, 1, R2)))
    assert SatDeducer(evidence).status(R2, 2) is True
    assert evidence.to_peek == 1
    assert evidence.place_names == ("P1", "P2", "pool", "envelope")
    assert explain(evidence, R2, evidence.envelope).lines[0] == "Turn 2: you saw R2 in the pool."


def test_open_cards_are_nowhere_else():
    evidence = Evidence(DECK, (2, 2), 0, DECK.mask(["S0", "W0"]), open_cards=DECK.mask(["R0", "R1"]))
    assert (evidence.pool_at, evidence.open_at, evidence.counts) == (None, 2, (2, 2, 2))
    assert SatDeducer(evidence).status(R2, evidence.envelope) is True
    text = explain(evidence, R2, evidence.envelope).text
    assert text.startswith("Open on the table: R0 and R1.\nTherefore R2 is in the envelope.")
    with pytest.raises(CluedoError, match="nobody holds"):
        Evidence(DECK, (2, 2), 0, DECK.mask(["S0", "W0"]), open_cards=DECK.mask(["S0", "R1"]))
    with pytest.raises(CluedoError, match="the hands hold 4 cards in all, not 6"):
        Evidence(DECK, (3, 3), None, pool_size=2)


def test_a_hand_laid_open_is_known_to_all():
    evidence = Evidence(DECK, (2, 2, 2), 0, DECK.mask(["S0", "W0"]))
    evidence.add(Fact(1, Accused(1, S1, W1, R1, False), (S1, W1, R1)))
    evidence.add(Fact(1, HandShown(1, (S2, R2))))
    sat = SatDeducer(evidence)
    assert sat.status(S1, evidence.envelope) is True
    assert [sat.status(card, 1) for card in (S2, R2, W2)] == [True, True, False]
    assert "P2 showed their hand: S2, R2" in explain(evidence, W2, 1).text


def test_what_may_not_be_asked_is_not_advised():
    hand = DECK.mask(["S0", "S1", "W0", "W1", "R0", "R1"])
    evidence = Evidence(DECK, (6, 0), 0, hand, rules=Rules(own_cards="not_all"))
    posterior = Posterior(evidence)
    assert not evidence.may_ask((S0, W0, R0))
    assert evidence.may_ask((S0, W0, R2))
    best = SeatKnowledge(evidence, posterior.model).best(30)
    found = [triple for triple, _ in (*best, *best_in_rooms(posterior, Random(1)))]
    assert all(evidence.may_ask(triple) for triple in found)
    assert every_gain(posterior)[0, 0, 0] == 0.0


@pytest.mark.parametrize("seats", [1, 11])
def test_two_to_ten_can_sit_at_a_table(seats):
    with pytest.raises(CluedoError, match="played by 2 to 10 players"):
        Evidence(tables.plain_deck(11, 3, 3), (14 // seats,) * seats)


def test_who_shows_a_card_of_a_hand_laid_open_has_still_chosen_it():
    """All their cards are known, but not which of two I am shown: the answers' chances add up to one."""
    evidence = Evidence(DECK, (2, 2, 2), 0, DECK.mask(["S0", "W0"]), rules=Rules(wrong_shows_hand=True))
    evidence.add(Fact(1, HandShown(1, (S2, R2))))
    posterior = Posterior(evidence, CHOICE)
    assert sum(p for p, _ in answers(posterior, (S2, W1, R2))) == pytest.approx(1.0)
    assert gain(posterior, (S2, W1, R2)) == pytest.approx(0.0)
