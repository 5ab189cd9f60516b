"""``cluedo levels``: who can play, and how to plug in one's own."""

from __future__ import annotations

import inspect
import textwrap
import typing
from typing import Any

from cluedo.ai.levels import LEVELS, Parameter, level_class, parameters
from cluedo.ai.match import DEFAULT_THINK_LIMIT
from cluedo.ai.player import Player
from cluedo.cli.terminal import Terminal

__all__ = ["levels"]

_OWN_BOT = "Your own player is a subclass of cluedo.ai.player.Player in a file of yours:"
_OWN_BOT_OPTION = "    --players easy,medium,path/to/bot.py:MyBot:key=value"
_OWN_BOT_DUTIES = f"""\
It answers four questions (choose_move, choose_hypothesis, choose_card, choose_accusation) from a
PlayerView, and may listen (notice) and prepare (begin). The keyword arguments of its __init__ are its
parameters. A choice that takes longer than {DEFAULT_THINK_LIMIT:g} s, raises or is not allowed is lost and counted
as a fault."""
_WIDEST = 100


def levels() -> None:
    """List the levels, what each does, and their parameters."""
    terminal = Terminal()
    for name in LEVELS:
        kind = level_class(name)
        terminal.say(name, style="bold")
        for paragraph in _about(kind):
            _say(terminal, paragraph, "  ")
        for parameter in parameters(kind):
            _say(terminal, _described(name, parameter), "  ", "    ")
        terminal.say()
    terminal.say("human", style="bold")
    _say(terminal, "A person at the terminal; in cluedo play.", "  ")
    terminal.say()
    for paragraph in (_OWN_BOT, _OWN_BOT_OPTION, " ".join(_OWN_BOT_DUTIES.split())):
        _say(terminal, paragraph)


def _say(terminal: Terminal, paragraph: str, first: str = "", later: str | None = None) -> None:
    """Print a paragraph with its lines indented."""
    width = min(terminal.width, _WIDEST)
    later = first if later is None else later
    for line in textwrap.wrap(paragraph, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False):
        terminal.say(line)


def _about(kind: type[Player]) -> list[str]:
    """The paragraphs of the class's docstring before its parameters, each on one line."""
    text = (inspect.getdoc(kind) or "").partition("Args:")[0]
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph.strip()]


def _described(level: str, parameter: Parameter) -> str:
    default = "must be set" if parameter.default is None else f"default {_word(parameter.default)}"
    return f"{level}:{parameter.name}=… ({_kind(parameter.type)}, {default}): {parameter.text or 'no explanation'}"


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _kind(wanted: Any) -> str:
    if typing.get_origin(wanted) is typing.Literal:
        return " or ".join(map(str, typing.get_args(wanted)))
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return words.get(wanted, getattr(wanted, "__name__", str(wanted)))
