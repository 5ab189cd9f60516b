"""Bots that mean harm, and what has to come of a batch in which they play.

Each is a class of a file of its own, made from :data:`HEAD` and its own text. It does its deed whenever it is asked
for anything, unless its text does something else.
"""

from __future__ import annotations

from typing import Final

from helpers.batches import BadBot, End, never_answers

HEAD: Final = '''
import os, signal, sys, threading, time
from pathlib import Path
from cluedo.ai.level_easy import EasyPlayer

class Bot(EasyPlayer):
    def deed(self):
        pass
    def choose_move(self, view):
        self.deed()
        return super().choose_move(view)
    def choose_hypothesis(self, view):
        self.deed()
        return super().choose_hypothesis(view)
    def choose_card(self, view):
        self.deed()
        return super().choose_card(view)
    def choose_accusation(self, view):
        self.deed()
        return super().choose_accusation(view)

def stay():
    """Wait for ever, whatever is raised in here."""
    while True:
        try:
            threading.Event().wait()
        except:
            pass

def once(name):
    """Whether this is called for the first time in any process."""
    try:
        Path(__file__).with_name(name + ".state").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
'''
BELOW: Final = HEAD.count("\n") + 1
"""The number of the line after it."""

LOSES_ALL: Final = (
    HEAD
    + """
class Bot(Bot):
    def deed(self):
        raise ValueError("not a single choice")
"""
)
"""A bot that loses every choice and harms nobody: whoever is absent plays like this."""

PLAYS_ON: Final = HEAD
"""A bot that plays as easy does."""


def deed(*lines: str) -> str:
    """The text of a bot that does this whenever it is asked."""
    return "class Bot(Bot):\n    def deed(self):\n" + "".join(f"        {line}\n" for line in lines)


PEEK: Final = """
from cluedo.engine.commands import Accusation
from cluedo.engine.game import Game

class Bot(Bot):
    def choose_accusation(self, view):
        frame = sys._getframe()
        while frame is not None:
            for value in frame.f_locals.values():
                if isinstance(value, Game):
                    return Accusation(*value.state.deal.envelope)
            frame = frame.f_back
        return super().choose_accusation(view)
"""
"""A bot that looks for the game, and in it for the envelope, wherever it was called from."""

HOSTILE: Final[dict[str, BadBot]] = {
    # ---- whoever never answers -----------------------------------------------------------------
    "bare_except": never_answers(deed("while True:", " try:", "  while True: pass", " except: pass")),
    "loop_in_c": never_answers(deed("sum(range(10 ** 15))")),
    "blocked_signals": never_answers(
        deed("signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())", "while True: pass")
    ),
    "patched_time": never_answers("time.perf_counter = time.monotonic = time.time = lambda: 0.0\n" + deed("stay()")),
    "patched_random": never_answers(
        "import random\n"
        + deed(
            "for name in dir(random.Random):",
            "    if name[:2] != '__': setattr(random.Random, name, lambda *about: stay())",
        ),
        end=End.FAULTY,
    ),
    "constructor_that_hangs_later": never_answers(
        "class Bot(Bot):\n    made = []\n    def __init__(self):\n"
        "        self.made.append(1)\n        if len(self.made) > 1: stay()\n"
    ),
    "prepare_that_hangs": never_answers(
        "class Bot(Bot):\n    @classmethod\n    def prepare(cls): stay()\n",
        "could not be loaded within 30 s",
        End.REFUSED,
    ),
    "import_that_hangs": never_answers("stay()\n", "could not be loaded within 30 s", End.REFUSED),
    "import_that_hangs_later": never_answers("if not once('import'): stay()\n" + deed("os._exit(0)"), "ended (exit"),
    # ---- whoever ends the process --------------------------------------------------------------
    "exit_0": BadBot(End.ABSENT, "ended (exit code 0)", deed("os._exit(0)")),
    "import_that_exits": BadBot(End.REFUSED, "ended (exit code 5)", "os._exit(5)\n"),
    "segfault": BadBot(End.ABSENT, "ended (SIGSEGV)", deed("import ctypes", "ctypes.string_at(0)")),
    "whole_group": BadBot(End.ABSENT, "ended (SIGKILL)", deed("os.killpg(0, signal.SIGKILL)")),
    "stack_overflow": BadBot(
        End.ABSENT, "ended (", deed("deep = ()", "for _ in range(300_000): deep = (deep,)", "hash(deep)")
    ),
    "exit_from_a_thread": BadBot(End.FAULTY, "ended (", deed("threading.Timer(0.001, os._exit, [7]).start()")),
    "closed_files": BadBot(End.ABSENT, "ended (", deed("os.closerange(3, 256)")),
    # ---- whoever raises ------------------------------------------------------------------------
    "keyboard_interrupt": BadBot(End.ABSENT, "raised KeyboardInterrupt()", deed("raise KeyboardInterrupt")),
    "unspeakable": BadBot(
        End.ABSENT,
        "raised a Unspeakable that cannot be printed",
        "class Unspeakable(Exception):\n"
        "    def __str__(self): raise self\n"
        "    def __repr__(self): raise KeyboardInterrupt\n" + deed("raise Unspeakable"),
    ),
    "as_if_leaving": BadBot(
        End.ABSENT, "raised Left('bye')", deed("import cluedo.cli.terminal as at", "raise at.Left('bye')")
    ),
    "constructor_that_raises": BadBot(
        End.REFUSED,
        f"the player cannot be made, line {BELOW + 1}: KeyboardInterrupt",
        "class Bot(Bot):\n    def __init__(self): raise KeyboardInterrupt\n",
    ),
    "constructor_that_raises_later": BadBot(
        End.ABSENT,
        "the player cannot be made: GeneratorExit",
        "class Bot(Bot):\n    made = []\n"
        "    def __init__(self):\n        self.made.append(1)\n        if len(self.made) > 1: raise GeneratorExit\n",
    ),
    "prepare_that_raises": BadBot(
        End.REFUSED,
        f"cannot prepare, line {BELOW + 2}: KeyboardInterrupt",
        "class Bot(Bot):\n    @classmethod\n    def prepare(cls): raise KeyboardInterrupt\n",
    ),
    "import_that_raises": BadBot(End.REFUSED, "SystemExit: 0", "sys.exit(0)\n"),
    "no_such_class": BadBot(End.REFUSED, "no subclass of cluedo.ai.player.Player is called 'Bot'", "del Bot\n"),
    "raises": BadBot(End.ABSENT, "raised ValueError('no') (bot.py:", deed("raise ValueError('no')")),
    "check_that_refuses": BadBot(
        End.ABSENT,
        f"cannot play, line {BELOW + 3}: never",
        "from cluedo import CluedoError\nclass Bot(Bot):\n    @classmethod\n"
        "    def check(cls, *about): raise CluedoError('never')\n",
    ),
    "check_that_raises": BadBot(
        End.ABSENT,
        f"cannot play, line {BELOW + 2}: never",
        "class Bot(Bot):\n    @classmethod\n    def check(cls, *about): raise ValueError('never')\n",
    ),
    "20_gigabytes": BadBot(End.ABSENT, "raised MemoryError", deed("bytearray(20 << 30)")),
    # ---- whoever plays on, and disturbs the others ---------------------------------------------
    "another_folder": BadBot(End.HARMLESS, "", "os.chdir('/')\n" + deed("os.chdir('/')")),
    "fork": BadBot(End.HARMLESS, "", deed("os.fork()")),
    "child_that_stays": BadBot(End.HARMLESS, "", deed("if once('fork') and os.fork() == 0: stay()")),
    "written_output": BadBot(End.HARMLESS, "", deed("os.write(1, b'noise')", "print('noise', flush=True)")),
    "notice_that_raises": BadBot(
        End.FAULTY, "raised KeyError", "class Bot(Bot):\n    def notice(self, event): raise KeyError('notice')\n"
    ),
    "begin_that_raises": BadBot(
        End.FAULTY, "raised KeyError", "class Bot(Bot):\n    def begin(self, *about): raise KeyError('begin')\n"
    ),
    "over_that_hangs": never_answers("class Bot(Bot):\n    def over(self, view): stay()\n", end=End.FAULTY),
    "over_that_raises": BadBot(
        End.FAULTY, "raised SystemExit()", "class Bot(Bot):\n    def over(self, view): raise SystemExit\n"
    ),
    "peeking": BadBot(End.HARMLESS, "", PEEK),
    "written_channels": BadBot(
        End.ABSENT,
        "answered",
        deed("for fd in range(3, 64):", "    try: os.write(fd, b'noise\\n')", "    except OSError: pass"),
    ),
    "no_output": BadBot(End.HARMLESS, "", deed("sys.stdout = sys.stderr = None")),
    "thread_that_stays": BadBot(End.HARMLESS, "", deed("threading.Thread(target=time.sleep, args=[1e6]).start()")),
    "exit_handler": BadBot(End.HARMLESS, "", "import atexit\natexit.register(stay)\n"),
    "shallow": BadBot(End.HARMLESS, "", deed("sys.setrecursionlimit(60)")),
}
