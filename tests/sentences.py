"""The sentences of the program, found by reading its code: the keys of every language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SPOKEN = {"tr": [0], "tr_count": [0, 1], "tr_you": [1, 2], "_narrate": [1, 2], "Phrase": [0]}
"""By function, which of its arguments are sentences."""


def calls(*folders: str) -> Iterator[tuple[str, str, ast.expr]]:
    """Every sentence handed to one of the functions: where, to which function, and the expression."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                    for index in SPOKEN.get(name, []):
                        if index < len(node.args):
                            yield f"{path.relative_to(ROOT)}:{node.lineno}", name, node.args[index]


def keys() -> dict[str, str]:
    """Every literal sentence of the program, and one place where it stands."""
    return {
        found.value: where
        for where, _, found in calls("cluedo")
        if isinstance(found, ast.Constant) and isinstance(found.value, str)
    }
