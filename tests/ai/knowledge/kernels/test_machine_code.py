"""Machine code is made for what Python calls, once for all in it; what other kernels call is kept for those to come."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import nullcontext
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from helpers.kernel_modules import arrays_let_go_of, module_of
from helpers.programs import told_by_python
from numba import TypingError
from numba.core.codegen import JITCodeLibrary

from cluedo.ai.knowledge.kernels.compiled import _CodeFiles

KERNELS = """
from cluedo.ai.knowledge.kernels.compiled import compiled

@compiled
def largest(rows):
    most = rows[0][0]
    for row in rows:
        for number in row:
            most = max(most, number)
    return most

@compiled
def scaled(rows):
    return rows / largest(rows)

@compiled
def both(table):
    names, rows = table
    return names[:1], scaled(rows), largest(rows)
"""


@pytest.fixture
def both(tmp_path, monkeypatch):
    """A kernel that calls two others, one of which calls the other."""
    return module_of(KERNELS, tmp_path / "both.py", monkeypatch).both


def test_llvm_has_each_kernel_once_within_what_python_calls(both, monkeypatch):
    made: list[str] = []
    machine_code = JITCodeLibrary._finalize_specific

    def noted(library):
        made.append(library.name)
        machine_code(library)

    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", noted)
    rows = np.array([[1.0, 4.0], [2.0, 3.0]])
    names, scaled, most = both((np.arange(2), rows))
    assert (names.tolist(), scaled.max(), most) == ([0], 1.0, 4.0)
    assert [name for name in made if "both" in name or "scaled" in name or "largest" in name] == ["both.entry"]


@pytest.mark.parametrize("on", [True, False], ids=["on", "off"])
@pytest.mark.parametrize(
    ("argument", "outcome"),
    [((np.arange(2), np.ones((2, 2))), nullcontext()), ("no table", pytest.raises(TypingError))],
    ids=["well", "not at all"],
)
def test_garbage_is_collected_after_compiling_if_it_was_before(both, monkeypatch, on, argument, outcome):
    collecting = []
    finalize = JITCodeLibrary.finalize

    def noted(library):
        collecting.append(gc.isenabled())
        finalize(library)

    monkeypatch.setattr(JITCodeLibrary, "finalize", noted)
    (gc.enable if on else gc.disable)()
    try:
        with outcome:
            both(argument)
        after = gc.isenabled()
    finally:
        gc.enable()
    assert after is on
    assert not any(collecting)
    assert collecting or argument == "no table"


def test_arrays_within_others_are_let_go_of(both):
    """Whatever is made is given back: by a kernel of a tuple of arrays, by what it calls, and by Python."""
    table = np.arange(3), np.ones((50, 40))
    both(table)
    held = [sys.getrefcount(array) for array in table]
    assert arrays_let_go_of(lambda: [both(table) for _ in range(100)]) > 0
    assert [sys.getrefcount(array) for array in table] == held


LOOPS = """
from cluedo.ai.knowledge.kernels.compiled import compiled

@compiled
def up_to(stop, found):
    count = 0
    for number in range(stop):
        found[count] = number
        number = -1  # rebinding the variable does not affect the loop
        count += 1
    return count

@compiled
def between(start, stop, found):
    count = 0
    for number in range(start, stop):
        for again in range(number, stop):  # it begins anew each time
            if again < number + 2:
                found[count] += again
        count += 1
    return count

@compiled
def in_steps(start, stop, step, found):
    count = 0
    for number in range(start, stop, step):
        found[count] = number
        count += 1
    return count

@compiled
def odd(stop):
    return range(1, stop, 2)

@compiled
def over_odd(stop):
    count = 0
    for number in odd(stop):
        count += number
    return count

@compiled
def unpacked(limits):
    count = 0
    for number in range(*limits):
        count += number
    return count

@compiled
def shifted(numbers, cube, marks, where):
    for k in range(where.shape[0]):
        one, two, three = where[k, 0], where[k, 1], where[k, 2]
        cube[one, two, three] += numbers[one] + marks[three]
        numbers[-1] -= cube[-1, -2, three]
        marks[two] = numbers[one] > cube[one, two, three]
    return cube[0, 0, 0]
"""


@pytest.fixture(scope="module")
def loops(tmp_path_factory):
    """Kernels that loop, and that read and write numbers of arrays."""
    with pytest.MonkeyPatch.context() as patch:
        yield module_of(LOOPS, tmp_path_factory.mktemp("loops") / "loops.py", patch)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("up_to", product((-(2**62), -1, 0, 1, 2, 9, 19))),
        ("between", product((-(2**61), -7, -1, 0, 3), (-(2**61), -8, -1, 0, 1, 9))),
        ("in_steps", product((-7, -1, 0, 2, 2**60), (-9, 0, 1, 9, 2**60), (-(2**60), -3, -1, 1, 2, 2**60))),
    ],
)
def test_loops_are_those_of_python(loops, name, arguments):
    kernel, tried = getattr(loops, name), 0
    for limits in arguments:
        if len(range(*limits)) < 20:
            found, wanted = np.zeros(20, np.int64), np.zeros(20, np.int64)
            assert kernel(*limits, found) == kernel.interpreted(*limits, wanted) == len(range(*limits))
            assert found.tolist() == wanted.tolist()
            tried += found.any()
    assert tried >= 3


def test_ranges_from_elsewhere_keep_their_steps(loops):
    assert loops.over_odd(11) == loops.over_odd.interpreted(11) == 25
    assert loops.unpacked((0, 10, 3)) == loops.unpacked.interpreted((0, 10, 3)) == 18


PICKED = """
from cluedo.ai.knowledge.kernels.compiled import compiled

@compiled
def picked(numbers, where):
    return numbers[where][0]

@compiled
def listed(number):
    numbers = [3, 5, number]
    return numbers[number]

@compiled
def often(numbers, where):
    total = 0
    for _ in range(100):
        total += picked(numbers, where) + listed(1)
    return total
"""


def test_what_a_kernel_picks_or_lists_is_let_go_of(tmp_path, monkeypatch):
    often = module_of(PICKED, tmp_path / "picked.py", monkeypatch).often
    arrays = np.arange(5), np.array([1, 2])
    assert often(*arrays) == 600
    assert arrays_let_go_of(lambda: often(*arrays)) >= 200


@pytest.mark.parametrize("index", [np.int64, np.int8, np.uint64])
@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.int16])
@pytest.mark.parametrize("gaps", [False, True], ids=["contiguous", "with gaps"])
def test_numbers_of_arrays_are_those_of_numpy(loops, index, dtype, gaps):
    """Negative indices, integers and floats, contiguous and strided arrays."""
    rng, step = np.random.default_rng(5), 1 + gaps
    arrays = rng.integers(-50, 50, 4 * step), rng.integers(-50, 50, (4, 3 * step, 3)), rng.integers(0, 2, 3 * step)
    numbers, cube, marks = arrays[0].astype(dtype)[::step], arrays[1].astype(dtype)[:, ::step], arrays[2] > 0
    lowest = 0 if index is np.uint64 else -3
    where = rng.integers(lowest, 3, (12, 3 * step)).astype(index)[:, ::step]
    compiled = [array.copy() if not gaps else array for array in (numbers, cube, marks[::step])]
    wanted = [array.copy() for array in compiled]
    assert loops.shifted(*compiled, where) == loops.shifted.interpreted(*wanted, where)
    for one, other in zip(compiled, wanted, strict=True):
        assert one.tolist() == other.tolist()


LATER = """
import sys
from cluedo.ai.knowledge.kernels.compiled import compiled

@compiled
def squared(number):
    return number * number

@compiled
def early(number):
    return squared(number) + 1

@compiled
def late(number):
    return squared(early(number)) + squared(number)

if __name__ == "__main__":
    answer, stats = globals()[sys.argv[1]](3), squared.part.stats
    compiles = {"scipy.linalg", "cluedo.ai.knowledge.kernels.machine_code"} & {*sys.modules}
    print(answer, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), len(compiles))
"""


KEPT = """
import sys
import numpy as np
from cluedo.ai.knowledge.kernels.compiled import compiled

NEVER = False
LARGE = np.arange(200_000)  # numba takes a small one into the code, and of this one the address

@compiled
def tripled(number):
    return number * 3

@compiled
def plain(number):
    if NEVER:
        return tripled(number)
    return number

@compiled
def more(number):
    return tripled(number) + 1

@compiled
def early(number):  # LLVM leaves out the first call of `tripled`, not the second
    return plain(number) + more(number)

@compiled
def at(number):
    return LARGE[number]

@compiled
def late(number):
    return at(number) + early(number)

@compiled
def last(number):
    return at(number) - early(number)

if __name__ == "__main__":
    print(globals()[sys.argv[1]](2))
"""


def told_in_turn(source: str, folder: Path, *names: str) -> list[list[int]]:
    """The numbers that a program tells of each of these kernels, each in a process of its own."""
    (folder / "program.py").write_text(source, encoding="utf-8")
    variables = {"NUMBA_CACHE_DIR": str(folder / "kept"), "PYTHONPATH": os.pathsep.join(sys.path)}
    told = [told_by_python(folder / "program.py", name, **variables) for name in names]
    return [[int(number) for number in numbers.split()] for numbers in told]


@pytest.mark.slow
def test_kept_code_runs_in_later_processes(tmp_path: Path):
    told = told_in_turn(KEPT, tmp_path, "early", "early", "late", "last", "late")
    assert told == [[9], [9], [11], [-7], [11]]


@pytest.mark.slow
def test_what_was_compiled_for_one_kernel_is_kept_for_another_of_a_later_run(tmp_path: Path):
    told = told_in_turn(LATER, tmp_path, "early", "late", "late")
    assert told == [[10, 0, 1, 2], [109, 1, 0, 2], [109, 0, 0, 0]], "value, found, compiled"


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("left", [b"", b"\x80\x05K"], ids=["empty", "truncated"])
def test_what_a_power_failure_leaves_on_the_disk_is_compiled_anew(tmp_path, suffix, left):
    def files() -> _CodeFiles:
        return _CodeFiles(str(tmp_path), "kernel", ("sources",))

    files().save("signature", {"code": 1})
    assert files().load("signature") == {"code": 1}
    for path in tmp_path.glob(f"*{suffix}"):
        path.write_bytes(left)
    assert files().load("signature") is None
    files().save("signature", {"code": 2})
    assert files().load("signature") == {"code": 2}
