"""How fast the detective is: `pytest tests/bench/bench_knowledge.py --benchmark-only`.

Every round takes another table, so that a median is a median over states and not over repetitions.
"""

from __future__ import annotations

from itertools import cycle
from random import Random
from statistics import median
from time import perf_counter, process_time

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
    SeatKnowledge,
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


def test_worst_of_five_thousand(benchmark, capsys):
    rng = Random("worst")
    seen = [
        tables.table(DECK, seats, rng.randint(0, 15), rng, spectator=False)[0]
        for seats in (3, 4, 5, 6)
        for _ in range(1250)
    ]
    solve(seen[0], UNIFORM)

    def run():
        times = []
        for evidence in seen:
            start = perf_counter()
            solve(evidence, UNIFORM)
            times.append(perf_counter() - start)
        return times

    times = benchmark.pedantic(run, rounds=1)
    with capsys.disabled():
        print(f"\n5,000 states: median {1e3 * median(times):.3f} ms, worst {1e3 * max(times):.2f} ms")


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
def test_large_games_from_all_sides(benchmark, capsys, model):
    """60 states of 6 to 10 seats, 30 and 40 cards, after 5 to 60 hypotheses, most as a spectator sees them.

    In seconds of the processor: others may be at work on it.
    """
    rng = Random("large")
    decks = [tables.named_deck("master"), tables.plain_deck(12, 12, 16)]
    seen = [
        tables.table(
            decks[k % 2], (6, 8, 10)[k // 2 % 3], rng.choice([5, 10, 15, 20, 25, 30, 40, 60]), rng, spectator=k % 4 > 0
        )[0]
        for k in range(60)
    ]
    assert Posterior(seen[0], model)._sample()  # so that nothing is left to compile
    solve(seen[0], model)

    def run():
        found = []
        for evidence in seen:
            start = process_time()
            posterior = Posterior(evidence, model)
            _ = posterior.marginals, posterior.joint, posterior.deals
            found.append((process_time() - start, posterior.exact, float(posterior.errors.max())))
        return found

    found = benchmark.pedantic(run, rounds=1)
    times = sorted(one[0] for one in found)
    errors = sorted(one[2] for one in found if not one[1])
    with capsys.disabled():
        print(
            f"\n{model.name}: {sum(one[1] for one in found)} of {len(found)} states counted; "
            f"median {median(times):.2f} s, worst {times[-1]:.2f} s"
        )
        print(f"the largest error of a sampled state: median {median(errors):.3f}, worst {errors[-1]:.3f}")


def test_best_questions_of_large_games(benchmark):
    """The three best of 960 questions, odds included: as a player of a game of 30 cards at 6 seats."""
    rng = Random("questions")
    deck = tables.named_deck("master")
    seen = cycle([tables.table(deck, 6, rng.randint(3, 30), rng, spectator=False)[0] for _ in range(20)])
    benchmark.pedantic(lambda known: known.best_few(3), setup=lambda: ((SeatKnowledge(next(seen)),), {}), rounds=20)
