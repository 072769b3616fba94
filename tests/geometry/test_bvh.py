"""Hierarchies: complete, tight enough, cached by content."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.geometry.bvh import LEAF_TRIANGLES, Bvh, build_bvh, soup, triangle_key
from citysim.geometry.bvhcache import cached_bvh, read_bvh
from citysim.geometry.scene import TriangleScene
from tests.geometry.soups import random_soup

ORIGIN = np.array([1000.0, -2000.0, 3.0])


def reached(bvh: Bvh) -> list[int]:
    """Rows of `corners` that the root leads to, every box on the way holding what is below it."""
    world = bvh.corners.reshape(-1, 3, 3).astype(np.float64) + bvh.origin

    def descend(link: int, low: NDArray[np.float64], high: NDArray[np.float64]) -> list[int]:
        if link < 0:
            begin, number = (-1 - link) >> 3, (-1 - link) & 7
            assert number <= LEAF_TRIANGLES
            part = world[begin : begin + number]
            assert (part >= low).all()
            assert (part <= high).all()
            return list(range(begin, begin + number))
        rows = []
        for side in range(2):
            box = bvh.boxes[link, 6 * side : 6 * side + 6].astype(np.float64)
            rows += descend(int(bvh.links[link, side]), np.maximum(low, box[:3]), np.minimum(high, box[3:]))
        return rows

    return descend(bvh.root, np.full(3, -np.inf), np.full(3, np.inf))


@pytest.mark.parametrize("count", [0, 1, 4, 5, 7, 500, 3000])
def test_the_root_leads_to_every_triangle_once_within_boxes(count: int) -> None:
    corners = random_soup(count, count)
    bvh = build_bvh(ORIGIN, corners)
    assert sorted(reached(bvh)) == list(range(count))
    assert sorted(bvh.ids.tolist()) == list(range(count))
    assert (bvh.corners == corners[bvh.ids]).all()


def test_triangles_on_one_spot_make_a_shallow_tree() -> None:
    corners = np.repeat(random_soup(1, 3), 5000, axis=0)
    assert sorted(reached(build_bvh(ORIGIN, corners))) == list(range(5000))
    # Sizes that fall off geometrically: each bin would split off one triangle.
    scales = (0.5 ** np.arange(120)).astype(np.float32)
    corners = np.outer(scales, np.array([0, 0, 0, 1, 0, 0, 0, 1, 0])).astype(np.float32) * np.float32(1e5)
    bvh = build_bvh(np.zeros(3), corners)
    assert sorted(reached(bvh)) == list(range(len(bvh.ids)))


def test_triangles_without_area_are_left_out() -> None:
    positions = np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 2, 0)], np.float32)
    triangles = np.array([(0, 1, 2), (1, 1, 3), (0, 2, 3)], np.int32)
    assert build_bvh(np.zeros(3), soup(positions, triangles)).ids.tolist() == [2]


def test_the_cache_gives_the_same_mapped_and_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path))
    corners = random_soup(700, 1)
    built = build_bvh(ORIGIN, corners)
    cached_bvh(ORIGIN, corners)
    (path,) = tmp_path.rglob("*.bvh")
    before = path.stat().st_mtime_ns
    found = cached_bvh(ORIGIN, corners)
    assert path.stat().st_mtime_ns == before
    assert not found.corners.flags.writeable
    for name in ("origin", "corners", "ids", "boxes", "links", "bounds"):
        assert np.array_equal(getattr(built, name), getattr(found, name)), name
    assert (built.root, built.key) == (found.root, found.key)
    assert built.key == triangle_key(ORIGIN, corners) != triangle_key(ORIGIN + 1.0, corners)


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other"])
def test_a_damaged_entry_is_built_again(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path))
    corners = random_soup(700, 2)
    good = build_bvh(ORIGIN, corners)
    cached_bvh(ORIGIN, corners)  # not kept: cutting a mapped file pulls the ground from under it
    (path,) = tmp_path.rglob("*.bvh")
    raw = bytearray(path.read_bytes())
    if damage == "flip":
        raw[len(raw) // 2] ^= 1
    elif damage == "other":
        raw[16] ^= 1
    path.write_bytes(raw[: {"cut": len(raw) - 1, "empty": 0}.get(damage, len(raw))])
    assert read_bvh(path, good.key) is None
    again = cached_bvh(ORIGIN, corners)
    assert np.array_equal(again.corners, good.corners)
    assert read_bvh(path, good.key) is not None


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "file"))
    assert len(cached_bvh(ORIGIN, random_soup(700, 3)).ids) == 700


def test_a_scene_refuses_unknown_slots() -> None:
    with pytest.raises(InputError, match="slot"):
        TriangleScene().remove(0)
