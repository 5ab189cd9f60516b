"""A process that runs commands of ``cluedo`` one after the other, as if each were alone, and says what became of them.

It reads a line of JSON for each: ``arguments``, ``folder`` (where it works), ``typed`` (what is on standard input), and
``own`` (whether in a process of its own); and answers with one: ``code``, ``out``, ``err``.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

MEMORY = 6 << 30
"""In bytes: more than anything that has a bound takes."""


def pass_over(*_: object) -> None:
    """Handle Ctrl-C while no command runs here: it is for one in a process of its own, or has come too late."""


def run(main: Callable[[], None], arguments: list[str], folder: str, typed: str) -> dict[str, Any]:
    """Run a command in this process."""
    os.chdir(folder)
    beside = Path(folder).parent
    (beside / "typed").write_text(typed, encoding="utf-8", errors="surrogateescape", newline="")
    with (
        (beside / "typed").open(encoding="utf-8", errors="surrogateescape") as sys.stdin,
        (beside / "out").open("w+", encoding="utf-8", errors="surrogateescape") as sys.stdout,
        (beside / "err").open("w+", encoding="utf-8", errors="backslashreplace") as sys.stderr,
    ):
        sys.argv = ["cluedo", *arguments]
        code: object = None
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        except BaseException:
            traceback.print_exc()
        finally:
            signal.signal(signal.SIGINT, pass_over)
    return {"code": code, **{name: (beside / name).read_bytes().decode("utf-8", "replace") for name in ("out", "err")}}


def run_alone(arguments: list[str], folder: str, typed: str) -> dict[str, Any]:
    """Run a command in a process of its own, as people do."""
    ran = subprocess.run(
        [sys.executable, "-m", "cluedo", *arguments],
        cwd=folder, input=typed.encode("utf-8", "surrogateescape"), capture_output=True, check=False,
    )  # fmt: skip
    out, err = (said.decode(errors="replace") for said in (ran.stdout, ran.stderr))
    return {"code": ran.returncode, "out": out, "err": err}


def serve(orders: TextIO, answers: TextIO) -> None:
    """Do what is ordered, until there are no more orders."""
    from cluedo.cli import main
    from cluedo.engine import file_io

    file_io._PATIENCE_S = 0.5  # with a pipe that nobody writes into
    signal.signal(signal.SIGINT, pass_over)
    warnings.simplefilter("ignore")  # as Python does for people
    for line in orders:
        order = json.loads(line)
        os.environ["HOME"] = os.environ["XDG_STATE_HOME"] = str(Path(order["folder"]).parent / "home")
        how = order.pop("own")
        answer = run_alone(**order) if how else run(main, **order)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # What a command or a library writes past sys.stdout must not be taken for an answer.
    answering = os.fdopen(os.dup(1), "w", encoding="utf-8")
    ordering = os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    serve(ordering, answering)
