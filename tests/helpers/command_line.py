"""For whoever tests commands: fixtures, and ways to run one."""

from __future__ import annotations

import io
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

import pytest
from rich.console import Console, ConsoleRenderable

from cluedo.cli import app, main
from cluedo.engine.errors import CluedoError


@pytest.fixture
def eager_workers(monkeypatch):
    """Workers are called after the first chunk, however little is left."""
    monkeypatch.setattr("cluedo.experiments.play.run._PROBE_S", 0)
    monkeypatch.setattr("cluedo.experiments.play.run._WORTH_S", 0)


@pytest.fixture
def cluedo(monkeypatch, capsys):
    """Run the command line in this process; gives exit code, output and error output."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["cluedo", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return ended.value.code or 0, out, err

    return call


class Ran(NamedTuple):
    """How a command ended: its exit code, what it printed, and the error of ours that it raised."""

    code: int
    out: str
    err: str
    error: CluedoError | None


def ran(*arguments: object, typed: str = "") -> Ran:
    """Run a command in this process, with some lines to read; every error but ours is raised."""
    read, out, err = (io.TextIOWrapper(io.BytesIO(text), encoding="utf-8") for text in (typed.encode(), b"", b""))
    code, error, words = 0, None, [str(word) for word in arguments]
    typing = patch.multiple(sys, stdin=read, argv=["cluedo", *words])
    with typing, redirect_stdout(out), redirect_stderr(err):
        try:
            app.run(words)
        except CluedoError as raised:
            code, error = 2, raised
        except SystemExit as ended:
            code = int(ended.code or 0)
    out.seek(0)
    err.seek(0)
    return Ran(code, out.read(), err.read(), error)


def run(*arguments: object, typed: str = "") -> str:
    """The output of a command that goes well."""
    done = ran(*arguments, typed=typed)
    assert done.code == 0, done
    return done.out


def painted_and_bare(thing: ConsoleRenderable) -> tuple[str, str]:
    """What a terminal shows, painted in colours but without the codes for them, and without colours."""
    colours, bare = (Console(color_system=system, width=80, force_terminal=True) for system in ("truecolor", None))
    with colours.capture() as painted, bare.capture() as plain:
        colours.print(thing)
        bare.print(thing)
    assert "\x1b[" in painted.get()
    uncoloured, text = (re.sub(r"\x1b\[[\d;]*m", "", captured.get()) for captured in (painted, plain))
    return uncoloured, text


def complaint(*arguments: object) -> str:
    """The sentence of the error that a command raises; ``main`` prints it and exits with 2."""
    done = ran(*arguments)
    assert done.error, done
    assert done.out == ""
    assert str(done.error).isprintable()
    return str(done.error)
