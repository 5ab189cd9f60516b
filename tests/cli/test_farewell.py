"""What is said when somebody leaves a game."""

from __future__ import annotations

import json

from helpers.screen_driver import session

from cluedo.cli.play import farewell
from cluedo.engine.record import GameRecord
from cluedo.engine.rules import Rules
from cluedo.session.autosave import Autosave
from cluedo.session.game_session import GameSession
from cluedo.session.line_up import parse_line_up

RULES = ["movement=free", "last_wins=true", "max_turns=2"]


def played(**options) -> GameSession:
    """A game that is over."""
    game = session("human:Ann,easy,medium:original=true", rule=RULES, suspects=[2, 0, 1], **options)
    while not game.game.over:
        game.advance() if game.person_to_act is None else game.do(0, game.view(0).legal()[0])
    return game


def test_the_command_for_the_same_deal_names_players_suspects_and_each_rule_that_is_not_the_usual_one(tmp_path):
    game = played(seed=4, record=tmp_path / "game.json")
    *_, said = farewell(game)
    _, command = said.split("again: ")
    assert "--players human:Ann,easy,medium:original=true --map tiny --suspects Coral,Amber,Basil --seed 4" in command
    _, *options = command.split(" --rule ")
    assert Rules.from_options(options) == game.game.table.rules
    assert len(options) == len(RULES)


def test_no_seed_is_told_of_a_deal_that_came_from_none(tmp_path):
    record = json.loads(played(record=tmp_path / "game.json").line()) | {"seed": None}
    line_up = parse_line_up("human,easy,easy")
    over = GameSession.go_on(GameRecord.from_json(json.dumps(record)), line_up, Autosave(None, chosen=False))
    assert "seed" not in " ".join(farewell(over))


def test_a_file_that_another_program_has_written_into_is_named(tmp_path):
    path = tmp_path / "game.json"
    game = session(record=path)
    game.save()
    path.write_text("something else", encoding="utf-8")
    game.save()
    other, saved = farewell(game)
    assert other == f"Another program has written into {path}, so this game has a file of its own."
    assert saved.endswith(f"To continue it: cluedo play --resume {tmp_path / 'game-2.json'}")
