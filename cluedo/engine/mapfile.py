"""The map file: a mansion, or a deck alone, in JSON (format 1).

A map names its suspects, weapons and rooms and may draw the board as a ``grid``, a list of
equal-length strings: an upper-case symbol is a square of that room, its lower case a corridor square
with a door into that room, ``.`` a corridor square, ``#`` no square. Rows and columns count from 0
at the upper left, as ``[x, y]`` does everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, ValidationError, model_validator

from cluedo.engine.cards import Deck, closest, normalised
from cluedo.engine.errors import CluedoError, MapError
from cluedo.engine.file_io import Missing, Unreadable, check_format, json_object, read_text
from cluedo.engine.graph import CORRIDOR, WALL, Node, graph_of
from cluedo.engine.phrase import Phrase, listed
from cluedo.engine.validation import FileForm, InvalidForm, complaints

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["MapFile", "Printable", "RoomForm", "SuspectForm", "WeaponForm", "map_names", "map_text", "picture_names"]

_MOST_BYTES: Final = 1_000_000
_MOST_SQUARES: Final = 10_000
_LONGEST_SIDE: Final = 200
"""So that it can be drawn."""
_MOST_FAULTS: Final = 12
"""That one message lists."""
_MOST_CARDS: Final = 100
"""Of one category."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise InvalidForm("must not have control characters")
    return text


Printable = Annotated[str, AfterValidator(_printable)]
"""A text that a terminal shows as it is."""

Name = Annotated[Printable, Field(min_length=1, max_length=40, pattern=r"^\S(.*\S)?$"), AfterValidator(normalised)]
Aliases = Annotated[tuple[Name, ...], Field(max_length=20)]
"""What a card is called as well, wherever a person types its name."""

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Symbol = Annotated[str, Field(pattern=r"^[A-Z]$")]


def _drawn(name: str) -> str:
    if name not in picture_names():
        raise InvalidForm("no picture is called {name!r}; {known}", name=name, known=closest(name, picture_names()))
    return name


PictureName = Annotated[str, Field(max_length=40), AfterValidator(_drawn)]
"""The name of a drawing in ``cluedo.maps.pictures``."""
_OF_A_CATEGORY = Field(min_length=3, max_length=_MOST_CARDS)


class SuspectForm(FileForm):
    """A suspect: name, picture, colour of the pawn, and the corridor square ``(x, y)`` where it starts."""

    name: Name
    aliases: Aliases = ()
    picture: PictureName = "guest"
    colour: Colour = "#888888"
    start: tuple[int, int] | None = None


class WeaponForm(FileForm):
    """A weapon: name and picture."""

    name: Name
    aliases: Aliases = ()
    picture: PictureName = "weapon"


class RoomForm(FileForm):
    """A room: its letter in the grid, its colour, and the room that its secret passage leads to."""

    name: Name
    aliases: Aliases = ()
    symbol: Symbol | None = None
    colour: Colour = "#cccccc"
    passage: Name | None = None


class MapFile(FileForm):
    """A checked map: always a playable board, or a deck alone (without ``grid``)."""

    format: Literal[1] = 1
    name: Annotated[str, Field(pattern=r"^[\w-]{1,40}$")]
    title: Annotated[Printable, Field(max_length=80)] = ""
    suspects: Annotated[tuple[SuspectForm, ...], _OF_A_CATEGORY]
    weapons: Annotated[tuple[WeaponForm, ...], _OF_A_CATEGORY]
    rooms: Annotated[tuple[RoomForm, ...], _OF_A_CATEGORY]
    grid: tuple[str, ...] | None = None

    @classmethod
    def load(cls, source: str | Path) -> Self:
        """Read a shipped map by name, or a map file by path; raises :class:`MapError` with one sentence."""
        return cls.from_text(map_text(source), source)

    @classmethod
    def from_text(cls, text: str, source: str | Path) -> Self:
        """Check the text of a map file; raises :class:`MapError` that names ``source``, with all that is wrong."""
        with MapError.around("map {source}: {error}", source=source):
            data = json_object(text, Phrase("a map"))
        return cls.from_data(data, source)

    @classmethod
    def from_data(cls, data: Mapping[str, object], source: str | Path) -> Self:
        """Check the JSON of a map file; raises :class:`MapError` that names ``source``, with all that is wrong."""
        with MapError.around("map {source}: {error}", source=source):
            check_format(data)
            try:
                return cls.model_validate(data)
            except ValidationError as error:
                raise CluedoError(_all_faults(error)) from None

    @property
    def deck(self) -> Deck:
        """The cards of this map."""
        return Deck(
            [suspect.name for suspect in self.suspects],
            [weapon.name for weapon in self.weapons],
            [room.name for room in self.rooms],
        )

    @property
    def aliases(self) -> tuple[tuple[str, ...], ...]:
        """By card, its other names."""
        return tuple(form.aliases for forms in (self.suspects, self.weapons, self.rooms) for form in forms)

    @property
    def pictures(self) -> tuple[tuple[str, str] | None, ...]:
        """By card, the name of its drawing and the colour it takes, if it takes one; None for a room."""
        suspects = [(suspect.picture, suspect.colour) for suspect in self.suspects]
        return (*suspects, *((weapon.picture, "") for weapon in self.weapons), *(None for _ in self.rooms))

    @property
    def floor(self) -> tuple[str, ...]:
        """The grid; of a deck alone, a row of closed squares, where the pawns stand that are in no room."""
        return self.grid or (".#" * len(self.suspects),)

    @property
    def starts(self) -> tuple[tuple[int, int], ...]:
        """By suspect, the square ``(x, y)`` of :attr:`floor` where the pawn starts."""
        if self.grid is None:
            return tuple((2 * k, 0) for k in range(len(self.suspects)))
        return tuple(suspect.start for suspect in self.suspects if suspect.start is not None)

    @property
    def graph(self) -> nx.Graph[Node]:
        """What games are played on: squares, rooms and the ways between them; see :mod:`cluedo.engine.graph`."""
        passages = [(room.name, room.passage) for room in self.rooms if room.passage is not None]
        return graph_of(self.floor, {room.name: room.symbol for room in self.rooms}, passages)

    def symbols(self) -> Iterator[tuple[int, int, str]]:
        """``(x, y, symbol)`` for every square of the grid, row by row."""
        for y, row in enumerate(self.grid or ()):
            for x, symbol in enumerate(row):
                yield x, y, symbol

    @model_validator(mode="after")
    def _check(self) -> Self:
        faults = [*self._faults_of_names(), *self._faults_of_passages()]
        if self.grid is None:
            faults += self._faults_of_a_bare_deck()
        else:
            drawn = [*self._faults_of_rows(self.grid), *self._faults_of_symbols()]
            if not drawn:  # else what follows would only say it again
                drawn += [*self._faults_of_doors(self.grid), *self._faults_of_starts(self.grid)]
            if not drawn and not faults:
                drawn += self._faults_of_ways()
            faults += drawn
        if faults:
            raise InvalidForm(*faults)
        return self

    def _faults_of_names(self) -> Iterator[str]:
        """Check that no two cards share a name, or one of its aliases, whatever their capitals."""
        forms = [
            (f"{kind}[{k}]", form)
            for kind in ("suspects", "weapons", "rooms")
            for k, form in enumerate(getattr(self, kind))
        ]
        seen: dict[str, str] = {}
        for where, form in forms:
            before = seen.setdefault(form.name.casefold(), where)
            if before != where:
                yield Phrase(
                    "{where}: the card name {name!r} stands already at {before}",
                    where=where,
                    name=form.name,
                    before=before,
                )
        for card, form in forms:
            for at, alias in enumerate(form.aliases):
                where = f"{card}.aliases[{at}]"
                before = seen.setdefault(alias.casefold(), where)
                if before != where:
                    yield Phrase(
                        "{where}: {alias!r} is a name already, at {before}", where=where, alias=alias, before=before
                    )

    def _faults_of_passages(self) -> Iterator[str]:
        rooms = {room.name: room for room in self.rooms}
        for k, room in enumerate(self.rooms):
            if room.passage is None:
                continue
            if room.passage not in rooms:
                yield Phrase(
                    "rooms[{k}]: the passage of {room!r} leads to {other!r}, which is no room; {known}",
                    k=k,
                    room=room.name,
                    other=room.passage,
                    known=closest(room.passage, rooms),
                )
            elif room.passage == room.name:
                yield Phrase("rooms[{k}]: the passage of {room!r} leads back to itself", k=k, room=room.name)
            elif rooms[room.passage].passage != room.name:
                yield Phrase(
                    "rooms[{k}]: the passage of {room!r} leads to {other!r}, but no passage leads back",
                    k=k,
                    room=room.name,
                    other=room.passage,
                )

    def _faults_of_a_bare_deck(self) -> Iterator[str]:
        for k, suspect in enumerate(self.suspects):
            if suspect.start is not None:
                yield Phrase("suspects[{k}]: {name!r} has a start, but the map has no grid", k=k, name=suspect.name)

    def _faults_of_rows(self, grid: tuple[str, ...]) -> Iterator[str]:
        if not grid or not grid[0]:
            yield Phrase("grid: there are no squares; leave grid out for a deck alone")
            return
        if (side := max(len(grid), *map(len, grid))) > _LONGEST_SIDE:
            yield Phrase(
                "grid: a side has {side:,} squares; at most {most} can be played on", side=side, most=_LONGEST_SIDE
            )
        if (squares := sum(map(len, grid))) > _MOST_SQUARES:
            yield Phrase(
                "grid: there are {squares:,} squares; at most {most:,} can be played on",
                squares=squares,
                most=_MOST_SQUARES,
            )
        for y, row in enumerate(grid):
            if len(row) != len(grid[0]):
                yield Phrase(
                    "grid: row {y} has {count} squares where row 0 has {first}", y=y, count=len(row), first=len(grid[0])
                )

    def _faults_of_symbols(self) -> Iterator[str]:
        owners: dict[str, str] = {}
        for k, room in enumerate(self.rooms):
            if room.symbol is None:
                yield Phrase("rooms[{k}]: {room!r} needs a symbol, one letter from A to Z", k=k, room=room.name)
            elif room.symbol in owners:
                yield Phrase(
                    "rooms[{k}]: the symbol {symbol!r} of {room!r} is used by {other!r}",
                    k=k,
                    symbol=room.symbol,
                    room=room.name,
                    other=owners[room.symbol],
                )
            else:
                owners[room.symbol] = room.name
        found = set()
        for x, y, symbol in self.symbols():
            if symbol not in (CORRIDOR, WALL) and not (symbol.isascii() and symbol.upper() in owners):
                yield Phrase(
                    "grid: row {y}, column {x}: unknown symbol {symbol!r}; {known}",
                    y=y,
                    x=x,
                    symbol=symbol,
                    known=closest(symbol, owners),
                )
            found.add(symbol)
        for symbol, name in owners.items():
            if symbol not in found:
                yield Phrase("grid: the room {room!r} has no square {symbol!r}", room=name, symbol=symbol)

    def _faults_of_doors(self, grid: tuple[str, ...]) -> Iterator[str]:
        for x, y, symbol in self.symbols():
            if symbol.islower() and symbol.upper() not in {grid[v][u] for u, v in _around(grid, x, y)}:
                yield Phrase(
                    "grid: row {y}, column {x}: the door square {symbol!r} touches no square {room!r}",
                    y=y,
                    x=x,
                    symbol=symbol,
                    room=symbol.upper(),
                )
        open_doors = {symbol.upper() for _, _, symbol in self.symbols() if symbol.islower()}
        for k, room in enumerate(self.rooms):
            if room.symbol not in open_doors and room.passage is None:
                yield Phrase("rooms[{k}]: nothing leads to {room!r}: no door and no passage", k=k, room=room.name)

    def _faults_of_starts(self, grid: tuple[str, ...]) -> Iterator[str]:
        taken: dict[tuple[int, int], str] = {}
        for k, suspect in enumerate(self.suspects):
            if suspect.start is None:
                yield Phrase("suspects[{k}]: {name!r} needs a start [x, y] on the grid", k=k, name=suspect.name)
                continue
            x, y = suspect.start
            where = Phrase(
                "suspects[{k}]: the start of {name!r}, row {y}, column {x},", k=k, name=suspect.name, y=y, x=x
            )
            if not (0 <= y < len(grid) and 0 <= x < len(grid[0])):
                yield Phrase(
                    "{where} lies outside the grid of {rows} rows and {columns} columns",
                    where=where,
                    rows=len(grid),
                    columns=len(grid[0]),
                )
            elif grid[y][x] == WALL or grid[y][x].isupper():
                yield Phrase("{where} is {symbol!r}, no corridor square", where=where, symbol=grid[y][x])
            elif suspect.start in taken:
                yield Phrase("{where} is the start of {other!r} already", where=where, other=taken[suspect.start])
            taken[suspect.start] = suspect.name

    def _faults_of_ways(self) -> Iterator[str]:
        """Check that every room can be reached from every start; otherwise some games could never end."""
        import networkx as nx

        graph = self.graph
        for k, (suspect, start) in enumerate(zip(self.suspects, self.starts, strict=True)):
            reached = nx.node_connected_component(graph, start)
            for room in self.rooms:
                if room.name not in reached:
                    yield Phrase(
                        "suspects[{k}]: no way leads from the start of {name!r} to {room!r}",
                        k=k,
                        name=suspect.name,
                        room=room.name,
                    )


def _all_faults(error: ValidationError) -> str:
    """Everything that is wrong with a map, numbered if it is more than one thing; of many the first."""
    faults = complaints(error)
    if len(faults) == 1:
        return faults[0]
    told: list[str] = [
        Phrase("({number}) {fault}", number=number, fault=fault)
        for number, fault in enumerate(faults[:_MOST_FAULTS], 1)
    ]
    if len(faults) > _MOST_FAULTS:
        told.append(Phrase("and {count} more", count=len(faults) - _MOST_FAULTS))
    return Phrase("there are {count} errors: {faults}", count=len(faults), faults=listed(told))


def _around(grid: tuple[str, ...], x: int, y: int) -> Iterator[tuple[int, int]]:
    for u, v in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
        if 0 <= v < len(grid) and 0 <= u < len(grid[0]):
            yield u, v


def map_names() -> list[str]:
    """The names of the shipped maps, in alphabetical order."""
    return _names("cluedo.maps", ".json")


@cache
def picture_names() -> list[str]:
    """The names of the drawings that a suspect or a weapon may have, in alphabetical order."""
    return _names("cluedo.maps.pictures", ".svg")


def _names(package: str, ending: str) -> list[str]:
    names = [file.name for file in files(package).iterdir()]
    return sorted(name.removesuffix(ending) for name in names if name.endswith(ending))


def map_text(source: str | Path) -> str:
    """The text of a shipped map, by name, or of a map file, by path; raises :class:`MapError`."""
    if str(source) in map_names():
        return _shipped(str(source))
    try:
        return read_text(source, _MOST_BYTES)
    except Unreadable as error:
        if isinstance(error, Missing) and Path(source).suffix != ".json":
            known = closest(str(source), map_names())
            raise MapError(
                "no map is called {source!r}; {known}; or give the path of a .json file",
                source=str(source),
                known=known,
            ) from None
        raise MapError("map {source}: {error}", source=source, error=error) from None


@cache
def _shipped(name: str) -> str:
    return files("cluedo.maps").joinpath(f"{name}.json").read_text(encoding="utf-8")
