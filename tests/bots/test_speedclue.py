"""Programs of the Speed Clue contest at our table, and our levels in the contest: strangers that forgive nothing."""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from helpers.cases import some
from helpers.chunk_work import wait_until
from helpers.command_line import complaint
from helpers.contest import DATA, Server, games_a_table, seated, strict_programs
from helpers.programs import alive, cluedo
from helpers.support import drawn_game

from cluedo.ai.level_random import RandomPlayer
from cluedo.ai.levels import parse_player
from cluedo.ai.match import NoAnswer
from cluedo.ai.player import USUAL_CLOCK
from cluedo.bots import speedclue
from cluedo.bots.conformance import check_bot
from cluedo.bots.contest import _ContestClient, _hand_sizes, serve_contest
from cluedo.bots.naming import any_player, read_line_up
from cluedo.bots.process import BotTrouble, TooLate
from cluedo.bots.speedclue import SpeedCluePlayer, SpeedClueProcess
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError
from cluedo.engine.game import Game

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="programs as players need a Unix")

SEATS = (3, 4, 5, 6)
STRICT = f"{sys.executable} {DATA / 'strict.py'}"
EDITION = ["--edition", "speedclue", "--workers", "1"]

BOT = """
import os, socket, sys, time
*words, ident, port = sys.argv[1:]
channel = socket.create_connection(("127.0.0.1", int(port)))
channel.sendall(f"{ident} alive".encode())
answers = {"suggest": "suggest Gr Ca Ba", "accuse": "-", "done": "dead"}
while heard := channel.recv(512).decode():
    word, *rest = heard.split(" ")
    if word == "reset":
        hand = set(rest[2:])
    if word == "disprove":
        answers["disprove"] = "show " + next(card for card in rest[1:] if card in hand)
    answer = answers.get(word, "ok")
    DEED
    channel.sendall(answer.encode())
"""


def written(folder, deed="pass"):
    """A folder with a program that plays badly, and its command."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(BOT.replace("DEED", deed), encoding="utf-8")
    return folder


LINE_UP = ["--players", "speedclue:python bot.py,easy,easy"]


# ---- strict programs and a strict server ---------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seats", some(SEATS, 2))
def test_strict_programs_of_the_contest_find_no_fault_with_our_table(seats, tmp_path):
    tables = some(seated([f"speedclue:{command}" for command in strict_programs()], seats), 2)
    games = -(-games_a_table(len(SEATS) * len(tables)) // seats) * seats
    for number, players in enumerate(tables):
        line_up = ["--players", ",".join(players), "--games", games, "--seed", number]
        code, out, err = cluedo(tmp_path, "autoplay", *EDITION, *line_up, "--json")
        assert (code, err) == (0, "")
        told = json.loads(out)
        assert {player: facts["first_fault"] for player, facts in told["players"].items()} == dict.fromkeys(players)
        assert sum(facts["wins"] for facts in told["players"].values()) == games, "somebody wins each game"
    assert alive(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("seats", some(SEATS, 2))
def test_levels_play_in_the_contest_among_strict_programs_before_a_strict_server(seats, tmp_path):
    levels = [f"{sys.executable} -m cluedo bot serve {level} --speedclue" for level in ("hard", "easy", "medium")]
    spare = iter(command for command in strict_programs() if not {"loud", "line"} & set(command.split()))
    (folder := tmp_path / "players").mkdir()
    with Server([*levels, *(next(spare) for _ in range(seats - 3))], folder, seats) as server:
        for _ in range(games_a_table(len(SEATS))):
            assert server.play() in range(seats)


@pytest.mark.slow
def test_the_strict_programs_find_no_fault_with_the_contest_itself(tmp_path):
    for number, players in enumerate(some(seated(strict_programs(), 4), 2)):
        (folder := tmp_path / str(number)).mkdir()
        with Server([command.replace("loud", "").replace("line", "") for command in players], folder, 1) as server:
            server.play()
            server.play()


# ---- our table ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deed", "told"),
    [
        ("os._exit(3)", "ended (exit code 3)"),
        ("answer = 'perhaps'", "answered perhaps instead of"),
        ("time.sleep(999)", "took longer than 0.5 s"),
        ("channel.close(); time.sleep(999)", "closed the connection"),
    ],
)
def test_one_that_misbehaves_loses_its_choices_and_no_more(deed, told, tmp_path):
    folder = written(tmp_path / "here", deed)
    limit = "0.5" if "took longer" in told else "60"
    code, out, err = cluedo(folder, "autoplay", *LINE_UP, *EDITION, "--games", "3", "--think-limit", limit)
    assert code == 0
    assert told in err
    assert "3 games: " in out
    wait_until(lambda: not alive(folder))


@pytest.mark.slow
@pytest.mark.parametrize("more", [["--rule", "movement=walk"], ["--map", "tiny"]])
def test_other_rules_and_decks_are_refused_in_a_sentence(more, tmp_path):
    code, out, err = cluedo(written(tmp_path / "here"), "autoplay", *LINE_UP, *EDITION, *more)
    assert (code, out) == (2, "")
    assert "Speed Clue is played with movement=free and 6, 6 and 9 cards" in err


@pytest.mark.parametrize("seats", SEATS)
def test_the_number_of_a_player_says_how_many_cards_they_hold(seats):
    others_began = 0
    for deal in range(20):
        table = drawn_game(Board.load("classic"), seats, seed=1, deal=deal, movement="free").table
        zero = speedclue._number_zero(table)
        sizes = [table.hand_sizes[(zero + index) % seats] for index in range(seats)]
        assert sizes == [18 // seats + (18 % seats > index) for index in range(seats)]
        others_began += zero != table.first
    assert (others_began > 0) == (18 % seats > 0), "who begins is number 0 where all hold as many cards"


def test_a_deal_that_no_numbers_fit_is_refused_in_a_sentence():
    game = drawn_game(Board.load("classic"), 3, seed=1, movement="free")
    deal = game.state.deal
    moved = deal.hands[0] & -deal.hands[0]
    hands = (deal.hands[0] ^ moved, deal.hands[1] | moved, deal.hands[2])
    deal = type(deal)(deal.envelope, hands, deal.suspects, deal.first, deal.dice)
    view = Game(game.table.board, game.table.rules, deal).dealt(0)
    player = SpeedCluePlayer(any_player(f"speedclue:{sys.executable}").bot)
    player.sit_down((view, Random(1), USUAL_CLOCK))
    with pytest.raises(NoAnswer, match="no numbers fit these hands"):
        player.choose_move(view)


def test_the_identifier_says_who_plays_and_each_place_has_its_own():
    bots = [spec.bot for spec in read_line_up([f"speedclue:{sys.executable} -c 1", f"speedclue:{sys.executable} -c 1"])]
    first, second = (bot.ident for bot in bots)
    assert first.endswith("-c-1-1")
    assert second == first[:-1] + "2"


def test_a_program_runs_in_a_folder_of_its_own_which_goes_with_it_and_finds_its_files(tmp_path, monkeypatch):
    written(tmp_path, "open(words[0], 'w').write(os.getcwd()); open(ident, 'x')")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "told").touch()
    process = SpeedClueProcess([sys.executable, "bot.py", "told"], "bot", "bot-1", 60.0)
    process.tell("reset 3 0 Gr Mu Pe Pl Sc Wh", 60.0)
    folder = Path((tmp_path / "told").read_text())
    assert [path.name for path in folder.iterdir()] == ["bot-1"]
    process.end()
    assert not folder.exists()
    assert {path.name for path in tmp_path.iterdir()} == {"bot.py", "told"}


def test_paths_in_a_command_are_full_and_other_words_stay(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jar").touch()
    full = f"{tmp_path}/a.jar"
    told = {"a.jar": full, "--book=a.jar": f"--book={full}", "a.jar:a.jar": f"{full}:{full}", "-x": "-x", "b": "b"}
    assert {word: speedclue._wherever_it_runs(word) for word in told} == told
    assert speedclue._wherever_it_runs("x" * 9999) == "x" * 9999


def test_a_program_that_does_not_connect_is_ended(monkeypatch):
    started = []

    def never(process, *_):
        started.append(process)
        raise TooLate("has not connected")

    monkeypatch.setattr(SpeedClueProcess, "_accept", never)
    with pytest.raises(TooLate):
        SpeedClueProcess(["sleep"], "sleep", "sleep-1", 1.0)
    assert not started[0].alive


def test_a_program_whose_first_word_is_wrong_is_ended_with_its_connection(monkeypatch):
    channels = []

    def accept(process, *_):
        ours, theirs = socket.socketpair()
        with theirs:
            theirs.sendall(b"foo bar\n")
        channels.append(ours)
        return ours

    monkeypatch.setattr(SpeedClueProcess, "_accept", accept)
    with pytest.raises(BotTrouble, match="foo bar"):
        SpeedClueProcess(["sleep"], "sleep", "sleep-1", 1.0)
    assert channels[0].fileno() == -1


class Chatter:
    """A connection over which line ends come without a pause."""

    settimeout = close = sendall = lambda *_: None

    def recv(self, _):
        return b"\n"


def test_a_program_that_never_stops_ending_lines_has_no_more_time_than_others(monkeypatch):
    monkeypatch.setattr(SpeedClueProcess, "_accept", lambda *_: Chatter())
    with pytest.raises(TooLate, match=r"took longer than 0\.05 s"):
        SpeedClueProcess(["sleep", "1000"], "sleep", "sleep-1", 0.05)


# ---- a check -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_check_finds_nothing_wrong_with_a_strict_program():
    lines = list(check_bot(STRICT.split(), f"speedclue:{STRICT}", USUAL_CLOCK))
    assert [line.text for line in lines if not line.good] == []
    assert sum(" questions" in line.text for line in lines) == 2 * len(SEATS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deed", "told"),
    some(
        [
            ("pass", "made the same suggestion again, Gr Ca Ba"),
            ("answer = answer.lower()", "wrote suggest gr ca ba, which is suggest Gr Ca Ba in the contest"),
            ("answer = 'suggest Gr Gr Ba' if word == 'suggest' else answer", "and a suspect, a weapon and a room"),
            ("answer = 'show St' if word == 'disprove' else answer", "answered show St instead of show "),
            ("answer = 'no' if word == 'accusation' else answer", "answered no instead of ok"),
            ("answer = 'bye' if word == 'done' else answer", "done: answered bye instead of dead"),
        ],
        2,
    ),
)
def test_a_check_says_what_the_contest_would_not_take(deed, told, tmp_path):
    command = [sys.executable, str(written(tmp_path, deed) / "bot.py")]
    wrong = [line.text for line in check_bot(command, "speedclue:bot", USUAL_CLOCK) if not line.good]
    assert any(told in text for text in wrong), wrong


# ---- our levels in the contest ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seats", some(SEATS, 1))
def test_a_level_plays_in_the_contest_and_wins(seats, tmp_path):
    """The contest's server is our own table, which speaks its protocol."""
    client = "speedclue:cluedo bot serve hard --speedclue"
    players = ",".join([client, *["easy"] * (seats - 1)])
    code, out, err = cluedo(tmp_path, "autoplay", *EDITION, "--players", players, "--games", 6 * seats, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["players"][client]["win_share"] > 0.5
    assert not [*(tmp_path / "state" / "cluedo" / "bots").glob("*.log")], "it has failed and said so"


def conversation(messages):
    """What `random` answers to the messages of the contest's server."""
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor() as pool:
        done = pool.submit(serve_contest, parse_player("random"), "me", server.getsockname()[1])
        channel = server.accept()[0]
        with channel:
            heard = [channel.recv(512).decode()]
            for message in messages:
                channel.sendall(message.encode())
                heard.append(channel.recv(512).decode())
        done.result()
    return heard


def test_chance_of_a_level_in_the_contest_comes_from_the_deal_whichever_games_went_before(monkeypatch):
    """So that as many workers as one likes play the same games."""
    drawn = []
    monkeypatch.setattr(RandomPlayer, "begin", lambda player, view, random: drawn.append(random.random()))
    deal, other = ([f"reset 3 {index} Gr Mu Pe Ca Kn Ba", "suggestion 2 Wh Wr St -"] for index in (0, 1))
    for heard in ([*deal, *other], [*other, *deal, *other]):
        assert conversation([*heard, "done"]) == ["me alive", *["ok"] * len(heard), "dead"]
    assert drawn[:2] == drawn[3:]
    assert drawn[1] == drawn[2] != drawn[0]


def test_a_level_sends_cards_as_the_contest_writes_them_and_reads_them_in_any_case():
    for spelt in (str, str.lower, str.upper):
        messages = [spelt("reset 3 0 Gr Mu Pe Ca Kn Ba"), "suggest\0", spelt("disprove 1 Gr Ca St"), "done"]
        _, ok, suggested, shown, dead = conversation(messages)
        assert (ok, shown, dead) in [("ok", "show Gr", "dead"), ("ok", "show Ca", "dead")]
        kinds = (speedclue._SUSPECTS, speedclue._WEAPONS, speedclue._ROOMS)
        assert all(said in cards for said, cards in zip(suggested.split(" ")[1:], kinds, strict=True))


@pytest.mark.parametrize(
    ("first", "message"), [(1, "suggest"), (2, "disprove 2 Gr Ca Ba"), (3, "suggestion 3 Wh Wr St -")]
)
def test_the_first_message_of_a_game_tells_a_level_who_began(first, message):
    client = _ContestClient(parse_player("random"))
    client.answer(["reset", "4", "1", "Gr", "Mu", "Ca", "Kn", "Ba"])
    client.answer(message.split())
    assert client._seat._seen.table.first == first
    assert client._seat._seen.table.hand_sizes == (5, 5, 4, 4)
    assert client._seat._seen.table.rules.last_wins


@pytest.mark.parametrize("said", ["suggest", "reset 2 0 gr mu", "reset 3 0 Xx", "hello"])
def test_what_no_server_of_the_contest_says_is_refused_in_a_sentence(said):
    with pytest.raises(CluedoError, match="which is no message of the contest"):
        _ContestClient(SimpleNamespace(make=None)).answer(said.split())


def test_a_port_without_a_server_is_refused_in_a_sentence():
    assert "no server of the contest" in complaint("bot", "serve", "easy", "--speedclue", "me", 1)


def test_a_server_that_is_gone_is_told_in_a_sentence():
    """It resets the connection: it closes it with something still unread."""
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:
        port = server.getsockname()[1]

        def leave():
            channel = server.accept()[0]
            channel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            channel.close()

        left = pool.submit(leave)
        told = complaint("bot", "serve", "easy", "--speedclue", "me", port)
        left.result()
    assert f"port {port}: the server of the contest is gone: " in told


@pytest.mark.parametrize(
    ("seats", "mine", "size", "sizes"),
    [(3, 0, 6, [6, 6, 6]), (4, 0, 5, [5, 5, 4, 4]), (4, 0, 4, [4, 5, 5, 4]), (5, 4, 3, [4, 4, 4, 3, 3])],
)
def test_hands_are_taken_to_be_dealt_one_by_one(seats, mine, size, sizes):
    assert _hand_sizes(seats, mine, size) == sizes
