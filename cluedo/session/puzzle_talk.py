"""What somebody types about a puzzle: a statement, a question or a command, in every language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cluedo.engine.phrase import Phrase
from cluedo.language import in_every_language, tr
from cluedo.session.case.interpreter import ReplyLine
from cluedo.session.case.vocabulary import named, words_of
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
_MOST_WORDS: Final = 4
"""Of a card's name."""


def answer(puzzle: Puzzle, line: str) -> list[ReplyLine] | None:
    """The answer to a line; None for the wish to leave. Raises :class:`Unclear` with what would be right."""
    words = line[:_LONGEST].replace("!=", " not ").replace("≠", " not ").replace("=", " ").replace(",", " ").split()
    if not words:
        raise Unclear(tr("nothing was entered"))
    meant = {folded(word): command for command, listed in _COMMANDS.items() for word in words_of(listed)}
    command = meant.get(folded(words[0]), "")
    if command == "quit":
        return None
    if command == "ask":
        return puzzle.ask(_three(puzzle, words[1:]))
    orders: dict[str, Callable[[], list[ReplyLine]]] = {
        "help": help_lines,
        "hint": puzzle.hint,
        "position": lambda: [ReplyLine(told) for told in position_text(puzzle.exercise.log).splitlines()],
        "solution": puzzle.solution,
    }
    if command and len(words) == 1:
        return orders[command]()
    return puzzle.claim(*_statement(puzzle, words))


def help_lines() -> list[ReplyLine]:
    """What can be typed."""
    return [
        ReplyLine(line)
        for line in (
            tr("CARD = PLACE: it is proved that the card is there, with a player or in the envelope"),
            tr("CARD not PLACE: it is proved that it is not"),
            tr("ask SUSPECT WEAPON ROOM: what would this question tell?"),
            tr("hint: a hint at the easiest proof that is left; again: the next one"),
            tr("position: all that is known, once more"),
            tr("solution: all proofs with their reasons, and the best question"),
            tr("quit: leave"),
            tr("Names may be cut short: ple = cy."),
        )
    ]


def _statement(puzzle: Puzzle, words: Sequence[str]) -> tuple[int, int, bool]:
    """The card, the place, and whether it is there."""
    card, rest = _card(puzzle, words)
    nots = in_every_language(_NOT)
    place = [word for word in rest if folded(word) not in nots]
    if not place:
        raise Unclear(tr("a card and a place are needed, as in {example}", example=_example(puzzle)))
    return card, named(" ".join(place), puzzle.places), len(place) == len(rest)


def _three(puzzle: Puzzle, words: Sequence[str]) -> tuple[int, int, int]:
    """The suspect, the weapon and the room of a question, in any order."""
    cards: list[int] = []
    rest = words
    while rest and len(cards) < 3:
        card, rest = _card(puzzle, rest)
        cards.append(card)
    deck = puzzle.evidence.deck
    if rest or [deck.category(card) for card in sorted(cards)] != [0, 1, 2]:
        raise Unclear(tr("a question names a suspect, a weapon and a room"))
    suspect, weapon, room = sorted(cards)  # in a deck suspects come before weapons before rooms
    return suspect, weapon, room


def _card(puzzle: Puzzle, words: Sequence[str]) -> tuple[int, Sequence[str]]:
    """The card that the first words name, as many of them as can be, and the other words."""
    names = puzzle.evidence.deck.names
    for count in range(min(_MOST_WORDS, len(words)), 1, -1):
        try:
            return named(" ".join(words[:count]), names), words[count:]
        except Unclear:
            continue
    return named(words[0], names), words[1:]


def _example(puzzle: Puzzle) -> str:
    return f"{puzzle.evidence.deck.names[-1]} = {puzzle.places[0]}"
