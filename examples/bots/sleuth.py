"""A bot in Python's standard library alone: it listens to every question at the table, and beats the level medium.

    cluedo autoplay --players "exec:python3 examples/bots/sleuth.py,medium,medium,medium"

The protocol is described in docs/reference/bot-protocol.md.
"""

import json
import random
import sys


class Sleuth:
    """Notes where each card may be: with which of the seats, or (one more) in the envelope."""

    def __init__(self, game):
        self.seat, self.players = game["seat"], game["players"]
        self.envelope = len(self.players)
        self.kinds = [game["deck"][kind] for kind in ("suspects", "weapons", "rooms")]
        self.cards = [card for kind in self.kinds for card in kind]
        everywhere = set(range(self.envelope + 1))
        self.may = {card: {self.seat} if card in game["hand"] else everywhere - {self.seat} for card in self.cards}
        self.shown = []  # (seat, three cards): that seat holds at least one of them
        self.shown_to = {}
        self.random = random.Random(int(game["seed"], 16))
        self.grid = game["map"].get("grid", [])
        self.symbols = {room.get("symbol"): room["name"] for room in game["map"]["rooms"]}
        self.conclude()

    # ---- listening ----

    def hear(self, events):
        for event in events:
            if event["type"] == "hypothesis":
                self.asked, self.asker = event["cards"], event["seat"]
            elif event["type"] == "pass":
                for card in self.asked:
                    self.may[card].discard(event["seat"])
            elif event["type"] == "show" and "card" not in event:
                self.shown.append((event["seat"], self.asked))
            elif event["type"] == "show":
                self.may[event["card"]] = {event["seat"]}
        self.conclude()

    def conclude(self):
        """Three simple rules, repeated until they say nothing new."""
        before = -1
        while before != (before := sum(map(len, self.may.values()))):
            for seat, three in self.shown:
                left = [card for card in three if seat in self.may[card]]
                if len(left) == 1:
                    self.may[left[0]] = {seat}
            for seat, player in enumerate(self.players):
                self.fill(seat, self.cards, player["cards"])
            for kind in self.kinds:
                self.fill(self.envelope, kind, 1)

    def fill(self, place, cards, size):
        """A place holds so many of these cards."""
        sure = [card for card in cards if self.may[card] == {place}]
        possible = [card for card in cards if place in self.may[card]]
        for card in possible:
            if len(possible) == size:
                self.may[card] = {place}
            elif len(sure) == size and card not in sure:
                self.may[card].discard(place)

    def open(self, kind):
        return [card for card in kind if self.envelope in self.may[card]]

    def named(self, kind):
        """A card that may be in the envelope; where that is settled, one that nobody else can show."""
        unknown = self.open(kind)
        safe = [card for card in kind if self.may[card] <= {self.seat, self.envelope}]
        return safe or kind if len(unknown) == 1 else unknown

    # ---- answering ----

    def answer(self, question):
        return getattr(self, question["ask"])(question["allowed"], question["state"])

    def wanted(self, state):
        """The rooms to go to; not the one that is used up, where nothing may be asked yet."""
        used = state["used"][self.seat]
        rooms = self.named(self.kinds[2])
        return [room for room in rooms if room != used] or [room for room in self.kinds[2] if room != used]

    def move(self, allowed, state):
        wanted, here = self.wanted(state), state["pawns"][self.players[self.seat]["suspect"]]
        if here in wanted:
            return {"type": "stay"}
        if allowed["secret_passage"] in wanted:
            return {"type": "secret_passage"}
        return {"type": "roll"} if allowed["roll"] else self.walk(allowed, state)

    def walk(self, allowed, state):
        if not allowed["move"]:
            return {"type": "stay"}
        wanted = self.wanted(state)
        rooms = [place for place in allowed["move"] if place in wanted]
        steps = self.steps(wanted)
        nearest = min(steps.get(tuple(place), 999) for place in allowed["move"])
        near = [place for place in allowed["move"] if steps.get(tuple(place), 999) == nearest]
        return {"type": "move", "to": self.random.choice(rooms or near)}

    def steps(self, rooms):
        """By corridor square, the steps from there to the nearest door of these rooms."""
        squares = {(x, y): sign for y, row in enumerate(self.grid) for x, sign in enumerate(row)}
        edge = [at for at, sign in squares.items() if sign.islower() and self.symbols[sign.upper()] in rooms]
        steps = dict.fromkeys(edge, 1)
        for x, y in edge:  # it grows while it is gone through
            for at in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if at not in steps and (squares.get(at, "#") == "." or squares.get(at, "#").islower()):
                    steps[at] = steps[x, y] + 1
                    edge.append(at)
        return steps

    def hypothesis(self, allowed, state):
        suspect, weapon = (self.random.choice(self.named(kind)) for kind in self.kinds[:2])
        return {"type": "hypothesis", "cards": [suspect, weapon, allowed["rooms"][0]]}

    def card(self, allowed, state):
        """A card that this asker has seen before, if there is one: it learns nothing new."""
        seen = self.shown_to.setdefault(allowed["to"], set())
        card = self.random.choice([card for card in allowed["show"] if card in seen] or allowed["show"])
        seen.add(card)
        return {"type": "show", "card": card}

    def accusation(self, allowed, state):
        left = [self.open(kind) for kind in self.kinds]
        if all(len(cards) == 1 for cards in left):
            return {"type": "accusation", "cards": [cards[0] for cards in left]}
        return None


def say(message):
    """Write a message, at once."""
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1, "name": "sleuth in Python", "version": "1"})
    elif message["type"] == "game":
        bot = Sleuth(message)
    elif message["type"] == "question":
        bot.hear(message["events"])
        say({"id": message["id"], "answer": bot.answer(message)})
