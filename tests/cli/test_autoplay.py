"""The main job: parts, runner, summary, files, and the command that joins them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from helpers.chunk_work import wait_until
from helpers.command_line import complaint, ran, run
from helpers.laboratory import MIXED, contents, played, rows_of, small
from helpers.support import deck_alone

from cluedo import Rules, SetupError, iter_records
from cluedo.bots import process as bot_process
from cluedo.engine.errors import CluedoError
from cluedo.engine.record import GameRecord
from cluedo.experiments import Part
from cluedo.experiments.draw import win_rates
from cluedo.experiments.draw.win_rates import write_win_rates
from cluedo.experiments.plan.part import Conditions
from cluedo.experiments.play.chunks import ChunkRunner
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.read.head_to_head import HeadToHead
from cluedo.experiments.read.results import Results
from cluedo.experiments.read.summary import Tally, standings
from cluedo.experiments.rows.result_rows import ResultRows
from cluedo.experiments.store.folder import lock_folder
from cluedo.language import speaking

OURS = {"summary.json", "games.jsonl", "win_rates.png", "manifest.json", "experiment.toml", "chunks"}
FAST = ("--players", "random,random,random,random", "--map", "tiny")
TIMINGS = {"elapsed_s", "games_per_s"}

BOTS = """
import os, sys, time
from cluedo.ai.level_easy import EasyPlayer

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
"""


@pytest.fixture
def bots(tmp_path):
    """A file of bots, some of which misbehave."""
    path = tmp_path / "bots.py"
    path.write_text(BOTS, encoding="utf-8")
    return path


def part_of(line_up=MIXED, games=22, seed=5, board="tiny", **rules):
    return Part(board, Rules(**rules), tuple(line_up), games, seed)


def timeless(summary):
    assert set(summary) > TIMINGS
    return {key: value for key, value in summary.items() if key not in TIMINGS}


# A part


def test_each_deal_meets_each_rotation_once_and_each_player_each_seat():
    part = part_of(games=12)
    games = [part.game(number) for number in range(part.games)]
    assert [(game.deal, game.rotation) for game in games] == [(d, r) for d in range(3) for r in range(4)]
    assert games[7].places == (3, 0, 1, 2)
    for deal in range(3):
        seatings = [game.places for game in games if game.deal == deal]
        assert all(sorted(column) == [0, 1, 2, 3] for column in zip(*seatings, strict=True))


@pytest.mark.parametrize(("games", "seed"), [(0, 0), (-4, 0), (1, -1)])
def test_a_part_needs_games_and_a_seed(games, seed):
    with pytest.raises(SetupError):
        part_of(games=games, seed=seed)


# Playing


def results_of(part):
    return GameRunner(part, Conditions(records=True)).play(range(part.games), Interrupt())


def test_the_same_deals_meet_every_line_up():
    hands = [
        [(json.loads(r.record)["envelope"], json.loads(r.record)["first"]) for r in results_of(part)]
        for part in (part_of(games=8), part_of(["easy"] * 4, games=8))
    ]
    assert hands[0] == hands[1]


def test_an_interrupt_in_the_middle_of_a_long_answer_is_heard_at_once(bots):
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    try:
        with Interrupt() as interrupt:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            began = time.monotonic()
            part = part_of([f"{bots}:Slow", "easy", "easy"], games=4)
            assert GameRunner(part).play(range(4), interrupt) == []
            assert time.monotonic() - began < 50
            assert interrupt.wanted()
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_an_ignored_signal_stays_ignored(signum):
    before = signal.signal(signum, signal.SIG_IGN)
    try:
        with Interrupt() as interrupt:
            os.kill(os.getpid(), signum)
        assert not interrupt.wanted()
    finally:
        signal.signal(signum, before)


def test_who_ends_the_process_keeps_the_finished_games_as_ctrl_c_does():
    heard = []
    before = signal.signal(signal.SIGTERM, lambda *_: heard.append("by others"))
    try:
        with Interrupt() as interrupt:
            os.kill(os.getpid(), signal.SIGTERM)
        assert (interrupt.wanted(), heard) == (True, [])
        os.kill(os.getpid(), signal.SIGTERM)
        assert heard == ["by others"]
    finally:
        signal.signal(signal.SIGTERM, before)


# The summary


def tally_of(part):
    results = results_of(part)
    tally = Tally(part)
    tally.add(ResultRows.of(part, results))
    return tally, results


def test_the_summary_adds_up():
    part = part_of(["easy", "medium", "easy"], games=10, max_turns=30)
    tally, results = tally_of(part)
    summary = tally.summary()
    assert list(summary) == [
        "format", "version", "map", "rules", "seed", "seed_secret", "games", "deals", "line_up", "interrupted",
        "players", "unsolved", "unfinished", "mean_turns",
    ]  # fmt: skip
    assert (summary["games"], summary["deals"], summary["interrupted"]) == (10, 4, False)
    assert summary["rules"] == {"dice": 2, "sides": 6, "movement": "walk", "max_turns": 30}
    assert summary["mean_turns"] == sum(result.turns for result in results) / 10
    easy, medium = summary["players"]["easy"], summary["players"]["medium"]
    assert list(easy) == ["seats", "wins", "win_share", "win_rate", "fair_share", "ci95", "faults", "first_fault"]
    assert (easy["seats"], medium["seats"]) == (20, 10)
    winners = [None if result.winner is None else part.game(result.game).places[result.winner] for result in results]
    assert easy["wins"] == sum(place in (0, 2) for place in winners)
    assert medium["wins"] == sum(place == 1 for place in winners)
    solved = easy["wins"] + medium["wins"]
    assert solved + summary["unsolved"] + summary["unfinished"] == 10
    assert easy["win_share"] + medium["win_share"] == pytest.approx(1)
    assert easy["win_rate"] == easy["wins"] / 20
    assert easy["fair_share"] == 1 / 3
    assert easy["ci95"][0] <= easy["win_rate"] <= easy["ci95"][1]


def test_without_a_winner_there_is_no_share_of_the_wins():
    summary = tally_of(part_of(["easy"] * 3, games=3, max_turns=1))[0].summary()
    assert summary["unfinished"] == 3
    assert summary["players"]["easy"]["win_share"] is None


# The picture


def test_the_picture_speaks_the_language_of_the_table():
    summary = tally_of(part_of(["easy"] * 3, games=3, max_turns=1))[0].summary() | {"games": 1234, "interrupted": True}
    with speaking("fr"):
        told = win_rates._title(summary | {"elapsed_s": 1.0})
    assert re.fullmatch(r"tiny · 3 joueurs · 1\s234 parties \(interrompu\) · graine 5", told)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("names", [["medium"], ["a/very/long/" * 9 + "bot_with_a_name.py:Klass:cost=$3$", *"bcdef"]])
def test_no_label_of_the_picture_is_clipped(language, monkeypatch, tmp_path, names):
    from matplotlib.figure import Figure

    figures = []
    save = Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, *a, **k: (figures.append(self), save(self, *a, **k)))
    tally = Tally(part_of(names * (6 // len(names)), games=1, seed=10**18))
    six = part_of(["easy"] * 6, games=1, board="manoir")
    tally.add(ResultRows.of(six, results_of(six)))
    with speaking(language):
        write_win_rates(standings([tally]), tally.summary(), tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    (figure,) = figures
    inner, outer = figure.get_tightbbox(), figure.bbox_inches
    assert inner.x0 >= 0
    assert inner.y0 >= 0
    assert inner.x1 <= outer.x1
    assert inner.y1 <= outer.y1


# The folder


def test_force_removes_the_report_of_what_it_replaces(tmp_path):
    out = tmp_path / "results"
    batch = ("autoplay", "--map", "tiny", "--games", "4", "--out", out)
    run(*batch)
    page, picture, mine = (out / "report" / name for name in ("report.html", "matrix.png", "notes.txt"))
    page.parent.mkdir()
    page.write_text('<meta name="generator" content="cluedo 1.0">')
    picture.write_text("somebody's")
    mine.write_text("mine")
    assert ran(*batch, "--force").err.endswith(", manifest.json, report\n")
    assert sorted((out / "report").iterdir()) == [picture, mine]
    assert ran(*batch, "--force").err.endswith(", manifest.json\n")
    for path in (picture, mine):
        path.unlink()
    page.write_text('<meta name="generator" content="cluedo 1.0">')
    run(*batch, "--force")
    assert not page.parent.exists()


def test_what_a_batch_is_called_does_not_matter(tmp_path):
    for name, more, files in (("autoplay", {}, OURS - {"games.jsonl", "win_rates.png"}), ("x", {"batch": True}, OURS)):
        (tmp_path / "x.toml").write_text(small(("easy", "easy", "hard"), name=name, record="full", **more).to_toml())
        run("experiment", "run", tmp_path / "x.toml", "--out", tmp_path / name)
        assert {path.name for path in (tmp_path / name).iterdir()} == files
        summary = json.loads((tmp_path / name / "summary.json").read_text())
        assert ("parts" in summary, "line_up" in summary) == (not more, bool(more))


def test_a_batch_that_is_continued_becomes_what_it_would_have_been_at_once(tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    for out in (whole, cut):
        run("autoplay", "--map", "tiny", "--players", ",".join(MIXED), "--games", 12, "--out", out)
    max((cut / "chunks").glob("*.parquet")).unlink()
    (cut / "games.jsonl").write_text((whole / "games.jsonl").read_text().partition("\n")[0] + "\n")
    (cut / "win_rates.png").write_bytes((cut / "win_rates.png").read_bytes()[:-1])
    assert "autoplay: 8 of 12 games, not finished" in run("experiment", "status", cut)
    run("experiment", "run", cut / "experiment.toml", "--out", cut, "--resume")
    assert {path.name for path in cut.iterdir()} == OURS
    assert (cut / "games.jsonl").read_text() == (whole / "games.jsonl").read_text()
    assert (cut / "win_rates.png").read_bytes() == (whole / "win_rates.png").read_bytes()
    summaries = [json.loads((folder / "summary.json").read_text()) for folder in (whole, cut)]
    assert timeless(summaries[0]) == timeless(summaries[1])
    assert summaries[1]["games_per_s"] > 0
    run("experiment", "run", cut / "experiment.toml", "--out", cut, "--resume")
    again = json.loads((cut / "summary.json").read_text())
    assert again["elapsed_s"] == summaries[1]["elapsed_s"], "nothing was left to play"
    assert again["games_per_s"] > 0


def test_a_run_that_fails_keeps_what_is_finished(tmp_path, monkeypatch):
    play, chunks = ChunkRunner.play, iter(range(2))

    def fail_at_last(self, *arguments):
        if next(chunks, None) is None:
            raise CluedoError("too late")
        return play(self, *arguments)

    monkeypatch.setattr(ChunkRunner, "play", fail_at_last)
    done = ran("autoplay", *FAST, "--games", 400, "--workers", 1, "--out", tmp_path)
    games = len(rows_of(tmp_path)) // 4
    assert (done.code, 0 < games < 400) == (2, True)
    assert f"{games} games:" in done.out
    command = f"cluedo experiment run {tmp_path / 'experiment.toml'} --out {tmp_path} --resume"
    assert str(done.error) == f"too late; {games} of 400 games are stored; continue with `{command}`"
    assert {path.name for path in tmp_path.iterdir()} == OURS
    monkeypatch.undo()
    run(*command.split()[1:])
    assert len(rows_of(tmp_path)) == 400 * 4


def test_while_it_plays_nobody_else_goes_on_with_it(tmp_path):
    status, batch = ("experiment", "status", tmp_path), ("autoplay", *FAST, "--games", 4, "--out", tmp_path)
    with lock_folder(tmp_path):
        played(small(games=24), tmp_path)
        max((tmp_path / "chunks").glob("*.parquet")).unlink()
        before = contents(tmp_path)
        assert run(*status).startswith("small: 16 of 24 games, running")
        again = "experiment", "run", tmp_path / "experiment.toml", "--out", tmp_path, "--resume"
        for command in (again, batch, (*batch, "--force")):
            assert f"another run is writing into {tmp_path}" in complaint(*command)
        assert contents(tmp_path) == before
    assert "16 of 24 games, not finished; continue with `" in run(*status)


# The command


def test_autoplay_prints_a_table_and_writes_records_that_replay(tmp_path):
    out = tmp_path / "results"
    _, text, err, _ = ran("autoplay", "--map", "tiny", "--players", ",".join(MIXED), "--games", "6", "--out", out)
    for told in ("won per seat", "medium:original=true", "95 % interval", "the fair share is", "25.0 %", "6 games:"):
        assert told in text
    assert "faults" not in text
    assert err == "cluedo: 6 games are not a multiple of 4 players, so the last deal stays incomplete\n"
    records = list(iter_records(out / "games.jsonl"))
    assert [record.game for record in records] == list(range(6))
    for record in records:
        assert record.replay().over
    summary = json.loads((out / "summary.json").read_text())
    assert summary["deals"] == 2


def test_a_game_that_the_last_player_wins_is_stored_counted_and_replayed(tmp_path):
    bot = """from cluedo import Accusation, Stay
class Rash(__import__("cluedo").Player):
    def choose_move(self, view): return Stay()
    def choose_hypothesis(self, view): return None
    def choose_card(self, view): return view.legal()[0]
    def choose_accusation(self, view): return Accusation(*next(iter(zip(*view.deck.ids))))
"""
    (tmp_path / "rash.py").write_text(bot, encoding="utf-8")
    player, out = f"{tmp_path}/rash.py:Rash", tmp_path / "out"
    line_up = ["--players", ",".join([player] * 3), "--trusted", "--map", "tiny", "--games", 6, "--seed", 1]
    summary = json.loads(run("autoplay", *line_up, "--rule", "last_wins=true", "--out", out, "--json"))
    games = [GameRecord.from_json(line) for line in (out / "games.jsonl").read_text().splitlines()]
    assert {game.replay().result.reason for game in games} == {"unsolved"}
    assert None not in {game.result.winner for game in games}
    assert (summary["unsolved"], summary["players"][player]["win_share"]) == (6, 1.0)
    assert rows_of(out, "accused + won::INTEGER") == [(1,)] * 18  # all accused but the winner
    with Results.open([out]) as results:
        assert results.play()[player].wrong == 12


def test_of_two_kinds_of_players_it_says_who_leads_how_sure_that_is_and_what_more_games_would_tell(tmp_path):
    def told(games, *players):
        where = ["--map", "tiny", "--out", tmp_path / "out", "--force"]
        return run("autoplay", *where, "--players", ",".join(players), "--games", games)

    clear = told(80, "medium", "medium", "random", "random")
    found = re.search(
        r"medium leads random by ([\d.]+) points per seat \[([\d.]+),\s([\d.]+)\], over 20 deals; \+", clear
    )
    assert "That medium is the stronger one is more than 99.9 % likely." in clear
    assert "the difference compares two players deal by deal" in clear
    assert "more games" not in clear
    levels = json.loads((tmp_path / "out" / "summary.json").read_text())["players"]
    assert float(found[1]) == pytest.approx(
        100 * (levels["medium"]["win_rate"] - levels["random"]["win_rate"]), abs=0.06
    )
    with Results.open([tmp_path / "out"]) as results:  # the report compares them by the same figures
        lead = HeadToHead.of(results.deals().pair("medium", "random")).lead
    assert [f"{100 * end:.1f}" for end in lead] == list(found.groups())
    unclear = told(16, "medium", "medium", "medium:original=false", "medium:original=false")  # alike
    assert "The interval does not exclude zero: these games do not tell which is stronger" in unclear
    assert re.search(r"about [\d,]+ more games would show it|hardly show it|Only more games can tell", unclear)
    assert "leads" not in told(8, "medium", "easy", "random")
    assert "leads" not in told(8, "easy", "easy", "easy")


def test_without_out_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = ran("autoplay", "--map", "tiny", "--games", "4", "--json")
    assert (done.err, list(tmp_path.iterdir())) == ("", [])
    assert json.loads(done.out)["games"] == 4
    assert "--force replaces results in the folder of --out" in complaint("autoplay", "--force")


@pytest.mark.slow
def test_faults_are_named_and_a_bot_that_prints_spoils_no_json_in_workers_either(bots, cluedo, eager_workers):
    line_up = f"{bots}:Broken,{bots}:Noisy,easy"
    arguments = ("autoplay", "--map", "tiny", "--players", line_up)
    code, text, err = cluedo(*arguments, "--games", "9", "--workers", "2", "--json")
    assert code == 0
    assert json.loads(text)["players"][f"{bots}:Broken"]["faults"] > 0
    assert json.loads(text)["players"][f"{bots}:Noisy"]["seats"] == 9
    (told,) = [line for line in err.splitlines() if line.startswith("cluedo: ")]
    assert "Broken: " in told
    assert "first in game 0, turn" in told
    assert "no idea" in told
    code, text, _ = cluedo(*arguments, "--games", "1", "--workers", "1")
    assert (code, "faults" in text) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--games", "0"], "games: must be 1 or more"),
        (["--games", f"{10**30}"], "games: "),
        (["--workers", "0"], "at least 1 worker"),
        (["--workers", "100000"], "at most 1,000 workers"),
        (["--think-limit", "0"], "a think limit is from"),
        (["--players", "human:Ann,easy,easy"], "human is a person at the terminal, who plays in cluedo play alone"),
        (["--players", ""], "2 to 10 are needed"),
        (["--players", "easy,esay,easy"], "did you mean 'easy'"),
        (["--map", "nope"], "no map is called 'nope'"),
        (["--rule", "dice=0"], "rule dice"),
        (["--map", "bare.json"], "no grid"),
        (["--out", ""], "--out needs the path of a folder, not an empty one"),
        (["--out", "occupied"], "occupied is not a folder"),
        (["--out", "occupied/below"], "cannot be written"),
        (["--out", "blocked"], "is in the way"),
        (["--out", "blocked", "--force"], "is in the way"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(tmp_path, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "occupied").write_text("a file")
    (tmp_path / "blocked" / "games.jsonl").mkdir(parents=True)
    (tmp_path / "bare.json").write_text(json.dumps(deck_alone(4, 4, 4, name="bare")))
    before = sorted(tmp_path.rglob("*"))
    defaults = [] if "--map" in arguments else ["--map", "tiny"]
    given = [] if "--out" in arguments else ["--out", "results"]
    assert told in complaint("autoplay", "--games", "4", *defaults, *given, *arguments)
    assert sorted(tmp_path.rglob("*")) == before


# A real process and a real signal


@pytest.mark.slow
def test_ctrl_c_keeps_and_reports_what_is_finished(tmp_path):
    out = tmp_path / "results"
    process = subprocess.Popen(
        [sys.executable, "-m", "cluedo", "autoplay", *FAST, "--games", "1000000", "--out", out, "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:  # more chunks than are played before the workers start
        wait_until(lambda: len([*out.glob("chunks/*.parquet")]) >= 6)
        os.killpg(process.pid, signal.SIGINT)
        text, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130
    summary = json.loads((out / "summary.json").read_text())
    games = summary["games"]
    assert summary["interrupted"] is True
    assert f"{games:,} games:" in text
    command = f"cluedo experiment run {out / 'experiment.toml'} --out {out} --resume"
    assert err == f"cluedo: interrupted; {games:,} of 1,000,000 games are stored; continue with `{command}`\n"
    assert {path.name for path in out.iterdir()} == OURS
    with (out / "games.jsonl").open() as file:
        assert sum(json.loads(line)["format"] for line in file) == games
    numbers = [game for (game,) in rows_of(out, "game")]
    assert len(numbers) == 4 * len(set(numbers)) == 4 * games


def test_a_contest_does_not_start_where_bots_can_have_no_sandbox(monkeypatch, tmp_path):
    """Whatever is missing: bubblewrap and the kernel's leave, or that bots play somewhere else at all."""
    line = ["autoplay", "--players", "easy,easy,easy", "--map", "tiny", "--games", "3", "--require-sandbox"]
    seed = ["experiment", "run", "seed", "--out", str(tmp_path / "out"), "--require-sandbox"]
    monkeypatch.setattr(bot_process, "_bubblewrap", lambda network: ("bwrap",))
    run(*line)
    assert "trusted bots play in the process of the games" in complaint(*line, "--trusted")
    assert "what the machines of a cluster keep apart" in complaint(*seed, "--backend", "dask")
    monkeypatch.setattr(bot_process, "_bubblewrap", lambda network: ())
    refuses = shutil.which("false")
    monkeypatch.setattr(bot_process.shutil, "which", lambda name: refuses)
    for arguments in (line, seed):
        assert "bots cannot have a sandbox here: install bubblewrap" in complaint(*arguments)
    assert not (tmp_path / "out").exists()
