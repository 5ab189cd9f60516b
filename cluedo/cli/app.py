"""The command ``cluedo``: its subcommands, and what happens to their errors."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated, ClassVar, NoReturn, TextIO

import typer

from cluedo import __version__
from cluedo.cli.lazy import LazyGroup
from cluedo.engine.ctrl_c import INTERRUPTED
from cluedo.engine.errors import CluedoError, one_line, os_reason
from cluedo.language import tr

__all__ = ["main"]


class _Commands(LazyGroup):
    """All commands, by what is said of them in ``cluedo --help``."""

    lazy: ClassVar[dict[str, str]] = {
        "autoplay": "Let levels play each other, and show who wins.",
        "experiment": "Play an experiment from a file: many line-ups, on any machine, resumed where it stopped.",
        "report": "Make a report of results: who won, how sure that is, and why; one page and its pictures.",
        "play": "Play in the terminal, alone against the levels or with others on one screen.",
        "replay": "Replay a recorded game: on the screen, as text, as a review, or into a page or pictures.",
        "solve": "Deduce everything from a case log: the sheet, the deals left, the odds and what to ask next.",
        "serve": "Serve the game as web pages: tables by link, the assistant, replays and puzzles.",
        "assist": "Help at a real table: note what is asked and shown, and see what follows.",
        "puzzle": "Solve the puzzle of the day: say what can be proved, and what you would ask.",
        "positions": "Draw positions from played games, for programs, people and language models to answer.",
        "grade": "Grade answers to positions: proofs right and wrong, the odds, and the question.",
        "bot": "Bots in any language: check one, begin one, or serve a level as one.",
        "levels": "List the levels, what each does, and their parameters.",
        "editions": "List the editions of the game: how many play, on which map, by which rules.",
        "maps": "List the boards, show one, or make your own.",
    }


app = typer.Typer(
    name="cluedo",
    cls=_Commands,
    help="Cluedo: play it, get help at a real table, or let levels play each other and see who wins.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cluedo {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line: exit 2 with one sentence for what the user can mend, 130 for Ctrl-C."""
    try:
        try:
            app(prog_name="cluedo")
        except SystemExit as ended:
            raise _cause_of(ended) from None
        finally:
            sys.stdout.flush()  # at exit it would be too late to say what is wrong
    except CluedoError as error:
        _end(2, tr(error))
    except MemoryError:
        _end(2, tr("there is not enough memory for this"))
    except KeyboardInterrupt:
        _end(INTERRUPTED, tr("interrupted"))
    except BrokenPipeError:
        # Whoever read our output has gone; nothing is left to say, not even at exit.
        _silence(sys.stdout)
        _end(141)
    except OSError as error:
        _silence(sys.stdout)
        where = f"{error.filename}: " if error.filename else ""
        _end(2, tr("cannot go on: {reason}", reason=f"{where}{tr(os_reason(error))}"))


def _cause_of(ended: SystemExit) -> BaseException:
    """What the libraries below have turned into an exit of their own: a reader who has gone, a Ctrl-C; or the exit."""
    reason = ended.__context__
    if isinstance(reason, typer.Exit):
        reason = reason.__cause__
    return reason if isinstance(reason, BrokenPipeError | KeyboardInterrupt) else ended


def _end(code: int, text: str = "") -> NoReturn:
    """Leave with a sentence, where anybody can still hear it."""
    try:
        if text:
            sys.stderr.write(f"cluedo: {one_line(text)}\n")
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)
    sys.exit(code)


def _silence(stream: TextIO) -> None:
    """Send what a stream still holds nowhere, or Python would try to write it again at exit."""
    with suppress(OSError):  # one that is no file holds nothing
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
