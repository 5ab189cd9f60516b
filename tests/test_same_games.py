"""The same arguments give the same games, whatever is rebuilt inside: digests of records kept from earlier."""

from __future__ import annotations

from hashlib import sha256

import pytest

GAMES = {
    "random": (
        "--players random,random,random,random --games 500",
        "aebf55bec83812df81b502638cf2f8037a6c38607859b493dae6e862e482486c",
    ),
    "easy": (
        "--players easy,easy,easy,easy --games 500",
        "cb8aa8bbf1b21ac651a044a1529b0dc0aa031abefa50ca08bddcef966179e580",
    ),
    "medium": (
        "--players medium,medium,medium,medium --games 500",
        "d99d13d59822bef1eb9724c9a0f42bdf8e52db51ce2b55bbdf8725424b8f72d9",
    ),
    "original": (
        "--players easy,easy,medium:original=true,medium:original=true --games 500",
        "16f2a50fb74b2f6d45cb5ea208dfdf1276ba570c82ae7940c934bd2d1983f087",
    ),
    "hard": (
        "--players hard,hard,hard,hard --games 500",
        "d51bc79052c2ea505d943d4c5102df5fde02216ae7b74b1f94ada8801d9c26bd",
    ),
    "expert": (
        "--players expert,expert,expert,expert --games 500",
        "80c887cfd20079bb5c5b411be211005554e4e3d08bd295e43bd8afab0a4b239f",
    ),
    "mixed": (
        "--players random,easy,medium,hard,expert,expert:reading=off --games 300 --map classic --seed 7",
        "213a954f0953a209d639e86146edc90a969da4f636529c704affa50621e67f21",
    ),
    "free": (
        "--players hard:own_cards=never,expert,expert --games 300 --map master --rule movement=free --seed 11",
        "3e05a4ab828542f662dd0d392a548cc366912ede9553ee687525a28ebf0da59c",
    ),
}
"""By name: what is asked of ``cluedo autoplay``, and the SHA-256 of the records that it writes."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_games_it_always_gave(name, tmp_path, cluedo):
    arguments, digest = GAMES[name]
    code, _, err = cluedo("autoplay", *arguments.split(), "--out", str(tmp_path / "games"))
    assert code == 0, err
    assert sha256((tmp_path / "games" / "games.jsonl").read_bytes()).hexdigest() == digest
