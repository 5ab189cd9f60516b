"""A figure, and what it is compared with: a plain loop and games of four `hard`, played right before each time.

So whatever else the machine does meanwhile slows all three down. Time is the processor's.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple

import numpy as np

from cluedo import Rules
from cluedo.experiments.plan.part import Conditions, Part
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "explanation" / "performance.md"
BEFORE = HERE / "before.json"

SHOWN: dict[str, Callable[[float], float]] = {
    "s": lambda seconds: seconds,
    "ms": lambda seconds: 1000 * seconds,
    "games/s": lambda seconds: 1 / seconds,
    "steps/s": lambda seconds: 1 / seconds,
}
"""Units of what costs time, and how they are told of the seconds that one takes. Others are told as they are."""


class Line(NamedTuple):
    """A line of the table.

    Attributes:
        what: what is measured; the figure before is found by it.
        unit: one of ``SHOWN``, or another one of a figure that has no cost.
        ready: prepares it, and gives what measures it once: the seconds that one takes, or the figure itself.
        rounds: how often it is measured; the median counts.
        aim: what the figure should be, ``≤ 8`` or ``≥ 8``, on a machine where four `hard` play 140 games a second.
    """

    what: str
    unit: str
    ready: Callable[[], Callable[[], float]]
    rounds: int = 5
    aim: str = ""


class Figure(NamedTuple):
    """A figure, and its cost in plain loops and in games of four `hard`, as far as it has one."""

    value: float
    loops: float | None = None
    hard: float | None = None


def plain_loop() -> float:
    """The seconds that ten thousand additions take."""
    began = process_time()
    for _ in range(20):
        total = 0
        for number in range(10_000):
            total += number & 7
    return (process_time() - began) / 20


def runner_of(*line_up: str, engine: type[GameRunner] = GameRunner, records: bool = False) -> GameRunner:
    """Plays games of a line-up on `manoir`."""
    return engine(Part("manoir", Rules(), line_up, 10**9), Conditions(records=records, trusted=True))


def seconds_a_game(runner: GameRunner, games: int, first: int = 0) -> float:
    """The seconds that each of so many games takes, from the number of the first on."""
    began = process_time()
    runner.rows(range(first, first + games), Interrupt.never())
    return (process_time() - began) / games


@cache
def _hard() -> GameRunner:
    runner = runner_of(*["hard"] * 4)
    seconds_a_game(runner, 8)
    return runner


def hard_game() -> float:
    """The seconds that a game of four `hard` takes."""
    return seconds_a_game(_hard(), 24)


def measure(line: Line) -> Figure:
    """Measure a line."""
    once = line.ready()
    rows = [(plain_loop(), hard_game(), once()) for _ in range(line.rounds)]
    middle = median(value for _, _, value in rows)
    if line.unit not in SHOWN:
        return Figure(middle)
    loops, hard = (median(row[2] / row[k] for row in rows) for k in (0, 1))
    return Figure(SHOWN[line.unit](middle), loops, hard)


@contextmanager
def started(*command: str, env: Mapping[str, str] | None = None, said: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """`cluedo` in a process of its own, in a state folder of its own; it has ended well when the `with` ends."""
    words = [sys.executable, "-m", "cluedo", *command]
    with TemporaryDirectory() as folder:
        around = os.environ | {"XDG_STATE_HOME": folder, "LC_ALL": "C.UTF-8"} | (env or {})
        out = subprocess.DEVNULL
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=out, stderr=out, env=around) as process:
            assert process.stdin is not None
            process.stdin.write(said.encode())
            process.stdin.close()
            yield process
        assert not process.returncode, command


def cpu_seconds(*command: str, env: Mapping[str, str] | None = None, said: str = "") -> float:
    """The seconds of CPU that a run of `cluedo` takes, in all its processes."""
    with started(*command, env=env, said=said) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def clock_and_memory(*command: str, pause: float = 0.1) -> tuple[float, float]:
    """The seconds that a run of `cluedo` takes by the clock, and the most memory of all its processes, in MB.

    Memory is what is resident, looked at after each pause; what processes share is counted once for each.
    """
    most, began = 0.0, perf_counter()
    with started(*command) as process:
        while process.poll() is None:
            most = max(most, resident_mb(process.pid))
            sleep(pause)
    return perf_counter() - began, most


def resident_mb(pid: int) -> float:
    """The memory of a process and of all that came from it, in MB."""
    found, total = [Path(f"/proc/{pid}")], 0
    for process in found:
        with suppress(OSError, StopIteration):  # it has ended meanwhile
            for task in (process / "task").iterdir():
                found += [Path("/proc") / child for child in (task / "children").read_text().split()]
            lines = (process / "status").read_text().splitlines()
            total += next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
    return total / 1024


# ---- the table -----------------------------------------------------------------------------------

HEAD = ("what", "", "aim", "today", "before", "loops", "loops before", "`hard`", "`hard` before")


def short(value: float | None) -> str:
    """A number by three figures."""
    if value is None:
        return ""
    if abs(value) >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    return np.format_float_positional(value, 3, fractional=False, unique=False, trim="-")


def row(line: Line, today: Figure, before: Figure | None) -> tuple[str, ...]:
    """A row of the table."""
    pairs = zip(today, before or Figure(None), strict=True)  # type: ignore[arg-type]
    bound = float(line.aim[1:] or "nan")
    missed = today.value > bound if line.aim.startswith("≤") else today.value < bound
    aim = f"{line.aim}, missed" if missed else line.aim
    return (line.what, line.unit, aim, *(short(value) for pair in pairs for value in pair))


def told(cells: Sequence[str]) -> str:
    """A row for a terminal."""
    what, unit, aim, *figures = cells
    return f"{what:76} {unit:14} {aim:>13}" + "".join(f"{figure:>14}" for figure in figures)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table for a page."""
    marks = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, marks, *rows))


def read(path: Path) -> tuple[str, dict[str, Figure]]:
    """What the figures in a file are of, and the figures; none where there is no file."""
    if not path.exists():
        return "", {}
    kept = json.loads(path.read_text(encoding="utf-8"))
    return kept["of"], {what: Figure(*figure) for what, figure in kept["figures"].items()}


def keep(path: Path, of: str, figures: Mapping[str, Figure]) -> None:
    """Write figures into a file, rounded, so that one can read it."""
    rounded: dict[str, Any] = {
        what: [value if value is None else float(f"{value:.4g}") for value in figure]
        for what, figure in figures.items()
    }
    lines = (f"    {json.dumps(what)}: {json.dumps(figure)}" for what, figure in rounded.items())
    path.write_text(f'{{\n  "of": {json.dumps(of)},\n  "figures": {{\n' + ",\n".join(lines) + "\n  }\n}\n")


def commit() -> str:
    """The commit of the working tree, and its day."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=commit %h of %cs"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def put(page: str, name: str, text: str) -> str:
    """A page with another text between the marks of a name."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    assert begin in page, f"the page has no marks of {name}"
    return re.sub(f"(?s){re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}{text}\n{end}", page)
