"""Random mutants: how many small faults in the package the fast tests of its layer find.

Each mutant changes one place of one module (a comparison, a sign, a number, a condition, a statement that is left out)
in this checkout, runs the fast tests of the module's layer until the first fails, and puts the module back. Kernels
are left out: an edit there compiles machine code for minutes.

Usage: .venv/bin/python .ci/mutants.py [--seed 1] [--count 150]
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT = 900
ENVIRONMENT = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
"""Without it, a mutant of the same size as the one before would be taken for it: both have the time of the original."""

SWAPPED: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
"""By operator, what takes its place."""


class Sites(ast.NodeVisitor):
    """Collects the places of a module that can be changed: (line, what, position in the walk)."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str, ast.AST]] = []
        self._inside = 0

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._inside += 1
        for statement in node.body:
            self.visit(statement)
        self._inside -= 1

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that ast calls

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def generic_visit(self, node: ast.AST) -> None:
        if self._inside and (what := _what(node)):
            self.found.append((node.lineno, what, node))  # type: ignore[attr-defined]
        super().generic_visit(node)


def _what(node: ast.AST) -> str:
    """Which change a node allows; empty for none."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPPED:
            return "compare"
        case ast.BinOp(op=op) if type(op) in SWAPPED:
            return "operator"
        case ast.BoolOp():
            return "and-or"
        case ast.UnaryOp(op=ast.Not()):
            return "not"
        case ast.Constant(value=bool()):
            return "bool"
        case ast.Constant(value=int()):
            return "number"
        case ast.Expr(value=ast.Call() | ast.Await()):
            return "call"
        case ast.If() | ast.IfExp() | ast.While():
            return "condition"
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            return "return"
    return ""


def change(node: Any, what: str) -> ast.AST:
    """The node with its change."""
    match what:
        case "compare":
            node.ops = [SWAPPED[type(node.ops[0])]()]
        case "operator" | "and-or":
            node.op = SWAPPED[type(node.op)]()
        case "not":
            return node.operand
        case "bool":
            node.value = not node.value
        case "number":
            node.value += 1
        case "call":
            return ast.copy_location(ast.Pass(), node)
        case "condition":
            node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        case "return":
            node.value = ast.copy_location(ast.Constant(None), node.value)
    return node


def mutated(source: str, number: int) -> tuple[str, int, str]:
    """The source with the change of this number, its line and kind."""
    tree = ast.parse(source)
    sites = Sites()
    sites.visit(tree)
    line, what, target = sites.found[number]

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return change(node, what) if node is target else super().visit(node)

    return ast.unparse(ast.fix_missing_locations(Change().visit(tree))), line, what


def modules() -> Iterator[Path]:
    """The modules with places to change: none with kernels."""
    for path in sorted((ROOT / "cluedo").rglob("*.py")):
        if "playouts" not in path.parts and "@compiled" not in path.read_text(encoding="utf-8"):
            yield path


def tests_of(path: Path) -> list[str]:
    """The fast tests of a module's layer, those that import the module first."""
    inner = path.relative_to(ROOT)
    folder = ROOT / "tests" / inner.parts[1]
    files = sorted(folder.rglob("test_*.py")) if folder.is_dir() else sorted((ROOT / "tests").glob("test_*.py"))
    name = ".".join(inner.with_suffix("").parts)
    return [str(file) for file in sorted(files, key=lambda file: name not in file.read_text(encoding="utf-8"))]


def survives(path: Path) -> bool:
    """Whether the fast tests of the layer pass all the same."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests_of(path)]
    try:
        ran = subprocess.run(
            command,
            cwd=ROOT,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


def _write(path: Path, text: str, times: tuple[int, int]) -> None:
    """Write a module with the times that it had, so that no kernel is compiled again because of it."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=times)


def main() -> None:
    """Make the mutants and say which lived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=150)
    options = parser.parse_args()
    every = []
    for path in modules():
        sites = Sites()
        sites.visit(ast.parse(path.read_text(encoding="utf-8")))
        every += [(path, number) for number in range(len(sites.found))]
    counts: Counter[str] = Counter()
    for path, number in random.Random(options.seed).sample(every, options.count):
        source, times = path.read_text(encoding="utf-8"), (path.stat().st_atime_ns, path.stat().st_mtime_ns)
        text, line, what = mutated(source, number)
        try:
            _write(path, text, times)
            lived = survives(path)
        finally:
            _write(path, source, times)
        counts["lived" if lived else "killed"] += 1
        print(f"{'LIVED ' if lived else 'killed'} {path.relative_to(ROOT)}:{line} {what}", flush=True)
    print(f"{counts['killed']} of {options.count} killed, of {len(every)} places that could be changed")


if __name__ == "__main__":
    main()
