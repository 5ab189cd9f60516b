"""The errors of the package: one root, so that a caller can catch everything that is ours."""

from __future__ import annotations

import errno
import re
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from numbers import Number
from typing import Final

from cluedo.engine.phrase import Phrase

__all__ = [
    "CluedoError",
    "IllegalCommand",
    "MapError",
    "MissingExtra",
    "PlayerError",
    "RecordError",
    "SetupError",
    "by_a_person",
    "in_short",
    "needs_extra",
    "one_line",
    "os_reason",
    "safe_repr",
    "short_repr",
]

_LONGEST: Final = 4000
"""Letters of a sentence for people; there may be a whole file of somebody's in it."""

_VALUE: Final = 300
"""Letters that a sentence keeps of one value, such as a name of any length: enough for a path or a list of names."""

_TEXT: Final = 200
"""Letters that are kept of what somebody else's code says."""

_SHORT: Final = 80
"""Letters of a caller's value that is not what it should be."""

_REASONS: Final = {
    errno.EACCES: Phrase("Permission denied"),
    errno.EEXIST: Phrase("File exists"),
    errno.EISDIR: Phrase("Is a directory"),
    errno.ELOOP: Phrase("Too many levels of symbolic links"),
    errno.ENAMETOOLONG: Phrase("File name too long"),
    errno.ENOENT: Phrase("No such file or directory"),
    errno.ENOSPC: Phrase("No space left on device"),
    errno.ENOTDIR: Phrase("Not a directory"),
    errno.EPERM: Phrase("Operation not permitted"),
    errno.EROFS: Phrase("Read-only file system"),
}
"""Why files cannot be read or written: what a system says of it is English, or in a language of its own choice."""


class CluedoError(Exception):
    """Something that the caller can correct; its text is one sentence for people.

    The text is English. An interface in another language says :attr:`phrase` in that language.

    Args:
        pattern: the sentence, with ``{places}`` for the values.
        values: what stands in the places; another error stands for its own sentence, and one of the operating system
            for its reason.
    """

    def __init__(self, pattern: str, /, **values: object):
        if values:
            pattern = _phrase(pattern, values)
        elif isinstance(pattern, Phrase):
            pattern = _phrase(pattern.pattern, pattern.values)
        super().__init__(pattern)

    @property
    def phrase(self) -> str:
        """The sentence, ready to be translated; the name of the class for an error without a text."""
        text: str = self.args[0] if self.args else type(self).__name__
        return text

    @classmethod
    @contextmanager
    def around(cls, pattern: str = "{error}", /, **values: object) -> Iterator[None]:
        """Raise an error of this class for one of ours inside the ``with``, whose sentence is its ``{error}``."""
        try:
            yield
        except CluedoError as error:
            raise cls(pattern, **values, error=error) from None


class MapError(CluedoError):
    """A map file that is missing, unreadable or not a playable board."""


class SetupError(CluedoError):
    """A game that cannot start: players, rules, seeds or hands that do not fit together."""


class IllegalCommand(CluedoError):
    """A command that the rules forbid now; the text names the rule."""


class RecordError(CluedoError):
    """A game record that is damaged or does not replay."""


class PlayerError(CluedoError):
    """A level, a level's parameter or a bot that is not known or cannot be built."""


_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object lies in memory, which differs from run to run."""


def _kept(value: object) -> object:
    """A value for a sentence, of a bearable length, and made plain so that the error can be pickled."""
    if isinstance(value, CluedoError):
        return value.phrase if isinstance(value.phrase, Phrase) else Phrase(value.phrase)
    if isinstance(value, OSError):
        value = os_reason(value)
    if isinstance(value, Phrase):
        return _phrase(value.pattern, value.values)
    if isinstance(value, Number | list | tuple):
        return value
    return _shortened(str(value), _VALUE)


def _phrase(pattern: str, values: Mapping[str, object]) -> Phrase:
    """A phrase of what a sentence keeps of the values."""
    return Phrase(pattern, **{name: _kept(value) for name, value in values.items()})


def os_reason(error: OSError) -> str:
    """Why the operating system refused something; the usual reasons can be translated."""
    return _REASONS.get(error.errno or 0) or error.strerror or str(error)


def safe_repr(value: object) -> str:
    """A short text of any object for a message, also if its own ``repr`` fails; the same in every run."""
    try:
        return _ADDRESS.sub("", repr(value))[:_TEXT]
    except BaseException as error:  # somebody's __repr__ may raise anything, SystemExit included
        if by_a_person(error):
            raise
        return f"a {type(value).__name__} that cannot be printed"


def short_repr(value: object) -> str:
    """A value of a caller's within a sentence: its :func:`safe_repr` on one line, cut where it is long."""
    return one_line(safe_repr(value), _SHORT)


def one_line(text: str, most: int = _LONGEST) -> str:
    """The text as one line that a terminal shows as it is: no line ends, no escape sequences, of a bearable length.

    An error quotes what somebody wrote, and may hold anything.
    """
    # French has no-break spaces, which count as not printable.
    return "".join(
        sign if sign.isprintable() or sign == "\xa0" else "\N{REPLACEMENT CHARACTER}" for sign in _shortened(text, most)
    )


def _shortened(text: str, most: int) -> str:
    """The text, without its middle where it is too long."""
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"


def in_short(error: BaseException) -> str:
    """The class of any error and the first line of its text, also if its own ``str`` fails."""
    try:
        text = str(error).strip()
    except BaseException as second:  # as above
        if by_a_person(second):
            raise
        text = ""
    return f"{type(error).__name__}: {text.splitlines()[0]}"[:_TEXT] if text else type(error).__name__


def by_a_person(error: BaseException) -> bool:
    """Whether an error may come from Ctrl-C; a KeyboardInterrupt does not if SIGINT is ignored."""
    return isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) != signal.SIG_IGN


class MissingExtra(SetupError, ImportError):
    """A library is missing that comes with an extra."""


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Import libraries of an extra inside the ``with``; raises :class:`MissingExtra` if one is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "cluedo":
            raise
        raise MissingExtra("this needs the extra {extra}: pip install 'cluedo[{extra}]'", extra=extra) from error
