"""``cluedo assist``: help at a real table, on the whole screen or line by line; and a case as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cluedo.cli.options import DEFAULT_MODEL, EditionName, LineByLine, SetRules, WeighedBy
from cluedo.cli.terminal import Left, Terminal, fits_full_screen
from cluedo.engine.board import Board
from cluedo.engine.editions import Edition
from cluedo.engine.errors import SetupError
from cluedo.engine.phrase import Phrase
from cluedo.language import tr
from cluedo.session.files import check_continued

if TYPE_CHECKING:
    from cluedo.ai.knowledge.caselog import Setting
    from cluedo.session.case.case_store import CaseStore

__all__ = ["assist"]


CaseFile: TypeAlias = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="A case log to continue, or a new one to create.")
]
MapName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--map",
        help="A new case: a map's name, or the path of a map file.",
        show_default="classic in English, manoir in French",
    ),
]
Players: TypeAlias = Annotated[
    str | None, typer.Option(help="A new case: the players, in turn order; Ann:5 holds five cards.")
]
Me: TypeAlias = Annotated[str | None, typer.Option(help="A new case: which of them you are.")]
Hand: TypeAlias = Annotated[
    str | None, typer.Option(metavar="CARDS", help="A new case: your cards, separated by commas.")
]
Free: TypeAlias = Annotated[bool, typer.Option("--free", help="A new case: pawns may enter any room.")]
FaceUp: TypeAlias = Annotated[
    str | None, typer.Option("--open", metavar="CARDS", help="A new case: the cards that lie open for all.")
]
Picture: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw the sheet and the timeline, then stop.")
]
Page: TypeAlias = Annotated[Path | None, typer.Option(metavar="FILE", help="Write them as a page, then stop.")]
Tables: TypeAlias = Annotated[Path | None, typer.Option(metavar="FILE", help="Write them as two tables, then stop.")]


def assist(
    file: CaseFile = None,
    map_: MapName = None,
    players: Players = None,
    me: Me = None,
    hand: Hand = None,
    free: Free = False,
    edition: EditionName = None,
    rule: SetRules = None,
    face_up: FaceUp = None,
    model: WeighedBy = DEFAULT_MODEL,
    png: Picture = None,
    html: Page = None,
    csv: Tables = None,
    plain: LineByLine = False,
) -> None:
    """Help at a real table: note what is asked and shown, and see what follows.

    Enter every hypothesis and accusation in a few letters. After each entry you see what is proved and why, how
    likely the rest is, what to ask next, and when to accuse. The case is saved after every entry, in FILE or, if you
    name none, in a folder of your own; cluedo solve reads it, too.
    """
    files = _endings({".png": png, ".html": html, ".csv": csv})
    if file is not None and file.exists():
        if free or any(option is not None for option in (map_, players, me, hand, edition, rule, face_up)):
            raise SetupError(
                "{file} exists: leave out all other options to continue it, or name another file for a new case",
                file=file,
            )
    elif files:
        raise SetupError("--png, --html and --csv need the file of a case")

    from cluedo.session.case.case_store import CaseStore

    store = CaseStore(file, model)
    terminal = Terminal(plain=plain)
    if files:
        _export(terminal, store, files)
        return
    if file is not None:
        check_continued(file, Phrase("a case log"))
    chosen = Edition.chosen(edition, "", map_, [*(rule or ()), *["movement=free"] * free])
    fixed = edition is not None or rule is not None
    told = _setting_of_options(chosen, players, me, hand, face_up)
    try:
        if plain or not fits_full_screen():
            _line_by_line(terminal, store, told, chosen, fixed=fixed)
        elif told is None and fixed:
            raise SetupError("--edition and --rule need --players, or --plain")
        else:
            _on_screen(store, told)
    finally:  # after Ctrl-C, too
        if farewell := store.farewell():
            terminal.say(farewell)


def _line_by_line(terminal: Terminal, store: CaseStore, told: Setting | None, chosen: Edition, *, fixed: bool) -> None:
    from cluedo.ai.knowledge.kernels.detective_kernels import interpreted_at_first
    from cluedo.cli.assist_plain import ask_setting, run
    from cluedo.cli.compiling import tell_compiling

    with tell_compiling(), interpreted_at_first():
        try:
            case = store.load() or store.new(told or ask_setting(terminal, chosen, fixed=fixed))
        except Left:
            raise SetupError("the input ended before the table was described") from None
        run(terminal, case, store.path)


def _on_screen(store: CaseStore, told: Setting | None) -> None:
    from cluedo.ai.knowledge.kernels.detective_kernels import kernels_of_the_detective
    from cluedo.ai.level_expert import ExpertPlayer
    from cluedo.cli.compiling import tell_compiling
    from cluedo.tui.app import run_on_screen
    from cluedo.tui.assist_start import AssistStart

    with tell_compiling(expected=kernels_of_the_detective):
        ExpertPlayer.prepare()  # it compiles all that the screen will ask for
        case = store.load() or (None if told is None else store.new(told))
    if code := run_on_screen(case or AssistStart(store)).code:
        raise typer.Exit(code)


def _export(terminal: Terminal, store: CaseStore, files: list[Path]) -> None:
    """Write the requested files of a case."""
    from cluedo.cli.compiling import tell_compiling
    from cluedo.session.case.exports import export

    with tell_compiling():
        case = store.load()
        assert case is not None, "the file exists"
        written = [one for path in files for one in export(case, path)]
    terminal.say(tr("Written: {file}.", file=", ".join(map(str, written))))


def _endings(files: dict[str, Path | None]) -> list[Path]:
    """The requested files, checked for their endings."""
    for ending, path in files.items():
        if path is not None and path.suffix.lower() != ending:
            raise SetupError(
                "{path}: the name of the file for --{ending} ends in {ending2}",
                path=path,
                ending=ending[1:],
                ending2=ending,
            )
    return [path for path in files.values() if path is not None]


def _setting_of_options(
    chosen: Edition, players: str | None, me: str | None, hand: str | None, face_up: str | None
) -> Setting | None:
    """The table that the options describe; None without ``--players``."""
    if players is None:
        if not (me is hand is face_up is None):
            raise SetupError("--me, --hand and --open need --players")
        return None
    from cluedo.session.boards import default_map
    from cluedo.session.case.setup import make_setting, read_hand, read_players

    board = Board.load(chosen.map or default_map())
    held = None if hand is None else read_hand(hand, board)
    return make_setting(board, read_players(players), me, held, edition=chosen, face_up=face_up or "")
