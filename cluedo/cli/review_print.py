"""``cluedo replay --review``: a game looked back at, for people or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table as RichTable
from rich.text import Text

from cluedo.ai.knowledge.history import uncertainty
from cluedo.ai.knowledge.models import CHOICE
from cluedo.ai.review import Review, review, turning_point
from cluedo.cli.language import tr
from cluedo.cli.review_text import Rows, better, found_out, model_note, overview, summary, turn_rows
from cluedo.cli.story import Story
from cluedo.cli.terminal import Terminal
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord
from cluedo.engine.state import Table

__all__ = ["lead_sentence", "print_review", "review_json", "review_paragraphs"]


def review_json(game: Game, eyes: int | None) -> dict[str, Any]:
    """One seat's review, or all of them and when the winner took the lead, by name."""
    table = game.table
    names = [table.name(seat) for seat in range(table.seats)]
    if eyes is not None:
        return {"model": CHOICE.name, **review(game, eyes).to_json(table.deck, names)}
    winner = game.state.winner
    return {
        "model": CHOICE.name,
        "winner": None if winner is None else names[winner],
        "turning": turning_point(game, uncertainty(game, CHOICE)),
        "reviews": [review(game, seat).to_json(table.deck, names) for seat in range(table.seats)],
    }


def print_review(terminal: Terminal, record: GameRecord, game: Game, eyes: int | None) -> None:
    """One seat's review turn by turn, or all seats in short."""
    table = game.table
    title = table.board.map.title or record.map
    terminal.say(tr("{title}: the game looked back at", title=title), style="bold")
    if game.result is not None:
        terminal.say(Story(table, eyes).ending(game.result))
    terminal.say()
    if eyes is None:
        _print_all(terminal, record, game)
    else:
        _print_one(terminal, review(game, eyes), table, record.players[eyes].name)
    terminal.say()
    terminal.say(model_note(), style="dim")


def review_paragraphs(game: Game, players: Sequence[str], views: Sequence[int | None]) -> dict[int | None, list[str]]:
    """Reviews in paragraphs, for where there is no room for tables: by seat, and under None of all of them in short.

    Raises:
        CluedoError: the deals that fitted are too many to count.
    """
    table = game.table
    seats = range(table.seats) if None in views else [view for view in views if view is not None]
    told: dict[int | None, list[str]] = {}
    short = [sentence for sentence in [lead_sentence(game) if None in views else ""] if sentence]
    for seat in seats:
        found = review(game, seat)
        name, sentences = f"{table.name(seat)} ({players[seat]})", summary(found, table)
        short.append("\n".join([name, *sentences]))
        told[seat] = [name, "\n".join(sentences)]
        for head, lines in (
            (tr("What was found out"), found_out(found, table)),
            (tr("What promised more"), better(found, table)),
        ):
            if lines:
                told[seat].append("\n".join([head, *lines]))
        told[seat].append(model_note())
    return told | {None: [*short, model_note()]} if None in views else told


def _print_one(terminal: Terminal, found: Review, table: Table, player: str) -> None:
    terminal.say(f"{table.name(found.seat)} ({player})", style="bold")
    for sentence in summary(found, table):
        terminal.say(sentence)
    if not found.turns:
        return
    terminal.say()
    terminal.table(_rich(turn_rows(found, table)))
    for head, lines in (
        (tr("What was found out"), found_out(found, table)),
        (tr("What promised more"), better(found, table)),
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


def lead_sentence(game: Game) -> str:
    """When the winner took the lead for good; nothing where nobody won."""
    winner = game.state.winner
    if winner is None:
        return ""
    turn, who = turning_point(game, uncertainty(game, CHOICE)), game.table.name(winner)
    if turn is None:
        return tr("{who} won without ever being ahead for good: somebody else knew more at the end.", who=who)
    if turn == 0:
        return tr("Nobody ever knew more of the envelope than {who}.", who=who)
    return tr("Turning point: from turn {turn} on nobody knew more of the envelope than {who}.", turn=turn, who=who)


def _rich(rows: Rows) -> RichTable:
    table = RichTable(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column, head in enumerate(rows.heads):
        numeric = column in rows.numeric
        table.add_column(Text(head, style="bold"), justify="right" if numeric else "left", no_wrap=numeric)
    for row in rows.rows:
        table.add_row(*[Text(cell) for cell in row])
    return table
