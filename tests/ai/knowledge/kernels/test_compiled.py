"""Kernels are compiled once, or interpreted until then; the code is kept in the first folder that can be written."""

from __future__ import annotations

import math
import os
import pickle
import re
import sys
from importlib import import_module
from pathlib import Path

import numba
import numpy as np
import pytest
from helpers.kernel_modules import arrays_let_go_of, module_of
from helpers.programs import python

from cluedo.ai.knowledge.kernels import compiled
from cluedo.ai.knowledge.kernels.compiled import Kernel, interpreting, sources_of_kernels, watching

KERNEL = """
from cluedo.ai.knowledge.kernels.compiled import compiled

@compiled
def successor(number):
    return number + 1
"""
USE = """
from cluedo.cli.compiling import tell_compiling
from kernel import successor
with tell_compiling():
    assert successor(1) == 2
print(successor.entry.stats.cache_path, sum(successor.entry.stats.cache_hits.values()))
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
    path = os.pathsep.join([str(code), *sys.path])
    ran = python("-c", USE, PYTHONPATH=path, **{"NUMBA_CACHE_DIR": "", **environment})
    assert ran.returncode == 0, ran.stderr
    folder, hits = ran.stdout.split()
    return folder, int(hits), ran.stderr


KERNELS = """
import numpy as np
from cluedo.ai.knowledge.kernels.compiled import compiled

@compiled
def double(number):
    return 2 * number

@compiled
def four(number):
    return double(number) * double(1)

@compiled
def log_of(number):
    return np.log(number)

@compiled
def last(numbers):
    rest = numbers[1:]
    return rest[rest.shape[0] - 1]

@compiled
def thirds(size):
    return np.full(size, 3)

@compiled
def last_of_sum(numbers):
    both = numbers + numbers
    return both[both.shape[0] - 1]

@compiled
def tripled(number):
    total = 0
    for _ in range(number):
        total += last(thirds(2)) + last(thirds(3)[1:]) - last(thirds(4))
    return total

@compiled
def six_times(number):
    total = 0
    for _ in range(number):
        total += last_of_sum(thirds(2))
    return total
"""


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """A module of kernels of which there is no machine code; no kernel was interpreted yet."""
    monkeypatch.setattr(compiled._spent, "seconds", 0.0)
    return module_of(KERNELS, tmp_path / "fresh.py", monkeypatch)


def test_a_kernel_is_interpreted_where_that_is_asked_for_and_there_is_no_machine_code(fresh, monkeypatch):
    with interpreting(fresh.four):
        assert fresh.four(3) == 12
        assert not fresh.four.entry.signatures
        monkeypatch.setattr(compiled._spent, "seconds", 60.0)
        assert fresh.four(3) == 12
        assert fresh.four.entry.signatures, "after a long time it is worth while to compile"
        monkeypatch.setattr(compiled._spent, "seconds", 0.0)
        monkeypatch.setattr(Kernel, "_interpret", None)
        assert fresh.four(3) == 12, "machine code comes first"
        assert np.isfinite(fresh.log_of(1.0)), "who was not named is compiled at once"


def test_interpreted_kernels_have_the_logarithms_of_machine_code(fresh):
    numbers = np.random.default_rng(1).uniform(0.0, 1e3, 5000).tolist()
    log = fresh.log_of
    assert [log.interpreted(number) for number in numbers] == [log(number) for number in numbers]
    assert log.interpreted(0.0) == -math.inf


def test_a_part_is_compiled_once_for_all_whole_numbers_and_not_for_python(fresh):
    assert fresh.four(np.uint8(1)) == 4
    assert [str(types[0]) for types in fresh.double.part.signatures] in (["int64"], ["uint64", "int64"])
    assert not fresh.double.entry.signatures
    assert fresh.four.missing == frozenset()
    assert {kernel.function.__name__ for kernel in fresh.log_of.missing} == {"log_of"}


def test_what_a_kernel_makes_is_freed_and_what_it_is_only_given_is_not_counted(fresh):
    assert (fresh.tripled(100), fresh.six_times(100)) == (300, 600)
    assert arrays_let_go_of(lambda: fresh.tripled(100)) == 300
    assert arrays_let_go_of(lambda: fresh.six_times(100)) == 200, "by arithmetic"
    (code,) = fresh.last.part.inspect_llvm().values()
    assert "NRT_incref" not in code


def test_what_is_compiled_is_told_as_a_share_that_grows_to_the_whole(fresh):
    assert {kernel.function.__name__ for kernel in fresh.four.missing} == {"four", "double"}
    shares: list[float] = []
    with watching(shares.append):
        fresh.four(1)
    assert shares == sorted(shares)
    assert shares[0] == 0.0 < shares[1] < shares[-1] == 1.0
    told = len(shares)
    with watching(shares.append):
        fresh.four(1)
    assert len(shares) == told, "nothing was compiled"


def test_where_more_is_to_be_compiled_than_what_is_called_the_whole_is_that(fresh):
    shares: list[float] = []
    with watching(shares.append, lambda: [fresh.four, fresh.log_of]):
        fresh.four(1)
        half = shares[-1]
        fresh.log_of(1.0)
    assert 0.0 < half < 1.0 == shares[-1]


OF_THE_SAME_NAME = """
from cluedo.ai.knowledge.kernels.compiled import compiled

@compiled
def shape(array):
    return array.shape[0]
"""


def test_what_a_kernel_calls_are_kernels_and_not_fields_of_the_same_name(tmp_path, monkeypatch):
    """A field that was called as the kernel itself made it wait for itself for ever."""
    shape = module_of(OF_THE_SAME_NAME, tmp_path / "of_the_same_name.py", monkeypatch).shape
    assert not shape.calls
    assert shape(np.zeros(3)) == 3


def test_kernels_called_by_the_name_of_their_module_are_known():
    table, play = (import_module(f"cluedo.ai.playouts.{name}") for name in ("table", "play"))
    assert table.roll in play.execute.calls
    outermost = compiled.outermost([play.__name__, table.__name__])
    assert {kernel.function.__name__ for kernel in outermost} == {"play_games", "play_on"}


def test_code_made_of_other_sources_is_not_used_and_makes_way(tmp_path, monkeypatch):
    """Whatever the times of files say: who has loaded an older source may keep its code after the newer was written."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    function = module_of(KERNEL, tmp_path / "kernel.py", monkeypatch).successor.function
    assert not Kernel(function).ready
    assert Kernel(function)(1) == 2
    assert Kernel(function).ready
    kept = set(tmp_path.rglob("*.nbc"))
    monkeypatch.setattr(compiled, "_digest", lambda: b"edited")
    assert not Kernel(function).ready
    assert Kernel(function)(1) == 2
    assert Kernel(function).ready
    assert len(kept) == len(set(tmp_path.rglob("*.nbc")) - kept) == len(set(tmp_path.rglob("*.nbc")))


def test_code_that_names_a_class_that_is_no_more_is_compiled_anew(tmp_path, monkeypatch):
    """As after an upgrade in which arrays of kernels have another name."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    function = module_of(KERNEL, tmp_path / "kernel.py", monkeypatch).successor.function
    assert Kernel(function)(1) == 2
    (index,) = (path for path in tmp_path.rglob("*.nbi") if ".entry" in path.name)
    version = pickle.loads(index.read_bytes())
    for older in (numba.__version__, (version[0], ("older",))):
        index.write_bytes(pickle.dumps(older) + b"cno_such_module\nThing\n.")
        assert not Kernel(function).ready
        assert Kernel(function)(1) == 2
        assert Kernel(function).ready


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
    assert "again on every start" in said
    assert "NUMBA_CACHE_DIR" in said
