"""A program of the Speed Clue contest, written from its protocol alone: it takes nothing but what the contest sends.

Whatever is not exactly as it has to be ends it. Usage: strict.py [MANNER…] IDENT PORT, with these manners:

columns, regex  how it reads a message; else it splits it at blanks
nul, line       what ends its own messages; else nothing does
loud            its answers are in capitals
slow            it thinks about each message of its first game
rash            it accuses at the end of its first turn, of what may be wrong
folder          it keeps its files in a folder that is named after its identifier; else in one file
"""

import random
import re
import socket
import sys
import time
from pathlib import Path

*MANNERS, IDENT, PORT = sys.argv[1:]
KINDS = [kind.split() for kind in ("Gr Mu Pe Pl Sc Wh", "Ca Kn Pi Re Ro Wr", "Ba Bi Co Di Ha Ki Li Lo St")]
KIND = {card: number for number, cards in enumerate(KINDS) for card in cards}
END = "\0" if "nul" in MANNERS else "\n" if "line" in MANNERS else ""
NAMED = "([0-5]) (..) (..) (..)"
RESET = "(reset) ([3-6]) ([0-5])((?: ..)+)"
SUGGESTION = f"(suggestion) {NAMED} ([-0-5])(?: (..))?"
MESSAGE = f"(suggest|accuse|done)|{RESET}|(disprove) {NAMED}|{SUGGESTION}|(accusation) {NAMED} ([+-])"


def by_regex(message):
    found = re.fullmatch(MESSAGE, message)
    words = [word.strip() for word in found.groups() if word is not None]
    return [*words[:3], *words[3].split(" ")] if words[0] == "reset" else words


def by_columns(message):
    word = message.split(" ")[0]
    at = len(word) + 1
    rest = message[at:]
    if word == "reset":
        return [word, rest[0], rest[2], *(rest[k : k + 2] for k in range(4, len(rest), 3))]
    if word in ("suggest", "accuse", "done"):
        return [word]
    tail = [rest[11], rest[13:15]] if word != "disprove" else []
    return [word, rest[0], rest[2:4], rest[5:7], rest[8:10], *filter(None, tail)]


READ = {"regex": by_regex, "columns": by_columns}.get(MANNERS[0] if MANNERS else "", lambda message: message.split(" "))


class Game:
    def __init__(self, players, me, *hand):
        self.players, self.me, self.hand = int(players), int(me), set(hand)
        assert 3 <= self.players <= 6
        assert 0 <= self.me < self.players
        assert len(self.hand) == len(hand) == 18 // self.players + (18 % self.players > self.me)
        assert all(card in KIND for card in hand)
        self.seen, self.asked, self.out, self.over = set(hand), set(), set(), False
        self.asker = self.said = self.showed = self.accused = None

    def check_three(self, three):
        assert [KIND[card] for card in three] == [0, 1, 2]

    def next_asker(self, asker):
        """Whose turn it is: after the first, the next in turn who is not out."""
        assert not self.over
        assert asker not in self.out
        if self.asker is not None:
            following = (self.asker + k for k in range(1, self.players + 1))
            assert asker == next(seat % self.players for seat in following if seat % self.players not in self.out)

    def suggest(self):
        self.next_asker(self.me)
        assert len(self.out) < self.players - 1, "it goes on against nobody"
        left = [[card for card in cards if card not in self.seen] or cards for cards in KINDS]
        while (three := tuple(random.choice(cards) for cards in left)) in self.asked:
            left = KINDS
        self.asked.add(three)
        self.said = three
        return "suggest " + " ".join(three)

    def disprove(self, asker, *three):
        self.check_three(three)
        self.next_asker(int(asker))
        assert int(asker) != self.me
        held = [card for card in three if card in self.hand]
        assert len(held) > 1
        self.showed = random.choice(held)
        return "show " + self.showed

    def suggestion(self, asker, suspect, weapon, room, shower, card=None):
        three, asker = (suspect, weapon, room), int(asker)
        self.check_three(three)
        self.next_asker(asker)
        assert (self.said is not None) == (asker == self.me)
        assert self.said in (None, three)
        silent = self.players - 1 if shower == "-" else (int(shower) - asker - 1) % self.players
        assert silent < self.players - 1 or shower == "-", "nobody answers themselves"
        held = self.hand & set(three)
        if (self.me - asker - 1) % self.players < silent:
            assert not held
        assert (card is not None) == (shower != "-" and self.me in (asker, int(shower)))
        if card is not None:
            assert card in three
            assert card == (self.showed or card)
            assert (card in held) == (asker != self.me)
            self.seen.add(card)
        self.asker, self.said, self.showed = asker, None, None
        return "ok"

    def accuse(self):
        assert self.asker == self.me
        assert not self.over
        left = [[card for card in cards if card not in self.seen] for cards in KINDS]
        if "rash" not in MANNERS and any(len(cards) > 1 for cards in left):
            return "-"
        self.accused = tuple(cards[0] for cards in left)
        return "accuse " + " ".join(self.accused)

    def accusation(self, player, suspect, weapon, room, verdict):
        self.check_three((suspect, weapon, room))
        assert int(player) == self.asker
        assert not self.over
        assert int(player) != self.me or self.accused == (suspect, weapon, room)
        assert verdict in ("+", "-")
        if verdict == "+":
            assert not {suspect, weapon, room} & self.seen
            self.over = True
        self.out.add(int(player))
        return "ok"


def main():
    here = Path(IDENT if "folder" in MANNERS else ".")
    here.mkdir(exist_ok=here == Path())
    with here.joinpath(f"{IDENT}.log").open("x") as log:
        play(log)


def play(log):
    channel = socket.create_connection(("127.0.0.1", int(PORT)))
    channel.sendall(f"{IDENT} alive{END}".encode())
    games, game = 0, None
    while True:
        data = channel.recv(512)
        if not data:
            return
        message = data.decode("ascii").removesuffix("\0")
        word, *rest = READ(message)
        assert message == " ".join([word, *rest])
        log.write(message + "\n")
        if word == "reset":
            game = Game(*rest)
            games += 1
            answer = "ok"
        elif word == "done":
            assert not rest
            answer = "dead"
        else:
            answer = {
                "suggest": game.suggest,
                "disprove": game.disprove,
                "suggestion": game.suggestion,
                "accuse": game.accuse,
                "accusation": game.accusation,
            }[word](*rest)
        if "slow" in MANNERS and games == 1:
            time.sleep(0.01)
        channel.sendall(((answer.upper() if "loud" in MANNERS else answer) + END).encode())
        if word == "done":
            return


main()
