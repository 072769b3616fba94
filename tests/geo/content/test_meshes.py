from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citysim.build.gltf import pack_glb
from citysim.errors import CitySimError, FormatError
from citysim.geo.content.meshes import decode_meshes, surfaces_in
from citysim.geo.content.notices import Notices
from citysim.geo.store import MemorySource
from tests.geo.content.samples import FACES, SQUARE, GltfMaker, b3dm, cmpt, square_glb

EYE = np.eye(4)


def decode(data: bytes, matrix: Any = EYE, up: str = "Y") -> list[Any]:
    return decode_meshes(MemorySource({"t.glb": data}), "t.glb", matrix, up)


def corners(mesh: Any) -> Any:
    return np.asarray(mesh.vertices)[np.asarray(mesh.faces)]


def normal(mesh: Any) -> list[float]:
    a, b, c = corners(mesh)[0]
    cross = np.cross(b - a, c - a)
    return (cross / np.linalg.norm(cross) + 0.0).tolist()


def test_y_up_becomes_z_up() -> None:
    (mesh,) = decode(square_glb())
    assert np.asarray(mesh.vertices).tolist() == [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]
    assert normal(mesh) == [0, 0, 1]
    assert mesh.metadata["surface"].texture == ""


@pytest.mark.parametrize(("up", "expected"), [("X", [0, 1, 0]), ("Y", [0, 0, 1]), ("Z", [0, 1, 0])])
def test_up_axis_of_the_asset(up: str, expected: list[float]) -> None:
    (mesh,) = decode(square_glb(), up=up)
    assert normal(mesh) == expected


def test_x_up_points_up() -> None:
    maker = GltfMaker()
    maker.primitive(np.array([(0, 0, 0), (5, 0, 0), (0, 1, 0)], "<f4"), FACES[:1])
    (mesh,) = decode(maker.glb(), up="X")
    assert np.asarray(mesh.vertices)[1].tolist() == [0, 0, 5]


def test_rtc_centers_are_added_after_the_turn() -> None:
    (mesh,) = decode(b3dm(square_glb(), {"BATCH_LENGTH": 0, "RTC_CENTER": [100, 200, 300]}))
    assert np.asarray(mesh.vertices)[2].tolist() == [102, 202, 300]
    maker = GltfMaker()
    maker.primitive()
    maker.gltf |= {"extensionsUsed": ["CESIUM_RTC"], "extensionsRequired": ["CESIUM_RTC"]}
    maker.gltf["extensions"] = {"CESIUM_RTC": {"center": [100, 200, 300]}}
    (mesh,) = decode(maker.glb())
    assert np.asarray(mesh.vertices)[2].tolist() == [102, 202, 300]


def test_earth_centred_tiles_keep_their_millimetres() -> None:
    from citysim.geo.frames import LocalFrame

    frame = LocalFrame(114.2, 22.3, 0.0)
    far = np.eye(4)
    far[:3, 3] = frame.to_ecef([1000.25, -2000.5, 3.125])
    far[:3, :3] = frame.matrix[:3, :3]
    (mesh,) = decode(square_glb(), frame.inverse @ far)
    assert np.asarray(mesh.vertices)[0].tolist() == [1000.25, -2000.5, 3.125]


def test_node_matrices_chain_and_mirrors_flip_faces() -> None:
    maker = GltfMaker()
    maker.primitive()
    maker.gltf["nodes"] = [
        {"children": [1], "translation": [10, 0, 0]},
        {"mesh": 0, "scale": [-1, 1, 1], "rotation": [0, 1, 0, 0]},
    ]
    (mesh,) = decode(maker.glb())
    # half a turn about y, then mirrored: x stays, z is turned
    assert np.asarray(mesh.vertices)[1].tolist() == [12, 0, 0]
    assert np.asarray(mesh.vertices)[2].tolist() == [12, -2, 0]
    assert normal(mesh) == [0, 0, 1]


def test_strips_and_fans() -> None:
    strip, fan = GltfMaker(), GltfMaker()
    strip.primitive(SQUARE[[0, 1, 3, 2]], None, mode=5)
    fan.primitive(SQUARE, None, mode=6)
    for maker in (strip, fan):
        (mesh,) = decode(maker.glb())
        assert len(mesh.faces) == 2
        assert normal(mesh) == [0, 0, 1]
        assert mesh.area == pytest.approx(4.0)


def test_lines_are_left_out_with_one_notice() -> None:
    maker, notices = GltfMaker(), Notices()
    for mode in (1, 2, 3):
        maker.primitive(mode=mode)
    assert decode_meshes(MemorySource({"t.glb": maker.glb()}), "t.glb", EYE, "Y", notices) == []
    assert list(notices) == ["left out lines"]


def test_points_become_small_solids() -> None:
    maker, notices = GltfMaker(), Notices()
    maker.primitive(mode=0, faces=None)
    (mesh,) = decode_meshes(MemorySource({"t.glb": maker.glb()}), "t.glb", EYE, "Y", notices)
    assert len(mesh.faces) == 16
    assert len(notices) == 1
    for number, corner in enumerate([(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0)]):
        solid = np.asarray(mesh.vertices)[4 * number : 4 * number + 4]
        assert solid.mean(axis=0) == pytest.approx(corner, abs=1e-3)
        assert np.linalg.norm(solid - corner, axis=1) == pytest.approx(np.full(4, 0.5), abs=2e-3)
    assert mesh.volume > 0  # faces look outwards


def test_quantised_positions_and_texture_coordinates() -> None:
    maker = GltfMaker()
    grid = np.array([(0, 0, 0, 0), (32767, 0, 0, 0), (32767, 0, -32767, 0), (0, 0, -32767, 0)], "<i2")
    uv = np.array([(0, 0), (65535, 0), (65535, 65535), (0, 65535)], "<u2")
    entry = maker.primitive(
        TEXCOORD_0=(uv, {"normalized": True}), COLOR_0=(np.full((4, 4), 128, "u1"), {"normalized": True})
    )
    maker.gltf["accessors"][entry["attributes"]["POSITION"]] |= {
        "bufferView": _strided(maker, grid), "componentType": 5122, "normalized": True,
    }  # fmt: skip
    maker.gltf["nodes"][0]["scale"] = [4, 4, 4]
    maker.gltf |= {"extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"]}
    (mesh,) = decode(maker.glb())
    assert np.asarray(mesh.vertices)[2].tolist() == [4, 4, 0]
    assert mesh.vertex_attributes["uv"].max() == 1.0
    assert mesh.vertex_attributes["color"][0].tolist() == [128] * 4


def _strided(maker: GltfMaker, rows: Any) -> int:
    index = maker.array(rows)
    view = maker.gltf["accessors"].pop(index)["bufferView"]
    maker.gltf["bufferViews"][view]["byteStride"] = 8
    return int(view)


def test_sparse_accessors() -> None:
    maker = GltfMaker()
    entry = maker.primitive()
    rows, values = maker.array(np.array([2], "<u2")), maker.array(np.array([(3, 0, -3)], "<f4"))
    views = [maker.gltf["accessors"][i]["bufferView"] for i in (rows, values)]
    maker.gltf["accessors"][entry["attributes"]["POSITION"]]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": views[0], "componentType": 5123},
        "values": {"bufferView": views[1]},
    }
    (mesh,) = decode(maker.glb())
    assert np.asarray(mesh.vertices)[2].tolist() == [3, 3, 0]


def test_bad_triangles_are_dropped_and_good_ones_stay() -> None:
    maker = GltfMaker()
    points = np.concatenate([SQUARE, [(np.nan, 0, 0), (np.inf, 0, 0)]]).astype("<f4")
    maker.primitive(points, np.array([0, 1, 2, 0, 1, 99, 0, 1, 4, 1, 2, 5, 0, 0, 1, 0, 2, 3, 1], "<u2"))
    (mesh,) = decode(maker.glb())
    assert len(mesh.faces) == 2
    assert len(mesh.vertices) == 4


def test_features_by_extension_and_batch_id() -> None:
    maker = GltfMaker()
    entry = maker.primitive(_FEATURE_ID_0=np.array([5, 5, 6, 6], "<f4"), _BATCHID=np.array([1, 1, 1, 1], "<u2"))
    (mesh,) = decode(maker.glb())
    assert mesh.vertex_attributes["feature"].tolist() == [1, 1, 1, 1]
    entry["extensions"] = {"EXT_mesh_features": {"featureIds": [{"featureCount": 2, "attribute": 0}]}}
    (mesh,) = decode(maker.glb())
    assert mesh.vertex_attributes["feature"].tolist() == [5, 5, 6, 6]


def test_composites_scenes_and_files_without_any() -> None:
    assert len(decode(cmpt(b3dm(square_glb()), b3dm(square_glb())))) == 2
    maker = GltfMaker()
    maker.primitive()
    del maker.gltf["scene"], maker.gltf["scenes"]
    assert len(decode(maker.glb())) == 1
    del maker.gltf["nodes"]
    assert decode(maker.glb()) == []


def test_external_buffers() -> None:
    maker = GltfMaker()
    maker.primitive()
    maker.gltf["buffers"] = [{"uri": "data%201.bin", "byteLength": len(maker.binary)}]
    data = bytes(maker.binary)
    maker.binary = bytearray()
    (mesh,) = decode_meshes(MemorySource({"t.glb": maker.glb(), "data 1.bin": data}), "t.glb", EYE)
    assert len(mesh.faces) == 2


def test_unknown_required_extensions_are_refused_by_name() -> None:
    maker = GltfMaker()
    maker.primitive()
    maker.gltf["extensionsRequired"] = ["XY_new_thing", "KHR_materials_unlit"]
    with pytest.raises(FormatError, match="XY_new_thing in"):
        decode(maker.glb())


@pytest.mark.parametrize(
    "change",
    [
        {"nodes": [{"children": [0], "mesh": 0}]},
        {"nodes": [{"mesh": 7}]},
        {"nodes": [{"mesh": 0, "matrix": [1]}]},
        {"nodes": [{"mesh": 0, "rotation": ["a", 0, 0, 1]}]},
        {"scenes": [{"nodes": [3]}]},
        {"accessors": []},
        {"bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 10**9}] * 2},
        {"buffers": [{"uri": "gone.bin"}]},
        {"meshes": [{"primitives": [{"attributes": 5}]}]},
    ],
)
def test_broken_documents_raise_one_kind_of_error(change: dict[str, Any]) -> None:
    maker = GltfMaker()
    maker.primitive()
    maker.gltf |= change
    with pytest.raises(CitySimError):
        decode(maker.glb())


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 10**12), st.floats(), st.text(max_size=3), st.just([]), st.just({})
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_documents_with_junk_in_them_never_crash(data: st.DataObject) -> None:
    maker = GltfMaker()
    maker.primitive(TEXCOORD_0=np.zeros((4, 2), "<f4"))["material"] = 0
    maker.gltf |= {
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "baseColorFactor": [1, 1, 1, 1]}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "x.png"}],
    }
    maker.gltf["buffers"] = [{"byteLength": len(maker.binary)}]
    spots = list(_spots(maker.gltf))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(spots))
        holder[key] = data.draw(JUNK)
    try:
        glb = pack_glb(maker.gltf, bytes(maker.binary))
    except ValueError:  # NaN and infinity are no JSON
        return
    source = MemorySource({"t.glb": glb})
    for read in (lambda: decode_meshes(source, "t.glb", EYE), lambda: surfaces_in(source, "t.glb")):
        try:
            read()
        except CitySimError:
            continue


def _spots(value: Any) -> Any:
    """Every (container, key) in nested JSON."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from _spots(inner)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_bytes_never_crash(data: st.DataObject) -> None:
    broken = bytearray(b3dm(square_glb()))
    for _ in range(data.draw(st.integers(1, 6))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    try:
        for mesh in decode(bytes(broken)):
            assert np.isfinite(mesh.vertices).all()
            assert np.asarray(mesh.faces).max() < len(mesh.vertices)
    except CitySimError:
        pass


def test_same_bytes_decode_to_the_same_numbers() -> None:
    matrix = np.array([(0.6, -0.8, 0, 1e3), (0.8, 0.6, 0, -1e3), (0, 0, 1, 0.1), (0, 0, 0, 1)])
    first, second = (decode(square_glb(), matrix)[0] for _ in range(2))
    assert np.array_equal(first.vertices, second.vertices)
    assert np.array_equal(np.round(first.vertices * 1024), first.vertices * 1024)


def test_every_face_is_kept_in_order() -> None:
    maker = GltfMaker()
    maker.primitive(SQUARE, FACES.astype("<u4"))
    (mesh,) = decode(maker.glb())
    assert np.asarray(mesh.faces).tolist() == FACES.tolist()
