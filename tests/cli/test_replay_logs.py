"""``cluedo replay --log``: what a seat of a recorded game could have written down, as a case log."""

from __future__ import annotations

import json
import re
from pathlib import Path

from helpers.command_line import complaint, run
from helpers.recorded import record_of
from helpers.solved import check_parts
from helpers.support import DECK_ALONE, board_from, drawn_game, make_match, write_log, write_map

from cluedo.ai.knowledge import MODELS, Posterior, case_log
from cluedo.ai.knowledge.evidence import EvidenceReader
from cluedo.engine.board import Board
from cluedo.engine.events import as_seen_by
from cluedo.engine.game import Game


def play(board, seats, seed, **rules) -> Game:
    """A game of random, easy and medium players."""
    game = drawn_game(board, seats, seed, **rules)
    make_match(game, ["random", "easy", "medium", "easy", "random", "medium"][:seats], seed).play()
    return game


def solved_as_in_the_game(log: Path, game: Game, seat: int) -> None:
    """The log of a free game gives the probabilities that the seat has from its own view."""
    found = json.loads(run("solve", log, "--json", "--model", "kinds"))
    evidence = EvidenceReader(game.view(seat)).evidence
    assert evidence.free
    expected = Posterior(evidence, MODELS["kinds"]).marginals
    assert [list(places.values())[1:] for places in found["cards"].values()] == expected[:, :3].tolist()


def test_a_game_becomes_logs_at_the_command_line(tmp_path):
    game = play(Board.load("manoir"), 4, seed=11)
    record = record_of(game, tmp_path / "game.json")
    for seat in range(4):
        name, path = game.table.name(seat), tmp_path / "log.json"
        path.write_text(run("replay", record, "--as", name, "--log"), encoding="utf-8")
        log = json.loads(path.read_text(encoding="utf-8"))
        assert (log["map"], log["me"]) == ("manoir", name)
        for event in log["events"]:
            saw = name in (event["by"], event.get("refuted_by")) and event.get("refuted_by") is not None
            assert ("card" in event) == saw
        found = json.loads(run("solve", path, "--json"))
        evidence = EvidenceReader(game.view(seat)).evidence
        assert found["deals"] == Posterior(evidence).deals
        check_parts(found, evidence)
    prefix = run("replay", record, "--as", game.table.name(0)[:3].lower(), "--log")
    assert prefix == run("replay", record, "--as", game.table.name(0), "--log")
    assert "'Nobody' is not one of them; known: " in complaint("replay", record, "--as", "Nobody", "--log")


def test_some_turns_of_one_game_of_many(tmp_path):
    games = [play(Board.load("tiny"), 3, seed) for seed in range(3)]
    path = tmp_path / "games.jsonl"
    path.write_text(
        "".join(record_of(game, tmp_path / "one.json").read_text(encoding="utf-8") for game in games), encoding="utf-8"
    )
    name = games[1].table.name(2)
    whole = json.loads(run("replay", path, "--game", 1, "--as", name, "--log"))
    part = json.loads(run("replay", path, "--game", 1, "--to", 3, "--as", name, "--log"))
    assert 0 < len(part["events"]) < len(whole["events"])
    assert part["events"] == whole["events"][: len(part["events"])]
    assert part["hand"] == whole["hand"]


def test_a_spectators_log(tmp_path):
    game = play(Board.load("tiny"), 4, seed=5)
    path = tmp_path / "log.json"
    path.write_text(run("replay", record_of(game, tmp_path / "game.json"), "--log"), encoding="utf-8")
    log = json.loads(path.read_text(encoding="utf-8"))
    assert not {"me", "hand"} & log.keys()
    assert not any("card" in event for event in log["events"])
    expected = case_log(game.table, [as_seen_by(event, None) for event in game.events])
    assert log == expected.to_json()
    assert json.loads(run("solve", path, "--json"))["best"] == []


def test_a_deck_without_a_board(tmp_path, monkeypatch):
    (tmp_path / "maps").mkdir()
    path = write_map(tmp_path / "maps", DECK_ALONE)
    game = play(board_from(DECK_ALONE), 3, seed=1, movement="free")
    record, log = record_of(game, tmp_path / "game.json"), tmp_path / "log.json"
    monkeypatch.chdir(tmp_path)
    source = path.relative_to(tmp_path)
    log.write_text(run("replay", record, "--map", source, "--as", game.table.name(1), "--log"), encoding="utf-8")
    assert json.loads(log.read_text(encoding="utf-8"))["map"] == "maps/house.json"
    solved_as_in_the_game(log, game, 1)
    assert "cards: " in run("solve", log)
    monkeypatch.chdir(tmp_path.parent)
    assert "cannot be read" in complaint("solve", log)


def test_a_free_game_on_a_board_stays_free(tmp_path):
    game = play(Board.load("classic"), 3, seed=4, movement="free")
    record, log = record_of(game, tmp_path / "game.json"), tmp_path / "log.json"
    log.write_text(run("replay", record, "--as", game.table.name(0), "--log"), encoding="utf-8")
    assert json.loads(log.read_text(encoding="utf-8"))["movement"] == "free"
    solved_as_in_the_game(log, game, 0)
    short = json.loads(run("replay", record, "--as", game.table.name(0), "--log", "--to", 5))
    both = [run("solve", write_log(tmp_path, short | {"movement": m}), "--model", "kinds") for m in ("free", "walk")]
    assert both[0] != both[1]


def test_a_game_as_one_seat_saw_it(tmp_path):
    game = play(Board.load("manoir"), 4, seed=11)
    record = record_of(game, tmp_path / "game.json")
    text = run("replay", record, "--as", game.table.name(1))
    assert re.search(rf"^2 {game.table.name(1)} \(\S+\) is you, and holds", text, re.MULTILINE)
    assert re.search(rf"^1 {game.table.name(0)} \(\S+\) holds {game.table.hand_sizes[0]} cards\.", text, re.MULTILINE)
    assert "The envelope holds" not in text
    assert re.search(r"^  You roll ", text, re.MULTILINE)
    assert re.search(r"^  \w+ shows \w+ a card\.$", text, re.MULTILINE)
    assert not re.search(r"^  (?!You)\w+ shows (?!you)\w+ (?!a card)", text, re.MULTILINE)
