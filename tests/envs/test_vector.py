"""The vectorised environment plays the games of the referee, choice by choice."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import numpy as np
import pytest
from helpers.cases import cases, some
from helpers.compiled_games import REASONS, replayed
from helpers.support import DECK_ALONE, board_from

pytest.importorskip("gymnasium", reason="the extra cluedo[rl] is not installed")

from gymnasium.vector import VectorEnv

from cluedo.ai.playouts.arrays import REASON, TRACED, new_trace
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.errors import CluedoError, IllegalCommand, SetupError
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.envs.cluedo_v0 import CluedoEnv
from cluedo.envs.learner import LearnerEnv
from cluedo.envs.observing import SeatObserver
from cluedo.envs.vector import CompiledEnvs

END_TURN = 3


class Refereed(CluedoEnv):
    """The environment over the referee, at any game of a part."""

    def begin(self, seed: int, number: int) -> None:
        """Begin a game by its number."""
        seats = len(self.possible_agents)
        self.dealt = draw_deal(Seeds(seed, number // seats, seats), self.board.deck, self.rules)
        self.reset(seed=0)

    def _drawn(self):
        return self.dealt if hasattr(self, "dealt") else super()._drawn()


def choose(masks, random: Random) -> np.ndarray:
    """Allowed actions, an accusation seldom."""
    chosen = []
    for mask in masks:
        allowed = mask.nonzero()[0].tolist()
        few = [action for action in allowed if action < 300] or allowed
        chosen.append(random.choice(few if random.random() < 0.9 else allowed))
    return np.array(chosen)


def compare(envs: CompiledEnvs, steps: int, seed: int) -> int:
    """Play tables of learners and the same games at the referee; every observation and mask. How many games ended."""
    random, n, seats = Random(seed), envs.num_envs, envs.games.players.shape[1]
    referees = [Refereed(envs.board, seats, envs.rules, observe=("notes",)) for _ in range(n)]
    numbers, ended = [*range(n)], 0
    for number, referee in enumerate(referees):
        referee.begin(seed, number)
    rows, infos = envs.reset(seed=seed)
    for _ in range(steps):
        for k, referee in enumerate(referees):
            assert referee.agent_selection == f"player_{infos['seat'][k]}"
            seen = referee.observe(referee.agent_selection)
            assert (seen["action_mask"] == infos["action_mask"][k]).all()
            assert (seen["observation"] == rows[k]).all()
        actions = choose(infos["action_mask"], random)
        rows, rewards, terminated, truncated, infos = envs.step(actions)
        for k, referee in enumerate(referees):
            agent = referee.agent_selection
            referee.step(int(actions[k]))
            over = any(referee.terminations.values())
            assert (over, False) == (terminated[k], truncated[k])
            assert referee.infos[agent].get("unfinished", False) == infos["unfinished"][k]
            assert [referee.rewards[other] for other in referee.agents] == infos["rewards"][k].tolist()
            assert referee.rewards[agent] == rewards[k]
            if over:
                assert (infos["final_obs"][k] == referee.observe(agent)["observation"]).all()
                numbers[k] += n
                referee.begin(seed, numbers[k])
                ended += 1
    return ended


FREE = {"movement": "free"}
QUICK = [("tiny", 3, {"max_turns": 40}), ("classic", 4, {"dice": 1}), ("manoir", 6, {}), ("tiny", 4, FREE)]
LONG = some(
    [
        (name, seats, {"movement": movement, "max_turns": 80})
        for name in ("tiny", "classic", "manoir")
        for seats in ((3, 4) if name == "tiny" else (3, 4, 5, 6))
        for movement in ("walk", "free")
    ],
    6,
)


@pytest.mark.parametrize(
    ("name", "seats", "rules", "steps"),
    [
        *((*game, 60) for game in QUICK),
        *(pytest.param(*game, cases(2000, 120), marks=pytest.mark.slow) for game in LONG),
    ],
)
def test_learners_meet_the_games_of_the_referee(name, seats, rules, steps):
    envs = CompiledEnvs(4, Board.load(name), ["learner"] * seats, Rules(**rules))
    assert compare(envs, steps, seed=2**40 + seats) or "max_turns" not in rules


class Traced(CompiledEnvs):
    """One environment that keeps what happened."""

    def __init__(self, *args, **options):
        super().__init__(1, *args, **options)
        self._trace = new_trace(50_000)
        self.ended: list[list[list[int]]] = []

    @property
    def events(self) -> list[list[int]]:
        """What has happened in the game that goes on."""
        return self._trace[: self.games.states[0, TRACED]].tolist()

    def _begin(self, which):
        if self.games.states[0, REASON] >= 0:
            self.ended.append(self.events)
        super()._begin(which)


@pytest.mark.parametrize(
    "players",
    [["learner", "easy", "medium"], ["random", "learner", "blueprint", "learner"], ["easy", "easy", "learner"]],
)
def test_the_games_against_levels_are_those_that_the_referee_plays_again(players):
    envs, random = Traced("classic", players), Random(3)
    seats, board = len(players), envs.board
    games = [lambda number=number: Game.begin(board, Rules(), Seeds(6, number // seats, seats)) for number in range(99)]
    rows, infos = envs.reset(seed=6)
    for number in range(80):
        game = replayed(games[envs.games.games[0]](), envs.events)
        assert game.state.to_act == infos["seat"][0]
        assert players[(infos["seat"][0] + envs.games.games[0]) % seats] == "learner"
        view = game.view(game.state.to_act)
        assert (envs.actions.mask(view) == infos["action_mask"][0]).all()
        if number % 5 == 0:
            assert (SeatObserver(envs.fields, view).observe(view) == rows[0]).all()
        before = len(envs.ended), envs.games.games[0]
        rows, _, terminated, _, infos = envs.step(choose(infos["action_mask"], random))
        if terminated[0]:
            assert len(envs.ended) == before[0] + 1
            result = replayed(games[before[1]](), envs.ended[-1]).result
            assert REASONS.index(result.reason) < 2
            assert infos["rewards"][0].tolist() == [1 if seat == result.winner else -1 for seat in range(seats)]


def test_a_game_does_not_depend_on_how_many_are_played_at_a_time():
    likes = np.random.default_rng(1).random(1000)

    def results(n: int) -> dict[int, tuple[bytes, float]]:
        """By number of a game, its last observation and what it was worth."""
        envs, found = CompiledEnvs(n, "tiny", ["learner", "easy", "random"], Rules(max_turns=30)), {}
        _, infos = envs.reset(seed=4)
        while len(found) < 12 or (n == 1 and max(found) < 12):
            liked = infos["action_mask"] * likes[: envs.actions.size]
            _, _, terminated, truncated, after = envs.step(liked.argmax(1))
            for k in np.flatnonzero(terminated | truncated):
                number = int(envs.games.games[k]) - n * int(1 + after["skipped"][k])
                found[number] = after["final_obs"][k].tobytes(), after["rewards"][k].tolist()
            infos = after
        return found

    one, many = results(1), results(5)
    shared = one.keys() & many.keys()
    assert len(shared) >= 8
    assert all(one[number] == many[number] for number in shared)


def test_games_that_are_over_before_the_learner_has_a_choice_are_counted():
    envs = CompiledEnvs(300, "tiny", ["learner", "random", "random"], Rules(movement="free"))
    _, infos = envs.reset(seed=1)
    skipped = infos["skipped"]
    assert 0 < skipped.sum() < 30
    assert (envs.games.games == np.arange(300) + 300 * skipped).all()
    assert infos["action_mask"].any(axis=1).all()


def test_it_is_what_gymnasium_takes():
    envs = CompiledEnvs(4, board_from(DECK_ALONE), ["learner", "easy", "medium"], Rules(movement="free"), observe=())
    assert isinstance(envs, VectorEnv)
    rows, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(rows)
    assert envs.single_observation_space.contains(rows[0])
    actions = infos["action_mask"].argmax(1)
    assert envs.action_space.contains(actions)
    first = rows.copy()
    for _ in range(300):
        rows, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(1))
        assert envs.observation_space.contains(rows)
        assert (rewards.dtype.kind, rewards.shape) == ("f", (4,))
        assert terminated.dtype == truncated.dtype == bool
        assert infos["action_mask"].any(1).all(), "the next game has begun"
    assert (envs.reset(seed=1)[0] == first).all()
    assert (envs.reset(seed=2)[0] != first).any()
    assert (envs.reset()[0] != first).any()


def test_an_action_that_is_not_allowed_is_refused_and_nothing_is_done():
    envs = CompiledEnvs(3)
    rows, infos = envs.reset(seed=1)
    before, actions = rows.copy(), infos["action_mask"].argmax(1)
    actions[1] = END_TURN
    infos["action_mask"][:] = 1  # who writes into what they were told allows themselves nothing
    with pytest.raises(IllegalCommand, match="game 1: end is not allowed now; see the mask"):
        envs.step(actions)
    assert (envs._observations.rows == before).all()


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0, 0], "an array of 3 whole numbers, not"),
        ([[0], [0], [0]], "an array of 3 whole numbers, not"),
        ([0.5, 0, 0], "an array of 3 whole numbers, not"),
        (["roll"] * 3, "an array of 3 whole numbers, not"),
        (None, "an array of 3 whole numbers, not None"),
        ([0, -1, 0], "a whole number from 0 to .*, not -1"),
        ([0, 0, 10**6], "a whole number from 0 to .*, not 1000000"),
    ],
)
def test_what_is_no_action_is_refused_and_nothing_is_done(actions, said):
    envs = CompiledEnvs(3)
    before = envs.reset(seed=1)[0].copy()
    with pytest.raises(IllegalCommand, match=said):
        envs.step(actions)
    assert (envs._observations.rows == before).all()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"players": ["easy", "easy", "easy"]}, "nobody learns"),
        ({"players": ["learner", "expert", "easy"]}, "compiled games are played by"),
        ({"players": ["learner", "easy"]}, "two players need a pool"),
        ({"players": ["learner", "", "easy"]}, "a player is missing"),
        ({"players": 5}, "the players are a list, .*, not 5"),
        ({"num_envs": 0}, "1 game or more is played at a time, not 0"),
        ({"observe": ("marks",)}, "compiled games show the table and notes alone, not marks"),
        ({"board": "master"}, "has no grid"),
        ({"board": "house"}, "compiled games are played by rules 1 to 12 alone"),
        ({"rules": {"dcie": 1}}, "did you mean 'dice'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(settings, said):
    with pytest.raises(CluedoError, match=said):
        CompiledEnvs(**{"num_envs": 2} | settings)


def test_numbers_may_be_those_of_numpy():
    assert CompiledEnvs(np.int64(2)).num_envs == 2
    assert LearnerEnv(observe=("history",), history=np.int64(3)).fields.shapes["history"][0] == 3
    for env in (CompiledEnvs(1, "tiny", ["learner", "easy", "easy"]), LearnerEnv("tiny", ["easy", "easy"])):
        assert (env.reset(seed=np.int64(3))[0] == env.reset(seed=3)[0]).all()
        for seed in (-1, 1.5, "3", True):
            with pytest.raises(CluedoError, match=f"a seed is a whole number from 0 up, not {seed!r}"):
                env.reset(seed=seed)


def test_a_reset_without_a_seed_begins_the_next_games():
    envs = CompiledEnvs(2, "tiny", ["learner", "easy", "easy"])
    first = envs.reset(seed=1)[0].copy()
    assert envs.games.games.tolist() == [0, 1]
    assert (envs.reset()[0] != first).any()
    assert envs.games.games.tolist() == [2, 3]
    assert (envs.reset(seed=1)[0] == first).all()
    assert (CompiledEnvs(2, "tiny", ["learner", "easy", "easy"]).reset()[0] != first).any(), "its seed is its own"


def test_before_the_first_reset_a_sentence_says_so():
    with pytest.raises(SetupError, match="no game goes on; reset the environment first"):
        CompiledEnvs(2).step(np.zeros(2, np.int64))


def test_a_copy_plays_on_as_the_environment_does():
    envs = CompiledEnvs(3, "tiny", ["learner", "easy", "medium"])
    _, infos = envs.reset(seed=1)
    copy, told = deepcopy((envs, infos))
    for _ in range(30):
        actions = infos["action_mask"].argmax(1)
        assert (told["action_mask"].argmax(1) == actions).all()
        (rows, *_, infos), (others, *_, told) = envs.step(actions), copy.step(actions)
        assert (rows == others).all()


def test_a_list_of_seeds_is_refused():
    with pytest.raises(CluedoError, match="one seed for all"):
        CompiledEnvs(2).reset(seed=[1, 2])
