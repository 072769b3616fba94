"""City packages from tilesets of every shape: implicit, in an archive, instanced, with property tables."""

import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from citysim.build.tiles import import_tiles
from citysim.city import open_city
from tests.geo.test_database import packed
from tests.geo.web import Reply, serve

SAMPLES = "3d-tiles-samples"
CESIUM = "loaders.gl/modules/3d-tiles/test/data/CesiumJS"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))


def test_an_implicit_quadtree_becomes_a_city(shared_data: Path, tmp_path: Path) -> None:
    city = open_city(import_tiles(str(shared_data / SAMPLES / "1.1/SparseImplicitQuadtree"), tmp_path / "c"))
    assert len(city.tiles) == 63
    assert sum(len(city.chunk(t.index).triangles) for t in city.tiles if t.has_content) == 64


def test_a_tileset_in_an_archive_is_the_same_city(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / SAMPLES / "1.1/MetadataGranularities"
    with zipfile.ZipFile(tmp_path / "t.3tz", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder).as_posix())
    first = open_city(import_tiles(str(folder), tmp_path / "a"))
    entries = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    packed(tmp_path / "t.3dtiles", entries)
    assert len(first.texture_keys) > 10
    with serve(lambda request: Reply((tmp_path / request.path[1:]).read_bytes())) as site:
        for number, place in enumerate(("t.3tz", "t.3dtiles")):
            for where in (str(tmp_path / place), f"{site.url}/{place}"):
                other = open_city(import_tiles(where, tmp_path / f"{number}{where[:4]}".replace("/", "-")))
                assert first.content_sha256 == other.content_sha256
                assert first.appearance_sha256 == other.appearance_sha256
        assert len(site.seen) == 2


def test_models_of_instances_come_along(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / CESIUM / "Instanced/InstancedGltfExternal"
    here = tmp_path / "source"
    shutil.copytree(folder, here)
    package = import_tiles(str(here), tmp_path / "c")
    shutil.rmtree(here)
    city = open_city(package)
    assert len(city.chunk(0).triangles) == 25 * 12
    assert [o.attributes["Height"] for o in city.objects] == pytest.approx([20.0] * 25)


def test_property_tables_become_objects_with_labels(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / SAMPLES / "glTF/EXT_structural_metadata/FeatureIdAttributeAndPropertyTable"
    city = open_city(import_tiles(str(folder), tmp_path / "c"))
    chunk = city.chunk(0)
    assert sorted(set(chunk.labels.tolist())) == [o.id for o in city.objects] == [1, 2, 3, 4]
    assert all(o.attributes for o in city.objects)
    for thing in city.objects:  # and stand where their triangles are
        corners = chunk.triangles[chunk.labels == thing.id].reshape(-1)
        points = chunk.positions[corners].astype(float) + chunk.origin
        assert np.allclose(thing.bounds, [*points.min(axis=0), *points.max(axis=0)], atol=1e-3)
        assert thing.position[2] == thing.bounds[2]
        assert thing.bounds[:3] != thing.bounds[3:]


def test_features_in_a_texture_label_triangles(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / SAMPLES / "glTF/EXT_structural_metadata/FeatureIdTextureAndPropertyTable"
    city = open_city(import_tiles(str(folder), tmp_path / "c"))
    labels = city.chunk(0).labels
    assert len(labels) == 2
    assert np.isin(labels, [o.id for o in city.objects]).all()


def test_what_is_left_out_is_said_once_in_the_package(shared_data: Path, tmp_path: Path) -> None:
    package = import_tiles(str(shared_data / CESIUM / "Tilesets/TilesetPoints"), tmp_path / "c")
    warnings = json.loads((package / "city.json").read_text())["warnings"]
    assert warnings == ["points shown as small solids"]
    assert open_city(package).tiles
