"""The layers: imports only point down, and the package is whole without the links at the root."""

from __future__ import annotations

import ast
import importlib
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.cases import some
from helpers.programs import told_by_python

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LAYERS: tuple[set[str], ...] = (
    {"cluedo.maps"},
    {"cluedo.engine", "cluedo", "cluedo.language"},
    {"cluedo.ai"},
    {"cluedo.bots", "cluedo.envs", "cluedo.words"},
    {"cluedo.experiments.plan"},
    {"cluedo.experiments.rows"},
    {"cluedo.experiments.store"},
    {"cluedo.experiments.read"},
    {"cluedo.experiments.draw"},
    {"cluedo.experiments.play"},
    {"cluedo.experiments"},
    {"cluedo.session"},
    {"cluedo.agents", "cluedo.cli", "cluedo.tui", "cluedo.web"},
)
"""Packages, from the ground up; a module may import from its own layer and those below."""

LINKS = ("ai", "experiments", "maps")
EXEMPT = {"cluedo/__init__.py", "cluedo/__main__.py"}
"""What starts the program, and the public names, each imported when it is first asked for."""


def modules() -> Iterator[tuple[Path, str]]:
    """Every module of the package: its path from the root and its full name."""
    for path in sorted((ROOT / "cluedo").rglob("*.py")):
        inner = path.relative_to(ROOT)
        parts = inner.with_suffix("").parts
        yield inner, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = dict(modules())


def layer(name: str) -> int:
    """In which layer the module of this name lives."""
    where = {package: number for number, packages in enumerate(LAYERS) for package in packages}
    return where[max((package for package in where if f"{name}.".startswith(f"{package}.")), key=len)]


def imported(path: Path, name: str) -> Iterator[str]:
    """The full names of all modules of ours that a module imports, wherever in it."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join(
                    package.split(".")[: len(package.split(".")) - node.level + 1] + ([base] if base else [])
                )
            names = [base] + [
                f"{base}.{alias.name}" for alias in node.names if f"{base}.{alias.name}" in MODULES.values()
            ]
        yield from (found for found in names if found.split(".")[0] == "cluedo")
        bare = [found for found in names if found.split(".")[0] in LINKS]
        assert not bare, f"{path}: {bare[0]} is imported through a link"


def test_the_package_holds_its_layers_and_nothing_else():
    found = {name for name in MODULES.values() if name.count(".") == 1} - {"cluedo.__main__"}
    assert found == {package for package in set().union(*LAYERS) if package.count(".") == 1}


@pytest.mark.parametrize("path", [path for path in MODULES if path.as_posix() not in EXEMPT], ids=str)
def test_imports_only_point_down(path):
    name = MODULES[path]
    for other in imported(path, name):
        assert layer(other) <= layer(name), f"{path} imports {other}, which is a layer above"


FACES = sorted(LAYERS[-1])


@pytest.mark.parametrize("path", [path for path, name in MODULES.items() if name.startswith(tuple(FACES))], ids=str)
def test_a_face_imports_no_other_but_that_the_command_line_starts_them(path):
    name = MODULES[path]
    mine = next(face for face in FACES if f"{name}.".startswith(f"{face}."))
    others = {
        face for other in imported(path, name) for face in FACES if f"{other}.".startswith(f"{face}.") and face != mine
    }
    assert not others or mine == "cluedo.cli"
    at_once = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    modules = [node.module or "" for node in at_once if isinstance(node, ast.ImportFrom)]
    assert not [module for module in modules for face in others if f"{module}.".startswith(f"{face}.")], "too early"


@pytest.mark.parametrize("path", [path for path, name in MODULES.items() if name.startswith("cluedo.session")], ids=str)
def test_the_session_knows_no_terminal_no_screen_and_no_server(path):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    outside = {"rich", "textual", "typer", "starlette", "readline", "threading"}
    assert not {name.split(".")[0] for name in names} & outside


def test_relative_imports_and_imports_inside_functions_are_seen(tmp_path):
    path = tmp_path / "sample.py"
    path.write_text("from . import levels\nfrom ..engine import cards\ndef f():\n    import cluedo.ai.match\n")
    found = {"cluedo.ai", "cluedo.ai.levels", "cluedo.engine", "cluedo.engine.cards", "cluedo.ai.match"}
    assert set(imported(path, "cluedo.ai.sample")) == found


@pytest.mark.parametrize("folder", LINKS)
def test_a_link_at_the_root_leads_into_the_package_or_is_a_text_file_that_says_where(folder):
    """Windows, and ``core.symlinks=false``, check a link out as a file that holds its target."""
    link = ROOT / folder
    target = str(link.readlink()) if link.is_symlink() else link.read_text(encoding="utf-8")
    assert Path(target) == Path("cluedo", folder)


@pytest.fixture(params=some(["no links", "text files"], 1))
def checkout(request, tmp_path: Path) -> Path:
    """The tree as it is where links cannot be made: without them, or with text files in their place."""
    tree = tmp_path / "checkout"
    for folder in PROJECT["tool"]["mypy"]["files"]:
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    if request.param == "text files":
        for folder in LINKS:
            (tree / folder).write_text(f"cluedo/{folder}", encoding="utf-8")
    return tree


@pytest.mark.slow
def test_a_checkout_without_links_is_imported_packed_and_checked(checkout):
    names = sorted(set(MODULES.values()) - {"cluedo.__main__"})
    code = f"""
import importlib, sys
from setuptools import find_packages
for name in {names!r}:
    assert importlib.import_module(name).__file__.startswith({str(checkout)!r}), name
from cluedo import Board
assert Board.load("classic").deck.size == 21
found = find_packages(include=["cluedo", "cluedo.*"])
assert {{name.rpartition(".")[0] or name for name in {names!r}}} - {{""}} <= set(found), found
"""
    checks = [["-c", code]]
    if (checkout / "ai").exists():  # where nothing stands in the way of the package, mypy finds it as ever
        checks.append(["-m", "mypy", "--cache-dir", str(ROOT / ".mypy_cache")])
    for arguments in checks:
        told_by_python(*arguments, folder=checkout, PYTHONPATH=str(checkout))


@pytest.mark.parametrize("name", sorted(set(MODULES.values()) - {"cluedo.__main__"}))
def test_every_module_has_a_docstring_and_has_what_it_lists(name):
    module = importlib.import_module(name)
    assert module.__doc__
    assert all(hasattr(module, word) for word in getattr(module, "__all__", []))


def test_every_data_file_of_the_maps_is_packed():
    kept = {path.suffix for path in (ROOT / "cluedo" / "maps").iterdir() if path.is_file()} - {".py"}
    assert kept == {".json", ".toml"}
    assert set(PROJECT["tool"]["setuptools"]["package-data"]["cluedo.maps"]) == {"*.json", "*.toml"}


def class_names() -> dict[str, list[str]]:
    """By name of a class of its own (no part of another), the modules that define one."""
    found: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(path.as_posix())
    return found


def test_one_class_name_is_one_thing():
    shared = {name: where for name, where in class_names().items() if len(where) > 1}
    assert not shared


def test_one_module_name_is_one_thing():
    """But a command's module is called like the command."""
    found: dict[str, list[Path]] = {}
    for path in MODULES:
        if not path.stem.startswith("__") and not path.is_relative_to("cluedo/cli"):
            found.setdefault(path.stem, []).append(path)
    shared = {name for name, paths in found.items() if len(paths) > 1}
    assert not shared
