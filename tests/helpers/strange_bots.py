"""Programs that play and mean harm, and what has to come of a batch in which they do.

Each is a script made from :data:`HEAD`, its own text and :data:`TAIL`. It takes the first thing allowed, and does its
deed whenever it is asked, unless its text does something else.
"""

from __future__ import annotations

from typing import Final

from helpers.batches import BadBot, End, never_answers

HEAD: Final = """
import json, os, signal, socket, subprocess, sys, time
from pathlib import Path

def say(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

def hello():
    say({"type": "hello", "protocol": 1, "name": "strange", "version": "1"})

def deed(question):
    pass

def begin(game):
    pass

def choice(question):
    allowed = question["allowed"]
    if question["ask"] == "card":
        return {"type": "show", "card": allowed["show"][0]}
    if question["ask"] in ("move", "walk"):
        return {"type": "move", "to": allowed["move"][0]} if allowed["move"] else {"type": "stay"}
    return None

def answer(question):
    say({"id": question["id"], "answer": choice(question)})

def stay():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""

TAIL: Final = """
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        hello()
    elif message["type"] == "game":
        begin(message)
    elif message["type"] == "question":
        deed(message)
        answer(message)
"""

LOSES_ALL: Final = 'def answer(question): say({"id": question["id"], "error": "not a single choice"})\n'
"""One that loses every choice and harms nobody: whoever is absent plays like this."""

PLAYS_ON: Final = ""
"""One that plays as it can."""


def deed(*lines: str) -> str:
    """The text of a bot that does this whenever it is asked."""
    return "def deed(question):\n" + "".join(f"    {line}\n" for line in lines)


STRANGE: Final[dict[str, BadBot]] = {
    # ---- whoever never answers -----------------------------------------------------------------
    "endless_loop": never_answers(deed("stay()")),
    "stopped": never_answers(deed("os.kill(os.getpid(), signal.SIGSTOP)")),
    "asleep_at_the_deal": never_answers("def begin(game): time.sleep(1e6)\n"),
    "half_a_line": never_answers('def answer(question): print("{", end="", flush=True); time.sleep(1e6)\n'),
    "no_hello": never_answers("def hello(): time.sleep(1e6)\n", "did not answer the hello within", End.REFUSED),
    # ---- whoever ends --------------------------------------------------------------------------
    "exit_0": BadBot(End.ABSENT, "ended (exit code 0)", deed("os._exit(0)")),
    "raises": BadBot(End.ABSENT, "ended (exit code 1): KeyError: 'hand'", deed("question['hand']")),
    "exit_at_once": BadBot(End.REFUSED, "ended (exit code 3)", "sys.exit(3)\n"),
    "closed_output": BadBot(End.ABSENT, "", deed("os.close(1)", "time.sleep(1e6)")),
    "fills_the_disk": BadBot(End.ABSENT, "ended (", deed("while True: os.write(2, b'noise\\n' * 100_000)")),
    # ---- whoever talks nonsense ----------------------------------------------------------------
    "nonsense": BadBot(End.ABSENT, "answered hello there", 'def answer(question): print("hello there", flush=True)\n'),
    "flood": BadBot(End.ABSENT, "wrote a line of more than", deed("while True: os.write(1, b'x' * 65536)")),
    "flood_of_lines": BadBot(End.ABSENT, "answered", deed("while True: os.write(1, b'x\\n' * 30_000)")),
    # ---- whoever plays on, and disturbs ----------------------------------------------------------
    "noise": BadBot(End.HARMLESS, "", deed("os.write(2, b'noise\\n' * 1000)")),
}
