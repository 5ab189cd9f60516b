"""The game of OpenSpiel: its own tests, and the games of the referee."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from helpers.level_games import played
from helpers.other_deals import as_dealt, cut, other_deals

pytest.importorskip("pyspiel", reason="the extra cluedo[openspiel] is not installed")

import pyspiel
from absl import flags
from open_spiel.python.algorithms import ismcts, mcts

import cluedo.envs.openspiel  # noqa: F401 - registers the game
from cluedo.ai.knowledge import CHOICE, SeatKnowledge
from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Command, Roll
from cluedo.engine.deal import Deal
from cluedo.engine.errors import CluedoError
from cluedo.engine.game import Game
from cluedo.engine.mapfile import map_text
from cluedo.envs.acting import FlatActions

GOLDEN = Path(__file__).parent.parent / "data" / "python_cluedo.txt"


@pytest.mark.parametrize(
    "text",
    [
        "python_cluedo(players=3,board=tiny,max_turns=6)",
        "python_cluedo(players=4,board=tiny,max_turns=4,dice=1,sides=4)",
        "python_cluedo(players=5,movement=free,max_turns=3)",
        "python_cluedo(players=6,max_turns=3,board=manoir)",
    ],
)
def test_random_games(text):
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("text", ["python_cluedo(players=3,board=tiny,max_turns=9)", "python_cluedo(max_turns=5)"])
def test_a_stranger_meets_nothing_that_the_game_has_not_announced(text):
    game, random = pyspiel.load_game(text), Random(1)
    for _ in range(3):
        state, acted = game.new_initial_state(), 0
        while not state.is_terminal():
            actions = state.legal_actions()
            assert actions == sorted(set(actions))
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                assert list(outcomes) == actions
                assert sum(chances) == pytest.approx(1)
                assert max(outcomes) < game.max_chance_outcomes()
                state.apply_action(random.choices(outcomes, chances)[0])
                continue
            player, acted = state.current_player(), acted + 1
            assert actions[-1] < game.num_distinct_actions()
            assert [k for k, allowed in enumerate(state.legal_actions_mask(player)) if allowed] == actions
            assert len({state.action_to_string(player, action) for action in actions}) == len(actions)
            assert len(state.information_state_tensor(player)) == game.information_state_tensor_size()
            assert len(state.observation_tensor(player)) == game.observation_tensor_size()
            assert state.rewards() == [0.0] * game.num_players()
            state.apply_action(random.choice(actions))
        assert acted <= game.max_game_length()
        assert all(game.min_utility() <= share <= game.max_utility() for share in state.returns())
        assert state.legal_actions() == []


# OpenSpiel prints by a class that numpy 2.5 warns of.
@pytest.mark.filterwarnings("ignore:The chararray class:DeprecationWarning")
def test_the_playthrough_is_the_one_that_was_kept():
    """To make it anew: ``generate_playthrough.playthrough(GAME, None, seed=0)``, GAME being that of its first line."""
    from open_spiel.python.algorithms import generate_playthrough  # it takes two seconds, and SciPy

    flags.FLAGS.mark_as_parsed()  # there is no command line, which it would take for a mistake
    original, replayed = generate_playthrough.replay(str(GOLDEN))
    assert replayed == original


def test_what_is_public_is_not_observed_by_itself():
    game = pyspiel.load_game("python_cluedo(board=tiny)")
    assert not game.get_type().provides_factored_observation_string
    one, none = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
    for public, private in ((True, none), (False, one), (False, none)):
        kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=False, private_info=private)
        assert game.make_py_observer(kind) is None


def followed(game: Game, deal: Deal, commands: list[Command]):
    """The states of OpenSpiel's game with a deal, after each command."""
    rules, board, seats = game.table.rules, game.table.board, game.table.seats
    limits = f"max_turns={rules.max_turns},movement={rules.movement}"
    text = f"python_cluedo(players={seats},board={board.map.name},{limits})"
    state = pyspiel.load_game(text).new_initial_state()
    sizes = [hand.bit_count() for hand in deal.hands]
    large = [seat for seat in range(seats) if sizes[seat] > min(sizes)]
    dealer = [(seat - 1) % seats for seat in large if (seat - 1) % seats not in large]
    for outcome in (*deal.envelope, deal.first, *dealer):
        assert state.is_chance_node()
        state.apply_action(outcome)
    hands = [bits(hand) for hand in deal.hands]
    while any(hands):
        card = hands[state.course.next_hand].pop()
        state.apply_action(card)
    yield state
    actions, rolled = FlatActions(board), [0] * seats
    for command in commands:
        seat = state.current_player()
        assert seat == state.course.game.state.to_act
        (action,) = actions.actions_of(command)
        assert action in state.legal_actions()
        state.apply_action(action)
        if isinstance(command, Roll):
            for face in deal.dice[seat][rolled[seat]]:
                assert state.chance_outcomes() == [(k, 1 / rules.sides) for k in range(rules.sides)]
                state.apply_action(face - 1)
            rolled[seat] += 1
        yield state


def whole_game(name: str, seats: int, **rules) -> Game:
    return played(["medium"] * seats, name, 4, **rules).game


@pytest.mark.parametrize(("name", "seats", "rules"), [("classic", 4, {}), ("tiny", 3, {"movement": "free"})])
def test_games_of_levels_can_be_played_through_it(name, seats, rules):
    game = whole_game(name, seats, **rules)
    for state in followed(game, game.state.deal, game.commands):
        last = state
    assert last.course.game.events == game.events
    assert last.is_terminal()
    winner = game.result.winner
    assert last.returns() == [1.0 if seat == winner else -1 / (seats - 1) for seat in range(seats)]
    assert sum(last.returns()) == pytest.approx(0)


def told(state, seat: int) -> tuple[object, ...]:
    """All that a seat is told of a state."""
    tensors = state.information_state_tensor(seat), state.observation_tensor(seat)
    return state.information_state_string(seat), state.observation_string(seat), *map(tuple, tensors)


def test_deals_that_a_seat_cannot_tell_apart_look_the_same_to_it():
    game, random, compared = cut(whole_game("classic", 4, max_turns=14), 7), Random(1), 0
    for seat in (0, 3):
        for deal in other_deals(game, seat, random, wanted=1):
            commands = as_dealt(game, deal, seat, random)
            pairs = zip(followed(game, game.state.deal, game.commands), followed(game, deal, commands), strict=True)
            for number, (true, other) in enumerate(pairs):
                if number % 4 == 0:
                    assert told(true, seat) == told(other, seat), f"seat {seat}"
                compared += str(true) != str(other)
    assert compared > 10


@pytest.mark.parametrize(("name", "seats"), [("tiny", 3), ("classic", 4)])
def test_a_state_that_is_drawn_again_looks_the_same_to_whoever_it_is_drawn_for(name, seats):
    game, random, others = whole_game(name, seats), Random(1), set()
    states = [*followed(game, game.state.deal, game.commands)]
    for state in states[:: len(states) // 5]:
        for seat in range(seats):
            again = state.resample_from_infostate(seat, random.random)
            assert told(again, seat) == told(state, seat)
            assert again.current_player() == state.current_player()
            assert state.current_player() != seat or again.legal_actions() == state.legal_actions()
            assert len(again.history()) == len(state.history())
            others.add(str(again) != str(state))
    assert True in others


def test_states_are_drawn_as_likely_as_whoever_shows_one_of_several_cards_at_random_makes_them():
    game, random, draws = whole_game("tiny", 3), Random(1), 600
    *_, state = followed(game, game.state.deal, game.commands[: len(game.commands) // 2])
    drawn = [state.resample_from_infostate(1, random.random).course.envelope for _ in range(draws)]
    known = SeatKnowledge.of(state.course.game.view(1), CHOICE)
    assert sum(0 < chance < 1 for *_, chance in known.chances) > 3
    for card, (*_, chance) in enumerate(known.chances):
        found = sum(card in envelope for envelope in drawn) / draws
        assert abs(found - chance) < 4 * (chance * (1 - chance) / draws) ** 0.5 + 1e-9


def test_no_state_is_drawn_before_the_cards_are_dealt():
    state = pyspiel.load_game("python_cluedo(board=tiny)").new_initial_state()
    with pytest.raises(CluedoError, match="once all cards are dealt"):
        state.resample_from_infostate(0, Random(1).random)


def test_the_search_of_openspiel_for_hidden_information_plays_a_game_to_its_end():
    game, random = pyspiel.load_game("python_cluedo(board=tiny,max_turns=6)"), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, random),
        uct_c=1.4,
        max_simulations=4,
        random_state=random,
    )
    state = game.new_initial_state()
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(int(random.choice(actions)) if state.is_chance_node() else bot.step(state))
    assert sum(state.returns()) == 0


def test_a_clone_goes_its_own_way():
    game = whole_game("tiny", 3)
    *_, state = followed(game, game.state.deal, game.commands[: len(game.commands) // 2])
    twin = state.clone()
    assert str(twin) == str(state)
    assert twin.legal_actions() == state.legal_actions()
    before = str(state)
    while not twin.is_terminal():
        twin.apply_action(twin.legal_actions()[-1] if not twin.is_chance_node() else twin.chance_outcomes()[0][0])
    assert str(state) == before != str(twin)


def test_a_board_whose_file_has_changed_is_played_as_it_is_now(tmp_path):
    file = tmp_path / "own.json"
    for name in ("tiny", "classic"):
        file.write_text(map_text(name), encoding="utf-8")
        game = pyspiel.load_game("python_cluedo", {"board": str(file), "players": 3})
        assert game.setting.board is Board.load(file)


def test_what_is_not_legal_is_refused_and_changes_nothing():
    game = whole_game("tiny", 3)
    for state in followed(game, game.state.deal, game.commands[:4]):
        legal = [one for one, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        before = str(state)
        for action in {-2, 9999, *range(60)} - set(legal):
            with pytest.raises(CluedoError):
                state.apply_action(action)
        assert str(state) == before == str(state.clone())
    *_, over = followed(game, game.state.deal, game.commands)
    assert over.is_terminal()
    with pytest.raises(CluedoError, match="the game is over"):
        over.apply_action(0)


def test_information_has_perfect_recall_and_a_line_for_each_event():
    game = whole_game("tiny", 3, max_turns=9)
    seen = [state.information_state_string(1) for state in followed(game, game.state.deal, game.commands)]
    assert all(after.startswith(before) for before, after in pairwise(seen))
    assert seen[-1].count("\n") == 2 + len(game.events)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("python_cluedo(board=clasic)", "did you mean 'classic'"),
        ("python_cluedo(board=master)", "has no grid"),
        ("python_cluedo(dice=9)", "must be 6 or less"),
        ("python_cluedo(board=tiny,players=6)", "too many for the 4 suspects"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(text, said):
    with pytest.raises(CluedoError, match=said):
        pyspiel.load_game(text)
