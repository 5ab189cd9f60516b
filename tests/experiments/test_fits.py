"""The programs that fit what the odds and the race go by: what they look at, and what they count."""

from __future__ import annotations

import pytest

from cluedo.ai.knowledge import CHOICE, KINDS, Posterior
from cluedo.experiments.asker_kinds import TABLES, play, positions, truth_under
from cluedo.experiments.solving_times import log_of


def test_judged_turns_are_of_one_seat_and_not_proved_and_repeat():
    for deal, game in play(TABLES["mixed"], range(3), 5):
        found = list(positions(deal, game, 4))
        for turn in found:
            assert turn.evidence.me == deal % 4
            assert turn.envelope == game.state.deal.envelope
            truth = truth_under(turn, CHOICE)[1]
            assert 0.0 < truth < 1.0
            assert truth == dict(Posterior(turn.evidence, CHOICE).envelopes())[turn.envelope]
        assert [len(turn.evidence.facts) for turn in positions(deal, game, 4)] == [len(t.evidence.facts) for t in found]


def test_the_log_has_a_row_for_each_hypothesis_and_each_wrong_accusation():
    for _, game in play(("random", "hard", "easy"), range(4), 6):
        kinds = [type(event).__name__ for event in game.events]
        wrong = sum(getattr(event, "correct", True) is False for event in game.events)
        log = log_of(game)
        assert len(log.rows) == kinds.count("HypothesisMade") + wrong
        assert len(log.ends) == kinds.count("TurnEnded")


@pytest.mark.slow
def test_the_odds_of_kinds_are_nearer_the_truth_than_those_of_choice_where_questions_betray_hands():
    gains = [
        truth_under(turn, KINDS)[1] / truth_under(turn, CHOICE)[1]
        for deal, game in play(TABLES["never"], range(60), 7)
        for turn in positions(deal, game, 3)
    ]
    assert sum(gain > 1.0 for gain in gains) > 0.6 * len(gains)
