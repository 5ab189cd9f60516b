"""Modules of kernels of which there is no machine code yet."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest


def module_of(source: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Write a module and import it, as long as the test takes; its machine code is kept beside it."""
    path.write_text(source, encoding="utf-8")
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, path.stem, module)
    spec.loader.exec_module(module)
    return module
