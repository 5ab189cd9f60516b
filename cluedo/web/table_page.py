"""The page on which a game is played at a table, and the words that its script says."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from cluedo.engine.board_svg import board_svg
from cluedo.language import tr
from cluedo.session.line_up import level_labels
from cluedo.session.tables.online_table import OnlineTable
from cluedo.session.tables.showing import setting_json, update_json
from cluedo.web.responses import page

__all__ = ["table_page"]


def table_page(
    request: Request, table: OnlineTable, key: str, invitation: str, terms: dict[str, list[str]]
) -> Response:
    """The table, with all that its script needs to begin.

    Args:
        request: asks for it.
        table: where the game is.
        key: what tells who asks; empty without a seat.
        invitation: the link by which others come.
        terms: what is played, and the rules that differ.
    """
    board = table.board
    return page(
        request,
        "table.html",
        table=table,
        board=board_svg(board, label=tr("The board {title}", title=board.title)) if board.has_grid else None,
        title=board.title,
        setting=setting_json(table),
        state=update_json(table, key, 0),
        levels=level_labels(),
        words=_words(),
        invitation=invitation,
        terms=terms,
        seated=table.seat_of(key) is not None,
    )


def _words() -> dict[str, Any]:
    """What the script of the table says."""
    return {
        "you": tr("You"),
        "your_turn": tr("Your turn"),
        "turn": tr("Turn {turn}"),
        "envelope": tr("Envelope"),
        "lost": tr("No connection: try again."),
        "level_plays": tr("A level plays for you."),
        "others_play": tr("{who} plays …"),
        "away": tr("away"),
        "out": tr("out"),
        "back": tr("I am back"),
        "yours": tr("yours"),
        "face_up": tr("face up"),
        "cards": tr("{count} cards"),
        "sure": tr("You are about to accuse {cards}. If you are wrong, you are out. Accuse?"),
        "ask": tr("ask"),
        "accuse": tr("accuse"),
        "in_the_envelope": tr("What is in the envelope?"),
        "seconds": tr("{count} s"),
        "note": tr("A note about {card}:"),
        "free": tr("free"),
        "sheet_cell": tr("{card}, {who}: {sign}"),
        "nothing": tr("nothing"),
        "watching": tr("{count} watching"),
        "dice": tr("Dice: {dice}"),
        "won": tr("won"),
        "copied": tr("Copied"),
        "cancel": tr("Cancel"),
        "close": tr("Close"),
        "do_it": tr("Do it"),
        "leave": tr("Leave the table?"),
        "leave_told": tr("A level plays on in your seat, and somebody else may take it."),
        "leave_yes": tr("Leave the table"),
        "thinking": tr("The detective is thinking …"),
        "guide": {
            "hand": tr("These are your cards. None of them is in the envelope."),
            "walk": tr("Rooms and squares that you can reach are lit. Tap one: in a room you may ask."),
            "ask": tr("Choose a suspect and a weapon that you know nothing about, then ask."),
            "shown": tr("Only you see this card. Tap it away; your sheet has noted it."),
            "sheet": tr("Your sheet: ✓ holds the card, ✗ does not. A row with ✗ for all players is in the envelope."),
            "hint": tr("The detective tells you what is proved and what to ask next."),
            "accuse": tr("Sure of all three cards? Accuse. You can do so only once."),
            "next": tr("Next"),
            "enough": tr("No more tips"),
        },
    }
