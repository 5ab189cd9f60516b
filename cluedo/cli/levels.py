"""``cluedo levels``: lists the players with their parameters."""

from __future__ import annotations

import inspect
import textwrap
import typing
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Annotated, Any

import typer

from cluedo.ai.levels import LEVELS, installed_players, level_class
from cluedo.ai.parameters import Parameter, parameters
from cluedo.ai.player import DEFAULT_THINK_LIMIT
from cluedo.ai.playouts.players import Blueprint
from cluedo.bots.llm.model_player import LanguageModel
from cluedo.cli.terminal import Terminal
from cluedo.engine.cards import closest
from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import one_of
from cluedo.engine.rules import value_text
from cluedo.language import tr

__all__ = ["about", "every_level", "levels"]

_WIDEST = 100


def levels(
    level: Annotated[str | None, typer.Argument(help="Only this one.", show_default=False)] = None,
) -> None:
    """List the levels, what each does, and their parameters."""
    terminal = Terminal()
    known = dict(every_level()) | installed_players()
    if level is not None:
        if level not in known:
            raise CluedoError("no level is called {name!r}; {closest}", name=level, closest=closest(level, known))
        _describe(terminal, level, known[level])
        return
    for name, kind in known.items():
        _describe(terminal, name, kind)
        terminal.say()
    terminal.say("human", style="bold")
    _say(terminal, tr("A person at the terminal; in cluedo play."), "  ")
    terminal.say()
    _say(terminal, tr("Your own player is a subclass of cluedo.ai.player.Player in a file of yours:"))
    _say(terminal, "    --players easy,medium,path/to/bot.py:MyBot:key=value")
    _say(
        terminal,
        tr(
            "It answers four questions (choose_move, choose_hypothesis, choose_card, choose_accusation) from a "
            "PlayerView, and may listen (notice) and prepare (begin). The keyword arguments of its __init__ are "
            "its parameters. A choice that takes longer than {seconds:g} s, raises an exception or is not "
            "allowed is lost and counted as a fault.",
            seconds=DEFAULT_THINK_LIMIT,
        ),
    )
    _say(terminal, tr("It may also be a program in any language, which cluedo bot helps to write:"))
    _say(terminal, "    --players 'easy,medium,exec:node bot.js --fast'")


def _describe(terminal: Terminal, name: str, kind: type[Any] | EntryPoint) -> None:
    """Say what a level does, and its parameters; of an installed package, where it is."""
    terminal.say(name, style="bold")
    if isinstance(kind, EntryPoint):  # its package is not imported
        package = f"{kind.dist.name} {kind.dist.version}, " if kind.dist else ""
        _say(terminal, tr("From an installed package: {where}.", where=package + kind.value), "  ")
        return
    for paragraph in about(kind):
        _say(terminal, tr(paragraph), "  ")
    for parameter in parameters(kind):
        _say(terminal, _described(name, parameter), "  ", "    ")


def every_level() -> Iterator[tuple[str, type[Any]]]:
    """The levels by name, then the one that only the compiled engine plays, and language models."""
    for name in LEVELS:
        yield name, level_class(name)
    yield "blueprint", Blueprint
    yield "llm:MODEL", LanguageModel


def _say(terminal: Terminal, paragraph: str, first: str = "", later: str | None = None) -> None:
    """Print a paragraph with its lines indented."""
    width = min(terminal.width, _WIDEST)
    later = first if later is None else later
    for line in textwrap.wrap(paragraph, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False):
        terminal.say(line)


def about(kind: type[Any]) -> list[str]:
    """The paragraphs of the class's docstring before its parameters, each on one line."""
    text = (inspect.getdoc(kind) or "").partition("Args:")[0].partition("Attributes:")[0]
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph.strip()]


def _described(level: str, parameter: Parameter) -> str:
    default = "" if parameter.default == "" else ", " + tr("default {value}", value=value_text(parameter.default))
    text = tr(parameter.text) if parameter.text else tr("no explanation")
    return f"{level}:{parameter.name}=… ({_kind(parameter.type)}{default}): {text}"


def _kind(wanted: Any) -> str:
    if typing.get_origin(wanted) is typing.Literal:
        return tr(one_of([str(choice) for choice in typing.get_args(wanted)]))
    words = {bool: tr("true or false"), int: tr("a whole number"), float: tr("a number"), str: tr("text")}
    return words.get(wanted, getattr(wanted, "__name__", str(wanted)))
