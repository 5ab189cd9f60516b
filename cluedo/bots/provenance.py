"""Where the code of players came from, for the manifest of results: commands, versions, hashes of files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cluedo.ai.loading import is_program
from cluedo.bots.naming import ProgramSpec, any_player, command_of_program, entry_point_of, files_in
from cluedo.engine.reading import Unreadable, read_bytes

__all__ = ["files_of_program", "players_facts"]


def files_of_program(text: str) -> list[Path]:
    """The files that a program's command names: itself, unless it is found by its name alone, and its arguments."""
    program, *words = command_of_program(text)
    named = [program] if "/" in text.partition(":")[2].split()[0] else []
    return files_in([*named, *words])


def players_facts(texts: Iterable[str]) -> dict[str, Any]:
    """By player, where its code comes from; of programs and of installed packages alone."""
    return {text: facts for text in texts if (facts := _facts(text)) is not None}


def _facts(text: str) -> dict[str, Any] | None:
    if is_program(text):
        command = command_of_program(text)
        paths = dict.fromkeys([Path(command[0]), *files_of_program(text)])
        spec = any_player(text)
        assert isinstance(spec, ProgramSpec)
        name = spec.bot.name
        facts = {"command": list(command), "sha256": {str(path): _sha256(path) for path in paths}}
        return facts | ({} if name is None else name._asdict())
    entry = entry_point_of(text)
    if entry is None:
        return None
    facts = {"entry_point": entry.value}
    return facts | ({} if entry.dist is None else {"package": entry.dist.name, "version": entry.dist.version})


def _sha256(path: Path) -> str | None:
    try:
        return hashlib.sha256(read_bytes(path, 1 << 30)).hexdigest()
    except Unreadable:
        return None
