"""Where the compiled kernels are kept: in the first folder that can be written, and never at the price of a failure."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cluedo.ai.knowledge.compiled import forget_outdated, sources_of_kernels

KERNEL = """
from cluedo.ai.knowledge.compiled import compiled

@compiled
def successor(number):
    return number + 1
"""
USE = """
from cluedo.cli.compiling import tell_compiling
from kernel import successor
with tell_compiling():
    assert successor(1) == 2
print(successor.stats.cache_path, sum(successor.stats.cache_hits.values()))
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A folder with a kernel, beside which nothing can be kept, not even by root: a file is in the way."""
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "kernel.py").write_text(KERNEL, encoding="utf-8")
    (folder / "__pycache__").write_text("", encoding="utf-8")
    return folder


def use(code: Path, **environment: str) -> tuple[str, int, str]:
    """Use the kernel in a process of its own: where it is kept, how often it was found there, what was said."""
    inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    ran = subprocess.run(
        [sys.executable, "-c", USE], capture_output=True, text=True, timeout=300, check=False,
        env={**inherited, "PYTHONPATH": os.pathsep.join([str(code), *sys.path]), **environment},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    folder, hits = ran.stdout.split()
    return folder, int(hits), ran.stderr


def test_code_of_an_older_source_is_forgotten(tmp_path):
    for name, moment in ("old.nbi", 1000), ("new.nbi", 3000), ("old.py", 1000):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (moment, moment))
    forget_outdated(tmp_path, 2000.0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.nbi", "old.py"]


def test_code_is_outdated_by_whatever_kernels_take_in():
    sources = sources_of_kernels()
    package = next(path for path in sources if path.name == "compiled.py").parents[2]
    types_alone = {package / "envs" / "acting.py", package / "envs" / "observing.py"}
    for path in sources:
        text = path.read_text(encoding="utf-8")
        if "@compiled" in text and path.name != "compiled.py":
            modules = re.findall(r"^from cluedo\.([\w.]+) import", text, re.MULTILINE)
            taken_in = {package / f"{module.replace('.', '/')}.py" for module in modules}
            assert {path for path in taken_in if path.exists()} - types_alone <= sources, path


@pytest.mark.slow
def test_code_that_cannot_be_kept_beside_its_source_is_kept_in_the_users_cache(code, tmp_path):
    cache = tmp_path / "home" / "cache"
    kept, hits, said = use(code, XDG_CACHE_HOME=str(cache))
    assert Path(kept).is_relative_to(cache)
    assert hits == 0
    assert "once after installation" in said
    assert said.count("\n") == 1
    assert use(code, XDG_CACHE_HOME=str(cache)) == (kept, 1, "")
    named, _, _ = use(code, NUMBA_CACHE_DIR=str(tmp_path / "named"), XDG_CACHE_HOME=str(cache))
    assert Path(named).is_relative_to(tmp_path / "named"), "a folder that is named comes first"


@pytest.mark.slow
def test_where_no_folder_can_be_written_it_works_and_says_how_to_name_one(code):
    kept, hits, said = use(code, XDG_CACHE_HOME=os.devnull)
    assert (kept, hits) == ("None", 0)
    assert "each time" in said
    assert "NUMBA_CACHE_DIR" in said
