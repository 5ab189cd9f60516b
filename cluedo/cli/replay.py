"""``cluedo replay``: shows a recorded game, with all cards open or as one seat saw it; reviews or exports it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from cluedo.cli.board_text import board_text
from cluedo.cli.options import check_alone
from cluedo.cli.terminal import Terminal, fits_full_screen
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError, RecordError
from cluedo.engine.events import as_seen_by
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord, read_record
from cluedo.experiments.draw.animation import Frame, animation, still
from cluedo.language import tr, tr_count, tr_you
from cluedo.session.board_glyphs import pawn_chip
from cluedo.session.case.vocabulary import index_of
from cluedo.session.files import ANIMATION, PICTURE, REPLAY_PAGE, check_replaceable, print_json, write_bytes
from cluedo.session.line_up import person_name
from cluedo.words.narration import Story
from cluedo.words.rule_text import house_rules

if TYPE_CHECKING:
    from cluedo.session.review_text import Rows

__all__ = ["replay"]

_MOST_FRAMES = 400
"""Of an animation: more take long to draw, and nobody watches them."""


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game record, or many as JSON Lines.")],
    game: Annotated[int | None, typer.Option(min=0, help="Which game of the file, counting from 0.")] = None,
    to: Annotated[int | None, typer.Option(min=0, help="How many turns to play; 0 is the deal.")] = None,
    map_: Annotated[str | None, typer.Option("--map", help="The map, if it is not where the record says.")] = None,
    as_: Annotated[
        str | None, typer.Option("--as", metavar="SUSPECT", help="Show it as the player of this suspect saw it.")
    ] = None,
    log: Annotated[
        bool, typer.Option("--log", help="Print that player's case log instead (a spectator's, without --as).")
    ] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Review the game instead: questions, luck, and what was known when.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --review: print JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page that replays the game in a browser.")
    ] = None,
    gif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an animation, a frame for each turn.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture of the last position.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print text, even where a full screen is possible.")] = False,
) -> None:
    """Replay a recorded game: on the screen, as text, as a review, or into a page or pictures.

    On the screen you step and jump, and see the game as any player saw it; with
    --as, only as that player did; --to says where to begin. Where there is no screen
    the game is printed turn by turn, and the board at its end.

    With --log the game becomes a case log for cluedo solve: JSON that holds what one player knows.

    With --review each seat's questions are compared with the best that it could
    have asked, by what it knew at the time; with --as for one seat, turn by turn.

    With --html, --gif or --png files are written instead. The page needs no
    network. With --as none of them holds anything that this player may not know.
    """
    _check(log, review, as_json, html, gif, png)
    record = read_record(file, game)
    with RecordError.around("{file}: {error}", file=file):
        played = record.replay(Board.load(map_) if map_ else None, to)
        viewer = None if as_ is None else _seat(played, as_)
    if log:
        _print_log(played, viewer)
    elif html or gif or png:
        _export(record, played, viewer, html, gif, png)
    elif review:
        _review(record, played, viewer, as_json=as_json)
    elif not plain and fits_full_screen():
        _show(record, played.table.board, viewer, to or 0)
    else:
        _tell(record, played, viewer)


def _check(log: bool, review: bool, as_json: bool, html: Path | None, gif: Path | None, png: Path | None) -> None:
    """Raise :class:`CluedoError` for options that exclude each other, and for files that cannot be written."""
    check_alone({"--log": log, "--review": review, "--html, --gif and --png": html or gif or png})
    if as_json and not review:
        raise CluedoError("--json goes with --review; a game is JSON already, and --log prints a case log")
    for path, kind in ((html, REPLAY_PAGE), (gif, ANIMATION), (png, PICTURE)):
        if path is not None:
            check_replaceable(path, kind)


def _seat(game: Game, suspect: str) -> int:
    """The seat that a suspect plays."""
    with RecordError.around("--as: {error}"):
        return index_of(suspect, game.table.names)


def _print_log(game: Game, viewer: int | None) -> None:
    from cluedo.ai.knowledge import case_log  # the detective is slow to import

    hand = 0 if viewer is None else game.state.deal.hands[viewer]
    seen = [as_seen_by(event, viewer) for event in game.events]
    print_json(case_log(game.table, seen, viewer, hand).to_json())


def _export(
    record: GameRecord, game: Game, viewer: int | None, html: Path | None, gif: Path | None, png: Path | None
) -> None:
    """Write the requested files, and say so; ``viewer`` is the seat that they may be shown to, or None for anybody."""
    terminal, board = Terminal(), game.table.board
    if (gif or png) and not board.has_grid:
        raise CluedoError("the map {name} has no board to draw; a page (--html) can be made of it", name=board.source)
    frames = _frames(game, viewer) if gif or png else []
    if gif and len(frames) > _MOST_FRAMES:
        raise CluedoError(
            "an animation of {turns} turns would be too long (at most {most}); --to takes the first ones",
            turns=len(frames) - 1,
            most=_MOST_FRAMES - 1,
        )
    if html:
        from cluedo.cli.compiling import tell_compiling  # the detective and Jinja are slow to import
        from cluedo.web.replay_page import replay_page

        with tell_compiling():
            page = replay_page(record, game, viewer)
        _write(terminal, html, page.encode())
    if gif:
        _write(terminal, gif, animation(board, frames))
    if png:
        _write(terminal, png, still(board, frames[-1]))


def _write(terminal: Terminal, path: Path, data: bytes) -> None:
    write_bytes(path, data)
    terminal.say(tr("Written: {path} ({size:,} kB).", path=path, size=max(round(len(data) / 1000), 1)))


def _frames(game: Game, viewer: int | None) -> list[Frame]:
    """The deal, and the end of every turn that something happened in, with what happened in it."""
    from cluedo.session.timeline import snapshots  # it brings the detective, which is slow to import

    table = game.table
    story = Story(table, viewer)
    told: dict[int, list[str]] = {}
    for sentence in story.sentences(game.events):
        told.setdefault(sentence.turn, []).append(sentence.text)
    title = table.board.title
    frames = [
        Frame(table.board.starts, table.board.weapon_starts, title, tr("{who} begins.", who=table.name(table.first)))
    ]
    for turn, snapshot in enumerate(snapshots(game)[1:], start=1):
        assert snapshot.who is not None
        heading = tr("Turn {turn}: {who}", turn=turn, who=table.name(snapshot.who))
        frames.append(Frame(snapshot.pawns, snapshot.weapons, heading, " ".join(told[turn])))
    if game.result is not None:
        last = frames[-1]
        frames[-1] = last._replace(caption=f"{last.caption} {story.ending(game.result)}")
    return frames


def _review(record: GameRecord, game: Game, viewer: int | None, *, as_json: bool) -> None:
    from cluedo.cli.compiling import tell_compiling  # the detective is slow to import
    from cluedo.session.review_text import review_json

    with tell_compiling():
        if as_json:
            print_json(review_json(game, viewer))
        else:
            _print_review(Terminal(), record, game, viewer)


def _print_review(terminal: Terminal, record: GameRecord, game: Game, viewer: int | None) -> None:
    """Print one seat's review turn by turn, or all seats' in short."""
    from cluedo.session.review_text import OPEN_ENVELOPES, curve_lines, model_note, tell_reviews

    title = game.table.board.title
    told = tell_reviews(game, [player.name for player in record.players], viewer)[0]
    terminal.say(tr("{title}: review of the game", title=title), style="bold")
    if game.result is not None:
        terminal.say(Story(game.table, viewer).ending(game.result))
    terminal.say()
    if viewer is not None:
        terminal.say(told.title, style="bold")
        for sentence in told.sentences:
            terminal.say(sentence)
        if told.rows is not None:
            terminal.say()
    if told.rows is not None:
        terminal.table(_table(told.rows))
    if viewer is None:
        for sentence in told.sentences:
            terminal.say()
            terminal.say(sentence)
    lists = [(head, [line.text for line in lines]) for head, lines in told.lists]
    for head, lines in ((tr(OPEN_ENVELOPES), curve_lines(told.curves)), *lists):
        terminal.say()
        terminal.say(head, style="bold")
        for line in lines:
            terminal.say(f"  {line}")
    terminal.say()
    terminal.say(model_note(), style="dim")


def _table(rows: Rows) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column, head in enumerate(rows.heads):
        numeric = column in rows.numeric
        table.add_column(Text(head, style="bold"), justify="right" if numeric else "left", no_wrap=numeric)
    for row in rows.rows:
        table.add_row(*[Text(cell) for cell in row])
    return table


def _show(record: GameRecord, board: Board, viewer: int | None, turn: int) -> None:
    """The whole game on the screen, from a turn on."""
    from cluedo.cli.compiling import tell_compiling  # the detective and Textual are slow to import
    from cluedo.session.timeline import review_game
    from cluedo.tui.app import run_on_screen
    from cluedo.tui.replay_screen import ReplayScreen

    with tell_compiling():
        timeline, reviews = review_game(record.replay(board), [player.name for player in record.players], viewer)
    if code := run_on_screen(ReplayScreen(timeline, reviews, turn)).code:
        raise typer.Exit(code)


def _tell(record: GameRecord, game: Game, viewer: int | None) -> None:
    """The game turn by turn, and the board at its end."""
    terminal, state = Terminal(), game.state
    _tell_deal(terminal, record, game, viewer)
    _tell_turns(terminal, game, viewer)
    terminal.say()
    terminal.show(board_text(game.table.board, pawns=state.pawns, weapons=state.weapons, width=terminal.width))
    terminal.say()
    terminal.say(_standing(record, game, viewer), style="bold")


def _tell_deal(terminal: Terminal, record: GameRecord, game: Game, viewer: int | None) -> None:
    table, deal = game.table, game.state.deal
    title = table.board.title
    heading = [tr("{title}: {seats} players", title=title, seats=table.seats)]
    if record.game is not None:
        heading.append(tr("game {number}", number=record.game))
    if record.seed is not None and viewer is None:  # from the seed follows the deal
        heading.append(tr("seed {seed}", seed=record.seed))
    terminal.say(", ".join(heading), style="bold")
    for seat, player in enumerate(record.players):
        open_hand = viewer in (None, seat)
        cards = ", ".join(table.deck.names_in(deal.hands[seat]))
        held = cards if open_hand else tr_count("{count} card", "{count} cards", table.hand_sizes[seat])
        chip = pawn_chip(table.board, table.suspects[seat])
        who = f"{seat + 1} {table.name(seat)} ({person_name(player.name)})"
        terminal.say(
            tr_you(seat == viewer, "{who} is you, and holds {cards}.", "{who} holds {cards}.", who=who, cards=held),
            chip=chip,
        )
    if viewer is None:
        cards = table.deck.listed(deal.envelope)
        terminal.say(tr("The envelope holds {cards}.", cards=cards))
        if deal.pool:
            terminal.say(tr("The pool holds {cards}.", cards=table.deck.listed(deal.pool)))
    for told in house_rules(table):
        terminal.say(told)
    terminal.say(tr("{who} begins.", who=table.name(table.first)))


def _tell_turns(terminal: Terminal, game: Game, viewer: int | None) -> None:
    table, turn = game.table, 0
    for sentence in Story(table, viewer, squares=True).sentences(game.events):
        assert sentence.seat is not None, "only what is said before the first turn is of nobody"
        if sentence.turn != turn:
            turn = sentence.turn
            terminal.say()
            terminal.say(tr("Turn {turn}: {who}", turn=turn, who=table.name(sentence.seat)), style="bold")
        terminal.say(f"  {sentence.text}", chip=pawn_chip(table.board, table.suspects[sentence.seat]))


def _standing(record: GameRecord, game: Game, viewer: int | None) -> str:
    """How the game ended, or which turn it has reached."""
    if game.result is not None:
        return Story(game.table, viewer).ending(game.result)
    if not game.commands:
        return tr("The cards are dealt; nothing has happened yet.")
    turns = game.state.turn - 1
    done = tr_count("{count} turn is played", "{count} turns are played", turns)
    if len(game.events) == len(record.events):
        return tr("{done}; the record ends here, and the game is not over.", done=done)
    return tr("{done}; the game goes on.", done=done)
