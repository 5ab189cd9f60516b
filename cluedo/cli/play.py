"""``cluedo play``: people and levels at one table, on the whole screen or line by line."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from cluedo.ai.player import USUAL_CLOCK, Clock
from cluedo.cli.compiling import prepare
from cluedo.cli.options import EditionName, SetRules, ThinkLimit, Trusted
from cluedo.cli.plain_game import PlainGame
from cluedo.cli.terminal import Left, Screen, Terminal, fits_full_screen, notify
from cluedo.engine.board import Board
from cluedo.engine.cards import Deck
from cluedo.engine.ctrl_c import INTERRUPTED
from cluedo.engine.editions import Edition
from cluedo.engine.errors import SetupError
from cluedo.engine.phrase import all_of
from cluedo.engine.rules import value_text
from cluedo.language import tr, tr_count
from cluedo.session.autosave import Autosave, saved_games, saves_folder
from cluedo.session.board_glyphs import pawn_chip
from cluedo.session.boards import default_map
from cluedo.session.case.vocabulary import index_of
from cluedo.session.files import saved_at
from cluedo.session.game_session import GameSession, UntrustedBots
from cluedo.session.line_up import Person, parse_line_up
from cluedo.words.narration import Story
from cluedo.words.rule_text import house_rules

__all__ = ["farewell", "play"]

_PLAYERS = "human,easy,medium,medium"
_YES = {"y", "yes", "o", "oui"}
_SLOWEST, _FASTEST = 0.1, 100.0

Players: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Who plays, clockwise: human or human:NAME, a level, level:key=value or path/to/bot.py:Class.",
        show_default=_PLAYERS,
    ),
]
MapName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--map",
        help="A map's name, or the path of a map file.",
        show_default="classic in English, manoir in French",
    ),
]
Suspects: TypeAlias = Annotated[
    str, typer.Option(metavar="NAMES", help="The suspects, by seat; the other seats get those left.")
]
Seed: TypeAlias = Annotated[
    int | None, typer.Option(help="The seed of the deal and the dice; without it, a secret one.")
]
Record: TypeAlias = Annotated[
    Path | None, typer.Option(help="Save the game in this new file, not in your folder of games.")
]
SavedFile: TypeAlias = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="With --resume: the saved game.", show_default="the last one")
]
Resume: TypeAlias = Annotated[bool, typer.Option("--resume", help="Continue a saved game: FILE, or your last one.")]
AllowBots: TypeAlias = Annotated[
    bool, typer.Option("--allow-bots", help="With --resume: run the bots that FILE names without asking.")
]
Plain: TypeAlias = Annotated[
    bool, typer.Option("--plain", help="No full screen, no colours, every prompt on its own line.")
]
Speed: TypeAlias = Annotated[
    float, typer.Option(help="Full screen: how fast the others move; 2 is twice as fast, 0 shows no moves.")
]
Hints: TypeAlias = Annotated[bool, typer.Option("--hints/--no-hints", help="Whether the detective gives hints.")]


def play(
    file: SavedFile = None,
    players: Players = None,
    edition: EditionName = None,
    map_: MapName = None,
    suspects: Suspects = "",
    seed: Seed = None,
    rule: SetRules = None,
    record: Record = None,
    resume: Resume = False,
    allow_bots: AllowBots = False,
    trusted: Trusted = False,
    plain: Plain = False,
    speed: Speed = 1.0,
    hints: Hints = True,
    clock: ThinkLimit = USUAL_CLOCK,
) -> None:
    """Play in the terminal, alone against the levels or with others on one screen.

    Without options you choose board and players on the screen. Every game is saved after each move.
    """
    _check_speed(speed)
    given: dict[str, object] = {"--players": players, "--map": map_, "--suspects": suspects, "--seed": seed}
    given |= {"--edition": edition, "--rule": rule, "--record": record}
    named = [name for name, value in given.items() if value not in (None, "")]
    if resume and named:
        raise SetupError("--resume continues a game as it is; {names} cannot be set", names=all_of(named))
    if file is not None and not resume:
        raise SetupError("to continue the game in {file}: cluedo play --resume {file}", file=file)
    if allow_bots and not resume:
        raise SetupError("--allow-bots goes with --resume; a bot that --players names runs without it")
    full_screen = not plain and fits_full_screen()
    session: GameSession | None = None
    with redirect_stdout(sys.stderr):  # a bot's file may print when it is read
        if resume:
            session = _resume(file or _last_game(), clock, allowed=allow_bots, trusted=trusted)
        elif named or not full_screen:
            chosen = Edition.chosen(edition, default_map(), map_, rule or ())
            line_up = parse_line_up(chosen.line_up(_PLAYERS) if players is None else players, trusted=trusted)
            chosen.check_players(len(line_up))
            board = Board.load(chosen.map)
            session = GameSession.begin(
                line_up,
                board,
                chosen.rules,
                Autosave.new(record, board.source),
                seed=seed,
                suspects=_suspects(suspects, board.deck, len(line_up)),
                clock=clock,
            )
    if session is not None:
        prepare(session.levels)
    if full_screen:
        _play_on_screen(session, speed, clock, hints=hints)
    elif session is not None:
        _play_plainly(session, Screen(len(session.people), plain=plain), hints=hints)


def _check_speed(speed: float) -> None:
    if speed and not _SLOWEST <= speed <= _FASTEST:  # catches nan, too
        raise SetupError(
            "a speed is 0 or from {slowest:g} to {fastest:g}, not {speed}",
            slowest=_SLOWEST,
            fastest=_FASTEST,
            speed=speed,
        )


def _last_game() -> Path:
    """The game that was played last and is not over."""
    latest = next(saved_games(), None)
    if latest is None:
        raise SetupError("there is no game to continue in {folder}; give its file", folder=saves_folder())
    path, _ = latest
    notify(tr("continuing the game saved on {moment}", moment=saved_at(path)))
    return path


def _resume(path: Path, clock: Clock, *, allowed: bool, trusted: bool) -> GameSession:
    """A saved game; asks before its bots are run, unless options allow or trust them."""
    try:
        return GameSession.resume(path, allowed=allowed, trusted=trusted, clock=clock)
    except UntrustedBots as untrusted:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise
        sys.stderr.write(tr("{file} names a program as a player: {bots}.", file=path, bots=untrusted.names) + "\n")
        sys.stderr.write(tr("Continuing the game runs it on this machine. Run it? [y/N]") + " ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().casefold() not in _YES:
            raise
    return GameSession.resume(path, allowed=True, clock=clock)


def _suspects(text: str, deck: Deck, seats: int) -> list[int] | None:
    """The suspects named, by seat; a seat without one gets the first that is free."""
    if not text.strip():
        return None
    with SetupError.around("--suspects: {error}"):
        chosen = [index_of(part.strip(), deck.names[: deck.suspects.stop]) for part in text.split(",")]
    if len(chosen) > seats:
        raise SetupError("--suspects names {count} for {seats} players", count=len(chosen), seats=seats)
    return chosen + [card for card in deck.suspects if card not in chosen][: seats - len(chosen)]


def _play_on_screen(session: GameSession | None, speed: float, clock: Clock, *, hints: bool) -> None:
    from cluedo.ai.knowledge.evidence import check_deck  # it and Textual take their time, and only this needs them
    from cluedo.tui.app import Settings, run_on_screen
    from cluedo.tui.play_start import StartScreen

    if session is not None:
        check_deck(session.game.table.deck)  # the sheet is the detective's
    played = run_on_screen(session or StartScreen(clock), Settings(speed, hints, clock))
    terminal = Terminal()
    for game in played.sessions:
        _part(game, terminal)
    if played.code:
        raise typer.Exit(played.code)


def _play_plainly(session: GameSession, screen: Screen, *, hints: bool) -> None:
    interrupted = False
    _welcome(session, screen, hints=hints)
    try:
        with redirect_stdout(sys.stderr):  # the screen is for the people: what bots print is not of the game
            PlainGame(session, screen, hints=hints).play()
    except Left as left:
        screen.say(str(left))
    except KeyboardInterrupt:
        interrupted = True
        screen.say()
        screen.say(tr("Interrupted: the game stops here."))
    finally:
        session.save()
    _part(session, screen)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _welcome(session: GameSession, screen: Screen, *, hints: bool) -> None:
    """Who plays what, and what can be typed."""
    table, say = session.game.table, screen.say
    title = table.board.title
    say(tr("{title}: {seats} players, clockwise", title=title, seats=table.seats), style="bold")
    for seat, seated in enumerate(session.line_up):
        player = seated.name or tr("human") if isinstance(seated, Person) else seated.text
        cards = tr_count("{count} card", "{count} cards", table.hand_sizes[seat])
        name = f"{seat + 1} {table.name(seat)}"
        chip = pawn_chip(table.board, table.suspects[seat])
        say(tr("{name}: {player}, {cards}", name=name, player=player, cards=cards), chip=chip)
    for told in house_rules(table):
        say(told)
    if session.game.commands:
        stands = tr("The game continues in turn {turn}.", turn=session.game.state.turn)
    else:
        stands = tr("{who} begins.", who=table.name(table.first))
    asking = [tr("Type hint when you want advice.")] if hints else []
    say(" ".join([stands, *asking, tr("Type help at any prompt, quit to leave.")]))
    say()


def _part(session: GameSession, terminal: Terminal) -> None:
    """How it ended, where it is kept, how to play its deal again, and what went wrong on the way.

    What a fault was may tell cards: of a game that may go on, it is only said that there was one.
    """
    for line in farewell(session):
        terminal.say(line)
    for fault in session.faults:
        notify(
            tr(
                "{name}, player {number}, turn {turn}: {fault}",
                name=session.names[fault.seat],
                number=fault.seat + 1,
                turn=fault.turn,
                fault=fault.text if session.game.over else tr("a choice was lost"),
            )
        )
    session.autosave.check()


def farewell(session: GameSession) -> Iterator[str]:
    """What people are told last: where the game is saved, and if it is over how it ended and how to play it again.

    The seed holds the deal: it is not told of a game that may go on.
    """
    yield from _where_saved(session.autosave, over=session.game.over)
    result, table = session.game.result, session.game.table
    if result is None:
        return
    story = Story(table, session.people[0] if len(session.people) == 1 else None)
    yield ""
    yield story.ending(result)
    yield tr("The envelope held {cards}.", cards=table.deck.listed(session.game.state.deal.envelope))
    if session.seeded:
        seed = session.seeds.seed
        told = tr("The secret seed was {seed}.", seed=seed) if session.secret else tr("The seed was {seed}.", seed=seed)
        yield told + " " + tr("The same deal again: {command}", command=_again(session))


def _where_saved(autosave: Autosave, *, over: bool) -> Iterator[str]:
    path = autosave.path
    if path is None and not autosave.saved:
        yield tr("This game was not saved: {folder} cannot be made. --record names a file.", folder=saves_folder())
    if path is None or not (autosave.saved and path.exists()):
        return
    if autosave.left is not None:
        yield tr("Another program has written into {file}, so this game has a file of its own.", file=autosave.left)
    if over:
        yield tr("The game is recorded in {file}.", file=path)
        again = ["cluedo", "replay", str(path)]
        yield tr("To see it again: {command}", command=shlex.join(again))
        yield tr("To review it: {command}", command=shlex.join([*again, "--review"]))
    else:
        go_on = shlex.join(["cluedo", "play", "--resume", str(path)])
        yield tr("The game is recorded in {file}. To continue it: {command}", file=path, command=go_on)


def _again(session: GameSession) -> str:
    """The command that plays the same deal again."""
    table = session.game.table
    words = ["cluedo", "play", "--players", ",".join(session.names), "--map", table.board.source]
    if table.suspects != tuple(table.deck.suspects[: table.seats]):
        words += ["--suspects", ",".join(table.names)]
    words += ["--seed", str(session.seeds.seed)]
    for key, value in table.rules.model_dump(exclude_defaults=True).items():
        words += ["--rule", f"{key}={value_text(value)}"]
    return shlex.join(words)
