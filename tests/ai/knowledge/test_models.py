"""The models of evidence by name, and which kinds of askers they know."""

from __future__ import annotations

from itertools import product

import pytest

from cluedo.ai.knowledge import HIDERS, KINDS, MODELS, model_named
from cluedo.engine.errors import CluedoError


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
