"""How kernels are compiled: cached, without the GIL, and without any liberty in floating point.

There is no reference counting in them (`_nrt=False`: atomic increments took half of the time): kernels allocate nothing
and return no arrays.

fastmath stays off, so LLVM contracts and reorders nothing: frames are equal on every CPU model (tested), at no cost.
numba's cache looks at the time stamp of the file that defines an entry point only: after editing a helper, delete the
`*.nbi` files of this folder's `__pycache__`.
"""

from collections.abc import Callable
from typing import Any

from numba import njit

# Entry points: called from Python.
kernel: Callable[..., Any] = njit(cache=True, nogil=True, error_model="numpy", _nrt=False)

# Called from kernels only: leaving the wrappers out saves a third of the compile time.
helper: Callable[..., Any] = njit(
    cache=True, nogil=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True
)
