"""The examples in docstrings say what really happens."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from cluedo.language import speak

ROOT = Path(__file__).resolve().parent.parent
WITH_EXAMPLES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "cluedo").rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of(name):
    speak("en")
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried
    assert not failed


def test_the_examples_are_found():
    assert len(WITH_EXAMPLES) >= 9
