import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citysim.build.placing import place_tileset
from citysim.errors import CitySimError, FormatError, StorageError
from citysim.geo.store import MemorySource
from citysim.geo.tileset import read_tileset
from citysim.geo.volumes import bounding_sphere
from tests.geo.content.samples import square_glb, tileset

BOX = {"boundingVolume": {"box": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]}, "geometricError": 0}


def shift(e: float, n: float, u: float) -> list[float]:
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, e, n, u, 1]


def child(uri: str | None = None, **extra: Any) -> dict[str, Any]:
    return {**BOX, **({"content": {"uri": uri}} if uri else {}), **extra}


def test_tree_is_flat_with_parents_first() -> None:
    document = tileset(
        content={"uri": "r.glb"}, refine="add", children=[child("a.glb", children=[child("b.glb")]), child("c.glb")]
    )
    found = read_tileset(MemorySource({"tileset.json": document}), "tileset.json").tiles
    assert [t.uris for t in found] == [("r.glb",), ("a.glb",), ("b.glb",), ("c.glb",)]
    assert [t.parent for t in found] == [-1, 0, 1, 0]
    assert found[0].children == [1, 3]
    assert {t.refine for t in found} == {"ADD"}


def test_transforms_accumulate_across_external_tilesets() -> None:
    files = {
        "tileset.json": tileset(
            transform=shift(100, 0, 0), children=[child("sub/tileset.json", transform=shift(0, 10, 0))]
        ),
        "sub/tileset.json": tileset(transform=shift(0, 0, 1), children=[child("../a.glb")]),
    }
    found = read_tileset(MemorySource(files), "tileset.json")
    assert found.tiles[-1].uris == ("a.glb",)
    assert found.tiles[-1].matrix[:3, 3].tolist() == [100, 10, 1]
    assert found.documents == ("tileset.json", "sub/tileset.json")
    assert found.tiles[1].uris == ()


def test_external_tilesets_inherit_refinement_and_up_axis() -> None:
    top = json.loads(tileset(refine="ADD", children=[child("e.json")]))
    top["asset"]["gltfUpAxis"] = "Z"
    files = {"t.json": json.dumps(top).encode(), "e.json": tileset(content={"url": "a.b3dm"})}
    last = read_tileset(MemorySource(files), "t.json").tiles[-1]
    assert (last.refine, last.up_axis, last.uris) == ("ADD", "Z", ("a.b3dm",))


def test_several_contents_and_unnamed_kinds() -> None:
    files = {
        "t.json": tileset(contents=[{"uri": "a.glb"}, {"uri": "noextension"}, {"uri": "other"}, {}]),
        "noextension": square_glb(),
        "other": tileset(content={"uri": "deep.glb"}),
    }
    found = read_tileset(MemorySource(files), "t.json").tiles
    assert [t.uris for t in found] == [("a.glb", "noextension"), ("deep.glb",)]


def test_cycles_are_refused() -> None:
    files = {"a.json": tileset(children=[child("b.json")]), "b.json": tileset(children=[child("a.json")])}
    with pytest.raises(FormatError, match="cycle"):
        read_tileset(MemorySource(files), "a.json")


def test_missing_external_tilesets_are_named_or_listed() -> None:
    source = MemorySource({"t.json": tileset(children=[child("gone.json"), child("a.glb")])})
    with pytest.raises(StorageError, match=r"gone\.json"):
        read_tileset(source, "t.json")
    found = read_tileset(source, "t.json", allow_missing=True)
    assert found.missing == ("gone.json",)
    assert found.tiles[-1].uris == ("a.glb",)


@pytest.mark.parametrize(
    ("document", "match"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"[]", "root"),
        (b"\xff\xfe{}", "JSON"),
        (b"[" * 100000, "JSON"),
        (tileset(boundingVolume=None), "boundingVolume"),
        (tileset(refine="MIX"), "refine"),
        (tileset(geometricError=-1), "geometricError"),
        (tileset(transform=[1, 2]), "transform"),
        (tileset(children={}), "children"),
        (tileset(children=[7]), "JSON objects"),
        (tileset(implicitTiling={}), "implicit"),
        (tileset(content={"uri": "../up.glb"}), "below"),
        (json.dumps({**json.loads(tileset()), "extensionsRequired": ["X_new"]}).encode(), "X_new"),
    ],
)
def test_broken_documents_are_refused(document: bytes, match: str) -> None:
    with pytest.raises(FormatError, match=match):
        read_tileset(MemorySource({"t.json": document}), "t.json")


def test_matrix_is_column_major() -> None:
    document = tileset(transform=[0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1])
    matrix = read_tileset(MemorySource({"t.json": document}), "t.json").tiles[0].matrix
    assert (matrix @ np.array([1, 0, 0, 1])).tolist() == [5, 7, 7, 1]


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 10**30), st.floats(), st.text(max_size=4), st.just([]), st.just({}),
    st.sampled_from(["t.json", "e.json", "a.glb", "../a", "data:,{", "http://[", "https://h/x"]),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_documents_with_junk_in_them_never_crash(data: st.DataObject) -> None:
    top = json.loads(
        tileset(transform=shift(1, 2, 3), content={"uri": "a.glb"}, children=[child("e.json"), child("x")])
    )
    top["root"]["contents"] = [{"uri": "b.glb"}]
    spots = list(_spots(top))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(spots))
        holder[key] = data.draw(JUNK)
    files = {"t.json": json.dumps(top).encode(), "e.json": tileset(), "x": b"", "a.glb": square_glb()}
    source = MemorySource(files)
    try:
        tree = read_tileset(source, "t.json")
        placing = place_tileset(source, tree)
        for node in tree.tiles:
            bounding_sphere(node.volume, node.matrix, placing.frame.inverse)
    except CitySimError:
        pass


def _spots(value: Any) -> Any:
    """Every (container, key) in nested JSON."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from _spots(inner)
