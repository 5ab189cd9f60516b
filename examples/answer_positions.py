"""Answers positions by the notes of a careful person: positions on standard input, answers on standard output.

    cluedo positions --test-set | python examples/answer_positions.py > answers.jsonl
    cluedo grade answers.jsonl

It needs nothing but Python. It crosses out what cannot be, until nothing changes; it neither tries cases nor counts
deals, so it misses some proofs, and takes all cards that may be in the envelope for equally likely.
"""

from __future__ import annotations

import json
import sys
from typing import Any

DECK = (
    ("Scarlett", "Mustard", "White", "Green", "Peacock", "Plum"),
    ("Candlestick", "Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench"),
    ("Study", "Hall", "Lounge", "Library", "Dining Room", "Billiard Room", "Conservatory", "Ballroom", "Kitchen"),
)
CARDS = [card for names in DECK for card in names]


class Notes:
    """For every card the places where it may be."""

    def __init__(self, log: dict[str, Any]):
        self.sizes = {player["name"]: player["cards"] for player in log["players"]} | {"envelope": 3}
        self.may = {card: set(self.sizes) for card in CARDS}
        self.one_of: list[tuple[str, list[str]]] = []  # this player holds one of these cards
        for card in CARDS:
            if card in log["hand"]:
                self.may[card] = {log["me"]}
            else:
                self.may[card].discard(log["me"])
        for event in log["events"]:
            if "hypothesis" in event:
                self.note(**event)
        while self.cross_out():
            pass

    def note(self, by: str, hypothesis: list[str], refuted_by: str | None, card: str | None = None) -> None:
        """Those between who asked and who showed a card hold none of the three."""
        players = [name for name in self.sizes if name != "envelope"]
        after = players.index(by) + 1
        for name in (players[after:] + players[:after])[:-1]:
            if name == refuted_by:
                if card:
                    self.may[card] = {name}
                self.one_of.append((name, hypothesis))
                return
            for asked in hypothesis:
                self.may[asked].discard(name)

    def cross_out(self) -> bool:
        """One round of the rules; whether anything was crossed out."""
        before = sum(map(len, self.may.values()))
        for name, cards in self.one_of:  # only one of the three is left that can have been shown
            left = [card for card in cards if name in self.may[card]]
            if len(left) == 1:
                self.may[left[0]] = {name}
        for place, size in self.sizes.items():  # a hand that is complete, or that needs all that it may hold
            self.fill(place, CARDS, size)
        for names in DECK:  # one card of each category is in the envelope
            self.fill("envelope", names, 1)
        return sum(map(len, self.may.values())) < before

    def fill(self, place: str, cards: list[str] | tuple[str, ...], count: int) -> None:
        """Of these cards so many are at the place."""
        there = [card for card in cards if self.may[card] == {place}]
        possible = [card for card in cards if place in self.may[card]]
        if len(possible) == count:
            for card in possible:
                self.may[card] = {place}
        elif len(there) == count:
            for card in possible:
                if card not in there:
                    self.may[card].discard(place)

    def answer(self) -> dict[str, Any]:
        """What is proved, even odds for the rest, and a question about what is open."""
        proved = [[card, *places, True] for card, places in self.may.items() if len(places) == 1]
        proved += [[card, "envelope", False] for card, at in self.may.items() if len(at) > 1 and "envelope" not in at]
        open_cards = [[card for card in names if "envelope" in self.may[card]] for names in DECK]
        odds = {
            card: 1 / len(left) if card in left else 0.0
            for names, left in zip(DECK, open_cards, strict=True)
            for card in names
        }
        return {"proved": proved, "envelope": odds, "question": [left[0] for left in open_cards]}


if __name__ == "__main__":
    for line in sys.stdin:
        position = json.loads(line)
        print(json.dumps({"id": position["id"]} | Notes(position["log"]).answer()))
