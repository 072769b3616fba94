"""i3dm and pnts made in code: orientations, scales, quantisation, colours."""

import json
import struct
from typing import Any

import numpy as np
import pytest

from citysim.errors import FormatError
from citysim.geo.content import splats
from citysim.geo.content.container import unpack
from citysim.geo.content.instanced import oct_decoded
from citysim.geo.content.meshes import decode_meshes
from citysim.geo.content.notices import Notices
from citysim.geo.frames import LocalFrame, geodetic_to_ecef
from citysim.geo.store import MemorySource
from tests.geo.content.samples import square_glb

EYE = np.eye(4)


def tile(magic: bytes, features: dict[str, Any], body: bytes = b"", model: bytes = b"", batch: bytes = b"") -> bytes:
    text = json.dumps(features).encode()
    text += b" " * (-len(text) % 8)
    body += bytes(-len(body) % 8)
    kind = struct.pack("<I", 1) if magic == b"i3dm" else b""
    size = 28 + len(kind) + len(text) + len(body) + len(batch) + len(model)
    head = struct.pack("<4s6I", magic, 1, size, len(text), len(body), len(batch), 0)
    return head + kind + text + body + batch + model


def instances(features: dict[str, Any], body: bytes = b"", matrix: Any = EYE) -> Any:
    data = tile(b"i3dm", {"INSTANCES_LENGTH": 1, "POSITION": [0, 0, 0], **features}, body, square_glb())
    (mesh,) = decode_meshes(MemorySource({"t": data}), "t", matrix)
    return np.asarray(mesh.vertices)


# the model's third corner is (2, 2, 0) in z-up axes: two along right and two along up
def test_right_and_up_vectors_turn_the_model() -> None:
    assert instances({})[2].tolist() == [2, 2, 0]
    turned = {"NORMAL_RIGHT": [0, 1, 0], "NORMAL_UP": [0, 0, 1]}
    assert instances(turned)[2].tolist() == [0, 2, 2]
    packed = {"NORMAL_RIGHT_OCT32P": [32768, 65535], "NORMAL_UP_OCT32P": [32768, 32768]}
    assert instances(packed)[2] == pytest.approx([0, 2, 2], abs=2e-3)


def test_scales_and_quantised_places() -> None:
    assert instances({"SCALE": [2], "SCALE_NON_UNIFORM": [1, 3, 1]})[2].tolist() == [4, 12, 0]
    box = {"QUANTIZED_VOLUME_OFFSET": [10, 0, 0], "QUANTIZED_VOLUME_SCALE": [65535, 1, 1]}
    data = tile(b"i3dm", {"INSTANCES_LENGTH": 1, "POSITION_QUANTIZED": [5, 0, 65535], **box}, b"", square_glb())
    (mesh,) = decode_meshes(MemorySource({"t": data}), "t", EYE)
    assert np.asarray(mesh.vertices)[0].tolist() == [15, 0, 1]


def test_east_north_up_on_earth() -> None:
    frame = LocalFrame(114.2, 22.3, 0.0)
    center = geodetic_to_ecef([114.2, 22.3, 0.0]).tolist()
    places = instances({"EAST_NORTH_UP": True, "RTC_CENTER": center}, matrix=frame.inverse)
    assert places[2] == pytest.approx([2, 2, 0], abs=2e-3)


def test_octahedral_directions() -> None:
    axes = oct_decoded(np.array([(1, 0), (0, 1), (0, 0), (-1, 0), (0, -1), (1, 1), (-1, -1)], dtype=np.float64))
    assert axes.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, -1]]


@pytest.mark.parametrize(
    ("features", "body", "color"),
    [
        ({"RGB": [255, 128, 0]}, b"", (255, 128, 0, 255)),
        ({"RGBA": {"byteOffset": 0}}, bytes([1, 2, 3, 4]), (1, 2, 3, 4)),
        ({"RGB565": [0b11111_000000_00001]}, b"", (255, 0, 8, 255)),
        ({"CONSTANT_RGBA": [9, 8, 7, 6]}, b"", (9, 8, 7, 6)),
        ({}, b"", (192, 192, 192, 255)),
    ],
)
def test_colours_of_points(features: dict[str, Any], body: bytes, color: tuple[int, ...]) -> None:
    data = tile(b"pnts", {"POINTS_LENGTH": 1, "POSITION": [1, 2, 3], **features}, body)
    (mesh,) = decode_meshes(MemorySource({"t": data}), "t", EYE)
    assert mesh.vertex_attributes["color"].tolist() == [list(color)] * 4
    assert np.asarray(mesh.vertices).mean(axis=0) == pytest.approx([1, 2, 3], abs=1e-3)


def test_many_points_are_thinned_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splats, "MAX_SPLATS", 10)
    positions = np.zeros((1000, 3), "<f4")
    positions[:, 0] = np.arange(1000)
    data = tile(b"pnts", {"POINTS_LENGTH": 1000, "POSITION": {"byteOffset": 0}}, positions.tobytes())
    notices = Notices()
    (mesh,) = decode_meshes(MemorySource({"t": data}), "t", EYE, "Y", notices)
    assert len(mesh.faces) == 40
    assert np.ptp(np.asarray(mesh.vertices)[:, 0]) > 899  # from one end to the other
    assert list(notices) == ["1000 points thinned to 10", "points shown as small solids"]


@pytest.mark.parametrize(
    "features",
    [
        {"INSTANCES_LENGTH": 10**9, "POSITION": {"byteOffset": 0}},
        {"INSTANCES_LENGTH": 5, "POSITION": {"byteOffset": 0}},
        {"INSTANCES_LENGTH": -1},
        {"INSTANCES_LENGTH": 1},
        {"INSTANCES_LENGTH": 1, "POSITION": [0, 0]},
        {"INSTANCES_LENGTH": 1, "POSITION": [0, 0, "a"]},
        {"INSTANCES_LENGTH": 1, "POSITION_QUANTIZED": [0, 0, 0]},
        {"INSTANCES_LENGTH": 1, "POSITION": [0, 0, 0], "RTC_CENTER": [1e300, 0, 0]},
    ],
)
def test_broken_tables_are_refused(features: dict[str, Any]) -> None:
    with pytest.raises(FormatError):
        unpack(tile(b"i3dm", features, bytes(16), square_glb()), "t")
    points = {("POINTS_LENGTH" if key == "INSTANCES_LENGTH" else key): value for key, value in features.items()}
    with pytest.raises(FormatError):
        unpack(tile(b"pnts", points, bytes(16)), "t")


def test_places_that_are_no_numbers_are_left_out_without_a_word_from_numpy() -> None:
    body = struct.pack("<I", 0x7FA00000) * 3 + np.array([1, 2, 3], "<f4").tobytes()  # signalling NaN, then a place
    data = tile(b"i3dm", {"INSTANCES_LENGTH": 2, "POSITION": {"byteOffset": 0}}, body, square_glb())
    notices = Notices()
    (mesh,) = decode_meshes(MemorySource({"t": data}), "t", EYE, "Y", notices)
    assert len(mesh.faces) == 2
    assert np.asarray(mesh.vertices).min(axis=0).tolist() == [1, 2, 3]
    assert list(notices) == ["left out corners that are no numbers or too far away"]
    cloud = tile(b"pnts", {"POINTS_LENGTH": 2, "POSITION": {"byteOffset": 0}}, body)
    (mesh,) = decode_meshes(MemorySource({"t": cloud}), "t", EYE)
    assert len(mesh.faces) == 4
