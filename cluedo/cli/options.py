"""Options that several commands share, and their checks."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

import typer

from cluedo.engine.errors import SetupError

__all__ = [
    "DEFAULT_MODEL",
    "EditionName",
    "EngineName",
    "Isolate",
    "LineByLine",
    "ModelName",
    "Observe",
    "SeedSecret",
    "SetRules",
    "ThinkLimit",
    "TimeBank",
    "WeighedBy",
    "check_think_limit",
    "seeded_map",
]

_SHORTEST_S, _LONGEST_S = 0.001, 86_400.0

ThinkLimit: TypeAlias = Annotated[
    float, typer.Option(metavar="SECONDS", help="The longest that a level or bot may take for one answer.")
]

TimeBank: TypeAlias = Annotated[
    float, typer.Option(metavar="SECONDS", help="What all answers of a game may take beyond the think limit.")
]

Isolate: TypeAlias = Annotated[
    bool,
    typer.Option("--isolate", help="Play bots from files and packages in processes of their own, without network."),
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


SetRules: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="KEY=VALUE", help="Set a rule, such as dice=1; may be repeated."),
]

LineByLine: TypeAlias = Annotated[bool, typer.Option("--plain", help="Line by line, without a full screen.")]


def seeded_map(default: str) -> Any:
    """The option ``--map`` where a seed fixes all that happens."""
    return typer.Option(
        "--map",
        help="A map's name (see `cluedo maps`) or a JSON file; the default is the same in every language.",
        show_default=default,
    )


class EngineName(StrEnum):
    """What may play games of an experiment."""

    PYTHON = "python"
    COMPILED = "compiled"


class ModelName(StrEnum):
    """The models of evidence, for the command line."""

    UNIFORM = "uniform"
    CHOICE = "choice"
    READING = "reading"
    KINDS = "kinds"


DEFAULT_MODEL: Final = ModelName.UNIFORM
"""It assumes least about people, and is the same wherever a model can be named."""

WeighedBy: TypeAlias = Annotated[
    ModelName,
    typer.Option(
        "--model", metavar="MODEL", help="How the deals that fit are weighed: uniform, choice, reading or kinds."
    ),
]


Observe: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Add a statistic to the results: unrefuted, own_cards, rooms or path/to/stat.py:Class; repeatable.",
    ),
]


def check_think_limit(seconds: float) -> None:
    """Raise :class:`SetupError` for a limit that is none."""
    if not _SHORTEST_S <= seconds <= _LONGEST_S:  # catches nan, too
        raise SetupError(
            "a think limit is from {shortest_s:g} to {longest_s:g} seconds, not {seconds}",
            shortest_s=_SHORTEST_S,
            longest_s=_LONGEST_S,
            seconds=seconds,
        )
