"""A second referee, written from the rules alone: names instead of numbers, searches instead of tables.

:class:`SlowGame` shares nothing with the engine but the map's graph, the deal and the command classes in which it
gives its answers, and it is slow on purpose: rule 7, for one, is read off each seat's whole history.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Collection
from itertools import product
from random import Random
from typing import Any

import networkx as nx

from cluedo.engine.board import Board
from cluedo.engine.commands import (
    Accusation,
    Command,
    EndTurn,
    Hypothesis,
    Move,
    Peek,
    Roll,
    SecretPassage,
    ShowCard,
    Stay,
)
from cluedo.engine.deal import Deal
from cluedo.engine.game import Game, Result
from cluedo.engine.rules import Rules
from helpers.support import play_random

Node = tuple[int, int] | str


def walk_lengths(graph: nx.Graph[Any], start: Node, pawns: Collection[Node]) -> dict[Node, int]:
    """Plain breadth-first search: the fewest steps from ``start`` to every place where a walk may end."""
    steps = {start: 0}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        if isinstance(here, str) and here != start:
            continue  # entering a room ends the walk
        for there, edge in graph[here].items():
            if edge["kind"] != "passage" and there not in steps and there not in pawns:
                steps[there] = steps[here] + 1
                todo.append(there)
    del steps[start]
    return steps


def walk_ends(graph: nx.Graph[Any], start: Node, steps: int, pawns: Collection[Node]) -> set[Node]:
    """Where a walk of at most so many steps may end."""
    return {node for node, length in walk_lengths(graph, start, pawns).items() if length <= steps}


class SlowGame:
    """The whole state, by names; :meth:`legal` and :meth:`do` are all there is."""

    def __init__(self, board: Board, rules: Rules, deal: Deal):
        deck = board.deck
        self.board, self.rules, self.deal = board, rules, deal
        self.suspects = [deck.names[card] for card in deck.suspects]
        self.weapons = [deck.names[card] for card in deck.weapons]
        self.rooms = [deck.names[card] for card in deck.rooms]
        self.mine = [deck.names[card] for card in deal.suspects]
        self.hands = [set(deck.names_in(mask)) for mask in deal.hands]
        self.envelope = tuple(deck.names[card] for card in deal.envelope)
        starts = zip(self.suspects, board.starts, strict=True)
        self.pawns: dict[str, Node] = {name: board.node(start) for name, start in starts}
        self.history: list[list[tuple[str, Node]]] = [[] for _ in self.mine]
        self.rolls = [0] * len(self.mine)
        self.out: set[int] = set()
        self.seat, self.turn, self.phase = deal.first, 1, "move"
        self.total = 0
        self.asked: tuple[str, str, str] | None = None
        self.shower = -1
        self.peeked = False
        self.answered = False
        self.shown_hands: set[int] = set()
        self.seen: list[set[str]] = [set(deck.names_in(deal.open_cards)) for _ in self.mine]
        self.ending: tuple[int | None, str] | None = None

    def copy(self) -> SlowGame:
        """A game of its own in the same state."""
        other = copy.copy(self)
        other.pawns, other.out, other.rolls = dict(self.pawns), set(self.out), list(self.rolls)
        other.shown_hands, other.seen = set(self.shown_hands), [set(cards) for cards in self.seen]
        other.history = [list(events) for events in self.history]
        return other

    @property
    def here(self) -> Node:
        """Where the active pawn stands."""
        return self.pawns[self.mine[self.seat]]

    @property
    def to_act(self) -> int:
        """Who decides now."""
        return self.shower if self.phase == "show" else self.seat

    def passage(self) -> str | None:
        """The room behind the secret passage of this room."""
        for there, edge in self.board.graph[self.here].items():
            if edge["kind"] == "passage":
                return str(there)
        return None

    def may_ask(self) -> bool:
        """Rules 6 and 7, from the seat's whole history."""
        here = self.here
        if not isinstance(here, str):
            return False
        if self.rules.movement == "free":
            return True
        since: list[tuple[str, Node]] | None = None
        for what, room in self.history[self.seat]:
            if (what, room) == ("asked", here):
                since = []
            elif since is not None:
                since.append((what, room))
        if since is None:
            return True
        return any(what == "drawn" or (what == "entered" and room != here) for what, room in since)

    def legal(self) -> set[Command]:
        """Every command that may be given now."""
        place, card = self.board.place, self.board.deck.id
        here = self.here
        found: set[Command] = set()
        if self.phase in ("move", "walk"):
            found.add(Stay())
        if self.phase == "move" and self.rules.movement == "free":
            found |= {Move(place(room)) for room in self.rooms if room != here}
        elif self.phase == "move":
            found.add(Roll())
            if self.passage() is not None:
                found.add(SecretPassage())
        elif self.phase == "walk":
            others = [node for name, node in self.pawns.items() if name != self.mine[self.seat]]
            squares = [node for node in others if not isinstance(node, str)]
            found |= {Move(place(node)) for node in walk_ends(self.board.graph, here, self.total, squares)}
        elif self.phase == "show":
            assert self.asked is not None
            found |= {ShowCard(card(name)) for name in self.hands[self.shower] & set(self.asked)}
        if self.phase == "ask" and isinstance(here, str):
            triples = product(self.suspects, self.weapons, [here])
            found |= {Hypothesis(*map(card, triple)) for triple in triples if self.may_name(triple)}
        if self.phase in ("ask", "accuse"):
            triples = product(self.suspects, self.weapons, self.rooms)
            everywhere = self.rules.accuse_in == "anywhere"
            found |= {Accusation(*map(card, triple)) for triple in triples if everywhere or triple[2] == here}
        if self.may_peek():
            found |= {Peek(position) for position in range(len(self.deal.pool))}
        if self.phase in ("ask", "accuse", "end"):
            found.add(EndTurn())
        return found

    def may_name(self, triple: tuple[str, str, str]) -> bool:
        """Rule 16."""
        return self.rules.own_cards == "any" or not self.hands[self.seat].issuperset(triple)

    def may_peek(self) -> bool:
        """Rule 15."""
        asking = self.phase == "accuse" and self.asked is not None and not self.answered
        return self.rules.peek and asking and not self.peeked

    def do(self, command: Command) -> None:
        """Do a legal command."""
        names = self.board.deck.names
        match command:
            case Roll():
                self.total = sum(self.deal.dice[self.seat][self.rolls[self.seat]])
                self.rolls[self.seat] += 1
                self.phase = "walk"
            case Move(to):
                self._arrive(self.board.node(to))
            case SecretPassage():
                passage = self.passage()
                assert passage is not None
                self._arrive(passage)
            case Stay():
                self._arrive(None)
            case Hypothesis(suspect, weapon, room):
                self._ask(names[suspect], names[weapon], names[room])
            case ShowCard(card):
                self.seen[self.seat].add(names[card])
                self.answered = True
                self._ask_from(self.shower if self.rules.refuters == "all" else self.seat - 1)
            case Peek(position):
                self.seen[self.seat].add(names[self.deal.pool[position]])
                self.peeked = True
            case Accusation(suspect, weapon, room):
                self._accuse((names[suspect], names[weapon], names[room]))
            case EndTurn():
                self._end_turn()

    def _arrive(self, to: Node | None) -> None:
        if to is not None:
            self.pawns[self.mine[self.seat]] = to
            if isinstance(to, str):
                self.history[self.seat].append(("entered", to))
        self.phase = "ask" if self.may_ask() else "accuse"

    def _ask(self, suspect: str, weapon: str, room: str) -> None:
        self.history[self.seat].append(("asked", room))
        self.asked = (suspect, weapon, room)
        if self.pawns[suspect] != room:
            self.pawns[suspect] = room
            if suspect in self.mine:
                self.history[self.mine.index(suspect)].append(("drawn", room))
        self._ask_from(self.seat)

    def _ask_from(self, last: int) -> None:
        """Rules 9 and 19: those who sit between the seat ``last`` and the asker, clockwise, have not been asked yet."""
        assert self.asked is not None
        self.phase = "accuse"
        others = [(last + k) % len(self.mine) for k in range(1, len(self.mine) + 1)]
        for other in others[: others.index(self.seat)]:
            if self.hands[other] & set(self.asked):
                self.phase, self.shower = "show", other
                return

    def _accuse(self, names: tuple[str, str, str]) -> None:
        if names == self.envelope:
            self.ending, self.phase = (self.seat, "solved"), "over"
            return
        self.out.add(self.seat)
        self.phase = "end"
        if self.rules.wrong_shows_hand:
            self.shown_hands.add(self.seat)
            for cards in self.seen:
                cards |= self.hands[self.seat]
        for there, edge in self.board.graph[self.here].items():
            if edge["kind"] == "door" and not isinstance(self.here, str):
                self.pawns[self.mine[self.seat]] = there
                break

    def _end_turn(self) -> None:
        staying = [seat for seat in range(len(self.mine)) if seat not in self.out]
        if not staying:
            self.ending, self.phase = (None, "unsolved"), "over"
        elif len(staying) == 1 and self.rules.last_wins:
            self.ending, self.phase = (staying[0], "unsolved"), "over"
        elif self.turn == self.rules.max_turns:
            self.ending, self.phase = (None, "unfinished"), "over"
        else:
            self.turn += 1
            self.phase, self.asked, self.shower = "move", None, -1
            self.peeked = self.answered = False
            self.seat = next(seat for k in range(1, 99) if (seat := (self.seat + k) % len(self.mine)) not in self.out)


def agree(game: Game, twin: SlowGame) -> None:
    """Assert that the engine and the second referee see the same position."""
    board = game.table.board
    assert set(game.legal()) == twin.legal()
    assert [board.node(place) for place in game.state.pawns] == list(twin.pawns.values())
    if game.over:
        assert twin.ending is not None
        assert game.result == Result(*twin.ending, twin.turn)
    else:
        assert (game.state.turn, game.state.active, game.state.to_act) == (twin.turn, twin.seat, twin.to_act)


def play_beside(game: Game, random: Random, manner: str, insight: float) -> SlowGame:
    """Play a random game, compared at every step with the second referee, who is returned."""
    twin = SlowGame(game.table.board, game.table.rules, game.state.deal)

    def step(command: Command) -> None:
        agree(game, twin)
        twin.do(command)

    play_random(game, random, manner, insight=insight, before=step)
    agree(game, twin)
    return twin


def sequences(game: SlowGame, depth: int) -> int:
    """The number of sequences of ``depth`` legal commands from here, all of them tried."""
    if depth == 1:
        return len(game.legal())
    total = 0
    for command in game.legal():
        following = game.copy()
        following.do(command)
        total += sequences(following, depth - 1)
    return total
