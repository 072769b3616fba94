"""Features of one content: numbers that meshes refer to, and what tables say about each.

Every document of a content has a block of feature numbers for its batch table and one for each property table, one
block after the other; a content's features are those of its documents in order. Feature ids without any table stay the
numbers they are.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.geo.content.document import Document, Json, documents, is_natural
from citysim.geo.content.hierarchy import inherited_rows
from citysim.geo.content.payload import Payload
from citysim.geo.content.propertytables import property_tables
from citysim.geo.metadata import table_rows
from citysim.geo.store import TileSource
from citysim.storage import canonical_json

MAX_FEATURES = 1_000_000


def content_features(source: TileSource, uri: str) -> list[Json]:
    """Properties of every feature of a content; the place in the list is the number in `feature` of its meshes.

    Raises StorageError for bytes that cannot be had and FormatError for broken content.
    """
    rows: list[Json] = []
    for document in documents(source, uri):
        rows += document_rows(document)
    return rows


def document_rows(document: Document) -> list[Json]:
    """Properties of the features of one document."""
    payload = document.payload
    rows = feature_rows(payload)
    rows += [{} for _ in range(batch_count(payload) - len(rows))]
    if document.gltf:
        schema, tables = property_tables(document)
        for table in tables:
            found = table_rows(table, schema, lambda index: document.view(index)[0])
            rows += found + [{} for _ in range(_table_count(table) - len(found))]
    return rows


def batch_count(payload: Payload) -> int:
    """Number of features of a batch table, 0 for an unreasonable one."""
    return payload.batch_length if payload.batch_length <= MAX_FEATURES else 0


def feature_count(document: Document) -> int:
    """Number of features in the tables of a document."""
    tables = property_tables(document)[1] if document.gltf else []
    return batch_count(document.payload) + sum(map(_table_count, tables))


def feature_block(document: Document, feature_ids: Any) -> tuple[int, int] | None:
    """First number and length of the block that an entry of `featureIds` counts in; None when it has no table."""
    table = feature_ids.get("propertyTable") if isinstance(feature_ids, dict) else None
    tables = property_tables(document)[1]
    if not is_natural(table) or table >= len(tables):
        return None
    start = batch_count(document.payload) + sum(map(_table_count, tables[:table]))
    return start, _table_count(tables[table])


def numbered(values: NDArray[Any], block: tuple[int, int] | None, null: Any = None) -> NDArray[np.int64]:
    """(N,) feature numbers of ids as stored: -1 for null, for what is no id, and for what lies beyond its block."""
    if values.dtype.kind in "iu" and values.dtype.itemsize <= 4:  # as most are
        whole = values.reshape(-1).astype(np.int64)
        inside = (whole >= 0) & (whole < (2**31 if block is None else block[1]))
        if is_natural(null):
            inside &= whole != null
        return np.where(inside, whole if block is None else whole + block[0], -1)
    ids = np.nan_to_num(values.reshape(-1).astype(np.float64), nan=-1.0)
    sound = (ids >= 0) & (ids < 2**31) if block is None else (ids >= 0) & (ids < block[1])
    if is_natural(null):
        sound &= ids != null
    start = 0 if block is None else block[0]
    return np.where(sound, np.round(ids) + start, -1).astype(np.int64)


def feature_rows(payload: Payload) -> list[Json]:
    """One dict of properties a feature of a batch table, in order of feature ids; empty without one.

    Null values and properties that cannot be read are left out. Binary columns are read by py3dtiles. A hierarchy
    (3DTILES_batch_table_hierarchy) adds the properties of a feature's class and of its parents.
    """
    count = batch_count(payload)
    if not count or not payload.batch_json:
        return []
    columns = {name: values for name, values in payload.batch_json.items() if _is_column(values, count)}
    columns |= binary_columns(payload.batch_json, payload.batch_binary, count)
    names = sorted(columns)
    rows = [{n: columns[n][i] for n in names if columns[n][i] is not None} for i in range(count)]
    for row, more in zip(rows, inherited_rows(payload, count, binary_columns), strict=False):
        for name, value in more.items():
            row.setdefault(name, value)
    return rows


def binary_columns(header: Json, body: bytes, count: int) -> dict[str, list[Any]]:
    """Columns of a batch table that its JSON places in the binary body; broken ones are left out."""
    from py3dtiles.tileset.content.batch_table import TYPE_LENGTH_MAPPING, BatchTable

    columns: dict[str, list[Any]] = {}
    for name, definition in header.items():
        if name in ("extensions", "extras", "HIERARCHY") or not isinstance(definition, dict):
            continue
        # one column at a time: a table with one broken column keeps its others
        alone = canonical_json({name: definition}).encode()
        raw = np.frombuffer(alone + body, np.uint8)
        try:
            table = BatchTable.from_array(SimpleNamespace(bt_json_byte_length=len(alone)), raw, count)
            width = TYPE_LENGTH_MAPPING[definition["type"]]
            values = table.get_binary_property(name).reshape(count, width)
        except (ValueError, KeyError, TypeError, IndexError):
            continue
        columns[name] = (values[:, 0] if width == 1 else values).tolist()
    return columns


def _is_column(values: Any, count: int) -> bool:
    return isinstance(values, list) and len(values) == count


def _table_count(table: Json) -> int:
    count = table.get("count")
    return count if is_natural(count) and count <= MAX_FEATURES else 0
