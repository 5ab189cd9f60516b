"""The five floors: imports only point down, and what is installed is what is in the tree."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUP = PROJECT["tool"]["setuptools"]

FLOORS = {
    "maps": "cluedo.maps",
    "cluedo": "cluedo",
    "ai": "cluedo.ai",
    "experiments": "cluedo.experiments",
    "cli": "cluedo.cli",
}
"""Folders, from the ground up, and what they are imported as."""

ORDER = list(FLOORS.values())
EXEMPT = {"cluedo/__main__.py"}


def modules() -> Iterator[tuple[Path, str]]:
    """Every module of the tree: its path from the root and its full name."""
    for folder, package in FLOORS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            inner = path.relative_to(ROOT / folder)
            if folder == "cluedo" and inner.parts[0] in ("ai", "experiments", "cli", "maps"):
                continue  # the links that serve static tools
            parts = [*package.split("."), *inner.with_suffix("").parts]
            yield path.relative_to(ROOT), ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = dict(modules())


def floor(name: str) -> int:
    """On which floor the module of this name lives."""
    package = max((p for p in ORDER if name == p or name.startswith(p + ".")), key=len)
    return ORDER.index(package)


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
                f"{base}.{alias.name}" for alias in node.names if f"{base}.{alias.name}" in [*MODULES.values(), *ORDER]
            ]
        yield from (found for found in names if found.split(".")[0] == "cluedo")
        if isinstance(node, ast.Import | ast.ImportFrom):
            bare = [found for found in names if found.split(".")[0] in FLOORS and found.split(".")[0] != "cluedo"]
            assert not bare, f"{path}: {bare[0]} is imported bare"


def test_there_are_modules_on_every_floor():
    assert {floor(name) for name in MODULES.values()} == set(range(len(FLOORS)))


@pytest.mark.parametrize("path", [path for path in MODULES if path.as_posix() not in EXEMPT], ids=str)
def test_imports_only_point_down(path):
    name = MODULES[path]
    for other in imported(path, name):
        assert floor(other) <= floor(name), f"{path} imports {other}, which is a floor above"


def test_relative_imports_and_imports_inside_functions_are_seen(tmp_path):
    path = tmp_path / "sample.py"
    path.write_text("from . import a\nfrom .. import cards\ndef f():\n    import cluedo.ai.match\n", encoding="utf-8")
    assert set(imported(path, "cluedo.ai.sample")) == {"cluedo.ai", "cluedo", "cluedo.cards", "cluedo.ai.match"}


@pytest.mark.parametrize("folder", [folder for folder in FLOORS if folder != "cluedo"])
def test_a_floor_imported_bare_from_the_root_is_refused(folder):
    result = subprocess.run(
        [sys.executable, "-c", f"import {folder}"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode != 0
    assert f"ImportError: import cluedo.{folder}, not {folder}" in result.stderr


def test_every_module_is_in_a_listed_package_and_every_listed_package_is_there():
    folders = {folder.parent for folder in MODULES}
    packages = {MODULES[folder / "__init__.py"] for folder in folders}
    assert packages == set(SETUP["packages"])
    assert len(SETUP["packages"]) == len(packages)


def test_every_floor_and_every_package_on_it_is_mapped_to_its_folder():
    folders = {path.parent for path in MODULES if path.name == "__init__.py"}
    assert SETUP["package-dir"] == {MODULES[folder / "__init__.py"]: folder.as_posix() for folder in folders}
    assert FLOORS.items() <= {folder: package for package, folder in SETUP["package-dir"].items()}.items()


@pytest.mark.parametrize("folder", ["ai", "experiments", "cli", "maps"])
def test_the_links_inside_the_package_are_relative_and_lead_to_the_floors(folder):
    link = ROOT / "cluedo" / folder
    assert link.is_symlink()
    assert link.readlink() == Path("..") / folder


@pytest.mark.parametrize("name", sorted(set(MODULES.values()) - {"cluedo.__main__"}))
def test_every_module_has_a_docstring_and_has_what_it_lists(name):
    module = importlib.import_module(name)
    assert module.__doc__
    assert all(hasattr(module, word) for word in getattr(module, "__all__", []))


def test_every_data_file_of_the_maps_is_packed():
    kept = {path.suffix for path in (ROOT / "maps").iterdir() if path.is_file()} - {".py"}
    assert kept == {".json"}
    assert "*.json" in SETUP["package-data"]["cluedo.maps"]
