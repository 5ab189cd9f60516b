"""What somebody types about a puzzle: a statement, a question or a command, in every language."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cluedo.ai.knowledge import Triple
from cluedo.engine.cards import Category
from cluedo.engine.phrase import Phrase
from cluedo.language import in_every_language, tr
from cluedo.session.case.interpreter import ReplyLine
from cluedo.session.case.setup import read_hand, read_pair
from cluedo.session.case.vocabulary import words_of
from cluedo.session.choices import Unclear, folded
from cluedo.session.exercise_text import position_text
from cluedo.session.puzzle import Puzzle

__all__ = ["answer", "help_lines"]

_COMMANDS: Final = {
    "help": Phrase("help, ?, h"),
    "hint": Phrase("hint"),
    "ask": Phrase("ask, questions"),
    "position": Phrase("position"),
    "solution": Phrase("solution"),
    "quit": Phrase("quit, exit, q"),
}
"""By command, the words for it in English, first the one that is offered; those of all languages are understood."""

_NOT: Final = Phrase("not")
_LONGEST: Final = 400


def answer(puzzle: Puzzle, line: str) -> list[ReplyLine] | None:
    """The answer to a line; None for the wish to leave. Raises :class:`Unclear` with what would be right."""
    word, _, rest = line[:_LONGEST].strip().partition(" ")
    if not word:
        raise Unclear("nothing was entered")
    meant = {folded(name): command for command, names in _COMMANDS.items() for name in words_of(names)}
    command = meant.get(folded(word), "")
    if command == "quit":
        return None
    if command == "ask":
        return puzzle.ask(_three(puzzle, rest))
    orders: dict[str, Callable[[], list[ReplyLine]]] = {
        "help": help_lines,
        "hint": puzzle.hint,
        "position": lambda: [ReplyLine(told) for told in position_text(puzzle.exercise.log).splitlines()],
        "solution": puzzle.solution,
    }
    if command and not rest:
        return orders[command]()
    return puzzle.claim(*_statement(puzzle, line[:_LONGEST]))


def help_lines() -> list[ReplyLine]:
    """What can be typed."""
    return [
        ReplyLine(line)
        for line in (
            tr("CARD = PLACE: it is proved that the card is there, with a player or in the envelope"),
            tr("CARD not PLACE: it is proved that it is not"),
            tr("ask SUSPECT, WEAPON, ROOM: what would this question tell?"),
            tr("hint: a hint at the easiest proof that is left; again: the next one"),
            tr("position: all that is known, once more"),
            tr("solution: all proofs with their reasons, and the best question"),
            tr("quit: leave"),
            tr("Type only as many letters as tell the names apart."),
        )
    ]


def _statement(puzzle: Puzzle, line: str) -> tuple[int, int, bool]:
    """The card, the place, and whether it is there."""
    nots = "|".join(in_every_language(_NOT))
    card, *place = re.split(rf"!=|≠|\b(?:{nots})\b", line, maxsplit=1, flags=re.IGNORECASE)
    return *read_pair("=".join([card, *place]), puzzle.exercise.log.setting), not place


def _three(puzzle: Puzzle, text: str) -> Triple:
    """The suspect, the weapon and the room of a question, in any order."""
    board = puzzle.exercise.log.setting.board
    cards = sorted(map(board.deck.id, read_hand(text, board)))
    if [board.deck.category(card) for card in cards] != list(Category):
        raise Unclear("a question names a suspect, a weapon and a room")
    suspect, weapon, room = cards  # in a deck suspects come before weapons before rooms
    return suspect, weapon, room
