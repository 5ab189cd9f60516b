"""Whether a sentence of ours is French from end to end."""

from __future__ import annotations

import re

from cluedo.engine.errors import CluedoError
from cluedo.language import speak, tr

ENGLISH = re.compile(
    r"\b(the|you|your|is|are|with|from|cards?|turns?|which|nobody|shows?|asks?|who|roll|dice|stay|board|sheet|log|hint)\b",
    re.IGNORECASE,
)
"""Words of pages in English."""
_WORDS = (
    "should valid input must is are the at least known missing needed there with has have not where needs between below"
)
_OF_ERRORS = re.compile(rf"\b({_WORDS.replace(' ', '|')})\b", re.IGNORECASE)


def assert_french(error: CluedoError, path: str) -> None:
    """Nothing English is left but names, values, keys and the path of the file; English is spoken afterwards."""
    speak("fr")
    told = tr(error).replace(path, "")
    speak("en")
    assert told != str(error)
    assert not _OF_ERRORS.search(re.sub(r"'[^']*'|«[^»]*»|\w+\[\d+\]", "", told)), told
