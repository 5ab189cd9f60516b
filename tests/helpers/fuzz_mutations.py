"""Wrong files made from right ones: bytes, structure, values, types and sizes, all drawn from a given generator."""

from __future__ import annotations

import copy
import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import tomli_w

ODD_TEXTS = (
    "", " ", "-", "--", ".", "..", "/", "*", "%s", "{0}", "{who}", "$x$", "$", "\\", "'", '"', "a,b", ",", ":", "=",
    "a=b", "é", "日本", "\u202e", "\ufeff", "a\nb", "\t", "\x1b[31m", "[bold]", "[/]", "a" * 300, "x" * 20_000, "human",
    "easy", "expert:gain_discount=nan", "envelope", "tiny", "None", "true", "0", "-1", "1e999", "NaN",
)  # fmt: skip
"""Words that no file and no option expects; none has a NUL, which no command line can hold."""


class _Twin(str):
    """A key that stands twice in an object: it is written like its twin, and is another one."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


_ODD_VALUES: dict[str, tuple[Any, ...]] = {
    "nothing": (None,),
    "a truth": (True, False),
    "zero": (0, -0.0),
    "small": (1, 2, 7),
    "negative": (-1, -2, -(2**63) - 1, -1e308),
    "large": (10**9, 2**31, 2**63),
    "huge": (2**64, 10**30, 10**400, 1e308),
    "not finite": (float("nan"), float("inf"), float("-inf")),
    "a fraction": (0.5, 1.5, 1e-300),
    "a whole fraction": (1.0, 2.0),
    "empty": ("", [], {}),
    "a list": ([None], [1, 2], [[]], ["a", "a", "a"]),
    "an object": ({"": None}, {"a": 1}, {"format": 2}),
    "deep": (_nested(90), _nested(400)),
    "many": ([0] * 3_000, [[]] * 300, {str(k): k for k in range(3_000)}),
    "a number as text": ("0", "-1", "1.0", "1e999", "NaN", "٣"),
    "half a character": ("\ud800", "a\udcff"),
    "not printable": ("\0", "a\nb", "\x1b[2J", "\u202e", "\ufeff", "\x85"),
    "long": ("a" * 300, "x" * 20_000, "a " * 3_000),
    "markup": ("[bold]", "[/]", "[link=x]", "$x$", "\\frac", "%s", "{0}", "{who}", "</script><b>", "&amp;"),
    "a path": ("/", "..", "../letter.txt", "~", "letter.txt", "photos", "pipe", "/dev/zero", "house.json", "a*b"),
    "another word": tuple(text for text in ODD_TEXTS if text.isalpha() or ":" in text),
}
"""Values by what is odd about them; each kind is as likely."""
_DEEP = 20_000


def spoil(rng: Random, path: Path) -> None:
    """Put something wrong in the place of a file, or of one file of a folder: each kind of file is as likely."""
    if path.is_dir():
        kinds: dict[str, list[Path]] = {}
        for file in sorted(file for file in path.rglob("*") if file.is_file()):
            kinds.setdefault(file.name.strip("0123456789-."), []).append(file)
        path = rng.choice(kinds[rng.choice(sorted(kinds))])
    (_replace if rng.random() < 0.1 else mutate)(rng, path)


def mutate(rng: Random, path: Path) -> None:
    """Change what a file holds."""
    by_kind: dict[str, Callable[[Random, bytes], bytes]] = {
        ".json": _json, ".sheets": _json, ".jsonl": _json_lines, ".toml": _toml, ".parquet": _parquet,
    }  # fmt: skip
    data = path.read_bytes()
    kind = by_kind.get(path.suffix, _bytes)
    try:
        changed = (kind if rng.random() < 0.85 else _bytes)(rng, data)
    except (ValueError, RecursionError, duckdb.Error):  # it was wrong already
        changed = _bytes(rng, data)
    path.write_bytes(changed)


def _replace(rng: Random, path: Path) -> None:
    """Let something else stand where the file stood: no file at all, or one that does not end or cannot be read."""
    path.unlink()
    rng.choice([
        lambda: None,
        path.mkdir,
        path.touch,
        lambda: os.mkfifo(path),
        lambda: path.symlink_to(path.name),
        lambda: path.symlink_to("/dev/zero"),
        lambda: path.symlink_to("/dev/null"),
        lambda: path.symlink_to("nowhere"),
        lambda: path.touch(mode=0),
    ])()  # fmt: skip


def _bytes(rng: Random, data: bytes) -> bytes:
    """The same but for a few bytes, or in another encoding, or nearly nothing of it, or far too much."""
    at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return rng.choice([
        lambda: data[:at],
        lambda: data[at:],
        lambda: data[:at] + data[end:],
        lambda: data[:at] + rng.randbytes(rng.randrange(1, 9)) + data[at:],
        lambda: data[:at] + data[at:end] * rng.choice([2, 50]) + data[end:],
        lambda: data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :],
        lambda: b"",
        lambda: b"\xef\xbb\xbf" + data,
        lambda: data.decode("utf-8", "replace").encode("utf-16"),
        lambda: bytes(rng.choice([1, 100_000])),
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: b"[" * _DEEP,
        lambda: b'{"a":' * _DEEP,
        lambda: b"a = " + b"[" * _DEEP,
        lambda: data[:at] + b"9" * 5_000 + data[at:],
        lambda: rng.randbytes(500),
    ])()  # fmt: skip


def _json(rng: Random, data: bytes) -> bytes:
    value = _restructured(rng, json.loads(data))
    return json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def _json_lines(rng: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    lines[place] = _json(rng, lines[place]) + b"\n" * rng.randrange(2)
    return b"".join(lines)


def _toml(rng: Random, data: bytes) -> bytes:
    value = _restructured(rng, tomllib.loads(data.decode()))
    try:
        return tomli_w.dumps(value).encode("utf-8", "surrogatepass")
    except (TypeError, AttributeError):  # TOML has no null, and is a table
        return _bytes(rng, data)


def _parquet(rng: Random, data: bytes) -> bytes:
    """A chunk whose columns are others, or hold something else."""
    with TemporaryDirectory() as made, duckdb.connect() as connection:
        old, new = Path(made, "old.parquet"), Path(made, "new.parquet")
        old.write_bytes(data)
        rows = connection.read_parquet(str(old))
        column = rng.choice(rows.columns)
        change = rng.choice([
            f"* EXCLUDE ({column})", f"* REPLACE (NULL AS {column})", f"* REPLACE ('é$' AS {column})",
            f"* REPLACE (-1 AS {column})", f"* REPLACE (9000000000000000000 AS {column})", "1 AS one",
            f"* REPLACE ([1] AS {column})",
            f"* REPLACE ('nan'::DOUBLE AS {column})", f"* REPLACE ({column}::VARCHAR AS {column})",
            f"*, {column} AS again", f"* REPLACE ({{'a': {column}}} AS {column})", f"* REPLACE (chr(10) AS {column})",
        ])  # fmt: skip
        rest = rng.choice(["", "", " LIMIT 0", " LIMIT 1", " OFFSET 1", ", range(2)"])
        connection.sql(f"COPY (SELECT {change.replace('*', 'rows.*', 1)} FROM rows{rest}) TO '{new}'")
        return new.read_bytes()


def _restructured(rng: Random, value: Any) -> Any:
    """The same with one place changed, or two."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice([1, 1, 1, 2])):
        value = _changed(rng, value)
    return value


def _changed(rng: Random, value: Any) -> Any:
    """The same with one place changed: each kind of place is as likely, however often it occurs."""
    places: dict[tuple[str, ...], list[tuple[Any, Any]]] = {}
    _collect(value, (), places)
    kinds = sorted(places)
    if not kinds or rng.random() < 0.1:
        return _change(rng, value)
    container, key = rng.choice(places[rng.choice(kinds)])
    container[key] = _change(rng, container[key])
    return value


def _collect(value: Any, kind: tuple[str, ...], places: dict[tuple[str, ...], list[tuple[Any, Any]]]) -> None:
    """Enter all places, by the keys that lead to them; all items of a list are one kind."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        own = (*kind, key if isinstance(value, dict) else "*")
        places.setdefault(own, []).append((value, key))
        _collect(item, own, places)


def _change(rng: Random, value: Any) -> Any:
    """Another value: nearly the same one half the time, or an odd one."""
    near = _neighbours(value) if rng.random() < 0.5 else ()
    return rng.choice(near)(rng) if near else copy.deepcopy(rng.choice(_ODD_VALUES[rng.choice(sorted(_ODD_VALUES))]))


def _neighbours(value: Any) -> tuple[Callable[[Random], Any], ...]:
    """What is nearly the value, by how it is made."""
    if isinstance(value, dict) and value:
        keys = list(value)

        def without(rng: Random) -> Any:
            gone = rng.choice(keys)
            return {key: item for key, item in value.items() if key != gone}

        def with_twin(rng: Random) -> Any:
            return value | {_Twin(rng.choice(keys)): value[rng.choice(keys)]}

        def with_two_alike(rng: Random) -> Any:
            return value | {rng.choice(keys): value[rng.choice(keys)]}

        return (
            without, with_twin, with_two_alike,
            lambda rng: value | {rng.choice(ODD_TEXTS)[:50]: value[rng.choice(keys)]},
            lambda rng: value | {"format": rng.choice([0, 2, "1", None, 10**30])},
        )  # fmt: skip
    if isinstance(value, list) and value:
        return (
            lambda rng: value[: rng.randrange(len(value))], lambda rng: value[rng.randrange(len(value)) :],
            lambda rng: value[::-1], lambda rng: value + value, lambda rng: value * rng.choice([50, 3_000]),
            lambda rng: [value], lambda rng: rng.sample(value, len(value)),
            lambda rng: [*value, rng.choice(value)], lambda rng: [*value, None],
        )  # fmt: skip
    if isinstance(value, str):
        others = (value.upper(), value + " ", " " + value, value * 2, value[:-1], value + "\n", value + "\0", [value])
        return (lambda rng: rng.choice(others),)
    if isinstance(value, int | float) and not isinstance(value, bool):
        numbers = (value + 1, value - 1, -value, value * 1_000, str(value), [value])
        return (lambda rng: rng.choice(numbers),)
    return ()
