"""Writes JSON that people read, too: the entries of lists and objects on lines of their own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["json_text", "output_is_utf", "print_json"]


def print_json(data: Mapping[str, Any] | list[Any]) -> None:
    """Write to standard output, with the entries of the lists and objects that ``data`` holds on their own lines.

    What the encoding of the output may not hold is escaped, so that it is JSON everywhere.
    """
    sys.stdout.write(_block(data, 2, "", ensure_ascii=not output_is_utf()) + "\n")


def output_is_utf() -> bool:
    """Whether standard output can hold every letter."""
    return (sys.stdout.encoding or "utf-8").lower().startswith("utf")


def json_text(data: Mapping[str, Any] | list[Any]) -> str:
    """JSON as :func:`print_json` writes it, for a file in UTF-8."""
    return _block(data, 2, "", ensure_ascii=False) + "\n"


def _block(data: Any, depth: int, margin: str, *, ensure_ascii: bool) -> str:
    """JSON of ``data`` with its parts on lines of their own, down to a depth."""
    parts = list(data.values()) if isinstance(data, Mapping) else data
    if not depth or not isinstance(data, Mapping | list) or not any(isinstance(part, dict | list) for part in parts):
        return json.dumps(data, ensure_ascii=ensure_ascii)
    inner = margin + "  "
    lines: Iterable[str] = (_block(part, depth - 1, inner, ensure_ascii=ensure_ascii) for part in parts)
    if isinstance(data, Mapping):
        keys = (json.dumps(key, ensure_ascii=ensure_ascii) for key in data)
        lines = (f"{key}: {line}" for key, line in zip(keys, lines, strict=True))
    opening, closing = "{}" if isinstance(data, Mapping) else "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(lines) + f"\n{margin}{closing}"
