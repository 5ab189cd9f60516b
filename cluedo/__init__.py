"""Cluedo: the game, its players, and honest comparisons between them.

:func:`play` plays a game, :func:`compare` plays many and tells who is better, and a :class:`Case` proves and counts
what somebody at a table can know:

>>> import cluedo
>>> cluedo.play("classic", ["easy", "medium", "medium"], seed=7)
<game on classic, seed 7: medium on seat 2 wins after 49 turns>

The game itself is in :mod:`cluedo.engine`, the players in :mod:`cluedo.ai`, batches of games in
:mod:`cluedo.experiments`, and what people see and type in :mod:`cluedo.cli` and :mod:`cluedo.tui`.

The names below are imported when they are first asked for (PEP 562): numpy and pydantic take a fifth of a second
to import, and neither ``cluedo --help`` nor a program that needs one module of this package has to wait for them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cluedo.ai.match import Fault, Match
    from cluedo.ai.player import Player
    from cluedo.engine.board import Board
    from cluedo.engine.cards import Card, Category, Deck
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
    from cluedo.engine.deal import Deal, Dice, Seeds, draw_deal
    from cluedo.engine.editions import Edition, shipped_editions
    from cluedo.engine.errors import CluedoError, IllegalCommand, MapError, PlayerError, RecordError, SetupError
    from cluedo.engine.game import Game, Result
    from cluedo.engine.mapfile import MapFile, map_names
    from cluedo.engine.record import GameRecord, RecordWriter
    from cluedo.engine.record_files import iter_records, read_record
    from cluedo.engine.rules import Rules
    from cluedo.engine.state import Step
    from cluedo.engine.view import PlayerView
    from cluedo.session.case.case import Case
    from cluedo.session.library.comparison import Comparison, compare
    from cluedo.session.library.one_game import PlayedGame, play

__all__ = [
    "Accusation",
    "Board",
    "Card",
    "Case",
    "Category",
    "CluedoError",
    "Command",
    "Comparison",
    "Deal",
    "Deck",
    "Dice",
    "Edition",
    "EndTurn",
    "Fault",
    "Game",
    "GameRecord",
    "Hypothesis",
    "IllegalCommand",
    "MapError",
    "MapFile",
    "Match",
    "Move",
    "Peek",
    "PlayedGame",
    "Player",
    "PlayerError",
    "PlayerView",
    "RecordError",
    "RecordWriter",
    "Result",
    "Roll",
    "Rules",
    "SecretPassage",
    "Seeds",
    "SetupError",
    "ShowCard",
    "Stay",
    "Step",
    "__version__",
    "compare",
    "draw_deal",
    "iter_records",
    "map_names",
    "play",
    "read_record",
    "shipped_editions",
]

__version__ = "0.1.0"

_HOMES: Final = {
    "ai.match": "Fault Match",
    "ai.player": "Player",
    "engine.board": "Board",
    "engine.cards": "Card Category Deck",
    "engine.commands": "Accusation Command EndTurn Hypothesis Move Peek Roll SecretPassage ShowCard Stay",
    "engine.deal": "Deal Dice Seeds draw_deal",
    "engine.editions": "Edition shipped_editions",
    "engine.errors": "CluedoError IllegalCommand MapError PlayerError RecordError SetupError",
    "engine.game": "Game Result",
    "engine.mapfile": "MapFile map_names",
    "engine.record": "GameRecord RecordWriter",
    "engine.record_files": "iter_records read_record",
    "engine.rules": "Rules",
    "engine.state": "Step",
    "engine.view": "PlayerView",
    "session.case.case": "Case",
    "session.library.comparison": "Comparison compare",
    "session.library.one_game": "PlayedGame play",
}
"""By module, the names above that live there; a test compares them with the imports for type checkers."""

_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value  # the next one finds it without coming here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
