"""Commands and events as JSON: what is written is read back, and what is wrong is told in a sentence."""

from __future__ import annotations

import json
from random import Random

import pytest
from helpers.support import drawn_game

from cluedo.engine.board import Board
from cluedo.engine.codec import command_json, command_text, event_json, read_command, read_event
from cluedo.engine.commands import COMMANDS, Accusation, Move, Peek, Roll, SecretPassage, ShowCard
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import HandShown, Peeked, Shown

SETTINGS = [{}, {"movement": "free"}, {"pool": 3, "peek": True}, {"wrong_shows_hand": True}]


@pytest.mark.parametrize("rules", SETTINGS, ids=str)
def test_commands_and_events_are_read_as_they_were_written(rules):
    """Of all legal commands of some games, and of all their events."""
    board, commands, events = Board.load("tiny"), set(), set()
    for seed in range(3):
        game, random = drawn_game(board, 3, seed=seed, max_turns=60, **rules), Random(seed)
        while not game.over:
            legal, active = game.legal(), game.state.active
            for command in legal:
                commands.add(type(command))
                assert read_command(json.loads(json.dumps(command_json(command, board))), board) == command
            calm = [command for command in legal if not isinstance(command, Accusation)]
            for event in game.execute(random.choice(legal if random.random() < 0.02 else calm)):
                assert read_event(json.loads(json.dumps(event_json(event, board))), board, active) == event
                events.add(type(event))
    absent = set() if "peek" in rules else {Peek}
    assert commands == set(COMMANDS) - absent - ({Roll, SecretPassage} if "movement" in rules else set())
    assert Shown in events
    assert (Peeked in events) == rules.get("peek", False)
    assert (HandShown in events) == rules.get("wrong_shows_hand", False)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("roll", "must be an object"),
        ({"type": "shew"}, "'shew' is no command; did you mean 'show'?"),
        ({"type": "show"}, "card is missing"),
        ({"type": "show", "card": "Rpoe"}, "no card is called 'Rpoe'"),
        ({"type": "show", "card": 3}, "card"),
        ({"type": "move", "to": [99, 99]}, "not a corridor square"),
        ({"type": "move", "to": {"x": 1}}, "to: must be the name of a room, or a square as [x, y]"),
        ({"type": "hypothesis", "cards": ["Plum", "Rope"]}, "cards"),
    ],
)
def test_what_is_wrong_with_a_command_is_told_in_a_sentence(written, told):
    with pytest.raises(CluedoError) as error:
        read_command(written, Board.load("classic"))
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (Accusation(0, 4, 7), '{"type": "accusation", "cards": ["Amber", "Ladle", "Attic"]}'),
        (ShowCard(-1), "ShowCard(card=-1)"),
        (ShowCard("Rope"), "ShowCard(card='Rope')"),
        (Move(10**9), "Move(to=1000000000)"),
        (Accusation.__new__(Accusation), "a Accusation that cannot be printed"),
    ],
)
def test_a_command_is_told_by_names_and_by_its_numbers_where_they_name_nothing(command, told):
    assert command_text(command, Board.load("tiny")) == told
