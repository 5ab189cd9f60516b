"""Commands that are imported when they are called, not to be listed, and whose help speaks the language spoken."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from cluedo.cli.ctrl_c import held
from cluedo.engine.errors import CluedoError
from cluedo.language import languages, speak, tr

__all__ = ["LazyGroup", "reword"]


def reword(command: Any, word: Callable[[str], str]) -> None:
    """Put every paragraph of the help of a command, of its options and of its own commands through ``word``.

    Each paragraph becomes one line, for the terminal to wrap.
    """
    if command.help:
        paragraphs = inspect.cleandoc(command.help).split("\n\n")
        command.help = "\n\n".join(word(" ".join(paragraph.split())) for paragraph in paragraphs)
    for parameter in command.params:
        for name in ("help", "show_default"):
            text = getattr(parameter, name, None)
            if isinstance(text, str) and " " in text:  # a default of one word is a value
                setattr(parameter, name, word(text))
    for inner in getattr(command, "commands", {}).values():
        reword(inner, word)


class LazyGroup(TyperGroup):
    """A group that lists its commands by what is written here, and imports the one that is called.

    typer looks a command up to list it, for which its name and a line will do, or to call it
    (:meth:`resolve_command`), which alone takes the command itself.
    """

    lazy: ClassVar[dict[str, str]] = {}
    """By name, in the order of the help, the first line of a command's own; for subclasses to fill."""

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        for name, line in self.lazy.items():
            self.add_command(TyperCommand(name, help=line))

    def load(self, name: str) -> TyperCommand | TyperGroup:
        """The command itself: in its module the function of its name, or ``app``, which has commands of its own."""
        with held():
            module = import_module(f"cluedo.cli.{name}")
        app = getattr(module, "app", None)
        if app is None:
            app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            app.command(name)(getattr(module, name))
        command = typer.main.get_command(app)
        assert isinstance(command, TyperCommand | TyperGroup)
        command.name = name
        if isinstance(command, TyperGroup):
            command.help = self.lazy[name]
        _let_choose_language(command)
        return command

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Choose the language before anything is parsed, for ``--help`` is answered at once."""
        with suppress(CluedoError):  # a language that is not spoken is refused when its option is parsed
            speak(_wished(args))
        reword(self, tr)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = _plainly(error)
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if name in self.lazy:
            command = self.load(name)
            reword(command, tr)
        return name, command, rest


def _let_choose_language(command: Any) -> None:
    """Give ``--lang`` to a command and its own commands: typer has no option for all of them."""
    alone = typer.Typer(add_completion=False)
    alone.command()(_speaking)
    for every in (command, *getattr(command, "commands", {}).values()):
        every.params += typer.main.get_command(alone).params


def _speaking(
    _lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            metavar="|".join(languages()),
            callback=lambda code: None if code is None else speak(code),
            expose_value=False,
            is_eager=True,
            help="The language of the program.",
            show_default="the locale's",
        ),
    ] = None,
) -> None:
    """Says by its option what language is spoken, wherever that option stands."""


def _plainly(error: typer.BadParameter) -> str:
    """What is wrong with a value, as it is said of files; typer quotes pydantic, which speaks of Python."""
    from pydantic import ValidationError  # slow to import

    from cluedo.engine.faults import wrong

    found = error.__cause__
    return tr(wrong(found.errors()[0])[0]) if isinstance(found, ValidationError) else error.message


def _wished(args: list[str]) -> str | None:
    """The value of ``--lang`` among the arguments, or None."""
    for argument, following in pairwise([*args, ""]):
        option, equals, value = argument.partition("=")
        if option == "--lang":
            return value if equals else following
    return None
