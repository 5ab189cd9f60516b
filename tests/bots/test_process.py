"""Who starts bots, beside other processes: none of the same user reads its memory, and forks leave its bots alone."""

from __future__ import annotations

import sys

import pytest
from helpers.programs import told_by_python

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this")

PAIR = """
import ctypes, os, sys
from cluedo.bots.process import close_memory

def read(pid):
    try:
        with open(f"/proc/{pid}/maps") as maps:
            heap = int(next(line for line in maps if "[heap]" in line).split("-")[0], 16)
        with open(f"/proc/{pid}/mem", "rb") as memory:
            memory.seek(heap)
            return 0 if memory.read(16) else 2
    except PermissionError:
        return 1

if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as a program is that was started by this user
if sys.argv[1] == "closed":
    close_memory()
reader = os.fork()
if reader == 0:
    os._exit(read(os.getppid()))
print(os.waitstatus_to_exitcode(os.waitpid(reader, 0)[1]))
"""


def reads(how: str) -> bool:
    """Whether another process of the user reads the memory of one, which is ``open`` or ``closed``."""
    told = told_by_python("-c", PAIR, how)
    assert told in ("0\n", "1\n")
    return told == "0\n"


def test_no_other_process_of_the_user_reads_the_memory_of_one_that_starts_bots():
    if not reads("open"):
        pytest.skip("the system lets no process read the memory of another")
    assert not reads("closed")


def test_who_starts_a_bot_has_closed_its_memory(tmp_path):
    start = "from cluedo.bots.process import LineProcess\nLineProcess(['true'], 'one').end()\n"
    told = "import ctypes\nprint(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"  # PR_GET_DUMPABLE
    assert told_by_python("-c", start + told, XDG_STATE_HOME=str(tmp_path)) == "0\n"


FORKED = """
import os, sys
from pathlib import Path
from cluedo import play
from cluedo.bots.process import BotProcess

bot = BotProcess(["sh", "-c", "pwd; sleep 100"], "networked", networked=True)
while not (told := bot.log.read_text().strip()):
    pass

def game():
    played = play("tiny", [sys.argv[1], "easy", "easy"], seed=1)
    return played.events, played.faults

first = game()
child = os.fork()
if child == 0:
    bot.end()
    sys.exit(game() != first)
assert os.waitpid(child, 0)[1] == 0
assert game() == first
assert Path(told).is_dir(), "the bot's folder"
bot.end()
assert not Path(told).exists()
"""


def test_a_fork_of_who_started_a_bot_starts_its_own_and_does_not_end_the_other(tmp_path):
    """Both would talk to one program, which multiprocessing lets happen on Linux before Python 3.14."""
    bot, starts = tmp_path / "bot.py", tmp_path / "starts"
    bot.write_text(
        "from cluedo.ai.level_easy import EasyPlayer\n"
        f"with open({str(starts)!r}, 'a') as file:\n    file.write('one ')\n\n"
        "class Bot(EasyPlayer):\n    pass\n"
    )
    told_by_python("-c", FORKED, f"{bot}:Bot", XDG_STATE_HOME=str(tmp_path))
    assert starts.read_text() == "one one "
