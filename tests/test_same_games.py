"""The same arguments give the same games, whatever is rebuilt inside: digests of records kept from earlier."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from helpers.cases import SHARE

OLD = "expert:version=1"
GAMES = {
    "random": (
        "--players random,random,random,random --games 500",
        "18daf1cd89df612c73b8c03008ee7f0fb1b6133da47df54494e74cdebb4b18ef",
        "aebf55bec83812df81b502638cf2f8037a6c38607859b493dae6e862e482486c",
    ),
    "easy": (
        "--players easy,easy,easy,easy --games 500",
        "a2a00bbbf9d112b85b7b1a1a3a5c36a3c965e510b1fd47d83f6a7aa383e3fd1e",
        "cb8aa8bbf1b21ac651a044a1529b0dc0aa031abefa50ca08bddcef966179e580",
    ),
    "medium": (
        "--players medium,medium,medium,medium --games 500",
        "384fc3aa9d255f2ecc1c345ba07ae715eacd7023b91dc050bafafd1b0168948c",
        "d99d13d59822bef1eb9724c9a0f42bdf8e52db51ce2b55bbdf8725424b8f72d9",
    ),
    "original": (
        "--players easy,easy,medium:original=true,medium:original=true --games 500",
        "d8d5443194fae7f1a38f43b54721187cdd9e9ae9343b5b05971375e0483680d6",
        "16f2a50fb74b2f6d45cb5ea208dfdf1276ba570c82ae7940c934bd2d1983f087",
    ),
    "hard": (
        "--players hard,hard,hard,hard --games 500",
        "dd1332b18f92b5ae9dfa54bbeee9ecce698ad1ffbb656869b4104e7ffc430ff1",
        "d51bc79052c2ea505d943d4c5102df5fde02216ae7b74b1f94ada8801d9c26bd",
    ),
    "expert": (
        f"--players {OLD},{OLD},{OLD},{OLD} --games 500",
        "5352fa055880701c5769df071b878ec9039e1981e6a0b201e340b898efdd1016",
        "80c887cfd20079bb5c5b411be211005554e4e3d08bd295e43bd8afab0a4b239f",
    ),
    "mixed": (
        f"--players random,easy,medium,hard,{OLD},{OLD}:reading=off --games 300 --map classic --seed 7",
        "0dad2b7cbc5b7cf2c50ff4e4da6804c5ab0b39ea0230d6c452c612fcdbb04cf1",
        "213a954f0953a209d639e86146edc90a969da4f636529c704affa50621e67f21",
    ),
    "free": (
        f"--players hard:own_cards=never,{OLD},{OLD} --games 300 --map master --rule movement=free --seed 11",
        "1bdcb22893a7087b6f796e8a0adb481d5c40782452cba6dde938aeba19ebd8bc",
        "3e05a4ab828542f662dd0d392a548cc366912ede9553ee687525a28ebf0da59c",
    ),
}
"""By name: what is asked of ``cluedo autoplay``, and the SHA-256 of the first 60 records and of all.

Version 1 of `expert` was `expert` when they were kept, and is called so in them.
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_games_it_always_gave(name, tmp_path, cluedo):
    arguments, first, whole = GAMES[name]
    if SHARE < 1:
        arguments, whole = re.sub(r"--games \d+", "--games 60", arguments), first
    code, _, err = cluedo("autoplay", *arguments.split(), "--out", str(tmp_path / "games"))
    assert code == 0, err
    records = (tmp_path / "games" / "games.jsonl").read_bytes().replace(b":version=1", b"")
    assert sha256(b"".join(records.splitlines(keepends=True)[:60])).hexdigest() == first
    assert sha256(records).hexdigest() == whole
