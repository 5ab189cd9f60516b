"""The exact posterior against brute force, inclusion-exclusion and the given cases."""

from __future__ import annotations

import json
import pickle
from math import factorial
from random import Random

import numpy as np
import pytest
from helpers import knowledge_tables as tables
from helpers.cases import cases

from cluedo.ai.knowledge import (
    CHOICE,
    KINDS,
    UNIFORM,
    Evidence,
    Fact,
    InconsistentEvidence,
    Posterior,
    SatDeducer,
    TooManyDeals,
    posterior as posterior_module,
    read_case_log,
)
from cluedo.ai.knowledge.kernels import forward_backward
from cluedo.engine.board import Board
from cluedo.engine.entries import Entry
from cluedo.engine.events import HypothesisMade, Passed, Shown

TINY = [(3, 3, 3), (4, 3, 3), (3, 3, 4)]
CASES = json.loads((tables.ROOT / "tests/data/cases/deduction.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("model", [UNIFORM, CHOICE, KINDS], ids=lambda model: model.name)
def test_brute_force(seats, model):
    rng = Random(f"brute {seats}")
    for _ in range(cases(100, 60)):
        deck = tables.plain_deck(*rng.choice(TINY[:1] if seats == 6 else TINY))
        evidence, _ = tables.table(deck, seats, rng.randrange(10), rng)
        tables.check_against_brute_force(Posterior(evidence, model))


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_given_cases(case):
    log = read_case_log(case["log"], Board.load)
    posterior = Posterior(log.evidence())
    assert posterior.deals == case["expect"]["deals"]
    for card, row in case["expect"]["cards"].items():
        for name, p in row.items():
            place = len(log.setting.names) if name == "envelope" else log.setting.names.index(name)
            assert posterior.marginals[log.setting.deck.id(card), place] == pytest.approx(p, abs=1e-11)


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_wide_deck_is_counted_exactly(seats):
    deck = tables.plain_deck(10, 8, 12)
    sizes = tables.fair_sizes(deck, seats)
    total = 10 * 8 * 12 * factorial(27)
    for size in sizes:
        total //= factorial(size)
    assert (total > 2**53) is (seats > 3), "more than floats count"
    assert Posterior(Evidence(deck, sizes)).deals == total


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(2, 7))
def test_a_wide_deck_is_counted_exactly_whatever_was_said(seats):
    deck, rng = tables.plain_deck(10, 8, 12), Random("wide")
    for _ in range(cases(3)):
        evidence, _ = tables.table(deck, seats, 3, rng, spectator=True)
        assert Posterior(evidence).deals == tables.inclusion_exclusion(evidence)


@pytest.mark.slow
def test_counts_and_odds_are_those_of_inclusion_and_exclusion():
    rng, deck = Random("signs at length"), tables.named_deck("classic")
    for _ in range(cases(2000, 40)):
        evidence, _ = tables.table(deck, rng.randint(2, 6), rng.randrange(8), rng, accusations=0.3)
        posterior = Posterior(evidence)
        assert posterior.deals == tables.inclusion_exclusion(evidence)
        card, place = rng.randrange(deck.size), rng.randrange(evidence.seats + 1)
        expected = tables.inclusion_exclusion(evidence, card, place) / posterior.deals
        assert posterior.marginals[card, place] == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.slow
def test_joint_agrees_with_marginals():
    rng = Random("joint")
    for _ in range(cases(200, 40)):
        evidence, places = tables.table(tables.named_deck("manoir"), rng.randint(2, 6), rng.randrange(25), rng)
        posterior = Posterior(evidence, rng.choice([UNIFORM, CHOICE, KINDS]))
        deck, joint = evidence.deck, posterior.joint
        for axes, ids in (((1, 2), deck.suspects), ((0, 2), deck.weapons), ((0, 1), deck.rooms)):
            np.testing.assert_allclose(joint.sum(axes), posterior.marginals[list(ids), evidence.envelope], atol=1e-12)
        np.testing.assert_allclose(posterior.marginals.sum(1), 1.0, atol=1e-12)
        # Where the odds are sampled, what is possible but was not drawn has a small probability of its own.
        exactness = 1e-10 if posterior.exact else 1e-3
        np.testing.assert_allclose(posterior.marginals.sum(0)[:-1], evidence.sizes, atol=exactness)
        truth = tuple(card for card in range(deck.size) if places[card] == evidence.envelope)
        listed = dict(posterior.envelopes())
        assert truth in listed
        assert sum(listed.values()) == pytest.approx(1.0)


def test_samples_fit_and_have_the_right_frequencies():
    rng = Random("samples")
    for model in (UNIFORM, CHOICE, KINDS):
        evidence, _ = tables.table(tables.plain_deck(3, 3, 4), 4, 4, rng, spectator=False)
        posterior = Posterior(evidence, model)
        deals = posterior.sample(rng, 40_000)
        fitting = {deal.tobytes() for deal in tables.fitting(evidence)}
        assert {deal.tobytes() for deal in deals} <= fitting
        seen = np.stack([(deals == place).mean(0) for place in range(5)], 1)
        np.testing.assert_allclose(seen, posterior.marginals, atol=0.013)  # five standard errors


def test_samples_repeat():
    evidence, _ = tables.table(tables.named_deck("classic"), 4, 5, Random(1))
    first, other = Posterior(evidence), Posterior(evidence)
    deals = first.sample(Random(7), 50)
    np.testing.assert_array_equal(deals, other.sample(Random(7), 50))
    assert (deals != first.sample(Random(8), 50)).any()


def test_posteriors_do_not_disturb_each_other():
    rng = Random("shared arrays")
    seen = [tables.table(tables.named_deck("classic"), rng.randint(2, 6), 6, rng)[0] for _ in range(6)]
    alone = [(Posterior(evidence).joint.copy(), Posterior(evidence).sample(Random(1), 20)) for evidence in seen]
    together = [Posterior(evidence) for evidence in seen]
    for posterior in together:
        posterior.update()
    for posterior, (joint, deals) in zip(together, alone, strict=True):
        np.testing.assert_array_equal(posterior.joint, joint)
        np.testing.assert_array_equal(posterior.sample(Random(1), 20), deals)


def test_evidence_grows():
    rng = Random("growing")
    full, _ = tables.table(tables.named_deck("classic"), 4, 10, rng, spectator=False)
    evidence = Evidence(full.deck, full.sizes, full.me, full.hand)
    growing = Posterior(evidence, CHOICE)
    for fact in full.facts:
        before = growing.deals
        evidence.add(fact)
        assert growing.deals == Posterior(evidence.copy(), CHOICE).deals <= before
        np.testing.assert_array_equal(growing.joint, Posterior(evidence.copy(), CHOICE).joint)


def test_long_games_do_not_underflow():
    """Hundreds of hypotheses: weights far below what a float holds, certainties that stay exact."""
    rng = Random("long")
    for _ in range(20):
        evidence, places = tables.table(tables.named_deck("classic"), 4, 3, rng, spectator=True, free=False)
        for turn in range(400):
            triple = tuple(rng.choice([c for c in ids if places[c] != 1]) for ids in evidence.deck.ids)
            evidence.add(Fact(turn, HypothesisMade(1, *triple), triple))
        found, plain = Posterior(evidence, KINDS), Posterior(evidence)
        assert np.isfinite(found.marginals).all()
        np.testing.assert_allclose(found.marginals.sum(1), 1.0)
        for verdict in (0.0, 1.0):
            np.testing.assert_array_equal(found.marginals == verdict, plain.marginals == verdict)


def test_values_too_small_to_be_divided_by_count_as_nothing():
    """One divided by them would be infinite, and the odds of a game of hundreds of questions no number at all."""
    values, scales = np.array([[1e-310, 0.5, 0.0], [0.0, 0.25, 0.0]]), np.zeros(3)
    forward_backward._rescale(values, 0, 2, scales)
    assert values.tolist() == [[0.0, 1.0, 0.0], [0.0, 0.5, 0.0]]
    assert scales.tolist() == [0.0, np.log(0.5), 0.0]


def test_contradictions_name_a_minimal_clash():
    deck = tables.named_deck("classic")
    evidence = Evidence(deck, (6, 6, 6), 0, deck.mask(["Plum", "Rope", "Hall", "Study", "Lounge", "Kitchen"]))
    clean = deck.triple(["Green", "Dagger", "Library"])
    evidence.add(Fact(1, Shown(2, 1, None), clean))
    evidence.add(Fact(2, Passed(1), clean))
    evidence.add(Fact(3, Passed(2), clean))
    posterior = Posterior(evidence)
    assert not posterior.possible()
    with pytest.raises(InconsistentEvidence, match=r"Turn 1: P3 showed .*; Turn 3: P3 could not show") as caught:
        posterior.update()
    assert caught.value.facts == (evidence.facts[0], evidence.facts[2])
    impossible = Evidence(deck, (6, 6, 6), 0, evidence.hand)
    impossible.add(Fact(1, Shown(1, 0, deck.id("Rope")), deck.triple(["Plum", "Rope", "Hall"])))
    with pytest.raises(InconsistentEvidence, match="You hold Rope; Turn 1: P2 showed you Rope"):
        _ = Posterior(impossible).deals


def refuted(seats, times, rng):
    """What a spectator knows of a large game after so many refutations, where nobody ever passed; and the deal."""
    deck = tables.plain_deck(10, 8, 12)
    evidence = Evidence(deck, tables.fair_sizes(deck, seats))
    places = tables.deal(deck, evidence.sizes, rng)
    while len(evidence.facts) < times:
        triple = tuple(rng.choice(ids) for ids in deck.ids)
        seat = rng.randrange(seats)
        if any(places[card] == seat for card in triple):
            evidence.add(Fact(1, Shown(seat, (seat + 1) % seats, None), triple))
    return evidence, places


def test_too_many_open_refutations_are_sampled():
    """Nobody ever passes: a hundred clauses stay open, more than a state has bits for."""
    evidence, places = refuted(3, 150, Random("hundreds"))
    posterior, solver = Posterior(evidence), SatDeducer(evidence)
    assert not posterior.exact
    for card, place in enumerate(places):
        assert posterior.marginals[card, place] > 0.0
        assert bool(posterior.marginals[card, place] == 1.0) is (solver.status(card, place) is True)


@pytest.mark.slow
def test_more_states_than_the_memory_should_hold_are_sampled(monkeypatch):
    """The arrays grow up to a limit; past it deals are drawn instead, and the arrays are small again."""
    monkeypatch.setattr(posterior_module._local, "workspaces", {}, raising=False)
    evidence, _ = refuted(6, 8, Random("states"))
    monkeypatch.setattr(posterior_module, "_MANY", 1 << 22)
    deals = Posterior(evidence).deals
    keys = posterior_module._workspace(1).programme.keys
    assert posterior_module._FEW < len(keys) <= posterior_module._MANY
    monkeypatch.setattr(posterior_module._local, "workspaces", {}, raising=False)
    monkeypatch.setattr(posterior_module, "_MANY", len(keys) // 8)
    for _ in range(2):
        posterior = Posterior(evidence)
        assert posterior.deals == pytest.approx(deals, rel=2 * posterior.deals_error)
        assert not posterior.exact
        assert len(posterior_module._workspace(1).programme.keys) == posterior_module._FEW


def test_failed_accusations_can_exhaust_the_envelope():
    deck = tables.plain_deck(1, 1, 2)
    evidence = Evidence(deck, (1, 0), None)
    tables.note(evidence, 1, Entry.accusation(0, (0, 1, 2), correct=False))
    assert Posterior(evidence).deals == 1
    tables.note(evidence, 2, Entry.accusation(0, (0, 1, 3), correct=False))
    with pytest.raises(InconsistentEvidence):
        Posterior(evidence).update()


def test_that_there_are_too_many_deals_is_told_to_another_process():
    assert str(pickle.loads(pickle.dumps(TooManyDeals()))) == str(TooManyDeals())
