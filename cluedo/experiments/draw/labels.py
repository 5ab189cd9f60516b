"""Labels for players and maps: short names, and line breaks in long ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

__all__ = [
    "clip_name",
    "map_name",
    "short_map_names",
    "short_names",
    "wrap_name",
]


_WIDTH: Final = 20
"""Letters of a line."""


def wrap_name(name: str) -> str:
    """The name on lines that fit but for a comma, broken between players, or after ``/`` and ``:`` if need be."""
    lines = [""]
    for player in re.split(r"(?<=, )", name):
        if len(lines[-1]) + len(player.rstrip(", ")) > _WIDTH:
            lines.append("")
        for piece in _pieces(player):
            if len(lines[-1]) + len(piece.rstrip(", ")) > _WIDTH:
                lines.append("")
            lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines if line)


def clip_name(name: str, most: int = 18) -> str:
    """The beginning and the end of a name, of so many letters at most."""
    end = most * 2 // 3
    return name if len(name) <= most else f"{name[: most - end - 1]}…{name[-end:]}"


def _pieces(player: str) -> Iterator[str]:
    """The pieces of a player's name that are not broken: a line may end after any of them.

    They have at most a line's letters each, not counting what parts the player from the next, and together they are
    the name.
    """
    if len(player.rstrip(", ")) <= _WIDTH:
        yield player
        return
    for part in re.split(r"(?<=[/:])", player):
        if len(part) <= _WIDTH:
            yield part
            continue
        for word in re.findall(r"[^_=…-]+[_=…-]?|[_=…-]", part):
            yield from (word[at : at + _WIDTH] for at in range(0, len(word), _WIDTH))


_LONGEST: Final = 34
"""Characters of a short name."""


def short_names(levels: Iterable[str]) -> dict[str, str]:
    """A short name for each level, all different: its text, or the end of its path, cut in the middle if need be."""
    return _apart({text: _base(text) for text in levels})


def short_map_names(maps: Iterable[str]) -> dict[str, str]:
    """A short name for each map, all different: its name, or its file's, cut in the middle if need be."""
    return _apart({text: map_name(text) for text in maps})


def _apart(bases: dict[str, str]) -> dict[str, str]:
    """Names that differ, by texts with what to call them if no other is called so."""
    often = Counter(bases.values())
    names = {text: clip_name(base if often[base] == 1 else text, _LONGEST) for text, base in bases.items()}
    often = Counter(names.values())
    seen: Counter[str] = Counter()
    for text, name in names.items():
        if often[name] > 1:
            seen[name] += 1
            names[text] = f"{name} ({seen[name]})"
    return names


def map_name(source: str) -> str:
    """What a map is called, by its name or by its file."""
    return source.rsplit("/", 1)[-1].removesuffix(".json")


def _base(text: str) -> str:
    """A player's text without the folders of a bot's file."""
    path, mark, rest = text.partition(".py:")
    return path.rsplit("/", 1)[-1] + mark + rest
