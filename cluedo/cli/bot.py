"""``cluedo bot``: bots in any language, over lines of JSON."""

from __future__ import annotations

import re
import shlex
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from cluedo.ai.loading import PROGRAM
from cluedo.ai.player import USUAL_CLOCK
from cluedo.bots.conformance import check_bot
from cluedo.bots.contest import serve_contest
from cluedo.bots.naming import any_player, command_of_player, is_foreign, is_level
from cluedo.bots.serving import serve
from cluedo.cli.options import ThinkLimit
from cluedo.cli.terminal import Terminal
from cluedo.engine.errors import SetupError
from cluedo.language import tr, tr_count
from cluedo.session.files import make_folder, write_bytes, write_new

__all__ = ["app"]

_BAD = 1
"""Exit code of a check that found something wrong."""

app = typer.Typer(no_args_is_help=True, add_completion=False)


class Language(StrEnum):
    """The languages that ``cluedo bot new`` can write a bot in."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    CPP = "cpp"


class _Kit(NamedTuple):
    """The bots of a language: their file's ending, what compiles them, if anything does, and what runs them.

    In both ``{source}`` is the file, and ``{program}`` the file without its ending.
    """

    suffix: str
    compiler: str
    runner: str


_KITS: Final = {
    Language.PYTHON: _Kit(".py", "", "python3 {source}"),
    Language.JAVASCRIPT: _Kit(".js", "", "node {source}"),
    Language.CPP: _Kit(".cpp", "g++ -O2 -std=c++17 -o {program} {source}", "{program}"),
}


@app.command("check")
def check(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help='The bot, such as ./mybot, "node bot.js" or mybot.py:MyBot.')
    ],
    clock: ThinkLimit = USUAL_CLOCK,
) -> None:
    """Play with a bot, and say line by line what is right and what is wrong.

    It is asked every kind of question, among 2 to 7 players, on boards and with decks of odd sizes and names, and by
    the rules of editions. A program of the Speed Clue contest, speedclue:COMMAND, is asked what the contest asks. Exit
    code 1 says that something is wrong.
    """
    if is_level(bot):
        raise SetupError(
            "{bot} is a level of ours; give a program or a class, such as ./mybot, exec:node bot.js or mybot.py:MyBot",
            bot=bot,
        )
    text = bot if command_of_player(bot) else PROGRAM + bot
    command = command_of_player(text)
    assert command is not None
    terminal, wrong = Terminal(), 0
    for finding in check_bot(command, text, clock):
        terminal.say(f"{tr('ok') if finding.good else tr('WRONG')}  {tr(finding.text)}")
        wrong += not finding.good
    if wrong:
        terminal.say(tr_count("{count} thing is wrong", "{count} things are wrong", wrong))
        raise typer.Exit(_BAD)
    terminal.say(tr("nothing is wrong"))


@app.command("new")
def new(
    language: Annotated[Language, typer.Argument(help="What it is written in.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The file to write.", show_default="bot.py, bot.js or bot.cpp")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE.")] = False,
) -> None:
    """Write a bot that plays well at once, to build on.

    It needs no library. It listens to everybody, draws simple conclusions, and is better than medium.
    """
    kit = _KITS[language]
    path = file or Path(f"bot{kit.suffix}")
    text = files("cluedo.bots").joinpath("starters", f"bot{kit.suffix}").read_text(encoding="utf-8")
    if path.suffix != kit.suffix:
        raise SetupError(
            "{path}: the name of a bot in {language} ends in {suffix}",
            path=path,
            language=language,
            suffix=kit.suffix,
        )
    make_folder(path.parent)
    if force:
        write_bytes(path, text.encode())
    else:
        write_new(path, text)
    # With backslashes: quotes round a whole command keep its commas, and are taken away before it is read.
    source = re.sub(r"([^\w./-])", r"\\\1", str(path))
    here = "" if path.is_absolute() else "./"
    program = here + source.removesuffix(kit.suffix)
    compiled, run = (part.format(source=source, program=program) for part in (kit.compiler, kit.runner))
    terminal = Terminal()
    terminal.say(tr("The bot is {file}. Next:", file=path))
    for command in filter(None, [compiled, f"cluedo bot check {shlex.quote(run)}"]):
        terminal.say(f"    {command}")
    terminal.say(f"    cluedo autoplay --players {shlex.quote(f'{PROGRAM}{run},medium,medium,medium')}")


@app.command("serve")
def serve_(
    level: Annotated[str, typer.Argument(metavar="LEVEL", help="A level, or path/to/bot.py:Class.")],
    speedclue: Annotated[
        tuple[str, int] | None,
        typer.Option(metavar="IDENT PORT", help="Play in the Speed Clue contest, whose server listens on this port."),
    ] = None,
) -> None:
    """Play as a program that speaks the protocol of bots, over standard input and output."""
    if speedclue is not None:
        serve_contest(any_player(level, trusted=True), *speedclue)
        return
    if not is_foreign(level):
        any_player(level)  # what is wrong with it is told here and now, also to somebody at a terminal
    serve(level)
