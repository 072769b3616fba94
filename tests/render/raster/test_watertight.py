"""No leaks and no double pixels: closed meshes from many cameras, inside and out."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim.city import Chunk, City, Material
from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from citysim.render.raster.triangle import fill_opaque
from tests.render.scenes import box, icosphere, reversed_faces

SIZE = (96, 80)


def placed(eye: NDArray[np.float64], yaw: float, pitch: float) -> Pose:
    return Pose(float(eye[0]), float(eye[1]), float(eye[2]), yaw, pitch)


def toward(eye: NDArray[np.float64], target: NDArray[np.float64]) -> Pose:
    d = target - eye
    return placed(eye, math.atan2(d[1], d[0]), math.atan2(d[2], math.hypot(d[0], d[1])))


def silhouette_holes(covered: NDArray[np.bool_]) -> int:
    """Uncovered pixels between covered ones, along rows and along columns."""
    rows = np.maximum.accumulate(covered, axis=1) & np.maximum.accumulate(covered[:, ::-1], axis=1)[:, ::-1]
    columns = np.maximum.accumulate(covered, axis=0) & np.maximum.accumulate(covered[::-1], axis=0)[::-1]
    return int((rows & columns & ~covered).sum())


@pytest.mark.parametrize("source", [icosphere(1.0, 3), box((-0.7, -0.5, -0.6), (0.6, 0.8, 0.7))])
def test_outside_a_closed_convex_mesh_no_pixel_leaks(source: Chunk) -> None:
    renderer = RasterRenderer(City.in_memory([source]))
    rng = np.random.default_rng(1)
    for _ in range(500):
        direction = rng.normal(size=3)
        eye = direction / np.linalg.norm(direction) * rng.uniform(1.4, 6.0)
        pose = toward(eye, rng.uniform(-0.3, 0.3, 3))
        frame = renderer.render(View(Camera(pose, SIZE, fov_deg=float(rng.uniform(15, 110))), depth=True))
        assert frame.depth is not None
        covered = np.isfinite(frame.depth)
        assert covered.any()
        assert silhouette_holes(covered) == 0


@pytest.mark.parametrize("ortho", [False, True])
def test_inside_a_closed_mesh_every_pixel_is_covered(ortho: bool) -> None:
    renderer = RasterRenderer(City.in_memory([reversed_faces(icosphere(1.0, 3))]))
    rng = np.random.default_rng(2)
    for _ in range(500):
        eye = rng.uniform(-0.3, 0.3, 3)
        pose = placed(eye, float(rng.uniform(-math.pi, math.pi)), float(rng.uniform(-1.5, 1.5)))
        camera = Camera(
            pose, SIZE, fov_deg=float(rng.uniform(10, 150)), near_m=0.01, ortho_height_m=0.5 if ortho else None
        )
        frame = renderer.render(View(camera, depth=True, labels=True))
        assert frame.depth is not None
        assert frame.labels is not None
        assert np.isfinite(frame.depth).all()
        assert (frame.labels > 0).all()


def test_near_plane_cuts_leave_no_gap_beside_uncut_triangles() -> None:
    """A camera almost touching the inside of a finely cut room: many triangles cross the near plane."""
    renderer = RasterRenderer(City.in_memory([reversed_faces(icosphere(1.0, 4))]))
    rng = np.random.default_rng(3)
    for _ in range(100):
        direction = rng.normal(size=3)
        eye = direction / np.linalg.norm(direction) * 0.90
        pose = placed(eye, float(rng.uniform(-math.pi, math.pi)), float(rng.uniform(-1.2, 1.2)))
        frame = renderer.render(View(Camera(pose, SIZE, fov_deg=120.0, near_m=0.012), depth=True))
        assert frame.depth is not None
        assert np.isfinite(frame.depth).all()


def test_a_fan_of_triangles_covers_each_pixel_exactly_once() -> None:
    """Counts fills of the scan converter itself, which the depth test would hide."""
    rng = np.random.default_rng(4)
    for _ in range(60):
        points = rng.integers(0, 64 * 256, (40, 2))
        from scipy.spatial import Delaunay

        corners = np.array([[-999, -999], [64 * 256 + 999, -999], [-999, 64 * 256 + 999], [64 * 256 + 999] * 2])
        points = np.unique(np.vstack([corners, points]), axis=0)
        count = np.zeros(64 * 64, dtype=np.int64)
        for simplex in Delaunay(points).simplices:
            (ax, ay), (bx, by), (cx, cy) = (tuple(int(v) for v in points[k]) for k in simplex)
            det = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
            if det < 0:
                bx, by, cx, cy, det = cx, cy, bx, by, -det
            nearness, record = np.zeros(64 * 64, dtype=np.float32), np.full(64 * 64, -1, dtype=np.int32)
            px0, px1 = max((min(ax, bx, cx) + 127) >> 8, 0), min((max(ax, bx, cx) - 128) >> 8, 63)
            py0, py1 = max((min(ay, by, cy) + 127) >> 8, 0), min((max(ay, by, cy) - 128) >> 8, 63)
            if px0 <= px1 and py0 <= py1:
                won = fill_opaque(
                    ax, ay, bx, by, cx, cy, det, 1.0, 0.5, 0.25, px0, px1, py0, py1, 64, nearness, record, 7
                )
                assert won == (record == 7).sum()
            count += record == 7
        assert (count == 1).all()


def test_materials_default_to_one_side() -> None:
    """From inside, an ordinary closed mesh is not there; a double-sided one is."""
    view = View(Camera(Pose(0.0, 0.0, 0.0), SIZE, near_m=0.01), depth=True)
    one = RasterRenderer(City.in_memory([icosphere()])).render(view)
    both = RasterRenderer(City.in_memory([icosphere()], [Material(double_sided=True)])).render(view)
    assert one.depth is not None
    assert both.depth is not None
    assert np.isinf(one.depth).all()
    assert np.isfinite(both.depth).all()
