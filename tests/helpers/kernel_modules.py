"""Modules of kernels of which there is no machine code yet."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from numba.core.runtime import _nrt_python, rtsys


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


def arrays_let_go_of(call: Callable[[], object]) -> int:
    """How many arrays are made by a call of kernels, which has to let go of all of them."""
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    call()
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free
    return int(after.mi_alloc - before.mi_alloc)
