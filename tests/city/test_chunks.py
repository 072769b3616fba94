import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.city import Chunk
from citysim.city.chunks import chunk_of, empty_chunk, geometry_digest, pack, unpack


def chunk(vertices: int, triangles: int) -> Chunk:
    random = np.random.default_rng(vertices * 100 + triangles)
    return Chunk(
        np.array([3.0, -4.0, 5.5]),
        (random.integers(-9999, 9999, (vertices, 3)) / 1024.0).astype(np.float32),
        random.random((vertices, 2)).astype(np.float32),
        random.integers(0, 256, (vertices, 4), dtype=np.uint8),
        random.integers(0, max(vertices, 1), (triangles, 3), dtype=np.int32),
        random.integers(0, 9, triangles, dtype=np.int32),
        random.integers(0, 9, triangles, dtype=np.int32),
    )


@given(st.integers(0, 20), st.integers(0, 20))
def test_pack_and_unpack(vertices: int, triangles: int) -> None:
    before = chunk(vertices, triangles if vertices else 0)
    after = unpack(pack(before))
    assert after is not None
    for name in Chunk.__slots__:
        old, new = getattr(before, name), getattr(after, name)
        assert old.dtype == new.dtype
        assert old.shape == new.shape
        assert np.array_equal(old, new)


@given(st.data())
def test_any_damage_is_noticed(data: st.DataObject) -> None:
    good = pack(chunk(7, 5))
    bad = good.copy()
    position = data.draw(st.integers(0, len(bad) - 1))
    bad[position] ^= data.draw(st.integers(1, 255))
    assert unpack(bad) is None
    assert unpack(good[: data.draw(st.integers(0, len(good) - 1))]) is None


def test_digest_sees_places_faces_and_labels_only() -> None:
    base = chunk(9, 6)
    same = Chunk(
        base.origin, base.positions, base.uvs * 2, base.colors, base.triangles, base.materials + 1, base.labels
    )
    assert geometry_digest(same) == geometry_digest(base)
    moved = base.positions + np.float32(1.0)
    shifted = Chunk(base.origin - 1.0, moved, base.uvs, base.colors, base.triangles, base.materials, base.labels)
    assert geometry_digest(shifted) == geometry_digest(base)  # the same places from another origin
    other = Chunk(base.origin, base.positions, base.uvs, base.colors, base.triangles, base.materials, base.labels + 1)
    assert geometry_digest(other) != geometry_digest(base)


def test_no_meshes_make_an_empty_chunk() -> None:
    made = chunk_of([], lambda _: 0, lambda features: features)
    assert made.triangles.shape == empty_chunk().triangles.shape == (0, 3)


def test_meshes_are_joined_in_order() -> None:
    trimesh = pytest.importorskip("trimesh")
    meshes = []
    for number in range(2):
        corner = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=float) + np.array([1000.0 * number, 0, 0])
        extra = {
            "uv": np.full((3, 2), number / 2), "color": np.full((3, 4), 7, np.uint8), "feature": np.full(3, number - 1),
        }  # fmt: skip
        meshes.append(
            trimesh.Trimesh(
                corner, [(0, 1, 2)], process=False, vertex_attributes=extra, metadata={"surface": str(number)}
            )
        )
    made = chunk_of(meshes, lambda surface: 10 + int(str(surface)), lambda features: features + 1)
    assert made.origin.tolist() == [500.0, 0.0, 0.0]
    assert made.triangles.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert made.materials.tolist() == [10, 11]
    assert made.labels.tolist() == [0, 1]
    assert (made.positions + made.origin)[3].tolist() == [1000.0, 0.0, 0.0]
    assert made.uvs[:, 0].tolist() == [0.0] * 3 + [0.5] * 3
