"""How kernels are compiled: cached, without the GIL, and without any liberty in floating point.

fastmath stays off, so LLVM contracts and reorders nothing, and kernels use only + - * / and sqrt, which IEEE 754
rounds in one way: answers are equal on every CPU model (tested). numba's cache looks at the time stamp of the file
that defines an entry point only: after editing a helper, delete the `*.nbi` files of its users' `__pycache__`.
"""

from collections.abc import Callable
from typing import Any

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


@intrinsic  # type: ignore[untyped-decorator]
def root(context: Any, value: Any) -> Any:
    """Square root of a float64 as one instruction; `np.sqrt` in kernels is a call, for which all registers are saved."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic("llvm.sqrt", [arguments[0].type]), arguments)

    return types.float64(types.float64), generate
