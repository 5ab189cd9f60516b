"""What is imported late: `cluedo --help` waits for nothing that it does not need."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path

import pytest
from helpers.command_line import run
from helpers.programs import python

import cluedo
from cluedo.cli.app import COMMANDS, main
from cluedo.engine import commands
from cluedo.engine.commands import Command

ROOT = Path(__file__).parents[2]
LIBRARIES = {"gymnasium", "pettingzoo", "pyspiel"}
"""What only the environments for learners need."""
HEAVY = {"duckdb", "joblib", "matplotlib", "networkx", "numba", "numpy", "PIL", "pydantic", "pysat", "textual"}


def imported_by(*arguments: str) -> set[str]:
    """The modules that a run of the command line has imported at its end, in a process of its own."""
    tells = "import atexit, sys; atexit.register(lambda: print('\\n'.join(sys.modules), file=sys.stderr))"
    code = f"{tells}\nfrom cluedo.cli import main\nmain()\n"
    ran = python("-c", code, *arguments)
    assert ran.returncode == 0, ran.stderr
    return set(ran.stderr.split())


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_imports_no_heavy_library_and_no_command(option):
    modules = imported_by(option)
    assert "cluedo.cli.app" in modules
    assert not (HEAVY | LIBRARIES) & modules
    assert not {f"cluedo.cli.{name}" for name in COMMANDS} & modules


def test_a_command_imports_what_it_needs_and_no_other_command():
    modules = imported_by("maps")
    assert {"pydantic", "cluedo.cli.maps"} <= modules
    assert not {"numba", "matplotlib", "textual", "cluedo.cli.play", "cluedo.cli.autoplay"} & modules


def test_the_help_of_a_command_waits_for_no_graph():
    assert not {"networkx", "numba", "matplotlib"} & imported_by("play", "--help")


def test_games_of_levels_import_nothing_that_only_programs_need():
    modules = imported_by("autoplay", "--players", "easy,easy,easy", "--map", "tiny", "--games", "3", "--workers", "1")
    assert "cluedo.bots.naming" in modules
    assert not {"cluedo.bots.host", "cluedo.bots.process", "cluedo.bots.protocol"} & modules


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help_which_begins_as_the_list_of_all_says(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    out = run(name, "--help")
    assert f"Usage: cluedo {name}" in out
    assert f" {COMMANDS[name]} " in out
    assert f"{name} {COMMANDS[name]}" in " ".join(run("--help").split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["mpas"], "maps"),
        (["mpas", "maps"], "mpas"),
        (["maps", "xyz"], "xyz"),
        (["play", "--playrs", "x"], "--players"),
        (["replay"], "FILE"),
        (["solve", "x", "--to", "one"], "--to"),
        (["serve", "--port", "70000"], "--port"),
        (["autoplay", "--engine", "x"], "compiled"),
        (["--lang"], "--lang"),
        (["play", "--lang"], "--lang"),
        (["--lang", "fr"], "autoplay"),
        ([], "autoplay"),
        (["experiment"], "status"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_command_line_that_cannot_be_parsed_ends_with_2_and_names_what_is_wrong(arguments, told, cluedo):
    code, out, err = cluedo(*arguments)
    assert code == 2
    assert told in out + err


@pytest.mark.parametrize("french", [["--lang", "fr"], ["--lang=fr"]], ids=" ".join)
def test_the_language_may_stand_before_or_after_the_command(french):
    before, after = run(*french, "solve", "--help"), run("solve", "--help", *french)
    assert before == after
    assert "Usage: cluedo solve" in before
    assert "enveloppe" in before


def test_the_package_offers_late_what_its_type_checkers_see_and_what_it_lists():
    tree = ast.parse((ROOT / "cluedo" / "__init__.py").read_text(encoding="utf-8"))
    typed = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cluedo.")
        for alias in node.names
    }
    assert {*typed, "__version__"} == set(cluedo.__all__)
    for name, module in typed.items():
        assert getattr(cluedo, name) is getattr(import_module(module), name)
    assert dir(cluedo) == sorted(cluedo.__all__)


def test_the_package_offers_every_command():
    assert {kind.__name__ for kind in (Command, *commands.COMMANDS)} <= set(cluedo.__all__)


def test_the_package_has_nothing_else():
    with pytest.raises(AttributeError, match="module 'cluedo' has no attribute 'Knight'"):
        _ = cluedo.Knight
    with pytest.raises(ImportError, match="cannot import name 'Knight'"):
        from cluedo import Knight  # noqa: F401


def test_ctrl_c_is_told_and_ends_with_130(monkeypatch, capsys):
    def wait():
        raise KeyboardInterrupt

    monkeypatch.setattr("cluedo.cli.levels.levels", wait)
    monkeypatch.setattr(sys, "argv", ["cluedo", "levels"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert capsys.readouterr() == ("", "cluedo: interrupted\n")
