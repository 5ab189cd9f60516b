"""Say which pictures of the documentation are out of date.

A picture is out of date if the program prints something else now than what it was drawn from, by the commands that
the pages show beside it, or if it was replaced by hand. What is compared is text, so that neither fonts nor versions of
matplotlib matter; only the picture of a table, which is dealt anew each time, is not looked at. `make pictures` draws
them again.

Usage: check_pictures.py [PICTURE …]
"""

from __future__ import annotations

import importlib.util
import json
import sys
from difflib import unified_diff
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Look at the pictures named, or at all."""
    draw = drawing_program()
    if unknown := set(sys.argv[1:]) - set(draw.PICTURES):
        sys.exit(f"no picture that can be checked: {', '.join(sorted(unknown))}; these can: {', '.join(draw.PICTURES)}")
    noted = json.loads(draw.DATA.read_text(encoding="utf-8"))
    wrong = []
    with draw.drawing_folder() as folder:
        for name in sys.argv[1:] or draw.PICTURES:
            told = trouble(noted.get(name), draw.PICTURES[name](folder).data, draw.hash_of(draw.HERE / name))
            print(f"{name}: {told or 'up to date'}", flush=True)
            wrong += [name] * bool(told)
    if wrong:
        sys.exit(f"out of date: {', '.join(wrong)}; draw them again: make pictures")


def trouble(noted: dict[str, object] | None, data: list[str], found: str) -> str:
    """What is wrong with a picture: what was noted when it was drawn, against what is so now; "" if nothing is."""
    if noted is None:
        return "it was never noted what it is drawn from"
    if noted["sha256"] != found:
        return "it is not the picture that was drawn"
    before = noted["data"]
    assert isinstance(before, list)
    return "\n".join(["it is drawn from something else now", *list(unified_diff(before, data, lineterm=""))[2:12]]) * (
        before != data
    )


def drawing_program() -> ModuleType:
    """docs/pictures/draw.py."""
    spec = importlib.util.spec_from_file_location("draw", ROOT / "docs" / "pictures" / "draw.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
