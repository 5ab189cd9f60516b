"""The questions of a turn: each is asked when it may be answered, and every command answers one or ends the turn."""

from __future__ import annotations

from random import Random

import pytest
from helpers.support import drawn_game

from cluedo.ai.player import Player, Proxy
from cluedo.engine.board import Board
from cluedo.engine.commands import COMMANDS, EndTurn, Stay
from cluedo.engine.turn_questions import QUESTIONS, QUESTIONS_BY_STEP


def test_every_command_but_the_end_of_the_turn_answers_a_question():
    answers = {kind for question in QUESTIONS for kind in question.kinds} - {type(None)}
    assert answers == set(COMMANDS) - {EndTurn}
    assert len({question.name for question in QUESTIONS}) == len(QUESTIONS)
    assert all(callable(getattr(Player, question.method)) for question in QUESTIONS)
    assert all(question.method in vars(Proxy) for question in QUESTIONS), "a program would never be asked"


@pytest.mark.parametrize("rules", [{}, {"movement": "free"}, {"pool": 3, "peek": True}, {"accuse_in": "room"}], ids=str)
def test_a_question_is_due_where_one_of_its_commands_is_legal_and_its_default_is_to_stay_to_show_or_nothing(rules):
    game = drawn_game(Board.load("tiny"), 3, seed=4, max_turns=40, **rules)
    random, asked = Random(1), set()
    while not game.over:
        state = game.state
        kinds = {type(command) for command in game.legal()}
        due = []
        for question in QUESTIONS_BY_STEP[state.step]:
            if question.obstacle is None or question.obstacle(state) is None:
                due.append(question)
                default = question.default(state)
                assert default == {"move": Stay(), "walk": Stay(), "card": game.legal()[0]}.get(question.name)
                assert default in game.legal() if default is not None else type(None) in question.kinds
        assert {kind for question in due for kind in question.kinds} - {type(None)} >= kinds - {EndTurn}
        assert all(kinds.intersection(question.kinds) for question in due)
        asked |= {question.name for question in due}
        calm = [command for command in game.legal() if type(command).__name__ != "Accusation"]
        game.execute(random.choice(calm))
    looks = {"peek"} if "pool" in rules else set()
    walks = set() if "movement" in rules else {"walk"}
    assert asked == {"move", "hypothesis", "card", "accusation"} | looks | walks
