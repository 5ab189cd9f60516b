"""A part of an experiment: its games, who sits where in each of them, and the conditions of play.

Pure arithmetic, so that any process can play any part of it. The games are paired: each deal is
played once in every rotation of the line-up, so that what the seats and the cards are worth cancels.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from cluedo.ai.player import USUAL_CLOCK, Clock
from cluedo.engine.deal import Seeds, places_by_seat, whole_seed
from cluedo.engine.errors import SetupError
from cluedo.engine.rules import Rules

__all__ = ["AUTO", "Conditions", "Engine", "Part", "PlannedGame", "drawn_secret"]

Engine: TypeAlias = Literal["python", "compiled"]
"""What plays games: the referee with players in Python, whoever they are; or kernels with a few levels, compiled."""

AUTO: Final = "auto"
"""Stands for a secret that is still to be drawn."""


def drawn_secret() -> str:
    """A secret part of a seed that nobody can guess: 128 bits from the operating system."""
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of play, the same for all parts.

    Attributes:
        clock: the time that players have.
        trusted: whether bots from files and packages play in the process of the games; else each has one of its own.
        records: whether results carry the games' records.
        observers: who watches the games, as their texts.
        exchanges: the file for what language models are told and say; None to keep none.
    """

    clock: Clock = USUAL_CLOCK
    trusted: bool = False
    records: bool = False
    observers: tuple[str, ...] = ()
    exchanges: Path | None = None


class PlannedGame(NamedTuple):
    """One game of a part.

    Attributes:
        game: its number, from 0.
        deal, rotation: which deal it is played with, and by how many seats the line-up is turned.
        places: by seat, the place in the line-up of who plays it.
    """

    game: int
    deal: int
    rotation: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an experiment, its games by one line-up on one map: texts and numbers, to be sent to other processes.

    Attributes:
        map: a shipped map's name, or the path of a map file.
        rules: the rules of all games.
        line_up: the players as they are written on the command line.
        games: how many games are played; the last deal may lack some of its rotations.
        seed: the master seed, from which every deal and every player's chances follow, together with
        seed_secret: its secret part, if it has one.
        engine: what plays: `python`, with every player there is, or `compiled`, with a few of them, and fast.
    """

    map: str
    rules: Rules
    line_up: tuple[str, ...]
    games: int
    seed: int = 0
    seed_secret: str | None = field(default=None, repr=False)
    engine: Engine = "python"

    def __post_init__(self) -> None:
        if self.games < 1:
            raise SetupError("at least 1 game has to be played, not {games}", games=self.games)
        whole_seed(self.seed)
        if self.seed_secret == AUTO:
            raise SetupError("the secret part of the seed is still to be drawn")

    @property
    def fingerprint(self) -> int:
        """The seed, or with a secret a 64-bit hash of both: the same where parts meet the same deals."""
        if self.seed_secret is None:
            return self.seed
        return int.from_bytes(sha256(f"{self.seed} {self.seed_secret}".encode()).digest()[:8])

    @property
    def table(self) -> str:
        """The map and the line-up, in which the parts of an experiment differ."""
        return f"{self.map} {','.join(self.line_up)}"

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.line_up)

    @property
    def two_kinds(self) -> tuple[str, str] | None:
        """The two players of a line-up of just two kinds, in its order; None for any other."""
        kinds = tuple(dict.fromkeys(self.line_up))
        return (kinds[0], kinds[1]) if len(kinds) == 2 else None

    def seeds(self, deal: int) -> Seeds:
        """From what the cards, the dice and the players' chances of a deal are drawn."""
        return Seeds(self.seed, deal, self.seats, self.seed_secret)

    def game(self, number: int) -> PlannedGame:
        """Game g: rotation g mod n of deal g div n, where seat s is played by place (s + rotation) mod n."""
        seats = self.seats
        deal, rotation = divmod(number, seats)
        return PlannedGame(number, deal, rotation, places_by_seat(seats, rotation))
