"""The exact posterior against brute force, inclusion-exclusion and the given cases."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from cluedo.ai.knowledge.models import CHOICE, READING, UNIFORM
from cluedo.ai.knowledge.posterior import Posterior

from . import support

TINY = [(3, 3, 3), (4, 3, 3), (3, 3, 4)]


def check_against_brute_force(evidence, model, habits=None):
    posterior = Posterior(evidence, model, habits)
    deals = support.fitting(evidence)
    weights = support.weigh(evidence, deals, model.choice, posterior.habits if model.habits else None)
    assert posterior.deals == len(deals)
    assert posterior.log_weight == pytest.approx(np.log(weights.sum()), abs=1e-9)
    expected = support.marginals(deals, weights, evidence.seats + 1)
    np.testing.assert_allclose(posterior.marginals, expected, atol=1e-12)
    for verdict in (0.0, 1.0):
        counts = support.marginals(deals, np.ones(len(deals)), evidence.seats + 1)
        np.testing.assert_array_equal(posterior.marginals == verdict, counts == verdict)
    envelope = support.joint(evidence.deck, deals, weights, evidence.seats)
    np.testing.assert_allclose(posterior.joint, envelope, atol=1e-12)
    np.testing.assert_array_equal(posterior.joint > 0, envelope > 0)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("model", [UNIFORM, CHOICE, READING], ids=lambda model: model.name)
def test_brute_force(seats, model):
    rng = Random(f"brute {seats}")
    for _ in range(60):
        deck = support.plain_deck(*rng.choice(TINY[:1] if seats == 6 else TINY))
        evidence, _ = support.table(deck, seats, rng.randrange(8), rng)
        check_against_brute_force(evidence, model)


def test_given_habits():
    rng = Random("habits")
    for _ in range(60):
        seats = rng.randint(2, 5)
        evidence, _ = support.table(support.plain_deck(3, 3, 4), seats, rng.randrange(10), rng)
        check_against_brute_force(evidence, READING, [rng.choice([0.02, 0.3, 1.0, 4.0]) for _ in range(seats)])
