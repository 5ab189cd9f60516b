"""Actions say every legal command and no other, one by one or token by token."""

from __future__ import annotations

from random import Random

import pytest
from helpers.editions import EDITIONS, edition_game
from helpers.support import DECK_ALONE, board_from, drawn_game, play_random

from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, Command, Peek
from cluedo.engine.errors import SetupError
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.engine.view import PlayerView
from cluedo.envs.acting import ActionSequence, ActionSet, action_set

KINDS = ("flat", "tokens")


def said(actions: ActionSet, view: PlayerView, begun: ActionSequence = ()) -> dict[ActionSequence, Command]:
    """Every command that the masks let one say."""
    found = {}
    for action in actions.mask(view, begun).nonzero()[0].tolist():
        sentence = (*begun, action)
        command = actions.command(view, sentence)
        found |= said(actions, view, sentence) if command is None else {sentence: command}
    return found


def check(game: Game, actions: ActionSet) -> None:
    """The commands that can be said are those that are legal, and each is said in one way."""
    view = game.view(game.state.to_act)
    sentences = said(actions, view)
    assert set(sentences.values()) == set(game.legal())
    assert len(sentences) == len(game.legal())
    assert all(actions.actions_of(command) == sentence for sentence, command in sentences.items())
    assert max(map(len, sentences)) <= actions.longest
    others = [seat for seat in range(game.table.seats) if seat != view.to_act]
    assert not any(actions.mask(game.view(seat)).any() for seat in others)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("movement", ["walk", "free"])
@pytest.mark.parametrize(("name", "seats"), [("tiny", 3), ("tiny", 4), ("classic", 5)])
def test_the_masks_allow_what_the_rules_allow(kind, movement, name, seats):
    board, random = Board.load(name), Random(name)
    actions = action_set(kind, board, Rules(), 3)
    steps = set()
    for deal in range(3):
        game = drawn_game(board, seats, 1, deal, movement=movement, max_turns=40)

        def before(_command: Command, game: Game = game) -> None:
            if game.state.step not in steps or random.random() < 0.05:
                check(game, actions)
            steps.add(game.state.step)

        play_random(game, random, "eager", before=before)
        assert not actions.mask(game.view(0)).any(), "nothing can be done once the game is over"
    assert len(steps) >= (5 if movement == "walk" else 4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EDITIONS)
def test_so_they_do_by_the_rules_of_editions(kind, name):
    looks = 0
    for number in range(8):
        game = edition_game(name, number, max_turns=12)
        actions = action_set(kind, game.table.board, game.table.rules, game.table.seats)

        def before(command: Command, game: Game = game, actions: ActionSet = actions) -> None:
            nonlocal looks
            looks += isinstance(command, Peek)
            if isinstance(command, Peek) or game.state.turn % 5 == 1:
                check(game, actions)

        play_random(game, Random(number), "eager", before=before)
    rules = Rules(**EDITIONS[name].rules)
    assert bool(looks) == rules.peek


def test_so_they_do_on_a_deck_without_a_board():
    game = drawn_game(board_from(DECK_ALONE), 4, 1, movement="free")
    for kind in KINDS:
        check(game, action_set(kind, game.table.board, game.table.rules, 4))


@pytest.mark.parametrize(("name", "flat", "tokens"), [("classic", 582, 34), ("manoir", 588, 34), ("tiny", 104, 20)])
def test_how_many_actions_there_are(name, flat, tokens):
    board = Board.load(name)
    assert (action_set("flat", board, Rules(), 3).size, action_set("tokens", board, Rules(), 3).size) == (flat, tokens)


def test_names_tell_what_an_action_does():
    board = Board.load("classic")
    flat, tokens = (action_set(kind, board, Rules(), 3) for kind in KINDS)
    command = Accusation(*board.deck.triple(["Plum", "Rope", "Hall"]))
    assert [flat.names[action] for action in flat.actions_of(command)] == ["accuse Plum, Rope, Hall"]
    plum, rope, hall = (k - ids.start for k, ids in zip(command.cards, board.deck.ids, strict=True))
    words = [tokens.names[action] for action in tokens.actions_of(command)]
    assert words == ["accuse", str(plum), str(rope), str(hall)]
    assert len(set(flat.names)) == flat.size


def test_another_kind_of_actions_is_refused():
    with pytest.raises(SetupError, match=r"no kind of actions is called 'token'; did you mean 'tokens'"):
        action_set("token", Board.load("tiny"), Rules(), 3)
