"""Statistics against published and closed-form values."""

from __future__ import annotations

import pytest

from cluedo.experiments.stats import Z95, wilson_interval


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # R. G. Newcombe, "Two-sided confidence intervals for the single proportion",
        # Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_interval_agrees_with_published_values(successes, trials, low, high):
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("trials", [1, 7, 400])
def test_wilson_interval_of_all_or_nothing_has_a_closed_form(trials):
    far = Z95**2 / (trials + Z95**2)
    assert wilson_interval(0, trials) == (0.0, pytest.approx(far))
    assert wilson_interval(trials, trials) == (pytest.approx(1 - far), 1.0)


def test_wilson_interval_ends_where_the_score_test_just_accepts():
    for successes, trials in [(3, 17), (200, 400), (1, 1000)]:
        for end in wilson_interval(successes, trials):
            score = (successes / trials - end) / (end * (1 - end) / trials) ** 0.5
            assert abs(score) == pytest.approx(Z95)


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (2, 1), (-1, 5)])
def test_wilson_interval_refuses_what_is_no_proportion(successes, trials):
    with pytest.raises(ValueError, match="successes in"):
        wilson_interval(successes, trials)
