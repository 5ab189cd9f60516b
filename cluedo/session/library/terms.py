"""Reads and checks what a caller in Python gives: board, rules and players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from cluedo.ai.levels import PlayerSpec, checked_spec
from cluedo.ai.player import Player
from cluedo.bots.naming import ProgramSpec, prepare_all, read_line_up
from cluedo.engine.board import Board
from cluedo.engine.cards import closest
from cluedo.engine.deal import check_seats
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.errors import CluedoError, PlayerError, SetupError, short_repr
from cluedo.engine.mapfile import MapFile, map_names
from cluedo.engine.rules import Rules

__all__ = [
    "AnyBoard",
    "AnyPlayer",
    "AnyRules",
    "board_and_rules",
    "check_list",
    "prepare_players",
    "read_players",
    "source_of",
]

AnyBoard: TypeAlias = str | Path | Board | MapFile | Edition
"""A board's name or path, an edition's name or the path of its TOML file, or one of these as an object."""

AnyRules: TypeAlias = Rules | Mapping[str, object] | None
"""All the rules, or those that differ, such as ``{"dice": 1}``; None for those of the edition, or of the box."""

AnyPlayer: TypeAlias = str | Player | type[Player]
"""A player's text as on the command line, a class of yours, or an object that plays this one game."""


def board_and_rules(board: AnyBoard, rules: AnyRules, players: int) -> tuple[Board, Rules]:
    """The board and the rules of games for some players; raises :class:`CluedoError` if they do not fit together.

    A name that is a board's and an edition's is the board's, which is played by the rules of the box.
    """
    found = _named(str(board)) if isinstance(board, str | Path) else board
    usual = Rules()
    if isinstance(found, Edition):
        found.check_players(players)
        usual = found.rules
        found = Board.load(found.map)
    if isinstance(found, MapFile):
        found = Board(found)
    if not isinstance(found, Board):
        raise SetupError(
            "a board is a name, a path, a Board, a MapFile or an Edition, not {what}", what=short_repr(found)
        )
    chosen = Rules.given(rules, usual)
    found.check_movement(chosen)
    check_seats(found.deck, chosen, players)
    return found, chosen


def _named(name: str) -> Board | Edition:
    editions = [edition.name for edition in shipped_editions()]
    if name in map_names() or name.endswith(".json"):
        return Board.load(name)
    if name in editions or name.endswith(".toml"):
        return Edition.load(name)
    raise SetupError(
        "no board or edition is called {name!r}; {closest}; or give the path of a .json or .toml file",
        name=name,
        closest=closest(name, dict.fromkeys([*map_names(), *editions])),
    )


def check_list(players: object) -> None:
    """Raise :class:`PlayerError` unless the players are a list, a tuple or the like."""
    if isinstance(players, str):
        raise PlayerError("the players are a list, such as {example}, not one text", example=players.split(","))
    if not isinstance(players, Sequence | Mapping):
        raise PlayerError(
            "the players are a list, such as ['hard', 'easy', 'easy'], not {what}", what=short_repr(players)
        )


@lru_cache(maxsize=16)  # a board does not change, and to read one again takes longer than a game
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
            found.append(checked_spec(who.__name__, who, ()))
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
            spec.bot.begin_batch()
    prepare_all(specs)
    return [spec.text for spec in specs]
