"""The expected information of a hypothesis: brute force, exact, sampled."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from helpers import knowledge_tables as tables

from cluedo.ai.knowledge import Evidence, Posterior, SeatKnowledge, entropy, gain, sampled_gains
from cluedo.ai.knowledge.gains import answers, sampled_information
from cluedo.engine.entries import Entry
from cluedo.engine.errors import CluedoError


def test_few_samples_are_close():
    rng = Random("few")
    errors = []
    for _ in range(20):
        evidence, _ = tables.table(tables.named_deck("classic"), rng.randint(3, 5), 4, rng, spectator=False)
        posterior = Posterior(evidence)
        triples = [tuple(rng.choice(ids) for ids in evidence.deck.ids) for _ in range(5)]
        found = sampled_gains(posterior, triples, posterior.sample(rng, 1000))
        errors += list(found - [gain(posterior, triple) for triple in triples])
    assert np.abs(errors).mean() < 0.05
    assert np.abs(errors).max() < 0.25


def test_what_is_told_beside_is_the_rest_of_what_the_answer_tells():
    """The gain and the rest are the entropy of the answer: here of all answers, each with its exact chance."""
    rng = Random("beside")
    for seats in (3, 4, 5):
        evidence, _ = tables.table(tables.named_deck("classic"), seats, 4, rng, spectator=False)
        posterior = Posterior(evidence)
        triples = [tuple(rng.choice(ids) for ids in evidence.deck.ids) for _ in range(5)]
        told = sampled_information(posterior, triples, posterior.sample(rng, 20_000))
        exact = [entropy(np.array([chance for chance, _ in answers(posterior, triple)])) for triple in triples]
        assert told.sum(axis=1) == pytest.approx(exact, abs=0.02)
        assert told[:, 0] == pytest.approx([gain(posterior, triple) for triple in triples], abs=0.05)


def test_the_best_hypotheses():
    rng = Random("best")
    evidence, _ = tables.table(tables.named_deck("classic"), 3, 4, rng, spectator=False)
    posterior = Posterior(evidence)
    deck = evidence.deck
    room = deck.rooms[3]
    known = SeatKnowledge(evidence, posterior.model)
    best = known.best(3, [room])
    every = sorted((gain(posterior, (s, w, room)) for s in deck.suspects for w in deck.weapons), reverse=True)
    assert [bits for _, bits in best] == sorted((bits for _, bits in best), reverse=True)
    assert all(triple[2] == room and bits == gain(posterior, triple) for triple, bits in best)
    assert best[0][1] > every[0] - 0.02
    assert known.best(3, []) == [], "in no room"
    anywhere = known.best(2)
    assert len(anywhere) == 2
    assert anywhere[0][1] >= best[0][1] - 0.02


def test_a_solved_case_has_nothing_to_gain():
    deck = tables.plain_deck(3, 3, 3)
    evidence = Evidence(deck, (3, 3), 0, deck.mask(["S0", "W0", "R0"]))
    tables.note(evidence, 1, Entry.hypothesis(2, 0, (1, 4, 7), {}))
    posterior = Posterior(evidence)
    assert entropy(posterior.joint) == 0.0
    assert gain(posterior, (2, 5, 8)) == 0.0


def test_a_spectator_asks_nothing():
    evidence, _ = tables.table(tables.plain_deck(3, 3, 3), 3, 2, Random(1), spectator=True)
    with pytest.raises(CluedoError, match="spectator"):
        gain(Posterior(evidence), (0, 3, 6))
