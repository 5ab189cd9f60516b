"""Programs that play in processes of their own: the batch ends, the culprit is named, nobody else's games change."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from helpers.batches import RUN, Batch
from helpers.cases import some
from helpers.chunk_work import wait_until
from helpers.laboratory import rows_of
from helpers.programs import LONGEST_S, START, alive, cluedo, environment
from helpers.strange_bots import HEAD, LOSES_ALL, PLAYS_ON, STRANGE, TAIL

from cluedo.bots import conformance, process
from cluedo.bots.naming import files_of_program, read_line_up

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="programs as players need a Unix")]

PLAYER = "exec:python bot.py"
LINE_UP = ("--players", f"{PLAYER},easy,easy", "--map", "tiny")

BATCH = Batch(PLAYER, "chunk = 2\n")


def written(folder, text, *limit):
    """A folder with a program and an experiment that it plays in."""
    return BATCH.written(folder, HEAD + text + TAIL, *limit)


def played(folder, *more, line_up=LINE_UP):
    """What a small batch that goes well says on standard error."""
    code, _, err = cluedo(folder, "autoplay", *line_up, "--games", "3", *more)
    assert code == 0, err
    return err


def kept_log(folder):
    """What a bot has said on standard error."""
    (log,) = (folder / "state" / "cluedo" / "bots").glob("*.log")
    assert "bot.py" in log.name
    return log.read_text()


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return BATCH.models(tmp_path_factory.mktemp("models"), HEAD + LOSES_ALL + TAIL, HEAD + PLAYS_ON + TAIL)


@pytest.mark.parametrize("name", some(STRANGE, 4))
def test_a_strange_program_ends_no_batch_and_harms_nobody_else(name, tmp_path, models):
    bot = STRANGE[name]
    folder = written(tmp_path / "here", bot.text, bot.limit)
    BATCH.check(folder, bot, models)
    if sys.platform == "linux":
        wait_until(lambda: not alive(folder))


def test_two_workers_store_the_same_bytes_as_one(tmp_path):
    folder = written(tmp_path / "here", STRANGE["exit_0"].text)
    for workers in (1, 2):
        assert cluedo(folder, *RUN[:3], "--out", f"out{workers}", "--workers", workers)[0] == 0
    assert rows_of(folder / "out1") == rows_of(folder / "out2")


def test_our_levels_served_as_programs_play_the_same_games_byte_for_byte(tmp_path):
    served = ",".join(f"exec:cluedo bot serve {level}" for level in ("hard", "easy", "hard"))
    for players, out in ((served, "served"), ("hard,easy,hard", "here")):
        played(tmp_path, "--workers", "1", "--out", out, line_up=("--players", players, "--map", "tiny"))
    games = [(tmp_path / out / "games.jsonl").read_text() for out in ("served", "here")]
    assert games[0].replace("exec:cluedo bot serve ", "") == games[1]


def test_standard_error_is_kept_in_a_file_for_each_bot(tmp_path):
    folder = written(tmp_path / "here", STRANGE["noise"].text)
    assert played(folder) == ""
    assert kept_log(folder).startswith("noise\n")


def test_a_program_that_names_an_unknown_card_loses_that_choice_and_goes_on(tmp_path):
    text = 'os.write(2, b"started\\n")\ndef choice(question): return {"type": "show", "card": "Rpoe"}\n'
    folder = written(tmp_path / "here", text)
    err = played(folder)
    assert "no card is called 'Rpoe'" in err
    assert "absent" not in err
    assert kept_log(folder) == "started\n", "one process for all games"


def test_a_program_has_a_process_for_each_seat_however_its_command_is_written(tmp_path, monkeypatch):
    """One process for two would see both hands."""
    line_up = read_line_up(["exec:python bot.py", "exec:python  bot.py", "exec:'python bot.py'", "exec:python bot.py"])
    assert len({id(spec.bot) for spec in line_up}) == 4
    again = read_line_up(["exec:python  bot.py", "exec:python bot.py"])
    assert [spec.bot for spec in again] == [line_up[0].bot, line_up[1].bot]


@pytest.mark.parametrize("player", ["exec:python bot.py", "bot.py:Bot"])
def test_a_program_that_was_changed_or_is_in_another_folder_is_started_anew(player, tmp_path, monkeypatch):
    def bot():
        return read_line_up([player])[0].bot

    found = []
    for folder, text in (("one", "a = 1\n"), ("one", "a = 12\n"), ("two", "a = 1\n")):
        (tmp_path / folder).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / folder)
        Path("bot.py").write_text(text, encoding="utf-8")
        found.append(bot())
        assert bot() is found[-1]
    assert len(set(map(id, found))) == 3


def test_a_command_may_have_words_that_are_no_name_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(written(tmp_path / "here", PLAYS_ON))
    text = f"exec:python bot.py {'x' * 300}"
    assert read_line_up([text])[0].text == text
    assert files_of_program(text) == [Path("bot.py")]


def test_games_that_are_played_at_once_talk_to_programs_of_their_own():
    def bot():
        return read_line_up([PLAYER])[0].bot

    with ThreadPoolExecutor(1) as pool:
        elsewhere = [pool.submit(bot).result() for _ in range(2)]
    assert elsewhere[0] is elsewhere[1]
    assert bot() is bot() is not elsewhere[0]


def test_what_bots_write_to_standard_error_is_bounded_over_a_run_and_kept_while_they_are_alive(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(process, "_LOGS_KEPT", (2, 1000))
    bots = []
    for k in range(6):
        bots.append(process.LineProcess(["sh", "-c", "echo noise >&2; exec cat"], f"bot{k}"))
        assert bots[k].ask(b"ready\n", 60) == b"ready"
        if k > 0:
            bots[k].end()
    assert [bot.log.exists() for bot in bots] == [True, False, False, True, True, True]
    bots[0].end()


def test_the_logs_of_bots_take_only_so_much_room(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(process, "_LOGS_KEPT", (100, 1000))
    first = process._new_log("first")
    for k, size in enumerate((600, 300, 500)):  # the latest first: 600 and 300 fit, 500 more do not
        old = first.with_name(f"old{k}-1-{k}.log")
        old.write_bytes(bytes(size))
        os.utime(old, (1000 - k, 1000 - k))
    process._new_log("second")
    assert sorted(log.name[:4] for log in first.parent.glob("old*")) == ["old0", "old1"]


def test_an_answer_may_take_what_is_left_in_the_time_bank(tmp_path):
    folder = written(tmp_path / "here", "def deed(question): time.sleep(0.4)\n")
    limits = ("--rule", "max_turns=3", "--think-limit", "0.2", "--time-bank")
    assert played(folder, *limits, "60") == ""
    assert "took longer than 0.2 s, with nothing left in its time bank" in played(folder, *limits, "0.1")


def test_the_bot_to_start_from_plays_by_rules_of_editions_too(tmp_path):
    starter = Path(conformance.__file__).parent / "starters" / "bot.py"
    rules = [word for rule in ("pool=3", "peek=true", "own_cards=not_all") for word in ("--rule", rule)]
    assert played(tmp_path, *rules, line_up=("--players", f"exec:python {starter},easy,easy", "--map", "tiny")) == ""


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_a_program_has_no_network_where_bubblewrap_is_installed(tmp_path):
    text = "def deed(question):\n    print(os.listdir('/sys/class/net'), len(os.listdir('/proc')), file=sys.stderr)\n"
    folder = written(tmp_path / "here", text + "    socket.create_connection(('192.0.2.1', 9), timeout=9)\n")
    assert "Network is unreachable" in played(folder)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who works where")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_of_a_program_whatever_ends_the_batch(how, tmp_path):
    marked = "if os.fork() == 0:\n        os.setsid()\n        Path('begun').touch()\n        stay()"
    folder = written(tmp_path / "here", f"def deed(question):\n    {marked}\n    stay()\n")
    command = [sys.executable, "-c", START, "autoplay", *LINE_UP, "--think-limit", "600", "--workers", "1"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=folder, env=environment(folder), **quiet) as process:
        wait_until(lambda: (folder / "begun").exists())
        process.send_signal(how)
        process.wait(LONGEST_S)
    wait_until(lambda: not alive(folder))


def test_the_manifest_tells_the_command_the_version_and_a_hash_of_the_program(tmp_path):
    folder = written(tmp_path / "here", PLAYS_ON)
    assert BATCH.play(folder)[0] == 0
    told = json.loads((folder / "out" / "manifest.json").read_text())["players"]
    assert list(told) == [PLAYER]
    facts = told[PLAYER]
    assert facts["command"][1:] == ["bot.py"]
    assert (facts["name"], facts["version"]) == ("strange", "1")
    assert facts["sha256"]["bot.py"] == hashlib.sha256((folder / "bot.py").read_bytes()).hexdigest()
    (folder / "bot.py").write_text(HEAD + LOSES_ALL + TAIL, encoding="utf-8")
    code, _, err = cluedo(folder, *RUN, "--resume")
    assert code == 2
    assert "a file has changed since the games in out were begun" in err
