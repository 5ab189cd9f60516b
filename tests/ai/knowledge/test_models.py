"""The models of evidence by name, and how likely they make the hypotheses of the others in a deal."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from helpers.knowledge_tables import fitting, plain_deck, table, weigh, weigh_kinds

from cluedo.ai.knowledge import CHOICE, HIDERS, KINDS, MODELS, model_named
from cluedo.ai.knowledge.askers import log_asked
from cluedo.ai.knowledge.programme import Facts
from cluedo.engine.errors import CluedoError


@pytest.mark.parametrize("free", [False, True])
def test_in_each_deal_it_is_the_mixture_of_the_kinds(free):
    deck, random = plain_deck(4, 3, 4), Random(f"asked {free}")
    for seats in (2, 3):
        evidence, _ = table(deck, seats, 2, random, spectator=False, free=free)
        deals = fitting(evidence)
        assert len(deals) > 3
        expected = np.log(weigh_kinds(evidence, deals, KINDS.kinds).sum(0) / weigh(evidence, deals, CHOICE))
        if not free:
            expected -= sum(evidence.asked) * np.log(4)  # where they could walk to is not known
        found = np.empty(len(deals))
        log_asked(deals, Facts.of(evidence, choice=False), free, KINDS.rows, found)
        np.testing.assert_allclose(found, expected, atol=1e-9)


def test_models_are_known_by_name():
    assert [model_named(name) for name in MODELS] == list(MODELS.values())
    with pytest.raises(CluedoError, match=r"no model is called 'kind'; did you mean 'kinds'\?"):
        model_named("kind")


def test_hiders_are_all_kinds_but_those_whose_hypotheses_betray_nothing():
    left_out = {(kind.own, kind.again) for kind in KINDS.kinds} - {(kind.own, kind.again) for kind in HIDERS.kinds}
    assert left_out == {(1.0, 1.0), (1.6, 1.0)}
    assert sum(kind.prior for kind in HIDERS.kinds) == pytest.approx(1.0)
    pairs = product(HIDERS.kinds, KINDS.kinds)
    shares = {kind.prior / again.prior for kind, again in pairs if (kind.own, kind.again) == (again.own, again.again)}
    assert max(shares) == pytest.approx(min(shares))
