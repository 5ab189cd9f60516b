"""``cluedo replay --review``: the review of a game, for people."""

from __future__ import annotations

from rich.table import Table as RichTable
from rich.text import Text

from cluedo.ai.review import Review, review
from cluedo.cli.terminal import Terminal
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord
from cluedo.language import tr
from cluedo.session.narration import Story
from cluedo.session.review_text import Rows, better, found_out, lead_sentence, model_note, overview, summary, turn_rows

__all__ = ["print_review"]


def print_review(terminal: Terminal, record: GameRecord, game: Game, eyes: int | None) -> None:
    """One seat's review turn by turn, or all seats in short."""
    table = game.table
    title = table.board.map.title or record.map
    terminal.say(tr("{title}: review of the game", title=title), style="bold")
    if game.result is not None:
        terminal.say(Story(table, eyes).ending(game.result))
    terminal.say()
    if eyes is None:
        _print_all(terminal, record, game)
    else:
        _print_one(terminal, review(game, eyes), game, record.players[eyes].name)
    terminal.say()
    terminal.say(model_note(), style="dim")


def _print_one(terminal: Terminal, found: Review, game: Game, player: str) -> None:
    table = game.table
    terminal.say(f"{table.name(found.seat)} ({player})", style="bold")
    for sentence in summary(found, table):
        terminal.say(sentence)
    if not found.turns:
        return
    terminal.say()
    terminal.table(_rich(turn_rows(found, game)))
    for head, lines in (
        (tr("What was found out"), found_out(found, table)),
        (tr("Better questions"), better(found, table)),
    ):
        if lines:
            terminal.say()
            terminal.say(head, style="bold")
            for line in lines:
                terminal.say(f"  {line}")


def _print_all(terminal: Terminal, record: GameRecord, game: Game) -> None:
    reviews = [review(game, seat) for seat in range(game.table.seats)]
    terminal.table(_rich(overview(reviews, game.table, [player.name for player in record.players])))
    if sentence := lead_sentence(game):
        terminal.say()
        terminal.say(sentence)


def _rich(rows: Rows) -> RichTable:
    table = RichTable(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column, head in enumerate(rows.heads):
        numeric = column in rows.numeric
        table.add_column(Text(head, style="bold"), justify="right" if numeric else "left", no_wrap=numeric)
    for row in rows.rows:
        table.add_row(*[Text(cell) for cell in row])
    return table
