"""The seats and the settings of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from cluedo.ai.levels import LEVELS, parse_player
from cluedo.engine.board import Board
from cluedo.engine.cards import Deck, normalised
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.engine.rules import Rules
from cluedo.language import tr
from cluedo.session.line_up import LONGEST_NAME, Person, Seated

__all__ = [
    "CLOCKS",
    "EDITION",
    "MOST_SEATS",
    "STAND_IN",
    "Newcomer",
    "TableOptions",
    "TableSeat",
    "free_suspects",
    "name_of",
    "suspects_of",
]

_Sitter: TypeAlias = Literal["open", "person", "level"]

CLOCKS: Final = (0, 30, 60, 120, 300, 86_400)
"""Seconds that a turn may take; 0 is for ever."""

EDITION: Final = "edition:"
"""What is before the name of an edition where a board may be named as well."""

STAND_IN: Final = "medium"
"""The level that plays for people who are away, and on seats that are open."""

MOST_SEATS: Final = 6

_POOL_OF_TWO: Final = 4

_NOT_IN_NAMES: Final = ',:="<>&'
"""What stands between names in line-ups, and in pages."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The settings of a table.

    Attributes:
        map: the name of a shipped board.
        movement: as in :class:`~cluedo.engine.rules.Rules`.
        hints: whether one may ask the detective.
        clock: seconds that a turn may take, one of :data:`CLOCKS`.
        edition: the name of a shipped edition, whose rules hold; empty for the rules of the box.
    """

    map: str
    movement: Literal["walk", "free"] = "walk"
    hints: bool = True
    clock: int = 0
    edition: str = ""

    @classmethod
    def checked(cls, map_: object, movement: object, hints: object, clock: object) -> Self:
        """Options that somebody sent, with a map's name or ``edition:NAME``; raises :class:`CluedoError`."""
        edition = next((one for one in shipped_editions() if map_ == f"{EDITION}{one.name}"), None)
        if edition is not None:
            map_, movement = edition.map, edition.rules.movement
        if map_ not in map_names():
            raise CluedoError("there is no board of this name here")
        if movement not in ("walk", "free"):
            raise CluedoError("pawns walk, or move freely from room to room")
        if clock not in CLOCKS:
            raise CluedoError("this is not one of the clocks")
        free: Literal["walk", "free"] = "free" if movement == "free" else "walk"
        return cls(str(map_), free, hints is True, int(str(clock)), edition.name if edition else "")

    def board(self) -> Board:
        """The board."""
        return Board.load(self.map)

    @property
    def title(self) -> str:
        """The title of the edition, or of the board where none is chosen."""
        title = self._edition().title
        return tr(title) if title else self.board().title

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most that may play."""
        least, most = self._edition().players
        return least, min(MOST_SEATS, len(self.board().deck.suspects), most)

    def check_players(self, count: int) -> None:
        """Raise :class:`CluedoError` unless this number of players is allowed."""
        self._edition().check_players(count)
        least, most = self.players
        if not least <= count <= most:
            raise CluedoError("Cluedo is for {least} to {most} players", least=least, most=most)

    def rules(self, seats: int) -> Rules:
        """The rules, for so many players: two have a pool, as in the edition for two."""
        usual = self._edition().rules
        pool = [f"pool={_POOL_OF_TWO}"] if seats == 2 and not usual.pool and usual.leftover != "pool" else []
        return Rules.from_options([f"movement={self.movement}", *pool], usual)

    def _edition(self) -> Edition:
        return Edition.chosen(self.edition or None, self.map)


@dataclass(slots=True)
class TableSeat:
    """One seat at the table.

    Attributes:
        kind: who sits there.
        name: of the person.
        level: of the level.
        suspect: the number of the suspect that they chose, or None.
        key: what tells that a browser is this person: a hash of the secret that it holds.
    """

    kind: _Sitter = "open"
    name: str = ""
    level: str = ""
    suspect: int | None = None
    key: str = ""

    @property
    def player(self) -> Seated:
        """The player of this seat, as the record names them."""
        if self.kind == "person":
            return Person(self.name)
        return parse_player(self.level or STAND_IN)

    @property
    def played_by(self) -> str:
        """What they are called who play this seat in a game: the person, or the level."""
        return self.name or self.level or STAND_IN


class Newcomer(NamedTuple):
    """Who plays a seat from now on in the middle of a game, and sees its cards.

    Attributes:
        seat: the seat.
        name: the person or the level.
        turn: the turn in which they came; ``whose``: the seat whose turn it was.
        after: the number of events until then.
    """

    seat: int
    name: str
    turn: int
    whose: int
    after: int


def name_of(text: object) -> str:
    """A name as somebody typed it, with typographic apostrophes; raises :class:`CluedoError` for what is none."""
    name = " ".join(normalised(str(text)).replace("'", "’").split())  # the other ones quote parts of a line-up
    if not 1 <= len(name) <= LONGEST_NAME:
        raise CluedoError("a name is needed, of up to {longest} letters", longest=LONGEST_NAME)
    if any(sign in _NOT_IN_NAMES for sign in name):
        raise CluedoError("a name cannot contain {signs}", signs=" ".join(_NOT_IN_NAMES))
    if not name.isprintable():
        raise CluedoError("a name cannot contain invisible characters, or emoji joined from several")
    if name.casefold() in LEVELS:
        raise CluedoError("{name} is what a level is called; take another name", name=name)
    return name


def suspects_of(seats: Sequence[TableSeat], deck: Deck) -> list[int]:
    """By seat, the number of the suspect: the one that was chosen, or the first that is free."""
    free = iter(free_suspects(seats, deck))
    return [next(free) if table_seat.suspect is None else table_seat.suspect for table_seat in seats]


def free_suspects(seats: Iterable[TableSeat], deck: Deck) -> list[int]:
    """The numbers of the suspects that nobody has chosen."""
    taken = {table_seat.suspect for table_seat in seats}
    return [number for number in range(len(deck.suspects)) if number not in taken]
