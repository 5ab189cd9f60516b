"""One self-contained page that replays a game in a browser, without a network."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from markupsafe import Markup

from cluedo.engine.board_svg import board_svg
from cluedo.engine.cards import Category
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord
from cluedo.language import current, tr
from cluedo.session.line_up import person_name
from cluedo.session.narration import Story
from cluedo.session.review_text import model_note
from cluedo.session.timeline import reviewed
from cluedo.web.replay_data import replay_data
from cluedo.web.templating import json_of, templates

__all__ = ["replay_page", "replay_parts"]


def replay_page(record: GameRecord, game: Game, eyes: int | None = None) -> str:
    """The page: board, log, sheets, bars and reviews, turn by turn.

    Args:
        record: the game as it stands in its file.
        game: the game played again, as far as the page shall tell it.
        eyes: the seat whose page it is, which holds nothing that the seat may not know; or None for all cards open.
    """
    return (
        templates()
        .get_template("replay.html")
        .render(
            **replay_parts(record, game, eyes),
            language=current(),
            style=Markup(_part("replay_shell.css") + _part("replay.css")),
            script=Markup(_part("replay.js")),
        )
    )


def replay_parts(record: GameRecord, game: Game, eyes: int | None = None) -> dict[str, Any]:
    """What the template of such a page is filled with, but for the page around it; arguments as above."""
    table = game.table
    title = table.board.title
    words = _words()
    timeline, reviews = reviewed(game, [player.name for player in record.players], eyes)
    return {
        "title": title,
        "lead": _lead(record, game, eyes),
        "words": words,
        "replayed": json_of(replay_data(timeline) | {"words": words, "language": current()}),
        "board": board_svg(table.board, label=tr("The board {title}", title=title)) if table.board.has_grid else None,
        "reviews": reviews,
        "single": eyes is not None,
        "note": model_note(),
    }


def _part(name: str) -> str:
    return files("cluedo.web").joinpath("static", name).read_text(encoding="utf-8")


def _lead(record: GameRecord, game: Game, eyes: int | None) -> str:
    table = game.table
    called = [person_name(player.name) for player in record.players]
    players = ", ".join(f"{table.name(seat)} ({name})" for seat, name in enumerate(called))
    return f"{players}. {Story(table, eyes).ending(game.result)}" if game.result is not None else f"{players}."


def _words() -> dict[str, Any]:
    return {
        "noscript": tr("This page needs JavaScript to replay the game."),
        "board": tr("Board"),
        "controls": tr("Steps"),
        "first": tr("To the deal"),
        "back": tr("One turn back"),
        "play": tr("Play"),
        "pause": tr("Pause"),
        "space": tr("space"),
        "forward": tr("One turn forward"),
        "last": tr("To the end"),
        "jump": tr("Jump to a turn"),
        "speed": tr("Speed"),
        "shortcuts": tr("Keys: ← and → step, Home and End jump, space plays. On a touch screen, swipe over the board."),
        "eyes": tr("View"),
        "unknown": tr("Unknown about the envelope"),
        "sheet": tr("Sheet"),
        "signs": tr(
            "✓ is there, ✗ is not, else how likely it is in per cent; a frame marks what the turn has proved. "
            "The solution is not entered when it is revealed."
        ),
        "log": tr("Log"),
        "review": tr("Review"),
        "deal": tr("The cards are dealt"),
        "turn": tr("Turn {turn}: {who}"),
        "of": tr("{turn} of {turns}"),
        "bits": tr("{bits} bits"),
        "categories": [tr(category.title) for category in Category],
    }
