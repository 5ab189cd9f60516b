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
        (4, "a2de90c7f5bd5a4796a52716af6d347611513d537bfce11ea9448ee5f2b103c8"),
        (48, "bedf9f6c788f56b3442b082e36a6b82607f1a5871ca31bc2a6caff6d52d9f3d2"),
    ),
    "mixed": (
        "--players random,easy,medium,hard,expert,expert:reading=off --map classic --seed 7",
        (6, "9fcbdc3cfbba341939a75836b7ac9e49696e4b8eec28c1a090c6f8d73d59f2d2"),
        (48, "f88f569b541206e5472086156df6ba3c17287d4e8311d585c9f524083870e512"),
    ),
    "free": (
        "--players hard:own_cards=never,expert,expert --map master --rule movement=free --seed 11",
        (6, "1223731c84999f7bb33f04bb1dad26f8b4656e3cb221a5abfaf5ec9b3a9dd48e"),
        (48, "4baf04841eb0b8168e5d03026b5e4e48be45241a16b16785947056884461722a"),
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
