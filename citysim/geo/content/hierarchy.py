"""3DTILES_batch_table_hierarchy: features that are instances of classes and have parents."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.geo.content.payload import Payload
from citysim.geo.content.tables import TYPES

Json = dict[str, Any]
Columns = Callable[[Json, bytes, int], dict[str, list[Any]]]
MAX_DEPTH = 64
_KEY = "3DTILES_batch_table_hierarchy"


def inherited_rows(payload: Payload, count: int, binary_columns: Columns) -> list[Json]:
    """Properties that the hierarchy gives the first `count` instances; [] without a sound one.

    A feature's own come first, then those of its parents, breadth first; `class` is the name of its class.
    """
    extensions = payload.batch_json.get("extensions")
    found = extensions.get(_KEY) if isinstance(extensions, dict) else None
    found = payload.batch_json.get("HIERARCHY") if found is None else found  # before it was an extension
    if not isinstance(found, dict) or not isinstance(found.get("classes"), list):
        return []
    total = found.get("instancesLength")
    if not isinstance(total, int) or not count <= total <= 1_000_000:
        return []
    classes = _numbers(found.get("classIds"), payload.batch_binary, total)
    if classes is None:
        return []
    own = _own_rows(found["classes"], classes, payload.batch_binary, binary_columns)
    parents = _parents(found, payload.batch_binary, total)
    return [_inherited(index, own, parents) for index in range(count)]


def _own_rows(classes: list[Any], numbers: list[int], body: bytes, binary_columns: Columns) -> list[Json]:
    """The properties of every instance: each class lists its instances' values in their order."""
    rows: list[Json] = [{} for _ in numbers]
    for number, entry in enumerate(classes):
        members = [index for index, value in enumerate(numbers) if value == number]
        if not isinstance(entry, dict):
            continue
        given = entry.get("instances")
        listed = given if isinstance(given, dict) else {}
        columns = {name: values for name, values in listed.items() if isinstance(values, list)}
        columns |= binary_columns(listed, body, len(members))
        for place, index in enumerate(members):
            rows[index] = {n: v[place] for n, v in sorted(columns.items()) if place < len(v) and v[place] is not None}
            rows[index].setdefault("class", str(entry.get("name", "")))
    return rows


def _parents(found: Json, body: bytes, total: int) -> list[list[int]]:
    counts = _numbers(found.get("parentCounts"), body, total) or [1] * total
    if not all(0 <= n <= total for n in counts):
        return [[] for _ in range(total)]
    numbers = _numbers(found.get("parentIds"), body, sum(counts))
    if numbers is None:
        return [[] for _ in range(total)]
    ends = np.cumsum([0, *counts]).tolist()
    return [[p for p in numbers[a:b] if 0 <= p < total] for a, b in pairwise(ends)]


def _inherited(index: int, own: list[Json], parents: list[list[int]]) -> Json:
    row: Json = {}
    level, seen = [index], {index}
    for _ in range(MAX_DEPTH):  # an instance that is its own parent has none
        for member in level:
            for name, value in own[member].items():
                row.setdefault(name, value)
        level = [p for member in level for p in parents[member] if p not in seen]
        seen.update(level)
        if not level:
            break
    return row


def _numbers(value: Any, body: bytes, count: int) -> list[int] | None:
    if isinstance(value, dict):
        offset, kind = value.get("byteOffset", 0), TYPES.get(str(value.get("componentType", "UNSIGNED_SHORT")))
        if kind is None or not isinstance(offset, int) or count > 10_000_000:
            return None
        if not 0 <= offset <= len(body) - np.dtype(kind).itemsize * count:
            return None
        stored: NDArray[Any] = np.frombuffer(body, kind, count, offset)
        return [int(n) for n in stored.tolist()]
    sound = isinstance(value, list) and len(value) == count and all(isinstance(n, int) for n in value)
    return list(value) if sound else None
