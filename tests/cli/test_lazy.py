"""What is imported late: `cluedo --help` waits for nothing that it does not need."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import cluedo
from cluedo.cli.app import app, main
from cluedo.engine import commands
from cluedo.engine.commands import Command

ROOT = Path(__file__).parents[2]
LIBRARIES = {"gymnasium", "pettingzoo", "pyspiel"}
"""What only the environments for learners need."""
HEAVY = {"duckdb", "joblib", "matplotlib", "networkx", "numba", "numpy", "PIL", "pydantic", "pysat", "textual"}
ROOT_COMMAND = typer.main.get_command(app)
LAZY = ROOT_COMMAND.lazy


def imported_by(*arguments: str) -> set[str]:
    """The modules that a run of the command line has imported at its end, in a process of its own."""
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('\\n'.join(sys.modules), file=sys.stderr))\n"
        "from cluedo.cli import main\n"
        "main()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return set(ran.stderr.split())


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_imports_no_heavy_library_and_no_command(option):
    modules = imported_by(option)
    assert "cluedo.cli.app" in modules
    assert not (HEAVY | LIBRARIES) & modules
    assert not {f"cluedo.cli.{name}" for name in LAZY} & modules


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


@pytest.mark.parametrize("name", LAZY)
def test_the_help_of_all_commands_says_of_each_what_its_own_help_says_first(name):
    command = ROOT_COMMAND.load(name)
    assert LAZY[name] == inspect.cleandoc(command.help).partition("\n")[0]
    everything = " ".join(CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).output.split())
    assert f"{name} {LAZY[name]}" in everything


@pytest.mark.parametrize("name", LAZY)
def test_every_command_has_its_help(name):
    result = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    assert f"Usage: cluedo {name}" in result.output
    assert "--help" in result.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["mpas"], "there is no command mpas; did you mean 'maps'?"),
        (["maps", "xyz"], "there is no command xyz; see cluedo maps --help"),
        (["play", "--playrs", "x"], "there is no option --playrs; did you mean --plain, --players?"),
        (["play", "-x"], "there is no option -x; see cluedo play --help"),
        (["play", "--map"], "--map needs a value after it"),
        (["play", "--plain=3"], "--plain takes no value"),
        (["play", "one", "two"], "there is no place for one two; see cluedo play --help"),
        (["replay"], "FILE is missing; see cluedo replay --help"),
        (["bot", "new"], "LANGUAGE is missing; see cluedo bot new --help"),
        (["--lang", "fr"], "aucune commande n’est nommée\xa0; voir cluedo --help"),
        (
            ["--lang", "fr", "solve", "x", "--to", "one"],
            "--to\xa0: doit être un nombre entier\xa0; voir cluedo solve --help",
        ),
        (["autoplay", "--engine", "x"], "--engine: 'x' is not one of 'python', 'compiled'; see cluedo autoplay --help"),
        (
            ["experiment", "run", "tiny", "--workers", "x"],
            "--workers: must be a whole number; see cluedo experiment run",
        ),
        (["serve", "--port", "70000"], "--port: must be 65,535 or less; see cluedo serve --help"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_wrong_with_a_command_line_is_one_sentence(arguments, told, cluedo):
    code, out, err = cluedo(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"cluedo: {told}")
    assert err.count("\n") == 1


def test_the_language_may_stand_before_or_after_the_command(cluedo):
    before, after = cluedo("--lang", "fr", "solve", "--help"), cluedo("solve", "--help", "--lang", "fr")
    assert before == after
    code, out, _ = before
    assert code == 0
    assert "Montrer ce texte" in out
    assert "[obligatoire]" in out
    assert "<bool>" not in out


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
    assert set(cluedo.__all__) <= set(dir(cluedo))


def test_the_package_offers_every_command():
    kinds = {name for name, kind in vars(commands).items() if isinstance(kind, type) and issubclass(kind, Command)}
    assert {"Command", "Peek"} <= kinds <= set(cluedo.__all__)


def test_the_package_has_nothing_else():
    with pytest.raises(AttributeError, match="module 'cluedo' has no attribute 'Knight'"):
        _ = cluedo.Knight
    with pytest.raises(ImportError, match="cannot import name 'Knight'"):
        from cluedo import Knight  # noqa: F401


@pytest.mark.parametrize("arguments", [[], ["experiment"]])
def test_without_a_command_the_help_is_shown(arguments):
    result = CliRunner().invoke(app, arguments)
    assert "Usage" in result.output
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 2


def test_ctrl_c_is_told_and_ends_with_130(monkeypatch, capsys):
    other = typer.Typer()

    @other.command()
    def wait():
        raise KeyboardInterrupt

    monkeypatch.setattr("cluedo.cli.app.app", other)
    monkeypatch.setattr(sys, "argv", ["cluedo"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert capsys.readouterr() == ("", "cluedo: interrupted\n")
