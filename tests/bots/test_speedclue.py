"""Programs of the Speed Clue contest play at our table; the program here is written from the protocol's text alone."""

from __future__ import annotations

import json
import os
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers.cases import some
from helpers.programs import alive, cluedo

from cluedo.ai.level_random import RandomPlayer
from cluedo.ai.levels import parse_player
from cluedo.bots import speedclue
from cluedo.bots.contest import _hand_sizes, serve_contest
from cluedo.bots.process import TooLate

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="programs as players need a Unix")

BOT = """
import os, random, socket, sys
ident, port = sys.argv[1:3]
log = open(os.path.splitext(sys.argv[0])[0] + f"-{port}.log", "w")
kinds = ["Gr Mu Pe Pl Sc Wh".split(), "Ca Kn Pi Re Ro Wr".split(), "Ba Bi Co Di Ha Ki Li Lo St".split()]
print("started")
channel = socket.create_connection(("127.0.0.1", int(port)))
channel.sendall(f"{ident} alive".encode())
while True:
    heard = channel.recv(600).decode()
    if not heard:
        break
    word, *rest = heard.strip("\\0").split()
    answer = "ok"
    if word == "reset":
        me, hand, asked = rest[1], {card.capitalize() for card in rest[2:]}, set()
        seen = set(hand)
    elif word == "suggest":
        three = [[card for card in kind if card not in seen] or kind for kind in kinds]
        while (mine := tuple(random.choice(cards) for cards in three)) in asked:
            three = kinds
        asked.add(mine)
        answer = "SUGGEST " + " ".join(mine) + "\\0"
    elif word == "disprove":
        answer = "show " + next(card for card in rest[1:] if card.capitalize() in hand)
    elif word == "suggestion":
        if rest[0] == me and len(rest) == 6:
            seen.add(rest[5].capitalize())
    elif word == "accuse":
        left = [[card for card in kind if card not in seen] for kind in kinds]
        answer = "accuse " + " ".join(cards[0] for cards in left) if all(len(c) == 1 for c in left) else "-"
    elif word == "done":
        answer = "dead"
    print(heard, "->", answer.strip("\\0"), file=log, flush=True)
    DEED
    channel.sendall(answer.encode())
    if word == "done":
        break
"""

PLAYER = "speedclue:python bot.py"
LINE_UP = ["--players", f"{PLAYER},{PLAYER},easy", "--rule", "movement=free", "--workers", "1"]


def written(folder, deed="pass"):
    folder.mkdir()
    (folder / "bot.py").write_text(BOT.replace("DEED", deed), encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("board", some(["classic", "manoir"], 1))
def test_a_program_of_the_contest_is_told_and_asked_all_that_the_contest_has(board, tmp_path):
    folder = written(tmp_path / "here")
    code, _, err = cluedo(folder, "autoplay", *LINE_UP, "--map", board, "--games", "6", "--out", "out")
    assert (code, err) == (0, "")
    assert alive(folder) == []
    games = [json.loads(line) for line in (folder / "out" / "games.jsonl").read_text().splitlines()]
    asked = sum(event["type"] == "hypothesis" for game in games for event in game["events"])
    accused = sum(event["type"] == "accusation" for game in games for event in game["events"])
    logs = [path.read_text().splitlines() for path in folder.glob("bot-*.log")]
    assert len(logs) == 2, "one process for each place, kept for all games"
    for log in logs:
        words = [line.split()[0] for line in log]
        assert words.count("reset") == len(games)
        assert words.count("suggestion") == asked
        assert words.count("accusation") == accused
        assert {"suggest", "disprove", "accuse"} <= set(words)
        resets = [line.split(" -> ")[0].split() for line in log if line.startswith("reset")]
        sizes = [sorted(len(player["hand"]) for player in game["players"]) for game in games]
        assert all(len(reset) - 3 in size for reset, size in zip(resets, sizes, strict=True))
        starts = [reset[2] for reset in resets]
        assert len(set(starts)) > 1, "its number counts from the one who begins"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deed", "told"),
    [
        ("os._exit(3)", "ended (exit code 3)"),
        ("answer = 'perhaps'", "answered perhaps instead of"),
        ("import time; time.sleep(99)", "took longer than 0.5 s"),
    ],
)
def test_one_that_misbehaves_loses_its_choices_and_no_more(deed, told, tmp_path):
    folder = written(tmp_path / "here", deed)
    more = ["--map", "classic", "--games", "3", "--think-limit", "0.5"]
    code, out, err = cluedo(folder, "autoplay", *LINE_UP, *more)
    assert code == 0
    assert told in err
    assert "3 games: " in out
    assert alive(folder) == []


@pytest.mark.slow
@pytest.mark.parametrize("more", [["--rule", "movement=walk"], ["--map", "tiny"]])
def test_other_rules_and_decks_are_refused_in_a_sentence(more, tmp_path):
    code, out, err = cluedo(written(tmp_path / "here"), "autoplay", *LINE_UP, *more)
    assert (code, out) == (2, "")
    assert "Speed Clue is played with movement=free and 6, 6 and 9 cards" in err


@pytest.mark.slow
@pytest.mark.parametrize("seats", some([3, 6], 1))
def test_a_level_plays_in_the_contest_and_wins(seats, tmp_path):
    """The contest's server is our own table, which speaks its protocol; seats at which all hold equally many cards."""
    client = "speedclue:cluedo bot serve hard --speedclue"
    players = ",".join([client, *["easy"] * (seats - 1)])
    line_up = ["--players", players, "--rule", "movement=free", "--map", "classic", "--workers", "1"]
    code, out, err = cluedo(tmp_path, "autoplay", *line_up, "--games", 6 * seats, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["players"][client]["win_share"] > 0.5
    assert not [*(tmp_path / "state" / "cluedo" / "bots").glob("*.log")], "it has failed and said so"


def test_chance_of_a_level_in_the_contest_comes_from_the_deal_whichever_games_went_before(monkeypatch):
    """So that as many workers as one likes play the same games."""
    drawn = []
    monkeypatch.setattr(RandomPlayer, "begin", lambda player, view, random: drawn.append(random.random()))
    deal, other = (f"reset 3 {index} gr mu pe ca kn ba" for index in (0, 1))
    for heard in ([deal, other], [other, deal, other]):
        with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor() as pool:
            done = pool.submit(serve_contest, parse_player("random"), "me", server.getsockname()[1])
            channel = server.accept()[0]
            with channel:
                assert channel.recv(512) == b"me alive"
                for message, answer in zip([*heard, "done"], [*[b"ok"] * len(heard), b"dead"], strict=True):
                    channel.sendall(message.encode())
                    assert channel.recv(512) == answer
            done.result()
    assert drawn[:2] == drawn[3:]
    assert drawn[1] == drawn[2] != drawn[0]


@pytest.mark.parametrize(
    ("seats", "mine", "size", "sizes"),
    [(3, 0, 6, [6, 6, 6]), (4, 0, 5, [5, 5, 4, 4]), (4, 0, 4, [4, 5, 5, 4]), (5, 4, 3, [4, 4, 4, 3, 3])],
)
def test_hands_are_taken_to_be_dealt_one_by_one(seats, mine, size, sizes):
    assert _hand_sizes(18, seats, mine, size) == sizes


@pytest.mark.skipif(not hasattr(os, "fork"), reason="programs as players need a Unix")
def test_a_program_that_does_not_connect_is_ended(monkeypatch):
    started = []

    def never(process, *_):
        started.append(process)
        raise TooLate("has not connected")

    monkeypatch.setattr(speedclue.SpeedClueProcess, "_accept", never)
    with pytest.raises(TooLate):
        speedclue.SpeedClueProcess(["sleep"], "sleep", 1.0)
    assert not started[0].alive
