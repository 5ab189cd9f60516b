"""A bot in Python's standard library alone: it listens to every question at the table, and beats the level medium.

    cluedo autoplay --players "exec:python3 bot.py,medium,medium,medium"

The protocol is described in docs/reference/bot-protocol.md. Print nothing else to standard output.
"""

import json
import random
import sys


class Sleuth:
    """Notes where each card may be: with which of the seats, in the pool, face up, or in the envelope."""

    def __init__(self, game):
        self.seat, self.players, self.hand = game["seat"], game["players"], set(game["hand"])
        self.sizes = [*(player["cards"] for player in self.players), game["pool"], len(game["open_cards"])]
        *_, self.pool, face_up, self.envelope = range(len(self.sizes) + 1)
        self.others = set(range(self.pool)) - {self.seat}
        self.kinds = [game["deck"][kind] for kind in ("suspects", "weapons", "rooms")]
        self.cards = [card for kind in self.kinds for card in kind]
        self.may = {card: {*self.others, self.pool, self.envelope} for card in self.cards}
        self.may |= {card: {self.seat} for card in self.hand} | {card: {face_up} for card in game["open_cards"]}
        self.shown, self.shown_to, self.looked_at = [], {}, set()  # shown: (place, cards), one at least is there
        self.random = random.Random(int(game["seed"], 16))
        self.rules, self.grid = game["rules"], game["map"].get("grid", [])
        self.symbols = {room.get("symbol"): room["name"] for room in game["map"]["rooms"]}
        self.conclude()

    def hear(self, events):
        for event in events:
            kind, seat, card = event["type"], event["seat"], event.get("card")
            if kind == "hypothesis":
                self.asked = event["cards"]
            elif kind == "pass":
                for card in self.asked:
                    self.may[card].discard(seat)
            elif kind == "show":
                self.shown.append((seat, [card] if card else self.asked))
            elif kind == "hand":
                self.shown += [(seat, [card]) for card in event["cards"]]
            elif kind == "peek" and card:
                self.shown.append((self.pool, [card]))
                self.looked_at.add(event["position"])
        self.conclude()

    def conclude(self):
        """Three simple rules, repeated until they say nothing new."""
        before = -1
        while before != (before := sum(map(len, self.may.values()))):
            for place, some in self.shown:
                left = [card for card in some if place in self.may[card]]
                if len(left) == 1:
                    self.may[left[0]] = {place}
            for place, size in enumerate(self.sizes):
                self.fill(place, self.cards, size)
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
        return unknown if len(unknown) > 1 else [card for card in kind if not self.may[card] & self.others] or kind

    def wanted(self, state):
        """The rooms to go to; not the one that is used up, where nothing may be asked yet."""
        used = state["used"][self.seat]
        rooms = (self.open if self.rules.get("accuse_in") == "room" else self.named)(self.kinds[2])
        return [room for room in rooms if room != used] or [room for room in self.kinds[2] if room != used]

    def choose_move(self, allowed, state):
        wanted, here = self.wanted(state), state["pawns"][self.players[self.seat]["suspect"]]
        if here in wanted:
            return {"type": "stay"}
        if allowed["secret_passage"] in wanted:
            return {"type": "secret_passage"}
        return {"type": "roll"} if allowed["roll"] else self.choose_walk(allowed, state)

    def choose_walk(self, allowed, state):
        wanted = self.wanted(state)
        steps = self.steps(wanted)
        far = [0 if place in wanted else steps.get(tuple(place), 999) for place in allowed["move"]]
        near = [place for place, left in zip(allowed["move"], far, strict=True) if left == min(far)]
        return {"type": "move", "to": self.random.choice(near)} if near else {"type": "stay"}

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

    def choose_hypothesis(self, allowed, state):
        cards = [*(self.random.choice(self.named(kind)) for kind in self.kinds[:2]), allowed["rooms"][0]]
        only_own = allowed.get("not_all_own") and self.hand.issuperset(cards)
        return None if only_own else {"type": "hypothesis", "cards": cards}

    def choose_card(self, allowed, state):
        """A card that this asker has seen before, if there is one: it learns nothing new."""
        seen = self.shown_to.setdefault(allowed["to"], set())
        card = self.random.choice([card for card in allowed["show"] if card in seen] or allowed["show"])
        seen.add(card)
        return {"type": "show", "card": card}

    def choose_peek(self, allowed, state):
        new = [position for position in allowed["positions"] if position not in self.looked_at]
        return {"type": "peek", "position": self.random.choice(new)} if new else None

    def choose_accusation(self, allowed, state):
        left = [self.open(kind) for kind in self.kinds]
        sure = all(len(cards) == 1 for cards in left) and left[2][0] in allowed["rooms"]
        return {"type": "accusation", "cards": [cards[0] for cards in left]} if sure else None


def main():
    """Answer the host's messages, a line each, until there are no more."""
    for message in map(json.loads, sys.stdin):
        if message["type"] == "hello":
            print(json.dumps({"type": "hello", "protocol": 1, "name": "my bot in Python", "version": "1"}), flush=True)
        elif message["type"] == "game":
            bot = Sleuth(message)
        elif message["type"] == "question":
            bot.hear(message["events"])
            choose = getattr(bot, "choose_" + message["ask"], lambda *_: None)  # a later version may ask more
            answer = choose(message["allowed"], message["state"])
            print(json.dumps({"id": message["id"], "answer": answer}), flush=True)


if __name__ == "__main__":
    main()
