"""What the faces say, in French: English sentence to French sentence, with the same ``{places}``.

Every part of the program has its own module of sentences; here they come together, with the spaces
and apostrophes of French typography, so that the modules can be written on any keyboard. Whoever is
spoken to is *vous*.
"""

from __future__ import annotations

import re
from typing import Final

from cluedo.locale.french_assist import FRENCH_ASSIST
from cluedo.locale.french_detective import FRENCH_DETECTIVE
from cluedo.locale.french_figures import FRENCH_FIGURES
from cluedo.locale.french_play import FRENCH_PLAY
from cluedo.locale.french_report import FRENCH_REPORT
from cluedo.locale.french_review import FRENCH_REVIEW
from cluedo.locale.french_rules import FRENCH_RULES
from cluedo.locale.french_screens import FRENCH_SCREENS
from cluedo.locale.french_web import FRENCH_WEB

__all__ = ["FRENCH"]

_NO_BREAK = "\N{NO-BREAK SPACE}"
"""Before high punctuation and inside guillemets: the wide one, which every terminal can show."""


def _typeset(text: str) -> str:
    text = re.sub(" (?=[:;?!%»])", _NO_BREAK, text).replace("« ", f"«{_NO_BREAK}")
    return re.sub(r"(?<=\w)'(?=\w)", "’", text)


_PARTS = (
    FRENCH_RULES,
    FRENCH_PLAY,
    FRENCH_SCREENS,
    FRENCH_DETECTIVE,
    FRENCH_FIGURES,
    FRENCH_REVIEW,
    FRENCH_REPORT,
    FRENCH_ASSIST,
    FRENCH_WEB,
)

FRENCH: Final[dict[str, str]] = {english: _typeset(french) for part in _PARTS for english, french in part.items()}
