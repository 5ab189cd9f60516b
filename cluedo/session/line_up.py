"""The line-up of a table as text: people, levels and bots, seat by seat."""

from __future__ import annotations

from dataclasses import dataclass

from cluedo.ai.levels import PlayerSpec, split_players
from cluedo.bots.naming import any_player
from cluedo.engine.errors import PlayerError, SetupError

__all__ = ["HUMAN", "Person", "Seated", "named_players", "parse_line_up", "person_name"]

HUMAN = "human"
_LONGEST_NAME = 20


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the keyboard, perhaps with a name."""

    name: str = ""

    @property
    def text(self) -> str:
        """As the line-up has it, and the record."""
        return f"{HUMAN}:{self.name}" if self.name else HUMAN


Seated = Person | PlayerSpec
"""Who sits on a seat."""


def parse_line_up(text: str) -> list[Seated]:
    """The players by seat; raises :class:`PlayerError`."""
    line_up = [_parse_seated(part) for part in named_players(text)]
    if not any(isinstance(seated, Person) for seated in line_up):
        raise PlayerError("there is no human among the players; to let levels play each other: cluedo autoplay")
    return line_up


def person_name(text: str) -> str:
    """How a player of a record is called in a list of players: people by their name, levels and bots as they are."""
    return text.removeprefix(f"{HUMAN}:")


def _parse_seated(text: str) -> Seated:
    kind, _, name = text.partition(":")
    if kind == HUMAN:
        if "=" in name or ":" in name:
            raise PlayerError("{what}: a human has no parameters, but may have a name: human:Ann", what=text)
        if not name.isprintable() or len(name) > _LONGEST_NAME:
            raise PlayerError(
                "{what!r}: a name is at most {longest_name} printable letters",
                what=text[:40],
                longest_name=_LONGEST_NAME,
            )
        return Person(name.strip())
    try:
        return any_player(text)
    except PlayerError as error:
        raise PlayerError("{error}; or human, for a person", error=error) from None


def named_players(text: str) -> tuple[str, ...]:
    """The players of a line-up that names somebody; raises :class:`SetupError` where there are none at all."""
    if not text.strip():
        raise SetupError(
            "--players names nobody: 2 to 10 players are needed, separated by commas, such as easy,easy,medium"
        )
    return tuple(split_players(text))
