"""What a person may choose, and how the words they type are understood.

A choice is made by its number, or by its name as names are typed everywhere. No input or output happens here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from cluedo.engine.cards import closest
from cluedo.session.case.vocabulary import Unclear, fold_text, meant_by
from cluedo.words.narration import or_join

__all__ = ["Choice", "Menu"]

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
