"""Bots from files play in a process of their own; whoever holds it up is absent, and nothing else changes."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.hostile_bots import HEAD, LOSES_ALL, PLAYS_ON, deed
from helpers.laboratory import played, rows_of, small

from cluedo.engine.errors import CluedoError
from cluedo.engine.rules import Rules
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.play import supervisor
from cluedo.experiments.play.backends import Backend
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.play.playing import ChunkPlayer
from cluedo.experiments.play.rows import GameResult
from cluedo.experiments.play.supervisor import Supervisor

LIMIT = 20.0
"""Seconds that nobody needs for an answer, however busy the machine is."""


def bot(folder: Path, text: str = "", name: str = "bot") -> str:
    """A bot in a file; gives its name in a line-up."""
    path = folder / f"{name}.py"
    path.write_text(HEAD + text, encoding="utf-8")
    return f"{path}:Bot"


def plan_of(*line_up: str, games: int = 12, **rules: int) -> Plan:
    return Plan("tiny", Rules(**({"max_turns": 12} | rules)), line_up, games, 3)


def bare(results: list[GameResult]) -> list[GameResult]:
    """Without times, and without texts."""
    return [result._replace(think_s=[], first_faults=[], record=None) for result in results]


def games_of(plan: Plan, interrupt: Interrupt | None = None, limit: float = LIMIT) -> list[GameResult]:
    """The results of all games, without times and texts."""
    results = Supervisor(limit, records=True).play(plan, range(plan.games), interrupt or Interrupt())
    return bare(results)


def faults_of(plan: Plan, limit: float = LIMIT) -> list[str]:
    """What the faults say, game by game."""
    results = Supervisor(limit, records=False).play(plan, range(plan.games), Interrupt())
    return [text for result in results for _, _, text in result.first_faults]


def children() -> Iterator[int]:
    """The processes of bots that this one has started."""
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            if b"cluedo.experiments.play.supervised" in Path(f"/proc/{child}/cmdline").read_bytes():
                yield int(child)


def gone(pid: int) -> bool:
    """Whether a process has ended, within some seconds."""
    for _ in range(100):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.1)
    return False


# Where they play


def test_no_file_of_a_bot_is_run_in_this_process(tmp_path, cluedo):
    text = "Path(__file__).with_name(f'{os.getpid()}.pid').touch()\n"
    line_up = f"{bot(tmp_path, text)},easy,easy"
    assert cluedo("autoplay", "--map", "tiny", "--players", line_up, "--games", "3", "--workers", "1")[0] == 0
    pids = [int(path.stem) for path in tmp_path.glob("*.pid")]
    assert pids
    assert os.getpid() not in pids
    assert all(map(gone, pids))


def test_a_bot_plays_there_as_it_would_here(tmp_path):
    here = GameRunner(plan_of("easy", "medium", "hard"), LIMIT).play(range(12), Interrupt())
    assert games_of(plan_of(bot(tmp_path, PLAYS_ON), "medium", "hard")) == bare(here)


def test_it_is_asked_there_where_it_looks_into_the_pool(tmp_path):
    blind = "class Bot(Bot):\n    def choose_peek(self, view): raise ValueError('no look')\n"
    told = faults_of(plan_of(bot(tmp_path, blind), "medium", "easy", games=6, pool=3, peek=True))
    assert told
    assert all("raised ValueError('no look')" in text for text in told)


def test_shipped_levels_play_in_this_process_and_need_no_other():
    before = set(children())
    player = ChunkPlayer.of(small(["easy", "easy", "medium"], games=3))
    assert "_supervisor" not in vars(player)
    assert set(children()) == before


def test_its_processes_end_with_a_supervisor(tmp_path):
    ours = Supervisor(LIMIT, records=False)
    ours.check(plan_of(bot(tmp_path), "easy", "easy"))
    (pid,) = children()
    del ours
    assert gone(pid)


@pytest.mark.slow
def test_what_one_bot_does_to_its_process_does_not_touch_another(tmp_path):
    rude = bot(tmp_path, "import random\nrandom.Random.choice = lambda self, what: what[-1]\n", "rude")
    fair = plan_of(bot(tmp_path), "easy", "random")
    ours = Supervisor(LIMIT, records=False)
    ours.play(plan_of(rude, "easy", "random"), range(3), Interrupt())
    assert bare(ours.play(fair, range(12), Interrupt())) == games_of(fair)


def test_a_player_of_chunks_travels_without_its_processes(tmp_path):
    player = ChunkPlayer.of(small([bot(tmp_path), "easy", "easy"], games=3))
    assert pickle.loads(pickle.dumps(player)) == player
    assert "_supervisor" not in vars(pickle.loads(pickle.dumps(player)))


# Who holds it up


CHANCY = """
class Bot(Bot):
    def begin(self, view, random):
        super().begin(view, random)
        self.strikes = random.random() < 0.2
    def deed(self):
        if self.strikes: {deed}
"""


@pytest.mark.slow
def test_who_ends_the_process_is_absent_from_that_game_and_the_second_time_from_the_rest(tmp_path):
    rest = ("easy", "easy")
    found = games_of(plan_of(bot(tmp_path, CHANCY.format(deed="os._exit(0)"), "ends"), *rest, games=30))
    harmless = games_of(plan_of(bot(tmp_path, CHANCY.format(deed="raise ValueError"), "raises"), *rest, games=30))
    absent = games_of(plan_of(bot(tmp_path, LOSES_ALL.removeprefix(HEAD), "absent"), *rest, games=30))
    strikes = [game for game, result in enumerate(harmless) if any(result.faults)]
    assert 2 <= len(strikes) < 20
    assert found[: strikes[1]] == harmless[: strikes[1]]
    assert found[strikes[1] :] == absent[strikes[1] :]


@pytest.mark.slow
def test_a_process_that_somebody_kills_costs_no_game_and_nobody_a_fault(tmp_path):
    slow = plan_of(bot(tmp_path, deed("time.sleep(0.002)")), "easy", "easy", games=30, max_turns=30)
    ours = Supervisor(LIMIT, records=False)
    ours.check(slow)

    class Killing(Interrupt):
        def wanted(self) -> bool:
            if not killed:
                killed.extend(children())
                os.kill(killed[0], signal.SIGKILL)
            return False

    killed: list[int] = []
    results = ours.play(slow, range(30), Killing())
    assert gone(killed[0])
    assert bare(results) == games_of(slow)
    assert not any(sum(result.faults) for result in results)


@pytest.mark.slow
def test_who_cannot_be_interrupted_is_named_with_its_place_in_the_code(tmp_path):
    plan = plan_of(bot(tmp_path, deed("sum(range(10 ** 15))")), "easy", "easy", games=3)
    (first, *_) = faults_of(plan, limit=0.2)
    assert first.startswith("took longer than 1.25 s and could not be interrupted (bot.py:")
    assert "in deed, called at bot.py:" in first
    assert first.endswith("; absent from this game")


@pytest.mark.slow
def test_a_slow_bot_that_keeps_the_limit_is_left_alone(tmp_path, monkeypatch):
    """Many answers may take much longer than one."""
    monkeypatch.setattr(supervisor, "_IDLE_S", 0.5)
    plan = plan_of(bot(tmp_path, deed("time.sleep(0.15)")), "easy", "easy", games=3)
    assert faults_of(plan, limit=0.6) == []


@pytest.mark.slow
def test_an_interrupt_ends_even_who_cannot_be_interrupted(tmp_path):
    class Soon(Interrupt):
        def wanted(self) -> bool:
            return time.monotonic() > began + 3

    began = time.monotonic()
    plan = plan_of(bot(tmp_path, "class Bot(Bot):\n    def begin(self, *about): stay()\n"), "easy", "easy")
    assert games_of(plan, Soon(), limit=600.0) == []
    assert time.monotonic() < began + 10
    assert list(children()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("stay()\n", "cannot be loaded: took longer than 1.5 s and could not be interrupted"),
        ("os._exit(0)\n", "cannot be loaded: ended its process (exit code 0)"),
        ("raise KeyboardInterrupt\n", "cannot be loaded: KeyboardInterrupt"),
        ("class Bot(Bot):\n    def __init__(self): raise GeneratorExit\n", "the player cannot be made: GeneratorExit"),
    ],
)
def test_who_cannot_be_loaded_is_refused_in_a_sentence(tmp_path, monkeypatch, text, told):
    monkeypatch.setattr(supervisor, "LOADING_S", 1.5 if "stay" in text else LIMIT)
    with pytest.raises(CluedoError) as caught:
        Supervisor(0.1, records=False).check(plan_of(bot(tmp_path, text), "easy", "easy"))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_results_that_a_bot_makes_up_are_not_taken(tmp_path):
    lie = "os.write(fd, b'[[], true, null, null]\\n')"
    text = deed("for fd in range(3, 64):", f"    try: {lie}", "    except OSError: pass")
    plan = plan_of(bot(tmp_path, text), "easy", "easy", games=3)
    assert len(games_of(plan)) == 3


@pytest.mark.slow
def test_faults_do_not_depend_on_the_number_of_workers(tmp_path, eager_workers):
    chancy = bot(tmp_path, deed("if self.random.random() < 0.01: os._exit(0)"))
    experiment = small([chancy, "easy", "medium"], games=60, chunk=6, rules=Rules(max_turns=30))
    for workers in (1, 2):
        played(experiment, tmp_path / str(workers), backend=Backend("local", None, workers))
    assert rows_of(tmp_path / "1") == rows_of(tmp_path / "2")
    assert any(row for row in rows_of(tmp_path / "1", "fault") if row[0])


@pytest.mark.slow
def test_a_killed_run_takes_its_bots_with_it(tmp_path):
    stuck = bot(tmp_path, "class Bot(Bot):\n    def begin(self, *about):\n        once('begun')\n        stay()\n")
    arguments = ["autoplay", "--map", "tiny", "--players", f"{stuck},easy,easy", "--workers", "1"]
    run = subprocess.Popen([sys.executable, "-m", "cluedo", *arguments], stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            if (tmp_path / "begun.state").exists():
                break
            time.sleep(0.1)
        (pid,) = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    finally:
        run.kill()
        run.wait()
    assert gone(int(pid))


# No other loading of a file runs code


@pytest.mark.slow
def test_looking_at_results_and_records_runs_no_bot(tmp_path, cluedo):
    line_up = bot(tmp_path, "Path(__file__).with_name('run').touch()\n") + ",easy,easy"
    out = tmp_path / "out"
    given = ["--map", "tiny", "--players", line_up, "--games", "3", "--workers", "1"]
    assert cluedo("autoplay", *given, "--out", out)[0] == 0
    (tmp_path / "run").unlink()
    games = out / "games.jsonl"
    assert cluedo("replay", games, "--game", "0", "--plain")[0] == 0
    assert cluedo("replay", games, "--game", "0", "--review", "--plain")[0] == 0
    assert cluedo("experiment", "status", out)[0] == 0
    assert cluedo("report", out, "--query", "SELECT count(*) FROM games")[0] in (0, 2)
    assert not (tmp_path / "run").exists()
