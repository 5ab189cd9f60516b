"""Rules of editions and houses, each alone and all together, for tests of everything that plays by them."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from cluedo.engine.game import Game
from helpers.support import LARGE_DECK, board_from, board_of, drawn_game

__all__ = ["EDITIONS", "Edition", "edition_game", "large_game"]


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
    "bonus": Edition((2, 3), {"pool": 3, "starts": "first_suspect", "start_bonus": "peek"}),
    "together": Edition(
        (2, 3, 4),
        {
            "pool": 1,
            "leftover": "pool",
            "peek": True,
            "own_cards": "not_all",
            "accuse_in": "room",
            "wrong_shows_hand": True,
            "refuters": "all",
            "starts": "first_suspect",
            "start_bonus": "peek",
        },
    ),
}
"""By name; every rule from 13 on is in one of them at least."""


def edition_game(name: str, number: int, *, board: str = "tiny", **more: Any) -> Game:
    """A game of an edition as it is dealt: its seats and whether it is walked change with the number."""
    seats, rules = EDITIONS[name]
    free = Random(number).random() < 0.3
    return drawn_game(
        board_of(board),
        seats[number % len(seats)],
        seed=number,
        movement="free" if free else "walk",
        **rules,
        **more,
    )


def large_game(seats: int, seed: int = 0, **rules: Any) -> Game:
    """A game with a deck of 10 suspects."""
    return drawn_game(board_from(LARGE_DECK), seats, seed, movement="free", **rules)
