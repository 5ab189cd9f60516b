"""Rules of editions and houses, each alone and all together, for tests of everything that plays by them."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Hypothesis
from cluedo.engine.game import Game
from helpers.support import LARGE_DECK, board_from, drawn_game, go


class Edition(NamedTuple):
    """How many may sit at the table, and by which rules."""

    seats: tuple[int, ...]
    rules: dict[str, Any]


EDITIONS: dict[str, Edition] = {
    "two": Edition((2,), {"pool": 4, "peek": True}),
    "blind_pool": Edition((2, 3), {"pool": 2}),
    "open": Edition((3, 4), {"leftover": "open"}),
    "face_down": Edition((3, 4), {"leftover": "pool", "peek": True}),
    "not_all_own": Edition((3, 4), {"own_cards": "not_all"}),
    "accuse_here": Edition((3, 4), {"accuse_in": "room"}),
    "open_hand": Edition((3, 4), {"wrong_shows_hand": True}),
    "all_answer": Edition((3, 4), {"refuters": "all"}),
    "first_suspect": Edition((2, 3), {"pool": 3, "peek": True, "starts": "first_suspect"}),
    "last_wins": Edition((3, 4), {"last_wins": True}),
}
ALL_RULES = {"pool": 1, "leftover": "pool", "peek": True, "own_cards": "not_all", "accuse_in": "room"}
ALL_RULES |= {"wrong_shows_hand": True, "refuters": "all", "starts": "first_suspect", "last_wins": True}
EDITIONS["together"] = Edition((2, 3, 4), ALL_RULES)
"""By name; every rule from 13 on is in one of them, and all of them are ``together``."""


def go_to(game: Game, room: int) -> None:
    """Be in a room, under free movement."""
    go(game, game.table.deck.names[room])


def unanswered(**rules: Any) -> Game:
    """A game of two on the map tiny whose first hypothesis nobody can answer."""
    game = drawn_game(Board.load("tiny"), 2, 5, pool=4, movement="free", **rules)
    ask_in_vain(game)
    return game


def ask_in_vain(game: Game) -> None:
    """Have the active player, who may go anywhere, ask about cards that nobody else holds."""
    deal = game.state.deal
    mine = {*deal.pool, *deal.envelope, *bits(deal.hands[game.state.active])}
    suspect, weapon, room = (next(card for card in ids if card in mine) for ids in game.table.deck.ids)
    go_to(game, room)
    game.execute(Hypothesis(suspect, weapon, room))
    assert game.state.refuted_by is None


def edition_game(name: str, number: int, *, board: str = "tiny", **more: Any) -> Game:
    """A game of an edition as it is dealt: its seats and whether it is walked change with the number."""
    seats, rules = EDITIONS[name]
    free = Random(number).random() < 0.3
    movement = "free" if free else "walk"
    return drawn_game(Board.load(board), seats[number % len(seats)], seed=number, movement=movement, **rules, **more)


def large_game(seats: int) -> Game:
    """A game with a deck of 10 suspects."""
    return drawn_game(board_from(LARGE_DECK), seats, 0, movement="free")
