"""The same arguments give the same games, whatever is rebuilt inside: digests of records kept from earlier."""

from __future__ import annotations

from hashlib import sha256

import pytest
from helpers.cases import SHARE
from helpers.command_line import run

GAMES = {
    "random": ("random,random,random,random", (60, "18daf1cd89df612c"), (500, "aebf55bec83812df")),
    "easy": ("easy,easy,easy,easy", (60, "a2a00bbbf9d112b8"), (500, "cb8aa8bbf1b21ac6")),
    "medium": ("medium,medium,medium,medium", (60, "384fc3aa9d255f2e"), (500, "d99d13d59822bef1")),
    "old": ("easy,easy,medium:original=true,medium:original=true", (60, "d8d5443194fae7f1"), (500, "16f2a50fb74b2f6d")),
    "hard": ("hard,hard,hard,hard", (60, "dd1332b18f92b5ae"), (500, "d51bc79052c2ea50")),
    "expert": ("expert,expert,expert,expert", (4, "1454be9d227c5865"), (48, "134c2bf62dd3f79f")),
    "mixed": (
        "random,easy,medium,hard,expert,expert:reading=off --map classic --seed 7",
        (6, "985c8eea8ff9816c"),
        (48, "7ee36cbc72dd0387"),
    ),
    "free": (
        "hard:own_cards=never,expert,expert --map master --rule movement=free --seed 11",
        (6, "aa5d7dbd11fc3bdd"),
        (48, "ee796d79708d10bc"),
    ),
}
"""By name: who plays, and what else ``cluedo autoplay`` is asked; how many games, few and many, each with the beginning
of the SHA-256 of their records."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_games_it_always_gave(name, tmp_path):
    arguments, few, many = GAMES[name]
    games, digest = few if SHARE < 1 else many
    run("autoplay", *f"--players {arguments}".split(), "--games", games, "--out", tmp_path / "games")
    assert sha256((tmp_path / "games" / "games.jsonl").read_bytes()).hexdigest().startswith(digest)
