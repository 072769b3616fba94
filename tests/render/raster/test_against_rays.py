"""Depth, labels, perspective-correct texture coordinates and project() against float64 rays."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim.city import Chunk, City, Material
from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from tests.render.rays import cast
from tests.render.scenes import chunk


def terrain(cells: int = 24, seed: int = 0) -> Chunk:
    """A wavy height field of 2 m cells about the origin, uv over the whole, label = triangle + 1."""
    rng = np.random.default_rng(seed)
    axis = np.arange(cells + 1, dtype=np.float64)
    gx, gy = np.meshgrid(axis, axis, indexing="ij")
    z = np.sin(gx * 0.7) + np.cos(gy * 0.5) + rng.uniform(-0.3, 0.3, gx.shape)
    points = np.stack([gx * 2.0 - cells, gy * 2.0 - cells, z], axis=-1).reshape(-1, 3)
    i = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)[None, :]).ravel()
    a, b, c, d = i, i + cells + 1, i + cells + 2, i + 1
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    uvs = np.stack([gx / cells, gy / cells], axis=-1).reshape(-1, 2)
    return chunk(points, faces, uvs, label=np.arange(1, len(faces) + 1), origin=(64.0, -32.0, 16.0))


def ramp() -> NDArray[np.uint8]:
    """Red rises with u, green with v; both end where they begin one texel on, so look away from the seam."""
    steps = np.arange(256, dtype=np.uint8)
    pixels = np.zeros((256, 256, 4), dtype=np.uint8)
    pixels[..., 0], pixels[..., 1], pixels[..., 3] = steps[None, :], steps[:, None], 255
    return pixels


def cameras() -> list[Camera]:
    made = []
    rng = np.random.default_rng(5)
    for number in range(6):
        e, n = rng.uniform(-10, 10, 2)
        pose = Pose(
            64.0 + e, -32.0 + n, 16.0 + 2.6, float(rng.uniform(-math.pi, math.pi)), float(rng.uniform(-0.9, 0.1))
        )
        made.append(Camera(pose, (160, 120), fov_deg=70.0, near_m=(0.05, 0.8, 1.5)[number % 3]))
    made.append(Camera(Pose(64.0, -32.0, 60.0, 0.3, -math.pi / 2), (160, 120), ortho_height_m=40.0))
    made.append(Camera(Pose(60.0, -60.0, 40.0, 1.2, -0.7), (160, 120), ortho_height_m=30.0))
    return made


@pytest.mark.parametrize("camera", cameras())
def test_depth_labels_and_uv_equal_reference_rays(camera: Camera) -> None:
    source = terrain()
    renderer = RasterRenderer(City.in_memory([source], [Material(0, unlit=True)], [ramp()]))
    frame = renderer.render(View(camera, depth=True, labels=True))
    assert frame.depth is not None
    assert frame.labels is not None
    yy, xx = np.mgrid[1:120:5, 1:160:5]
    pixels = np.stack([xx.ravel(), yy.ravel()], axis=1)
    hits = cast(camera, source, pixels)
    depth, labels = frame.depth[pixels[:, 1], pixels[:, 0]], frame.labels[pixels[:, 1], pixels[:, 0]]
    agree = labels == hits.triangle + 1
    assert agree.mean() > 0.995  # the rest lie within the snap of a vertex, 1/512 pixel, of an edge
    hit = agree & (hits.triangle >= 0)
    assert hit.sum() > 100
    assert (np.isinf(depth) == (labels == 0)).all()
    relative = np.abs(depth[hit] - hits.depth[hit]) / hits.depth[hit]
    assert np.quantile(relative, 0.99) < 5e-4
    assert np.median(relative) < 5e-5
    # Where the texture is enlarged or at scale, the linear ramp shows u and v themselves.
    red = frame.rgb[pixels[:, 1], pixels[:, 0]].astype(np.float64)
    inner = hit & (np.abs(hits.uv - 0.5) < 0.4).all(axis=1)
    expected = hits.uv[inner] * 256.0 - 0.5
    shown = _decode(red[inner][:, :2])
    assert np.quantile(np.abs(shown - expected), 0.98) < 3.5  # texels of 256; display bytes resolve 1 to 2 of them
    assert np.median(np.abs(shown - expected)) < 1.0


def _decode(display: NDArray[np.float64]) -> NDArray[np.float64]:
    """Texel bytes that unlit display bytes came from, by inverting the tone table."""
    from citysim.render.raster.tables import fixed_tables

    linear, _, _, tone, _ = fixed_tables()
    shown = tone[np.minimum((linear * 4096.0).astype(np.int64), 16383)].astype(np.float64)
    return np.interp(display, *_unique(shown))


def _unique(shown: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    values, index = np.unique(shown, return_index=True)
    return values, index.astype(np.float64)


@pytest.mark.parametrize("ortho", [None, 12.0])
def test_project_says_where_a_point_appears(ortho: float | None) -> None:
    """A small square around a point lights up the pixel that project() names, at its depth."""
    rng = np.random.default_rng(6)
    for _ in range(20):
        e, n, up, yaw, pitch = (float(v) for v in rng.uniform((-5, -5, -5, -3, -1), (5, 5, 5, 3, 1)))
        pose = Pose(e, n, up, yaw, pitch)
        camera = Camera(pose, (200, 150), ortho_height_m=ortho)
        right, down, forward = camera.rotation
        pixel = rng.uniform((10, 10), (190, 140))
        depth = float(rng.uniform(3, 30))
        scale = 1.0 if ortho else depth
        side = (pixel - (100, 75)) / camera.focal_px * scale
        point = pose.position + side[0] * right + side[1] * down + depth * forward
        projected = camera.project(point[None])[0]
        assert np.allclose(projected, [*pixel, depth], atol=1e-6)
        half = 1.2 * scale / camera.focal_px
        corners = [point - half * right + half * down, point + half * right + half * down]
        corners += [point + half * right - half * down, point - half * right - half * down]
        city = City.in_memory([chunk(np.array(corners), [(0, 1, 2), (0, 2, 3)], label=9)])
        frame = RasterRenderer(city).render(View(camera, depth=True, labels=True))
        assert frame.labels is not None
        assert frame.depth is not None
        ys, xs = np.nonzero(frame.labels == 9)
        assert abs(xs.mean() + 0.5 - pixel[0]) < 0.8
        assert abs(ys.mean() + 0.5 - pixel[1]) < 0.8
        assert np.allclose(frame.depth[ys, xs], depth, rtol=1e-3)
