"""The same arguments give the same games, whatever is rebuilt inside: digests of records kept from earlier."""

from __future__ import annotations

from hashlib import sha256

import pytest
from helpers.cases import SHARE

GAMES = {
    "random": (
        "--players random,random,random,random",
        (60, "18daf1cd89df612c73b8c03008ee7f0fb1b6133da47df54494e74cdebb4b18ef"),
        (500, "aebf55bec83812df81b502638cf2f8037a6c38607859b493dae6e862e482486c"),
    ),
    "easy": (
        "--players easy,easy,easy,easy",
        (60, "a2a00bbbf9d112b85b7b1a1a3a5c36a3c965e510b1fd47d83f6a7aa383e3fd1e"),
        (500, "cb8aa8bbf1b21ac651a044a1529b0dc0aa031abefa50ca08bddcef966179e580"),
    ),
    "medium": (
        "--players medium,medium,medium,medium",
        (60, "384fc3aa9d255f2ecc1c345ba07ae715eacd7023b91dc050bafafd1b0168948c"),
        (500, "d99d13d59822bef1eb9724c9a0f42bdf8e52db51ce2b55bbdf8725424b8f72d9"),
    ),
    "original": (
        "--players easy,easy,medium:original=true,medium:original=true",
        (60, "d8d5443194fae7f1a38f43b54721187cdd9e9ae9343b5b05971375e0483680d6"),
        (500, "16f2a50fb74b2f6d45cb5ea208dfdf1276ba570c82ae7940c934bd2d1983f087"),
    ),
    "hard": (
        "--players hard,hard,hard,hard",
        (60, "dd1332b18f92b5ae9dfa54bbeee9ecce698ad1ffbb656869b4104e7ffc430ff1"),
        (500, "d51bc79052c2ea505d943d4c5102df5fde02216ae7b74b1f94ada8801d9c26bd"),
    ),
    "expert": (
        "--players expert,expert,expert,expert",
        (4, "1454be9d227c586568ee2e1d6fb03acc799f914ab6cc2d676eb7a1c05a6e821e"),
        (48, "134c2bf62dd3f79f1d1e5a9bdbbcb91de099ad79e3a9046a074535a7db4bc744"),
    ),
    "mixed": (
        "--players random,easy,medium,hard,expert,expert:reading=off --map classic --seed 7",
        (6, "985c8eea8ff9816cc7c8bece5631c679a9694e5a9c62739044a1d0905b8d67e1"),
        (48, "7ee36cbc72dd038727641adc34880bff1a9217e008bf9b4de5c7796531443e3e"),
    ),
    "free": (
        "--players hard:own_cards=never,expert,expert --map master --rule movement=free --seed 11",
        (6, "aa5d7dbd11fc3bdd373f14f48c0bb53a777f035fc07d8b65da4123b0f5238917"),
        (48, "ee796d79708d10bcaa25372ecd3162764a0b67f480e5ccfe26eec42bb1ed1985"),
    ),
}
"""By name: what is asked of ``cluedo autoplay``; how many games, and the SHA-256 of their records, few and many."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_games_it_always_gave(name, tmp_path, cluedo):
    arguments, few, many = GAMES[name]
    games, digest = few if SHARE < 1 else many
    code, _, err = cluedo("autoplay", *arguments.split(), "--games", str(games), "--out", str(tmp_path / "games"))
    assert code == 0, err
    assert sha256((tmp_path / "games" / "games.jsonl").read_bytes()).hexdigest() == digest
