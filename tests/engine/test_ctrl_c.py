"""Ctrl-C where it must not come out of somebody else's code: while commands are imported, and while Python ends."""

from __future__ import annotations

import gc
import signal
import sys
from importlib import import_module

import pytest
from helpers.programs import python

from cluedo.cli import app
from cluedo.engine.ctrl_c import INTERRUPTED, killed_by_interrupt, postpone_interrupt


def test_a_ctrl_c_amid_an_import_is_raised_after_it():
    imported = []

    @postpone_interrupt()
    def importing():
        signal.raise_signal(signal.SIGINT)
        imported.append("all")

    with pytest.raises(KeyboardInterrupt):
        importing()
    assert imported == ["all"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("handled", [postpone_interrupt, killed_by_interrupt])
def test_a_ctrl_c_that_is_ignored_stays_so(handled):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with handled():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_commands_module_is_imported_to_its_end_whoever_presses_ctrl_c(monkeypatch, capsys):
    def pressed(name):
        signal.raise_signal(signal.SIGINT)
        return import_module(name)

    monkeypatch.setattr(app, "import_module", pressed)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(sys, "argv", ["cluedo", "levels"])
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert ended.value.code == INTERRUPTED
    assert capsys.readouterr() == ("", "cluedo: interrupted\n")
    assert "cluedo.cli.levels" in sys.modules


@pytest.mark.parametrize(
    "text",
    [
        "Query interrupted",  # DuckDB
        "Caught keyboard interrupt",  # PySAT
        "Error calling function `written`: KeyboardInterrupt: ",  # pydantic
    ],
)
def test_a_ctrl_c_of_which_a_library_has_made_another_error_ends_a_command_as_any_other(text, monkeypatch, capsys):
    def work(_arguments):
        raise RuntimeError(text)

    monkeypatch.setattr(app, "run", work)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert ended.value.code == INTERRUPTED
    assert capsys.readouterr().err == "cluedo: interrupted\n"


def test_a_fault_of_ours_is_not_taken_for_a_ctrl_c(monkeypatch):
    monkeypatch.setattr(app, "run", lambda _: {}["fault"])
    with pytest.raises(KeyError):
        app.main()


class Half:
    """What a Ctrl-C comes upon while it is made, and that cannot be let go then."""

    def __init__(self):
        raise KeyboardInterrupt

    def __del__(self):
        raise AttributeError


def test_what_a_ctrl_c_has_left_half_made_says_nothing(monkeypatch):
    heard = []
    monkeypatch.setattr(sys, "unraisablehook", heard.append)
    monkeypatch.setattr(app, "run", lambda _: Half())
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert ended.value.code == INTERRUPTED
    del ended
    gc.collect()
    assert not heard


def test_a_ctrl_c_while_python_ends_is_silent():
    """A bot's process is ended then, which may take a moment."""
    bot = "class Bot: pass\nbot = Bot()\nweakref.finalize(bot, signal.raise_signal, signal.SIGINT)\n"
    ended = python("-c", f"import signal, weakref\nfrom cluedo.cli import main\n{bot}main()", "--version")
    assert (ended.returncode, ended.stderr) == (INTERRUPTED, "")


@pytest.mark.parametrize("opens", ["results._connected()", "store.StoreReader(None, None, ())"])
def test_a_ctrl_c_amid_the_import_of_the_database_does_not_abort_the_process(opens, tmp_path):
    code = (
        "import signal, sys\n"
        "from cluedo.experiments.read import results\n"
        "from cluedo.experiments.store import store\n"
        "class Pressing:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'duckdb': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Pressing())\n"
        f"try: {opens}\n"
        "except KeyboardInterrupt: print('_duckdb' in sys.modules)\n"
    )
    ended = python("-c", code, folder=tmp_path)
    assert (ended.stdout, ended.stderr) == ("True\n", "")
