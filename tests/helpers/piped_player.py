"""A player who reads what the plain game prints and types the answers."""

from __future__ import annotations

import io
import re
from random import Random

from cluedo.engine.board import Board

HAND_OVER = re.compile(r"^--- Hand over to (.+), player (\d+)")


class Brain:
    """Plays by reading what is printed: eliminates what it sees, and accuses when it is sure."""

    def __init__(self, board: Board):
        self.deck = board.deck
        self.seen: dict[str, set[str]] = {}
        self.solved: dict[str, dict[int, str]] = {}
        self.me = ""
        self.menu: dict[str, str] = {}
        self.board: list[str] = []
        self.asked: list[str] = []
        self.random = Random(1)

    def hear(self, line: str) -> None:
        if found := HAND_OVER.match(line):
            self.me = found[1]
        elif found := re.match(r"You hold (.+)\.", line):
            self.seen.setdefault(self.me, set()).update(re.split(r", | and ", found[1]))
        elif found := re.match(r".+ shows you (?:the card )?(.+)\.$", line):
            self.seen[self.me].add(found[1])
        elif found := re.match(r"You ask: (.+)\?", line):
            self.asked = found[1].split(", ")
        elif line == "Nobody could show a card.":
            for k, name in enumerate(self.asked):
                if name not in self.seen[self.me]:
                    self.solved.setdefault(self.me, {})[k] = name
        elif found := re.match(r"  +(\d+) (.+?)(?: \(([^()]*)\))?$", line):
            self.menu[found[2]] = found[1]
        elif re.match(r"[ \d]\d ", line):
            self.board.append(line)

    def answer(self, prompt: str) -> str:
        menu, self.menu = self.menu, {}
        board, self.board = self.board, []
        seen, solved = self.seen.get(self.me, set()), self.solved.get(self.me, {})
        open_ = [[self.deck.names[card] for card in ids if self.deck.names[card] not in seen] for ids in self.deck.ids]
        sure = [solved[k] if k in solved else names[0] if len(names) == 1 else "" for k, names in enumerate(open_)]
        if "press Enter" in prompt:
            return ""
        if prompt.startswith("How do you move?"):
            return "ROLL"
        if prompt.startswith("Where to?"):
            wanted = [name for name in menu if name in open_[2]] or [name for name in menu if name in self.deck.names]
            if wanted:
                return menu[self.random.choice(wanted)]
            squares = [(k, y) for y, line in enumerate(board) for k in range(24) if line[3 + 2 * k : 4 + 2 * k] == "+"]
            return "{} {}".format(*self.random.choice(squares)) if squares else "stay"
        if prompt.startswith("Which suspect?"):
            return (sure[0] or self.random.choice(open_[0])).upper()
        if prompt.startswith("Which weapon?"):
            return sure[1] or self.random.choice(open_[1])
        if prompt.startswith("Which room?"):
            return sure[2]
        if "You can show" in prompt:
            return ""
        if prompt.startswith("Which card"):
            return "1"
        if prompt.startswith("Accuse?"):
            return "accuse" if all(sure) else ""
        if prompt.endswith("you are out. Accuse?"):
            return "yes"
        raise AssertionError(f"what is to be answered to {prompt!r}?")


class Table(io.StringIO):
    """Standard output that a brain reads, and standard input on which it answers."""

    def __init__(self, brain: Brain):
        super().__init__()
        self.brain, self.heard = brain, 0

    def readline(self, *_: int) -> str:
        lines = self.getvalue().splitlines()
        for line in lines[self.heard : -1]:
            self.brain.hear(line)
        self.heard = len(lines)
        assert lines[-1].startswith("> ")
        return self.brain.answer(lines[-1][2:]) + "\n"
