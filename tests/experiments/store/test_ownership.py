"""Nothing is replaced or removed that is not known to be a result of ours."""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import pytest
from helpers.command_line import complaint, ran, run
from helpers.laboratory import contents, played, rows_of, small
from helpers.small_files import files_of_at_most

from cluedo.engine.errors import CluedoError
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.store.columns import reason_of
from cluedo.experiments.store.folder import ResultsError, lock_folder, remove_results
from cluedo.experiments.store.manifest import manifest_object
from cluedo.experiments.store.store import ResultsThere, Store

NAMES = ("summary.json", "games.jsonl", "win_rates.png", "manifest.json", "experiment.toml")


@pytest.fixture
def autoplay(tmp_path):
    """The command that plays a few games into a folder."""
    return "autoplay", "--map", "tiny", "--games", 4, "--workers", 1, "--out", tmp_path / "out"


@pytest.fixture
def killed(tmp_path):
    """A folder with the results of a run that was killed, two of three chunks of it."""
    out = tmp_path / "out"
    played(small(), out)
    max((out / "chunks").glob("*.parquet")).unlink()
    return out


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", '{"format": 1, "games": 3}', "name = 'mine'", "\x89PNG\r\n\x1a\n"])
def test_files_of_others_are_refused_even_by_force(autoplay, tmp_path, name, text, force):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text(text, encoding="latin-1")
    before = contents(tmp_path)
    told = f"{tmp_path}/out/{name} is in the way, and is not known to be cluedo's; move it away, or give another folder"
    assert complaint(*autoplay, *force) == told
    assert contents(tmp_path) == before


@pytest.mark.parametrize("change", ["chunks/mine.parquet", "chunks/00000007.parquet.bak", "chunks/deep/file"])
def test_nor_is_a_folder_of_chunks_removed_with_something_else_in_it(autoplay, tmp_path, change):
    run(*autoplay)
    (tmp_path / "out" / change).parent.mkdir(exist_ok=True)
    (tmp_path / "out" / change).write_text("mine")
    before = contents(tmp_path)
    assert "out/chunks is in the way" in complaint(*autoplay, "--force")
    assert contents(tmp_path) == before


@pytest.mark.slow
def test_what_force_replaces_is_said(autoplay, tmp_path):
    run(*autoplay)
    (tmp_path / "out" / "lock").write_text("mine")
    err = ran(*autoplay, "--force", "--seed", 1).err
    told = "summary.json, games.jsonl, win_rates.png, chunks, experiment.toml, manifest.json"
    assert err == f"cluedo: --force replaces in {tmp_path}/out: {told}\n"
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["seed"] == 1
    assert (tmp_path / "out" / "lock").read_text() == "mine"


@pytest.mark.parametrize(
    "mistake",
    [
        ["--players", "easy,esay,easy"],
        ["--players", "easy,exec:python3 nowhere.py,easy"],
        ["--players", "easy,'my,bots.py:Mine',easy"],
        ["--players", "easy,expert,easy", "--engine", "compiled"],
        ["--map", "tinny"],
        ["--games", "0"],
        ["--workers", "0"],
        ["--rule", "max_turns=never"],
        ["--observe", "nothing"],
        ["--trusted", "--require-sandbox"],
    ],
)
def test_a_mistake_in_the_command_loses_nothing_by_force(tmp_path, killed, autoplay, mistake, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my,bots.py").write_text("from cluedo.ai.level_easy import EasyPlayer as Mine\n")
    before = contents(killed)
    assert complaint(*autoplay, "--force", *mistake)
    assert contents(killed) == before


def test_nor_does_force_remove_what_a_player_needs(tmp_path, autoplay):
    run(*autoplay)
    before = contents(tmp_path / "out")
    bot = f"exec:{sys.executable} {tmp_path / 'bot.py'} {tmp_path / 'out' / 'games.jsonl'}"
    shutil.copy(Path(__file__).parents[2] / "data" / "strict_bot.py", tmp_path / "bot.py")
    told = complaint(*autoplay, "--players", f"easy,{bot},easy", "--force")
    assert told == f"{tmp_path}/out/games.jsonl is needed for these games, and --force would remove it"
    assert contents(tmp_path / "out") == before


@pytest.mark.parametrize("left", range(8))
def test_a_removal_that_is_cut_short_leaves_results_that_are_known_as_ours(tmp_path, monkeypatch, left):
    """Three chunks, their checksums and three files beside them, of which the first few are gone."""
    played(small(), tmp_path, finish=True)
    unlink, removed = Path.unlink, []

    def cut_short(path, **options):
        if len(removed) == left:
            raise KeyboardInterrupt
        removed.append(path.name)
        unlink(path, **options)

    with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
        patched.setattr(Path, "unlink", cut_short)
        remove_results(tmp_path)
    assert len(removed) == min(left, 7)
    assert (tmp_path / "summary.json").exists() is (left == 0)
    with Store(tmp_path, small(seed=6), command="", replace=True) as store:
        assert not store.stored_numbers()


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize("name", ["chunks/notes", "summary.json", "exchanges.jsonl"])
def test_files_of_others_amid_a_killed_run_are_left_alone(autoplay, killed, name, force):
    (killed / name).write_text("mine")
    before = contents(killed)
    assert complaint(*autoplay, *force)
    assert contents(killed) == before


def test_chunks_of_a_killed_run_are_not_thrown_away_and_can_be_gone_on_with(autoplay, killed):
    before = contents(killed)
    err = complaint(*autoplay)
    assert err.startswith(f"{killed} holds results already; continue with `cluedo experiment run ")
    assert err.endswith("`, or give another folder, or --force to replace them")
    assert contents(killed) == before
    command = err.split("`")[1].split()
    run(*command[1:])
    assert len(list((killed / "chunks").glob("*.parquet"))) == 3


def test_force_replaces_them_and_says_so(autoplay, killed):
    err = ran(*autoplay, "--force").err
    assert err == f"cluedo: --force replaces in {killed}: chunks, experiment.toml, manifest.json\n"
    assert len(rows_of(killed)) == 4 * 4


def test_what_was_paid_for_is_not_lost_before_the_first_chunk(tmp_path):
    """Answers of a language model are there as soon as they are given."""
    with Store(tmp_path, small(), command=""):
        (tmp_path / "exchanges.jsonl").write_text('{"game": "8fc06a92742f91e1", "number": 1, "player": "llm:x"}\n')
    before = contents(tmp_path)
    with pytest.raises(ResultsThere, match="continue with"):
        Store(tmp_path, small(seed=6), command="")
    assert contents(tmp_path) == before
    assert played(small(), tmp_path, resume=True).score.finished


def test_a_file_by_the_name_of_the_lock_is_left_alone(tmp_path):
    (tmp_path / ".cluedo.lock").write_text("mine")
    with pytest.raises(CluedoError, match="is not a lock of cluedo's"), lock_folder(tmp_path):
        pass
    assert (tmp_path / ".cluedo.lock").read_text() == "mine"


@pytest.mark.parametrize("name", ["summary.json", "games.jsonl", "win_rates.png"])
def test_a_file_that_comes_to_be_during_the_run_is_not_replaced(tmp_path, name):
    run = played(small(), tmp_path)
    (tmp_path / name).write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(ResultsError, match="is in the way"):
        played(small(), tmp_path, resume=True)
    (tmp_path / name).unlink()
    with Store(tmp_path, small(), command="", resume=True) as store:
        (tmp_path / name).write_text("mine")
        with pytest.raises(ResultsError, match="is in the way"):
            store.write_records(lambda path: path.touch())
        with pytest.raises(ResultsError, match="is in the way"):
            store.finish(run.score.summary(), {})
    assert contents(tmp_path) == before


def test_an_experiment_does_not_rewrite_its_own_source(tmp_path):
    file = tmp_path / "experiment.toml"
    file.write_text("# mine\n" + small().to_toml())
    before = contents(tmp_path)
    command = "experiment", "run", file, "--out", tmp_path
    assert "is in the folder of the results, which get a file of that name" in complaint(*command)
    assert "experiment.toml is in the way" in complaint(*command, "--resume")
    assert contents(tmp_path) == before


# A disk that is full


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize(
    "command",
    [
        "maps show manoir --png {out}/a.png",
        *(f"replay {{game}} --to 2 --{kind} {{out}}/a.{kind}" for kind in ("html", "gif", "png")),
        "report {results} --out {out}",
    ],
)
def test_what_cannot_be_written_leaves_older_files_whole(tmp_path, command):
    results, out, game = tmp_path / "results", tmp_path / "out", tmp_path / "game.json"
    run("autoplay", "--map", "tiny", "--games", 4, "--out", results)
    game.write_text((results / "games.jsonl").read_text().splitlines()[0])
    words = command.format(out=out, game=game, results=results).split()
    out.mkdir()
    run(*words)
    before = contents(out)
    with files_of_at_most(1000):
        assert "File too large" in str(ran(*words).error)
    assert contents(out) == before


def test_results_tell_that_a_file_was_changed_while_it_was_played_with(tmp_path):
    board = tmp_path / "own.json"
    board.write_bytes(files("cluedo.maps").joinpath("tiny.json").read_bytes())
    experiment = Experiment.of(name="own", maps=(str(board),), line_ups=(("easy",) * 3,), games=3)
    folder, summary = tmp_path / "out", {"format": 1, "games": 3, "levels": {}}
    folder.mkdir()
    with Store(folder, experiment, command="cluedo experiment run own.toml") as store:
        assert store.finish(summary, {})
        assert "changed" not in manifest_object(folder)
        board.write_text(board.read_text() + "\n")
        assert not store.finish(summary, {})
        assert manifest_object(folder)["changed"]
        board.unlink()
        assert not store.finish(summary, {})


def test_what_the_system_refused_to_the_database_is_told_in_the_systems_words():
    """As version 2.0 of DuckDB has it, where a thread of its own could not write."""
    inside = '{"exception_type":"IO","exception_message":"Could not write file \\"a.part\\"","errno":"28"}'
    assert reason_of(OSError(f"Async write failed for range [offset=1911]: {inside}")) == os.strerror(28)
    assert reason_of(OSError("IO Error: no such file\nand more")) == "no such file"


@pytest.mark.parametrize(
    ("name", "line"),
    [("exchanges.jsonl", '{"game": "0123456789abcdef", "number": 0}'), ("games.jsonl", '{"format": 1, "map": "tiny"}')],
)
def test_results_that_stand_alone_are_no_runs_and_force_keeps_them(autoplay, tmp_path, name, line):
    kept = tmp_path / "out" / name
    kept.parent.mkdir()
    kept.write_text(line + "\n", encoding="utf-8")
    assert "without a manifest.json" in complaint(*autoplay, "--force")
    assert kept.read_text(encoding="utf-8") == line + "\n"


def test_a_folder_that_was_made_for_results_that_are_refused_is_gone_again(tmp_path):
    line_up = "--players", "easy,'my,bots.py:Mine',easy"
    complaint("autoplay", "--map", "tiny", "--games", 3, *line_up, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()
