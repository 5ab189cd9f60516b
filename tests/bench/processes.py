"""What waits for whole processes: the first answers of an installation, with nothing compiled, and bots."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import monotonic, perf_counter, sleep

import httpx2
from bench.figures import ROOT, Line, clock_and_memory, cpu_seconds
from helpers.sites import Server
from helpers.web_tables import USUAL

from cluedo import Rules
from cluedo.experiments.plan.part import Conditions, Part
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

SOLVE = ("solve", str(ROOT / "examples" / "case.json"))
EXPERT = ("autoplay", "--players", "expert,medium,easy", "--map", "manoir", "--games", "1")
HINT = ("play", "--plain", "--map", "classic", "--players", "human,easy,medium,medium", "--seed", "1")
ANSWERS = "hint\nquit\n"

THINKS_S = 0.01
BOT = f"""
import time
from cluedo.ai.level_medium import MediumPlayer

class Bot(MediumPlayer):
    pass

for name in ("choose_move", "choose_hypothesis", "choose_card", "choose_accusation"):
    def choose(self, view, chosen=getattr(MediumPlayer, name)):
        time.sleep({THINKS_S})
        return chosen(self, view)
    setattr(Bot, name, choose)
"""


def lines() -> Iterator[Line]:
    """The lines of the table."""
    commands = (
        ("`cluedo solve`", SOLVE, "≤ 8"),
        ("the first hint of a game", HINT, "≤ 8"),
        ("a game with `expert`", EXPERT, "≤ 15"),
    )
    for what, command, aim in commands:
        yield Line(f"{what}, nothing compiled yet", "s", partial(_ready, _cold, command), 3, aim)
    yield Line("the first hint of a page, nothing compiled yet", "s by the clock", lambda: _page_hint, 1, "≤ 10")
    for what, command, _ in commands:
        yield Line(f"{what}, from its start to its end", "s", partial(_ready, _warm, command), 2)
    yield Line("`cluedo --help`", "s", partial(_ready, _warm, ("--help",)), aim="≤ 0.3")
    for what, command, _ in (commands[0], commands[2]):
        yield Line(f"memory of {what}", "MB", partial(_ready, _memory, command), 1)
    yield Line("a bot that thinks for 10 ms: in its own process, over `--trusted`", "×", _bot, 2, "≤ 1.1")


def _ready(measured: Callable[[tuple[str, ...]], float], command: tuple[str, ...]) -> Callable[[], float]:
    return partial(measured, command)


def _cold(command: tuple[str, ...]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return cpu_seconds(*command, env={"NUMBA_CACHE_DIR": folder}, said=ANSWERS if command is HINT else "")


def _warm(command: tuple[str, ...]) -> float:
    return cpu_seconds(*command, said=ANSWERS if command is HINT else "")


def _memory(command: tuple[str, ...]) -> float:
    return clock_and_memory(*command, pause=0.01)[1]


def _page_hint() -> float:
    """From the start of a server to the first hint at one of its tables."""
    with tempfile.TemporaryDirectory() as folder:
        began = monotonic()
        server = Server(Path(folder), env=os.environ | {"NUMBA_CACHE_DIR": folder})
        try:
            with httpx2.Client(
                base_url=server.url, timeout=300, headers={"Origin": server.url.rstrip("/")}, trust_env=False
            ) as visitor:
                found = re.search(r'<meta name="token" content="(\w+)">', visitor.get("/").text)
                assert found
                token = {"token": found[1]}
                table = visitor.post("/play", data={**token, **USUAL, "seat-1": "easy", "seat-2": "easy"})
                path = table.headers["location"]
                visitor.post(f"{path}/start", data=token)
                while (
                    status := visitor.get(f"{path}/hint", headers={"Accept": "application/json"}).status_code
                ) != 200:
                    assert status == 503
                    sleep(0.2)
                return monotonic() - began
        finally:
            server.end()


def _bot() -> Callable[[], float]:
    """The same games of `tiny`, by the same class, in this process and in one of its own."""
    folder = tempfile.TemporaryDirectory()
    file = Path(folder.name, "bot.py")
    file.write_text(BOT, encoding="utf-8")
    part = Part("tiny", Rules(), (f"{file}:Bot", "easy", "easy"), 10)
    runners = [GameRunner(part, Conditions(trusted=trusted)) for trusted in (True, False)]
    runners[1].players[0].prepare()

    def both(folder: tempfile.TemporaryDirectory[str] = folder) -> float:
        seconds = []
        for runner in runners:
            began = perf_counter()
            runner.play(range(8), Interrupt.never())
            seconds.append(perf_counter() - began)
        return seconds[1] / seconds[0]

    return both
