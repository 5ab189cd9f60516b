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
        (4, "8e09984170310f3f11ded5fd9da7caa966d8756edaa8dbdfebcd17f0917d5c39"),
        (48, "9e14a2f3fe3947fc541b7a1b9360fe83a405c56eecd6b28ca48955010845773a"),
    ),
    "mixed": (
        "--players random,easy,medium,hard,expert,expert:reading=off --map classic --seed 7",
        (6, "8a60d8cd21b80858ea48b805b121adfd7f0d3389096834a3a05b08cf1956e614"),
        (48, "3daed6c94a5b690be2eb8710de28f3f0394052a27a101b7ce06d7314ad9bda2f"),
    ),
    "free": (
        "--players hard:own_cards=never,expert,expert --map master --rule movement=free --seed 11",
        (6, "75422909d820ed0762f452fcbd59ebd71d30ca7b4e4dcadd60619c5bbefdbfb3"),
        (48, "e01dbf6b76c75d05bf88815c2b8e80ae73d6e05a9250e854256cabc6f39fee6f"),
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
