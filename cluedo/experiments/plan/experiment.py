"""An experiment: what is played, from a TOML file to every game.

The file is read strictly: what is wrong with it is told by its key. What it says is expanded to
parts, one for each line-up on each map, and cut into chunks, by arithmetic alone: the same file gives
the same games in the same chunks, whoever plays them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, Self, TypeAlias

import tomli_w
from pydantic import BeforeValidator, Field, ModelWrapValidatorHandler, StrictBool, model_validator

from cluedo.ai.levels import MOST_COMPILED, plays_compiled
from cluedo.ai.loading import file_of, is_program
from cluedo.ai.player import DEFAULT_THINK_LIMIT, LEAST_SECONDS, MOST_SECONDS, Clock
from cluedo.bots.naming import files_of_program
from cluedo.engine.cards import closest
from cluedo.engine.deal import SEEDS
from cluedo.engine.editions import Edition
from cluedo.engine.errors import CluedoError, SetupError
from cluedo.engine.file_io import Missing, Unreadable, check_format, read_bytes, read_text, toml_table
from cluedo.engine.mapfile import Printable, map_names
from cluedo.engine.rules import MAX_SEATS, MIN_SEATS, Rules
from cluedo.engine.validation import FileForm, InvalidForm, validated
from cluedo.experiments.plan.elo import share_of_elo
from cluedo.experiments.plan.part import Conditions, Engine, Part

__all__ = [
    "Chunk",
    "Experiment",
    "ExperimentError",
    "Gauntlet",
    "RoundRobin",
    "SprtRule",
    "Stop",
    "shipped_experiments",
]

_MOST_DEALS: Final = 200
"""Deals of a chunk at most: their results are in memory at once, with records if wanted."""
_MOST_BYTES: Final = 1_000_000
_MOST_GAMES: Final = 100_000_000
"""Of one line-up on one map."""
_MOST_PARTS: Final = 10_000
_MOST_CHUNKS: Final = 1_000_000
"""Each is a file."""
_ALWAYS: Final = frozenset(
    (
        *("format", "name", "title", "maps", "line_ups", "round_robin", "gauntlet"),
        *("games", "seed", "record", "think_limit", "chunk", "rules", "stop"),
    )
)
"""What a digest is always of. A key that came later counts where it is used, so that older results can be continued."""
_PART_PIECES, _PIECES = 25, 100
"""Chunks that one part, or the whole experiment, is cut into, unless they would be too big: enough to show progress
and to share the end of the work fairly, and not so many that storing them would cost time."""


def _stripped(text: Any) -> Any:
    """A player's text as it stands in results."""
    return text.strip() if isinstance(text, str) else text


_PlayerText = Annotated[Printable, BeforeValidator(_stripped), Field(max_length=1000)]
"""What names a player, or an observer."""
_PlayerTexts = Annotated[tuple[_PlayerText, ...], Field(max_length=100)]
_Seats = Annotated[tuple[Annotated[int, Field(ge=MIN_SEATS, le=MAX_SEATS)], ...], Field(min_length=1, max_length=4)]
_Seconds: TypeAlias = Annotated[float, Field(le=MOST_SECONDS, strict=True, allow_inf_nan=False)]


class ExperimentError(CluedoError):
    """An experiment file that is missing or says something that cannot be played."""


class RoundRobin(FileForm):
    """Every pair of some levels, at every number of seats.

    The two share the seats evenly; where the number is odd, each has the extra seat in a line-up of its own.
    """

    levels: Annotated[_PlayerTexts, Field(min_length=2)]
    seats: _Seats = (4,)

    def line_ups(self) -> list[tuple[str, ...]]:
        """The line-ups, fewest seats first."""
        return [line_up for n in self.seats for a, b in combinations(self.levels, 2) for line_up in _shared(a, b, n)]


class Gauntlet(FileForm):
    """One level against each of some others, the seats shared as in a round robin."""

    level: _PlayerText
    against: Annotated[_PlayerTexts, Field(min_length=1)]
    seats: _Seats = (4,)

    def line_ups(self) -> list[tuple[str, ...]]:
        """The line-ups, fewest seats first."""
        return [line_up for n in self.seats for other in self.against for line_up in _shared(self.level, other, n)]


def _shared(a: str, b: str, seats: int) -> list[tuple[str, ...]]:
    """The ways to divide seats evenly between two levels."""
    return [(a,) * n + (b,) * (seats - n) for n in sorted({seats // 2, seats - seats // 2})]


class SprtRule(FileForm):
    """A sequential test: whether ``a`` is better than ``b`` by ``elo1`` rather than by ``elo0``.

    Attributes:
        a, b: two levels.
        elo0, elo1: the two claims, elo0 < elo1.
        alpha: how often H1 may be taken though H0 is true.
        beta: how often H0 may be taken though H1 is true.
    """

    a: _PlayerText
    b: _PlayerText
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    @model_validator(mode="after")
    def _can_decide(self) -> Self:
        if self.a == self.b:
            raise InvalidForm("a sequential test compares two different levels, not {a} with itself", a=self.a)
        claims = {"elo0": self.elo0, "elo1": self.elo1}
        if not (all(map(isfinite, claims.values())) and self.elo0 < self.elo1):
            raise InvalidForm(
                "a sequential test needs elo0 below elo1, both finite, not {elo0:g} and {elo1:g}", **claims
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise InvalidForm(
                    "{name} of a sequential test is between 0 and 0.5, not {value:g}", name=name, value=value
                )
        if share_of_elo(self.elo0) == share_of_elo(self.elo1):
            raise InvalidForm(
                "elo0 and elo1 of a sequential test are too close to tell: {elo0:g} and {elo1:g}", **claims
            )
        return self


class Stop(FileForm):
    """When a part may stop before all its games are played."""

    sprt: SprtRule


class Chunk(NamedTuple):
    """Some consecutive games of one part, played and stored together.

    Attributes:
        number: the chunk's, from 0, over the whole experiment.
        part_number: the number of the part.
        part: the part.
        games: the games' numbers in the part: whole deals, but perhaps for the part's last one.
    """

    number: int
    part_number: int
    part: Part
    games: range


class Experiment(FileForm):
    """What an experiment file says; one of ``line_ups``, ``round_robin`` and ``gauntlet`` is given.

    Attributes:
        name: what it is called; the folder of its results has this name.
        title: a line about it, for people.
        maps: names of shipped maps, or paths of map files.
        games: how many are played by each line-up on each map.
        seed: the master seed; ``seed_secret``: its secret part, None without one, ``auto`` if it is still to be drawn.
        record: what is kept: ``none`` (the summary alone), ``results`` (a row for each seat of each
            game), or ``full`` (the games' records as well).
        batch: whether its one line-up leaves what ``cluedo autoplay --out`` does: a summary of its own, the records of
            the games in one file, and a picture of the win rates.
        think_limit: seconds that a player may take for one answer.
        time_bank: seconds that its answers may take beyond that, in all of a game.
        trusted: whether bots from files and installed packages play in the process of the games; else each has one of
            its own.
        observers: who watches the games and adds columns to the results: ``unrefuted``, ``path/to/stat.py:Class``.
        chunk: games played and stored together, about; None for what suits the number of games.
        engine: ``python``, or ``compiled`` for each line-up of ``MOST_COMPILED`` levels at most that all play compiled
            games, of which there is one at least; the others are played by the Python engine, on the same deals.
    """

    format: Literal[1] = 1
    name: Annotated[str, Field(pattern=r"^[\w+-][\w.+-]*$", max_length=100)]
    title: Annotated[Printable, Field(max_length=1000)] = ""
    maps: Annotated[tuple[Printable, ...], Field(min_length=1, max_length=100)]
    line_ups: tuple[tuple[_PlayerText, ...], ...] | None = None
    round_robin: RoundRobin | None = None
    gauntlet: Gauntlet | None = None
    games: Annotated[int, Field(ge=1, le=_MOST_GAMES, strict=True)]
    seed: Annotated[int, Field(ge=0, lt=SEEDS, strict=True)] = 0
    seed_secret: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    record: Literal["none", "results", "full"] = "results"
    batch: StrictBool = False
    think_limit: Annotated[_Seconds, Field(ge=LEAST_SECONDS)] = DEFAULT_THINK_LIMIT
    time_bank: Annotated[_Seconds, Field(ge=0)] = 0.0
    trusted: StrictBool = False
    observers: Annotated[tuple[_PlayerText, ...], Field(max_length=20)] = ()
    chunk: Annotated[int, Field(ge=1, strict=True)] | None = None
    engine: Engine = "python"
    rules: Rules = Rules()
    stop: Stop | None = None

    @classmethod
    def load(cls, source: str | Path) -> Self:
        """Read a file, or a shipped experiment by its name.

        Raises:
            ExperimentError: in one sentence that names the file and the key.
        """
        path = Path(source)
        try:
            text = _shipped(str(source)) or read_text(path, _MOST_BYTES)
        except Missing:
            known = closest(str(source), shipped_experiments())
            raise ExperimentError(
                "experiment {source}: there is no such file; of the built-in ones, {known}", source=source, known=known
            ) from None
        except Unreadable as error:
            raise ExperimentError("experiment {source}: {error}", source=source, error=error) from None
        return cls.from_toml(text, str(source))

    @classmethod
    def of(cls, **values: Any) -> Self:
        """An experiment from Python; raises :class:`ExperimentError` that names what is wrong."""
        with ExperimentError.around():
            return validated(cls, values)

    @classmethod
    def from_toml(cls, text: str, source: str) -> Self:
        """Read a file's text; ``source`` names it in messages. Raises :class:`ExperimentError`."""
        with ExperimentError.around("experiment {source}: {error}", source=source):
            table = toml_table(text)
            check_format(table)
            return validated(cls, table)

    def but(self, **settings: Any) -> Self:
        """A copy with other settings; raises :class:`ExperimentError` that names what is wrong."""
        return self.of(**self.model_dump(exclude_unset=True) | settings)

    def to_toml(self) -> str:
        """The experiment as the text of a file, without settings that are not set."""
        return tomli_w.dumps(self.model_dump(mode="json", exclude_unset=True, exclude_none=True))

    @model_validator(mode="wrap")
    @classmethod
    def _of_an_edition(cls, data: Any, make: ModelWrapValidatorHandler[Self]) -> Self:
        """Replace the name of an edition by its map and rules; settings beside it override these."""
        if not (isinstance(data, Mapping) and "edition" in data):
            return make(data)
        given = dict(data)
        try:
            edition = Edition.load(str(given.pop("edition")))
            rules = given.get("rules", {})
            if isinstance(rules, Mapping):  # what is no table is told as wrong further down
                given["rules"] = edition.rules.model_dump(exclude_unset=True) | dict(rules)
            experiment = make({"maps": (edition.map,)} | given)
            for line_up in experiment.every_line_up:
                edition.check_players(len(line_up))
        except SetupError as error:
            raise InvalidForm(error.phrase) from None
        return experiment

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        given = [key for key in ("line_ups", "round_robin", "gauntlet") if getattr(self, key) is not None]
        if len(given) != 1:
            raise InvalidForm(
                "exactly one of line_ups, round_robin and gauntlet is needed, not {count}", count=len(given)
            )
        if not self.every_line_up:
            raise InvalidForm("{key}: it is empty", key=given[0])
        self._check_lists(given[0])
        self._check_size()
        if self.batch and not (len(self.maps) == len(self.every_line_up) == 1 and self.record == "full"):
            raise InvalidForm('batch: it needs one line-up on one map, and record = "full"')
        if self.stop is not None:
            self._check_sprt(self.stop.sprt)
        return self

    def _check_lists(self, line_ups: str) -> None:
        """Check that nothing in a list is empty or stands there twice; ``line_ups`` is the key that gives them."""
        lists: list[tuple[str, Sequence[str | Sequence[str]]]] = [("maps", self.maps), ("observers", self.observers)]
        if self.round_robin is not None:
            lists.append(("round_robin.levels", self.round_robin.levels))
        if self.gauntlet is not None:
            lists.append(("gauntlet", (self.gauntlet.level, *self.gauntlet.against)))
        lists.append((line_ups, self.every_line_up))  # these too: a number of seats may stand there twice
        for key, values in lists:
            seen: set[str | Sequence[str]] = set()
            for k, value in enumerate(values):
                if not value:
                    raise InvalidForm("{key}[{k}]: it is empty", key=key, k=k)
                if value in seen:
                    raise InvalidForm("{key}[{k}]: {value} stands there twice", key=key, k=k, value=_text(value))
                seen.add(value)

    def _check_size(self) -> None:
        """Check the total number of games, which may be too large even if each setting is in its bounds."""
        parts = len(self.maps) * len(self.every_line_up)
        if parts > _MOST_PARTS:
            raise InvalidForm(
                "there are {parts:,} line-ups on maps; at most {most:,} make one experiment",
                parts=parts,
                most=_MOST_PARTS,
            )
        chunks = parts * -(-self.games // self._step(len(min(self.every_line_up, key=len))))
        if chunks > _MOST_CHUNKS:
            raise InvalidForm(
                "there are {chunks:,} chunks of games; at most {most:,} are stored",
                chunks=chunks,
                most=_MOST_CHUNKS,
            )

    def _check_sprt(self, rule: SprtRule) -> None:
        for line_up in self.every_line_up:
            if self.games % len(line_up):
                raise InvalidForm(
                    "games: {games} are no multiple of {players} players, as stop.sprt needs",
                    games=self.games,
                    players=len(line_up),
                )
            for key, level in (("a", rule.a), ("b", rule.b)):
                if level not in line_up:
                    raise InvalidForm(
                        "stop.sprt.{key}: {level!r} does not play in the line-up {line_up}",
                        key=key,
                        level=level,
                        line_up=_text(line_up),
                    )
            if line_up.count(rule.a) != line_up.count(rule.b):
                raise InvalidForm(
                    "stop.sprt: a and b need equally many seats, unlike in the line-up {line_up}",
                    line_up=_text(line_up),
                )

    @cached_property
    def every_line_up(self) -> tuple[tuple[str, ...], ...]:
        """The line-ups, however they are given."""
        if self.line_ups is not None:
            return self.line_ups
        field = self.round_robin or self.gauntlet
        assert field is not None
        return tuple(field.line_ups())

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """Every level that plays, once, in the order in which they first appear."""
        return tuple(dict.fromkeys(level for line_up in self.every_line_up for level in line_up))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Each line-up on each map, with the engine that plays it."""
        compiled = [
            len(line_up) <= MOST_COMPILED and all(map(plays_compiled, line_up)) for line_up in self.every_line_up
        ]
        # Where no line-up can be compiled, that is refused when the parts are made ready, by a name.
        engines = [self.engine if able or not any(compiled) else "python" for able in compiled]
        return tuple(
            Part(source, self.rules, line_up, self.games, self.seed, self.seed_secret, engine)
            for source in self.maps
            for line_up, engine in zip(self.every_line_up, engines, strict=True)
        )

    @property
    def conditions(self) -> Conditions:
        """The conditions under which all games are played."""
        clock = Clock(self.think_limit, self.time_bank)
        return Conditions(clock, self.trusted, self.record == "full", self.observers)

    @property
    def total(self) -> int:
        """All games, if none is saved by a stopping rule."""
        return self.games * len(self.maps) * len(self.every_line_up)

    def first_game(self, part_number: int) -> int:
        """The number, in the whole experiment, of a part's game 0."""
        return part_number * self.games

    def chunks(self) -> Iterator[Chunk]:
        """All chunks, one of each part in turn, so that all parts progress together."""
        cut = [self._cut(part) for part in self.parts]
        for row in range(max(map(len, cut))):
            for number, (part, games) in enumerate(zip(self.parts, cut, strict=True)):
                if row < len(games):
                    yield Chunk(row * len(cut) + number, number, part, games[row])

    def _cut(self, part: Part) -> list[range]:
        step = self._step(part.seats)
        return [range(start, min(start + step, part.games)) for start in range(0, part.games, step)]

    def _step(self, seats: int) -> int:
        """The games of a chunk, whole deals."""
        games = self.chunk or min(max(self.games // _PART_PIECES, self.total // _PIECES), _MOST_DEALS * seats)
        return max(1, games // seats) * seats

    def digest(self) -> str:
        """A hash of all that the file says, its title included, and of the files of its bots, maps and observers.

        Raises:
            CluedoError: such a file cannot be read.
        """
        fields = type(self).model_fields
        unused = {key for key in fields.keys() - _ALWAYS if getattr(self, key) == fields[key].default}
        meaning = self.model_dump(mode="json", exclude=unused)
        meaning["files"] = {str(path): hashlib.sha256(_bytes(path)).hexdigest() for path in self.own_files()}
        return hashlib.sha256(json.dumps(meaning, sort_keys=True).encode()).hexdigest()

    def own_files(self) -> list[Path]:
        """The files that are not shipped with the package: maps, bots, programs and observers."""
        maps = {Path(source) for source in self.maps if source not in map_names()}
        code = {file for file in map(file_of, (*self.levels, *self.observers)) if file is not None}
        programs = {file for level in self.levels if is_program(level) for file in files_of_program(level)}
        return sorted(maps | code | programs)


def shipped_experiments() -> list[str]:
    """The names of the experiments that come with the package, in alphabetical order."""
    names = (entry.name for entry in files("cluedo.experiments").iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def _shipped(name: str) -> str | None:
    """The text of a shipped experiment, or None if none has this name."""
    if name not in shipped_experiments():
        return None
    return files("cluedo.experiments").joinpath(f"{name}.toml").read_text(encoding="utf-8")


def _text(value: str | Sequence[str]) -> str:
    return repr(value) if isinstance(value, str) else ",".join(value)


def _bytes(path: Path) -> bytes:
    with ExperimentError.around("{path}: {error}", path=path):
        return read_bytes(path, 1 << 30)  # programs are large
