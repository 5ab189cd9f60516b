"""What is wrong with the words of a command line, in one sentence and in the language spoken.

typer says it in English, in a box below two lines of help. The kinds of its errors are not public: their sentences are
read.
"""

from __future__ import annotations

import re
from typing import Any, Final

import typer

from cluedo.engine.errors import SetupError
from cluedo.engine.phrase import Phrase

__all__ = ["USAGE_ERROR", "usage_fault"]

USAGE_ERROR: Final[Any] = typer.BadParameter.__base__
"""What typer raises for words that it cannot take."""

_SENTENCES: Final = {
    r"No such option: (?P<name>\S+) \(Possible options: (?P<near>.*)\)": Phrase(
        "there is no option {name}; did you mean {near}?"
    ),
    r"No such option: (?P<name>\S+)": Phrase("there is no option {name}"),
    r"No such command '(?P<name>.*)'\. Did you mean (?P<near>.*)\?": Phrase(
        "there is no command {name}; did you mean {near}?"
    ),
    r"No such command '(?P<name>.*)'\.": Phrase("there is no command {name}"),
    r"Option '(?P<name>.*)' requires an argument\.": Phrase("{name} needs a value after it"),
    r"Option '(?P<name>.*)' does not take a value\.": Phrase("{name} takes no value"),
    r"Got unexpected extra argument\S* \((?P<words>.*)\)": Phrase("there is no place for {words}"),
    r"Missing command\.": Phrase("no command is named"),
    r"Missing \w+ '(?P<name>.*?)'\..*": Phrase("{name} is missing"),
    r"Invalid value for '(?P<name>.*?)': (?P<value>.*) is not one of (?P<names>.*)\.": Phrase(
        "{name}: {value} is not one of {names}"
    ),
    r"Invalid value for '(?P<name>.*?)': (?P<fault>.*)": Phrase("{name}: {fault}"),
}
"""By the pattern of a sentence of typer's, ours."""


def usage_fault(error: Any) -> SetupError | None:
    """What an error of typer's says, and where to find help; None where it is not known."""
    for pattern, sentence in _SENTENCES.items():
        if found := re.fullmatch(pattern, error.format_message(), re.DOTALL):
            said = Phrase(sentence.pattern, **found.groupdict())
            if error.ctx is None or "near" in found.groupdict():
                return SetupError("{fault}", fault=said)
            return SetupError("{fault}; see {command} --help", fault=said, command=error.ctx.command_path)
    return None
