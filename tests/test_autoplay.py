"""The main job: plan, runner, summary, files, and the command that joins them."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections import deque
from itertools import count
from pathlib import Path

import pytest

from cluedo import Rules, SetupError, iter_records
from cluedo.cli import main
from cluedo.errors import CluedoError
from cluedo.experiments import Plan, Tally, run, runner
from cluedo.experiments.folder import FolderError, ResultsFolder
from cluedo.experiments.interrupt import Interrupt
from cluedo.experiments.plots import draw_win_rates
from cluedo.experiments.workers import WorkerDied

OURS = {"summary.json", "games.jsonl", "win_rates.png"}
TIMINGS = {"elapsed_s", "games_per_s"}
MIXED = ("random", "easy", "medium", "medium:original=true")

BOTS = '''
import os, sys, time
from cluedo.ai.level_easy import EasyPlayer
from cluedo.ai.match import MatchStopped

class Fine(EasyPlayer):
    """Plays as easy does."""

class Noisy(EasyPlayer):
    def choose_move(self, view):
        print("thinking aloud")
        return super().choose_move(view)

class Broken(EasyPlayer):
    def choose_move(self, view):
        raise ValueError("no idea\\nat all " + "x" * 1000)

class Slow(EasyPlayer):
    def choose_accusation(self, view):
        if view.turn < 5:
            time.sleep(60)
        return super().choose_accusation(view)

class Unborn(EasyPlayer):
    born = 0
    def __init__(self):
        type(self).born += 1
        if type(self).born > 1:
            raise RuntimeError("not again")

class Suicidal(EasyPlayer):
    def begin(self, view, random):
        super().begin(view, random)
        if random.random() < 0.02:
            os._exit(3)

class Leaver(EasyPlayer):
    def choose_move(self, view):
        raise MatchStopped

class Presser(EasyPlayer):
    def choose_move(self, view):
        raise KeyboardInterrupt
'''


@pytest.fixture
def bots(tmp_path):
    """A file of bots, some of which misbehave."""
    path = tmp_path / "bots.py"
    path.write_text(BOTS, encoding="utf-8")
    return path


@pytest.fixture
def eager_workers(monkeypatch):
    """Workers are called after the first game, however little is left."""
    monkeypatch.setattr(runner, "_PROBE_S", 0)
    monkeypatch.setattr(runner, "_WORTH_S", 0)


@pytest.fixture
def cluedo(monkeypatch, capsys):
    """Run the command line in this process; gives exit code, output and error output."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["cluedo", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return ended.value.code or 0, out, err

    return call


def plan_of(line_up=MIXED, games=22, seed=5, board="tiny", **rules):
    return Plan(board, Rules(**rules), tuple(line_up), games, seed)


def timeless(summary):
    assert set(summary) > TIMINGS
    return {key: value for key, value in summary.items() if key not in TIMINGS}


# The plan


def test_each_deal_meets_each_rotation_once_and_each_player_each_seat():
    plan = plan_of(games=12)
    assert plan.deals == 3
    games = [plan.game(number) for number in range(plan.games)]
    assert [(game.deal, game.rotation) for game in games] == [(d, r) for d in range(3) for r in range(4)]
    assert games[7].places == (3, 0, 1, 2)
    for deal in range(3):
        seatings = [game.places for game in games if game.deal == deal]
        assert all(sorted(column) == [0, 1, 2, 3] for column in zip(*seatings, strict=True))


def test_chunks_are_whole_deals_and_make_up_the_plan():
    plan = plan_of(games=22)
    for size in range(1, 30):
        start, chunks = 0, []
        while start < plan.games:
            chunks.append(plan.chunk(start, size))
            start = chunks[-1].stop
        assert [number for chunk in chunks for number in chunk] == list(range(22))
        assert all(chunk.stop % 4 == 0 for chunk in chunks[:-1])
    assert plan.chunk(1, 8) == range(1, 8)
    assert plan_of(games=5).deals == 2


@pytest.mark.parametrize(("games", "seed"), [(0, 0), (-4, 0), (1, -1)])
def test_a_plan_needs_games_and_a_seed(games, seed):
    with pytest.raises(SetupError):
        plan_of(games=games, seed=seed)


# The runner


def everything(plan, workers):
    """All results but the thinking times, which differ each time."""
    return [result._replace(think_s=()) for result in run(plan, workers=workers, records=True)]


def test_results_do_not_depend_on_the_number_of_workers(eager_workers):
    plan = plan_of()
    alone = everything(plan, 1)
    assert [result.game for result in alone] == list(range(22))
    assert everything(plan, 2) == alone


def test_results_do_not_depend_on_where_chunks_are_cut(monkeypatch):
    plan = plan_of()
    alone = everything(plan, 1)
    monkeypatch.setattr(runner, "_CHUNK_S", 1e-9)
    assert everything(plan, 1) == alone
    assert everything(plan_of(games=9), 1) == alone[:9]


def test_a_result_tells_what_the_record_tells():
    plan = plan_of(games=8)
    for result in run(plan, records=True):
        record = json.loads(result.record)
        assert (record["seed"], record["game"], record["deal"], record["rotation"]) == (
            5, result.game, result.game // 4, result.game % 4,
        )  # fmt: skip
        assert [player["name"] for player in record["players"]] == [
            MIXED[place] for place in plan.game(result.game).places
        ]
        assert (record["result"]["reason"], record["result"]["turns"]) == (result.reason, result.turns)
        winner = record["result"]["winner"]
        assert result.winner == (None if winner is None else (winner + record["rotation"]) % 4)
        assert len(result.think_s) == 4
        assert all(seconds > 0 for seconds in result.think_s)


def test_the_same_deals_meet_every_line_up():
    hands = [
        [(json.loads(r.record)["envelope"], json.loads(r.record)["first"]) for r in run(plan, records=True)]
        for plan in (plan_of(games=8), plan_of(["easy"] * 4, games=8))
    ]
    assert hands[0] == hands[1]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_misbehaving_bot_is_counted_and_the_batch_goes_on(bots, eager_workers, workers):
    plan = plan_of([f"{bots}:Broken", "easy", f"{bots}:Unborn"], games=6)
    tally = Tally(plan)
    for result in run(plan, workers=workers, records=True):
        tally.add(result)
        assert sum(result.faults) == result.faults[0] + result.faults[2]
    summary = tally.summary(1.0)
    faults = {text: entry["faults"] for text, entry in summary["players"].items()}
    assert faults["easy"] == 0
    assert faults[f"{bots}:Broken"] > 5
    game, turn, text = tally.first_faults[f"{bots}:Broken"]
    assert (game, turn <= 3) == (0, True)
    assert "ValueError" in text
    assert "no idea" in text
    assert "\n" not in text
    assert len(text) <= 200
    assert "cannot be made: RuntimeError" in tally.first_faults[f"{bots}:Unborn"].text


@pytest.mark.parametrize("workers", [1, 2])
def test_the_think_limit_holds_wherever_one_plays(bots, eager_workers, workers):
    plan = plan_of([f"{bots}:Slow", "easy", "easy"], games=4, max_turns=8)
    began = time.monotonic()
    results = list(run(plan, workers=workers, think_limit=0.05))
    assert time.monotonic() - began < 10
    assert all(result.faults[0] >= 1 and result.first_faults[0][2] == "took longer than 0.05 s" for result in results)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("bot", ["Leaver", "Presser"])
def test_a_bot_cannot_end_the_run_as_a_person_can(bots, eager_workers, workers, bot):
    plan = plan_of([f"{bots}:{bot}", "easy", "easy"], games=6, max_turns=9)
    with Interrupt() as interrupt:
        results = list(run(plan, workers=workers, interrupt=interrupt))
    assert len(results) == 6
    assert all(result.faults[0] for result in results)


def test_a_worker_that_dies_is_told_and_what_was_finished_is_kept(bots, eager_workers):
    plan = plan_of(["easy", "easy", f"{bots}:Suicidal"], games=3000, seed=1)
    with pytest.raises(WorkerDied, match="a worker process died"):
        deque(run(plan, workers=2), maxlen=0)


def test_who_stops_listening_stops_the_workers(eager_workers):
    results = run(plan_of(games=100_000), workers=2)
    for _ in range(30):
        next(results)
    began = time.monotonic()
    results.close()
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_keeps_what_is_finished(eager_workers, workers):
    interrupt = Interrupt()
    with interrupt:
        numbers = []
        for result in run(plan_of(games=100_000), workers=workers, interrupt=interrupt):
            numbers.append(result.game)
            if len(numbers) == 40:
                os.kill(os.getpid(), signal.SIGINT)
    assert 40 <= len(numbers) < 100_000
    assert numbers == sorted(set(numbers))
    assert numbers[:40] == list(range(40))


def test_an_interrupt_in_the_middle_of_a_long_answer_is_heard_at_once(bots):
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    try:
        with Interrupt() as interrupt:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            began = time.monotonic()
            plan = plan_of([f"{bots}:Slow", "easy", "easy"], games=4)
            assert list(run(plan, think_limit=None, interrupt=interrupt)) == []
            assert time.monotonic() - began < 5
            assert interrupt.wanted()
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


def test_an_ignored_ctrl_c_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupt() as interrupt:
            os.kill(os.getpid(), signal.SIGINT)
        assert not interrupt.wanted()
    finally:
        signal.signal(signal.SIGINT, before)


# The summary


def test_the_summary_adds_up():
    plan = plan_of(["easy", "medium", "easy"], games=10, max_turns=30)
    tally = Tally(plan)
    results = list(run(plan))
    for result in results:
        tally.add(result)
    summary = tally.summary(2.0)
    assert list(summary) == [
        "format", "version", "map", "rules", "seed", "games", "deals", "line_up", "interrupted", "players",
        "unsolved", "unfinished", "mean_turns", "elapsed_s", "games_per_s",
    ]  # fmt: skip
    assert (summary["games"], summary["deals"], summary["interrupted"]) == (10, 4, False)
    assert summary["rules"] == {"dice": 2, "sides": 6, "movement": "walk", "max_turns": 30}
    assert summary["mean_turns"] == sum(result.turns for result in results) / 10
    assert (summary["elapsed_s"], summary["games_per_s"]) == (2.0, 5.0)
    easy, medium = summary["players"]["easy"], summary["players"]["medium"]
    assert list(easy) == ["seats", "wins", "win_share", "win_rate", "fair_share", "ci95", "faults"]
    assert (easy["seats"], medium["seats"]) == (20, 10)
    assert easy["wins"] == sum(result.winner in (0, 2) for result in results)
    assert medium["wins"] == sum(result.winner == 1 for result in results)
    solved = easy["wins"] + medium["wins"]
    assert solved + summary["unsolved"] + summary["unfinished"] == 10
    assert easy["win_share"] + medium["win_share"] == pytest.approx(1)
    assert easy["win_rate"] == easy["wins"] / 20
    assert easy["fair_share"] == 1 / 3
    assert easy["ci95"][0] <= easy["win_rate"] <= easy["ci95"][1]


def test_without_a_winner_there_is_no_share_of_the_wins():
    plan = plan_of(["easy"] * 3, games=3, max_turns=1)
    tally = Tally(plan)
    for result in run(plan):
        tally.add(result)
    summary = tally.summary(1.0)
    assert summary["unfinished"] == 3
    assert summary["players"]["easy"]["win_share"] is None


# The picture


@pytest.mark.parametrize("names", [["medium"], ["a/very/long/" * 9 + "bot_with_a_name.py:Klass:cost=$3$", *"bcdef"]])
def test_no_label_of_the_picture_is_clipped(monkeypatch, tmp_path, names):
    from matplotlib.figure import Figure

    figures = []
    save = Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, *a, **k: (figures.append(self), save(self, *a, **k)))
    tally = Tally(plan_of(names * (6 // len(names)), games=1, seed=10**18))
    tally.add(next(run(plan_of(["easy"] * 6, games=1, board="manoir"))))
    draw_win_rates(tally.summary(1.0), tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    (figure,) = figures
    inner, outer = figure.get_tightbbox(), figure.bbox_inches
    assert inner.x0 >= 0
    assert inner.y0 >= 0
    assert inner.x1 <= outer.x1
    assert inner.y1 <= outer.y1


# The folder


def test_older_results_are_replaced_only_by_force_and_only_ours(tmp_path, cluedo):
    out = tmp_path / "deep" / "results"
    small = ("autoplay", "--map", "tiny", "--games", "4", "--out", out)
    assert cluedo(*small)[0] == 0
    assert {path.name for path in out.iterdir()} == OURS
    (out / "notes.txt").write_text("mine")
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    code, text, err = cluedo(*small, "--seed", "1")
    assert (code, text) == (2, "")
    assert "holds results already (summary.json, games.jsonl, win_rates.png)" in err
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert cluedo(*small, "--seed", "1", "--force")[0] == 0
    after = {path.name: path.read_bytes() for path in out.iterdir()}
    assert set(after) == OURS | {"notes.txt"}
    assert after["notes.txt"] == b"mine"
    assert json.loads(after["summary.json"])["seed"] == 1


def test_one_of_our_files_alone_is_reason_to_refuse(tmp_path, cluedo):
    (tmp_path / "win_rates.png").write_text("precious")
    code, _, err = cluedo("autoplay", "--map", "tiny", "--games", "4", "--out", tmp_path)
    assert code == 2
    assert "holds results already (win_rates.png)" in err
    assert (tmp_path / "win_rates.png").read_text() == "precious"


def test_a_run_that_fails_leaves_older_results_alone(tmp_path):
    (tmp_path / "summary.json").write_text("old")
    with pytest.raises(CluedoError, match="too late"), ResultsFolder(tmp_path, force=True) as folder:  # noqa: PT012
        folder.add("{}")
        raise CluedoError("too late")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("summary.json", "old")]


def test_a_folder_in_use_is_refused(tmp_path):
    with ResultsFolder(tmp_path) as folder:
        folder.add("one")
        with pytest.raises(FolderError, match="another run is writing"), ResultsFolder(tmp_path):
            pass
        assert (tmp_path / "games.jsonl.part").exists()


def test_a_disk_that_takes_no_more_is_told_in_a_sentence(tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    try:
        told = r"games\.jsonl: cannot be written: File too large"
        with pytest.raises(FolderError, match=told), ResultsFolder(tmp_path) as folder:
            deque(map(folder.add, ["x" * 1000] * 100), maxlen=0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.iterdir()) == []


# The command


def test_autoplay_prints_a_table_and_writes_records_that_replay(tmp_path, cluedo):
    out = tmp_path / "results"
    code, text, err = cluedo("autoplay", "--map", "tiny", "--players", ",".join(MIXED), "--games", "6", "--out", out)
    assert code == 0
    for told in ("level", "medium:original=true", "95 % interval", "fair share", "25.0 %", "6 games:", "per second"):
        assert told in text
    assert "faults" not in text
    assert err == "cluedo: 6 games are no multiple of 4 players, so the last deal stays incomplete\n"
    records = list(iter_records(out / "games.jsonl"))
    assert [record.game for record in records] == list(range(6))
    for record in records:
        assert record.replay().over
    summary = json.loads((out / "summary.json").read_text())
    assert summary["deals"] == 2


def test_files_and_output_do_not_depend_on_the_number_of_workers(tmp_path, cluedo, eager_workers):
    games, summaries = [], []
    for workers in (1, 2, 3):
        out = tmp_path / str(workers)
        code, text, err = cluedo(
            "autoplay", "--map", "tiny", "--games", "40", "--out", out, "--workers", workers, "--json"
        )
        assert (code, err) == (0, "")
        assert json.loads(text) == json.loads((out / "summary.json").read_text())
        games.append((out / "games.jsonl").read_bytes())
        summaries.append(timeless(json.loads(text)))
    assert games[0] == games[1] == games[2]
    assert summaries[0] == summaries[1] == summaries[2]


def test_without_out_nothing_is_written(tmp_path, cluedo, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, text, err = cluedo("autoplay", "--map", "tiny", "--games", "4", "--json")
    assert (code, err, list(tmp_path.iterdir())) == (0, "", [])
    assert json.loads(text)["games"] == 4


def test_faults_are_named_and_a_bot_that_prints_spoils_no_json(bots, cluedo):
    line_up = f"{bots}:Broken,{bots}:Noisy,easy"
    code, text, err = cluedo("autoplay", "--map", "tiny", "--players", line_up, "--games", "3", "--json")
    assert code == 0
    assert json.loads(text)["players"][f"{bots}:Broken"]["faults"] > 0
    assert "thinking aloud" in err
    (told,) = [line for line in err.splitlines() if line.startswith("cluedo: ")]
    assert "Broken lost" in told
    assert "first in game 0, turn" in told
    assert "no idea" in told
    code, text, _ = cluedo("autoplay", "--map", "tiny", "--players", line_up, "--games", "3")
    assert (code, "faults" in text) == (0, True)


def test_a_bot_from_a_file_plays_in_workers_too(bots, cluedo, eager_workers):
    line_up = f"{bots}:Fine,easy,{bots}:Noisy"
    code, text, _ = cluedo(
        "autoplay", "--map", "tiny", "--players", line_up, "--games", "9", "--workers", "2", "--json"
    )
    assert code == 0
    assert json.loads(text)["players"][f"{bots}:Fine"]["seats"] == 9


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--games", "0"], "at least 1 game"),
        (["--games", "many"], "--games"),
        (["--seed", "-1"], "a seed is a whole number from 0 up"),
        (["--workers", "0"], "at least 1 worker"),
        (["--think-limit", "0"], "a think limit is from"),
        (["--think-limit", "nan"], "a think limit is from"),
        (["--think-limit", "inf"], "a think limit is from"),
        (["--players", "easy,easy"], "3 to 6 players, not 2"),
        (["--players", ""], "3 to 6 players"),
        (["--players", "easy,,easy"], "a player is missing"),
        (["--players", "easy,esay,easy"], "did you mean 'easy'"),
        (["--players", "easy,easy,medium:orignal=true"], "did you mean 'original'"),
        (["--players", "easy,easy,nowhere.py:Bot"], "there is no such file"),
        (["--players", ",".join(["easy"] * 6)], "too many for the 4 suspects"),
        (["--map", "nope"], "no map is called 'nope'"),
        (["--rule", "dice=0"], "rule dice"),
        (["--rule", "dices=1"], "did you mean 'dice'"),
        (["--rule", "dice"], "KEY=VALUE"),
        (["--map", "bare.json"], "no grid"),
        (["--out", "occupied"], "cannot be written"),
        (["--out", "occupied/below"], "cannot be written"),
        (["--out", "blocked"], "stands in the way"),
        (["--out", "blocked", "--force"], "stands in the way"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(tmp_path, monkeypatch, cluedo, arguments, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "occupied").write_text("a file")
    (tmp_path / "blocked" / "games.jsonl").mkdir(parents=True)
    bare = {kind: [{"name": f"{kind}{k}"} for k in range(4)] for kind in ("suspects", "weapons", "rooms")}
    (tmp_path / "bare.json").write_text(json.dumps({"name": "bare", **bare}))
    before = sorted(tmp_path.rglob("*"))
    defaults = [] if "--map" in arguments else ["--map", "tiny"]
    given = [] if "--out" in arguments else ["--out", "results"]
    code, out, err = cluedo("autoplay", "--games", "4", *defaults, *given, *arguments)
    assert (code, out) == (2, "")
    assert told in err
    if "--games" not in arguments or "0" in arguments:
        assert err.startswith("cluedo: ")
        assert err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_map_without_a_grid_is_played_freely(tmp_path, cluedo):
    bare = {kind: [{"name": f"{kind}{k}"} for k in range(4)] for kind in ("suspects", "weapons", "rooms")}
    (tmp_path / "bare.json").write_text(json.dumps({"name": "bare", **bare}))
    code, out, _ = cluedo(
        "autoplay", "--map", tmp_path / "bare.json", "--rule", "movement=free", "--games", "4", "--json"
    )
    assert (code, json.loads(out)["rules"]["movement"]) == (0, "free")


# Real processes and real signals


@pytest.fixture
def batch(tmp_path):
    """A batch far too long to finish, started as a process group of its own, and its folder."""
    started = []

    def start(*arguments):
        out = tmp_path / "results"
        process = subprocess.Popen(
            [sys.executable, "-m", "cluedo", "autoplay", "--games", "1000000", "--out", out, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        started.append(process)
        return process, out

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()
        for _ in count():
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                break
            time.sleep(0.05)
            assert _ < 100, "a process has outlived its batch"


def wait_for_games(process, out, megabytes=4.0):
    """Until so much of the records is written, which with workers is more than is played before they start."""
    part = out / "games.jsonl.part"
    deadline = time.monotonic() + 30
    while not part.exists() or part.stat().st_size < megabytes * 1e6:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def workers_of(process):
    """The ids of the worker processes."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(c) for c in children if b"spawn_main" in Path(f"/proc/{c}/cmdline").read_bytes()]


@pytest.mark.parametrize(("workers", "whole_group"), [(1, False), (2, True), (2, False)])
def test_ctrl_c_keeps_and_reports_what_is_finished(batch, workers, whole_group):
    process, out = batch("--workers", str(workers))
    wait_for_games(process, out)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    text, err = process.communicate(timeout=10)
    assert process.returncode == 130
    summary = json.loads((out / "summary.json").read_text())
    games = summary["games"]
    assert summary["interrupted"] is True
    assert f"{games:,} games:" in text
    assert err == f"cluedo: interrupted after {games:,} of 1,000,000 games\n"
    assert {path.name for path in out.iterdir()} == OURS
    with (out / "games.jsonl").open() as file:
        assert sum(json.loads(line)["format"] for line in file) == games


def test_a_killed_worker_is_one_sentence_and_what_is_finished_is_kept(batch):
    process, out = batch("--workers", "2")
    wait_for_games(process, out)
    os.kill(workers_of(process)[0], signal.SIGKILL)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 2
    assert err.startswith("cluedo: a worker process died (killed")
    assert err.endswith(" of 1,000,000 games are finished\n")
    assert err.count("\n") == 1
    assert json.loads((out / "summary.json").read_text())["interrupted"] is True


def test_a_killed_batch_takes_its_workers_with_it_and_leaves_nothing_that_looks_complete(batch):
    process, out = batch("--workers", "2")
    wait_for_games(process, out)
    process.kill()
    process.wait()
    assert {path.name for path in out.iterdir()} == {"games.jsonl.part"}


def test_every_error_of_ours_is_a_cluedo_error():
    assert issubclass(FolderError, CluedoError)
    assert issubclass(WorkerDied, CluedoError)
