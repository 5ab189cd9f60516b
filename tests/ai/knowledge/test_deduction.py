"""Notebook and SAT: against brute force, against each other, against the posterior."""

from __future__ import annotations

import os
import signal
import sys
from random import Random
from subprocess import PIPE, Popen
from time import sleep

import pysolvers
import pytest
from helpers import knowledge_tables as tables
from hypothesis import HealthCheck, given, settings, strategies as st

from cluedo.ai.knowledge import Evidence, Fact, InconsistentEvidence, Notebook, Posterior, SatDeducer
from cluedo.engine.cards import bits
from cluedo.engine.events import HypothesisMade, Passed


def masks(marginals, verdict):
    """For each place the mask of cards for which the verdict on the probability holds."""
    return [
        sum(1 << card for card in range(len(marginals)) if verdict(marginals[card, place]))
        for place in range(marginals.shape[1])
    ]


def check(evidence, sat, notebook, marginals):
    assert sat.may == masks(marginals, lambda p: p > 0.0)
    assert sat.has == masks(marginals, lambda p: p == 1.0)
    assert all(complete & ~book == 0 for complete, book in zip(sat.may, notebook.may, strict=True))
    assert all(book & ~complete == 0 for complete, book in zip(sat.has, notebook.has, strict=True))


def play(seats, rng, hypotheses):
    """Replay a table fact by fact, asking all three solvers after each hypothesis."""
    full, _ = tables.table(tables.named_deck("classic"), seats, hypotheses, rng)
    evidence = Evidence(full.deck, full.sizes, full.me, full.hand)
    sat, notebook, posterior = SatDeducer(evidence), Notebook(evidence), Posterior(evidence)
    states = 0
    for index, fact in enumerate(full.facts):
        evidence.add(fact)
        if index + 1 == len(full.facts) or isinstance(full.facts[index + 1].event, HypothesisMade):
            sat.update()
            notebook.update()
            check(evidence, sat, notebook, posterior.marginals)
            states += 1
    return states


@pytest.mark.parametrize("seats", range(2, 7))
def test_engines_agree_on_growing_evidence(seats):
    rng = Random(f"growing {seats}")
    assert sum(play(seats, rng, 14) for _ in range(15)) == 15 * 14


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(2, 6), st.integers(0, 30), st.integers(0, 2**32))
def test_the_truth_is_never_excluded(seats, hypotheses, seed):
    evidence, places = tables.table(tables.named_deck("manoir"), seats, hypotheses, Random(seed))
    sat, notebook, marginals = SatDeducer(evidence), Notebook(evidence), Posterior(evidence).marginals
    for card, place in enumerate(places):
        assert sat.status(card, place) is not False
        assert notebook.status(card, place) is not False
        assert marginals[card, place] > 0.0
    for place in range(seats + 1):
        for card in bits(sat.has[place]):
            assert places[card] == place
            assert sat.status(card, place) is True


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), st.integers(1, 12), st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_the_order_of_the_facts_does_not_matter(seats, hypotheses, seed, shuffler):
    evidence, _ = tables.table(tables.named_deck("classic"), seats, hypotheses, Random(seed))
    shuffled = Evidence(evidence.deck, evidence.sizes, evidence.me, evidence.hand)
    facts = evidence.facts.copy()
    shuffler.shuffle(facts)
    for fact in facts:
        shuffled.add(fact)
    assert SatDeducer(shuffled).may == SatDeducer(evidence).may
    assert Posterior(shuffled).deals == Posterior(evidence).deals


def test_contradiction():
    deck = tables.plain_deck(3, 3, 3)
    evidence = Evidence(deck, (2, 2, 2), None)
    sat, notebook = SatDeducer(evidence), Notebook(evidence)
    for seat in range(3):
        for turn, triple in enumerate([(0, 3, 6), (1, 4, 7)]):
            evidence.add(Fact(turn + 1, Passed(seat), triple))
    for engine in (sat, notebook, sat, notebook):  # and it stays a contradiction
        with pytest.raises(InconsistentEvidence) as caught:
            engine.update()
        assert 1 <= len(caught.value.facts) <= 6


SOLVING = """
from random import Random
from cluedo.ai.knowledge.sat import new_solver
from helpers import knowledge_tables as tables

solver = new_solver(tables.table(tables.named_deck("classic"), 6, 1, Random(1))[0])


def work():
    print("at work", flush=True)
    while True:
        solver.solve([1])


for _ in range(10):
    try:
        work()
    except KeyboardInterrupt:
        pass
"""


@pytest.mark.slow
def test_a_ctrl_c_while_the_solver_works_is_a_keyboard_interrupt():
    """By the library's own handler it would be an error of its own, and a fault of a level."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with Popen([sys.executable, "-c", SOLVING], stdout=PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        for _ in range(10):
            assert process.stdout.readline() == "at work\n"
            sleep(0.01)
            process.send_signal(signal.SIGINT)
    assert process.returncode == 0


def test_the_solver_gives_no_turn_to_other_threads(monkeypatch):
    """One that is busy would give it back after five milliseconds, at each of thousands of calls."""
    monkeypatch.setattr(pysolvers, "minicard_solve_lim", lambda *_: pytest.fail("it was asked in the way that does"))
    full, _ = tables.table(tables.named_deck("classic"), 3, 1, Random(1))
    assert SatDeducer(full).possible([0], 1) in (True, False)
