"""Bots from files in processes of their own: what no guard within a process can stop ends no batch and harms nobody."""

from __future__ import annotations

import os

import pytest
from helpers.cases import some
from helpers.hostile_bots import HEAD, LOSES_ALL, PLAYS_ON, End, Hostile, deed
from helpers.programs import alive, cluedo, rows

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="programs as players need a Unix"),
]

EXPERIMENT = """
name = "isolated"
maps = ["tiny"]
line_ups = [["bot.py:Bot", "easy", "easy"], ["medium", "easy", "random"]]
games = 6
chunk = 6
think_limit = 1.0
isolate = true
rules = {max_turns = 9}
"""

PEEK = """
from cluedo.ai.level_easy import EasyPlayer
from cluedo.engine.commands import Accusation
from cluedo.engine.game import Game

class Bot(EasyPlayer):
    def choose_accusation(self, view):
        frame = sys._getframe()
        while frame is not None:
            for value in frame.f_locals.values():
                if isinstance(value, Game):
                    return Accusation(*value.state.deal.envelope)
            frame = frame.f_back
        return super().choose_accusation(view)
"""

LATE = "took longer than 1 s"

ISOLATED = {
    "bare_except": Hostile(End.ABSENT, LATE, deed("stay()")),
    "loop_in_c": Hostile(End.ABSENT, LATE, deed("sum(range(10 ** 15))")),
    "blocked_signals": Hostile(
        End.ABSENT, LATE, deed("signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())", "stay()")
    ),
    "exit_0": Hostile(End.ABSENT, "ended (exit code 0)", deed("os._exit(0)")),
    "segfault": Hostile(End.ABSENT, "ended (SIGSEGV)", deed("import ctypes", "ctypes.string_at(0)")),
    "whole_group": Hostile(End.ABSENT, "ended (SIGKILL)", deed("os.killpg(0, signal.SIGKILL)")),
    "20_gigabytes": Hostile(End.ABSENT, "raised MemoryError", deed("bytearray(20 << 30)")),
    "written_channels": Hostile(
        End.ABSENT,
        "answered",
        deed("for fd in range(3, 64):", "    try: os.write(fd, b'noise\\n')", "    except OSError: pass"),
    ),
    "closed_files": Hostile(End.ABSENT, "", deed("os.closerange(0, 256)")),
    "raises": Hostile(End.ABSENT, "raised ValueError('no') (bot.py:", deed("raise ValueError('no')")),
    "system_exit": Hostile(End.ABSENT, "raised SystemExit(0)", deed("sys.exit(0)")),
    "import_that_hangs": Hostile(End.REFUSED, "did not answer the hello within", "stay()\n"),
    "import_that_exits": Hostile(End.REFUSED, "ended (exit code 5)", "os._exit(5)\n"),
    "no_such_class": Hostile(End.REFUSED, "no class is called 'Bot'", "del Bot\n"),
    "child_that_stays": Hostile(
        End.HARMLESS,
        "",
        deed("if os.fork() == 0:", "    os.setsid()", "    if os.fork() == 0: time.sleep(1e6)", "    os._exit(0)"),
    ),
    "written_output": Hostile(End.HARMLESS, "", deed("os.write(1, b'noise')", "print('noise' * 1000, flush=True)")),
    "no_environment": Hostile(End.HARMLESS, "", deed("os.environ.clear()")),
    "peeking": Hostile(End.HARMLESS, "", PEEK),
}


def written(folder, text):
    """A folder with a bot and an experiment that it plays in."""
    folder.mkdir()
    (folder / "bot.py").write_text(HEAD + text, encoding="utf-8")
    (folder / "experiment.toml").write_text(EXPERIMENT, encoding="utf-8")
    return folder


def play(folder, *more):
    return cluedo(folder, "experiment", "run", "experiment.toml", "--out", "out", "--workers", "1", *more)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The rows of an experiment with a bot that loses all, and with one that plays on."""
    found = {}
    for end, text in ((End.ABSENT, LOSES_ALL), (End.HARMLESS, PLAYS_ON)):
        folder = written(tmp_path_factory.mktemp("models") / end.name, text.removeprefix(HEAD))
        assert play(folder)[0] == 0
        found[end] = rows(folder / "out")
    return found


@pytest.mark.parametrize("name", some(ISOLATED, 4))
def test_an_isolated_bot_ends_no_batch_and_harms_nobody_else(name, tmp_path, models):
    end, told, text = ISOLATED[name]
    folder = written(tmp_path / "here", text)
    code, out, err = play(folder)
    assert alive(folder) == []
    if end is End.REFUSED:
        assert (code, out) == (2, "")
        assert "bot.py:Bot" in err
        assert told in err
        assert not (folder / "out").exists()
        return
    assert code == 0, err
    assert "12 games of 2 line-ups" in out
    faults = [line for line in err.splitlines() if line.startswith("cluedo: ")]
    if end is End.HARMLESS:
        assert faults == []
    else:
        assert len(faults) == 1, faults
        assert faults[0].startswith("cluedo: bot.py:Bot lost ")
        assert told in faults[0]
    assert rows(folder / "out") == models[end]


def test_what_an_isolated_bot_cannot_find_it_finds_in_the_process_of_the_game(tmp_path):
    """So that the bot of the test above is known to look in the right places."""
    folder = written(tmp_path / "here", PEEK)
    line_up = ["--players", "bot.py:Bot,easy,easy", "--map", "tiny", "--games", "6", "--workers", "1"]
    told = [cluedo(folder, "autoplay", *line_up, *more)[1] for more in ([], ["--isolate"])]
    won = [int(text.split("bot.py:Bot")[1].split()[1]) for text in told]
    assert won[0] > won[1]


def test_an_isolated_bot_plays_the_same_games_as_in_the_process(tmp_path):
    folder = written(tmp_path / "here", PLAYS_ON.removeprefix(HEAD))
    line_up = ["--players", "bot.py:Bot,hard,bot.py:Bot", "--map", "tiny", "--games", "6", "--workers", "1"]
    for out, more in (("here", []), ("there", ["--isolate"])):
        code, _, err = cluedo(folder, "autoplay", *line_up, "--out", out, *more)
        assert (code, err) == (0, "")
    games = [(folder / out / "games.jsonl").read_bytes() for out in ("here", "there")]
    assert games[0] == games[1]
