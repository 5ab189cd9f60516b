"""Two levels at the same tables: what is claimed of a lead holds in simulated matches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from cluedo.experiments.plan.elo import elo_of_share
from cluedo.experiments.read.counts import Pair
from cluedo.experiments.read.head_to_head import HeadToHead, likelihood, settling

SEATS = 2


def drawn(share: float, deals: int, seed: int, *, suits: float = 0.0) -> Pair:
    """Deals of four games between two seats of each; a wins this share, and some deals suit a, or b, by ``suits``."""
    random = np.random.default_rng(seed)
    each = np.clip(share + suits * random.choice([-1, 1], deals), 0, 1)
    won = random.binomial(4, each)
    seats = np.full(deals, 4 * SEATS)
    return Pair(won, seats, 4 - won, seats, np.full(deals, 4))


@pytest.mark.slow
@pytest.mark.parametrize("suits", [0.0, 0.3])
def test_of_equals_neither_is_called_the_stronger_one_more_often_than_is_said(suits):
    """Whether deals are alike or suit one of them: a chance of 97.5 % and more is wrong in one case of forty."""
    chances = np.array([HeadToHead.of(drawn(0.5, 60, seed, suits=suits)).chance for seed in range(600)])
    assert 0.01 < (chances > 0.975).mean() < 0.045
    assert 0.01 < (chances < 0.025).mean() < 0.045
    assert 0.44 < (chances > 0.5).mean() < 0.56


@pytest.mark.parametrize("deals", [2, 3, 5, 9])
def test_after_few_deals_too_equals_seldom_differ_by_more_than_chance_explains(deals):
    """Resampling five deals would call one of them the stronger one in a case of six."""
    assert np.mean([HeadToHead.of(drawn(0.5, deals, seed)).differ for seed in range(300)]) < 0.09


def test_of_equals_neither_leads_by_having_more_of_its_seats_at_small_tables():
    """Two of three seats, and one of four: a wins 30 % of its seats and b 27 %, and of either that is fair."""
    random, deals = np.random.default_rng(0), 1000
    won = np.concatenate([random.binomial(3, 2 / 3, deals), random.binomial(4, 1 / 4, deals)])
    seats_a, seats_b, players = (np.repeat(each, deals) for each in ((6, 4), (3, 12), (3, 4)))
    pair = Pair(won, seats_a, players - won, seats_b, players)
    meeting, curve = HeadToHead.of(pair), list(settling(pair))
    assert meeting.lead.low < 0 < meeting.lead.high
    assert abs(meeting.lead.value) < 2 * meeting.error
    assert 0.025 < meeting.chance < 0.975
    assert meeting.fair == pytest.approx(3 / 7)
    assert curve[-1][1].value == pytest.approx(meeting.lead.value)
    assert meeting.elo is None


def test_the_deals_that_would_show_a_lead_show_it_in_four_runs_of_five():
    pilot = HeadToHead.of(drawn(0.56, 2000, 1, suits=0.2))
    assert pilot.differ
    first = next(pair for seed in range(100) if not (pair := HeadToHead.of(drawn(0.56, 50, seed, suits=0.2))).differ)
    scale = (first.lead.value / pilot.lead.value) ** 2  # the pilot knows the true lead, a short run does not
    deals = round((first.deals + first.deals_to_show) * scale)
    shown = [HeadToHead.of(drawn(0.56, deals, seed, suits=0.2)) for seed in range(200)]
    assert 0.7 < np.mean([meeting.lead.value > 1.96 * meeting.error for meeting in shown]) < 0.9


def test_who_wins_all_of_few_games_is_not_certain_to_be_stronger():
    two = HeadToHead.of(drawn(1.0, 2, 0))
    assert 0.95 < two.chance < 1
    assert HeadToHead.of(drawn(1.0, 50, 0)).chance > two.chance


def test_after_one_deal_it_is_no_surer_than_four_games_can_make_it():
    """By chance alone one of two equals wins all four of them in one case of 16."""
    assert 0.92 < HeadToHead.of(drawn(1.0, 1, 0)).chance < 0.96


def test_who_wins_none_of_few_games_is_not_certain_to_be_weaker():
    """By chance alone the only seat of one of two equals wins none of 16 games in one case of a hundred."""
    four = np.full(4, 4)
    assert 0.98 < HeadToHead.of(Pair(four, 3 * four, 0 * four, four, four)).chance < 0.998


def test_while_the_interval_holds_zero_nobody_is_sure_to_be_stronger_and_more_deals_are_needed():
    """Two deals that happen to be alike: their own scatter says nothing, and the interval is as wide as rates allow."""
    wins, seats = np.array([3, 3]), np.array([3, 3])
    meeting = HeadToHead.of(Pair(wins * 0, seats, wins, 2 * seats, seats))
    assert meeting.lead.low < 0 < meeting.lead.high
    assert 0.025 <= meeting.chance <= 0.975
    assert meeting.deals_to_show >= 1


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30))
def test_zero_is_in_the_intervals_of_lead_and_elo_or_in_neither(won):
    wins, seats = np.array(won), np.full(len(won), 8)
    meeting = HeadToHead.of(Pair(wins, seats, 4 - wins, seats, seats // 2))
    assert meeting.elo is None or meeting.differ == (meeting.elo.low > 0 or meeting.elo.high < 0)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30))
@example([0] * 13 + [3, 4, 4, 4, 4])  # an end of its interval is nearly zero
def test_whoever_is_named_first_the_meeting_is_the_same(won):
    wins, seats = np.array(won), np.full(len(won), 8)
    one, other = (HeadToHead.of(Pair(first, seats, 4 - first, seats, seats // 2)) for first in (wins, 4 - wins))
    assert one.chance == pytest.approx(1 - other.chance)
    assert one.differ == other.differ
    assert one.error == pytest.approx(other.error)
    assert one.deals_to_show == other.deals_to_show
    assert one.error > 0
    if one.lead.value:  # of equals, each resample is turned, too, and another is drawn
        assert one.turned.lead == pytest.approx(other.lead)
    assert one.turned.share == pytest.approx(other.share)
    assert one.turned.turned.wins_a == one.wins_a == other.wins_b


def test_alike_to_the_game_they_can_never_be_told_apart():
    even = np.array([2, 2, 2])
    meeting = HeadToHead.of(Pair(even, 4 * even, even, 4 * even, 2 * even))
    assert meeting.deals_to_show is None
    assert meeting.chance == 0.5
    assert not meeting.differ


def test_a_curve_ends_where_the_meeting_does_and_narrows():
    pair = drawn(0.6, 500, 3)
    curve, meeting = list(settling(pair)), HeadToHead.of(pair)
    deals, last = curve[-1]
    assert deals == meeting.deals == 500
    assert last.value == pytest.approx(meeting.lead.value)
    assert last.low == pytest.approx(meeting.lead.low, abs=0.01)
    widths = [moment.high - moment.low for deals, moment in curve if deals >= 50]
    assert widths[-1] < widths[0] / 2
    assert [deals for deals, _ in curve] == sorted({deals for deals, _ in curve})


def test_a_curve_leaves_zero_out_just_where_the_leader_is_likely_the_stronger_one():
    for seed in range(5):
        pair = drawn(0.6, 40, seed)
        for deals, (_, low, high) in settling(pair):
            chance = likelihood(Pair(*(values[:deals] for values in pair)))
            assert (low > 0, high < 0) == (chance > 0.975, chance < 0.025)


def test_elo_is_told_where_both_have_equally_many_seats():
    pair = drawn(0.75, 200, 6)
    elo = HeadToHead.of(pair).elo
    assert elo is not None
    assert elo.low < 191 < elo.high
    assert elo.value == pytest.approx(elo_of_share(HeadToHead.of(pair).share.value))
    assert HeadToHead.of(pair._replace(seats_a=pair.seats_a * 3)).elo is None
    assert HeadToHead.of(drawn(1.0, 20, 5)).elo is None


def test_deals_that_neither_won_make_the_share_of_those_they_won_no_surer():
    wins, seats, players = np.repeat([1, 0], [3, 997]), np.full(1000, 2), np.full(1000, 4)
    pair = Pair(wins, seats, wins, seats, players)
    meeting, three = HeadToHead.of(pair), HeadToHead.of(Pair(*(values[:3] for values in pair)))
    assert meeting.share == three.share
    assert meeting.deals == 1000
