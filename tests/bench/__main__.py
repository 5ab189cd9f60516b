"""How fast everything is, in one table: ``make bench``, with options ``make bench BENCH="--page --growth"``.

A figure stands beside the one before, which a file keeps. The cost of one (a game, a step, an answer) is also told in
plain loops of 10,000 additions in Python, and in games of four `hard`: both are measured right before each figure, so
that these two can be compared from one machine, or one hour, to another. Takes some five minutes.
"""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path

from bench import detective, environments, games, growth, laboratory, processes
from bench.figures import BEFORE, HEAD, PAGE, Figure, commit, keep, markdown, measure, put, read, row, told


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(prog="make bench", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", metavar="WORDS", help="only the lines in which these words stand")
    parser.add_argument("--keep", type=Path, nargs="?", const=BEFORE, help="keep the figures as those before")
    parser.add_argument("--growth", action="store_true", help="instead: how cost grows with seats, cards and so on")
    parser.add_argument("--page", action="store_true", help="put the tables into docs/explanation/performance.md")
    arguments = parser.parse_args()
    if arguments.page and arguments.only:
        parser.error("the page has all lines")
    name, text = ("growth", _growth()) if arguments.growth else ("bench", _table(arguments.only, arguments.keep))
    if arguments.page:
        PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), name, text), encoding="utf-8")


def _table(only: str, path: Path | None) -> str:
    of, before = read(BEFORE)
    figures: dict[str, Figure] = {}
    rows = []
    print(told(HEAD))
    parts = (games, detective, processes, laboratory, environments)
    for line in chain.from_iterable(part.lines() for part in parts):
        if only in line.what:
            figures[line.what] = measure(line)
            rows.append(row(line, figures[line.what], before.get(line.what)))
            print(told(rows[-1]), flush=True)
    if path is not None:
        keep(path, commit(), figures)
    note = f"Today: {commit()}. Before: {of}." if of else f"Today: {commit()}."
    return f"{note}\n\n{markdown(HEAD, rows)}"


def _growth() -> str:
    texts = []
    for title, table in growth.tables():
        texts.append(f"{title}\n\n{table}")
        print(texts[-1] + "\n", flush=True)
    return "\n\n".join(texts)


if __name__ == "__main__":
    main()
