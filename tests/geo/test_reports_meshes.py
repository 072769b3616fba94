"""Public bug reports about what is inside glTF documents, by their number in the project's list of them."""

import io
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from citysim.errors import DependencyError, FormatError
from citysim.geo.content import draco
from citysim.geo.content.images import load_texture
from citysim.geo.content.meshes import decode_meshes, surfaces_in
from citysim.geo.content.notices import Notices
from citysim.geo.content.surfaces import Surface
from citysim.geo.store import MemorySource
from tests.geo.content.packed import UVS, draco_primitive, meshopt_view, picture
from tests.geo.content.samples import FACES, SQUARE, GltfMaker, b3dm, square_glb

EYE = np.eye(4)


def decode(data: bytes, matrix: Any = EYE, notices: Notices | None = None) -> list[Any]:
    return decode_meshes(MemorySource({"t": data}), "t", matrix, "Y", notices)


def area(mesh: Any) -> float:
    return float(mesh.area)


@pytest.fixture(scope="module")
def ktx2(shared_data: Path) -> bytes:
    return (shared_data / "cesium-native/CesiumImage/test/data/ktx2/kota-onelevel.ktx2").read_bytes()


@pytest.mark.parametrize("mime", ["image/ktx2", "image/jpeg"])
@pytest.mark.parametrize("plain", [True, False])
def test_01_ktx2_behind_a_plain_texture_source(ktx2: bytes, mime: str, plain: bool) -> None:
    maker = GltfMaker()
    maker.primitive(TEXCOORD_0=UVS)
    extended = {"extensions": {"KHR_texture_basisu": {"source": 0}}}
    picture(maker, ktx2, mime, **({"source": 0} if plain else extended))
    source = MemorySource({"t": maker.glb()})
    (surface,) = surfaces_in(source, "t")
    pixels = load_texture(source, surface.texture)
    assert pixels.shape == (192, 256, 4)
    assert np.ptp(pixels[..., :3]) > 150


def test_02_a_missing_decoder_is_named_with_its_remedy(ktx2: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    maker = GltfMaker()
    draco_primitive(maker)
    picture(maker, ktx2, "image/ktx2")
    source = MemorySource({"t": maker.glb()})
    for module, read in (
        ("DracoPy", lambda: decode_meshes(source, "t", EYE)),
        ("opengl_basisu", lambda: load_texture(source, "t#0")),
    ):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(DependencyError, match=f"pip install .*{module}"):
                read()


def test_13_a_node_that_turns_to_y_up_and_a_tile_that_is_z_up() -> None:
    maker = GltfMaker()
    maker.primitive(SQUARE[:, [0, 2, 1]] * np.array([1, -1, 1], "<f4"))  # flat in x and y: z up
    maker.gltf["nodes"][0]["matrix"] = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1]
    tile = np.eye(4)
    tile[:3, 3] = (5, 6, 7)
    (mesh,) = decode(maker.glb(), tile)
    assert np.asarray(mesh.vertices)[2].tolist() == [7, 8, 7]


@pytest.mark.parametrize("placeholder", [0, 2, 49427])
def test_16_19_draco_is_believed_and_not_its_placeholder_accessors(placeholder: int) -> None:
    maker = GltfMaker()
    draco_primitive(maker, placeholder=placeholder)
    (mesh,) = decode(maker.glb())
    assert len(mesh.faces) == 2
    assert area(mesh) == pytest.approx(4.0, abs=1e-2)
    assert np.asarray(mesh.vertices).max(axis=0) == pytest.approx([2, 2, 0], abs=2e-3)  # not the accessor's zeros


@pytest.mark.parametrize("broken", ["absent", "sparse", "damaged"])
def test_17_draco_with_feature_numbers_outside_it(broken: str) -> None:
    maker, notices = GltfMaker(), Notices()
    entry = draco_primitive(maker)
    accessor: dict[str, Any] = {"componentType": 5123, "count": 4, "type": "SCALAR"}
    if broken == "sparse":
        rows, values = maker.array(np.array([1], "<u2")), maker.array(np.array([3], "<u2"))
        views = [maker.gltf["accessors"][i]["bufferView"] for i in (rows, values)]
        where, what = {"bufferView": views[0], "componentType": 5123}, {"bufferView": views[1]}
        accessor["sparse"] = {"count": 1, "indices": where, "values": what}
    if broken == "damaged":
        accessor["bufferView"] = 99
    maker.gltf["accessors"].append(accessor)
    entry["attributes"]["_BATCHID"] = len(maker.gltf["accessors"]) - 1
    (mesh,) = decode(b3dm(maker.glb(), {"BATCH_LENGTH": 4}), EYE, notices)
    found = sorted(mesh.vertex_attributes["feature"].tolist())
    assert found == {"absent": [0] * 4, "sparse": [0, 0, 0, 3], "damaged": [-1] * 4}[broken]
    assert len(notices) == (broken == "damaged")


def test_18_one_primitive_compressed_and_its_sibling_not() -> None:
    maker = GltfMaker()
    draco_primitive(maker)
    maker.primitive(SQUARE + np.array([10, 0, 0], "<f4"))
    meshes = decode(maker.glb())
    assert [len(m.faces) for m in meshes] == [2, 2]
    assert np.asarray(meshes[1].vertices)[0].tolist() == [10, 0, 0]


@pytest.mark.parametrize("extra", [1, 2, 3, 64])
def test_21_binary_chunks_longer_than_their_buffer_and_misaligned_views(extra: int) -> None:
    maker = GltfMaker()
    maker.primitive()
    size = len(maker.binary)
    shifted = bytearray(1) + maker.binary  # every view one byte off its alignment
    for view in maker.gltf["bufferViews"]:
        view["byteOffset"] += 1
    maker.gltf["buffers"][0]["byteLength"] = size + 1
    maker.binary = shifted + bytes(extra)
    (mesh,) = decode(maker.glb())
    assert area(mesh) == pytest.approx(4.0)


def test_22_pictures_that_are_only_emissive_and_meshes_without_normals() -> None:
    maker = GltfMaker()
    maker.primitive(TEXCOORD_0=UVS)
    buffer = io.BytesIO()
    Image.new("RGB", (2, 2), (200, 100, 50)).save(buffer, "PNG")
    picture(maker, buffer.getvalue(), "image/png")
    maker.gltf["materials"] = [
        {"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 0]}, "emissiveTexture": {"index": 0}}
    ]
    (mesh,) = decode(maker.glb())
    assert mesh.metadata["surface"] == Surface("t#0", unlit=True)


def test_23_unlit_photogrammetry_is_not_lit_again() -> None:
    maker = GltfMaker()
    maker.primitive()["material"] = 0
    maker.gltf["materials"] = [{"extensions": {"KHR_materials_unlit": {}}}]
    maker.gltf["extensionsRequired"] = ["KHR_materials_unlit"]
    (mesh,) = decode(maker.glb())
    assert mesh.metadata["surface"].unlit


def test_29_quantised_coordinates_are_fractions_before_they_are_transformed() -> None:
    maker = GltfMaker()
    entry = maker.primitive()
    packed = np.concatenate([(UVS * 65535).astype("<u2"), np.zeros((4, 2), "<u2")], axis=1)
    view = meshopt_view(maker, packed, "ATTRIBUTES")
    maker.gltf["accessors"].append(
        {"bufferView": view, "componentType": 5123, "normalized": True, "count": 4, "type": "VEC2"}
    )
    entry["attributes"]["TEXCOORD_0"] = len(maker.gltf["accessors"]) - 1
    moved = {"index": 0, "extensions": {"KHR_texture_transform": {"scale": [2, 2], "offset": [0.25, 0]}}}
    maker.gltf |= {
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": moved}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "a.png"}],
    }
    entry["material"] = 0
    (mesh,) = decode(maker.glb())
    assert mesh.vertex_attributes["uv"] == pytest.approx(UVS * 2 + [0.25, 0])


def test_29_normalised_integers_under_draco() -> None:
    maker = GltfMaker()
    numbers = np.array([(0, 0), (65535, 0), (65535, 65535), (0, 65535)], np.uint16)
    entry = draco_primitive(maker, generic=numbers, name="TEXCOORD_1")
    maker.gltf["accessors"].append({"componentType": 5123, "normalized": True, "count": 4, "type": "VEC2"})
    entry["attributes"]["TEXCOORD_1"] = len(maker.gltf["accessors"]) - 1
    shown = {"index": 0, "texCoord": 1}
    maker.gltf |= {
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": shown}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "a.png"}],
    }
    entry["material"] = 0
    (mesh,) = decode(maker.glb())
    assert sorted(map(tuple, mesh.vertex_attributes["uv"].tolist())) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_30_damaged_draco_is_an_error_and_never_garbage() -> None:
    maker = GltfMaker()
    entry = draco_primitive(maker)
    view = maker.gltf["bufferViews"][entry["extensions"]["KHR_draco_mesh_compression"]["bufferView"]]
    start = view["byteOffset"]
    for cut in (view["byteLength"] // 2, 12, 0):
        maker.binary[start + cut :] = bytes(len(maker.binary) - start - cut)
        with pytest.raises(FormatError, match="Draco"):
            decode(maker.glb())


def test_30_draco_that_takes_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    import DracoPy

    maker = GltfMaker()
    draco_primitive(maker)
    monkeypatch.setattr(draco, "LIMIT_S", 0.05)
    monkeypatch.setattr(DracoPy, "decode", lambda data: time.sleep(0.5))
    with pytest.raises(FormatError, match="more than"):
        decode(maker.glb())


@pytest.mark.parametrize("where", ["node", "tile"])
def test_31_mirrored_transforms_keep_faces_outwards(where: str) -> None:
    maker, tile = GltfMaker(), np.eye(4)
    maker.primitive()
    if where == "node":
        maker.gltf["nodes"][0]["scale"] = [-1, 1, 1]
    else:
        tile[0, 0] = -1.0
    (mesh,) = decode(maker.glb(), tile)
    a, b, c = np.asarray(mesh.vertices)[np.asarray(mesh.faces)[0]]
    assert np.cross(b - a, c - a)[2] > 0.0
    (plain,) = decode(square_glb())
    assert area(mesh) == area(plain)


def test_meshopt_geometry_of_every_mode() -> None:
    maker = GltfMaker()
    entry = maker.primitive()
    corners = np.concatenate([SQUARE, np.zeros((4, 1), "<f4")], axis=1)
    points = meshopt_view(maker, corners, "ATTRIBUTES")
    maker.gltf["accessors"] += [{"bufferView": points, "componentType": 5126, "count": 4, "type": "VEC3"}]
    entry["attributes"]["POSITION"] = len(maker.gltf["accessors"]) - 1
    for mode in ("TRIANGLES", "INDICES"):
        order = meshopt_view(maker, FACES.reshape(-1, 1).astype("<u4"), mode)
        maker.gltf["accessors"] += [{"bufferView": order, "componentType": 5125, "count": 6, "type": "SCALAR"}]
        entry["indices"] = len(maker.gltf["accessors"]) - 1
        (mesh,) = decode(maker.glb())
        assert area(mesh) == pytest.approx(4.0)
