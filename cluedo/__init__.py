"""Cluedo: the game, its players, and honest comparisons between them.

:func:`play` plays a game, :func:`compare` plays many and tells who is better, and a :class:`Case` proves and counts
what somebody at a table can know:

>>> import cluedo
>>> cluedo.play("classic", ["easy", "medium", "medium"], seed=7)
<game on classic, seed 7: medium on seat 2 wins after 49 turns>

The game itself is in :mod:`cluedo.engine`, the players in :mod:`cluedo.ai`, batches of games in
:mod:`cluedo.experiments`, and what people see and type in :mod:`cluedo.cli`, :mod:`cluedo.tui` and :mod:`cluedo.web`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cluedo.ai.match import Fault as Fault, Match as Match
    from cluedo.ai.player import Clock as Clock, Movement as Movement, Player as Player
    from cluedo.engine.board import Board as Board
    from cluedo.engine.cards import Category as Category, Deck as Deck
    from cluedo.engine.commands import (
        Accusation as Accusation,
        Command as Command,
        EndTurn as EndTurn,
        Hypothesis as Hypothesis,
        Move as Move,
        Peek as Peek,
        Roll as Roll,
        SecretPassage as SecretPassage,
        ShowCard as ShowCard,
        Stay as Stay,
    )
    from cluedo.engine.deal import Deal as Deal, Dice as Dice, Seeds as Seeds, draw_deal as draw_deal
    from cluedo.engine.editions import Edition as Edition, shipped_editions as shipped_editions
    from cluedo.engine.errors import (
        CluedoError as CluedoError,
        IllegalCommand as IllegalCommand,
        MapError as MapError,
        PlayerError as PlayerError,
        RecordError as RecordError,
        SetupError as SetupError,
    )
    from cluedo.engine.game import Game as Game, Result as Result
    from cluedo.engine.mapfile import MapFile as MapFile, map_names as map_names
    from cluedo.engine.record import (
        GameRecord as GameRecord,
        RecordWriter as RecordWriter,
        iter_records as iter_records,
        read_record as read_record,
    )
    from cluedo.engine.rules import Rules as Rules
    from cluedo.engine.state import Step as Step
    from cluedo.engine.view import PlayerView as PlayerView
    from cluedo.session.case.case import Case as Case
    from cluedo.session.library.comparison import Comparison as Comparison, compare as compare
    from cluedo.session.library.one_game import PlayedGame as PlayedGame, play as play

__version__ = "0.1.0"

# The names are imported when they are first asked for (PEP 562): numpy and pydantic take a fifth of a second to import,
# and neither `cluedo --help` nor a program that needs one module of this package has to wait for them.
_HOMES: Final = {
    "ai.match": "Fault Match",
    "ai.player": "Clock Movement Player",
    "engine.board": "Board",
    "engine.cards": "Category Deck",
    "engine.commands": "Accusation Command EndTurn Hypothesis Move Peek Roll SecretPassage ShowCard Stay",
    "engine.deal": "Deal Dice Seeds draw_deal",
    "engine.editions": "Edition shipped_editions",
    "engine.errors": "CluedoError IllegalCommand MapError PlayerError RecordError SetupError",
    "engine.game": "Game Result",
    "engine.mapfile": "MapFile map_names",
    "engine.record": "GameRecord RecordWriter iter_records read_record",
    "engine.rules": "Rules",
    "engine.state": "Step",
    "engine.view": "PlayerView",
    "session.case.case": "Case",
    "session.library.comparison": "Comparison compare",
    "session.library.one_game": "PlayedGame play",
}
"""By module, the public names that live there; a test compares them with the imports for type checkers."""

_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = ["__version__", *_HOME_OF]  # noqa: PLE0604 - type checkers read the imports above


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value  # the next one finds it without coming here
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
