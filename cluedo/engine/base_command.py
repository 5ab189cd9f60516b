"""The base class of commands: why one is not allowed, which ones are, and what it does.

Each command answers three questions from one source: ``why_not`` says which rule forbids it, ``legal``
lists what is not forbidden, and ``apply`` may then simply do it. The first two rest on an ``obstacle`` to all commands
of a kind; those with a choice in them add their ``options``, and why another one is none. Legality depends on
nothing but what a view has too, so that a player can ask it of a view just as the game asks it of the state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from cluedo.engine.events import Event
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import ACCUSE, ASK, END, MOVE, OVER, REFUTE, WALK, State, Step

if TYPE_CHECKING:  # a view lists its commands, so it comes after this module
    from cluedo.engine.view import PlayerView

__all__ = ["Command", "cached_events", "not_now"]

_WAITING = {
    MOVE: Phrase("the turn waits for a move"),
    WALK: Phrase("the dice are thrown, and the turn waits for a walk"),
    ASK: Phrase("the turn waits for a hypothesis, an accusation or its end"),
    REFUTE: Phrase("a card has to be shown first"),
    ACCUSE: Phrase("the turn waits for an accusation or its end"),
    END: Phrase("after a wrong accusation the turn can only end"),
    OVER: Phrase("the game is over"),
}


class Command(ABC):
    """Something that a seat does. Commands are frozen values that can be compared; cards and places are ids."""

    __slots__ = ()

    intent: ClassVar[Phrase]
    """What the command is, for messages."""

    word: ClassVar[str]
    """What it is called in files and in messages of programs."""

    detail: ClassVar[Literal["to", "card", "cards", "position"] | None] = None
    """The attribute that is chosen with it, also its key in files: a place, a card, three cards or a position."""

    secret: ClassVar[bool] = False
    """Whether its first event holds a card that some seats alone see."""

    silent: ClassVar[bool] = False
    """Whether it shows nobody anything but where a pawn stands, so that it may be taken back."""

    @classmethod
    @abstractmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        """Why no command of this kind is allowed now, as a sentence that names the rule; None if one may be."""

    @classmethod
    def options(cls, situation: State | PlayerView) -> Iterator[Self]:  # noqa: ARG003 - for those with a choice in them
        """Every command of this kind that is allowed where there is no obstacle, in a fixed order."""
        yield cls()

    @classmethod
    def legal(cls, situation: State | PlayerView) -> Iterator[Self]:
        """Every command of this kind that is allowed now, in a fixed order."""
        return cls.options(situation) if cls.obstacle(situation) is None else iter(())

    def why_not(self, situation: State | PlayerView) -> Phrase | None:
        """Why the command is not allowed now, as a sentence that names the rule; None if it is."""
        return self.obstacle(situation)

    @abstractmethod
    def apply(self, state: State) -> tuple[Event, ...]:
        """Do it: change the state and say what happened. The command has been verified."""


def cached_events(kind: Callable[..., Event], most: int | None = None) -> Callable[..., tuple[Event, ...]]:
    """What makes events of one kind, each alone in a tuple, and keeps them: all, or the ``most`` that came last.

    Events are values with few possible contents: made once each, they cost a look-up afterwards. Not so what holds a
    secret, Shown and ShowCard: the hits of a cache, and which of its values are in use, would tell it.
    """
    return lru_cache(maxsize=most)(lambda *values: (kind(*values),))


@cache
def not_now(intent: Phrase, step: Step) -> Phrase:
    """The reason that the turn waits for something else."""
    return Phrase("{intent} is not possible now: {waiting} (rule 4)", intent=intent, waiting=_WAITING[step])
