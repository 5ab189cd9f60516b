"""Where the deals are too many to count: sampled odds against the exact ones, their errors, and what is proved."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from helpers import knowledge_tables as tables
from helpers.cases import cases, some

from cluedo.ai.knowledge import (
    CHOICE,
    KINDS,
    UNIFORM,
    AskerKind,
    Evidence,
    Model,
    Posterior,
    SatDeducer,
    SeatKnowledge,
    posterior as posterior_module,
    sampled as sampled_module,
    unproved,
)
from cluedo.ai.knowledge.evidence import Fact
from cluedo.ai.knowledge.kernels.guide import backward
from cluedo.engine.events import HypothesisMade, Passed
from cluedo.engine.rules import Rules

DECK = tables.named_deck("classic")
MASTER = tables.named_deck("master")


def sampled(evidence, model=UNIFORM):
    """The posterior as it is where the deals are too many."""
    posterior = Posterior(evidence, model)
    assert posterior._sample()
    posterior._taken = len(evidence.facts)
    return posterior


def open_tables(count, name, **more):
    """Evidence under which something is open."""
    rng = Random(name)
    while count:
        evidence, _ = tables.table(DECK, rng.randint(3, 6), rng.randint(0, 14), rng, **more)
        odds = Posterior(evidence).marginals
        if ((odds > 0.0) & (odds < 1.0)).any():
            count -= 1
            yield evidence


def check_proofs(posterior, exact):
    """0 and 1 are what is proved, and nothing else, for cards and for envelopes; cards are somewhere."""
    for value in (0.0, 1.0):
        assert ((posterior.marginals == value) == (exact.marginals == value)).all()
        assert ((posterior.joint == value) == (exact.joint == value)).all()
    assert posterior.marginals.sum(1) == pytest.approx(1.0)
    assert posterior.joint.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("model", [UNIFORM, CHOICE, KINDS], ids=lambda model: model.name)
def test_sampled_odds_are_near_the_exact_ones_and_0_and_1_are_proofs(monkeypatch, model):
    monkeypatch.setattr(sampled_module, "_WIDTH", 300)
    monkeypatch.setattr(sampled_module, "_DEALS", 300)
    for evidence in open_tables(2, model.name):
        exact, found = Posterior(evidence, model), sampled(evidence, model)
        check_proofs(found, exact)
        assert not found.exact
        off = np.abs(found.marginals - exact.marginals)
        assert (off <= 4.0 * found.errors + 1e-9).all()
        assert (np.abs(found.joint - exact.joint) <= 5.0 * found.joint_errors + 1e-9).all()
        assert found.deals == pytest.approx(exact.deals, rel=3.0 * found.deals_error + 1e-6)


@pytest.mark.parametrize("model", [UNIFORM, CHOICE, KINDS], ids=lambda model: model.name)
def test_where_nothing_is_open_the_one_deal_is_drawn(model):
    """The proofs may settle what is too much to be counted."""
    evidence, _ = tables.table(DECK, 3, 80, Random("settled"))
    exact, found = Posterior(evidence, model), sampled(evidence, model)
    assert set(exact.marginals.flat) == {0.0, 1.0}
    check_proofs(found, exact)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "width"), [(UNIFORM, 1 << 15), (CHOICE, 300), (KINDS, 1 << 15)], ids=["uniform", "choice-narrow", "kinds"]
)
def test_95_of_100_odds_are_within_the_error_that_is_claimed(monkeypatch, model, width):
    """On 500 states that can be counted; with a guide that forgets most clauses too."""
    monkeypatch.setattr(sampled_module, "_WIDTH", width)
    within, envelopes, numbers = [], [], []
    for evidence in open_tables(cases(500, 20), f"500 {model.name}"):
        exact, found = Posterior(evidence, model), sampled(evidence, model)
        check_proofs(found, exact)
        open_ = (exact.marginals > 0.0) & (exact.marginals < 1.0)
        within += (np.abs(found.marginals - exact.marginals) <= found.errors)[open_].tolist()
        likely = (exact.joint > 0.01) & (exact.joint < 1.0)
        envelopes += (np.abs(found.joint - exact.joint) <= found.joint_errors)[likely].tolist()
        numbers.append(abs(found.deals / exact.deals - 1.0) <= found.deals_error + 1e-9)
    assert 0.9 < np.mean(within) < 0.985
    assert 0.89 < np.mean(envelopes) < 0.985
    assert np.mean(numbers) > 0.8


def test_a_hand_that_several_tallies_count_is_weighed_once(monkeypatch):
    """Where one tally cannot hold all that is said of a hand, the odds are about as good."""
    monkeypatch.setattr(sampled_module, "_WIDTH", 100)
    evidence, _ = tables.table(DECK, 6, 14, Random("split b"), spectator=True, free=True, accusations=0.0)
    whole = sampled(evidence, KINDS)
    monkeypatch.setattr(unproved, "_MOST_VALUES", 20)
    split = sampled(evidence, KINDS)
    assert split.errors.max() < 2.0 * whole.errors.max() < 0.1
    between = np.hypot(split.errors, whole.errors)  # of the 95 % intervals of both
    assert (np.abs(split.marginals - whole.marginals) <= 2.0 * between + 1e-9).all()


def test_the_deals_are_shared_out_among_the_kinds_of_askers_by_what_they_count():
    """A mixture of kinds costs about as many deals as one kind, however many there are."""
    evidence, _ = tables.table(DECK, 4, 8, Random("shared out"), spectator=False, free=True)
    exact, found = Posterior(evidence, KINDS), sampled(evidence, KINDS)
    assert np.abs(found.shares - exact.shares).max() < 0.01
    assert found.log_weight == pytest.approx(exact.log_weight, abs=0.02)
    each = sampled_module._RUNS * sampled_module._DEALS
    assert each <= len(found._sampling.weights) <= 1.2 * each
    assert found._sampling.weights.sum() == pytest.approx(1.0)
    assert 1.0 / (found._sampling.weights**2).sum() > 0.7 * each


def test_a_kind_of_askers_that_hardly_counts_is_drawn_for_all_the_same(monkeypatch):
    """What is expected of it may be wrong; and its share is no worse known for all the others that count more."""
    monkeypatch.setattr(sampled_module, "_DEALS", 300)
    evidence, _ = tables.table(DECK, 4, 12, Random("rare"), spectator=False, free=True)
    rare = Model("rare", choice=True, kinds=(AskerKind(1.0 - 1e-9, 1.0), AskerKind(1e-9, 0.35)))
    exact, found = Posterior(evidence, rare), sampled(evidence, rare)
    assert found.shares[1] == pytest.approx(exact.shares[1], rel=0.3)


def asked_four_times():
    """Evidence of one question, asked again and again, which nobody answers."""
    evidence = Evidence(tables.plain_deck(3, 3, 3), (3, 3))
    triple = (1, 4, 6)
    for turn in range(1, 5):
        evidence.add(Fact(turn, HypothesisMade(0, *triple), triple))
        evidence.add(Fact(turn, Passed(1), triple))
    return evidence


def test_what_only_a_kind_of_no_weight_has_shown_is_no_proof(monkeypatch):
    """Its deals weigh so little that beside them the odds of the others add up to 1."""
    monkeypatch.setattr(sampled_module, "_LEAST", 200)  # so that every envelope is drawn
    shy = Model("shy", kinds=(AskerKind(1.0 - 1e-30, 1e-12), AskerKind(1e-30, 1.0)))
    evidence = asked_four_times()
    found = sampled(evidence, shy)
    assert found.shares.min() < 1e-25
    check_proofs(found, Posterior(evidence))
    assert found.marginals[found.marginals < 1.0].max() < 1.0 - 1e-6


def test_a_number_of_deals_counts_deals_whatever_is_expected_of_askers():
    """Askers weigh deals by what they name, too, where nothing is expected of what they show."""
    picky = Model("picky", kinds=(AskerKind(0.5, 0.3), AskerKind(0.5, 0.2)))
    evidence = asked_four_times()
    exact, found = Posterior(evidence, picky), sampled(evidence, picky)
    assert found.log_weight == pytest.approx(exact.log_weight, abs=0.1)
    assert found.deals == pytest.approx(exact.deals, rel=3.0 * found.deals_error + 1e-6)


def test_deals_are_spread_more_evenly_than_independent_ones():
    """So the same number of deals gives the odds of a card with about half of the variance."""
    evidence, _ = tables.table(DECK, 6, 4, Random("even"), spectator=False)
    exact, found = Posterior(evidence, UNIFORM), sampled(evidence, UNIFORM)
    odds = exact.marginals[(exact.marginals > 0.0) & (exact.marginals < 1.0)]
    independent = 2.131 * np.sqrt(odds * (1.0 - odds) / len(found._sampling.weights))
    open_ = (exact.marginals > 0.0) & (exact.marginals < 1.0)
    assert found.errors[open_].mean() < 0.75 * independent.mean()


def test_the_pool_and_what_may_not_be_named_are_sampled_too(monkeypatch):
    monkeypatch.setattr(sampled_module, "_WIDTH", 200)
    deck = tables.plain_deck(4, 4, 5)
    rules = Rules(own_cards="not_all")
    evidence = Evidence(deck, (3, 4), 0, 0b111, pool_size=3, rules=rules)
    for turn, triple in enumerate([(3, 4, 8), (0, 5, 9), (3, 6, 10)], 1):
        evidence.add(Fact(turn, HypothesisMade(1, *triple), triple))
    exact, found = Posterior(evidence), sampled(evidence)
    check_proofs(found, exact)
    assert (np.abs(found.marginals - exact.marginals) <= 3.0 * found.errors).all()
    assert found.deals == pytest.approx(exact.deals, rel=0.05)


def test_the_same_evidence_always_gives_the_same_sample(monkeypatch):
    monkeypatch.setattr(sampled_module, "_DEALS", 100)
    monkeypatch.setattr(sampled_module, "_WIDTH", 300)
    evidence = next(iter(open_tables(1, "again")))
    first, second = sampled(evidence), sampled(evidence.copy())
    assert (first.marginals == second.marginals).all()
    assert (first.joint == second.joint).all()
    assert (first.sample(Random(3), 50) == second.sample(Random(3), 50)).all()


def hard_table(seats, hypotheses, name):
    """What a spectator knows of a large game."""
    return tables.table(MASTER, seats, hypotheses, Random(name), spectator=True, accusations=0.0)


def test_a_large_game_that_nobody_can_count_is_sampled(monkeypatch):
    monkeypatch.setattr(posterior_module, "_MANY", posterior_module._FEW)
    monkeypatch.setattr(sampled_module, "_WIDTH", 1 << 12)
    monkeypatch.setattr(sampled_module, "_DEALS", 400)
    evidence, _ = hard_table(6, 12, "large")
    posterior = Posterior(evidence)
    assert not posterior.exact
    solver = SatDeducer(evidence)
    for card, place in product(range(MASTER.size), range(7)):
        status, odds = solver.status(card, place), posterior.marginals[card, place]
        assert (odds == 0.0, odds == 1.0) == (status is False, status is True)
    assert posterior.errors.max() < 0.3
    deals = posterior.sample(Random(1), 200)
    assert all(tables.true_in(deals, fact, evidence).all() for fact in evidence.facts)
    assert all(((deals == seat).sum(1) == size).all() for seat, size in enumerate(evidence.sizes))


@pytest.mark.slow
@pytest.mark.parametrize("seats", some([6, 8, 10], 1))
def test_runs_from_other_starts_agree(monkeypatch, seats):
    """The estimates of seeds that share nothing differ by no more than both claim."""
    evidence, _ = hard_table(seats, 14, f"starts {seats}")
    found = []
    for shift in range(4):
        monkeypatch.setattr(sampled_module, "Random", lambda seed, shift=shift: Random(seed + 1000 * shift))
        found.append(sampled(evidence))
    for one, other in pairwise(found):
        open_ = (one.marginals > 0.0) & (one.marginals < 1.0)
        claimed = np.hypot(one.errors, other.errors)
        assert (np.abs(one.marginals - other.marginals) <= claimed)[open_].mean() > 0.85
        assert one.log_weight == pytest.approx(other.log_weight, abs=3.0 * one.deals_error)


def test_a_narrow_guide_loses_no_deal():
    """What it forgets it counts too much of, never too little."""
    evidence, _ = tables.table(DECK, 4, 8, Random("narrow"), spectator=True)
    exact = Posterior(evidence)
    for width in (20, 200, 1 << 15):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sampled_module, "_WIDTH", width)
            sampler = sampled_module.Sampler(evidence, choice=False)
        layers = sampler._unproved.layers
        weights = np.ones(layers.places.shape)
        total = backward(layers, weights, sampler.guide)
        assert total >= exact.log_weight - 1e-9
    assert total == pytest.approx(exact.log_weight)


def test_questions_are_ranked_by_samples_where_counting_would_take_long(monkeypatch):
    evidence = next(iter(open_tables(1, "questions", spectator=False)))
    exact = SeatKnowledge(evidence, CHOICE)
    assert not exact.estimated
    best = exact.best(3)
    monkeypatch.setattr("cluedo.ai.knowledge.gains._MOST_WORK", 1)
    quick = SeatKnowledge(evidence, CHOICE)
    assert quick.estimated
    assert quick.exact
    for cards, bits in quick.best(3):
        assert bits == pytest.approx(exact.gain(cards), abs=0.1)
        assert quick.gain(cards) == pytest.approx(exact.gain(cards), abs=0.1)
        assert exact.gain(cards) >= best[0].bits - 0.15
    assert quick._many_deals is quick._many_deals, "for all questions the same"


def test_where_no_card_is_open_nothing_is_laid_out():
    evidence = Evidence(tables.plain_deck(2, 2, 2), (2, 1), 0, 0b101)
    triple = (0, 2, 4)
    evidence.add(Fact(1, HypothesisMade(0, *triple), triple))
    evidence.add(Fact(1, Passed(1), triple))
    found = sampled_module.Sampler(evidence, choice=True)
    assert found._unproved.cards == []
    assert len(found._unproved.layers.places) == 0


def test_every_deal_that_fits_may_be_drawn():
    """On a small deck the sampled deals are all the deals."""
    deck = tables.plain_deck(2, 3, 3)
    evidence = Evidence(deck, (3, 2), 0, 0b1001001)
    triple = (1, 4, 7)
    evidence.add(Fact(1, HypothesisMade(0, *triple), triple))
    drawn = {tuple(deal) for deal in sampled(evidence)._sampling.deals.tolist()}
    assert drawn == {tuple(deal) for deal in tables.fitting(evidence).tolist()}
