"""Experiments run, stored, resumed and stopped: nothing lost, nothing twice, the same on any number of workers."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest
from helpers.command_line import complaint, ran, run
from helpers.laboratory import MIXED, contents, on_a_small_disk, played, rows_of, small

from cluedo import CluedoError, Rules
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.play.backends import Backend
from cluedo.experiments.play.chunks import ChunkRunner
from cluedo.experiments.play.run import Expected
from cluedo.experiments.read.results import Results
from cluedo.experiments.read.score import Score, read_score
from cluedo.experiments.report.facts import gather
from cluedo.experiments.report.words import sequential_tests
from cluedo.experiments.store.folder import ResultsError, in_use, lock_folder
from cluedo.experiments.store.store import Store, StoreReader

SPRT = {"sprt": {"a": "medium", "b": "random", "elo0": 0, "elo1": 100}}


def two_boards(**more):
    return small(line_ups=(MIXED, ("easy", "medium", "random")), maps=("tiny", "manoir"), games=12, **more)


# What is stored


def test_rows_say_what_the_records_say(tmp_path):
    experiment = two_boards()
    played(experiment, tmp_path)
    columns = "game, map, line_up, deal, rotation, seed, first, winner_seat, winner, reason, turns, seat, level"
    rows = rows_of(tmp_path, f"{columns}, hand_size, started, own_turns, hypotheses, accused, won, faults, record")
    assert len(rows) == 12 * 2 * (4 + 3)
    record = None
    for row in rows:
        game, board, line_up, deal, rotation, seed, first, winner_seat, winner, reason, turns, seat, level, *own = row
        hand_size, started, own_turns, hypotheses, accused, won, faults, line = own
        assert (line is not None) == (seat == 0)
        record = json.loads(line) if line else record
        names = [player["name"] for player in record["players"]]
        part = experiment.parts[game // 12]
        assert (board, line_up) == (part.map, ",".join(part.line_up)) == (record["map"], line_up)
        assert (game % 12, deal, rotation, seed) == (record["game"], record["deal"], record["rotation"], record["seed"])
        assert (first, started) == (record["first"], seat == record["first"])
        assert (winner_seat, reason, turns) == tuple(record["result"].values())
        assert winner == (None if winner_seat is None else names[winner_seat])
        assert (level, hand_size) == (names[seat], len(record["players"][seat]["hand"]))
        events = [event["type"] for event in record["events"] if event["seat"] == seat]
        assert (hypotheses, accused) == (events.count("hypothesis"), events.count("accusation"))
        assert own_turns == events.count("end_turn") + (won and reason == "solved")
        assert (won, faults) == (seat == winner_seat, 0)


def test_think_times_are_stored_in_milliseconds(tmp_path):
    played(small(), tmp_path)
    times = [ms for (ms,) in rows_of(tmp_path, "think_ms")]
    assert all(0 < ms < 60_000 for ms in times)
    assert max(times) > 0.01


def test_faults_are_stored_with_their_first_text(tmp_path):
    bot = tmp_path / "bots.py"
    bot.write_text(
        "from cluedo.ai.level_easy import EasyPlayer\n"
        "class Broken(EasyPlayer):\n"
        "    def choose_move(self, view):\n"
        "        raise ValueError('so \"they\" say')\n"
    )
    run = played(small([f"{bot}:Broken", "easy", "easy"], games=6, rules=Rules(max_turns=20)), tmp_path / "out")
    rows = rows_of(tmp_path / "out", "level, faults, fault, fault_turn, own_turns")
    for level, faults, fault, turn, own_turns in rows:
        if level == "easy":
            assert (faults, fault, turn) == (0, None, None)
        else:
            assert faults >= own_turns > 0
            assert fault == "raised ValueError('so \"they\" say') (bots.py:4 in choose_move)"
            assert 1 <= turn <= 3
    again = read_score(tmp_path / "out")
    assert again.tallies[0].first_faults == run.score.tallies[0].first_faults
    assert again.summary() == run.score.summary()


@pytest.mark.parametrize("record", ["none", "results"])
def test_games_without_a_winner_are_told_of(tmp_path, record):
    line_up = ["easy", "easy", "easy"]
    (tmp_path / "x.toml").write_text(small(line_up, record=record, rules=Rules(max_turns=2)).to_toml())
    told = "In 22 games nobody won.\n"
    assert told in run("experiment", "run", tmp_path / "x.toml", "--out", tmp_path / "out", "--workers", "1")
    assert told in run("experiment", "status", tmp_path / "out")


@pytest.mark.parametrize(("record", "kept"), [("none", 0), ("results", 0), ("full", 22)])
def test_what_is_kept(tmp_path, record, kept):
    (tmp_path / "x.toml").write_text(small(record=record).to_toml())
    out = tmp_path / "out"
    command = "experiment", "run", tmp_path / "x.toml", "--out", out
    told = run(*command)
    assert json.loads((out / "summary.json").read_text())["games"] == 22
    assert ("cluedo report" in told) is (record != "none"), "there are no games to report"
    if record == "none":
        assert not (out / "chunks").exists()
        assert re.search(r"finished.*only its summary is kept", run("experiment", "status", out), re.S)
        assert complaint(*command, "--resume")
    else:
        records = [json.loads(text) for (text,) in rows_of(out, "record") if text is not None]
        assert len(records) == kept
        assert len(rows_of(out)) == 88


@pytest.mark.parametrize(
    ("record", "told"), [("none", "only its summary is kept"), ("results", "0 of 22 games, not finished; continue")]
)
def test_status_goes_by_what_is_kept_whatever_has_become_of_the_folder_of_chunks(tmp_path, record, told):
    (tmp_path / "x.toml").write_text(small(record=record).to_toml())
    out = tmp_path / "out"
    run("experiment", "run", tmp_path / "x.toml", "--out", out)
    shutil.rmtree(out / "chunks", ignore_errors=True)
    if record == "none":
        (out / "chunks").mkdir()
        (out / "chunks" / "notes.txt").write_text("somebody's")
    assert told in run("experiment", "status", out)


# The same on any number of workers


def test_the_same_games_however_they_are_cut(tmp_path):
    for chunk in (1, 9, 1000):
        played(small(chunk=chunk), tmp_path / str(chunk))
    assert rows_of(tmp_path / "1") == rows_of(tmp_path / "9") == rows_of(tmp_path / "1000")


@pytest.mark.slow
def test_a_sequential_test_stops_at_the_same_game_on_any_number_of_workers(tmp_path, eager_workers):
    experiment = small(["medium", "random", "random", "medium"], games=4000, chunk=8, record="results", stop=SPRT)
    rows = []
    for workers in (1, 3):
        path = tmp_path / str(workers)
        run = played(experiment, path, backend=Backend("local", None, workers))
        assert run.score.finished
        assert run.score.games == run.score.wanted < 400
        assert run.score.tests[0].verdict == "H1"
        rows.append(rows_of(path))
        assert read_score(path).summary() == run.score.summary()
    assert rows[0] == rows[1]
    assert len(rows[0]) == 4 * run.score.games


def test_status_and_a_report_tell_of_a_sequential_test_in_the_same_words(tmp_path):
    experiment = small(["medium", "random", "random", "medium"], games=4000, chunk=8, record="results", stop=SPRT)
    file, out = tmp_path / "x.toml", tmp_path / "out"
    file.write_text(experiment.to_toml())
    run("experiment", "run", file, "--out", out, "--workers", "1")
    with Results.open([out]) as results:
        (told,) = sequential_tests(gather(results), results.sources[0], decided=True)
    assert "a sequential test decided for H1: medium is at least +" in told
    assert told in " ".join(run("experiment", "status", out).split())


@pytest.mark.slow
def test_the_score_does_not_depend_on_the_order_of_the_chunks(tmp_path):
    experiment = small(["medium", "random", "random", "medium"], games=120, chunk=4, record="results")
    played(experiment, tmp_path)
    with_test = small(["medium", "random", "random", "medium"], games=120, chunk=4, record="results", stop=SPRT)
    with Store(tmp_path, experiment, command="", resume=True) as store:
        chunks = [(chunk, store.read(chunk)) for chunk in with_test.chunks()]
    scores = []
    for order in (chunks, chunks[::-1], chunks[::2] + chunks[1::2]):
        score = Score(with_test)
        dropped = [late for chunk, rows in order for late in score.add(chunk, rows)]
        assert len(dropped) == sum(chunk.games.start >= score.games for chunk, _ in chunks)
        scores.append(score.summary())
    assert scores[0] == scores[1] == scores[2]
    assert scores[0]["stopped"][0]["verdict"] == "H1"
    assert scores[0]["parts"][0]["interrupted"] is False


# Resuming


def test_resume_plays_only_what_is_missing(tmp_path):
    experiment = two_boards()
    whole = tmp_path / "whole"
    played(experiment, whole)
    before = {path.name: path.stat().st_mtime_ns for path in (whole / "chunks").glob("*.parquet")}
    gone = sorted(before)[1::3]
    for name in gone:
        (whole / "chunks" / name).unlink()
    (whole / "chunks" / ".cluedo-0123.part").write_text("half a chunk")
    rows = rows_of((played(experiment, tmp_path / "other"), tmp_path / "other")[1])
    run = played(experiment, whole, resume=True)
    assert rows_of(whole) == rows
    after = {path.name: path.stat().st_mtime_ns for path in (whole / "chunks").glob("*.parquet")}
    assert set(after) == set(before)
    assert {name for name in before if after[name] != before[name]} == set(gone)
    assert 0 < run.played < experiment.total == run.score.games


def test_to_continue_what_is_finished_changes_nothing_that_is_told_of_it(tmp_path):
    played(small(), tmp_path, finish=True)
    before = contents(tmp_path)
    played(small(), tmp_path, resume=True, finish=True)
    assert contents(tmp_path) == before


def test_a_player_with_a_comma_of_its_own_is_refused_before_the_first_game(tmp_path):
    experiment = small(line_ups=(("easy", "exec:python a,b.py", "medium"),))
    with pytest.raises(ResultsError, match=r"results separate players by commas, and exec:python a,b\.py has one"):
        Store(tmp_path, experiment, command="cluedo")
    assert not list(tmp_path.iterdir())


def test_records_of_a_damaged_chunk_are_refused_in_a_sentence(tmp_path):
    played(small(record="full"), tmp_path)
    (tmp_path / "chunks" / "SHA256SUMS").unlink()
    chunk = next((tmp_path / "chunks").glob("*.parquet"))
    chunk.write_bytes(chunk.read_bytes()[:-100])
    with StoreReader.open(tmp_path) as store, pytest.raises(ResultsError, match=f"{chunk.name}: cannot be read: "):
        list(store.records())


def test_results_are_never_mixed(tmp_path, monkeypatch):
    played(small(), tmp_path)
    before = rows_of(tmp_path)
    with pytest.raises(ResultsError, match="holds the results of a finished run; give another folder"):
        played(small(), tmp_path)
    with pytest.raises(ResultsError, match="of another experiment"):
        played(small(seed=6), tmp_path, resume=True)
    monkeypatch.setattr("cluedo.experiments.store.store.__version__", "9.9")
    with pytest.raises(ResultsError, match=r"results of version 0\.1\.0 of cluedo, and this is 9\.9"):
        played(small(), tmp_path, resume=True)
    assert rows_of(tmp_path) == before


@pytest.mark.slow
def test_a_folder_whose_name_looks_like_a_pattern_is_itself(tmp_path):
    played(small(seed=1), tmp_path / "res1")
    played(small(seed=2), tmp_path / "res[1]")
    played(small(seed=2), tmp_path / "other")
    assert read_score(tmp_path / "res[1]").summary() == read_score(tmp_path / "other").summary()
    with Store(tmp_path / "res[1]", small(seed=2), command="", resume=True) as store:
        assert all(json.loads(record)["seed"] == 2 for record in store.records())


def test_a_run_that_never_began_is_in_nobodys_way(tmp_path):
    with Store(tmp_path, small(seed=6), command="another"):
        pass
    run = played(small(), tmp_path)
    assert run.score.finished
    assert json.loads((tmp_path / "manifest.json").read_text())["hash"] == small().digest()


def test_a_damaged_store_is_told(tmp_path):
    played(small(), tmp_path)
    chunk = min((tmp_path / "chunks").glob("*.parquet"))
    chunk.write_bytes(chunk.read_bytes()[:100])
    (tmp_path / "chunks" / "SHA256SUMS").unlink()  # as in results of older versions
    with pytest.raises(ResultsError, match=r"00000000\.parquet: cannot be read: .*; remove it to have it played again"):
        read_score(tmp_path)
    shutil.copy(tmp_path / "chunks" / "00000001.parquet", chunk)
    with pytest.raises(ResultsError, match="holds other games than it should"):
        played(small(), tmp_path, resume=True)
    chunk.unlink()
    assert played(small(), tmp_path, resume=True).score.finished
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(ResultsError, match="holds results without a manifest"):
        played(small(), tmp_path, resume=True)


# The lock


def test_a_folder_in_use_is_refused_until_its_holder_is_gone(tmp_path):
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time; from pathlib import Path; from cluedo.experiments.store.folder import lock_folder\n"
            "with lock_folder(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)",
            tmp_path,
        ],
        stdout=subprocess.PIPE,
    )
    assert holder.stdout.readline() == b"held\n"
    assert in_use(tmp_path)
    with pytest.raises(CluedoError, match="another run is writing into"), lock_folder(tmp_path):
        pass
    holder.kill()
    holder.communicate()
    assert not in_use(tmp_path)
    with lock_folder(tmp_path):
        assert in_use(tmp_path)
    assert list(tmp_path.iterdir()) == []


# The commands


@pytest.fixture
def quickly(tmp_path):
    """A small experiment's file."""
    path = tmp_path / "x.toml"
    path.write_text(two_boards(record="results").to_toml())
    return path


@pytest.mark.slow
def test_an_experiment_from_the_command_line(tmp_path, quickly, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = ran("experiment", "run", quickly)
    estimate = r"cluedo: less than a minute on this machine, in \d+ process\w*, going by \d+ games played .*\n"
    assert re.fullmatch(estimate, done.err)
    assert "48 games of 2 line-ups" in done.out
    assert "cluedo report results/small" in done.out
    out = tmp_path / "results" / "small"
    assert {path.name for path in out.iterdir()} == {"chunks", "manifest.json", "experiment.toml", "summary.json"}
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["command"] == f"cluedo experiment run {quickly}"
    assert manifest["games"] == 48
    assert manifest["played"] == 48
    assert manifest["elapsed_s"] > 0
    assert Experiment.load(out / "experiment.toml").digest() == manifest["hash"] == Experiment.load(quickly).digest()
    assert "small: 48 of 48 games, finished" in run("experiment", "status", out)
    next((out / "chunks").glob("*.parquet")).unlink()
    assert "not finished" in run("experiment", "status", out)
    assert "--resume" in complaint("experiment", "run", quickly)
    run("experiment", "run", quickly, "--resume")
    run("experiment", "run", out / "experiment.toml", "--out", out, "--resume")
    assert read_score(out).finished


def test_which_pairings_are_decided_is_told(tmp_path):
    alike = ("medium", "medium:original=false")
    mixed = [("medium", "random", "random"), ("medium", "medium", "easy"), ("easy", "medium", "random")]
    line_ups = (*mixed, (*alike, *alike))
    file = tmp_path / "x.toml"
    file.write_text(small(record="results", line_ups=line_ups, games=48).to_toml())
    told = run("experiment", "run", file, "--out", tmp_path / "out", "--workers", "1")
    assert "\n2 of 3 pairings are decided\n" in told
    found = r"^  2 × medium, 2 × medium:original=false on tiny: medium\S*, [5-9]\d\.\d\s% likely$"
    assert re.search(found, told, re.MULTILINE)
    assert "2 of 3 pairings are decided" in run("experiment", "status", tmp_path / "out")


def test_of_a_single_pairing_all_is_told_that_autoplay_tells(tmp_path):
    where = ["--out", tmp_path / "out", "--workers", "1"]
    played = run("autoplay", "--map", "tiny", "--players", "medium,medium,random,random", "--games", "40", *where)
    told = played[played.index("At the same tables medium leads random by ") :]
    assert "That medium is the stronger one is " in told
    assert run("experiment", "status", tmp_path / "out").endswith(told)
    continued = run("experiment", "run", tmp_path / "out" / "experiment.toml", *where, "--resume")
    assert told + "The results are in " in continued


def test_the_shipped_experiments_are_listed_with_the_time_that_they_take(monkeypatch):
    monkeypatch.setattr("cluedo.cli.experiment.expected_time", lambda experiment: Expected(600.0 * experiment.total, 3))
    monkeypatch.setattr("cluedo.cli.experiment.ready_runner", lambda _: None)
    monkeypatch.setattr("cluedo.cli.experiment.processes", lambda: 2)
    text = run("experiment", "list")
    assert re.search(r"^ seed +400 +1 +manoir +about 33 hours +The original", text, re.MULTILINE)
    assert "for this machine and 2 processes, going by a few games" in text
    for name in ("seed", "ladder", "boards", "quick", "playouts", "ablations"):
        assert name in text


@pytest.mark.parametrize(
    ("change", "arguments", "told"),
    [
        (("easy", "esay"), [], "did you mean 'easy'"),
        (("tiny", "tinny"), [], "no map is called 'tinny'"),
        (("x", "x"), ["--workers", "0"], "at least 1 worker"),
        (("x", "x"), ["--address", "tcp://127.0.0.1:1"], "the backend local has no address"),
        (("x", "x"), ["--backend", "dask", "--address", "nowhere"], "nowhere"),
        (("x", "x"), ["--out", "x.toml"], "x.toml is not a folder"),
        (("x", "x"), ["--out", ""], "--out needs the path of a folder"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(tmp_path, quickly, monkeypatch, change, arguments, told):
    monkeypatch.chdir(tmp_path)
    quickly.write_text(quickly.read_text().replace(*change))
    before = sorted(tmp_path.rglob("*"))
    assert told in complaint("experiment", "run", quickly, *arguments)
    assert sorted(tmp_path.rglob("*")) == before


def test_how_far_an_experiment_is_and_how_it_went_are_whole_sentences_to_translate(tmp_path, quickly, monkeypatch):
    for name, at in (("tr", 0), ("tr_count", 1)):
        said = lambda *given, at=at, **values: f"<{given[at].format(count=given[-1], **values)}>"  # noqa: E731
        monkeypatch.setattr(f"cluedo.cli.experiment.{name}", said)
    out = tmp_path / "out"
    told = run("experiment", "run", quickly, "--out", out, "--workers", "1")
    assert re.search(r"^<48 games of 2 line-ups, [\d.,]+ games per second>\s*$", told, re.MULTILINE)
    told = run("experiment", "run", quickly, "--out", out, "--workers", "1", "--resume")
    assert re.search(r"^<48 games of 2 line-ups>\s*$", told, re.MULTILINE)
    assert re.match(r"<small: 48 of 48 games, finished>\s*\n", run("experiment", "status", out))
    next((out / "chunks").glob("*.parquet")).unlink()
    told = run("experiment", "status", out)
    assert re.match(r"<small: \d+ of 48 games, not finished; continue with `[^`<>]+`>\s*\n", told)


def test_an_interrupted_experiment_says_so_and_how_to_go_on(tmp_path, quickly, monkeypatch):
    play = ChunkRunner.play
    calls = []

    def interrupting(self, task, interrupt):
        calls.append(task)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return play(self, task, interrupt)

    monkeypatch.setattr(ChunkRunner, "play", interrupting)
    monkeypatch.chdir(tmp_path)
    done = ran("experiment", "run", quickly, "--workers", "1")
    assert done.code == 130
    command = re.search(r"of 48 games are stored; continue with `cluedo ([^`]+)`\n$", done.err)[1]
    run(*command.split(), "--workers", "1")
    played(two_boards(record="results"), tmp_path / "alone")
    assert rows_of(tmp_path / "results" / "small") == rows_of(tmp_path / "alone")


# A disk that is full


@pytest.mark.slow
def test_a_disk_that_is_full_is_one_sentence_and_loses_nothing(tmp_path):
    file, out = tmp_path / "x.toml", tmp_path / "out"
    file.write_text(small(games=100_000, chunk=100).to_toml())
    out.mkdir()
    copy = tmp_path / "copy"
    run = f"{sys.executable} -m cluedo experiment run {file} --out {out} --workers 1 --resume"
    done = on_a_small_disk(out, "300k", f"{run}; code=$?; cp -r {out} {copy}; exit $code")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert ".parquet: cannot be written: No space left on device; " in done.stderr
    assert "games are stored; continue with `cluedo experiment run " in done.stderr
    score = read_score(copy)
    assert score.games >= 100
    assert len(rows_of(copy, "game")) == 4 * score.games
    assert not list(copy.glob("chunks/*.part"))
