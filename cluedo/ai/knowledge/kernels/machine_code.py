"""How numba compiles kernels: it makes machine code for what Python calls alone, with all that this calls in it.

By itself numba optimises every function and makes machine code for it, with a copy of all that it calls, so that what
is deep down is done a dozen times. Here the function that Python calls is given the others as they were written, and
LLVM has each kernel once.

Importing this imports all that numba knows how to compile: import it where something is compiled.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from llvmlite.binding import create_new_function_pass_manager
from numba import types
from numba.core.cgutils import alloca_once, alloca_once_value, intp_t, pack_struct, unpack_tuple
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.ir import Assign, Expr
from numba.core.ir_utils import get_definition, guard
from numba.core.lowering import Lower
from numba.core.runtime.context import NRTContext
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode
from numba.np.arrayobj import fix_integer_index, load_item, store_item

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


def _makes(state: Any) -> Iterator[types.Type]:
    """The types of what a kernel makes, as far as it does not only take a part of what somebody else holds."""
    for step, signature in state.calltypes.items():
        if not _borrows(step, signature):
            yield signature.return_type
    for block in state.func_ir.blocks.values():
        for line in block.find_insts(Assign):
            if isinstance(line.value, Expr) and line.value.op in ("build_list", "build_set", "build_map"):
                yield state.typemap[line.target.name]


def _borrows(step: Any, signature: Any) -> bool:
    """Whether a step takes an element or a slice; what an array of indices picks is a new array."""
    if getattr(step, "op", "") != "getitem":
        return getattr(step, "op", "") == "static_getitem"
    index: Any = signature.args[1]
    axes: Any = getattr(index, "types", (index,))
    return not any(isinstance(axis, types.Array) for axis in axes)


class _Lower(Lower):
    """Lowers kernels to less LLVM IR than numba does; the time that compiling takes grows with it."""

    def delvar(self, name: str) -> None:
        """Drop a variable. Only references that are counted need code for it."""
        model = self.context.data_model_manager[self.typeof(name)]
        if model.contains_nrt_meminfo() and isinstance(self.context.nrt, _References):
            super().delvar(name)

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:  # noqa: ARG002
        """Allocate a stack slot, without looking up its size for debug info."""
        return alloca_once(self.builder, lltype, name=name)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """Iterate over ``range(n)`` and ``range(m, n)`` by trip count; numba allows for any step, zero included."""
        if expr.op == "getiter" and self.typeof(expr.value.name) == types.range_state64_type:
            call = guard(get_definition, self.func_ir, expr.value)
            if self._counts_by_one(call):
                builder = self.builder
                start, stop, step = unpack_tuple(builder, self.loadvar(expr.value.name), 3)
                trips = alloca_once_value(builder, builder.sub(stop, start))
                return pack_struct(builder, [alloca_once_value(builder, start), stop, step, trips])
        if expr.op == "iternext" and self.typeof(expr.value.name) == types.range_iter64_type:
            builder = self.builder
            at, _, step, left = unpack_tuple(builder, self.loadvar(expr.value.name), 4)
            number, trips = builder.load(at), builder.load(left)
            builder.store(builder.add(number, step), at)
            builder.store(builder.sub(trips, intp_t(1)), left)
            return pack_struct(builder, [number, builder.icmp_signed(">", trips, intp_t(0))])
        return super().lower_expr(resty, expr)

    def _counts_by_one(self, call: Any) -> bool:
        """Whether this is ``range(n)`` or ``range(m, n)``, and not another function that returns a range."""
        if not isinstance(call, Expr) or call.op != "call" or call.vararg or len(call.args) > 2:
            return False
        return getattr(self.typeof(call.func.name), "typing_key", None) is range

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """Load an element of an array."""
        pointer, type_ = self._element(value, index), self.typeof(value.name)
        if pointer is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        element = load_item(self.context, self.builder, type_, pointer)
        return self.context.cast(self.builder, element, type_.dtype, resty)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        """Store an element of an array."""
        pointer, type_ = self._element(target_var, index_var), self.typeof(target_var.name)
        if pointer is None:
            return super().lower_setitem(target_var, index_var, value_var, signature)
        value = self._cast_var(value_var, signature.args[2])
        element = self.context.cast(self.builder, value, signature.args[2], type_.dtype)
        return store_item(self.context, self.builder, type_, element, pointer)

    def _element(self, array: Any, index: Any) -> Any:
        """The pointer to an element; ``None`` unless the array is C-contiguous and all indices are integers.

        It is a fifth of the code that numba writes for any part of an array.
        """
        type_, index_type = self.typeof(array.name), self.typeof(index.name)
        several = isinstance(index_type, types.BaseTuple)
        axes = index_type.types if several else (index_type,)
        if not isinstance(type_, types.Array) or type_.layout != "C" or self.context.enable_boundscheck:
            return None
        if not (0 < len(axes) == type_.ndim and all(isinstance(axis, types.Integer) for axis in axes)):
            return None
        builder, model, held = self.builder, self.context.data_model_manager[type_], self.loadvar(array.name)
        given = self.loadvar(index.name)
        numbers = unpack_tuple(builder, given, type_.ndim) if several else [given]
        sizes = unpack_tuple(builder, model.get(builder, held, "shape"), type_.ndim)
        parts = zip(axes, numbers, sizes, strict=True)
        offset, *others = (fix_integer_index(self.context, builder, *part) for part in parts)
        for size, other in zip(sizes[1:], others, strict=True):
            offset = builder.add(builder.mul(offset, size), other)
        return builder.gep(model.get(builder, held, "data"), [offset])


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    """Emits reference counting only where a kernel makes or returns arrays."""

    lowering_class = _Lower

    def run_pass(self, state: Any) -> bool:
        models, library = state.targetctx.data_model_manager, state.library
        owns = any(models[type_].contains_nrt_meminfo() for type_ in (state.return_type, *_makes(state)))
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

    def _optimize_functions(self, ll_module: Any) -> None:
        """Promote stack slots and simplify control flow; the rest is optimised after linking."""
        ll_module.data_layout = self._codegen._data_layout
        passes = create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, self._codegen._pass_builder())

    @property
    def needed(self) -> dict[Any, None]:
        """What it calls, and what that calls: callers first, because LLVM takes in only what is called already."""
        found: dict[Any, None] = {}
        for library in self._linking_libraries:
            for needed in (library, *(library.needed if isinstance(library, _PartLibrary) else ())):
                found.pop(needed, None)
                found[needed] = None
        return found


class _PartLibrary(_Library):
    """A kernel that other kernels call. There is no machine code of it, unless numba has read it from disk."""

    def finalize(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.linkage = "linkonce_odr"  # LLVM may leave it out where all its callers have taken it in
        # Addresses hold in this process alone: what has some is not kept on disk.
        self._finalize_dynamic_globals()
        self._dynamic_globals += [name for library in self.needed for name in library._dynamic_globals]
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
        """Leave Python's objects to what Python calls: a part, which has no address, cannot print."""


class _EntryLibrary(_Library):
    """A kernel that Python calls."""

    def finalize(self) -> None:
        self._linking_libraries = [*self.needed]
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Run the pipeline once; numba's first run only prunes more reference counts."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let Python look for no garbage: numba makes millions of objects, and to go through them is a seventh of its work.

    The first run of all takes up to 140 MB more for it. Only one thread compiles at a time, numba sees to that; it
    compiles what a kernel calls inside.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # and back, into the oldest generation: they would all count as new
        gc.unfreeze()
        gc.enable()


class _Compiler(CompilerBase):
    """Those of numba's steps that kernels need: there are no closures, array expressions or parallel loops in them."""

    library: type[_Library]

    def compile_extra(self, func: Any) -> Any:
        self.state.flags = _Flags(self.state.flags)
        self.state.typingctx = _Typing(self.state.typingctx)
        self.state.library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        with _uncollected():
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
