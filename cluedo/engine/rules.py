"""The rules by number, as messages refer to them, and those that can be set.

1.  *Players*: 2 to 10, each with a suspect; two need a pool (rule 13). All the map's pawns stand on the board, played
    or not. Weapon k starts in room k.
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

Editions and houses differ in what follows; each rule holds only where it is set:

13. *Pool* (``pool``): before the deal this many cards are laid face down beside the board, unseen. Two players need a
    pool, usually of four cards. Nobody shows a card of the pool.
14. *Cards left over* (``leftover``): the cards that do not go round evenly are dealt like the others (``dealt``), or
    lie face up for all to see (``open``), or go face down into the pool (``pool``).
15. *Peeking* (``peek``): a player whose hypothesis nobody could answer may look at one card of the pool, before
    they accuse or end the turn. They put it back in its place. The others see which card it was, not what is on it.
16. *Own cards* (``own_cards = "not_all"``): at least one of the three cards of a hypothesis is not the
    asker's own.
17. *Where to accuse* (``accuse_in = "room"``): only in a room, and only that room.
18. *Open hand* (``wrong_shows_hand``): a player who has accused wrongly lays their hand open for all to see. They
    still pass or show cards.
19. *All answer* (``refuters = "all"``): every player who holds any of the three cards shows one to the asker alone,
    clockwise from the left of the asker; the others say that they cannot.
20. *Who starts* (``starts = "first_suspect"``): the player whose suspect comes first on the map, without a roll.
21. *The last one wins* (``last_wins``): when all players but one are eliminated, that one wins, and the case stays
    ``unsolved``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from cluedo.engine.cards import closest
from cluedo.engine.errors import SetupError
from cluedo.engine.validation import FileForm, InvalidForm, sentence

__all__ = ["BOX_RULES", "MAX_SEATS", "MIN_SEATS", "MOST_TURNS", "Rules", "value_text"]

MIN_SEATS, MAX_SEATS = 2, 10
MOST_TURNS = 1_000_000
_ALWAYS = frozenset(("dice", "sides", "movement", "max_turns"))
"""What a file always says of the rules."""


class Rules(FileForm):
    """What may be set for a game (from rule 11 on); the defaults are the rules of the box.

    Raises:
        pydantic.ValidationError: there is no such rule, or its value is not allowed; :meth:`from_options` says so in a
            sentence, as does whatever takes a dict of rules.
    """

    dice: Annotated[int, Field(ge=1, le=6)] = 2
    sides: Annotated[int, Field(ge=2, le=100)] = 6
    movement: Literal["walk", "free"] = "walk"
    max_turns: Annotated[int, Field(ge=1, le=MOST_TURNS)] = 1000
    pool: Annotated[int, Field(ge=0, le=100)] = 0
    leftover: Literal["dealt", "open", "pool"] = "dealt"
    peek: bool = False
    own_cards: Literal["any", "not_all"] = "any"
    accuse_in: Literal["anywhere", "room"] = "anywhere"
    wrong_shows_hand: bool = False
    refuters: Literal["first", "all"] = "first"
    starts: Literal["roll", "first_suspect"] = "roll"
    last_wins: bool = False

    @model_validator(mode="after")
    def _fit(self) -> Self:
        if self.peek and not self.pool and self.leftover != "pool":
            raise InvalidForm("peek: there is no pool to look into; set pool=4 or leftover=pool (rule 15)")
        return self

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write the rules of editions only where they are set, so that the files of other games stay unchanged."""
        fields = type(self).model_fields
        return {key: value for key, value in write(self).items() if key in _ALWAYS or value != fields[key].default}

    @classmethod
    def from_options(cls, options: Iterable[str], base: Rules | None = None) -> Self:
        """Rules from ``KEY=VALUE`` texts, and beside them those that ``base`` sets.

        Raises:
            SetupError: names the key, and what would be right.

        >>> Rules.from_options(["movement=free"]).free
        True
        >>> Rules.from_options(["dice=9"])
        Traceback (most recent call last):
            ...
        cluedo.engine.errors.SetupError: rule dice: must be 6 or less
        """
        values: dict[str, Any] = {} if base is None else base.model_dump(exclude_unset=True)
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

    @property
    def of_the_box(self) -> bool:
        """Whether no rule of an edition is set, from 13 on."""
        return self.model_dump().keys() <= _ALWAYS

    def set_aside(self, cards: int, seats: int) -> tuple[int, int]:
        """How many of ``cards`` are not dealt to ``seats`` players: the numbers in the pool and face up."""
        left = (cards - self.pool) % seats
        if self.leftover == "pool":
            return self.pool + left, 0
        return self.pool, left if self.leftover == "open" else 0


BOX_RULES: Final = Rules()
"""The rules of the box: none is changed."""


def value_text(value: object) -> str:
    """The value of a rule or of a level's parameter as it is typed.

    >>> value_text(True), value_text(2)
    ('true', '2')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)
