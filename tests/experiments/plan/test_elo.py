"""Elo: known values, and that the two functions are inverse."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given, strategies as st

from cluedo.experiments.plan.elo import elo_of_share, share_of_elo


@pytest.mark.parametrize(("elo", "share"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (800, 100 / 101), (200, 0.7597)])
def test_elo_has_its_known_values(elo, share):
    assert share_of_elo(elo) == pytest.approx(share, abs=1e-4)
    assert elo_of_share(share) == pytest.approx(elo, abs=0.1)


@given(st.floats(-3000, 3000))
def test_elo_and_share_are_inverse_and_symmetric(elo):
    share = share_of_elo(elo)
    assert share + share_of_elo(-elo) == pytest.approx(1)
    assert elo_of_share(share) == pytest.approx(elo, abs=1e-3 if abs(elo) < 2000 else 20)


def test_elo_has_no_end_but_the_shares_0_and_1():
    assert (elo_of_share(0), elo_of_share(1)) == (-inf, inf)
    assert (share_of_elo(-1e9), share_of_elo(1e9), share_of_elo(-inf), share_of_elo(inf)) == (0, 1, 0, 1)


def test_what_is_no_share_is_refused():
    with pytest.raises(ValueError, match="from 0 to 1"):
        elo_of_share(1.01)
