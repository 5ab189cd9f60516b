"""A bot written from the page of the protocol alone: whatever is not exactly as it stands there ends it."""

import json
import random
import re
import sys

QUESTION = {"type", "id", "ask", "allowed", "events", "state", "time_bank"}
RESULT = {"type", "winner", "reason", "turns", "events", "state"}
GAME = {
    *("type", "deck", "map", "rules", "players", "seat", "hand", "first", "pool", "open_cards", "clock"),
    *("seed", "state"),
}
STATE = {
    *("turn", "active", "to_act", "step", "dice", "pawns", "weapons", "used", "eliminated", "hypothesis"),
    *("refuted_by", "card_shown", "peeked", "face_up"),
}
EVENT = {"roll": {"dice"}, "move": {"to"}, "secret_passage": {"to"}, "stay": set(), "pass": set(), "end_turn": set()}
EVENT |= {"hypothesis": {"cards"}, "show": {"card"}, "hand": {"cards"}}
EVENT |= {"peek": {"position", "card"}, "accusation": {"cards", "correct"}}
STEPS = {"move": "move", "walk": "walk", "hypothesis": "ask", "card": "refute", "peek": "accuse"}
KINDS = ("suspects", "weapons", "rooms")


class Game:
    """A game, as far as the events tell it."""

    def __init__(self, message):
        assert message.keys() == GAME
        assert re.fullmatch("[0-9a-f]{16}", message["seed"])
        self.random = random.Random(message["seed"])
        self.deck, self.rules, self.players = message["deck"], message["rules"], message["players"]
        self.me, self.hand = message["seat"], message["hand"]
        cards = [card for kind in KINDS for card in self.deck[kind]]
        held = sum(player["cards"] for player in self.players)
        assert held + message["pool"] + len(message["open_cards"]) + 3 == len(cards) == len(set(cards))
        assert len(self.hand) == self.players[self.me]["cards"]
        assert set(self.hand) <= set(cards)
        self.active, self.turn, self.number = message["first"], 1, 0
        self.face_up, self.out, self.winner = list(message["open_cards"]), [], None
        self.begin_turn(self.active)
        self.check_state(message["state"])

    def begin_turn(self, seat):
        self.active, self.named, self.shower, self.shown, self.peeked, self.dice = seat, None, None, None, None, None

    def hear(self, events):
        for event in events:
            kind, seat = event["type"], event["seat"]
            may_be = EVENT[kind] | {"type", "seat"}
            sees = {"show": self.me in (seat, self.active), "peek": seat == self.me}.get(kind, True)
            assert event.keys() == (may_be if sees else may_be - {"card"})
            assert seat == self.active or kind in ("pass", "show")
            assert self.winner is None
            getattr(self, f"hear_{kind}", lambda *_: None)(seat, event)

    def hear_roll(self, _seat, event):
        self.dice = event["dice"]
        assert len(self.dice) == self.rules["dice"]

    def hear_hypothesis(self, seat, event):
        assert self.named is None
        self.named, self.asked = event["cards"], seat
        assert all(card in self.deck[kind] for card, kind in zip(self.named, KINDS, strict=True))

    def hear_pass(self, seat, _event):
        self.answers(seat)
        assert seat != self.me or not set(self.hand) & set(self.named)

    def hear_show(self, seat, event):
        self.answers(seat)
        self.shower, self.shown = seat, event.get("card")
        assert self.shown is None or self.shown in self.named
        assert self.shown is None or (self.shown in self.hand) == (seat == self.me)

    def answers(self, seat):
        self.asked = (self.asked + 1) % len(self.players)
        assert seat == self.asked != self.active
        assert self.shower is None or self.rules.get("refuters") == "all"

    def hear_peek(self, _seat, event):
        self.peeked = event["position"]

    def hear_hand(self, seat, event):
        assert self.rules["wrong_shows_hand"]
        assert len(event["cards"]) == self.players[seat]["cards"]
        self.face_up += event["cards"]

    def hear_accusation(self, seat, event):
        if event["correct"]:
            assert not set(event["cards"]) & set(self.hand)
            self.winner = seat
        else:
            self.out.append(seat)

    def hear_end_turn(self, seat, _event):
        left = [(seat + k) % len(self.players) for k in range(1, len(self.players) + 1)]
        left = [other for other in left if other not in self.out]
        if len(left) == 1 and self.rules.get("last_wins", False):
            self.winner = left[0]
        elif left and self.turn < self.rules["max_turns"]:
            self.turn += 1
            self.begin_turn(left[0])

    def check_state(self, state):
        assert state.keys() == STATE
        told = [state[key] for key in ("turn", "active", "hypothesis", "refuted_by", "card_shown", "peeked", "dice")]
        assert told == [self.turn, self.active, self.named, self.shower, self.shown, self.peeked, self.dice]
        assert sorted(state["eliminated"]) == sorted(self.out)
        assert sorted(state["face_up"]) == sorted(self.face_up)
        assert list(state["pawns"]) == self.deck["suspects"]
        assert list(state["weapons"]) == self.deck["weapons"]
        assert len(state["used"]) == len(self.players)

    def answer(self, message):
        assert message.keys() == QUESTION
        assert message["id"] > self.number
        self.number = message["id"]
        self.hear(message["events"])
        state, ask, allowed = message["state"], message["ask"], message["allowed"]
        self.check_state(state)
        assert state["to_act"] == self.me
        assert (self.me == self.active) == (ask != "card")
        assert state["step"] == STEPS.get(ask, state["step"])
        return getattr(self, f"choose_{ask}", lambda *_: None)(allowed, state)

    def choose_move(self, allowed, _state):
        assert allowed.keys() == {"roll", "stay", "secret_passage", "move"}
        moves = [{"type": "move", "to": to} for to in allowed["move"]]
        moves += [{"type": kind} for kind in ("roll", "stay", "secret_passage") if allowed[kind]]
        return self.random.choice(moves)

    choose_walk = choose_move

    def choose_hypothesis(self, allowed, state):
        assert allowed["rooms"] == [state["pawns"][self.players[self.me]["suspect"]]]
        mine = ([card for card in allowed[kind] if card in self.hand] for kind in KINDS)
        three = [self.random.choice(own or allowed[kind]) for own, kind in zip(mine, KINDS, strict=True)]
        if allowed.get("not_all_own") and set(three) <= set(self.hand):
            return None
        return {"type": "hypothesis", "cards": three}

    def choose_card(self, allowed, state):
        assert allowed["to"] == self.active == state["active"]
        assert sorted(allowed["show"]) == sorted(set(self.hand) & set(self.named))
        return {"type": "show", "card": self.random.choice(allowed["show"])}

    def choose_peek(self, allowed, _state):
        assert self.named is not None
        assert self.shower is None
        return {"type": "peek", "position": self.random.choice(allowed["positions"])}

    def choose_accusation(self, allowed, _state):
        if self.random.random() < 0.98:
            return None
        return {"type": "accusation", "cards": [self.random.choice(allowed[kind]) for kind in KINDS]}

    def end(self, message):
        assert message.keys() == RESULT
        self.hear(message["events"])
        self.check_state(message["state"])
        assert (message["winner"], message["turns"]) == (self.winner, self.turn)
        assert message["reason"] in ("solved", "unsolved", "unfinished")
        assert message["state"]["step"] == "over"


def say(message):
    sys.stdout.buffer.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
    sys.stdout.buffer.flush()


game = None
for line in sys.stdin.buffer:
    assert line.endswith(b"}\n")
    heard = json.loads(line.decode("utf-8"))
    if heard["type"] == "hello":
        assert heard.keys() == {"type", "protocol", "host"}
        assert heard["protocol"] == 1
        say({"type": "hello", "protocol": 1, "name": "strict"})
    elif heard["type"] == "game":
        game = Game(heard)
    elif heard["type"] == "question":
        say({"id": heard["id"], "answer": game.answer(heard)})
    else:
        game.end(heard)
        game = None
