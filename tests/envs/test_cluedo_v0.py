"""The environment for all seats: PettingZoo's own tests, and the games of the referee."""

from __future__ import annotations

import re
import warnings
from itertools import pairwise
from random import Random

import pytest
from helpers.editions import EDITIONS
from helpers.other_deals import as_dealt, cut, other_deals
from helpers.programs import told_by_python
from helpers.support import make_match

pytest.importorskip("pettingzoo", reason="the extra cluedo[rl] is not installed")

from pettingzoo.test import api_test, render_test, seed_test

from cluedo.ai.knowledge import UNIFORM, EvidenceReader, SeatKnowledge
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation
from cluedo.engine.deal import Deal, Seeds
from cluedo.engine.editions import Edition
from cluedo.engine.errors import CluedoError, IllegalCommand, SetupError
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.envs import cluedo_v0

SETTINGS = [
    {},
    {"actions": "tokens", "observe": ("history",), "seats": 3},
    {"observe": ("notes", "odds"), "rules": Rules(movement="free"), "seats": 6},
    {"board": "tiny", "seats": 3, "actions": "tokens", "observe": (), "bits": 0.5, "rules": Rules(max_turns=4)},
    {"board": "tiny", "seats": 3, "observe": ("odds",), "rules": Rules(**EDITIONS["together"].rules, max_turns=30)},
]


def play(env, random: Random, most: int = 10**6) -> dict[str, float]:
    """Play a game with actions drawn by the mask, as learners draw them; what each agent was rewarded in all."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.possible_agents:
        env.action_space(agent).seed(random.randrange(2**31))
    for agent in env.agent_iter(most):
        observation, reward, terminated, truncated, _ = env.last()
        assert env.observation_space(agent).contains(observation)
        assert type(reward) in (int, float)
        total[agent] += reward
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert not env.agents
    return total


@pytest.mark.parametrize("settings", SETTINGS)
def test_api_and_seeds(settings, capsys):
    with warnings.catch_warnings():
        # It knows by name which environments have a dictionary to observe, and a dead agent may do nothing.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")
        api_test(cluedo_v0.env(**settings), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out
    seed_test(lambda: cluedo_v0.env(**settings), num_cycles=40)


def test_rendering(capsys):
    render_test(lambda **options: cluedo_v0.env("tiny", seats=3, **options))
    lines = capsys.readouterr().out.splitlines()
    assert "2 Coral, seat 2: (10, 3)" in lines
    assert any(re.fullmatch(r"turn 1 of (\w+): \1, MOVE", line) for line in lines)


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_random_player_plays_the_games_of_the_referee(settings):
    env, random = cluedo_v0.raw_env(**settings), Random(5)
    seats = len(env.possible_agents)
    for number in range(3):
        env.reset(seed=9 if number == 0 else None)
        total = play(env, random)
        game = Game.begin(env.board, env.rules, Seeds(9, number, seats))
        for command in env.game.commands:
            game.execute(command)
        assert game.events == env.game.events
        assert game.result == env.game.result
        if not settings.get("bits"):
            assert [*total.values()] == [1 if seat == game.result.winner else -1 for seat in range(seats)]


@pytest.mark.parametrize("actions", ["flat", "tokens"])
def test_games_of_levels_can_be_played_through_it(actions):
    env = cluedo_v0.raw_env(actions=actions, observe=())
    env.reset(seed=3)
    game = Game.begin(env.board, env.rules, Seeds(3, 0, 4))
    make_match(game, ["easy", "medium", "easy", "medium"]).play()
    for command in game.commands:
        assert env.agent_selection == f"player_{env.game.state.to_act}"
        for action in env.actions.actions_of(command):
            assert not any(env.terminations.values())
            env.step(action)
    assert env.game.events == game.events
    assert all(env.terminations.values())
    winner = game.result.winner
    assert env.rewards == {agent: 1 if seat == winner else -1 for seat, agent in enumerate(env.possible_agents)}


def test_a_game_that_is_not_finished_is_over_and_lost_by_all():
    env = cluedo_v0.raw_env("tiny", 3, Rules(max_turns=2), observe=())
    env.reset(seed=1)
    for action in (2, 3, 2, 3):  # stay, end
        env.step(action)
    assert all(env.terminations.values())
    assert not any(env.truncations.values())  # or learners would add what they expect of a game that is over
    assert set(env.rewards.values()) == {-1}
    assert all(info == {"unfinished": True} for info in env.infos.values())


def test_bits_are_rewarded_as_they_are_learned():
    env = cluedo_v0.raw_env(rules=Rules(max_turns=16), bits=0.25, observe=())
    random = Random(2)
    for _ in range(3):
        env.reset(seed=random.randrange(99))
        before = known(env)
        total, now = dict.fromkeys(env.agents, 0.0), before
        while not env.terminations["player_0"] and not env.truncations["player_0"]:
            now = known(env)
            env.step(int(random.choice(env.observe(env.agent_selection)["action_mask"].nonzero()[0])))
            for agent, reward in env.rewards.items():
                total[agent] += reward
        for seat, agent in enumerate(env.agents):
            end = 1 if seat == env.game.result.winner else -1
            assert total[agent] == pytest.approx(0.25 * (before[seat] - now[seat]) + end)
        assert before > now


def known(env) -> list[float]:
    views = [env.game.view(seat) for seat in range(4)]
    return [SeatKnowledge(EvidenceReader(view).evidence, UNIFORM).bits for view in views]


class GivenDeal(cluedo_v0.CluedoEnv):
    """The environment with a deal that is given."""

    deal: Deal | None = None

    def _drawn(self):
        return self.deal or super()._drawn()


@pytest.mark.parametrize("actions", ["flat", "tokens"])
def test_an_agent_is_told_nothing_that_its_seat_may_not_know(actions):
    """Observations, masks, rewards and infos under deals that a seat cannot tell from the true one."""
    env, random = GivenDeal(actions=actions, observe=("marks",), bits=1.0, rules=Rules(max_turns=12)), Random(4)
    while True:
        env.reset(seed=random.randrange(1000))
        play(env, random, 400)
        game = cut(env.game, 8)
        deals = [(seat, deal) for seat in range(4) for deal in other_deals(game, seat, random, wanted=1)]
        if len(deals) >= 3:
            break
    for seat, deal in deals:
        true, other = (game.state.deal, game.commands), (deal, as_dealt(game, deal, seat, random))
        assert told(env, *true, seat) == told(env, *other, seat)


def told(env, deal, commands, seat):
    """All that an agent is told of a game."""
    env.deal = deal
    env.reset(seed=0)
    agent, found = f"player_{seat}", []
    for before, command in pairwise([None, *commands]):
        if isinstance(before, Accusation):  # it has ended the turn
            continue
        for action in env.actions.actions_of(command):
            env.step(action)
            seen = env.observe(agent)
            found.append((env.agent_selection, env.rewards.get(agent), env.infos.get(agent)))
            found.append((seen["observation"].tobytes(), seen["action_mask"].tobytes()))
    return found


def test_nobody_hears_what_another_seat_has_only_begun_to_say():
    env = cluedo_v0.raw_env("tiny", seats=3, actions="tokens", observe=())
    env.reset(seed=0)
    env.step(2)
    env.step(8)  # accuse …
    agent = env.agent_selection
    others = [other for other in env.agents if other != agent]
    assert env.fields.field(env.observe(agent)["observation"], "begun")[0, 8] == 1
    assert not any(env.fields.field(env.observe(other)["observation"], "begun").any() for other in others)


@pytest.mark.parametrize(("action", "said"), [(3, "action 3 (end) is not"), (-1, "from 0 to"), (999, "from 0 to")])
def test_an_action_that_is_not_allowed_is_refused_and_changes_nothing(action, said):
    env = cluedo_v0.raw_env(observe=())
    env.reset(seed=0)
    before = env.observe(env.agent_selection)["observation"]
    with pytest.raises(IllegalCommand) as refused:
        env.step(action)
    assert said in str(refused.value)
    assert (env.observe(env.agent_selection)["observation"] == before).all()


def test_with_its_guard_an_action_that_is_not_allowed_ends_the_game_and_no_other_is_taken():
    env = cluedo_v0.env("tiny", seats=3, observe=())
    env.reset(seed=0)
    loser = env.agent_selection
    env.step(3)  # end
    total = play(env, Random(0))
    assert not env.agents
    assert total == {agent: -1 if agent == loser else 0 for agent in env.possible_agents}
    env.reset(seed=0)
    env.step(3)
    assert env.infos == {agent: {"unfinished": False} for agent in env.possible_agents}
    env.reset(seed=0)
    for action in (-1, 999, None, "roll", 1.5, [0]):
        with pytest.raises(IllegalCommand, match="from 0 to"):
            env.step(action)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"render_mode": "text"}, "a game is rendered as ansi, human, rgb_array, not 'text'"),
        ({"board": "master"}, "has no grid"),
        ({"observe": ("odd",)}, "did you mean 'odds'"),
        ({"observe": ("history",), "history": 0}, "the history holds 1 event or more, not 0"),
        ({"observe": ("history",), "history": True}, "the history holds 1 event or more, not True"),
        ({"rules": {"dcie": 1}}, "did you mean 'dice'"),
        ({"seats": "3"}, "2 to 10 players, not '3'"),
        ({"board": Edition.load("master"), "seats": "3"}, "2 to 10 players, not '3'"),
        ({"observe": None}, r"observe is a list of names, such as \['marks'\], not None"),
        ({"observe": "marks"}, r"observe is a list of names, such as \['marks'\], not 'marks'"),
        ({"observe": (1,)}, r"observe is a list of names, such as \['marks'\], not \(1,\)"),
        ({"actions": None}, "no kind of actions is called 'None'; known: flat, tokens"),
        ({"bits": "0.1"}, "bits is a finite number, not '0.1'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(settings, said):
    with pytest.raises(CluedoError, match=said):
        cluedo_v0.env(**settings)


def test_a_seed_that_is_refused_was_never_tried():
    env = cluedo_v0.raw_env("tiny", 3, {"max_turns": 30})
    env.reset(seed=3)
    with pytest.raises(SetupError, match="a seed is a whole number from 0 up, not 'x'"):
        env.reset(seed="x")
    env.reset()


def test_without_a_seed_every_environment_deals_its_own_games():
    hands = []
    for _ in range(2):
        env = cluedo_v0.raw_env(observe=())
        env.reset()
        hands.append(env.game.state.deal.hands)
    assert hands[0] != hands[1]


def test_the_picture_shows_rooms_and_pawns():
    env = cluedo_v0.raw_env("tiny", seats=3, render_mode="rgb_array")
    env.reset(seed=0)
    picture = env.render()
    board = Board.load("tiny")
    assert picture.shape == (14 * board.height, 14 * board.width, 3)
    x, y = (14 * k + 7 for k in board.node(board.starts[0]))
    assert "#{:02x}{:02x}{:02x}".format(*picture[y, x]) == board.map.suspects[0].colour


def test_where_the_extra_is_missing_a_sentence_says_so():
    code = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "from cluedo.engine.errors import SetupError\n"
        "try:\n    import cluedo.envs.cluedo_v0\n"
        "except SetupError as error:\n    assert isinstance(error, ImportError); print(error)"
    )
    assert told_by_python("-c", code) == "this needs the extra rl: pip install 'cluedo[rl]'\n"
    assert issubclass(SetupError, CluedoError)
