"""``cluedo replay --review``: the review of a game, for people."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from cluedo.cli.terminal import Terminal
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord
from cluedo.language import tr
from cluedo.session.narration import Story
from cluedo.session.review_text import Rows, model_note, tell_reviews

__all__ = ["print_review"]


def print_review(terminal: Terminal, record: GameRecord, game: Game, eyes: int | None) -> None:
    """One seat's review turn by turn, or all seats in short."""
    title = game.table.board.map.title or record.map
    told = tell_reviews(game, [player.name for player in record.players], eyes)[0]
    terminal.say(tr("{title}: review of the game", title=title), style="bold")
    if game.result is not None:
        terminal.say(Story(game.table, eyes).ending(game.result))
    terminal.say()
    if eyes is not None:
        terminal.say(told.title, style="bold")
        for sentence in told.sentences:
            terminal.say(sentence)
        if told.rows is not None:
            terminal.say()
    if told.rows is not None:
        terminal.table(_rich(told.rows))
    if eyes is None:
        for sentence in told.sentences:
            terminal.say()
            terminal.say(sentence)
    for head, lines in told.lists:
        terminal.say()
        terminal.say(head, style="bold")
        for line in lines:
            terminal.say(f"  {line}")
    terminal.say()
    terminal.say(model_note(), style="dim")


def _rich(rows: Rows) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column, head in enumerate(rows.heads):
        numeric = column in rows.numeric
        table.add_column(Text(head, style="bold"), justify="right" if numeric else "left", no_wrap=numeric)
    for row in rows.rows:
        table.add_row(*[Text(cell) for cell in row])
    return table
