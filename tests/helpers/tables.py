"""Tables for the assistant: settings, and real games as one seat noted them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from cluedo.ai.knowledge import case_log
from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.board import Board
from cluedo.engine.entries import Entry
from cluedo.engine.events import as_seen_by
from cluedo.engine.rules import Rules
from cluedo.session.case.case import Case
from helpers.support import drawn_game, make_match


def setting_of(
    board: str = "classic",
    players: Sequence[str] = ("Mustard", "White", "Green"),
    me: str | None = "Green",
    hand: Sequence[str] = ("Rope", "Hall", "Study", "Plum", "Green", "Dagger"),
    *,
    free: bool = False,
) -> Setting:
    """A table of a shipped map."""
    deck = Board.load(board).deck
    each, more = divmod(deck.size - 3, len(players))
    seated = [(name, each + (seat < more)) for seat, name in enumerate(players)]
    rules = Rules(movement="free" if free else "walk")
    return Setting.make(Board.load(board), seated, me, hand if me else None, rules=rules)


def fresh(*lines: str, **table: Any) -> Case:
    """A case at the usual table, or another one, with some lines entered."""
    case = Case(setting_of(**table))
    for line in lines:
        case.enter(case.grammar.parse(line))
    return case


@cache
def noted_game(
    board: str, seats: int, seed: int, level: str = "hard", me: int = 0
) -> tuple[Setting, tuple[Entry, ...]]:
    """A whole game as the player of seat ``me`` would enter it; the seats are called by their suspects."""
    movement = "walk" if Board.load(board).has_grid else "free"
    game = drawn_game(Board.load(board), seats, seed, movement=movement)
    make_match(game, [level] * seats, seed).play()
    seen = [as_seen_by(event, me) for event in game.events]
    log = case_log(game.table, seen, me, game.state.deal.hands[me])
    return log.setting, log.entries
