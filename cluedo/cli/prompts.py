"""Questions at the terminal, asked again where an answer cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from cluedo.cli.terminal import Terminal
from cluedo.engine.errors import CluedoError
from cluedo.language import tr

__all__ = ["ask_until"]

T = TypeVar("T")


def ask_until(terminal: Terminal, prompt: str, read: Callable[[str], T]) -> T:
    """Ask until ``read`` takes the answer without a complaint; raises Left where the input ends."""
    while True:
        try:
            return read(terminal.ask(prompt))
        except CluedoError as error:
            terminal.say(tr(error))
