"""Editions: a map and the rules that go with it, under one name.

Those that come with the program stand in one table, ``cluedo/maps/editions.toml``. One's own is a TOML file with
the same keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from cluedo.engine.cards import closest
from cluedo.engine.errors import SetupError
from cluedo.engine.file_io import Missing, Unreadable, check_format, read_text, toml_table
from cluedo.engine.mapfile import Printable, map_names
from cluedo.engine.rules import BOX_RULES, MAX_SEATS, MIN_SEATS, Rules, value_text
from cluedo.engine.validation import FileForm, InvalidForm, validated

__all__ = ["Edition", "shipped_editions"]

_MOST_BYTES = 100_000

Seats = Annotated[int, Field(ge=MIN_SEATS, le=MAX_SEATS)]


class Edition(FileForm):
    """An edition of the game.

    Attributes:
        name: what it is called on the command line; of one's own, its path.
        title: a line about it, for people.
        map: the name of a shipped map, or the path of a map file.
        players: the fewest and the most that may play.
        rules: those that it sets are set; a rule named beside it overrides them.
    """

    format: Literal[1] = 1
    name: str
    title: Annotated[Printable, Field(max_length=200)] = ""
    map: Printable
    players: tuple[Seats, Seats] = (MIN_SEATS, MAX_SEATS)
    rules: Rules = BOX_RULES

    @model_validator(mode="after")
    def _fewest_first(self) -> Self:
        least, most = self.players
        if least > most:
            raise InvalidForm("players: the fewest, {least}, are more than the most, {most}", least=least, most=most)
        return self

    @classmethod
    def load(cls, source: str | Path) -> Self:
        """A shipped edition by name, or anybody's by the path of its TOML file, beside which its map may stand.

        Raises:
            SetupError: there is none, or the file is no edition.
        """
        name = str(source)
        path = Path(name)
        if name in _table():
            return cls._of(name, _table()[name])
        try:
            table = toml_table(read_text(path, _MOST_BYTES))
            check_format(table)
        except Unreadable as error:
            if isinstance(error, Missing) and path.suffix != ".toml":
                raise SetupError(
                    "no edition is called {source!r}; {known}; or give the path of a .toml file",
                    source=name,
                    known=closest(name, _table()),
                ) from None
            raise SetupError("edition {source}: {error}", source=name, error=error) from None
        map_ = table.get("map")
        if isinstance(map_, str) and map_ not in map_names():
            table["map"] = str(path.parent / map_)
        return cls._of(name, table)

    @classmethod
    def chosen(
        cls, source: str | None, usual_map: str, other_map: str | None = None, options: Iterable[str] = ()
    ) -> Self:
        """The named edition, with another map and other rules (``KEY=VALUE``) if these are given.

        Where none is named it is that of the box: its rules, on the usual map. Raises :class:`SetupError`.
        """
        edition = cls(name="", map=usual_map) if source is None else cls.load(source)
        rules = Rules.from_options(options, edition.rules)
        return edition.model_copy(update={"map": other_map or edition.map, "rules": rules})

    @classmethod
    def _of(cls, name: str, table: dict[str, Any]) -> Self:
        with SetupError.around("edition {source}: {error}", source=name):
            return validated(cls, {**table, "name": name})

    def line_up(self, usual: str) -> str:
        """The usual line-up, players separated by commas, or as many of it as may play.

        >>> Edition.load("two").line_up("human,easy,medium,medium")
        'human,medium'
        """
        names = usual.split(",")
        most = min(len(names), self.players[1])
        return ",".join(names[k * len(names) // most] for k in range(most))

    def check_players(self, count: int) -> None:
        """Raise :class:`SetupError` unless this number of players is allowed.

        >>> Edition.load("two").check_players(3)
        Traceback (most recent call last):
            ...
        cluedo.engine.errors.SetupError: the edition 'two' is for 2 players, not 3
        """
        least, most = self.players
        if least <= count <= most or not self.name:  # without a name it is the box, whose rules say it themselves
            return
        if least == most:
            raise SetupError(
                "the edition '{source}' is for {most} players, not {count}", source=self.name, most=most, count=count
            )
        raise SetupError(
            "the edition '{source}' is for {least} to {most} players, not {count}",
            source=self.name,
            least=least,
            most=most,
            count=count,
        )

    @property
    def rules_text(self) -> str:
        """The rules that the edition sets, as ``KEY=VALUE`` texts with commas; "" for none."""
        return ", ".join(
            f"{key}={value_text(value)}" for key, value in self.rules.model_dump(exclude_unset=True).items()
        )


def shipped_editions() -> list[Edition]:
    """The editions that come with the program, in the order of lists."""
    return [Edition.load(name) for name in _table()]


@cache
def _table() -> dict[str, Any]:
    return toml_table(files("cluedo.maps").joinpath("editions.toml").read_text(encoding="utf-8"))
