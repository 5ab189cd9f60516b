"""Reads and checks what a caller in Python gives: players, lists of cards, a board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from cluedo.ai.levels import PlayerSpec, check_list, parse_player
from cluedo.ai.player import Player
from cluedo.bots.naming import ProgramSpec, prepare_all, read_line_up
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError, PlayerError, SetupError, short_repr
from cluedo.engine.rules import Rules

__all__ = [
    "AnyPlayer",
    "check_cards",
    "prepare_players",
    "read_players",
    "source_of",
]

AnyPlayer: TypeAlias = str | Player | type[Player]
"""A player's text as on the command line, a class of yours, or an object that plays this one game."""


def check_cards(name: str, cards: object) -> None:
    """Raise :class:`CluedoError` unless the argument of this name is a list of names of cards, or None."""
    if cards is None or (
        not isinstance(cards, str) and isinstance(cards, Sequence) and all(isinstance(card, str) for card in cards)
    ):
        return
    raise CluedoError(
        "{name} is a list of cards, such as ['Plum', 'Rope'], not {what}", name=name, what=short_repr(cards)
    )


def source_of(board: Board) -> str:
    """The name or path by which others find a board; raises :class:`SetupError` for a board without one."""
    try:
        same = Board.load(board.source).map == board.map
    except CluedoError:
        same = False
    if not same:
        raise SetupError("the board {name} has to be in a file, where others find it", name=board.map.name)
    return board.source


def read_players(players: Sequence[AnyPlayer], *, trusted: bool) -> list[PlayerSpec | Player]:
    """Read the players: specifications to make them by, or player objects; raises :class:`PlayerError`.

    Args:
        players: by seat.
        trusted: whether classes of files and installed packages play in this process.
    """
    check_list(players)
    if not isinstance(trusted, bool):
        raise SetupError("trusted is True or False, not {what}", what=short_repr(trusted))
    texts = iter(read_line_up([who for who in players if isinstance(who, str)], trusted=trusted))
    found: list[PlayerSpec | Player] = []
    for who in players:
        if isinstance(who, str):
            found.append(next(texts))
        elif isinstance(who, type) and issubclass(who, Player):
            found.append(parse_player(who))
        elif isinstance(who, Player):
            if any(who is other for other in found):
                raise PlayerError("{what}: one object plays one seat; make another", what=type(who).__name__)
            found.append(who)
        else:
            raise PlayerError("a player is a text, a Player or a class of players, not {what}", what=short_repr(who))
    return found


def prepare_players(line_up: Sequence[PlayerSpec | Player], board: Board, rules: Rules) -> list[str]:
    """Check and prepare the players: load levels, start programs. Returns their names.

    Raises:
        PlayerError: one cannot.
    """
    specs = [who if isinstance(who, PlayerSpec) else PlayerSpec(type(who).__name__, type(who), ()) for who in line_up]
    for spec in specs:
        spec.check(board.deck, rules, len(specs))
        if isinstance(spec, ProgramSpec):
            spec.bot.forget_failures()
    prepare_all(specs)
    return [spec.text for spec in specs]
