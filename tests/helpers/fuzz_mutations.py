"""Wrong files made from right ones: bytes, structure, values, types and sizes, all drawn from a given generator."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import tomli_w

__all__ = ["ODD_TEXTS", "mutate"]

ODD_TEXTS = (
    "", " ", "-", "--", ".", "..", "/", "*", "%s", "{0}", "{who}", "$x$", "$", "\\", "'", '"', "a,b", ",", ":", "=",
    "a=b", "é", "日本", "\u202e", "\ufeff", "a\nb", "\t", "\x1b[31m", "[bold]", "[/]", "a" * 300, "x" * 20_000, "human",
    "easy", "expert:gain_discount=nan", "envelope", "tiny", "None", "true", "0", "-1", "1e999", "NaN",
)  # fmt: skip
"""Words that no file and no option expects; none has a NUL, which no command line can hold."""

_ODD_VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, 10**9, 2**63, -(2**63) - 1, 10**30, 0.5, -0.0, 1e308, float("nan"), float("inf"),
    [], {}, [[]], [None], {"": None}, [1, 2], "\0", "\ud800", *ODD_TEXTS,
)  # fmt: skip
_DEEP = 20_000


def mutate(rng: Random, path: Path) -> None:
    """Put something wrong in the place of a file, or of one file of a folder."""
    if path.is_dir():
        path = rng.choice(sorted(file for file in path.rglob("*") if file.is_file()))
    by_kind: dict[str, Callable[[Random, bytes], bytes]] = {
        ".json": _json, ".sheets": _json, ".jsonl": _json_lines, ".toml": _toml, ".parquet": _parquet,
    }  # fmt: skip
    data = path.read_bytes()
    kind = by_kind.get(path.suffix, _bytes)
    try:
        changed = (kind if rng.random() < 0.75 else _bytes)(rng, data)
    except (ValueError, RecursionError, duckdb.Error):  # it was wrong already
        changed = _bytes(rng, data)
    path.write_bytes(changed)


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
    """The same with one to three places changed."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        value = _changed(rng, value)
    return value


def _changed(rng: Random, value: Any) -> Any:
    """The same with one place changed, all the way down or here."""
    inner = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    if inner and rng.random() < 0.8:
        key, item = rng.choice(inner)
        value[key] = _changed(rng, item)
        return value
    return _change(rng, value)


def _change(rng: Random, value: Any) -> Any:
    odd = copy.deepcopy(rng.choice(_ODD_VALUES))
    if isinstance(value, dict) and value and rng.random() < 0.7:
        key = rng.choice(list(value))
        how = rng.randrange(4)
        if how == 0:
            del value[key]
        elif how == 1:
            value[str(odd)[:50]] = value[key]
        elif how == 2:
            value[key] = value[rng.choice(list(value))]
        else:
            value["format"] = odd
        return value
    if isinstance(value, list) and value and rng.random() < 0.7:
        place = rng.randrange(len(value))
        return rng.choice([
            lambda: value[:place], lambda: value[place:], lambda: value[::-1], lambda: value + value,
            lambda: [*value[:place], odd, *value[place:]], lambda: value * rng.choice([50, 3_000]),
            lambda: [value], lambda: value[:place] + value[place + 1 :],
        ])()  # fmt: skip
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.6:
        return rng.choice([value + 1, value - 1, -value, value * 1_000, str(value), float(value), [value]])
    if isinstance(value, str) and rng.random() < 0.6:
        return rng.choice(
            [value.upper(), value + " ", value * 2, value[:-1], value + "\n", value + "\0", [value], "$" + value]
        )
    return odd
