"""Every tileset in the folders of data loads or says why not; the table of it is docs/tilesets.md.

Write the table anew with CITYSIM_WRITE_DOCS=1 in the environment.
"""

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.geo.survey import Row, survey, tops

FOLDERS = (
    "3d-tiles-samples", "3d-tiles-validator", "cesium-native", "hk-f2-tileset", "loaders.gl", "nasa-landform-tiles",
    "py3dtiles",
)  # fmt: skip
DOCS = Path(__file__).resolve().parents[2] / "docs" / "tilesets.md"
TEXT = """# Tilesets that were tried

Every document and archive of the public sample data that could be the top of a tileset, read by `read_tileset` and
decoded to the last texture. Written by `tests/geo/test_every_tileset.py`, which also checks it.

*Loaded*: **yes** without a fault; **in part**: what is wrong is listed and its siblings are there; **refused**: the
reason. Counts are of everything in the tree, all levels of detail. Vector data (`vctr`, GeoJSON) and the old
primitive shapes (`geom`) hold no surface of a city and are left out with a notice.
"""

READ = """
## What is read

- **Tilesets**: 1.0 and 1.1, whatever version they declare; explicit trees, implicit quadtrees and octrees with binary
  or JSON subtrees (of 1.1 and of the extension before it), external tilesets with transforms, up axis and refinement
  carried across, several contents a tile, `content.url`, boxes, regions, spheres, S2 cells, request volumes, tile
  metadata that override volumes and errors; 3tz (zip) and .3dtiles (SQLite) archives, as a whole or below a folder;
  gzip behind any name.
- **Contents**: b3dm (older headers too), i3dm (embedded and external models), pnts, cmpt, glb, glTF, known by their
  first bytes. Points become small solids, at most 200,000 a content.
- **Geometry**: `KHR_draco_mesh_compression`, `EXT_meshopt_compression`, `KHR_meshopt_compression`,
  `KHR_mesh_quantization`, sparse accessors, strips and fans, `EXT_mesh_gpu_instancing`, `CESIUM_RTC`, `RTC_CENTER`,
  `gltfUpAxis`.
- **Looks**: PNG, JPEG, WebP, KTX2 with Basis Universal (`KHR_texture_basisu`, and behind a plain `texture.source` as
  Hong Kong's are), `KHR_texture_transform`, `KHR_materials_unlit`, specular-glossiness, emissive-only pictures.
- **Features**: batch tables with hierarchies, `EXT_mesh_features` by attribute, texture or vertex,
  `EXT_instance_features`, `EXT_structural_metadata` and `EXT_feature_metadata` tables become objects with attributes.

A glTF or tileset that *requires* an extension not known here is refused by that extension's name, and so is glTF 1.0.
The real PLATEAU tile (`cesium-rtc-extension.b3dm` in loaders.gl: 300 buildings of Chiyoda, Tokyo, with CESIUM_RTC)
stands at its true place: longitudes 139.73863 to 139.76247, latitudes 35.66955 to 35.70005, heights 36.83 to 236.31 m
above the ellipsoid, where the sea lies at 36.7 m. Buildings named by three quarters in its attributes stand around
Jimbocho station, the Kasumigaseki Building and the National Diet, and are as tall as their attribute says.

Draco, meshopt and KTX2 come from the packages DracoPy, meshopt and opengl_basisu, which are installed with citysim;
where one is missing (there is no opengl_basisu for Linux on ARM) the error names it and the command to install it.
"""

# what is wrong with these lies in the data, as their own documentation or name says, or their files are not here
WITH_FAULTS = (
    "WithError", "Invalid", "invalid", "Cycle", "broken", "failing-content-error", "Unresolvable", "Errors",
    "RequiredButNotUsed", "DuplicateElement", "implicitTiling", "tileContentGroup", "tileWithContentAndContents",
    "GeometricErrorNegative", "WrongType", "unsupported", "with_extension", "Voxels", "cdb-yemen-cut", "hk-f2-tileset",
    "Cesium3DTilesReader", "TilesetWithDiscreteLOD", "ImplicitTileMetadata",
)  # fmt: skip


@pytest.fixture(scope="module")
def rows(shared_data: Path) -> dict[str, list[Row]]:
    return {name: [survey(shared_data / name, path) for path in tops(shared_data / name)] for name in FOLDERS}


def test_what_should_load_does(rows: dict[str, list[Row]]) -> None:
    for folder, found in rows.items():
        for row in found:
            excused = any(word in f"{folder}/{row.name}" for word in WITH_FAULTS)
            assert row.state == "yes" or excused, (folder, row.name, row.refused, row.faults)


def test_every_fault_and_refusal_gives_its_reason(rows: dict[str, list[Row]]) -> None:
    for found in rows.values():
        for row in found:
            for reason in (*row.faults, *([row.refused] if row.state == "refused" else [])):
                assert reason.startswith("expected ")
                assert ", found " in reason


@pytest.mark.parametrize(
    ("folder", "name", "triangles"),
    [
        ("3d-tiles-samples", "1.1/SparseImplicitQuadtree/tileset.json", 64),
        ("3d-tiles-samples", "glTF/GpuInstancesMetadata/tileset.json", 120),
        ("nasa-landform-tiles", "example/public/data/tileset.json", 280321),
        ("loaders.gl", "modules/3d-tiles/test/data/CesiumJS/SparseOctree/tileset.json", 372),
    ],
)
def test_known_numbers(rows: dict[str, list[Row]], folder: str, name: str, triangles: int) -> None:
    (row,) = (row for row in rows[folder] if row.name == name)
    assert row.triangles == triangles


def test_the_table_in_the_documentation_is_this_one(rows: dict[str, list[Row]]) -> None:
    text = table(rows)
    if os.environ.get("CITYSIM_WRITE_DOCS"):
        DOCS.write_text(text, encoding="utf-8")
    assert DOCS.read_text(encoding="utf-8") == text


def table(rows: dict[str, list[Row]]) -> str:
    parts = [TEXT + READ]
    for folder, found in rows.items():
        states = Counter(row.state for row in found)
        summary = ", ".join(f"{states[state]} {state}" for state in ("yes", "in part", "refused") if states[state])
        parts.append(f"## {folder}\n\n{len(found)} tilesets: {summary}.\n")
        lines = ["| tileset | loaded | tiles | triangles | textures | notes |", "|---|---|---:|---:|---:|---|"]
        for row in found:
            notes = [row.refused] if row.refused else [*dict.fromkeys(row.faults), *row.notices]
            more = f" (and {len(notes) - 2} more)" if len(notes) > 2 else ""
            text = "; ".join(cell(note) for note in notes[:2]) + more
            lines.append(f"| {row.name} | {row.state} | {row.tiles} | {row.triangles} | {row.textures} | {text} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def cell(text: str) -> str:
    return text.replace("|", "/").replace("\n", " ")[:160]
