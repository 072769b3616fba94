"""Real and sample tiles: every one decodes, and lies where its bounding volume says."""

from pathlib import Path

import numpy as np
import pytest

from citysim.build.placing import place_tileset
from citysim.geo.content.container import unpack
from citysim.geo.content.features import feature_rows
from citysim.geo.content.images import load_texture
from citysim.geo.content.meshes import decode_meshes, surfaces_in
from citysim.geo.store import FolderSource
from citysim.geo.tileset import read_tileset
from citysim.geo.volumes import bounding_sphere

CESIUM = "loaders.gl/modules/3d-tiles/test/data/CesiumJS"
BATCHED = [
    "Colors", "ColorsMix", "ColorsTranslucent", "ColorsZUp", "Deprecated1", "Deprecated2", "Expiration", "NoBatchIds",
    "Textured", "Translucent", "TranslucentOpaqueMix", "WGS84", "WithBatchTable", "WithBatchTableBinary",
    "WithBoundingSphere", "WithContentDataUri", "WithRtcCenter", "WithTransformBox", "WithTransformRegion",
    "WithTransformSphere", "WithVertexColors", "WithoutBatchTable",
]  # fmt: skip
INSTANCED = [
    "GltfExternal", "Oct32POrientation", "Orientation", "Quantized", "QuantizedOct32POrientation", "RTC", "RedMaterial",
    "Scale", "ScaleNonUniform", "Textured", "WithBatchIds", "WithBatchTable", "WithBatchTableBinary", "WithTransform",
    "WithoutBatchTable",
]  # fmt: skip
POINTS = [
    "Batched", "ConstantColor", "Draco", "DracoBatched", "DracoPartial", "NoColor", "Normals", "NormalsOctEncoded",
    "Quantized", "QuantizedOctEncoded", "RGB", "RGB565", "RGBA", "WGS84", "WithPerPointProperties", "WithTransform",
]  # fmt: skip
OTHERS = ["Tileset", "TilesetEmptyRoot", "TilesetOfTilesets", "TilesetRefinementMix", "TilesetReplacement1"]


def check(folder: Path, name: str = "tileset.json", *, solid: float = 0.0) -> int:
    """Decode a whole tileset; the number of triangles. Fails when a mesh leaves its tile's bounding sphere.

    `solid` is how far the shapes that stand for points may reach beyond them, metres.
    """
    source = FolderSource(folder)
    tree = read_tileset(source, name)
    placing = place_tileset(source, tree)
    to_local = placing.frame.inverse if placing.placement is None else placing.placement
    triangles = 0
    for node in tree.tiles:
        sphere = bounding_sphere(node.volume, to_local @ node.matrix, placing.frame.inverse)
        for uri in node.uris:
            for mesh in decode_meshes(source, uri, to_local @ node.matrix, node.up_axis):
                distance = np.linalg.norm(np.asarray(mesh.vertices) - sphere.center, axis=1).max()
                assert distance <= sphere.radius * 1.02 + 0.01 + solid, (uri, distance, sphere.radius)
                triangles += len(mesh.faces)
    return triangles


@pytest.mark.parametrize("name", BATCHED)
def test_batched_tiles(shared_data: Path, name: str) -> None:
    assert check(shared_data / CESIUM / "Batched" / f"Batched{name}") > 0


@pytest.mark.parametrize("name", INSTANCED)
def test_instanced_tiles(shared_data: Path, name: str) -> None:
    """25 boxes of 12 triangles, within the volume that the tileset states for them."""
    assert check(shared_data / CESIUM / "Instanced" / f"Instanced{name}") == 25 * 12


@pytest.mark.parametrize("name", POINTS)
def test_point_clouds(shared_data: Path, name: str) -> None:
    assert check(shared_data / CESIUM / "PointCloud" / f"PointCloud{name}", solid=0.5) % 4 == 0


@pytest.mark.parametrize("name", ["Composite", "CompositeOfComposite", "CompositeOfInstanced"])
def test_composites(shared_data: Path, name: str) -> None:
    assert check(shared_data / CESIUM / "Composite" / name) >= 25 * 12


@pytest.mark.parametrize(
    ("name", "tiles", "triangles"),
    [("3d-tiles-samples/1.1/SparseImplicitQuadtree", 63, 64), (f"{CESIUM}/SparseOctree", 58, 372)],
)
def test_implicit_trees(shared_data: Path, name: str, tiles: int, triangles: int) -> None:
    assert check(shared_data / name) == triangles
    assert len(read_tileset(FolderSource(shared_data / name), "tileset.json").tiles) == tiles


@pytest.mark.parametrize("name", OTHERS)
def test_trees_of_tiles(shared_data: Path, name: str) -> None:
    assert check(shared_data / CESIUM / "Tilesets" / name) > 0


@pytest.mark.parametrize(
    "name", ["tileset.json", "tileset-add.json", "tileset-external.json", "tileset-no-root-content.json"]
)
def test_a_real_scan(shared_data: Path, name: str) -> None:
    count = check(shared_data / "nasa-landform-tiles/example/public/data", name)
    assert count == (278355 if "no-root" in name else 280321)


def test_a_real_scan_faces_up_and_its_grey_pictures_are_read(shared_data: Path) -> None:
    source = FolderSource(shared_data / "nasa-landform-tiles/example/public/data")
    assert place_tileset(source, read_tileset(source, "tileset.json")).up == "+y"
    (surface,) = surfaces_in(source, "root.b3dm")
    assert surface.unlit
    pixels = load_texture(source, surface.texture)
    assert pixels.shape == (256, 256, 4)
    assert (pixels[..., 0] == pixels[..., 2]).all()


@pytest.mark.parametrize(
    "name", ["0_0_0-1_1_2", "0_0_0-1_2_1", "0_0_0-2_1_1", "0_0_2-1_1_4", "0_2_0-1_4_1", "2_0_0-4_1_1"]
)
def test_boxes_have_the_bounds_of_their_name(shared_data: Path, name: str) -> None:
    """Each sample is a box from the first to the second corner, in z-up tile axes."""
    source = FolderSource(shared_data / "3d-tiles-samples/1.1/BoundingBoxTests" / name)
    (node,) = read_tileset(source, "tileset.json").tiles
    (mesh,) = decode_meshes(source, node.uris[0], node.matrix, node.up_axis)
    low, high = (np.array([float(v) for v in part.split("_")]) for part in name.split("-"))
    assert np.asarray(mesh.vertices).min(axis=0) == pytest.approx(low, abs=1e-3)
    assert np.asarray(mesh.vertices).max(axis=0) == pytest.approx(high, abs=1e-3)


def test_a_plateau_tile_with_cesium_rtc(shared_data: Path) -> None:
    """Real Tokyo buildings: dozens of materials, Japanese property names, a centre in the glTF."""
    path = next(shared_data.joinpath("loaders.gl").rglob("cesium-rtc-extension.b3dm"))
    source = FolderSource(path.parent)
    meshes = decode_meshes(source, path.name, np.eye(4))
    assert meshes == []  # Earth-centred coordinates are beyond any local frame
    from citysim.geo.frames import LocalFrame, ecef_to_geodetic

    (payload,) = unpack(path.read_bytes(), path.name)
    center = payload.gltf["extensions"]["CESIUM_RTC"]["center"]
    lon, lat, height = ecef_to_geodetic(center)
    assert 139.0 < lon < 140.5
    assert 35.0 < lat < 36.5
    meshes = decode_meshes(source, path.name, LocalFrame(float(lon), float(lat), 0.0).inverse)
    points = np.concatenate([np.asarray(m.vertices) for m in meshes])
    assert np.linalg.norm(points[:, :2], axis=1).max() < 2000.0
    assert -50.0 < points[:, 2].min() < points[:, 2].max() < height + 400.0
    assert np.ptp(points[:, 2]) > 3.0
    assert len(feature_rows(payload)) == payload.batch_length > 0


def test_batch_tables_agree_with_py3dtiles(shared_data: Path) -> None:
    from py3dtiles.tileset.content import read_binary_tile_content

    path = shared_data / CESIUM / "Batched/BatchedWithBatchTableBinary/batchedWithBatchTableBinary.b3dm"
    (payload,) = unpack(path.read_bytes(), path.name)
    rows = feature_rows(payload)
    theirs = read_binary_tile_content(path)
    assert len(rows) == payload.batch_length == 10
    table = theirs.body.batch_table
    for name in table.get_property_names():
        column = table.header.data[name]
        values = column if isinstance(column, list) else table.get_binary_property(name).tolist()
        flat = [v for row in rows for v in (row[name] if isinstance(row.get(name), list) else [row.get(name)])]
        assert flat == values


def test_photogrammetry_with_ktx2_pictures(shared_data: Path) -> None:
    source = FolderSource(shared_data / CESIUM / "VNext/agi-ktx2")
    (mesh, *_) = decode_meshes(source, "0/0.glb", np.eye(4))
    pixels = load_texture(source, mesh.metadata["surface"].texture)
    assert min(pixels.shape[:2]) >= 64
    assert np.ptp(pixels[..., :3]) > 100


def test_every_sample_document_is_read_or_refused(shared_data: Path) -> None:
    """A thousand valid and invalid tilesets of the 3D Tiles validator: an answer or an error of ours, never a crash."""
    from citysim.errors import CitySimError

    read = refused = 0
    for path in sorted((shared_data / "3d-tiles-validator").rglob("*.json")):
        try:
            read_tileset(FolderSource(path.parent), path.name, allow_missing=True)
            read += 1
        except CitySimError:
            refused += 1
    assert read > 20
    assert refused > 100
