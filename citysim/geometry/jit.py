"""How kernels are compiled: cached, without the GIL, and without any liberty in floating point.

fastmath stays off, so LLVM contracts and reorders nothing, and kernels use only + - * / and sqrt, which IEEE 754
rounds in one way: answers are equal on every CPU model (tested). numba's cache looks at the time stamp of the file
that defines an entry point only: after editing a helper, delete the `*.nbi` files of its users' `__pycache__`.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

# Entry points: called from Python.
kernel: Callable[..., Any] = njit(cache=True, nogil=True, error_model="numpy")

# Called from kernels only: leaving the wrappers out saves a third of the compile time.
helper: Callable[..., Any] = njit(
    cache=True, nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)

# Small functions in inner loops, and those whose arrays' reference counts would cost as much as their work.
inlined: Callable[..., Any] = njit(
    cache=True, nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True
)


@intrinsic
def root(context: Any, value: Any) -> Any:
    """Square root of a float64 as one instruction; `np.sqrt` in kernels is a call that saves all registers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic("llvm.sqrt", [arguments[0].type]), arguments)

    return types.float64(types.float64), generate


@intrinsic
def fetch(context: Any, array: Any, place: Any) -> Any:
    """Ask for the cache line of the flat array's element that will soon be read; changes no result."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        call = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        builder.call(call, [address, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate
