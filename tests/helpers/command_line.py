"""For whoever tests commands: fixtures, and three ways to run one."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from cluedo.cli import main
from cluedo.cli.app import app
from cluedo.engine.errors import CluedoError
from cluedo.experiments.play import runner


@pytest.fixture
def eager_workers(monkeypatch):
    """Workers are called after the first chunk, however little is left."""
    monkeypatch.setattr(runner, "_PROBE_S", 0)
    monkeypatch.setattr(runner, "_WORTH_S", 0)


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


def run(*arguments: object) -> str:
    """The output of a command that goes well."""
    result = CliRunner().invoke(app, [str(word) for word in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: str) -> str:
    """What standard error says when a command is refused, in a process of its own."""
    result = subprocess.run(
        [sys.executable, "-m", "cluedo", *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    assert result.returncode == 2, result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    return result.stderr


def complaint(*arguments: object) -> str:
    """The sentence of the error that a command raises; ``main`` prints it and exits with 2."""
    result = CliRunner().invoke(app, [str(word) for word in arguments])
    assert isinstance(result.exception, CluedoError), result.output
    assert result.stdout == ""
    assert str(result.exception).isprintable()
    return str(result.exception)
