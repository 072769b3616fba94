"""glTF accessors as numpy arrays: strides, normalised integers, sparse values."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.geo.content.document import Document, Json, is_natural

MAX_ELEMENTS = 50_000_000
MAX_ZEROS = 4_000_000  # elements of an accessor without data: nothing in the file pays for them
TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def read_accessor(document: Document, index: Any) -> NDArray[Any]:
    """(N, components) array of an accessor in its stored type; normalised integers become float64.

    Raises FormatError for what reaches outside its buffer or has no known type.
    """
    entry = document.item("accessors", index)
    if index not in document.arrays:
        document.arrays[index] = _read(document, entry)
    values = document.arrays[index]
    return normalized(values) if entry.get("normalized") is True else values


def _read(document: Document, entry: Json) -> NDArray[Any]:
    kind, width, count = entry.get("componentType"), entry.get("type"), entry.get("count")
    if not is_natural(kind) or kind not in TYPES or not isinstance(width, str) or width not in _COMPONENTS:
        raise document.broken(f"an accessor of type {kind!r:.20} {width!r:.20}")
    if not is_natural(count) or count > MAX_ELEMENTS:
        raise document.broken(f"an accessor of {count!r:.20} elements")
    dtype, components = np.dtype(TYPES[kind]), _COMPONENTS[width]
    if "bufferView" in entry:
        values = _strided(document, entry, dtype, components, count)
    elif count > MAX_ZEROS:
        raise document.broken(f"an accessor of {count} elements without data")
    else:
        values = np.zeros((count, components), dtype)
    if isinstance(entry.get("sparse"), dict):
        values = _with_sparse(document, entry["sparse"], values.copy())
    return values


def normalized(values: NDArray[Any]) -> NDArray[Any]:
    """Integers as fractions of their range (glTF 2.0, 3.6.2.2): unsigned to [0, 1], signed to [-1, 1]."""
    if values.dtype.kind == "f":
        return values
    top = float(np.iinfo(values.dtype).max)
    return np.maximum(values.astype(np.float64) / top, -1.0)


def _strided(document: Document, entry: Json, dtype: np.dtype[Any], components: int, count: int) -> NDArray[Any]:
    data, stride = document.view(entry.get("bufferView"))
    offset = entry.get("byteOffset", 0)
    size = dtype.itemsize * components
    step = stride if stride is not None else size
    if not is_natural(offset) or step < dtype.itemsize:
        raise document.broken("an accessor with a broken offset or stride")
    if count and offset + step * (count - 1) + size > len(data):
        raise document.broken(f"an accessor of {count} elements beyond its bufferView")
    if not count:
        return np.empty((0, components), dtype)
    strides = (step, dtype.itemsize)
    return np.ndarray((count, components), dtype, buffer=data, offset=offset, strides=strides)


def _with_sparse(document: Document, sparse: Json, values: NDArray[Any]) -> NDArray[Any]:
    count, where, what = sparse.get("count"), sparse.get("indices"), sparse.get("values")
    if not is_natural(count) or count > len(values):
        raise document.broken("a sparse accessor with a broken count")
    kind = where.get("componentType") if isinstance(where, dict) else None
    if not isinstance(where, dict) or not isinstance(what, dict) or kind not in (5121, 5123, 5125):
        raise document.broken("a sparse accessor without indices and values")
    rows = _strided(document, where, np.dtype(TYPES[kind]), 1, count)[:, 0].astype(np.int64)
    if count and rows.max() >= len(values):
        raise document.broken("a sparse index beyond the accessor")
    values[rows] = _strided(document, what, values.dtype, values.shape[1], count)
    return values
