"""What somebody feeds the program by mistake or on purpose: it ends in one sentence, and soon."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import duckdb
import pytest
from helpers.cases import some
from helpers.command_line import complaint, run
from helpers.stores import play
from helpers.support import deck_alone

from cluedo.ai.knowledge import posterior
from cluedo.ai.levels import parse_player
from cluedo.cli.terminal import Terminal
from cluedo.engine import file_io
from cluedo.engine.errors import PlayerError
from cluedo.engine.mapfile import MapFile
from cluedo.experiments.plan.experiment import Experiment, ExperimentError

EXPERIMENT = 'name = "x"\nmaps = ["tiny"]\ngames = 6\nline_ups = [["easy", "easy", "random"]]\n'
EASY = ("easy", "easy", "random")
MEDIUM = ("medium", "easy", "random")


def kept_game(path):
    """A game begun and kept at ``path``."""
    run("play", "--players", "human,easy,easy", "--seed", "1", "--record", path)
    return path


# ---- reading -------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no such devices here")
@pytest.mark.parametrize(
    "command",
    [("replay",), ("solve",), ("grade",), ("maps", "show"), ("experiment", "run"), ("assist", "--html", "case.html")],
    ids=lambda command: command[0],
)
def test_an_endless_device_is_refused(command):
    assert "more than" in complaint(*command, "/dev/zero")


def test_a_file_of_another_kind_is_called_by_its_name(tmp_path):
    record = kept_game(tmp_path / "game.json")
    log = tmp_path / "case.json"
    log.write_text(run("replay", record, "--log"), encoding="utf-8")
    assert "this is a case log, not a game record" in complaint("replay", log)
    assert "this is a case log, not a game record" in complaint("play", "--resume", log)
    for command in (["solve"], ["assist", "--plain"]):
        assert "this is a game record, not a case log" in complaint(*command, record)
    both = tmp_path / "games.jsonl"
    both.write_text("\n".join([json.dumps(json.loads(record.read_text(encoding="utf-8")))] * 2), encoding="utf-8")
    assert "holds several games; a saved game has a file of its own" in complaint("play", "--resume", both)
    assert "game.json is not a folder; give a folder" in complaint("autoplay", "--games", "4", "--out", record)


def test_why_a_file_cannot_be_read_is_told_in_the_language_spoken(tmp_path, cluedo):
    for command in (["replay"], ["solve"], ["maps", "show"], ["experiment", "status"]):
        code, _, told = cluedo("--lang", "fr", *command, tmp_path / "none.json")
        assert (code, "No such" in told) == (2, False)
        assert "there" not in told


@pytest.mark.parametrize("command", [("play", "--resume"), ("assist", "--plain"), ("assist",)], ids=" ".join)
def test_what_is_saved_to_has_to_be_a_file_and_a_pipe_is_not_even_waited_for(command, tmp_path, monkeypatch):
    monkeypatch.setattr(file_io, "source", lambda *_: pytest.fail("it was read"))
    os.mkfifo(tmp_path / "pipe")
    assert "pipe is a pipe or a device, not a " in complaint(*command, tmp_path / "pipe")
    assert "/dev/null is a pipe or a device, not a " in complaint(*command, "/dev/null")


# ---- players -------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["a\0b", "a\0b.py:Bot", "a\nb", "x" * 2000], ids=["nul", "file", "line", "long"])
def test_a_player_text_that_is_none(bad):
    complaint("autoplay", "--players", f"easy,easy,{bad}")
    with pytest.raises(PlayerError, match="all printable"):
        parse_player(bad)


@pytest.mark.parametrize("level", ["hard", "expert"])
def test_a_deck_too_large_to_reason_about_is_refused_before_the_run(level, tmp_path, monkeypatch):
    path = tmp_path / "large.json"
    path.write_text(json.dumps(deck_alone(25, 25, 25)), encoding="utf-8")
    told = complaint("autoplay", "--players", f"easy,easy,{level}", "--map", path, "--rule", "movement=free")
    assert f"{level} cannot play: a deck has at most 62 cards, not 75" in told
    play_it = ("play", "--players", f"human,easy,{level}", "--map", path, "--rule", "movement=free")
    assert "cannot play" in complaint(*play_it)
    monkeypatch.setattr("cluedo.cli.play.fits_full_screen", lambda: True)
    assert "at most 62 cards, not 75" in complaint("play", *play_it[3:])  # there is no sheet of so many


# ---- maps ----------------------------------------------------------------------------------------


def test_a_dollar_in_a_name_is_a_dollar(tmp_path):
    tiny = json.loads(MapFile.load("tiny").model_dump_json(exclude_unset=True))
    signs = "$", "$x^{$", "$\\frac$"
    tiny["title"] = f"House {' '.join(signs)} $"
    for k, suspect in enumerate(tiny["suspects"]):
        sign = signs[k % len(signs)]
        suspect["name"] = f"{sign} {k} {sign}"
    path, games = tmp_path / "house.json", tmp_path / "a" / "games.jsonl"
    path.write_text(json.dumps(tiny), encoding="utf-8")
    for command in (
        ("maps", "show", path, "--png", tmp_path / "house.png"),
        ("autoplay", "--map", path, "--players", "easy,easy,easy", "--games", 3, "--out", games.parent),
        ("replay", games, "--game", 0, "--to", 3, "--gif", tmp_path / "x.gif"),
        ("replay", games, "--game", 0, "--png", tmp_path / "x.png"),
    ):
        run(*command)


# ---- experiments ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (EXPERIMENT.replace("games = 6", f"games = {10**15}"), "games"),
        (EXPERIMENT.replace("games = 6", f"games = {10**7}\nchunk = 1"), "chunks"),
        (EXPERIMENT.replace('"random"]]', '"a\\u0000b"]]'), "control characters"),
        (EXPERIMENT.replace('"x"', '"x"\ntitle = "a\\u001b[2J"'), "control characters"),
        (EXPERIMENT + "#" * 1_100_000, "more than 1,000,000 bytes"),
    ],
    ids=["games", "chunks", "nul", "escape", "long"],
)
def test_an_experiment_that_is_none(text, told, tmp_path):
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    assert told in complaint("experiment", "run", tmp_path / "x.toml", "--out", tmp_path / "out")


def test_line_ups_beyond_counting():
    levels = tuple(f"expert:samples={k}" for k in range(1, 90))
    with pytest.raises(ExperimentError, match="at most 10,000 make one experiment"):
        Experiment.of(name="x", maps=("tiny",), games=12, round_robin={"levels": levels, "seats": (3, 4, 5, 6)})


@pytest.mark.parametrize("command", ["autoplay", "play", "positions", "assist"])
def test_a_rule_that_is_set_twice(command):
    assert "rule dice: set it once" in complaint(command, "--rule", "dice=1", "--rule", "dice=2")


def test_a_command_that_cannot_be_kept_with_its_results(cluedo, tmp_path):
    line = ["autoplay", "--players", "random,random,random", "--games", "3", "--out", f"{tmp_path}/a\udcff"]
    code, _, told = cluedo(*line)
    assert (code, "must be UTF-8" in told) == (2, True)
    assert not list(tmp_path.rglob("*.toml"))


# ---- results -------------------------------------------------------------------------------------


def change(folder, *, file="00000000", **columns):
    """Write a chunk anew, with the SQL given for some columns."""
    path = folder / "chunks" / f"{file}.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE rows AS FROM '{path}'")
        replaced = ", ".join(f"{sql} AS {name}" for name, sql in columns.items())
        rows = f"SELECT * REPLACE ({replaced}) FROM rows ORDER BY game, seat"
        connection.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet)")


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    play(folder, [EASY, MEDIUM], 6)
    return folder


@pytest.fixture
def results(stored, tmp_path):
    """Results of an older version, without checksums, which would refuse what is changed in them."""
    shutil.copytree(stored, tmp_path / "results")
    (tmp_path / "results" / "chunks" / "SHA256SUMS").unlink()
    return tmp_path / "results"


COLUMNS = {
    "faults": ("'none'", "1", "NULL::INTEGER"),
    "reason": ("'boredom'", "7", "NULL::VARCHAR"),
    "rotation": ("200::UTINYINT", "'x'"),
    "winner_seat": ("9::UTINYINT",),
    "level": ("'nobody'",),
    "turns": ("(-1)::INTEGER",),
    "think_ms": ("'nan'::FLOAT",),
    "line_up": ("'a,b'",),
    "game": ("0::BIGINT",),
    "seat": ("0::UTINYINT",),
    "won": ("NULL::BOOLEAN",),
}
"""By column, what cannot stand in it, as SQL."""


@pytest.mark.slow
@pytest.mark.parametrize("columns", some([{name: sql} for name, wrong in COLUMNS.items() for sql in wrong], 5), ids=str)
def test_a_chunk_with_another_column_is_no_result(columns, results):
    change(results, **columns)
    assert "00000000.parquet" in complaint("experiment", "status", results)
    assert "results" in complaint("report", results, "--csv")
    again = results / "experiment.toml"
    told = complaint("experiment", "run", again, "--out", results, "--resume")
    assert "00000000.parquet" in told
    assert "games are stored" not in told  # nobody could count them


def test_a_count_that_no_game_can_have_is_told_with_its_place_and_what_would_be_right(results):
    change(results, turns="if(game = 2 AND seat = 1, -1, turns)::INTEGER")
    told = "00000000.parquet: in the row of game 2, seat 1, turns is -1, where turns BETWEEN 1 AND "
    for command in (("experiment", "status", results), ("report", results, "--csv")):
        assert told in complaint(*command)


def test_a_chunk_of_another_line_up_is_no_result(results):
    chunks = sorted((results / "chunks").glob("*.parquet"))
    chunks[0].write_bytes(chunks[1].read_bytes())
    for command in (("experiment", "status", results), ("report", results, "--csv")):
        assert "holds other games than it should" in complaint(*command)


def test_a_chunk_whose_text_is_not_utf_8(results):
    path = results / "chunks" / "00000000.parquet"
    change(results, level="'qqqqqq'")
    data = path.read_bytes()
    assert b"qqqqqq" in data
    path.write_bytes(data.replace(b"qqqqqq", b"qq\xff\xfeqq"))
    assert "00000000.parquet" in complaint("experiment", "status", results)
    assert "00000000.parquet" in complaint("report", results, "--csv")


@pytest.mark.parametrize(
    "summary",
    ["[]", "[" * 100_000, '{"games": "x", "levels": {}}', '{"games": 1, "levels": {"a": {"seats": "x"}}}',
     '{"games": 1, "levels": {"a": {"seats": 1, "wins": 2, "fair_share": 0.25, "faults": 0}}}'],
    ids=["list", "deep", "text", "level", "wins"],
)  # fmt: skip
def test_a_summary_that_is_none(summary, results):
    shutil.rmtree(results / "chunks")
    path = results / "manifest.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"record": "results"', '"record": "none"'), "utf-8")
    (results / "summary.json").write_text(summary, encoding="utf-8")
    assert "summary.json" in complaint("experiment", "status", results)


# ---- what is written -----------------------------------------------------------------------------


def test_a_picture_is_not_written_into_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe.png")
    assert "is a pipe or a device" in complaint("maps", "show", "tiny", "--png", tmp_path / "pipe.png")


def test_a_terminal_is_not_given_orders_by_names(capsys, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    Terminal(plain=True).say("a\x1b[2Jb\x9bd\ne")
    assert capsys.readouterr().out == "a\ufffd[2Jb\ufffdd\ne\n"


# ---- memory --------------------------------------------------------------------------------------


@pytest.mark.parametrize("short", ["grow", "widen"])
def test_solve_without_memory_tells_what_is_proved(short, tmp_path, monkeypatch):
    log = {"map": "classic", "players": [{"name": f"P{k}"} for k in range(3)], "me": "P0", "events": []}
    log["hand"] = ["Rope", "Hall", "Plum", "Study", "Wrench", "Green"]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")

    def none(*_):
        raise MemoryError

    workspace = posterior._workspace(1)
    monkeypatch.setattr(type(workspace), "widen", none)
    if short == "grow":
        monkeypatch.setattr(posterior.Posterior, "update", none)
    assert "Rope" in run("solve", path)
    assert json.loads(run("solve", path, "--json"))["deals"] is None


def test_a_command_without_memory_ends_in_a_sentence(monkeypatch, cluedo):
    def none(*_):
        raise MemoryError

    monkeypatch.setattr("cluedo.engine.board.Board.load", none)
    code, _, told = cluedo("maps", "show", "tiny")
    assert (code, "not enough memory" in told) == (2, True)
