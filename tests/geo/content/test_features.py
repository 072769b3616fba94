"""Numbers of features and what tables say about them."""

from typing import Any

import numpy as np
import pytest

from citysim.geo.content.features import content_features
from citysim.geo.content.meshes import decode_meshes
from citysim.geo.content.notices import Notices
from citysim.geo.metadata import table_rows
from citysim.geo.store import MemorySource
from tests.geo.content.samples import GltfMaker, b3dm, cmpt

EYE = np.eye(4)
IDS = np.array([0, 0, 1, 1], "<f4")


def numbers(source: MemorySource, uri: str = "t", notices: Notices | None = None) -> list[list[int]]:
    return [m.vertex_attributes["feature"].tolist() for m in decode_meshes(source, uri, EYE, "Y", notices)]


def batched(name: str) -> bytes:
    maker = GltfMaker()
    maker.primitive(_BATCHID=IDS.astype("<u2"))
    return b3dm(maker.glb(), {"BATCH_LENGTH": 2}, {"name": [f"{name}0", f"{name}1"]})


def with_table(maker: GltfMaker, count: int = 2) -> dict[str, Any]:
    """A property table of one float column, and a primitive whose first feature set refers to it."""
    entry = maker.primitive(_FEATURE_ID_0=IDS)
    heights = maker.gltf["accessors"][maker.array(np.arange(5, 5 + count).astype("<f4"))]["bufferView"]
    schema = {"classes": {"c": {"properties": {"h": {"type": "SCALAR", "componentType": "FLOAT32"}}}}}
    table = {"class": "c", "count": count, "properties": {"h": {"values": heights}}}
    maker.gltf["extensions"] = {"EXT_structural_metadata": {"schema": schema, "propertyTables": [table]}}
    entry["extensions"] = {
        "EXT_mesh_features": {"featureIds": [{"featureCount": 2, "attribute": 0, "propertyTable": 0}]}
    }
    return entry


def test_parts_of_a_composite_count_on() -> None:
    maker = GltfMaker()
    with_table(maker)
    source = MemorySource({"t": cmpt(batched("a"), batched("b"), maker.glb())})
    assert numbers(source) == [[0, 0, 1, 1], [2, 2, 3, 3], [4, 4, 5, 5]]
    rows = content_features(source, "t")
    assert rows == [{"name": "a0"}, {"name": "a1"}, {"name": "b0"}, {"name": "b1"}, {"h": 5.0}, {"h": 6.0}]


def test_null_ids_and_ids_beyond_the_table_are_none() -> None:
    maker = GltfMaker()
    entry = with_table(maker, count=1)
    assert numbers(MemorySource({"t": maker.glb()})) == [[0, 0, -1, -1]]
    entry["extensions"]["EXT_mesh_features"]["featureIds"][0]["nullFeatureId"] = 0
    assert numbers(MemorySource({"t": maker.glb()})) == [[-1] * 4]


def test_a_schema_that_is_not_there_leaves_features_without_properties() -> None:
    maker, notices = GltfMaker(), Notices()
    with_table(maker)
    del maker.gltf["extensions"]["EXT_structural_metadata"]["schema"]
    maker.gltf["extensions"]["EXT_structural_metadata"]["schemaUri"] = "gone.json"
    source = MemorySource({"t": maker.glb()})
    assert content_features(source, "t") == [{}, {}]
    assert numbers(source, notices=notices) == [[0, 0, 1, 1]]
    assert "schema" in next(iter(notices))


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ({"attribute": "_FEATURE_ID_0"}, [0, 0, 1, 1]),
        ({"constant": 1}, [1] * 4),
        ({"constant": 0, "divisor": 2}, [0, 0, 1, 1]),
    ],
)
def test_the_extension_before_structural_metadata(ids: dict[str, Any], expected: list[int]) -> None:
    maker = GltfMaker()
    entry = maker.primitive(_FEATURE_ID_0=IDS)
    views = [
        maker.gltf["accessors"][maker.array(np.frombuffer(raw, "u1"))]["bufferView"]
        for raw in (np.array([3, 4], "<i2").tobytes(), b"abcd", np.array([0, 1, 4], "<u4").tobytes())
    ]
    properties = {"n": {"type": "INT16"}, "s": {"type": "STRING"}}
    stored = {"n": {"bufferView": views[0]}, "s": {"bufferView": views[1], "stringOffsetBufferView": views[2]}}
    maker.gltf["extensions"] = {
        "EXT_feature_metadata": {
            "schema": {"classes": {"c": {"properties": properties}}},
            "featureTables": {"table": {"class": "c", "count": 2, "properties": stored}},
        }
    }
    sets = [{"featureTable": "table", "featureIds": ids}]
    entry["extensions"] = {"EXT_feature_metadata": {"featureIdAttributes": sets}}
    source = MemorySource({"t": maker.glb()})
    assert numbers(source) == [expected]
    assert content_features(source, "t") == [{"n": 3, "s": "a"}, {"n": 4, "s": "bcd"}]


def test_every_type_of_value() -> None:
    enum = {
        "enums": {"e": {"valueType": "UINT8", "values": [{"name": "Low", "value": 0}, {"name": "High", "value": 9}]}}
    }
    ends, letters = np.array([0, 0, 2], "<u4").tobytes(), np.array([0, 1, 3], "<u4").tobytes()
    number = {"type": "SCALAR", "componentType": "UINT8"}
    cases: dict[str, tuple[dict[str, Any], dict[str, bytes], list[Any]]] = {
        "plain": (number, {"values": b"\x01\x02"}, [1, 2]),
        "share": ({**number, "normalized": True}, {"values": b"\x00\xff"}, [0.0, 1.0]),
        "moved": ({**number, "scale": 2, "offset": 1}, {"values": b"\x01\x02"}, [3.0, 5.0]),
        "gap": ({**number, "noData": 1, "default": 7}, {"values": b"\x01\x02"}, [7, 2]),
        "lost": ({**number, "noData": 1}, {"values": b"\x01\x02"}, [None, 2]),
        "flag": ({"type": "BOOLEAN"}, {"values": b"\x02"}, [False, True]),
        "kind": ({"type": "ENUM", "enumType": "e"}, {"values": b"\x09\x00"}, ["High", "Low"]),
        "pair": ({"type": "VEC2", "componentType": "INT8"}, {"values": b"\x01\xff\x02\xfe"}, [[1, -1], [2, -2]]),
        "fixed": ({**number, "array": True, "count": 2}, {"values": b"\x01\x02\x03\x04"}, [[1, 2], [3, 4]]),
        "list": ({**number, "array": True}, {"values": b"\x05\x06", "arrayOffsets": ends}, [[], [5, 6]]),
        "text": ({"type": "STRING"}, {"values": "aé".encode(), "stringOffsets": letters}, ["a", "é"]),
        "short": (number, {"values": b"\x01"}, [None, None]),
        "wrong": ({"type": "MAGIC"}, {"values": b"\x01\x02"}, [None, None]),
    }  # fmt: skip
    views: list[bytes] = []
    stored: dict[str, dict[str, int]] = {}
    for name, (_, parts, _) in cases.items():
        stored[name] = {}
        for key, raw in parts.items():
            stored[name][key] = len(views)
            views.append(raw)
    schema = {"classes": {"c": {"properties": {name: case[0] for name, case in cases.items()}}}, **enum}
    rows = table_rows({"class": "c", "count": 2, "properties": stored}, schema, lambda index: views[index])
    for name, (_, _, values) in cases.items():
        assert [row.get(name) for row in rows] == values, name


def test_a_feature_inherits_from_its_class_and_its_parents() -> None:
    classes = [
        {"name": "Wall", "length": 2, "instances": {"color": ["red", "blue"]}},
        {"name": "House", "length": 1, "instances": {"owner": ["Mei"], "color": ["grey"]}},
    ]
    hierarchy = {
        "classes": classes, "instancesLength": 3, "classIds": [0, 0, 1], "parentCounts": [1, 1, 0], "parentIds": [2, 2],
    }  # fmt: skip
    maker = GltfMaker()
    maker.primitive(_BATCHID=IDS.astype("<u2"))
    table = {"name": ["n", "s"], "extensions": {"3DTILES_batch_table_hierarchy": hierarchy}}
    source = MemorySource({"t": b3dm(maker.glb(), {"BATCH_LENGTH": 2}, table)})
    wall = {"class": "Wall", "owner": "Mei"}
    assert content_features(source, "t") == [
        {"name": "n", "color": "red", **wall},
        {"name": "s", "color": "blue", **wall},
    ]
