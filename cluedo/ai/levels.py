"""The registry of levels, and how a player is named: ``level``, ``level:key=value`` or ``bot.py:Class:key=value``."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NamedTuple

from cluedo.ai.loading import class_in, file_of, is_model, is_program, somebodys_code
from cluedo.ai.parameters import arguments
from cluedo.ai.player import Player
from cluedo.engine.cards import Deck, closest
from cluedo.engine.errors import PlayerError, SetupError, one_line, short_repr
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import Rules

__all__ = [
    "COMPILED_LEVELS",
    "GROUP",
    "LEVELS",
    "MOST_COMPILED",
    "Level",
    "PlayerSpec",
    "check_list",
    "checked_spec",
    "checked_text",
    "installed_players",
    "level_class",
    "parse_player",
    "parse_players",
    "plays_compiled",
    "split_players",
    "unquoted",
]


class Level(NamedTuple):
    """A shipped level: the module and class, imported when it is first used, and what it does, in a few words."""

    path: str
    about: Phrase


LEVELS: Final = {
    "random": Level("cluedo.ai.level_random:RandomPlayer", Phrase("plays blindly")),
    "easy": Level("cluedo.ai.level_easy:EasyPlayer", Phrase("notes its cards")),
    "medium": Level("cluedo.ai.level_medium:MediumPlayer", Phrase("keeps a sheet")),
    "habit": Level("cluedo.ai.level_habit:HabitPlayer", Phrase("hard, with habits")),
    "montecarlo": Level("cluedo.ai.level_montecarlo:MonteCarloPlayer", Phrase("plays it out")),
    "hard": Level("cluedo.ai.level_hard:HardPlayer", Phrase("proves all it can")),
    "expert": Level("cluedo.ai.level_expert:ExpertPlayer", Phrase("counts the odds")),
}
"""The shipped levels, weakest first."""

COMPILED_LEVELS: Final = ("random", "easy", "medium", "hard", "blueprint")
"""The levels that can play compiled games; the last one plays no others."""

GROUP: Final = "cluedo.players"
"""The entry points with which an installed package offers players."""

MOST_COMPILED: Final = 6
"""Players of a compiled game at most."""

_LONGEST = 1000
_COMMA = re.compile(r""",(?=(?:[^"']|"[^"]*"|'[^']*')*$)""")
"""A comma outside of quotes."""


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """How to make a player: its text, class and arguments. :meth:`make` makes a new one for each game.

    Attributes:
        text: as it was written, and as results name it.
        player_class: its class.
        arguments: the parameters that were set.
    """

    text: str
    player_class: type[Player]
    arguments: tuple[tuple[str, Any], ...]

    def check(self, deck: Deck, rules: Rules, seats: int) -> None:
        """Raise :class:`PlayerError` for games that it cannot play."""
        with somebodys_code(Phrase("{what} cannot play", what=self.text)):
            self.player_class.check(deck, rules, seats)

    @property
    def prepares(self) -> bool:
        """Whether the class has anything to load that takes long."""
        return inspect.getattr_static(self.player_class, "prepare") is not Player.__dict__["prepare"]

    def prepare(self) -> None:
        """Let the class load what takes long; raises :class:`PlayerError`."""
        with somebodys_code(Phrase("{what}: cannot prepare", what=self.text)):
            self.player_class.prepare()

    def check_budget(self) -> None:
        """Raise :class:`PlayerError` where it has spent all that a run may spend; most spend nothing."""

    def make(self) -> Player:
        """A new player."""
        return self.player_class(**dict(self.arguments)) if self.arguments else self.player_class()


def level_class(name: str) -> type[Player]:
    """The class of a shipped level."""
    module, _, kind = LEVELS[name].path.partition(":")
    found: type[Player] = getattr(importlib.import_module(module), kind)
    return found


@cache
def installed_players() -> dict[str, EntryPoint]:
    """The players that installed packages offer, by name; a shipped level's name is its own."""
    found = {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}
    return {name: entry for name, entry in found.items() if name not in LEVELS}


def _installed_class(name: str) -> type[Player]:
    """The class that an installed package offers by this name; raises :class:`PlayerError`."""
    if name not in installed_players():
        raise _no_level(name)
    entry = installed_players()[name]
    with somebodys_code(Phrase("{what}: cannot be loaded", what=name)):
        kind = entry.load()
    if isinstance(kind, type) and issubclass(kind, Player):
        return kind
    raise PlayerError(
        "{name}: {value} is no subclass of {module}.{base}",
        name=name,
        value=entry.value,
        module=Player.__module__,
        base=Player.__name__,
    )


def _no_level(name: str) -> PlayerError:
    """The error for an unknown level."""
    if name in COMPILED_LEVELS:
        return PlayerError(
            "{name} plays compiled games only, with {levels} at tables of {most} at most: by cluedo autoplay --engine "
            'compiled, or an experiment with engine = "compiled"',
            name=name,
            levels=", ".join(level for level in COMPILED_LEVELS if level != name),
            most=MOST_COMPILED,
        )
    if name == "human":  # the levels are listed with it
        return PlayerError("human is a person at the terminal, who plays in cluedo play alone")
    return PlayerError(
        "no level is called {name!r}; {closest}; or path/to/bot.py:Class, or exec:COMMAND for a program",
        name=name,
        closest=closest(name, [*LEVELS, *installed_players()]),
    )


def plays_compiled(text: str) -> bool:
    """Whether a player's text names a level that can play compiled games."""
    return text.split(":")[0].strip() in COMPILED_LEVELS


def split_players(text: str) -> list[str]:
    """The players of a comma-separated line-up; a comma between quotes belongs to a player.

    Raises:
        SetupError: it names nobody.
    """
    if not text.strip():
        raise SetupError(
            "nobody is named as a player: 2 to 10 are needed, separated by commas, such as easy,easy,medium"
        )
    return [unquoted(part) for part in _COMMA.split(text)]


def unquoted(text: str) -> str:
    """A player's text or command without blanks and without quotes round all of it, which keep its commas.

    >>> unquoted(" 'my,bots.py:Mine' "), unquoted("'a b' 'c'")
    ('my,bots.py:Mine', "'a b' 'c'")
    """
    text = text.strip()
    if len(text) > 1 and text[0] in "\"'" and text.find(text[0], 1) == len(text) - 1:
        return text[1:-1].strip()
    return text


def check_list(players: object) -> None:
    """Raise :class:`PlayerError` unless the players are a list, a tuple or the like."""
    if isinstance(players, str):
        raise PlayerError("the players are a list, such as {example}, not one text", example=players.split(","))
    if not isinstance(players, Sequence | Mapping):
        raise PlayerError(
            "the players are a list, such as ['hard', 'easy', 'easy'], not {what}", what=short_repr(players)
        )


def parse_players(players: Sequence[str | type[Player]]) -> list[PlayerSpec]:
    """The players of a line-up; raises :class:`PlayerError`."""
    check_list(players)
    return [parse_player(who) for who in players]


def checked_text(text: object) -> str:
    """A player's text, without blanks around it; raises :class:`PlayerError` for what is none, or cannot be shown."""
    if not isinstance(text, str):
        raise PlayerError("a player is named by a text, such as 'hard', not {what}", what=short_repr(text))
    text = text.strip()
    if not text:
        raise PlayerError("a player is missing; levels: {names}; or path/to/bot.py:Class", names=", ".join(LEVELS))
    if not text.isprintable() or len(text) > _LONGEST:
        raise PlayerError(
            "{what}: a player's text has at most {longest:,} letters, all printable",
            what=one_line(text, 80),
            longest=_LONGEST,
        )
    return text


def parse_player(player: str | type[Player]) -> PlayerSpec:
    """A level, or the class of a file or of a package, from its text; or a class of yours.

    ``cluedo.bots.naming.any_player`` reads programs and language models, too.

    The file is run and the player built once, here and now, so that what is wrong with it shows at once.

    Raises:
        PlayerError: in one sentence, if there is none.
    """
    if isinstance(player, type) and issubclass(player, Player):
        return checked_spec(player.__name__, player, ())
    text = checked_text(player)
    if is_program(text) or is_model(text):
        raise PlayerError("{what}: programs and language models cannot play here, levels and classes can", what=text)
    path = file_of(text)
    if path is not None:
        name, *options = text.partition(".py:")[2].split(":")
        kind = class_in(path, name, Player)  # type: ignore[type-abstract]
    else:
        name, *options = text.split(":")
        kind = level_class(name) if name in LEVELS else _installed_class(name)
    return checked_spec(text, kind, options)


def checked_spec(text: str, kind: type[Player], options: Sequence[str]) -> PlayerSpec:
    """The player of a class and its ``key=value`` texts, made once as a check; raises :class:`PlayerError`."""
    spec = PlayerSpec(text, kind, arguments(text, kind, options))
    with somebodys_code(Phrase("{what}: the player cannot be made", what=text)):
        spec.make()
    return spec
