"""How fast the detective is: `pytest tests/bench/bench_knowledge.py --benchmark-only`.

Every round takes another table, so that a median is a median over states and not over repetitions.
"""

from __future__ import annotations

from itertools import cycle
from random import Random

import pytest
from helpers import knowledge_tables as tables

from cluedo.ai.knowledge import (
    CHOICE,
    KINDS,
    UNIFORM,
    Evidence,
    Notebook,
    Posterior,
    SatDeducer,
    explain,
    sampled_gains,
)
from cluedo.engine.events import HypothesisMade

DECK = tables.named_deck("classic")


def states(seats, hypotheses, count, **more):
    rng = Random(f"{seats} seats")
    return [tables.table(DECK, seats, hypotheses, rng, spectator=False, **more)[0] for _ in range(count)]


def solve(evidence, model):
    posterior = Posterior(evidence, model)
    return posterior.marginals, posterior.joint


@pytest.mark.parametrize("model", [UNIFORM, CHOICE, KINDS], ids=lambda model: model.name)
@pytest.mark.parametrize("seats", [3, 4, 6])
def test_posterior_with_joint_after_five_hypotheses(benchmark, seats, model):
    tables_ = cycle(states(seats, 5, 500, accusations=0.0, free=False))
    benchmark.pedantic(solve, setup=lambda: ((next(tables_), model), {}), rounds=1000, warmup_rounds=5)


@pytest.mark.parametrize("seats", [3, 4, 6])
@pytest.mark.parametrize("engine", [SatDeducer, Notebook])
def test_update(benchmark, engine, seats):
    """One hypothesis more, anywhere in the first twelve."""

    def steps():
        for full in cycle(states(seats, 12, 100)):
            evidence = Evidence(full.deck, full.sizes, full.me, full.hand)
            deducer = engine(evidence)
            for index, fact in enumerate(full.facts):
                evidence.add(fact)
                if index + 1 == len(full.facts) or isinstance(full.facts[index + 1].event, HypothesisMade):
                    yield deducer

    deducers = steps()
    benchmark.pedantic(lambda deducer: deducer.update(), setup=lambda: ((next(deducers),), {}), rounds=1200)


@pytest.mark.parametrize("seats", [4, 6])
def test_best_of_36_hypotheses_from_1000_samples(benchmark, seats):
    posteriors = [Posterior(evidence) for evidence in states(seats, 5, 60)]
    triples = [(s, w, DECK.rooms[4]) for s in DECK.suspects for w in DECK.weapons]
    rng = Random("samples")
    ready = cycle(posteriors)

    def prepare():
        posterior = next(ready)
        posterior.sample(rng, 1)  # so that its states are in the shared arrays
        return (posterior,), {}

    def best(posterior):
        return sampled_gains(posterior, triples, posterior.sample(rng, 1000)).argmax()

    benchmark.pedantic(best, setup=prepare, rounds=300, warmup_rounds=3)


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_explain(benchmark, seats):
    rng = Random("explain")
    questions = []
    for evidence in states(seats, 15, 80):
        sat = SatDeducer(evidence)
        pairs = [
            (card, place)
            for place in range(seats + 1)
            for card in range(DECK.size)
            if place != evidence.me and not evidence.hand >> card & 1 and sat.status(card, place) is not None
        ]
        questions += [(evidence, *rng.choice(pairs))] if pairs else []
    ready = cycle(questions)
    benchmark.pedantic(explain, setup=lambda: (next(ready), {}), rounds=300, warmup_rounds=1)


@pytest.mark.parametrize("model", [CHOICE, KINDS], ids=lambda model: model.name)
def test_large_games_from_all_sides(benchmark, model):
    """60 states of 6 to 10 seats, 30 and 40 cards, after 5 to 60 hypotheses, most as a spectator sees them."""
    rng, seen = Random("large"), []
    for k in range(60):
        deck = (tables.named_deck("master"), tables.plain_deck(12, 12, 16))[k % 2]
        hypotheses = rng.choice([5, 10, 15, 20, 25, 30, 40, 60])
        seen.append(tables.table(deck, (6, 8, 10)[k // 2 % 3], hypotheses, rng, spectator=k % 4 > 0)[0])
    assert Posterior(seen[0], model)._sample()  # so that nothing is left to compile
    solve(seen[0], model)
    ready = iter(seen)
    benchmark.pedantic(solve, setup=lambda: ((next(ready), model), {}), rounds=len(seen))
