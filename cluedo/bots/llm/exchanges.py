"""What is kept of the talk with language models: a line of JSON for each exchange, beside the records of the games.

What a run has spent is the sum of its lines, whichever process wrote them; and an exchange that is there is not asked
again, so that a run can be continued, or played again without the model.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

from pydantic import TypeAdapter

from cluedo.engine.errors import PlayerError

__all__ = ["EXCHANGES", "WITH_LOG", "Exchange", "Exchanges", "KeptExchanges", "game_id", "read_exchanges"]

EXCHANGES: Final = "exchanges.jsonl"
"""The file in a folder of results."""

WITH_LOG: Final = ("claims", "accusation")
"""What is asked in the exchanges that say what the seat knew, if the model is asked for claims."""

_BEGIN: Final = b'{"game": "'
"""Of every line."""

_Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One thing that a model was told, and what it said.

    Attributes:
        game: the model's seat in its game, see :func:`game_id`.
        number: of the exchange in the game, from 1.
        player: who plays, with all parameters.
        seat: which it plays.
        turn: of the game.
        ask: what was asked, as the protocol of bots calls it; or "claims".
        told: the message that was sent; what came before it are the exchanges before.
        said: the answer, or None where there was none.
        fault: why there was none, or why it could not be done; else "".
        tokens: how many were read and written.
        cost: what they cost, in the currency of the prices.
        log: where its claims are to be graded, what its seat knew: a case log.
    """

    game: str
    number: int
    player: str
    seat: int
    turn: int
    ask: str
    told: str
    said: str | None
    fault: str = ""
    tokens: tuple[int, int] = (0, 0)
    cost: float = 0.0
    log: Mapping[str, Any] | None = None

    @property
    def key(self) -> _Key:
        """What tells it from others; those that are told the same in a game come in order."""
        return self.game, self.told


class KeptExchanges:
    """Exchanges that answer again what was told: each is given once."""

    def __init__(self, by_key: Mapping[_Key, Sequence[Exchange]]):
        self._by_key = by_key
        self._given: Counter[_Key] = Counter()

    @classmethod
    def of_file(cls, path: Path) -> KeptExchanges:
        """Those of a file; raises :class:`PlayerError` where there is none that can be read."""
        if not path.is_file():
            raise PlayerError("{path}: there is no such file", path=path)
        return cls(_in_file(path, path.stat().st_mtime_ns))

    def take(self, key: _Key) -> Exchange | None:
        """The next exchange in which this was told, if there is one."""
        found, given = self._by_key.get(key, ()), self._given[key]
        if given == len(found):
            return None
        self._given[key] += 1
        return found[given]


@lru_cache(maxsize=1)
def _in_file(path: Path, changed_ns: int) -> Mapping[_Key, Sequence[Exchange]]:  # noqa: ARG001 - it tells versions apart
    """Every game begins with all of them, so a file is read once."""
    return _by_key(read_exchanges(path)[0])


def _by_key(exchanges: Iterable[Exchange]) -> Mapping[_Key, Sequence[Exchange]]:
    found: defaultdict[_Key, list[Exchange]] = defaultdict(list)
    for exchange in exchanges:
        found[exchange.key].append(exchange)
    return found


class Exchanges:
    """The exchanges of a run.

    Args:
        path: the file that they are kept in, which other processes may write, too; None to count them only.

    Attributes:
        tokens: read and written in all.
        cost: of all.
        before: those that were there before this run.
    """

    def __init__(self, path: Path | None = None):
        self._path = path
        self._read = 0
        self.tokens = 0
        self.cost = 0.0
        self.before = KeptExchanges(_by_key(self._news()))

    @property
    def kept(self) -> bool:
        """Whether they are kept in a file."""
        return self._path is not None

    def add(self, exchange: Exchange) -> None:
        """Keep an exchange, by one write, which others do not come between; raises :class:`PlayerError`."""
        if self._path is None:
            self._count(exchange)
            return
        line = (json.dumps(asdict(exchange), ensure_ascii=False) + "\n").encode("utf-8", "replace")
        try:
            with self._path.open("ab+", buffering=0) as file:
                if (size := file.seek(0, os.SEEK_END)) and os.pread(file.fileno(), 1, size - 1) != b"\n":
                    line = b"\n" + line  # whoever wrote last was killed over it
                if file.write(line) < len(line):
                    raise PlayerError("{path}: cannot be written: the disk is full", path=self._path)
        except OSError as error:
            raise PlayerError("{path}: cannot be written: {error}", path=self._path, error=error) from None

    def update(self) -> None:
        """Count what other processes have added since the last time; raises :class:`PlayerError`."""
        self._news()

    def _news(self) -> list[Exchange]:
        """The exchanges that were added to the file, which are counted."""
        if self._path is None or not self._path.exists():
            return []
        found, self._read = read_exchanges(self._path, self._read)
        for exchange in found:
            self._count(exchange)
        return found

    def _count(self, exchange: Exchange) -> None:
        self.tokens += sum(exchange.tokens)
        self.cost += exchange.cost


def read_exchanges(path: Path, start: int = 0) -> tuple[list[Exchange], int]:
    """The exchanges of a file from some byte on, and the byte behind the last line that is whole.

    What a full disk, or a kill, has left of a line is passed over.

    Raises:
        PlayerError: it cannot be read, or holds something else.
    """
    try:
        with path.open("rb") as file:
            file.seek(start)
            new = file.read()
        whole = new[: new.rfind(b"\n") + 1]
        lines = [line for line in whole.split(b"\n") if line and not _is_torn(line)]
        return [_form().validate_python(json.loads(line)) for line in lines], start + len(whole)
    except OSError as error:
        raise PlayerError("{path}: cannot be read: {error}", path=path, error=error) from None
    except (KeyError, RecursionError, TypeError, ValueError):
        raise PlayerError("{path}: it holds a line that is no exchange", path=path) from None


def _is_torn(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return _BEGIN.startswith(line) or line.startswith(_BEGIN)
    return False


@cache
def _form() -> TypeAdapter[Exchange]:
    return TypeAdapter(Exchange)


def game_id(random: Random, table: str) -> str:
    """The id of a seat in a game, 16 hexadecimal digits: the same for the same seed, map and line-up.

    Args:
        random: the fresh generator of the player in the seat.
        table: the map and the line-up, which share the seed with others.
    """
    asked_alike = _PLAYS_ALIKE.sub("", table)
    return sha256(f"{asked_alike} {random.getrandbits(64)}".encode()).hexdigest()[:16]


_PLAYS_ALIKE: Final = re.compile(r":(?:replay|claims)=[^:,]*")
"""Parameters with which a model plays the same games."""
