"""The errors of the package: one root, so that a caller can catch everything that is ours."""

from __future__ import annotations

from typing import Final

__all__ = ["CluedoError", "IllegalCommand", "MapError", "PlayerError", "RecordError", "SetupError", "one_line", "told"]

_LONGEST: Final = 4000
"""Letters of a sentence for people; there may be a whole file of somebody's in it."""


class CluedoError(Exception):
    """Something the caller can mend; its text is one sentence meant for a person."""


class MapError(CluedoError):
    """A map file that is missing, unreadable or not a playable mansion."""


class SetupError(CluedoError):
    """A game that cannot start: players, rules, seeds or hands that do not fit together."""


class IllegalCommand(CluedoError):
    """A command that the rules forbid now; the text names the rule."""


class RecordError(CluedoError):
    """A game record that is damaged or does not replay."""


class PlayerError(CluedoError):
    """A level, a level's parameter or a bot that is not known or cannot be built."""


def told(value: object) -> str:
    """Somebody's value as a short text for a message; it may be anything, and may not even have a text."""
    try:
        return repr(value)[:200]
    except KeyboardInterrupt:
        raise
    except BaseException:  # somebody's __repr__ may raise anything, SystemExit included
        return f"a {type(value).__name__} that cannot be printed"


def one_line(text: str, most: int = _LONGEST) -> str:
    """The text as one line that a terminal shows as it is: no line ends, no escape sequences, of a bearable length.

    An error quotes what somebody wrote, and may hold anything.
    """
    if len(text) > most:
        text = f"{text[: most // 2]} … {text[-most // 2 :]}"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
