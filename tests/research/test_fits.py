"""The programs that fit what the odds and the race go by: what they look at, and what they count."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest
from helpers.cases import some
from helpers.support import drawn_game

from cluedo.ai.knowledge import CHOICE, KINDS, Posterior
from cluedo.ai.opponents import _SPREAD
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, EndTurn, Stay
from cluedo.engine.game import Game
from research import chances, few_deals
from research.asker_kinds import truth_under
from research.games import TABLES, play, positions
from research.solving_times import log_of


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


def test_shares_are_such_that_on_average_each_sort_is_said_to_be_as_frequent():
    draws = np.random.default_rng(3)
    logs = [draws.normal(0.0, 1.0, (200, 3)) + 2.0 * np.eye(3)[sort] + [0.0, 0.5, -1.0] for sort in range(3)]
    shares = chances.shares_of(logs)
    assert shares.sum() == pytest.approx(1.0)
    assert shares[2] > shares[0] > shares[1], "the less its tables look like it, the more it gets"
    said = np.zeros(3)
    for log in logs:
        odds = np.exp(log) * shares
        said += (odds / odds.sum(1, keepdims=True)).mean(0) / 3.0
    assert said == pytest.approx([1 / 3] * 3, abs=1e-6)


def test_a_moment_is_won_by_who_plays_on_without_the_guess(monkeypatch):
    monkeypatch.setattr(chances, "_MOST", 50)
    found = list(chances.moments("easy", 3, range(4), 5, "tiny"))
    assert {moment.others for moment in found} == {"easy"}
    for moment in found:
        assert moment.evidence.me is not None
        assert 0.1 <= Posterior(moment.evidence, CHOICE).envelopes()[0][1] < 1.0
    assert any(moment.won for moment in found), "nobody else wins"


def test_without_a_guess_the_turn_is_ended_and_all_before_it_stays():
    game = drawn_game(Board.load("classic"), 3, 5)
    game.execute(Stay())
    suspect, weapon, room = (ids[0] for ids in game.table.deck.ids)
    game.execute(Accusation(suspect, weapon, room))
    seen: list[Game] = []

    def play_on(again: Game) -> int:
        seen.append(again)
        return 2

    assert chances._without_guess(game, 1, play_on) == 2
    (again,) = seen
    assert again.commands == [Stay(), EndTurn()]
    assert again.state.deal == game.state.deal
    assert not again.state.eliminated


@pytest.mark.slow
def test_the_fit_and_the_check_print_what_is_said_and_what_came_true(monkeypatch, capsys):
    monkeypatch.setattr(chances, "_SIZES", {3: 4})
    monkeypatch.setattr(chances, "_MAPS", ("tiny",))
    chances.fit(1)
    told = capsys.readouterr().out
    assert told.splitlines()[0].startswith("easy, medium share ")
    assert told.count("of a guess\n") == 4
    chances.check(1, 5)
    assert capsys.readouterr().out.splitlines()[0] == "easy, medium: said of such a table, of playing on"


def test_the_fitted_trust_in_few_deals_is_nearer_to_what_many_say_than_to_trust_all_or_hardly_any():
    judged = [
        few_deals.judge(turn)[0]
        for deal, game in play(TABLES["never"], range(10), 7)
        for turn in positions(deal, game, 3)
        if Posterior(turn.evidence, KINDS).joint.max() >= few_deals.LEAST
    ]
    off = dict(zip(few_deals.SPREADS, np.mean(judged, axis=0)[:, 0], strict=True))
    assert off[_SPREAD] < min(off[0.1], off[1e9])


PROGRAMS = [
    ("asker_kinds", 1, "AskerKind(prior="),
    ("solving_times", 3, "own {'PROOF': "),
    ("true_odds", 1, "  expert "),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "games", "said"), some([*PROGRAMS, ("few_deals", 2, "1e+09   64: ")], 2))
def test_the_programs_run_to_their_end(name, games, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [name, "--games", str(games)])
    importlib.import_module(f"research.{name}").main()
    assert capsys.readouterr().out.splitlines()[-1].startswith(said)
