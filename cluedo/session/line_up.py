"""Reads a line-up with people in it: people, levels and bots, seat by seat."""

from __future__ import annotations

from dataclasses import dataclass

from cluedo.ai.levels import LEVELS, PlayerSpec, split_players
from cluedo.bots.naming import read_line_up
from cluedo.engine.errors import PlayerError
from cluedo.language import tr

__all__ = ["HUMAN", "LONGEST_NAME", "Person", "Seated", "level_labels", "parse_line_up", "person_name"]

HUMAN = "human"
LONGEST_NAME = 20


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the keyboard, perhaps with a name."""

    name: str = ""

    @property
    def text(self) -> str:
        """The person's text in line-ups and records."""
        return f"{HUMAN}:{self.name}" if self.name else HUMAN


Seated = Person | PlayerSpec
"""Who sits on a seat."""


def parse_line_up(text: str, *, trusted: bool = False) -> list[Seated]:
    """The players by seat; raises :class:`PlayerError`.

    Args:
        text: the line-up.
        trusted: whether bots from files and packages play in this process; else each has one of its own.
    """
    parts = split_players(text)
    people = {seat: person for seat, part in enumerate(parts) if (person := _person(part)) is not None}
    names = [person.name for person in people.values() if person.name]
    alike = [name.casefold() for name in names]
    if twice := next((name for name in names if alike.count(name.casefold()) > 1), None):
        raise PlayerError("two people are called {name}; give each a name of their own", name=twice)
    try:
        others = iter(read_line_up((part for seat, part in enumerate(parts) if seat not in people), trusted=trusted))
    except PlayerError as error:
        raise PlayerError("{error}; or human, for a person", error=error) from None
    if not people:
        raise PlayerError("there is no human among the players; to let levels play each other: cluedo autoplay")
    return [people.get(seat) or next(others) for seat in range(len(parts))]


def level_labels() -> list[tuple[str, str]]:
    """The levels, weakest first: the name of each, and what is said of it where it is chosen."""
    return [(name, tr("{level}: {about}", level=name, about=tr(level.about))) for name, level in LEVELS.items()]


def person_name(text: str) -> str:
    """The name of a record's player in lists: a person's own name, or the text of a level or bot."""
    return text.removeprefix(f"{HUMAN}:")


def _person(text: str) -> Person | None:
    """The person that a text stands for; None for a level or bot."""
    kind, _, name = text.partition(":")
    if kind != HUMAN:
        return None
    if "=" in name or ":" in name:
        raise PlayerError("{what}: a human has no parameters, but may have a name: human:Ann", what=text)
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise PlayerError(
            "{what!r}: a name is at most {longest_name} printable letters",
            what=text[:40],
            longest_name=LONGEST_NAME,
        )
    return Person(name.strip())
