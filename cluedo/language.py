"""The language of the faces: English sentences in the code are the keys of every other language.

``tr("{who} rolls {dice}.", who=…, dice=…)`` says a sentence in the language spoken; ``tr_count`` and
``tr_you`` choose between two, as languages differ in what they count as one and in how a verb goes
with *you*. Texts made further down (:class:`~cluedo.engine.phrase.Phrase`) are said by ``tr`` too. A number
with a format in its place, as in ``{games:,}``, is written as the language writes numbers.
"""

from __future__ import annotations

import locale
import os
from string import Formatter
from typing import Any, Final

from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase
from cluedo.locale.french import FRENCH

__all__ = ["LANGUAGES", "current", "number", "speak", "tr", "tr_count", "tr_you"]

LANGUAGES: Final[dict[str, dict[str, str]]] = {"en": {}, "fr": FRENCH}
"""By code, the sentences in that language by their English; English needs none."""

_NUMBERS: Final = {"fr": str.maketrans(",.", "\N{NO-BREAK SPACE},")}
"""By code, the signs for thousands and decimals, by the English ones."""

_spoken = "en"


class _Formatter(Formatter):
    """:meth:`str.format` with phrases and numbers as the language spoken has them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Phrase):
            return tr(value)
        return (
            number(value, format_spec) if format_spec and isinstance(value, int | float) else format(value, format_spec)
        )


_formatter = _Formatter()


def speak(code: str | None) -> None:
    """Choose the language of this process: a code of :data:`LANGUAGES`, or None for the locale's.

    Raises:
        CluedoError: for a language that is not spoken here.
    """
    global _spoken  # noqa: PLW0603 - like the locale, it belongs to the process
    if code is None:
        code = _of_locale()
    if code not in LANGUAGES:
        raise CluedoError(f"the language {code!r} is not spoken here; it is one of: {', '.join(LANGUAGES)}")
    _spoken = code


def current() -> str:
    """The code of the language spoken."""
    return _spoken


def tr(text: str, /, **values: object) -> str:
    """A sentence in the language spoken, with ``values`` in its ``{places}``; English where it has no translation."""
    if isinstance(text, Phrase):
        values = text.values | values
        text = text.pattern
    sentence = LANGUAGES[_spoken].get(text, text)
    return _formatter.vformat(sentence, (), values) if values else sentence


def tr_count(one: str, many: str, count: int, /, **values: object) -> str:
    """The sentence for one thing or for many, ``{count}`` of them; the language says what none counts as."""
    single = count in (0, 1) if _spoken == "fr" else count == 1
    return tr(one if single else many, count=count, **values)


def tr_you(you: bool, second: str, third: str, /, **values: object) -> str:
    """The sentence said to who did it, if ``you``, or the one about somebody else."""
    return tr(second if you else third, **values)


def number(value: float, spec: str = ",") -> str:
    """A number as the language writes it; ``spec`` is a format specification."""
    text = format(value, spec)
    return text.translate(_NUMBERS[_spoken]) if _spoken in _NUMBERS else text


def _of_locale() -> str:
    """The locale's language, in the order in which gettext asks for it, or English.

    ``LANGUAGE`` may list several, and counts only where there is a locale that is no C or POSIX.
    """
    settings = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    messages = next(filter(None, settings), "C")
    if messages.partition(".")[0] in ("C", "POSIX"):
        return "en"
    wished = [*os.environ.get("LANGUAGE", "").split(":"), messages]
    codes = (locale.normalize(name)[:2].lower() for name in wished if name)
    return next((code for code in codes if code in LANGUAGES), "en")
