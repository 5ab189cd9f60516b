"""One right file of every format, small, as the program itself writes them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

KINDS: dict[str, tuple[str, ...]] = {
    "map": ("house.json", "deck.json"),
    "record": ("game.json", "games.jsonl", "saved.json"),
    "saved": ("saved.json",),
    "case": ("case.json", "spectator.json"),
    "experiment": ("experiment.toml", "round.toml"),
    "results": ("results", "contest"),
    "bot": ("bot.py",),
    "answers": ("answers.jsonl",),
    "key": ("key.jsonl",),
    "names": ("names.csv",),
    "grid": ("grid.txt",),
    "foreign": ("letter.txt", "photos"),
}
"""By what a file is for, the names of those that are right; ``foreign`` are a user's own."""

_EXPERIMENT = """
name = "fuzz"
maps = ["tiny"]
line_ups = [["easy", "random", "easy", "random"]]
games = 8
seed = 3
record = "full"
think_limit = 5.0
chunk = 4

[rules]
dice = 2
max_turns = 40

[stop.sprt]
a = "easy"
b = "random"
elo0 = 0
elo1 = 200
alpha = 0.05
beta = 0.05
"""
_ROUND = """
name = "round"
maps = ["tiny", "house.json"]
games = 3
seed = 1
record = "results"

[round_robin]
levels = ["random", "easy"]
seats = [3]
"""
_NAMES = """
kind,name,aliases,colour,symbol
suspect,Amber,Miss Amber|Ms Amber,#d4871c
suspect,Basil
suspect,Coral
weapon,Ladle
weapon,Poker
weapon,Shears
room,Attic,Loft,,A
room,Bath
room,Cellar
room,Den
""".lstrip()

_GRID = """
AAAA.1.BBBB
AAAA...BBBB
AAAAa..BBBB
2.a....b.3.
CCCCc.dDDDD
CCCC...DDDD
CCCC...DDDD
""".lstrip()

_EDITION = """
title = "Ours"
map = "house.json"
players = [2, 4]

[rules]
leftover = "open"
wrong_shows_hand = true
max_turns = 50
"""

_BOT = """
from cluedo import ShowCard, Stay
from cluedo.ai.player import Player
from cluedo.engine.cards import bits

class Bot(Player):
    def choose_move(self, view):
        return Stay()

    def choose_hypothesis(self, view):
        return None

    def choose_card(self, view):
        return ShowCard(bits(ShowCard.choices(view))[0])

    def choose_accusation(self, view):
        return None
"""


def make_samples(folder: Path, cluedo: Callable[..., str]) -> None:
    """Fill a folder.

    Args:
        folder: a new folder.
        cluedo: runs a command in it, with what is typed as ``typed``, and gives what it prints.
    """
    maps = files("cluedo.maps")
    shutil.copy(str(maps / "tiny.json"), folder / "house.json")
    shutil.copy(str(maps / "master.json"), folder / "deck.json")
    written = {"experiment.toml": _EXPERIMENT, "round.toml": _ROUND, "bot.py": _BOT}
    written |= {"names.csv": _NAMES, "grid.txt": _GRID, "own.toml": _EDITION}
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    for ending in ("txt", "png", "html", "gif", "csv"):
        (folder / f"letter.{ending}").write_text("Dear Ann,\n", encoding="utf-8")
    (folder / "photos" / "chunks").mkdir(parents=True)
    for name in ("lock", "summary.json", "chunks/one.parquet", "manifest.json"):
        (folder / "photos" / name).write_text("mine", encoding="utf-8")
    cluedo("experiment", "run", "experiment.toml", "--out", "results", "--workers", "1")
    (folder / "results" / "chunks" / "SHA256SUMS").unlink()  # or no damaged chunk would come to who reads its columns
    contest = ["--map", "tiny", "--players", "easy,random,medium", "--games", "3", "--out", "contest"]
    cluedo("autoplay", *contest, "--workers", "1")
    shutil.copy(folder / "contest" / "games.jsonl", folder / "games.jsonl")
    line = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()[0]
    (folder / "game.json").write_text(line, encoding="utf-8")
    suspect = json.loads(line)["players"][1]["suspect"]
    for name, options in (("case.json", ["--as", suspect]), ("spectator.json", [])):
        (folder / name).write_text(cluedo("replay", "game.json", "--log", *options), encoding="utf-8")
    saved = ["--plain", "--map", "tiny", "--players", "human:Ann,easy,random", "--seed", "4", "--record", "saved.json"]
    cluedo("play", *saved, typed="1\n" * 8)
    cluedo("positions", "--map", "tiny", "--players", "easy,easy,easy", "--count", "3", "--key", "key.jsonl")
    exact = [json.loads(line) for line in (folder / "key.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = [
        {
            "id": one["id"],
            "proved": [finding[:3] for finding in one["proved"]],
            "envelope": {card: row["envelope"] for card, row in one["cards"].items()},
            "question": one["best"]["cards"],
        }
        for one in exact
    ]
    (folder / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers), encoding="utf-8")
    cluedo("solve", "case.json", "--model", "kinds")  # compiles what is not compiled yet
