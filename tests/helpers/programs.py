"""Commands that play with programs, each in a process and a folder of its own, and what is left of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from helpers.laboratory import rows_of

START = """
from cluedo.bots import host
from cluedo.cli import compiling, main
host.STARTUP_S = compiling._PATIENCE_S = 30.0
main()
"""
"""The command line, with less patience for a program's start, of which it is silent on a busy machine, too."""

TIMED = ("think_ms", "fault", "fault_turn")
"""Columns that may differ between a program that is absent and one that loses all its choices otherwise."""

LONGEST_S = 120.0
"""Seconds in which anything that is waited for has come, however busy the machine is."""


def environment(folder: Path) -> dict[str, str]:
    """The variables of a command: its Python is ours, and what bots say is kept in the folder."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return os.environ | {"PATH": path, "XDG_STATE_HOME": str(folder / "state")}


def python(*arguments: object, typed: str = "", folder: Path | None = None, **variables: str) -> CompletedProcess[str]:
    """What came of another Python, with some lines to read and with more variables than this one has."""
    command, env = [sys.executable, *map(str, arguments)], os.environ | variables
    how = {"cwd": folder, "env": env, "encoding": "utf-8", "timeout": 300}
    return subprocess.run(command, input=typed, capture_output=True, check=False, **how)


def told_by_python(*arguments: object, folder: Path | None = None, **variables: str) -> str:
    """The output of another Python, in which all went well."""
    done = python(*arguments, folder=folder, **variables)
    assert done.returncode == 0, done
    return done.stdout


def without(module: str, command: str) -> tuple[int, str]:
    """The exit code and the error output of a command where a library is not installed."""
    code = f"import sys; sys.modules[{module!r}] = None; from cluedo.cli import main; main()"
    done = python("-c", code, command)
    return done.returncode, done.stderr


def cluedo(folder: Path, *arguments: object, start: str = START) -> tuple[int, str, str]:
    """Run a command in a folder; gives exit code, output and error output."""
    done = python("-c", start, *arguments, folder=folder, **environment(folder))
    assert "cluedo/cli/app.py" not in done.stderr, "a traceback of ours"
    return done.returncode, done.stdout, done.stderr


def rows(out: Path) -> list[tuple[Any, ...]]:
    """What is stored of all games, without what may differ."""
    return rows_of(out, f"* EXCLUDE ({', '.join(TIMED)})")


def alive(folder: Path) -> list[str]:
    """The processes that work in a folder or were started with a path in it, where the system tells."""
    found, folder = [], folder.resolve()
    for here in Path("/proc").glob("[0-9]*/cwd"):
        try:
            command = (here.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            if here.resolve() == folder or f"{folder}/" in command:
                found.append(command)
        except OSError:
            continue
    return found
