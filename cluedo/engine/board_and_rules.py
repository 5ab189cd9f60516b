"""The board and the rules of games, from what a caller in Python gives for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from cluedo.engine.board import Board
from cluedo.engine.cards import closest
from cluedo.engine.deal import check_player_count, check_seats
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.errors import SetupError, short_repr
from cluedo.engine.mapfile import MapFile, map_names
from cluedo.engine.rules import BOX_RULES, Rules

__all__ = ["AnyBoard", "AnyRules", "board_and_rules", "named_board_and_rules"]

AnyBoard: TypeAlias = str | Path | Board | MapFile | Edition
"""A board's name or path, an edition's name or the path of its TOML file, or one of these as an object."""

AnyRules: TypeAlias = Rules | Mapping[str, object] | None
"""All the rules, or those that differ, such as ``{"dice": 1}``; None for those of the edition, or of the box."""


def board_and_rules(board: AnyBoard, rules: AnyRules, players: int) -> tuple[Board, Rules]:
    """The board and the rules of games for some players; raises :class:`CluedoError` if they do not fit together."""
    found, chosen = named_board_and_rules(board, rules, players)
    found.check_movement(chosen)
    check_seats(found.deck, chosen, players)
    return found, chosen


def named_board_and_rules(board: AnyBoard, rules: AnyRules, players: int) -> tuple[Board, Rules]:
    """What is named, for people who play with a box of their own: a deck will do, and two may play without a pool.

    A name that is a board's and an edition's is the board's, which is played by the rules of the box.
    """
    check_player_count(players)
    found = _named(str(board)) if isinstance(board, str | Path) else board
    usual = BOX_RULES
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
    return found, _changed(usual, rules)


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


def _changed(usual: Rules, rules: AnyRules) -> Rules:
    """The usual rules, with those that somebody has given."""
    if isinstance(rules, Mapping):
        return Rules.from_options([f"{key}={value}" for key, value in rules.items()], usual)
    if not isinstance(rules, Rules | None):
        raise SetupError("rules are a Rules or a dict of those that differ, not {what}", what=short_repr(rules))
    return usual if rules is None else rules
