"""Cluedo: the game itself. A mansion from JSON, the rules, commands, events, views and records.

The players are in :mod:`cluedo.ai`, batches of games in :mod:`cluedo.experiments`, and everything
for people at a terminal in :mod:`cluedo.cli`.
"""

from cluedo.board import Board
from cluedo.cards import Card, Category, Deck
from cluedo.commands import (
    Accusation,
    Command,
    EndTurn,
    Hypothesis,
    Move,
    Roll,
    SecretPassage,
    ShowCard,
    Stay,
)
from cluedo.deal import Deal, Dice, Seeds, draw_deal
from cluedo.errors import CluedoError, IllegalCommand, MapError, PlayerError, RecordError, SetupError
from cluedo.game import Game, Result
from cluedo.mapfile import MapFile, map_names
from cluedo.record import GameRecord, RecordWriter, iter_records, read_record
from cluedo.rules import Rules
from cluedo.state import Step
from cluedo.view import PlayerView

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
    "EndTurn",
    "Game",
    "GameRecord",
    "Hypothesis",
    "IllegalCommand",
    "MapError",
    "MapFile",
    "Move",
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
]

__version__ = "0.1.0"
