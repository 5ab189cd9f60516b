"""Commands that are imported when they are called, not to be listed, and whose help speaks the language spoken."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from cluedo.cli.usage import USAGE_ERROR, usage_fault
from cluedo.engine.ctrl_c import held
from cluedo.engine.errors import CluedoError
from cluedo.language import languages, speak, tr

__all__ = ["LazyGroup", "reword"]


def reword(command: Any, word: Callable[[str], str]) -> None:
    """Put every paragraph of the help of a command, of its options and of its own commands through ``word``.

    Each paragraph becomes one line, for the terminal to wrap. An option without a value shows no type of a value.
    """
    if command.help:
        paragraphs = inspect.cleandoc(command.help).split("\n\n")
        command.help = "\n\n".join(word(" ".join(paragraph.split())) for paragraph in paragraphs)
    for parameter in command.params:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
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
        _share_options(self)

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
        for every in (command, *getattr(command, "commands", {}).values()):
            _share_options(every)
        return command

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Choose the language before anything is parsed, for ``--help`` is answered at once."""
        with suppress(CluedoError):  # a language that is not spoken is refused when its option is parsed
            speak(_wished(args))
        reword(self, tr)
        with _faults_in_a_sentence():
            return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        _word_help()
        return super().get_help(ctx)

    def invoke(self, ctx: Any) -> Any:
        with _faults_in_a_sentence():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if name in self.lazy:
            command = self.load(name)
            reword(command, tr)
        return name, command, rest


@contextmanager
def _faults_in_a_sentence() -> Iterator[None]:
    """Raise what typer finds wrong with a command line as an error of ours; its help is left as it is."""
    try:
        yield
    except USAGE_ERROR as error:
        if isinstance(error, typer.BadParameter):
            error.message = _plainly(error)
        if fault := usage_fault(error):
            raise fault from None
        raise


def _share_options(command: Any) -> None:
    """Give a command the options of all of them, which typer has no place for."""
    alone = typer.Typer(add_completion=False)
    alone.command()(_shared)
    command.params = [*command.params, *typer.main.get_command(alone).params]


def _show_help(ctx: typer.Context, wanted: bool) -> None:
    if wanted:
        _word_help()
        typer.echo(ctx.get_help())
        raise typer.Exit


def _word_help() -> None:
    """Let typer's own words in a help be in the language spoken."""
    from typer import rich_utils  # slow to import

    rich_utils.ARGUMENTS_PANEL_TITLE = tr("Arguments")
    rich_utils.OPTIONS_PANEL_TITLE = tr("Options")
    rich_utils.COMMANDS_PANEL_TITLE = tr("Commands")
    rich_utils.DEFAULT_STRING = tr("[default: {}]")
    rich_utils.REQUIRED_LONG_STRING = tr("[required]")


def _shared(
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
    _help: Annotated[
        bool,
        typer.Option("--help", callback=_show_help, expose_value=False, is_eager=True, help="Show this text and stop."),
    ] = False,
) -> None:
    """Says by its options what every command can be told, wherever they stand."""


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
