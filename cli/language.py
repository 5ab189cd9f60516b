"""The language of the faces: English sentences in the code are the keys of every other language."""

from __future__ import annotations

import locale
import os
from typing import Final

from cluedo.cli.french import FRENCH
from cluedo.errors import CluedoError

__all__ = ["LANGUAGES", "current", "speak", "tr"]

LANGUAGES: Final[dict[str, dict[str, str]]] = {"en": {}, "fr": FRENCH}
"""By code, the sentences in that language by their English; English needs none."""

_spoken = "en"


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
    sentence = LANGUAGES[_spoken].get(text, text)
    return sentence.format(**values) if values else sentence


def _of_locale() -> str:
    """The locale's language, in the order in which gettext asks for it, or English."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            code = locale.normalize(value.split(":")[0])[:2].lower()
            return code if code in LANGUAGES else "en"
    return "en"
