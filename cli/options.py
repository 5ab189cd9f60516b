"""What several commands are told in the same words, and what is wrong with it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from cluedo.errors import SetupError

__all__ = ["ThinkLimit", "check_think_limit", "split_players"]

_SHORTEST_S, _LONGEST_S = 0.001, 86_400.0

ThinkLimit: TypeAlias = Annotated[
    float, typer.Option(metavar="SECONDS", help="The longest that a level or bot may take for one answer.")
]


def check_think_limit(seconds: float) -> None:
    """Raise :class:`SetupError` for a limit that is none."""
    if not _SHORTEST_S <= seconds <= _LONGEST_S:  # catches nan, too
        raise SetupError(f"a think limit is from {_SHORTEST_S:g} to {_LONGEST_S:g} seconds, not {seconds}")


def split_players(text: str) -> tuple[str, ...]:
    """The line-up's entries; raises :class:`SetupError` where there are none at all."""
    if not text.strip():
        raise SetupError("--players names nobody: 3 to 6 players are needed, by commas, such as easy,easy,medium")
    return tuple(part.strip() for part in text.split(","))
