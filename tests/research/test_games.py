"""The games that the programs look at: what a seat knew at the ends of its turns."""

from __future__ import annotations

from cluedo.ai.knowledge import CHOICE, Posterior
from research.asker_kinds import truth_under
from research.games import TABLES, play, positions


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
