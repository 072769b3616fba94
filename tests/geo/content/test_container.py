import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citysim.errors import CitySimError, FormatError
from citysim.geo.content.container import unpack
from citysim.geo.content.features import feature_rows
from tests.geo.content.samples import b3dm, cmpt, square_glb

GLB = square_glb()


def test_b3dm_gives_its_center_and_batch_table() -> None:
    features = {"BATCH_LENGTH": 2, "RTC_CENTER": [1.5, 2, 3]}
    binary = struct.pack("<2d", 7.0, 8.5)
    batch = {"name": ["a", None], "height": {"byteOffset": 0, "componentType": "DOUBLE", "type": "SCALAR"}, "bad": [1]}
    (payload,) = unpack(b3dm(GLB, features, batch, binary), "t.b3dm")
    assert payload.rtc_center == (1.5, 2.0, 3.0)
    assert feature_rows(payload) == [{"height": 7.0, "name": "a"}, {"height": 8.5}]


def test_b3dm_without_a_batch_length_has_no_features() -> None:
    (payload,) = unpack(b3dm(GLB, {"X": 1}), "t.b3dm")
    assert payload.batch_length == 0
    assert feature_rows(payload) == []


@pytest.mark.parametrize("size", [20, 24])
def test_headers_of_before_1_0_are_read(size: int) -> None:
    batch = b'{"id":[0,1]} '.ljust(16)
    lengths = (2, len(batch)) if size == 20 else (len(batch), 0, 2)
    head = struct.pack(f"<4s2I{len(lengths)}I", b"b3dm", 1, size + len(batch) + len(GLB), *lengths)
    (payload,) = unpack(head + batch + GLB, "t.b3dm")
    assert payload.batch_length == 2
    assert feature_rows(payload) == [{"id": 0}, {"id": 1}]


def test_composites_are_flattened_and_nesting_is_bounded() -> None:
    inner = cmpt(b3dm(GLB), GLB + bytes(-len(GLB) % 8))
    assert len(unpack(cmpt(inner, b3dm(GLB)), "t.cmpt")) == 3
    deep = inner
    for _ in range(12):
        deep = cmpt(deep)
    with pytest.raises(FormatError, match="nested"):
        unpack(deep, "t.cmpt")


def test_empty_tiles_hold_nothing() -> None:
    assert unpack(b"", "t.b3dm") == []
    assert unpack(b3dm(b""), "t.b3dm") == []


@pytest.mark.parametrize(
    "data", [GLB[:30], GLB[:-1], b3dm(GLB)[:-1], b3dm(GLB)[:10], cmpt(b3dm(GLB))[:-5], b"glTF", b"{oops"]
)
def test_truncated_tiles_are_named(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"'t\.b3dm'"):
        unpack(data, "t.b3dm")


@pytest.mark.parametrize("magic", [b"pnts", b"i3dm", b"abcd", b"\x00\x01\x02\x03"])
def test_other_formats_are_refused_by_name(magic: bytes) -> None:
    name = magic.decode() if magic[0] else magic.hex()
    with pytest.raises(FormatError, match=name):
        unpack(magic + bytes(40), "t")


@pytest.mark.parametrize("data", [b"vctr" + bytes(40), b"geom" + bytes(40), b'{"type":"FeatureCollection"}'])
def test_kinds_without_triangles_are_left_out(data: bytes) -> None:
    (payload,) = unpack(data, "t")
    assert payload.left_out


def test_gltf_1_is_refused() -> None:
    old = struct.pack("<4sII", b"glTF", 1, 20) + bytes(8)
    with pytest.raises(FormatError, match="version 1"):
        unpack(old, "t.glb")


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([GLB, b3dm(GLB, {"BATCH_LENGTH": 1}, {"a": [1]}), cmpt(b3dm(GLB), b3dm(GLB))]), st.data())
def test_damaged_wrappings_never_crash(good: bytes, data: st.DataObject) -> None:
    broken = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        broken[data.draw(st.integers(0, min(len(good) - 1, 120)))] = data.draw(st.integers(0, 255))
    try:
        for payload in unpack(bytes(broken[: data.draw(st.integers(0, len(broken)))]), "t"):
            feature_rows(payload)
    except CitySimError:
        pass
