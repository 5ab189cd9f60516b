"""A bot to start from: it plays by the rules, but not well. To improve it, change ``choose``.

    cluedo bot check "python3 bot.py"
    cluedo autoplay --players "exec:python3 bot.py,easy,easy"

Each line that comes is a message in JSON; each question wants one line back. Print nothing else to standard output:
``print(…, file=sys.stderr)`` goes into a file, in ~/.local/state/cluedo/bots.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

KINDS = ("suspects", "weapons", "rooms")


class Bot:
    """Plays one game. ``game`` holds the deck, the board, the rules, my seat and my hand."""

    def __init__(self, game: dict[str, Any]):
        self.game = game
        self.hand = set(game["hand"])
        self.seen = self.hand.union(game["open_cards"])  # cards that are not in the envelope
        self.random = random.Random(int(game["seed"], 16))  # the same game is played the same way again

    def hear(self, event: dict[str, Any]) -> None:
        """Take note of what has happened, as my seat saw it: a move, a hypothesis, a pass, a card shown."""
        if event["type"] in ("show", "peek") and "card" in event:
            self.seen.add(event["card"])
        if event["type"] == "hand":  # somebody has accused wrongly, by the rules of some editions
            self.seen.update(event["cards"])

    def choose(self, ask: str, allowed: dict[str, Any]) -> dict[str, Any] | None:
        """Answer a question with something that is allowed."""
        if ask == "move" and allowed["roll"]:
            return {"type": "roll"}
        if ask in ("move", "walk"):
            rooms = [place for place in allowed["move"] if isinstance(place, str)]
            places = rooms or allowed["move"]
            return {"type": "move", "to": self.random.choice(places)} if places else {"type": "stay"}
        if ask == "hypothesis":
            cards = [self.unknown(allowed[kind]) for kind in KINDS]
            only_own = allowed.get("not_all_own") and self.hand.issuperset(cards)
            return None if only_own else {"type": "hypothesis", "cards": cards}
        if ask == "card":
            return {"type": "show", "card": self.random.choice(allowed["show"])}
        if ask == "peek":
            return {"type": "peek", "position": self.random.choice(allowed["positions"])}
        left = [[card for card in self.game["deck"][kind] if card not in self.seen] for kind in KINDS]
        if all(len(cards) == 1 for cards in left) and left[2][0] in allowed["rooms"]:
            return {"type": "accusation", "cards": [cards[0] for cards in left]}
        return None

    def unknown(self, cards: list[str]) -> str:
        """A card that I know nothing of, if there is one."""
        return self.random.choice([card for card in cards if card not in self.seen] or cards)


def say(message: dict[str, Any]) -> None:
    """Write a message, at once."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer what comes, until it ends."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "hello", "protocol": 1, "name": "my bot", "version": "1"})
        elif message["type"] == "game":
            bot = Bot(message)
        elif message["type"] == "question":
            for event in message["events"]:
                bot.hear(event)
            say({"id": message["id"], "answer": bot.choose(message["ask"], message["allowed"])})


if __name__ == "__main__":
    main()
