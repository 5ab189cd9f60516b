"""The Speed Clue contest without us: strict programs in several languages and a server, by the protocol alone."""

from __future__ import annotations

import atexit
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from random import Random

from helpers.cases import cases

DATA = Path(__file__).parent.parent / "data" / "contest"
KINDS = [kind.split() for kind in ("Gr Mu Pe Pl Sc Wh", "Ca Kn Pi Re Ro Wr", "Ba Bi Co Di Ha Ki Li Lo St")]
LONGEST, ANSWER_S = 512, 10.0

PROGRAMS = {
    "python": ("strict.py", ("", "columns", "regex nul", "line", "loud", "slow", "rash", "folder", "columns rash nul")),
    "javascript": ("strict.js", ("", "nul", "rash slow")),
    "cpp": ("strict.cpp", ("", "nul", "rash", "slow nul")),
}
"""By language, the program and its manners (see strict.py)."""


def strict_programs() -> list[str]:
    """The commands of all strict programs whose language is installed."""
    commands = []
    for language, (source, manners) in PROGRAMS.items():
        program = _runs(language, DATA / source)
        commands += [f"{program} {manner}".strip() for manner in manners] if program else []
    return commands


def _runs(language: str, source: Path) -> str:
    """What runs a program; "" where its language is not installed."""
    if language == "python":
        return f"{sys.executable} {source}"
    if language == "javascript":
        return f"node {source}" if shutil.which("node") else ""
    if not (compiler := shutil.which("g++")):
        return ""
    return str(_compiled(compiler, source))


@cache
def _compiled(compiler: str, source: Path) -> Path:
    """A program, compiled once for all tests of this process."""
    folder = tempfile.mkdtemp(prefix="cluedo-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = Path(folder) / source.stem
    subprocess.run([compiler, "-O1", "-std=c++17", "-o", program, source], check=True)
    return program


def seated(commands: Sequence[str], seats: int) -> Iterator[list[str]]:
    """Tables of so many programs, each of which sits at one at least."""
    for first in range(0, len(commands), seats):
        yield [commands[(first + seat) % len(commands)] for seat in range(seats)]


class Server:
    """The contest's server: it takes nothing but what its protocol has, and says so by an AssertionError.

    Args:
        commands: by the contest's number of a player, what is started.
        folder: in which each program gets a folder of its own.
        seed: of the deals.
    """

    def __init__(self, commands: Sequence[str], folder: Path, seed: int):
        self._random = Random(seed)
        self._open = ExitStack()
        self._channels = []
        for number, command in enumerate(commands):
            ident, own = f"Player{number}", folder / f"Player{number}"
            own.mkdir()
            with socket.create_server(("127.0.0.1", 0)) as server:
                server.settimeout(60)
                port = server.getsockname()[1]
                program = subprocess.Popen([*command.split(), ident, str(port)], cwd=own)
                self._open.callback(program.wait, 20)
                channel = self._open.enter_context(server.accept()[0])
            channel.settimeout(ANSWER_S)
            self._channels.append(channel)
            assert self._heard(number) == f"{ident} alive"

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        for player in range(len(self._channels)):
            self._say(player, "done", "dead")
        self._open.close()

    def play(self) -> int:
        """A game; the number of the player who won it."""
        envelope, hands = self._deal()
        players = len(hands)
        for player, hand in enumerate(hands):
            self._say(player, f"reset {players} {player} {' '.join(hand)}")
        playing, asked = list(range(players)), set()
        while True:
            asker = playing[0]
            three = self._three(self._ask(asker, "suggest"), "suggest")
            assert (asker, three) not in asked, "the same suggestion again"
            asked.add((asker, three))
            self._answer(asker, three, hands)
            said = self._ask(asker, "accuse")
            playing = [*playing[1:], asker]
            if said == "-":
                continue
            accused = self._three(said, "accuse")
            for player in range(players):
                self._say(player, f"accusation {asker} {' '.join(accused)} {'+' if accused == envelope else '-'}")
            if accused == envelope:
                return asker
            playing.pop()
            if len(playing) == 1:
                return playing[0]

    def _deal(self) -> tuple[tuple[str, ...], list[list[str]]]:
        envelope = tuple(self._random.choice(cards) for cards in KINDS)
        rest = [card for cards in KINDS for card in cards if card not in envelope]
        self._random.shuffle(rest)
        players = len(self._channels)
        return envelope, [rest[player::players] for player in range(players)]

    def _answer(self, asker: int, three: tuple[str, ...], hands: list[list[str]]) -> None:
        """Have a suggestion answered, and tell everybody."""
        players, named = len(hands), " ".join(three)
        others = [(asker + k) % players for k in range(1, players)]
        shower = next((player for player in others if set(three) & set(hands[player])), None)
        card = ""
        if shower is not None:
            held = [card for card in three if card in hands[shower]]
            card = held[0]
            if len(held) > 1:
                word, _, card = self._ask(shower, f"disprove {asker} {named}").partition(" ")
                assert (word, card in held) == ("show", True), (word, card, held)
        for player in range(players):
            seen = f" {card}" if player in (asker, shower) and card else ""
            self._say(player, f"suggestion {asker} {named} {'-' if shower is None else shower}{seen}")

    @staticmethod
    def _three(said: str, word: str) -> tuple[str, ...]:
        first, *three = said.split(" ")
        assert first == word
        assert len(three) == 3
        assert all(card in cards for card, cards in zip(three, KINDS, strict=True)), said
        return tuple(three)

    def _say(self, player: int, message: str, answer: str = "ok") -> None:
        assert self._ask(player, message) == answer

    def _ask(self, player: int, message: str) -> str:
        self._channels[player].sendall(message.encode("ascii"))
        return self._heard(player)

    def _heard(self, player: int) -> str:
        data = self._channels[player].recv(LONGEST + 1)
        assert 0 < len(data) <= LONGEST
        return data.decode("ascii").removesuffix("\0")


def games_a_table(tables: int) -> int:
    """So that all tables together play a thousand games by hand, and a share of them where time is short."""
    return -(-cases(1000, 2 * tables) // tables)
