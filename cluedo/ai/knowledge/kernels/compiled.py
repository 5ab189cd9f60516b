"""Kernels: functions that are compiled to machine code, or interpreted while there is none.

Compiling all that a game with `expert` needs takes 12 to 20 seconds, mostly numba's type inference and lowering; a
position of a few hundred states is solved by the same source, interpreted, in some hundredths of a second. So whoever
wants one answer soon asks for :func:`interpreting`; whoever plays games does not, and waits once.

Importing this imports numba, which takes most of a second: import it where it is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dis import get_instructions
from functools import cache, cached_property
from glob import escape
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from time import thread_time
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec, TypeVar
from uuid import uuid4

import numpy as np
from numba import njit, types
from numba.core import config, event
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.imputils import lower_constant
from numba.core.runtime.nrt import rtsys
from numba.extending import models, register_model, typeof_impl

if TYPE_CHECKING:
    from numba.core.compiler import CompilerBase

__all__ = ["Kernel", "compiled", "copied", "interpreting", "keeps_code", "outermost", "watching"]


class _CodeFiles(IndexDataCacheFile):
    """The files of a kernel: those of different processes never have the same name, so none holds the other's code."""

    def __init__(self, path: str, base: str, stamp: tuple[Any, ...]):
        super().__init__(path, base, stamp)
        # The version is read first: what else is kept of other sources may name classes that are no more.
        self._version = self._version, stamp

    @property
    def _base(self) -> str:
        return self._index_name.removesuffix(".nbi")

    def _data_name(self, number: int) -> str:  # noqa: ARG002 - two processes may count to the same
        return f"{self._base}.{uuid4().hex}.nbc"

    def _load_index(self) -> dict[Any, Any]:
        with suppress(Exception):  # of pickle: what a power failure has left there is as good as nothing
            found: dict[Any, Any] = super()._load_index()
            return found
        return {}

    def load(self, key: Any) -> Any:
        """The code for a signature, or ``None``."""
        with suppress(Exception):  # as above
            return super().load(key)
        return None

    def save(self, key: Any, data: Any) -> None:
        """Keep the code for a signature, in place of all that was made of other sources; if it cannot be, go on."""
        if not self._load_index():
            for outdated in Path(self._cache_path).glob(f"{escape(self._base)}.*.nbc"):
                with suppress(OSError):
                    outdated.unlink()
        with suppress(OSError):  # the disk is full
            super().save(key, data)


class _KernelCache(FunctionCache):
    """Machine code on disk.

    numba would look only at the file of a function, not at those of the functions that it calls; and before it loads
    any, it would import all that it knows how to compile, SciPy's linear algebra too.

    Args:
        function: the source of the kernel.
        sources: what tells the sources of all kernels, as this process has loaded them, from any others.
    """

    def __init__(self, function: Any, sources: bytes):
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp(), sources, config.BOUNDSCHECK  # type: ignore[attr-defined]
        self._cache_file = _CodeFiles(self._cache_path, self._impl.filename_base, stamp)

    def holds(self, target_context: Any) -> bool:
        """Whether there is code of these sources for this machine."""
        machine = target_context.codegen().magic_tuple()
        return any(machine == kept_for for _, kept_for, _ in self._cache_file._load_index())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature, or ``None``."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


_USED_BY_KERNELS: Final = (
    *("ai/knowledge/notebook.py", "ai/knowledge/kernels/programme.py", "ai/knowledge/kernels/event_rows.py"),
    *("ai/knowledge/kernels/machine_code.py", "ai/playouts/arrays.py", "engine/state.py"),
)
"""Files without kernels that machine code depends on: functions and constants of kernels, and how they are compiled."""
_PATIENCE_S: Final = 4.0
"""How long this process interprets, in all, before it compiles: what is left to do may be long."""

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A function that is compiled on its first call, and whose machine code is kept for later runs.

    numba keeps it in the folder that ``NUMBA_CACHE_DIR`` names, else beside the source, else in the user's cache;
    where none of these can be written, each run compiles anew. So does the first run after the source of any kernel
    has changed.

    What numba makes so that Python can call a function takes half of the time of compiling a small one. So what other
    kernels call is compiled without that, and what Python calls by itself.

    Attributes:
        function: the source.
    """

    def __init__(self, function: Callable[P, R]):
        assert isinstance(function, FunctionType)
        self.function = function
        _kernels[function.__code__] = self

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        asked_for = _interpreted.get()
        if asked_for and self in asked_for and not self.ready and _spent.seconds < _PATIENCE_S:
            return self._interpret(*args, **kwargs)
        answer: R = self.entry(*args, **kwargs)
        return answer

    @cached_property
    def part(self) -> Any:
        """What other kernels call. Python cannot: it has no address."""
        return _dispatcher(self.function, pipeline_class=_part_compiler, no_cpython_wrapper=True)

    @cached_property
    def entry(self) -> Any:
        """What Python calls; its own name keeps its machine code apart from the part's."""
        copy = copied(self.function, self.function.__globals__)
        copy.__qualname__ += ".entry"
        return _dispatcher(copy, pipeline_class=_entry_compiler)

    @property
    def ready(self) -> bool:
        """Whether Python can call machine code: there is some in this process, or in the folder where it is kept."""
        return _made(self.entry)

    @property
    def missing(self) -> frozenset[Kernel[..., Any]]:
        """The kernels that have to be compiled before Python can call this one."""
        parts = [kernel.needed for kernel in self.calls]
        return frozenset() if self.ready else frozenset({self}).union(*parts)

    @property
    def needed(self) -> frozenset[Kernel[..., Any]]:
        """The kernels that have to be compiled before others can call this one."""
        parts = [kernel.needed for kernel in self.calls]
        return frozenset() if _made(self.part) else frozenset({self}).union(*parts)

    @cached_property
    def calls(self) -> frozenset[Kernel[..., Any]]:
        """The kernels that this one calls."""
        found, value = set[Kernel[..., Any]](), None
        for step in get_instructions(self.function):
            if step.opname == "LOAD_GLOBAL":
                value = self.function.__globals__.get(step.argval)
            else:  # an attribute of a module, as in table.note
                value = getattr(value, str(step.argval), None) if isinstance(value, ModuleType) else None
            if isinstance(value, Kernel):
                found.add(value)
        return frozenset(found)

    @cached_property
    def interpreted(self) -> Callable[P, R]:
        """The source as Python runs it, to the same bits: with the kernels that it calls, and C's logarithms."""
        globals_ = {
            name: value.interpreted if isinstance(value, Kernel) else _C if value is np else value
            for name, value in self.function.__globals__.items()
            if not isinstance(value, Kernel) or value in self.calls
        }
        return copied(self.function, globals_)

    def _interpret(self, *args: P.args, **kwargs: P.kwargs) -> R:
        begun = thread_time()
        try:
            with np.errstate(all="ignore"):  # machine code is silent, too, but for a division by zero
                return self.interpreted(*args, **kwargs)
        finally:
            _spent.seconds += thread_time() - begun


def _part_compiler(*args: Any) -> CompilerBase:
    from cluedo.ai.knowledge.kernels.machine_code import (
        PartCompiler,  # a fifth of a second, only where something is compiled
    )

    return PartCompiler(*args)


def _entry_compiler(*args: Any) -> CompilerBase:
    from cluedo.ai.knowledge.kernels.machine_code import EntryCompiler  # as above

    return EntryCompiler(*args)


class _PartType(types.Dispatcher):
    """The type of a kernel that another one calls."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature for arguments of these types, compiled if it has to be.

        numba would compile a signature for every constant, and for every width of whole numbers.
        """
        return super().get_call_type(context, tuple(_plain(arg) for arg in args), kws)


def _plain(arg: Any) -> Any:
    arg = types.unliteral(arg)
    narrow = arg in types.integer_domain and arg not in (types.int64, types.uint64)
    return types.int64 if narrow else arg


register_model(_PartType)(models.OpaqueModel)


@lower_constant(_PartType)  # type: ignore[untyped-decorator]
def _no_value(context: Any, builder: Any, type_: Any, value: Any) -> Any:  # noqa: ARG001 - numba gives them
    """A kernel has no value; numba would write down its address, which is another one in each process."""
    return context.get_dummy_value()


@typeof_impl.register(Kernel)
def _type_of_kernel(kernel: Kernel[..., Any], _: object) -> _PartType:
    """To numba a kernel among the globals of another is its part."""
    return _PartType(kernel.part)


compiled = Kernel
"""The decorator of the kernels."""

_kernels: dict[CodeType, Kernel[..., Any]] = {}

_interpreted: ContextVar[frozenset[Kernel[..., Any]]] = ContextVar("_interpreted", default=frozenset())
_spent = SimpleNamespace(seconds=0.0)


@contextmanager
def interpreting(*kernels: Kernel[..., Any]) -> Iterator[None]:
    """Inside the ``with`` interpret these kernels where there is no machine code yet, for some seconds in all.

    For those whose work is small: about a hundred times as much as in machine code has to be less than compiling.
    """
    token = _interpreted.set(frozenset(kernels))
    try:
        yield
    finally:
        _interpreted.reset(token)


class _Watch(event.Listener):
    """Counts the kernels that are compiled, by the length of their code; see :func:`watching`."""

    def __init__(self, tell: Callable[[float], None], expected: Callable[[], Collection[Kernel[..., Any]]]):
        self._tell = tell
        self._expected = cache(expected)
        self._depth = 0
        self._needed: set[Kernel[..., Any]] = set()
        self._done: set[Kernel[..., Any]] = set()
        self._share = 0.0

    def on_start(self, event: Any) -> None:
        """Find out what is to be compiled: numba compiles a function while it compiles another that calls it."""
        if not self._depth:
            own = _kernels.get(event.data["dispatcher"].py_func.__code__)
            self._needed.update(*(kernel.missing for kernel in (*self._expected(), own) if kernel is not None))
            self._tell(self._share)
        self._depth += 1

    def on_end(self, event: Any) -> None:
        """Tell how much is done: never less than before, though more may be called than was expected."""
        self._depth -= 1
        own = _kernels.get(event.data["dispatcher"].py_func.__code__)
        if own is not None:
            self._done.add(own)
            self._share = max(self._share, _length(self._done) / _length(self._needed | self._done))
        if not self._expected() and not self._depth:
            self._tell(1.0)
            self._share = 0.0
        elif own is not None:
            self._tell(self._share)


def outermost(modules: Collection[str]) -> list[Kernel[..., Any]]:
    """The kernels of some modules, by name, that no other kernel calls."""
    for module in modules:
        import_module(module)
    called = frozenset[Kernel[..., Any]]().union(*(kernel.calls for kernel in _kernels.values()))
    ours = (kernel for kernel in _kernels.values() if kernel.function.__module__ in modules)
    return [kernel for kernel in ours if kernel not in called]


def _length(kernels: Iterable[Kernel[..., Any]]) -> int:
    return sum(len(kernel.function.__code__.co_code) for kernel in kernels)


@contextmanager
def watching(
    tell: Callable[[float], None], expected: Callable[[], Collection[Kernel[..., Any]]] = tuple
) -> Iterator[None]:
    """Inside the ``with``, tell what share is compiled of what there is to compile: 0 at first, then as it grows.

    Nothing is told where nothing is compiled. What there is to compile are the kernels that ``expected`` names; without
    any, the one that is called, and 1 is told when Python goes on.
    """
    with event.install_listener("numba:compile", _Watch(tell, expected)):
        yield


def keeps_code() -> bool:
    """Whether there is a folder to keep all machine code in."""
    return all(kernel.part.stats.cache_path is not None for kernel in _kernels.values())


class _Numpy:
    """numpy, but for functions of one number: machine code takes them from C, and numpy's differ in the last bit."""

    exp, expm1 = math.exp, math.expm1

    @staticmethod
    def log(number: float) -> float:
        return math.log(number) if number else -math.inf

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


_C: Final = _Numpy()


def copied(function: Callable[P, R], globals_: dict[str, Any]) -> Callable[P, R]:
    """The same function with other globals."""
    assert isinstance(function, FunctionType)
    copy = FunctionType(function.__code__, globals_, function.__name__, function.__defaults__, function.__closure__)
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    return copy


def _made(dispatcher: Any) -> bool:
    """Whether there is machine code in this process, or in the folder where it is kept."""
    folder = dispatcher.stats.cache_path
    if dispatcher.signatures or folder is None:
        return bool(dispatcher.signatures)
    found: bool = dispatcher._cache.holds(dispatcher.targetctx)
    return found


def _dispatcher(function: Callable[..., Any], **options: Any) -> Any:
    """Have numba compile a function, and keep the machine code where it finds a folder."""
    options["no_cfunc_wrapper"] = True  # nobody in C calls us
    dispatcher: Any = njit(**options)(function)
    with suppress(RuntimeError):  # what numba raises where it finds none, and for nothing else
        dispatcher._cache = _KernelCache(function, _digest())
    return dispatcher


@cache
def _digest() -> bytes:
    """What tells the sources of all kernels from any others, as they are when the first kernel is loaded."""
    digest = sha256()
    for path in sorted(sources_of_kernels()):
        digest.update(path.read_bytes())
    return digest.digest()


def sources_of_kernels() -> set[Path]:
    """The files with kernels, and those that their machine code depends on."""
    here = Path(__file__)
    package = here.parents[3]
    sources = (path for floor in ("ai", "envs") for path in (package / floor).rglob("*.py"))
    kernels = (path for path in sources if b"@compiled" in path.read_bytes())
    return {here, *kernels, *(package / name for name in _USED_BY_KERNELS)}
