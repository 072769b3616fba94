"""Panoramas: the right way round, without seams, with depth, labels and normals that agree with other views."""

import numpy as np
import pytest

from citysim.city import City
from citysim.conditions import Conditions
from citysim.pose import Pose
from citysim.render.base import Camera, Frame, View
from citysim.render.panorama import remap
from citysim.render.raster import RasterRenderer
from tests.render.scenes import box, merge, quad, street


@pytest.fixture(scope="module")
def renderer() -> RasterRenderer:
    return RasterRenderer(street())


def draw(renderer: RasterRenderer, pose: Pose, height: int = 256) -> tuple[Camera, Frame]:
    camera = Camera(pose, (2 * height, height), panorama=True)
    return camera, renderer.render(View(camera, depth=True, labels=True, normals=True))


@pytest.mark.parametrize("pitch", [0.0, 25.0, -90.0])
def test_every_pixel_is_filled_once(pitch: float) -> None:
    filled = np.concatenate([patch.pixels for patch in remap(50, np.radians(pitch))])
    assert (np.sort(filled) == np.arange(50 * 100)).all()


def test_each_pixel_shows_what_a_camera_looking_there_shows(renderer: RasterRenderer) -> None:
    camera, frame = draw(renderer, Pose.from_heading(0, -3, 1.6, 80, 10))
    assert frame.depth is not None
    assert frame.labels is not None
    rng = np.random.default_rng(3)
    same = 0
    for x, y in rng.integers((0, 20), (512, 236), (60, 2)).tolist():
        _, ray = camera.rays((x + 0.5, y + 0.5))
        pose = Pose(0, -3, 1.6, float(np.arctan2(ray[1], ray[0])), float(np.arcsin(ray[2])))
        there = renderer.render(View(Camera(pose, (41, 41), 8.0), depth=True, labels=True))
        assert there.depth is not None
        assert there.labels is not None
        near = there.depth[17:24, 17:24]  # the nearest pixel of a face lies up to half of one of its pixels away
        same += (
            bool(
                (np.isinf(near).any() and np.isinf(frame.depth[y, x]))
                or near.min() - 0.05 <= frame.depth[y, x] <= near.max() + 0.05
            )
            and frame.labels[y, x] in there.labels[17:24, 17:24]
        )
    assert same >= 58


def test_no_seams(renderer: RasterRenderer) -> None:
    """Neighbours on two faces differ no more than theirs do, on sky and ground."""
    _, frame = draw(renderer, Pose.from_heading(0, -3, 1.6, 35))
    assert frame.labels is not None
    assert frame.normals is not None
    faces = np.zeros(512 * 256, dtype=np.int64)
    for face, patch in enumerate(remap(256, 0.0)):
        faces[patch.pixels] = face
    number = faces.reshape(256, 512)
    rgb, kind = frame.rgb.astype(int), frame.labels
    seams, others = [], []
    for axis in (0, 1):
        step = np.abs(np.roll(rgb, -1, axis) - rgb).max(axis=2)
        normal = np.abs(np.roll(frame.normals, -1, axis) - frame.normals).max(axis=2)
        same = (np.roll(kind, -1, axis) == kind) & (normal < 1e-3) & (np.abs(frame.normals[..., :2]).max(axis=2) < 0.1)
        smooth = np.logical_and.reduce([np.roll(same, shift, axis) for shift in (-2, -1, 0, 1, 2)])
        if axis == 0:
            smooth[:3], smooth[-3:] = False, False  # the poles are no neighbours; the left and right edges are
        border = smooth & (np.roll(number, -1, axis) != number)
        seams.append(step[border])
        others += [np.roll(step, shift, axis)[border] for shift in (-2, 2)]
    seam, other = np.concatenate(seams), np.concatenate(others)
    assert len(seam) > 700
    assert seam.mean() <= 1.1 * other.mean() + 0.25
    assert np.percentile(seam, 95) <= np.percentile(other, 95) + 2


def test_depth_is_the_distance_to_the_eye() -> None:
    room = box((-3, -4, -2), (5, 6, 3))
    inside = City.in_memory([merge([room])])
    for chunk in [inside.chunk(0)]:
        chunk.triangles[:] = chunk.triangles[:, ::-1]
    camera, frame = draw(RasterRenderer(inside), Pose.from_heading(0, 0, 0, 17, 8))
    assert frame.depth is not None
    assert frame.normals is not None
    y, x = np.mgrid[0:256, 0:512]
    _, rays = camera.rays(np.stack([x + 0.5, y + 0.5], axis=-1))
    walls = np.where(rays > 0, (5.0, 6.0, 3.0), (-3.0, -4.0, -2.0)) / rays
    true = walls.min(axis=2)
    assert np.percentile(np.abs(frame.depth - true) / true, 99) < 0.01
    assert np.isfinite(frame.depth).all()
    away = np.take_along_axis(np.sign(rays), walls.argmin(axis=2)[..., None], axis=2)[..., 0]
    seen = np.take_along_axis(frame.normals, walls.argmin(axis=2)[..., None], axis=2)[..., 0]
    assert (seen == -away).mean() > 0.99


def test_left_and_right_edges_meet_and_turning_shifts(renderer: RasterRenderer) -> None:
    _, first = draw(renderer, Pose.from_heading(0, -3, 1.6, 0))
    _, turned = draw(renderer, Pose.from_heading(0, -3, 1.6, 90))
    shifted = np.roll(first.rgb, -128, axis=1).astype(int)
    assert np.percentile(np.abs(shifted - turned.rgb).max(axis=2), 98) <= 6


def test_the_pole_is_the_sky_and_fog_reaches_everywhere() -> None:
    ground = quad([(-50, -50, 0), (50, -50, 0), (50, 50, 0), (-50, 50, 0)])
    renderer = RasterRenderer(City.in_memory([ground]))
    camera = Camera(Pose(0, 0, 1.6), (64, 32), panorama=True)
    frame = renderer.render(View(camera, Conditions(weather="fog"), depth=True))
    assert frame.depth is not None
    assert np.isinf(frame.depth[0]).all()
    assert frame.depth[-1] == pytest.approx(1.6, abs=0.02)


def test_the_same_bytes_again(renderer: RasterRenderer) -> None:
    a, b = (draw(renderer, Pose.from_heading(0, -3, 1.6, 80, 10), 64)[1] for _ in range(2))
    assert a.rgb.tobytes() == b.rgb.tobytes()


def test_small_panoramas() -> None:
    renderer = RasterRenderer(street())
    for height in (1, 2, 3, 17):
        _, frame = draw(renderer, Pose.from_heading(0, -3, 1.6, 80), height)
        assert frame.rgb.shape == (height, 2 * height, 3)
