"""Bots from files in processes of their own: what no guard within a process can stop ends no batch and harms nobody."""

from __future__ import annotations

import os

import pytest
from helpers.batches import BadBot, Batch, End
from helpers.cases import some
from helpers.hostile_bots import HEAD, LOSES_ALL, PLAYS_ON, deed
from helpers.programs import alive, cluedo

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="programs as players need a Unix"),
]

BATCH = Batch("bot.py:Bot", "chunk = 6\nthink_limit = 1.0\nisolate = true\n")

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
    "bare_except": BadBot(End.ABSENT, LATE, deed("stay()")),
    "loop_in_c": BadBot(End.ABSENT, LATE, deed("sum(range(10 ** 15))")),
    "blocked_signals": BadBot(
        End.ABSENT, LATE, deed("signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())", "stay()")
    ),
    "exit_0": BadBot(End.ABSENT, "ended (exit code 0)", deed("os._exit(0)")),
    "segfault": BadBot(End.ABSENT, "ended (SIGSEGV)", deed("import ctypes", "ctypes.string_at(0)")),
    "whole_group": BadBot(End.ABSENT, "ended (SIGKILL)", deed("os.killpg(0, signal.SIGKILL)")),
    "20_gigabytes": BadBot(End.ABSENT, "raised MemoryError", deed("bytearray(20 << 30)")),
    "written_channels": BadBot(
        End.ABSENT,
        "answered",
        deed("for fd in range(3, 64):", "    try: os.write(fd, b'noise\\n')", "    except OSError: pass"),
    ),
    "closed_files": BadBot(End.ABSENT, "", deed("os.closerange(0, 256)")),
    "raises": BadBot(End.ABSENT, "raised ValueError('no') (bot.py:", deed("raise ValueError('no')")),
    "system_exit": BadBot(End.ABSENT, "raised SystemExit(0)", deed("sys.exit(0)")),
    "import_that_hangs": BadBot(End.REFUSED, "did not answer the hello within", "stay()\n"),
    "import_that_exits": BadBot(End.REFUSED, "ended (exit code 5)", "os._exit(5)\n"),
    "no_such_class": BadBot(End.REFUSED, "no class is called 'Bot'", "del Bot\n"),
    "child_that_stays": BadBot(
        End.HARMLESS,
        "",
        deed("if os.fork() == 0:", "    os.setsid()", "    if os.fork() == 0: time.sleep(1e6)", "    os._exit(0)"),
    ),
    "written_output": BadBot(End.HARMLESS, "", deed("os.write(1, b'noise')", "print('noise' * 1000, flush=True)")),
    "no_environment": BadBot(End.HARMLESS, "", deed("os.environ.clear()")),
    "peeking": BadBot(End.HARMLESS, "", PEEK),
}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return BATCH.models(tmp_path_factory.mktemp("models"), LOSES_ALL, PLAYS_ON)


@pytest.mark.parametrize("name", some(ISOLATED, 4))
def test_an_isolated_bot_ends_no_batch_and_harms_nobody_else(name, tmp_path, models):
    bot = ISOLATED[name]
    folder = BATCH.written(tmp_path / "here", HEAD + bot.text)
    BATCH.check(folder, bot, models)
    assert alive(folder) == []


def test_what_an_isolated_bot_cannot_find_it_finds_in_the_process_of_the_game(tmp_path):
    """So that the bot of the test above is known to look in the right places."""
    folder = BATCH.written(tmp_path / "here", HEAD + PEEK)
    line_up = ["--players", "bot.py:Bot,easy,easy", "--map", "tiny", "--games", "6", "--workers", "1"]
    told = [cluedo(folder, "autoplay", *line_up, *more)[1] for more in ([], ["--isolate"])]
    won = [int(text.split("bot.py:Bot")[1].split()[1]) for text in told]
    assert won[0] > won[1]


def test_an_isolated_bot_plays_the_same_games_as_in_the_process(tmp_path):
    folder = BATCH.written(tmp_path / "here", PLAYS_ON)
    line_up = ["--players", "bot.py:Bot,hard,bot.py:Bot", "--map", "tiny", "--games", "6", "--workers", "1"]
    for out, more in (("here", []), ("there", ["--isolate"])):
        code, _, err = cluedo(folder, "autoplay", *line_up, "--out", out, *more)
        assert (code, err) == (0, "")
    games = [(folder / out / "games.jsonl").read_bytes() for out in ("here", "there")]
    assert games[0] == games[1]
