"""``cluedo assist``: the command."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cluedo.board import Board
from cluedo.cli.choices import Unclear
from cluedo.cli.language import tr
from cluedo.cli.options import Lang
from cluedo.cli.terminal import Left, Terminal
from cluedo.errors import SetupError

if TYPE_CHECKING:
    from cluedo.cli.assist.entries import Setting

__all__ = ["assist"]


class ModelName(StrEnum):
    """The models of evidence, for the command line."""

    UNIFORM = "uniform"
    CHOICE = "choice"
    READING = "reading"


def assist(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A case log to go on with, or a new one to make.")
    ] = None,
    map_: Annotated[
        str | None, typer.Option("--map", help="A new case: a map's name, or the path of a map file.")
    ] = None,
    players: Annotated[
        str | None, typer.Option(help="A new case: who plays, in turn order; Ann:5 holds five cards.")
    ] = None,
    me: Annotated[str | None, typer.Option(help="A new case: which of them you are.")] = None,
    hand: Annotated[str | None, typer.Option(metavar="CARDS", help="A new case: your cards, by commas.")] = None,
    free: Annotated[bool, typer.Option("--free", help="A new case: pawns enter any room they like.")] = False,
    model: Annotated[ModelName, typer.Option(help="What the deals that fit are weighed by.")] = ModelName.CHOICE,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the sheet and the timeline, and end.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write them as a page, and end.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write them as two tables, and end.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Line by line, without a full screen.")] = False,
    _lang: Lang = None,
) -> None:
    """Help at a real table: note what is asked and shown, and be told the rest.

    Enter every hypothesis and accusation in a few letters. What is proved, why, how likely the rest is, what
    to ask next and when to accuse follows at once. The case is kept in FILE after every entry, and cluedo
    solve reads it too.
    """
    from cluedo.ai.knowledge import MODELS  # the engines are slow to import
    from cluedo.cli.assist.casefile import Keeper, new_path, read_case
    from cluedo.cli.assist.exports import export
    from cluedo.cli.assist.plain import run
    from cluedo.cli.assist.session import Session
    from cluedo.cli.compiling import compiling_told

    terminal = Terminal(plain=plain)
    files = _endings({".png": png, ".html": html, ".csv": csv})
    with compiling_told():
        if file is not None and file.exists():
            if free or not (map_ is players is me is hand is None):
                raise SetupError(f"{file} exists: --map, --players, --me, --hand and --free are for a new case")
            setting, entries = read_case(file)
        elif files:
            raise SetupError("--png, --html and --csv need the file of a case")
        else:
            setting, entries = _new(terminal, map_, players, me, hand, free=free), []
        if files:
            session = Session(setting, entries, model=MODELS[model])
            written = [one for path in files for one in export(session, path)]
            terminal.say(tr("Written: {file}.", file=", ".join(map(str, written))))
            return
        path = file or new_path()
        keeper = Keeper(path)
        session = Session(setting, entries, model=MODELS[model], keep=keeper)
        if not path.exists():
            keeper(session)
        run(terminal, session, path)
    terminal.say(tr("The case is kept; go on with it by: {command}", command=f"cluedo assist {shlex.quote(str(path))}"))


def _endings(files: dict[str, Path | None]) -> list[Path]:
    """The files wanted, each of which has its ending."""
    wanted = []
    for ending, path in files.items():
        if path is None:
            continue
        if path.suffix.lower() != ending:
            raise SetupError(f"{path}: the name of the file for --{ending[1:]} ends in {ending}")
        wanted.append(path)
    return wanted


def _new(
    terminal: Terminal, map_: str | None, players: str | None, me: str | None, hand: str | None, *, free: bool
) -> Setting:
    """The table of a new case, from options, or else asked for."""
    from cluedo.cli.assist.setup import DEFAULT_MAP, ask_setting, make_setting

    if players is not None:
        try:
            return make_setting(Board.load(map_ or DEFAULT_MAP), players, me, hand, free=free)
        except Unclear as error:
            raise SetupError(str(error)) from None
    if me is not None or hand is not None:
        raise SetupError("--me and --hand need --players")
    try:
        return ask_setting(terminal, map_, free=free)
    except Left:
        raise SetupError("the input has ended before the table was told") from None
