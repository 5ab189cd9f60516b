"""Files of game records: one JSON object, or JSON Lines of many games, each perhaps continued by further lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import IO, Final

from cluedo.engine.errors import RecordError
from cluedo.engine.phrase import Phrase
from cluedo.engine.reading import MOST_BYTES, Unreadable, json_value, source
from cluedo.engine.record import GameRecord

__all__ = ["SeveralGames", "iter_records", "read_record", "record_in"]

_FURTHER: Final = ('{"more"', '{"undo"')
"""How lines begin that continue the record before them."""


class SeveralGames(RecordError):
    """A file holds several games, and nobody has said which one is wanted."""


def iter_records(path: str | Path) -> Iterator[GameRecord]:
    """The records in a file, one JSON object or JSON Lines; raises :class:`RecordError` that names the line."""
    for where, text, more in _whole(path):
        yield _parse(where, text, more)


def read_record(path: str | Path, number: int | None = None) -> GameRecord:
    """One record of a file, the ``number``-th from 0; it may be left out where there is only one."""
    return _chosen(path, _whole(path), number)


def record_in(data: bytes, name: str, number: int | None) -> GameRecord:
    """The ``number``-th record in the contents of a file that somebody sent; ``name`` is its name."""
    return _chosen(name, _whole(name, data), number)


def _chosen(path: str | Path, whole: Iterator[tuple[str, str, list[str]]], number: int | None) -> GameRecord:
    found = None
    count = 0
    for count, (where, text, more) in enumerate(whole, start=1):
        if number is None and count > 1:
            raise SeveralGames("{path}: there are several games; say which one: the first is number 0", path=path)
        if number is None or count == number + 1:
            found = _parse(where, text, more)
            if number is not None:
                return found
    if found is None:
        raise RecordError(
            "{path}: there is no game {number} among {count}: the first is number 0",
            path=path,
            number=number or 0,
            count=count,
        )
    return found


def _parse(where: str, text: str, more: Sequence[str]) -> GameRecord:
    with RecordError.around("{where}: {error}", where=where):
        return GameRecord.from_json(text, more)


def _whole(path: str | Path, data: bytes | None = None) -> Iterator[tuple[str, str, list[str]]]:
    """Each record: what to call the place where it stands, its text, and the lines that go on with it."""
    record: tuple[str, str, list[str]] | None = None
    for where, text in _texts(path, data):
        if record is not None and text.startswith(_FURTHER):
            record[2].append(text)
            continue
        if record is not None:
            yield record
        record = where, text, []
    if record is not None:
        yield record


def _texts(path: str | Path, data: bytes | None) -> Iterator[tuple[str, str]]:
    """Each record's text and what to call the place where it stands."""
    at = 0
    try:
        with source(path) if data is None else BytesIO(data) as file:
            first = _line(file)
            if _is_json(first):
                yield _in_line(path, 1), first.decode()
                at = len(first)
                for number in count(2):
                    line = _line(file)
                    if not line:
                        return
                    if line.strip() and not _is_torn(line):
                        yield _in_line(path, number), line.decode()
                    at += len(line)
            else:
                yield str(path), _within(first + file.read(MOST_BYTES)).decode()
    except UnicodeDecodeError as error:
        raise RecordError("{path}: not UTF-8 text, at byte {at}", path=path, at=at + error.start) from None
    except Unreadable as error:
        raise RecordError("{path}: {error}", path=path, error=error) from None
    except OSError as error:
        raise RecordError("{path}: cannot be read: {strerror}", path=path, strerror=error) from None


def _in_line(path: str | Path, number: int) -> Phrase:
    return Phrase("{path}, line {number}", path=path, number=number)


def _is_torn(line: bytes) -> bool:
    """Whether a last line continues a record and was cut off while it was written."""
    begun = any(line.startswith(further.encode()[: len(line)]) for further in _FURTHER)
    return begun and not line.endswith(b"\n") and not _is_json(line)


def _line(file: IO[bytes]) -> bytes:
    return _within(file.readline(MOST_BYTES + 1))


def _within(data: bytes) -> bytes:
    if len(data) > MOST_BYTES:
        raise Unreadable("cannot be read: a record of more than {most_bytes:,} bytes", most_bytes=MOST_BYTES)
    return data


def _is_json(text: bytes) -> bool:
    try:
        json_value(text)
    except Unreadable:
        return False
    return True
