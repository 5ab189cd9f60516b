"""Whether a sentence of ours is French from end to end."""

from __future__ import annotations

import re

from cluedo.engine.errors import CluedoError
from cluedo.language import speak, tr

WORDS = (
    "should valid input must is are the at least known missing needed there with has have not where needs between below"
)
ENGLISH = re.compile(rf"\b({WORDS.replace(' ', '|')})\b", re.IGNORECASE)


def assert_french(error: CluedoError, path: str) -> None:
    """Nothing English is left but names, values, keys and the path of the file; English is spoken afterwards."""
    speak("fr")
    told = tr(error).replace(path, "")
    speak("en")
    assert told != str(error)
    assert not ENGLISH.search(re.sub(r"'[^']*'|\w+\[\d+\]", "", told)), told
