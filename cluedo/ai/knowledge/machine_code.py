"""How numba compiles kernels: it makes machine code for what Python calls alone, with all that this calls in it.

By itself numba optimises every function and makes machine code for it, with a copy of all that it calls, so that what
is deep down is done a dozen times. Here the function that Python calls is given the others as they were written, and
LLVM has each kernel once. The instructions are the same: LLVM puts the small ones into their callers at either time.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.runtime.context import NRTContext
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode

__all__ = ["EntryCompiler", "PartCompiler"]


class _Flags(Flags):
    """How a kernel is compiled: the same for all, as far as it says anything about types.

    numba looks types up by these, thousands of times; it would compare all of a score of options each time.
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags)

    def __hash__(self) -> int:
        return 1


class _Typing:
    """What numba finds the types by: it tries a score of definitions for each ``+``. So what it found once is kept."""

    _found: ClassVar[dict[tuple[object, tuple[types.Type, ...]], Any]] = {}

    def __init__(self, context: Any):
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, func: Any, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        """The signature of an operator or function of numba's, or of a kernel, for arguments of these types."""
        if kws or (isinstance(func, types.Callable) and not isinstance(func, types.Function)):
            return self._context.resolve_function_type(func, args, kws)
        if (func, args) not in self._found:
            self._found[func, args] = self._context.resolve_function_type(func, args, kws)
        return self._found[func, args]


class _References(NRTContext):
    """How references to arrays are counted: numba takes all of an array out to find its one count, in as many lines."""

    def get_meminfos(self, builder: Any, ty: Any, val: Any) -> list[tuple[Any, Any]]:
        models = self._context.data_model_manager
        if models[ty].has_nrt_meminfo():
            return [(ty, models[ty].get_nrt_meminfo(builder, val))]
        inside = ((type_, get) for type_, get in models[ty].traverse(builder) if models[type_].contains_nrt_meminfo())
        return [found for type_, get in inside for found in self.get_meminfos(builder, type_, get(val))]


class _NoReferences(NRTContext):
    """For a kernel that other kernels call, and that makes and returns no arrays.

    Those that it is given stay as long as it runs, because who called it holds them. To count would be most of what
    a small one does.
    """

    def incref(self, builder: Any, typ: Any, value: Any) -> None:
        """Count nothing."""

    def decref(self, builder: Any, typ: Any, value: Any) -> None:
        """Count nothing."""


_BORROWING: Final = ("getitem", "static_getitem")
"""What gives a part of an array that somebody else holds; all else that gives an array may have made it."""


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    """Writes a kernel for LLVM, and counts references only where the kernel has some of its own."""

    def run_pass(self, state: Any) -> bool:
        models, library = state.targetctx.data_model_manager, state.library
        made = [step for step in state.calltypes if getattr(step, "op", "") not in _BORROWING]
        results = [state.calltypes[step].return_type for step in made]
        owns = any(models[type_].contains_nrt_meminfo() for type_ in (state.return_type, *results))
        references = _References if owns or not isinstance(library, _PartLibrary) else _NoReferences
        state.targetctx.nrt = references(state.targetctx, enabled=True)
        done: bool = super().run_pass(state)
        return done


_STEPS: Final = (
    *(TranslateByteCode, FixupArgs, IRProcessing, GenericRewrites, ReconstructSSA, NopythonTypeInference),
    *(PreLowerStripPhis, IRLegalization, _Lowering, NoPythonBackend),
)


class _Library(JITCodeLibrary):
    """A kernel for LLVM, which makes machine code of it later, together with what it is called by."""

    @property
    def needed(self) -> dict[Any, None]:
        """What it calls, and what that calls, in order."""
        found: dict[Any, None] = {}
        for library in self._linking_libraries:
            found[library] = None
            found.update(library.needed if isinstance(library, _PartLibrary) else {})
        return found


class _PartLibrary(_Library):
    """A kernel that other kernels call. There is no machine code of it."""

    def finalize(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.linkage = "linkonce_odr"  # LLVM may leave it out where all its callers have taken it in
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        return self._final_module

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What is kept of it: the code for LLVM, with all that it calls, because numba loads it by itself."""
        whole = self._final_module.clone()
        for library in self.needed:
            whole.link_in(library._get_module_for_linking(), preserve=True)
        return self.name, "bitcode", whole.as_bitcode()

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - numba asks for machine code by name
        return 0

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, env: object) -> None:
        """Python's objects are for what Python calls; numba sets them at the address of the machine code."""


class _EntryLibrary(_Library):
    """A kernel that Python calls."""

    def finalize(self) -> None:
        self._linking_libraries = [*self.needed]
        super().finalize()


class _Compiler(CompilerBase):
    """Those of numba's steps that kernels need: there are no closures, array expressions or parallel loops in them."""

    library: type[_Library]

    def compile_extra(self, func: Any) -> Any:
        self.state.flags = _Flags(self.state.flags)
        self.state.typingctx = _Typing(self.state.typingctx)
        self.state.library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)

    def define_pipelines(self) -> list[PassManager]:
        steps = PassManager("kernel")
        for step in _STEPS:
            steps.add_pass(step, step.__name__)
        steps.finalize()
        return [steps]


class PartCompiler(_Compiler):
    """Compiles a kernel that other kernels call."""

    library = _PartLibrary


class EntryCompiler(_Compiler):
    """Compiles a kernel that Python calls."""

    library = _EntryLibrary
