"""The environment for one learner: Gymnasium's own test, and the games of `autoplay`."""

from __future__ import annotations

import pickle
from copy import deepcopy
from pathlib import Path
from random import Random

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="the extra cluedo[rl] is not installed")

import gymnasium
from gymnasium.utils.env_checker import check_env

import cluedo
from cluedo.ai.level_easy import EasyPlayer
from cluedo.ai.level_medium import MediumPlayer
from cluedo.ai.loading import class_in
from cluedo.ai.player import Clock, Player
from cluedo.engine.commands import Command, EndTurn
from cluedo.engine.deal import Seeds
from cluedo.engine.editions import Edition
from cluedo.engine.errors import CluedoError, IllegalCommand, SetupError
from cluedo.engine.mapfile import MapFile
from cluedo.engine.rules import Rules
from cluedo.engine.state import ACCUSE, ASK, REFUTE
from cluedo.envs.learner import LearnerEnv
from cluedo.experiments.plan.part import Part
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"board": "tiny", "opponents": ["easy"] * 2, "actions": "tokens", "observe": ("odds", "history"), "bits": 0.1},
        {
            "opponents": ["random", "medium", "easy", "easy", "medium"],
            "rules": {"movement": "free"},
            "observe": ["notes"],
        },
    ],
)
def test_api(settings, capsys):
    env = gymnasium.make("cluedo.envs.learner:cluedo/Learner-v0", **settings)
    check_env(env.unwrapped)


def as_easy(player: EasyPlayer, env: LearnerEnv) -> Command:
    """What a level does next."""
    view = env.match.game.view(env.seat)
    if view.step is REFUTE:
        return player.choose_card(view)
    if view.step is ASK:
        return player.choose_hypothesis(view) or player.choose_accusation(view) or EndTurn()
    if view.step is ACCUSE:
        return player.choose_accusation(view) or EndTurn()
    return player.choose_move(view)


@pytest.mark.parametrize("actions", ["flat", "tokens"])
def test_a_learner_that_plays_like_a_level_plays_the_games_of_that_level(actions):
    part = Part("classic", Rules(), ("easy", "medium", "easy"), 6, 5)
    env = LearnerEnv("classic", [MediumPlayer, "easy"], actions=actions, observe=())
    for result in GameRunner(part).play(range(6), Interrupt()):
        env.reset(seed=5 if result.game == 0 else None)
        player, seeds = EasyPlayer(), Seeds(5, result.game // 3, 3)
        player.begin(env.match.game.dealt(env.seat), seeds.for_player(result.game % 3, 0))
        over, reward = False, 0.0
        while not over:
            for action in env.actions.actions_of(as_easy(player, env)):
                _, reward, over, truncated, _ = env.step(action)
        assert not truncated
        assert (env.match.game.result.winner, env.match.game.result.turns) == (result.winner, result.turns)
        assert reward == (1 if result.winner == env.seat else -1)
    assert {(env.seat, result.game)} == {(1, 5)}


@pytest.mark.parametrize("action", [-1, 10**6, 1.5, "roll", None, [0]])
def test_what_is_no_action_is_refused_and_nothing_is_done(action):
    env = LearnerEnv("tiny", ["random", "random"], {"max_turns": 9}, observe=())
    before, _ = env.reset(seed=1)
    with pytest.raises(IllegalCommand, match="an action is a whole number from 0 to"):
        env.step(action)
    assert (env._observe()[0] == before).all()


def test_masks_say_what_is_allowed_and_what_is_not_loses():
    env = LearnerEnv(observe=())
    _, info = env.reset(seed=1)
    assert (env.action_masks() == info["action_mask"].astype(bool)).all()
    action = env.actions.actions_of(EndTurn())[0]
    assert not env.action_masks()[action]
    _, reward, terminated, truncated, info = env.step(np.int64(action))
    assert (reward, terminated, truncated, info["not_allowed"]) == (-1, True, False, "end")
    with pytest.raises(SetupError, match="no game goes on; reset the environment first"):
        env.step(action)


@pytest.mark.parametrize("actions", ["flat", "tokens"])
def test_a_stranger_that_knows_the_spaces_and_the_mask_alone_plays_whole_games(actions):
    env = LearnerEnv("tiny", ["easy", "random"], actions=actions, rules=Rules(max_turns=40))
    env.action_space.seed(1)
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            assert env.observation_space.contains(observation)
            action = env.action_space.sample(info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)
            assert (type(reward), type(terminated), type(truncated)) in ((float, bool, bool), (int, bool, bool))
            over = terminated or truncated
        assert env.observation_space.contains(observation)
        assert "not_allowed" not in info


def test_a_policy_that_draws_at_random_makes_the_same_choices_as_a_player(monkeypatch):
    learned = class_in(Path(__file__).parents[2] / "examples" / "learned_bot.py", "Learned", Player)
    random, chosen, env = Random(), [], LearnerEnv("tiny", ["easy", "easy"])

    def policy(_, allowed):
        chosen.append(random.choice(allowed.nonzero()[0][:20].tolist()))
        return chosen[-1]

    monkeypatch.setitem(learned.choose.__globals__, "policy", policy)
    for seed in range(8):
        random.seed(seed)
        (seen, info), over = env.reset(seed=seed), False
        while not over:
            seen, _, over, _, info = env.step(policy(seen, info["action_mask"]))
        as_learner = chosen.copy()
        chosen.clear()
        random.seed(seed)
        cluedo.play("tiny", [learned, "easy", "easy"], seed=seed)
        assert chosen == as_learner
        chosen.clear()


@pytest.mark.parametrize("call", [LearnerEnv.render, LearnerEnv.action_masks, lambda env: env.step(0)])
def test_before_the_first_reset_a_sentence_says_so(call):
    with pytest.raises(SetupError, match="no game goes on; reset the environment first"):
        call(LearnerEnv("tiny", ["easy", "easy"], observe=()))


def test_a_person_sees_the_game_from_its_deal_on(capsys):
    env = LearnerEnv("tiny", ["easy", "easy"], observe=(), render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out.count("Amber, seat 0:") == 1


def test_a_game_that_is_not_finished_is_over_and_lost():
    env, random = LearnerEnv("tiny", ["easy", "easy"], Rules(max_turns=3), observe=()), Random(1)
    _, info = env.reset(seed=2)
    over = truncated = False
    while not over:
        patient = info["action_mask"][: env.actions.accusations.start]
        _, reward, over, truncated, info = env.step(random.choice(patient.nonzero()[0]))
    assert (over, truncated, reward, info["unfinished"]) == (True, False, -1, True)


def test_the_last_info_tells_how_often_the_opponents_failed(tmp_path):
    (tmp_path / "bot.py").write_text(
        "from cluedo.ai.level_easy import EasyPlayer\n\n\n"
        "class Bot(EasyPlayer):\n    def choose_move(self, view):\n        return None\n"
    )
    for opponent in ("easy", f"{tmp_path / 'bot.py'}:Bot"):
        env, over = LearnerEnv("tiny", ["easy", opponent], observe=()), False
        _, info = env.reset(seed=2)
        while not over:
            _, _, over, _, info = env.step(info["action_mask"].nonzero()[0][0])
        assert info["faults"] == len(env.match.faults)
        assert (info["faults"] > 0) is (opponent != "easy")


def test_games_that_are_over_before_the_learner_has_a_choice_are_counted():
    env = LearnerEnv("tiny", ["random", "random"], Rules(movement="free"), observe=())
    skipped = [env.reset(seed=1)[1]["skipped"]] + [env.reset()[1]["skipped"] for _ in range(300)]
    assert 0 < sum(skipped) < 30
    assert env._number == 300 + sum(skipped)
    assert env.action_masks().any()


def test_a_seed_gives_the_same_games_and_the_next_ones_follow():
    def games(env):
        rows = [env.reset(seed=7)[0].tobytes()] + [env.reset()[0].tobytes() for _ in range(4)]
        assert len(set(rows)) == 5
        return rows

    assert games(LearnerEnv()) == games(LearnerEnv())


def test_board_and_rules_are_taken_in_every_form_that_a_game_takes():
    boards = ["classic", MapFile.load("classic"), Edition.load("classic")]
    first, *others = (LearnerEnv(board, observe=()).reset(seed=1)[0] for board in boards)
    assert all((first == other).all() for other in others)
    assert LearnerEnv("clue", rules={"sides": 8}).rules == Rules(dice=1, sides=8, starts="first_suspect")


@pytest.mark.parametrize("copied", [deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_plays_on_as_the_environment_does(copied):
    def played(env, random):
        seen = []
        for _ in range(25):
            if env._over:
                env.reset()
            allowed = env.action_masks()[: env.actions.accusations.start].nonzero()[0]
            row, reward, *_ = env.step(random.choice(allowed))
            seen.append((row.tobytes(), reward))
        return seen

    env = LearnerEnv("tiny", ["hard", "medium"], observe=("history", "notes", "odds"), bits=0.1)
    env.reset(seed=1)
    played(env, Random(1))
    copy = copied(env)
    assert played(copy, Random(2)) == played(env, Random(2))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"opponents": ["easy"]}, "two players need a pool"),
        ({"opponents": ["easy", "esy"]}, "did you mean 'easy'"),
        ({"opponents": "easy,easy"}, r"the players are a list, such as \['easy', 'easy'\], not one text"),
        ({"opponents": [EasyPlayer(), "easy"]}, "a player is named by a text, such as 'hard', not <cluedo"),
        ({"opponents": ["exec:node bot.js", "easy"]}, "programs and language models cannot play here"),
        ({"rules": {"dcie": 1}}, "did you mean 'dice'"),
        ({"board": "master"}, "has no grid"),
        ({"render_mode": "text"}, "not 'text'"),
        ({"bits": float("nan")}, "bits is a finite number, not nan"),
        ({"clock": Clock(-1.0)}, "a think limit is a number of seconds from 0.001 to 86400, or None, not -1.0"),
        ({"clock": Clock(1e10)}, "a think limit is a number of seconds from 0.001 to 86400, or None, not 1"),
        ({"clock": Clock("x")}, "a think limit is a number of seconds from 0.001 to 86400, or None, not 'x'"),
        ({"clock": 5}, r"a clock is a cluedo.Clock, such as Clock\(think_limit=5\), not 5"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(settings, said):
    with pytest.raises(CluedoError, match=said):
        LearnerEnv(**settings)
