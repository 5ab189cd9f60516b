"""Fixtures of whoever tests commands in this process."""

from __future__ import annotations

import sys

import pytest

from cluedo.cli import main
from cluedo.experiments import runner


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
