"""Cluedo: the game, its players, and honest comparisons between them.

The game itself is in :mod:`cluedo.engine`, the players in :mod:`cluedo.ai`, batches of games in
:mod:`cluedo.experiments`, and what people see and type in :mod:`cluedo.cli` and :mod:`cluedo.tui`.

The names below are imported when they are first asked for (PEP 562): numpy and pydantic take a fifth of a second
to import, and neither ``cluedo --help`` nor a program that needs one module of this package has to wait for them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
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

__all__ = [
    "Accusation",
    "Board",
    "Card",
    "Category",
    "CluedoError",
    "Command",
    "Deal",
    "Deck",
    "Dice",
    "Edition",
    "EndTurn",
    "Game",
    "GameRecord",
    "Hypothesis",
    "IllegalCommand",
    "MapError",
    "MapFile",
    "Move",
    "Peek",
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
    "draw_deal",
    "iter_records",
    "map_names",
    "read_record",
    "shipped_editions",
]

__version__ = "0.1.0"

_HOMES: Final = {
    "board": "Board",
    "cards": "Card Category Deck",
    "commands": "Accusation Command EndTurn Hypothesis Move Peek Roll SecretPassage ShowCard Stay",
    "deal": "Deal Dice Seeds draw_deal",
    "editions": "Edition shipped_editions",
    "errors": "CluedoError IllegalCommand MapError PlayerError RecordError SetupError",
    "game": "Game Result",
    "mapfile": "MapFile map_names",
    "record": "GameRecord RecordWriter",
    "record_files": "iter_records read_record",
    "rules": "Rules",
    "state": "Step",
    "view": "PlayerView",
}
"""By module, the names above that live there; a test compares them with the imports for type checkers."""

_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.engine.{_HOME_OF[name]}"), name)
    globals()[name] = value  # the next one finds it without coming here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
