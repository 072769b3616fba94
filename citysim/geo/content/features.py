"""Batch tables: what a b3dm says about its features."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from citysim.geo.content.container import Payload
from citysim.storage import canonical_json

MAX_FEATURES = 1_000_000


def feature_rows(payload: Payload) -> list[dict[str, Any]]:
    """One dict of properties a feature, in order of feature ids; empty without a batch table.

    Null values and properties that cannot be read are left out. Binary columns are read by py3dtiles.
    """
    count = payload.batch_length
    if not 0 < count <= MAX_FEATURES:
        return []
    columns = {name: values for name, values in payload.batch_json.items() if _is_column(values, count)}
    columns |= _binary_columns(payload)
    names = sorted(columns)
    return [{n: columns[n][i] for n in names if columns[n][i] is not None} for i in range(count)]


def _is_column(values: Any, count: int) -> bool:
    return isinstance(values, list) and len(values) == count


def _binary_columns(payload: Payload) -> dict[str, list[Any]]:
    from py3dtiles.tileset.content.batch_table import TYPE_LENGTH_MAPPING, BatchTable

    columns: dict[str, list[Any]] = {}
    for name, definition in payload.batch_json.items():
        if name in ("extensions", "extras") or not isinstance(definition, dict):
            continue
        # one column at a time: a table with one broken column keeps its others
        header = canonical_json({name: definition}).encode()
        raw = np.frombuffer(header + payload.batch_binary, np.uint8)
        try:
            table = BatchTable.from_array(SimpleNamespace(bt_json_byte_length=len(header)), raw, payload.batch_length)
            width = TYPE_LENGTH_MAPPING[definition["type"]]
            values = table.get_binary_property(name).reshape(payload.batch_length, width)
        except (ValueError, KeyError, TypeError, IndexError):
            continue
        columns[name] = (values[:, 0] if width == 1 else values).tolist()
    return columns
