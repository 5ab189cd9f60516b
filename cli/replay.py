"""``cluedo replay``: a recorded game, turn by turn, with all cards open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cluedo.board import Board
from cluedo.cli.board_text import board_text, pawn_chip
from cluedo.cli.story import Story
from cluedo.cli.terminal import Terminal
from cluedo.errors import CluedoError, RecordError
from cluedo.game import Game
from cluedo.record import GameRecord, read_record

__all__ = ["replay"]


def replay(
    file: Annotated[Path, typer.Argument(help="A game record, or many as JSON Lines.")],
    game: Annotated[int | None, typer.Option(min=0, help="Which game of the file, counting from 0.")] = None,
    to: Annotated[int | None, typer.Option(min=0, help="How many turns to play; 0 is the deal.")] = None,
    map_: Annotated[str | None, typer.Option("--map", help="The map, if it is not where the record says.")] = None,
) -> None:
    """Print a recorded game turn by turn, and the board at the end of it."""
    record = read_record(file, game)
    try:
        played = record.replay(Board.load(map_) if map_ else None, to)
    except CluedoError as error:
        raise RecordError(f"{file}: {error}") from None
    terminal = Terminal()
    _tell_deal(terminal, record, played)
    _tell_turns(terminal, played)
    terminal.say()
    state = played.state
    terminal.show(board_text(played.table.board, pawns=state.pawns, weapons=state.weapons, width=terminal.width))
    terminal.say()
    terminal.say(_standing(record, played), style="bold")


def _tell_deal(terminal: Terminal, record: GameRecord, game: Game) -> None:
    table, deal = game.table, game.state.deal
    origin = [f"{name} {value}" for name, value in (("game", record.game), ("seed", record.seed)) if value is not None]
    terminal.say(", ".join([f"{table.board.map.title or record.map}: {table.seats} players", *origin]), style="bold")
    for seat, player in enumerate(record.players):
        held = ", ".join(table.deck.names_in(deal.hands[seat]))
        chip = pawn_chip(table.board, table.suspects[seat])
        terminal.say(f"{seat + 1} {table.name(seat)} ({player.name}) holds {held}.", chip=chip)
    terminal.say(f"The envelope holds {', '.join(table.deck.names[card] for card in deal.envelope)}.")
    terminal.say(f"{table.name(table.first)} begins.")


def _tell_turns(terminal: Terminal, game: Game) -> None:
    table, turn = game.table, 0
    for sentence in Story(table).sentences(game.events):
        if sentence.turn != turn:
            turn = sentence.turn
            terminal.say()
            terminal.say(f"Turn {turn}: {table.name(sentence.seat)}", style="bold")
        terminal.say(f"  {sentence.text}", chip=pawn_chip(table.board, table.suspects[sentence.seat]))


def _standing(record: GameRecord, game: Game) -> str:
    """How the game ended, or how far it has come."""
    if game.result is not None:
        return Story(game.table).ending(game.result)
    if not game.commands:
        return "The cards are dealt; nothing has happened yet."
    turns = game.state.turn - 1
    done = f"{turns} turn{'s are' if turns != 1 else ' is'} played"
    if len(game.events) == len(record.events):
        return f"{done}; the record ends here, and the game is not over."
    return f"{done}; the game goes on."
