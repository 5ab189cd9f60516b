"""The command ``cluedo``: its subcommands, and what happens to their errors.

The module of a command is imported only where a command line names it, so that ``cluedo --help`` is quick: typer is
given that command as it is, and of the others a name and a line.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any, Final, NoReturn, TextIO

import typer
from typer.core import TyperGroup

from cluedo import __version__
from cluedo.engine.ctrl_c import INTERRUPTED, postpone_interrupt
from cluedo.engine.errors import CluedoError, one_line, os_reason
from cluedo.language import languages, speak, tr

__all__ = ["COMMANDS", "command_line", "main", "run", "translate_help"]

_OF_CTRL_C: Final = re.compile(
    "Query interrupted|Caught keyboard interrupt|Error calling function `[^`]*`: KeyboardInterrupt: "
)
"""What the errors say that DuckDB, PySAT and pydantic make of a Ctrl-C while they work."""

COMMANDS: Final = {
    "autoplay": "Let levels play each other, and show who wins.",
    "experiment": "Play an experiment from a file: many line-ups, on any machine, resumed where it stopped.",
    "report": "Make a report of results: who won, how sure that is, and why; one page and its pictures.",
    "play": "Play in the terminal, alone against the levels or with others on one screen.",
    "replay": "Replay a recorded game: on the screen, as text, as a review, or into a page or pictures.",
    "solve": "Deduce everything from a case log: the sheet, the deals left, the odds and what to ask next.",
    "serve": "Serve the game as web pages: tables by link, the assistant, replays and puzzles.",
    "mcp": "Serve AI assistants by the Model Context Protocol: the detective, games against levels, the test set.",
    "assist": "Help at a real table: note what is asked and shown, and see what follows.",
    "puzzle": "Solve the puzzle of the day: say what can be proved, and what you would ask.",
    "positions": "Draw positions from played games, for programs, people and language models to answer.",
    "grade": "Grade answers to positions: proofs right and wrong, the odds, and the question.",
    "bot": "Bots in any language: check one, begin one, or serve a level as one.",
    "levels": "List the levels, what each does, and their parameters.",
    "editions": "List the editions of the game: how many play, on which map, by which rules.",
    "maps": "List the boards, show one, or make your own.",
}
"""By name, in the order of the help, the first line of the help of each command."""


def command_line(arguments: Iterable[str]) -> TyperGroup:
    """All commands, translated; only the one named by the arguments is loaded.

    A command is the function of its name in its module, or ``app`` there, which has commands of its own.
    """
    app = typer.Typer(
        help="Cluedo: play it, get help at a real table, or let levels play each other and see who wins.",
        no_args_is_help=True,
        add_completion=False,
    )
    app.callback()(_options)
    named = next((argument for argument in arguments if not argument.startswith("-")), None)
    for name, line in COMMANDS.items():
        if name != named:
            app.command(name, help=line)(_listed)
            continue
        with postpone_interrupt():
            module = import_module(f"cluedo.cli.{name}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name, help=line)
        else:
            app.command(name)(getattr(module, name))
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    translate_help(group, tr)
    return group


def _listed() -> None:
    """A placeholder for a command that help lists but that does not run."""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cluedo {__version__}")
        raise typer.Exit


def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    _lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            metavar="|".join(languages()),
            help="The language of the program; it may also stand after the command.",
            show_default="the locale's",
        ),
    ] = None,
) -> None:
    """Declare the options before the command; ``run`` has already read the language."""


def translate_help(command: Any, word: Callable[[str], str]) -> None:
    """Translate the help of a command, of its options and of its subcommands by ``word``, paragraph by paragraph.

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
        translate_help(inner, word)


def run(arguments: Sequence[str]) -> None:
    """Do what a command line says, in the language that it or the locale names; ends with SystemExit or an error."""
    rest = list(arguments)
    speak(_take_language(rest))  # before anything is parsed, for --help is answered at once
    command_line(rest)(rest, prog_name="cluedo")


def _take_language(arguments: list[str]) -> str | None:
    """Take ``--lang CODE`` or ``--lang=CODE`` out of the arguments, wherever it stands; its value, or None."""
    for k, argument in enumerate(arguments):
        option, equals, code = argument.partition("=")
        if option == "--lang" and (equals or k + 1 < len(arguments)):
            code = code if equals else arguments[k + 1]
            del arguments[k : k + (1 if equals else 2)]
            return code
    return None


def main() -> None:
    """Run the command line: exit 2 with one sentence for what the user can mend, 130 for Ctrl-C."""
    try:
        try:
            run(sys.argv[1:])
        except SystemExit as ended:
            raise _cause_of(ended) from None
        finally:
            sys.stdout.flush()  # at exit it would be too late to say what is wrong
    except CluedoError as error:
        _end(2, tr(error))
    except MemoryError:
        _end(2, tr("there is not enough memory for this"))
    except KeyboardInterrupt:
        _end_interrupted()
    except BrokenPipeError:
        # Whoever read our output has gone; nothing is left to say, not even at exit.
        _silence(sys.stdout)
        _end(141)
    except OSError as error:
        _silence(sys.stdout)
        where = f"{error.filename}: " if error.filename else ""
        _end(2, tr("cannot go on: {reason}", reason=f"{where}{tr(os_reason(error))}"))
    except Exception as error:
        if not _OF_CTRL_C.fullmatch(str(error)):
            raise
        _end_interrupted()


def _end_interrupted() -> NoReturn:
    sys.unraisablehook = lambda _: None  # what a library was making complains when it is let go half made
    _end(INTERRUPTED, tr("interrupted"))


def _cause_of(ended: SystemExit) -> BaseException:
    """The error (a closed pipe or Ctrl-C) that typer has turned into an exit; else the exit itself."""
    reason = ended.__context__
    if isinstance(reason, typer.Exit):
        reason = reason.__cause__
    return reason if isinstance(reason, BrokenPipeError | KeyboardInterrupt) else ended


def _end(code: int, text: str = "") -> NoReturn:
    """Exit with a code, after a sentence on standard error if that can still be written to."""
    try:
        if text:
            sys.stderr.write(f"cluedo: {one_line(text)}\n")
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)
    sys.exit(code)


def _silence(stream: TextIO) -> None:
    """Drop what a stream has not yet written: Python would try again at exit, and fail."""
    with suppress(OSError):  # one that is no file holds nothing
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
