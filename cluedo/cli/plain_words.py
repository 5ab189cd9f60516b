"""Understands what people type at the prompts of a game.

A choice of a menu is made by its number, or by its name as names are typed everywhere. No input or output happens here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from cluedo.engine.cards import closest
from cluedo.engine.commands import (
    Accusation,
    Command,
    EndTurn,
    Hypothesis,
    Move,
    Peek,
    Roll,
    SecretPassage,
    ShowCard,
    Stay,
)
from cluedo.engine.phrase import Phrase
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.actions import CardChoice, Offer, TakeBack
from cluedo.session.case.vocabulary import Unclear, fold_text, meant_by
from cluedo.words.narration import or_join, place_name

__all__ = ["Choice", "Menu", "choices", "prompt_command", "read_cards", "rooms", "square", "why_not"]

_SQUARE = re.compile(r"[\[(]?\s*(\d{1,4})\s*[\s,;]\s*(\d{1,4})\s*[\])]?")
_PROMPT_COMMANDS: dict[Phrase, tuple[str | Phrase, ...]] = {
    Phrase("help"): ("?",),
    Phrase("quit"): ("exit", "q"),
    Phrase("board"): (),
    Phrase("hand"): (),
    Phrase("sheet"): ("notes",),
    Phrase("log"): (),
    Phrase("players"): (),
    Phrase("undo"): (Phrase("take back"),),
    Phrase("hint"): (Phrase("hints"), "h"),
    Phrase("bits"): (),
    Phrase("rules"): (),
}
"""The commands that any prompt takes: by its word, other words for it."""
_COMMANDS: dict[Phrase, type[Command]] = {
    Phrase("roll"): Roll,
    Phrase("walk"): Move,
    Phrase("passage"): SecretPassage,
    Phrase("stay"): Stay,
    Phrase("ask"): Hypothesis,
    Phrase("show"): ShowCard,
    Phrase("look"): Peek,
    Phrase("accuse"): Accusation,
    Phrase("end"): EndTurn,
}
"""By a word, a kind of command, which may say why it is not on the menu."""
_WORDS: dict[type, tuple[Phrase, ...]] = {
    Roll: (Phrase("roll"), Phrase("dice"), Phrase("walk")),
    SecretPassage: (Phrase("passage"), Phrase("secret passage")),
    Stay: (Phrase("stay"),),
    EndTurn: (Phrase("end"), Phrase("no")),
    TakeBack: (Phrase("undo"),),
    Peek: (Phrase("look"), Phrase("peek")),
    CardChoice: (Phrase("accuse"),),
}
"""By what is done, words for it beside the sentence that offers it."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Choice(Generic[T]):
    """Something to choose: its value, its name, and a remark beside it."""

    value: T
    name: str
    remark: str = ""
    aliases: tuple[str, ...] = ()

    def words(self) -> set[str]:
        """All texts that name it."""
        return {fold_text(self.name), *map(fold_text, self.aliases)}


class Menu(Generic[T]):
    """Numbered choices, and others that are understood but not listed.

    Args:
        listed: what is offered, numbered from 1.
        others: what is understood by name as well, so that the game can say why it is not possible.
        default: the value of an empty answer, if there is one.
    """

    def __init__(self, listed: Sequence[Choice[T]], others: Iterable[Choice[T]] = (), default: Choice[T] | None = None):
        self.listed = list(listed)
        self.others = list(others)
        self.default = default

    def lines(self) -> list[str]:
        """The choices as they are shown."""
        width = len(str(len(self.listed)))
        return [
            f"{number:>{width}} {choice.name}{f' ({choice.remark})' if choice.remark else ''}"
            for number, choice in enumerate(self.listed, start=1)
        ]

    def knows(self, text: str) -> bool:
        """Whether the text is the whole name of a choice."""
        return any(fold_text(text) in choice.words() for choice in [*self.listed, *self.others])

    def read(self, text: str) -> T:
        """The choice that a text names; raises :class:`Unclear`."""
        word = fold_text(text)
        if not word:
            if self.default is None:
                raise Unclear("an answer is needed: a number or a name")
            return self.default.value
        if word.isdecimal():
            number = int(word) if len(word) < 6 else 0
            if not 1 <= number <= len(self.listed):
                raise Unclear("{number} is not between 1 and {last}", number=text.strip()[:20], last=len(self.listed))
            return self.listed[number - 1].value
        return self._named(text)

    def _named(self, text: str) -> T:
        known = [*self.listed, *self.others]
        found = meant_by(text.strip(), [choice.name for choice in known], [choice.aliases for choice in known])
        meant = [known[index] for index in found if index < len(self.listed)] or [known[index] for index in found]
        if len(meant) == 1:
            return meant[0].value
        if meant:
            these = or_join(choice.name for choice in meant)
            raise Unclear("{text!r} could be {names}", text=text.strip()[:40], names=these)
        names = [choice.name for choice in self.listed]
        raise Unclear(
            "{text!r} is not one of the choices; {closest}",
            text=text.strip()[:40],
            closest=closest(text.strip(), names),
        )


def choices(offer: Offer) -> list[Choice[Any]]:
    """The offered actions as choices, which can be named by other words, too."""
    return [
        Choice(action.value, action.sentence, aliases=tuple({*words, *map(tr, words)}))
        for action in offer.actions
        for words in [_WORDS.get(type(action.value), ())]
    ]


def rooms(view: PlayerView) -> list[Choice[Command]]:
    """The rooms as walks, possible or not: the game says which and why."""
    board = view.board
    return [Choice(Move(room), place_name(board, room)) for room in range(board.rooms_at, board.places)]


def square(view: PlayerView, text: str) -> Move | None:
    """The walk to a square typed as ``x,y``; a square inside a room means the room."""
    found = _SQUARE.fullmatch(text.strip())
    if not found:
        return None
    x, y = int(found[1]), int(found[2])
    grid = view.board.map.grid or ()
    if not (y < len(grid) and x < len(grid[0])):
        raise Unclear(
            "({x}, {y}) lies outside the board: x goes from 0 to {right}, y to {bottom}",
            x=x,
            y=y,
            right=len(grid[0]) - 1,
            bottom=len(grid) - 1,
        )
    symbols = [room.symbol for room in view.board.map.rooms]
    if grid[y][x] in symbols:
        return Move(view.board.rooms_at + symbols.index(grid[y][x]))
    if not view.board.is_corridor(x, y):
        raise Unclear("({x}, {y}) is a wall", x=x, y=y)
    return Move(view.board.place((x, y)))


def read_cards(text: str, menu: Menu[int | None], menus: list[Menu[int | None]]) -> list[int | None] | None:
    """One card of the menu, or several of as many menus with commas between; None to go back."""
    if "," not in text or menu.knows(text):
        card = menu.read(text)
        return None if card is None else [card]
    parts = text.split(",")
    if len(parts) > len(menus):
        raise Unclear("{count} names are too many; at most {most} are asked for", count=len(parts), most=len(menus))
    return [menu.read(part) for menu, part in zip(menus, parts, strict=False)]


def prompt_command(word: str) -> str:
    """The command that a word means at any prompt, such as ``help``; "" if it means none."""
    for found, more in _PROMPT_COMMANDS.items():
        if any(word in (name, fold_text(tr(name))) for name in (found, *more)):
            return str(found)
    return ""


def why_not(view: PlayerView, word: str) -> str | None:
    """Why the command that a text names is not possible now; None if it names no command."""
    if _SQUARE.fullmatch(word):
        return Move.obstacle(view)
    first = word.partition(" ")[0]
    kind = next((found for name, found in _COMMANDS.items() if first in (name, fold_text(tr(name)))), None)
    return (kind.obstacle(view) or tr("that comes later in the turn; answer this question first")) if kind else None
