"""How cost grows: with seats, cards, events, games and workers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from statistics import median

from bench.detective import DECK, odds
from bench.figures import markdown, runner_of, seconds_a_game, short
from bench.laboratory import autoplay
from helpers.knowledge_tables import named_deck, plain_deck

from cluedo.ai.knowledge import CHOICE, KINDS
from cluedo.engine.cards import Deck

LEVELS = {"random": 400, "medium": 200, "hard": 60, "expert": 24}
"""Games of each level."""

WORKED = 60_000

DECKS = (named_deck("tiny"), DECK, named_deck("master"), plain_deck(12, 12, 16))


def tables() -> Iterator[tuple[str, str]]:
    """The title of each table, and the table."""
    yield "Seats: a game of `manoir`, in ms of CPU, and the odds after 5 hypotheses, in ms.", _seats()
    yield "Cards: the odds with 4 seats after 5 hypotheses, in ms.", _cards()
    yield "Events: the odds with `classic`, in ms.", _events()
    yield "Games: `cluedo autoplay` of four `random` on one worker.", _games()
    yield f"Workers: `cluedo autoplay` of {WORKED:,} games of four `random`, by the clock.", _workers()


def _middle(once: Callable[[], float]) -> str:
    return short(1000 * median(once() for _ in range(5)))


def _odds(deck: Deck, seats: int, hypotheses: int) -> list[str]:
    return [_middle(odds(model, deck, seats, hypotheses, 20)) for model in (CHOICE, KINDS)]


def _seats() -> str:
    head = ("seats", *(f"`{level}`" for level in LEVELS), "`choice`", "`kinds`")
    rows = []
    for seats in range(3, 7):
        games = []
        for level, count in LEVELS.items():
            runner = runner_of(*[level] * seats)
            seconds_a_game(runner, 2)
            games.append(short(1000 * seconds_a_game(runner, count)))
        rows.append([str(seats), *games, *_odds(DECK, seats, 5)])
    return markdown(head, rows)


def _cards() -> str:
    rows = [[str(deck.size), *_odds(deck, 4, 5)] for deck in DECKS]
    return markdown(("cards", "`choice`", "`kinds`"), rows)


def _events() -> str:
    rows = [[str(n), *_odds(DECK, 4, n), *_odds(DECK, 6, n)] for n in (0, 5, 10, 20, 40)]
    head = ("hypotheses", *(f"`{model}`, {seats} seats" for seats in (4, 6) for model in ("choice", "kinds")))
    return markdown(head, rows)


def _games() -> str:
    rows = []
    for games in (1_000, 10_000, 100_000):
        took, memory = autoplay(games, 1)
        rows.append([f"{games:,}", short(took), short(1e6 * took / games), short(memory)])
    return markdown(("games", "s by the clock", "µs a game", "MB at most"), rows)


def _workers() -> str:
    rows, alone = [], 0.0
    for workers in range(1, (os.cpu_count() or 1) + 1):
        took, _ = autoplay(WORKED, workers)
        alone = alone or took
        rows.append([str(workers), short(took), short(alone / took)])
    return markdown(("workers", "s", "times as fast"), rows)
