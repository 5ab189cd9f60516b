"""Nothing is replaced or removed that is not known to be a result of ours."""

from __future__ import annotations

import json
import os
import sys
from importlib.resources import files

import pytest
from helpers.cases import some
from helpers.command_line import complaint, ran, run
from helpers.laboratory import contents, on_a_small_disk, played, small

from cluedo.engine.errors import CluedoError
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.store import store
from cluedo.experiments.store.folder import FolderInUse, ResultsFolder, lock_folder
from cluedo.experiments.store.manifest import manifest_object
from cluedo.experiments.store.store import Store

NAMES = ("summary.json", "games.jsonl", "win_rates.png", "manifest.json", "experiment.toml")


@pytest.fixture
def autoplay(tmp_path):
    """The command that plays a few games into a folder."""
    return "autoplay", "--map", "tiny", "--games", 4, "--workers", 1, "--out", tmp_path / "out"


@pytest.fixture
def killed(tmp_path):
    """A folder with the unfinished results of a run that was killed, two of three chunks of it."""
    unfinished = tmp_path / "out" / "unfinished"
    unfinished.mkdir(parents=True)
    played(small(), unfinished)
    max((unfinished / "chunks").glob("*.parquet")).unlink()
    return tmp_path / "out"


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", '{"format": 1, "games": 3}', "name = 'mine'", "\x89PNG\r\n\x1a\n"])
def test_files_of_others_are_refused_even_by_force(autoplay, tmp_path, name, text, force):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text(text, encoding="latin-1")
    before = contents(tmp_path)
    told = f"{tmp_path}/out/{name} is in the way, and is not known to be cluedo's; give another folder"
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


@pytest.mark.parametrize("name", ["notes", "chunks/notes", "summary.json", "unfinished"])
def test_a_folder_unfinished_of_others_is_left_alone(autoplay, tmp_path, killed, name):
    (killed / "unfinished" / name).write_text("mine")
    before = contents(killed)
    for force in ((), ("--force",)):
        assert "is where the results of an unfinished run belong" in complaint(*autoplay, *force)
        assert contents(killed) == before


def test_chunks_of_a_killed_run_are_not_thrown_away_and_can_be_gone_on_with(autoplay, killed):
    before = contents(killed)
    err = complaint(*autoplay)
    assert f"{killed}/unfinished holds 2 chunks of a run that did not end; continue with `cluedo experiment run" in err
    assert contents(killed) == before
    command = err.split("`")[1].split()
    run(*command[1:])
    assert len(list((killed / "unfinished" / "chunks").glob("*.parquet"))) == 3


def test_force_replaces_them_and_says_so(autoplay, killed):
    err = ran(*autoplay, "--force").err
    assert "--force replaces" in err
    assert "unfinished (2 chunks of a run that did not end)" in err
    assert not (killed / "unfinished").exists()


def test_but_not_while_they_are_gone_on_with(killed):
    with lock_folder(killed / "unfinished"), pytest.raises(FolderInUse), ResultsFolder(killed, force=True):
        pass
    assert len(list((killed / "unfinished" / "chunks").glob("*.parquet"))) == 2


def test_a_file_by_the_name_of_the_lock_is_left_alone(tmp_path):
    (tmp_path / ".cluedo.lock").write_text("mine")
    with pytest.raises(CluedoError, match="is not a lock of cluedo's"), lock_folder(tmp_path):
        pass
    assert (tmp_path / ".cluedo.lock").read_text() == "mine"


def test_a_file_that_comes_to_be_during_the_run_is_not_replaced(tmp_path):
    with pytest.raises(CluedoError, match="is in the way"), ResultsFolder(tmp_path) as folder:  # noqa: PT012
        assert played(small(), folder.unfinished).score.finished
        (tmp_path / "summary.json").write_text("mine")
        folder.finish()
    assert (tmp_path / "summary.json").read_text() == "mine"
    assert len(list((tmp_path / "unfinished" / "chunks").glob("*.parquet"))) == 3


def test_an_experiment_does_not_rewrite_its_own_source(tmp_path):
    file = tmp_path / "experiment.toml"
    file.write_text("# mine\n" + small().to_toml())
    before = contents(tmp_path)
    command = "experiment", "run", file, "--out", tmp_path
    assert "is in the folder of the results, which get a file of that name" in complaint(*command)
    assert "experiment.toml is in the way" in complaint(*command, "--resume")
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["manifest.json", "summary.json", "experiment.toml"])
def test_nor_a_file_of_somebody_elses(tmp_path, name):
    file, out = tmp_path / "x.toml", tmp_path / "out"
    file.write_text(small().to_toml())
    out.mkdir()
    (out / name).write_text('{"manifest_version": 3}')
    assert f"{name} is in the way" in complaint("experiment", "run", file, "--out", out)
    assert (out / name).read_text() == '{"manifest_version": 3}'


# A real full disk


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    some(
        [
            "maps show manoir --png {out}/a.png",
            "replay {game} --plain --html {out}/a.html",
            "replay {game} --plain --gif {out}/a.gif",
            "autoplay --map tiny --games 400 --workers 1 --out {out} --force",
            "replay {game} --plain --png {out}/a.png",
            "report {results} --out {out}",
        ],
        2,
    ),
)
def test_a_full_disk_leaves_older_files_whole(tmp_path, command):
    results, out, older = tmp_path / "results", tmp_path / "out", tmp_path / "older"
    run("autoplay", "--map", "tiny", "--games", 40, "--out", results)
    game = tmp_path / "game.json"
    game.write_text((results / "games.jsonl").read_text().splitlines()[0])
    fill = command.format(out=out, game=game, results=results)
    out.mkdir()
    done = on_a_small_disk(
        out,
        "20m",
        f"{sys.executable} -m cluedo {fill} || exit 78\n"
        f"cp -a {out} {older}; cat /dev/zero > {out}/zeros 2>/dev/null\n"
        f"{sys.executable} -m cluedo {fill}; code=$?\n"
        f"rm {out}/zeros; diff -r {out} {older} >&2 || exit 79; exit $code",
    )
    assert done.returncode == 2, done.stderr
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_results_tell_that_a_file_was_changed_while_it_was_played_with(tmp_path):
    board = tmp_path / "own.json"
    board.write_bytes(files("cluedo.maps").joinpath("tiny.json").read_bytes())
    experiment = Experiment.of(name="own", maps=(str(board),), line_ups=(("easy",) * 3,), games=3)
    folder = tmp_path / "out"
    folder.mkdir()
    with Store(folder, experiment, command="cluedo experiment run own.toml") as store:
        assert store.finish({}, {})
        assert "changed" not in manifest_object(folder)
        board.write_text(board.read_text() + "\n")
        assert not store.finish({}, {})
        assert manifest_object(folder)["changed"]
        board.unlink()
        assert not store.finish({}, {})


def test_what_the_system_refused_to_the_database_is_told_in_the_systems_words():
    """As version 2.0 of DuckDB has it, where a thread of its own could not write."""
    inside = '{"exception_type":"IO","exception_message":"Could not write file \\"a.part\\"","errno":"28"}'
    assert store._reason(OSError(f"Async write failed for range [offset=1911]: {inside}")) == os.strerror(28)
    assert store._reason(OSError("IO Error: no such file\nand more")) == "no such file"
