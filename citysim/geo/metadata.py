"""Property tables of 3D Metadata 1.0, as glTF (EXT_structural_metadata) and subtrees of tilesets hold them."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import CitySimError

MAX_ROWS = 1_000_000
MAX_VALUES = 10_000_000
COMPONENTS = {
    "INT8": "<i1", "UINT8": "<u1", "INT16": "<i2", "UINT16": "<u2", "INT32": "<i4", "UINT32": "<u4", "INT64": "<i8",
    "UINT64": "<u8", "FLOAT32": "<f4", "FLOAT64": "<f8",
}  # fmt: skip
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16, "ENUM": 1}
Json = dict[str, Any]
View = Callable[[Any], "bytes | memoryview"]


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what is no number is dropped where it is placed
def table_rows(table: Json, schema: Json, view: View) -> list[Json]:
    """One dict of values a row of a property table, by the names of its properties.

    `view` gives the bytes of a buffer view by its number. Values are plain Python ones: enums by name, arrays, vectors
    and matrices as lists, normalised integers, offsets and scales applied, defaults filled in. What equals the
    property's noData value, and properties that cannot be read, are left out.
    """
    count = table.get("count")
    if not isinstance(count, int) or isinstance(count, bool) or not 0 < count <= MAX_ROWS:
        return []
    rows: list[Json] = [{} for _ in range(count)]
    stored = _dict(table.get("properties"))
    for name, definition in sorted(class_properties(schema, table.get("class")).items()):
        try:
            values = _column(_dict(stored.get(name)), definition, schema, count, view) if name in stored else ()
        except (CitySimError, ValueError, TypeError, KeyError, IndexError, OverflowError):
            continue
        for row, value in zip(rows, values or [None] * count, strict=False):
            if value is None:
                value = definition.get("default")
            if value is not None:
                row[name] = value
    return rows


def class_properties(schema: Json, name: Any) -> dict[str, Json]:
    """Definitions of the properties of a class of a schema."""
    found = _dict(_dict(_dict(schema.get("classes")).get(name) if isinstance(name, str) else None).get("properties"))
    return {key: value for key, value in found.items() if isinstance(value, dict)}


def semantics(schema: Json, name: Any) -> dict[str, str]:
    """Property names of a class by what they mean."""
    found = class_properties(schema, name).items()
    return {d["semantic"]: key for key, d in found if isinstance(d.get("semantic"), str)}


def _column(stored: Json, definition: Json, schema: Json, count: int, view: View) -> list[Any]:
    array, fixed = definition.get("array") is True, definition.get("count")
    if not array:
        ends = np.arange(count + 1)
    elif isinstance(fixed, int) and 0 <= fixed <= MAX_VALUES:
        ends = np.arange(count + 1) * fixed
    else:
        ends = _offsets(stored, "arrayOffset", count, view)
    total = int(ends[-1])
    if not 0 <= total <= MAX_VALUES or (np.diff(ends) < 0).any():
        raise ValueError("broken offsets")
    values = _values(stored, definition, schema, total, view)
    missing = definition.get("noData")
    if not array:
        return [None if value == missing else value for value in values]
    groups = [values[a:b] for a, b in pairwise(ends.tolist())]
    return [None if group == missing else group for group in groups]


def _values(stored: Json, definition: Json, schema: Json, total: int, view: View) -> list[Any]:
    kind = str(definition.get("type"))
    raw = view(stored["values"])
    if kind == "STRING":
        text = bytes(raw)
        ends = _offsets(stored, "stringOffset", total, view).tolist()
        return [text[a:b].decode("utf-8", "replace") for a, b in pairwise(ends)]
    if kind == "BOOLEAN":
        bits = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")[:total]
        return _whole(bits.astype(bool).tolist(), total)
    enum = _dict(_dict(schema.get("enums")).get(str(definition.get("enumType")))) if kind == "ENUM" else {}
    component = enum.get("valueType", "UINT16") if kind == "ENUM" else definition.get("componentType")
    width = _WIDTHS[kind]
    numbers = np.frombuffer(raw, COMPONENTS[str(component)], total * width)
    if kind == "ENUM":
        names = {entry["value"]: entry["name"] for entry in _list(enum.get("values"))}
        return [names.get(number, number) for number in numbers.tolist()]
    scaled = _scaled(numbers.reshape(total, width), stored, definition)
    return (scaled[:, 0] if width == 1 else scaled).tolist()


def _scaled(numbers: NDArray[Any], stored: Json, definition: Json) -> NDArray[Any]:
    if definition.get("normalized") is True and numbers.dtype.kind in "iu":
        numbers = np.maximum(numbers / float(np.iinfo(numbers.dtype).max), -1.0)
    for name, neutral, apply in (("scale", 1.0, np.multiply), ("offset", 0.0, np.add)):
        factor = np.asarray(stored.get(name, definition.get(name, neutral)), dtype=np.float64)
        if (factor != neutral).any() and factor.size in (1, numbers.shape[1]):
            numbers = apply(numbers, factor.reshape(-1))
    return numbers


def _offsets(stored: Json, name: str, count: int, view: View) -> NDArray[np.int64]:
    """(count + 1,) offsets; `arrayOffsets` and `arrayOffsetType` in 1.0, `...BufferView` in the drafts before it."""
    index = stored.get(f"{name}s", stored.get(f"{name}BufferView"))
    kind = stored.get(f"{name}Type", stored.get("offsetType", "UINT32"))
    return np.frombuffer(view(index), COMPONENTS[str(kind)], count + 1).astype(np.int64)


def _whole(values: list[Any], count: int) -> list[Any]:
    if len(values) < count:
        raise ValueError("too few values")
    return values


def _dict(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> Iterable[Json]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
