"""The rules by number, as messages refer to them, and those that can be set.

1.  *Players*: 3 to 6, each with a suspect. All the map's pawns stand on the board, played or not. Weapon k
    starts in room k.
2.  *Deal*: one suspect, one weapon and one room go into the envelope. The rest is shuffled and dealt one by
    one, clockwise from the left of a dealer drawn at random. Hands may be unequal.
3.  *Start*: everybody rolls and the highest starts; ties roll again among themselves. Play goes clockwise.
4.  *Turn*: a move, then perhaps a hypothesis, then perhaps an accusation, then the end. A move is one of:
    roll and walk; take a secret passage; stay.
5.  *Walking*: up to as many squares as rolled, orthogonally, never onto or through a square with a pawn on it.
    Passing a door costs a step, and entering a room ends the walk. A room that was left in a move may not be
    entered again in the same move. Steps may be left over, and a player who has rolled may still stay.
6.  *Hypothesis*: only in a room, about that room, at most one a turn. The named suspect's pawn and the named
    weapon are moved into the room. Players may name their own cards.
7.  *Used-up room*: after a hypothesis, the next one in that room is allowed once the asker's pawn has entered
    another room in between, or has been moved into this one, from outside it, by somebody else's hypothesis.
8.  *Moved by others*: a player whose pawn was moved by somebody else's hypothesis may stay and ask at once.
9.  *Refutation*: clockwise from the left of the asker, the first player who holds any of the three cards shows
    exactly one, of their choice, to the asker alone. Those before say that they cannot.
10. *Accusation*: at the end of one's own turn, from anywhere, about any three cards, once a game. If it is right,
    the game is won. If it is wrong, the player is eliminated: no more turns, but cards must still be shown, and
    a pawn on a door square goes into that room. Everybody learns that these three together are wrong.
11. *End*: the game is solved; or ``unsolved``, when all are eliminated; or ``unfinished``, when ``max_turns`` is
    reached.
12. *Variants*: the number of dice and of their sides; and ``movement = "free"``: no dice, passages or squares,
    each turn one may enter any room or stay, and rule 7 does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cluedo.engine.cards import closest
from cluedo.engine.errors import SetupError
from cluedo.engine.faults import sentence

__all__ = ["MAX_SEATS", "MIN_SEATS", "MOST_TURNS", "Rules"]

MIN_SEATS, MAX_SEATS = 3, 6
MOST_TURNS = 1_000_000


class Rules(BaseModel):
    """What may be set for a game; the defaults are the rules of the box."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dice: Annotated[int, Field(ge=1, le=6, description="dice thrown for a walk")] = 2
    sides: Annotated[int, Field(ge=2, le=100, description="sides of each die")] = 6
    movement: Annotated[Literal["walk", "free"], Field(description="walk the board, or enter any room")] = "walk"
    max_turns: Annotated[int, Field(ge=1, le=MOST_TURNS, description="turns in all before a game is given up")] = 1000

    @classmethod
    def from_options(cls, options: Iterable[str]) -> Self:
        """Rules from ``KEY=VALUE`` texts; raises :class:`SetupError` that names the key and what would be right.

        >>> Rules.from_options(["movement=free"]).free
        True
        >>> Rules.from_options(["dice=9"])
        Traceback (most recent call last):
            ...
        cluedo.engine.errors.SetupError: rule dice: must be 6 or less
        """
        values: dict[str, str] = {}
        for option in options:
            key, equals, value = option.partition("=")
            if not equals:
                raise SetupError("rule {option!r}: a rule is set as KEY=VALUE, for example dice=1", option=option)
            if key not in cls.model_fields:
                raise SetupError(
                    "rule {option!r}: there is no rule {key!r}; {closest}",
                    option=option,
                    key=key,
                    closest=closest(key, cls.model_fields),
                )
            values[key] = value
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise SetupError("rule {sentence}", sentence=sentence(error)) from None

    @property
    def free(self) -> bool:
        """Whether pawns move from room to room without dice (rule 12)."""
        return self.movement == "free"
