"""Options that several commands share, and their checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import nan
from os.path import expanduser
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer

from cluedo.ai.player import DEFAULT_THINK_LIMIT, LEAST_SECONDS, MOST_SECONDS, Clock
from cluedo.engine.errors import SetupError
from cluedo.engine.phrase import all_of

__all__ = [
    "DEFAULT_MODEL",
    "EditionName",
    "LineByLine",
    "Observe",
    "RequireSandbox",
    "SeedSecret",
    "SetRules",
    "ThinkLimit",
    "TimeBank",
    "Trusted",
    "WeighedBy",
    "check_alone",
    "out_folder",
    "seeded_map",
]


def check_alone(given: Mapping[str, object]) -> None:
    """Raise :class:`SetupError` where more than one of some options, by their names, has a value that is true."""
    names = [name for name, value in given.items() if value]
    if len(names) > 1:
        raise SetupError("{names} do not go together; give one of them", names=all_of(names))


def out_folder(given: str) -> Path:
    """Parse the option ``--out`` of a folder: an empty text, as of a variable of the shell that is not set, is none."""
    if not given:
        raise SetupError("--out needs the path of a folder, not an empty one")
    return Path(expanduser(given))  # noqa: PTH111 - no shell expands --out=~/x, and ~nobody is no error


def _clock(given: str | Clock) -> Clock:
    """Parse the option ``--think-limit`` into a clock; its default is a clock already."""
    if isinstance(given, Clock):
        return given
    try:
        seconds = float(given)
    except ValueError:
        seconds = nan
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:  # catches nan, too
        raise SetupError(
            "a think limit is from {shortest_s:g} to {longest_s:g} seconds, not {seconds}",
            shortest_s=LEAST_SECONDS,
            longest_s=MOST_SECONDS,
            seconds=given,
        )
    return Clock(seconds)


ThinkLimit: TypeAlias = Annotated[
    Clock,
    typer.Option(
        "--think-limit",
        parser=_clock,
        metavar="SECONDS",
        help="The longest that a level or bot may take for one answer.",
        show_default=str(DEFAULT_THINK_LIMIT),
    ),
]

TimeBank: TypeAlias = Annotated[
    float, typer.Option(metavar="SECONDS", help="What all answers of a game may take beyond the think limit.")
]

Trusted: TypeAlias = Annotated[
    bool,
    typer.Option("--trusted", help="Play bots from files and packages in this process: quicker, for your own bots."),
]


RequireSandbox: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--require-sandbox",
        help="Refuse to start where bots cannot be kept in a sandbox, away from other processes; for contests.",
    ),
]


SeedSecret: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT|auto",
        help="A secret part of the seed, so that no bot can work out the deals; `auto` draws one.",
    ),
]


EditionName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--edition",
        metavar="NAME|FILE",
        help="An edition of the game, with its map and its rules: see `cluedo editions`; or a TOML file of your own.",
    ),
]


def _each_rule_once(rules: list[str] | None) -> list[str] | None:
    """The rules as they are; raises :class:`SetupError` where one of them is set twice."""
    keys = Counter(rule.partition("=")[0] for rule in rules or ())
    if twice := [key for key, times in keys.items() if times > 1]:
        raise SetupError("rule {key}: set it once", key=twice[0])
    return rules


SetRules: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", metavar="KEY=VALUE", callback=_each_rule_once, help="Set a rule, such as dice=1; may be repeated."
    ),
]

LineByLine: TypeAlias = Annotated[bool, typer.Option("--plain", help="Line by line, without a full screen.")]


def seeded_map(default: str) -> Any:
    """The option ``--map`` where a seed fixes all that happens."""
    return typer.Option(
        "--map",
        help="A map's name (see `cluedo maps`) or a JSON file; the default is the same in every language.",
        show_default=default,
    )


DEFAULT_MODEL: Final = "uniform"
"""It assumes least about people; a case has the same in Python and in the browser."""

WeighedBy: TypeAlias = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="How the deals that fit are weighed: uniform, choice or kinds.",
    ),
]


Observe: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Add a statistic to the results: unrefuted, own_cards, rooms or path/to/stat.py:Class; repeatable.",
    ),
]
