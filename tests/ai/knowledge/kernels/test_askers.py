"""How likely the models make the hypotheses of the others in a deal."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from helpers.knowledge_tables import fitting, plain_deck, table, weigh, weigh_kinds

from cluedo.ai.knowledge import CHOICE, KINDS
from cluedo.ai.knowledge.kernels.askers import log_asked
from cluedo.ai.knowledge.kernels.programme import EvidenceArrays


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
        log_asked(deals, EvidenceArrays.of(evidence, choice=False), free, KINDS.rows, found)
        np.testing.assert_allclose(found, expected, atol=1e-9)
