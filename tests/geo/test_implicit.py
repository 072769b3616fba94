"""Implicit tiling: availability, volumes, metadata, and what is wrong with broken ones."""

import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.errors import FormatError, StorageError
from citysim.geo.frames import LocalFrame
from citysim.geo.store import FolderSource, MemorySource
from citysim.geo.subdivision import subdivided
from citysim.geo.tileset import read_tileset
from citysim.geo.volumes import bounding_sphere
from tests.geo.content.samples import square_glb, tileset

EYE = np.eye(4)
BOX = [0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 8]


def bits(*values: int) -> bytes:
    return np.packbits(np.array(values, np.uint8), bitorder="little").tobytes()


def subtree(tiles: bytes, children: bytes, *contents: bytes, **more: Any) -> bytes:
    """A binary subtree with a bitstream for everything."""
    parts = [tiles, children, *contents]
    views = [{"buffer": 0, "byteOffset": 8 * n, "byteLength": len(part)} for n, part in enumerate(parts)]
    body = b"".join(part.ljust(8, b"\0") for part in parts)
    found = {
        "buffers": [{"byteLength": len(body)}],
        "bufferViews": views,
        "tileAvailability": {"bitstream": 0},
        "childSubtreeAvailability": {"bitstream": 1},
        "contentAvailability": [{"bitstream": 2 + n} for n in range(len(contents))],
        **more,
    }
    text = json.dumps(found).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<4sIQQ", b"subt", 1, len(text), len(body)) + text + body


def document(scheme: str = "QUADTREE", levels: int = 2, available: int = 4, **root: Any) -> bytes:
    tiling = {
        "subdivisionScheme": scheme, "subtreeLevels": levels, "availableLevels": available,
        "subtrees": {"uri": "s/{level}.{x}.{y}" + (".{z}" if scheme == "OCTREE" else "")},
    }  # fmt: skip
    return tileset(implicitTiling=tiling, geometricError=64, **root)


def test_tiles_follow_availability_in_morton_order_across_subtrees() -> None:
    files = {
        "t.json": document(content={"uri": "c/{level}.{x}.{y}.glb"}, boundingVolume={"box": BOX}),
        # the root and its second and third children; below the latter's fourth corner another subtree
        "s/0.0.0": subtree(bits(1, 0, 1, 1, 0), bits(*[0] * 11, 1, *[0] * 4), bits(0, 0, 1, 0, 0)),
        "s/2.1.3": subtree(bits(1, 1, 0, 0, 0), bits(*[0] * 16), bits(1, 1, 0, 0, 0)),
    }
    tiles = read_tileset(MemorySource(files), "t.json").tiles
    assert [t.uris for t in tiles] == [(), ("c/1.1.0.glb",), (), ("c/2.1.3.glb",), ("c/3.2.6.glb",)]
    assert [t.geometric_error for t in tiles] == [64, 32, 32, 16, 8]
    assert [t.parent for t in tiles] == [-1, 0, 0, 2, 3]
    assert tiles[1].volume["box"] == [4, -4, 0, 4, 0, 0, 0, 4, 0, 0, 0, 8]
    assert tiles[4].volume["box"][:3] == [-3, 5, 0]


def test_octrees_split_heights_too() -> None:
    constant = {"constant": 1}
    plain = {"tileAvailability": constant, "contentAvailability": constant, "childSubtreeAvailability": {"constant": 0}}
    files = {
        "t.json": document("OCTREE", 2, 2, content={"uri": "{level}-{x}{y}{z}.glb"}, boundingVolume={"box": BOX}),
        "s/0.0.0.0": json.dumps(plain).encode(),
    }
    tiles = read_tileset(MemorySource(files), "t.json").tiles
    assert [t.uris[0] for t in tiles] == ["0-000.glb", *(f"1-{n & 1}{n >> 1 & 1}{n >> 2}.glb" for n in range(8))]
    assert [t.volume["box"][2] for t in tiles[1:]] == [-4] * 4 + [4] * 4


@given(st.integers(0, 4), st.data())
def test_children_lie_in_their_parents(level: int, data: st.DataObject) -> None:
    region = {"region": [*np.radians([179.5, 10.0, -179.5, 11.0]).tolist(), 0.0, 100.0]}
    x, y = (data.draw(st.integers(0, 2**level - 1)) for _ in range(2))
    frame = LocalFrame(180.0, 10.5, 0.0)
    for volume in (region, {"box": BOX}):
        whole = bounding_sphere(volume, EYE, frame.inverse)
        part = bounding_sphere(subdivided(volume, (level, x, y, 0), False), EYE, frame.inverse)
        assert np.linalg.norm(part.center - whole.center) <= whole.radius * 1.001
        assert part.radius <= whole.radius * 1.001


def test_several_contents_and_buffers_in_files_of_their_own() -> None:
    found = {
        "buffers": [{"uri": "b.bin", "byteLength": 1}],
        "bufferViews": [{"buffer": 0, "byteLength": 1}],
        "tileAvailability": {"constant": 1},
        "childSubtreeAvailability": {"constant": 0},
        "contentAvailability": [{"bitstream": 0}, {"constant": 1}],
    }
    files = {
        "t.json": document(levels=1, contents=[{"uri": "a{level}.glb"}, {"uri": "b{level}"}]),
        "s/0.0.0": json.dumps(found).encode(),
        "s/b.bin": b"\x00",
        "b0": tileset(content={"uri": "deep.glb"}),
    }
    tiles = read_tileset(MemorySource(files), "t.json").tiles
    assert [t.uris for t in tiles] == [(), ("deep.glb",)]  # the second content is another tileset


def test_metadata_say_more_than_the_place() -> None:
    """The second of two tiles has a volume, an error and heights of its own."""
    number = {"componentType": "FLOAT64"}
    properties = {
        "volume": {"type": "SCALAR", **number, "array": True, "count": 6, "semantic": "TILE_BOUNDING_REGION"},
        "error": {"type": "SCALAR", **number, "semantic": "TILE_GEOMETRIC_ERROR"},
        "top": {"type": "SCALAR", **number, "semantic": "TILE_MAXIMUM_HEIGHT"},
    }
    regions = np.array([(0, 0, 1, 1, 0, 9), (0.5, 0, 1, 0.5, 1, 2)], "<f8")
    columns = [regions.tobytes(), np.array([64, 5], "<f8").tobytes(), np.array([9, 7], "<f8").tobytes()]
    views = [
        {"buffer": 1, "byteOffset": sum(map(len, columns[:n])), "byteLength": len(c)} for n, c in enumerate(columns)
    ]
    found = json.loads(
        subtree(bits(1, 0, 1, 0, 0), bits(*[0] * 16), bits(1, 0, 1, 0, 0))[24:].rpartition(b"}")[0] + b"}"
    )
    found["buffers"] = [{"uri": "a.bin", "byteLength": 24}, {"uri": "m.bin", "byteLength": 128}]
    found["bufferViews"] += views
    table = {name: {"values": 3 + n} for n, name in enumerate(properties)}
    found |= {"propertyTables": [{"class": "t", "count": 2, "properties": table}], "tileMetadata": 0}
    top = json.loads(document(available=2, boundingVolume={"region": [0, 0, 1, 1, 0, 9]}))
    top["schemaUri"] = "schema.json"
    files = {
        "t.json": json.dumps(top).encode(),
        "schema.json": json.dumps({"classes": {"t": {"properties": properties}}}).encode(),
        "s/0.0.0": json.dumps(found).encode(),
        "s/a.bin": b"".join(part.ljust(8, b"\0") for part in (bits(1, 0, 1, 0, 0), bytes(2), bits(1, 0, 1, 0, 0))),
        "s/m.bin": b"".join(columns),
    }
    tiles = read_tileset(MemorySource(files), "t.json").tiles
    assert [t.geometric_error for t in tiles] == [64, 5]
    assert tiles[1].volume == {"region": [0.5, 0, 1, 0.5, 1, 7]}


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"s/0.0.0": b"subt"}, "subtree"),
        ({"s/0.0.0": b"{"}, "subtree"),
        ({"s/0.0.0": b"[]"}, "subtree"),
        ({"s/0.0.0": b"{}"}, "availability"),
        ({"s/0.0.0": subtree(b"", b"")}, "availability bits"),
        ({"t.json": document(levels=0)}, "subtreeLevels"),
        ({"t.json": document(scheme="TRIANGLES")}, "subdivisionScheme"),
        ({"t.json": document(levels=30)}, "levels"),
    ],
)
def test_broken_tilings_are_refused_or_listed(change: dict[str, bytes], match: str) -> None:
    files = {"t.json": document(), "s/0.0.0": subtree(b"\xff", b"\x00\x00"), **change}
    with pytest.raises(FormatError, match=match):
        read_tileset(MemorySource(files), "t.json")
    if "s/0.0.0" in change:
        tree = read_tileset(MemorySource(files), "t.json", allow_missing=True)
        assert [uri for uri, _ in tree.faults] == ["s/0.0.0"]


def test_trees_of_millions_are_refused_before_they_take_memory() -> None:
    full = json.dumps({f"{name}Availability": {"constant": 1} for name in ("tile", "content", "childSubtree")}).encode()
    tiling = {"subdivisionScheme": "OCTREE", "subtreeLevels": 8, "availableLevels": 32, "subtrees": {"uri": "s"}}
    source = MemorySource({"t.json": tileset(implicitTiling=tiling, content={"uri": "{level}"}), "s": full})
    with pytest.raises(FormatError, match="implicit tiles"):
        read_tileset(source, "t.json")


def test_missing_subtrees_leave_the_others() -> None:
    files = {
        "t.json": document(levels=1, content={"uri": "{level}.{x}.{y}.glb"}),
        "s/0.0.0": subtree(bits(1), bits(1, 1, 0, 0), bits(1)),
        "s/1.1.0": subtree(bits(1), bits(0, 0, 0, 0), bits(1)),
    }
    with pytest.raises(StorageError, match=r"s/1\.0\.0"):
        read_tileset(MemorySource(files), "t.json")
    tree = read_tileset(MemorySource(files), "t.json", allow_missing=True)
    assert tree.missing == ("s/1.0.0",)
    assert [t.uris for t in tree.tiles] == [("0.0.0.glb",), (), ("1.1.0.glb",)]


def test_archives_below_a_folder_are_tilesets_too(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "part.3tz", "w") as archive:
        archive.writestr("tileset.json", tileset(content={"uri": "a.glb"}))
        archive.writestr("a.glb", square_glb())
    (tmp_path / "t.json").write_bytes(tileset(content={"uri": "part.3tz"}))
    source = FolderSource(tmp_path)
    tiles = read_tileset(source, "t.json").tiles
    assert [t.uris for t in tiles] == [(), ("part.3tz/a.glb",)]
    assert source.read("part.3tz/a.glb") == square_glb()
    with pytest.raises(StorageError):
        source.read("part.3tz/gone.glb")
