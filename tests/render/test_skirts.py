"""No sky between tiles of different detail: a scan's borders that do not meet are closed by skirts."""

import dataclasses

import numpy as np
import pytest

from citysim.city import Chunk, City, Tile
from citysim.errors import DependencyError
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Camera, Frame, View
from citysim.render.skirts import skirt_depth, with_skirt

SIDE = 40.0


def sheet(west: float, steps: int, label: int, seed: int) -> Chunk:
    """A piece of rough ground, SIDE x SIDE, whose roughness depends on `steps`: its border fits no other level's."""
    line = np.linspace(0.0, SIDE, steps + 1)
    east, north = np.meshgrid(line + west, line)
    up = 0.6 * np.random.default_rng(seed + steps).uniform(-1.0, 1.0, east.shape)
    positions = np.stack([east, north, up], axis=-1).reshape(-1, 3).astype(np.float32)
    at = (np.arange(steps)[:, None] * (steps + 1) + np.arange(steps)).ravel()
    triangles = np.concatenate(
        [np.stack([at, at + 1, at + steps + 2], axis=1), np.stack([at, at + steps + 2, at + steps + 1], axis=1)]
    )
    count = len(triangles)
    return Chunk(
        np.zeros(3), positions, np.zeros((len(positions), 2), np.float32), np.full((len(positions), 4), 255, np.uint8),
        triangles.astype(np.int32), np.zeros(count, np.int32), np.full(count, label, np.int32),
    )  # fmt: skip


def scan(seams: bool) -> City:
    """A fine sheet beside a coarse one, both children of a tile that is 1 m off."""
    chunks = [sheet(0.0, 3, 1, 0), sheet(0.0, 16, 1, 0), sheet(SIDE, 5, 2, 1)]
    city = City.in_memory(chunks)
    middle = np.array([SIDE, SIDE / 2, 0.0])
    tiles = (
        dataclasses.replace(city.tiles[0], refine="REPLACE", children=(1, 2), geometric_error=9.0, center=middle),
        dataclasses.replace(city.tiles[1], parent=0, refine="REPLACE"),
        dataclasses.replace(city.tiles[2], parent=0, refine="REPLACE"),
    )
    return dataclasses.replace(city, tiles=tiles, seams=seams)


def from_above(width: int = 400) -> Camera:
    """Slanting down across the border, with nothing but ground in the picture."""
    return Camera(Pose(20.0, SIDE / 2, 14.0, 0.1, -0.66), (width, width), fov_deg=40.0)


def _drawn(name: str, seams: bool) -> Frame:
    try:
        renderer = make_renderer(name, scan(seams))
    except DependencyError as error:
        pytest.skip(f"needs EGL: {error}")
    try:
        return renderer.render(View(from_above(), depth=True, labels=True))
    finally:
        renderer.close()


@pytest.mark.parametrize("name", ["raster", "gl"])
def test_skirts_close_the_border_between_levels(name: str) -> None:
    bare, closed = (_drawn(name, seams) for seams in (False, True))
    assert bare.depth is not None
    assert closed.depth is not None
    assert bare.labels is not None
    assert closed.labels is not None
    holes = ~np.isfinite(bare.depth)
    assert 50 < holes.sum() < 20000
    assert np.isfinite(closed.depth).all()
    assert set(np.unique(closed.labels[holes]).tolist()) <= {1, 2}
    # what was seen before is seen as it was, but for the strip itself
    same = closed.labels[~holes] == bare.labels[~holes]
    assert same.mean() > 0.98


def test_a_skirt_hangs_on_open_edges_only_and_behind_the_surface() -> None:
    plain = sheet(0.0, 4, 7, 3)
    flat = dataclasses.replace(plain, positions=plain.positions * np.array([1, 1, 0], np.float32))
    made = with_skirt(flat, 0.5)
    strips = made.triangles[len(flat.triangles) :]
    assert len(strips) == 16 * 4  # 16 border edges, two triangles each, both sides
    assert np.allclose(np.unique(made.positions[len(flat.positions) :, 2]), -0.5)
    assert (made.labels == 7).all()
    assert with_skirt(made, 0.5) is made  # nothing is open any more


def test_broken_triangles_have_no_skirt() -> None:
    plain = sheet(0.0, 1, 1, 3)
    triangles = np.array([[0, 1, 900], [-1, 0, 1], [2, 2, 2], [0, 1, 3]], dtype=np.int32)
    positions = plain.positions.copy()
    positions[3, 2] = np.nan
    broken = dataclasses.replace(
        plain, triangles=triangles, positions=positions, materials=np.zeros(4, np.int32), labels=np.zeros(4, np.int32)
    )
    made = with_skirt(broken, 1.0)
    assert np.isfinite(made.positions[: len(positions)]).sum() == np.isfinite(positions).sum()
    assert made.triangles[4:].max() < len(made.positions)


def test_a_tile_without_other_levels_has_no_skirt() -> None:
    tile = Tile(0, "memory:0", -1, (), "ADD", 0.0, np.zeros(3), 30.0, True)
    city = dataclasses.replace(City.in_memory([sheet(0.0, 2, 1, 0)]), tiles=(tile,), seams=True)
    assert skirt_depth(city, 0) == 0.0
    assert 0.0 < skirt_depth(scan(True), 1) <= 0.04 * scan(True).tiles[1].radius
