"""Languages: sentences in the code are English; each other language has a catalogue with their translations.

``tr("{who} rolls {dice}.", who=…, dice=…)`` gives a sentence in the chosen language, or in English where it has no
translation; ``tr_count`` chooses between singular and plural, and ``tr_you`` between second and third person. Sentences
of lower layers (:class:`~cluedo.engine.phrase.Phrase`, and errors) are translated by ``tr``, too. A number with a
format in its place, as in ``{games:,}``, is written as the language writes numbers.

A language is a gettext catalogue, ``locale/CODE/LC_MESSAGES/cluedo.po``. Babel reads it as it is: there is no compiled
copy that could be out of date.
"""

from __future__ import annotations

import io
import locale
import math
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from string import Formatter
from typing import Any

from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase

__all__ = [
    "current",
    "day_in_words",
    "decimals",
    "in_every_language",
    "languages",
    "moment_in_words",
    "number",
    "own_name",
    "percent",
    "speak",
    "speaking",
    "tr",
    "tr_count",
    "tr_you",
    "unbroken",
]

_DIGITS = 9
"""Decimals of numbers in per cent; what is beyond them is a matter of rounding."""

_here: ContextVar[str | None] = ContextVar("language", default=None)
"""The language of one task or thread among many, where it has its own."""


class _Default:
    """The language of the process, for every task and thread that has none of its own (:func:`speaking`)."""

    language = "en"


class _Formatter(Formatter):
    """:meth:`str.format` with phrases, numbers and quotation marks as the language spoken has them."""

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        converted = super().convert_field(value, conversion)
        return tr("'{text}'", text=converted[1:-1]) if conversion == "r" and isinstance(value, str) else converted

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Phrase):
            return tr(value)
        return (
            number(value, format_spec) if format_spec and isinstance(value, int | float) else format(value, format_spec)
        )


_formatter = _Formatter()


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages spoken here: English, and those with a catalogue."""
    folders = (folder for folder in files("cluedo").joinpath("locale").iterdir() if folder.is_dir())
    return ("en", *sorted(folder.name for folder in folders if folder.joinpath("LC_MESSAGES", "cluedo.po").is_file()))


@cache
def own_name(code: str) -> str:
    """What a language calls itself.

    >>> own_name("fr"), own_name("de")
    ('Français', 'Deutsch')
    """
    from babel import Locale

    name = str(Locale.parse(code).display_name)
    return name[:1].upper() + name[1:]


def speak(code: str | None) -> None:
    """Choose the language of this process: one of :func:`languages`, or None for the locale's.

    Raises:
        CluedoError: for a language that is not spoken here.
    """
    _Default.language = _checked(_of_locale() if code is None else code)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language for a while, in this task or thread alone; raises :class:`CluedoError` like :func:`speak`."""
    before = _here.set(_checked(code))
    try:
        yield
    finally:
        _here.reset(before)


def _checked(code: str) -> str:
    if code not in languages():
        raise CluedoError(
            "the language {code!r} is not available; choose one of: {names}", code=code, names=", ".join(languages())
        )
    return code


def current() -> str:
    """The code of the language spoken."""
    return _here.get() or _Default.language


def tr(text: str | BaseException, /, **values: object) -> str:
    """A sentence in the language spoken, with ``values`` in its ``{places}``; English where it has no translation.

    An error is its sentence; one that is not ours says what it says.
    """
    if isinstance(text, BaseException):
        text = text.phrase if isinstance(text, CluedoError) else str(text)
    if isinstance(text, Phrase):
        values = text.values | values
        text = text.pattern
    return _filled(_read(current()).gettext(text) if text else text, values)


def in_every_language(phrase: Phrase) -> list[str]:
    """A phrase without places in English, then in every other language that has it."""
    return list(dict.fromkeys(_read(code).gettext(phrase.pattern) for code in languages()))


def tr_count(one: str, many: str, count: int, /, **values: object) -> str:
    """The sentence for one thing or for many, ``{count}`` of them; the language says what counts as one."""
    return _filled(_read(current()).ngettext(one, many, count), {"count": count, **values})


def tr_you(you: bool, second: str, third: str, /, **values: object) -> str:
    """The sentence addressed to a person if ``you``, else the one about somebody."""
    return tr(second if you else third, **values)


def number(value: float, spec: str = ",") -> str:
    """A number as the language writes it, with a true minus sign; ``spec`` is a format specification.

    >>> speak("fr")
    >>> number(1234.5, ",.1f").replace(chr(160), " ")
    '1 234,5'
    >>> speak("en")
    >>> number(1234.5, ",.1f")
    '1,234.5'
    """
    text = format(value, spec)
    if "-" in text and not any(sign in "123456789" for sign in text):  # what is rounded to nothing has no sign
        text = format(abs(value), spec)
    code = current()
    written = text if code == "en" else text.translate(_signs(code))
    return written.replace("-", "−")


def percent(share: float, spec: str = "") -> str:
    """A share in per cent as the language writes it: 12.3 %; the number as ``spec`` says, or with its ``decimals``."""
    points = 100 * share
    return tr("{share} %", share=number(points, spec or f".{decimals([points])}f"))


def decimals(points: Iterable[float]) -> int:
    """How many decimals numbers in per cent have: one, or so many that none looks like 0 or 100 that is not.

    >>> decimals([12.34, 100]), decimals([0.02]), decimals([99.95]), decimals([-99.9931, 50])
    (1, 2, 2, 3)
    """
    gaps = (round(gap, _DIGITS) for value in map(abs, points) for gap in (value, abs(100 - value)))
    least = min((gap for gap in gaps if gap > 0), default=1.0)
    return 1 if least > 0.05 else math.ceil(-math.log10(least))


def unbroken(text: str) -> str:
    """The text with no-break spaces between numbers and their per cent signs, for pages that break lines."""
    return re.sub(r" %(?<=\d %)", "\N{NO-BREAK SPACE}%", text)  # what begins with letters is found quickly


def day_in_words(day: date) -> str:
    """A day as people write it, such as Thursday, 26 November 2026."""
    from babel.dates import format_date  # few sentences need it

    return format_date(day, "full", locale=_locale_of_dates())


def moment_in_words(moment: datetime) -> str:
    """A day and a time as people write it in a list, such as Thu 26 Nov, 18:01."""
    from babel.dates import format_skeleton

    return ", ".join(format_skeleton(parts, moment, locale=_locale_of_dates()) for parts in ("MMMEd", "Hm"))


def _locale_of_dates() -> str:
    """The language spoken; of English, what goes with its spelling here."""
    return "en_GB" if current() == "en" else current()


def _filled(sentence: str, values: dict[str, object]) -> str:
    return _formatter.vformat(sentence, (), values) if values else sentence


@cache
def _read(code: str) -> NullTranslations:
    """A language's catalogue; English needs none."""
    if code == "en":
        return NullTranslations()
    from babel.messages.mofile import write_mo  # for other languages only: English starts sooner without
    from babel.messages.pofile import read_po

    with files("cluedo").joinpath("locale", code, "LC_MESSAGES", "cluedo.po").open("rb") as file:
        catalogue = read_po(file, locale=code)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def _signs(code: str) -> dict[int, str]:
    """A language's signs for thousands and decimals, by the English ones."""
    from babel import Locale

    signs = Locale.parse(code).number_symbols["latn"]
    # The narrow no-break space, which French has between thousands, is missing in the fonts of many terminals.
    return {ord(","): signs["group"].replace("\u202f", "\N{NO-BREAK SPACE}"), ord("."): signs["decimal"]}


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
    return next((code for code in codes if code in languages()), "en")
