"""Camera geometry: pixels to places and back, for every lens; matrices say the same as the functions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from citysim.errors import InputError
from citysim.pose import Pose
from citysim.render.base import MAX_SIZE, Camera

metres = st.floats(-5000.0, 5000.0)
poses = st.builds(
    Pose.from_heading, metres, metres, st.floats(-50.0, 500.0), st.floats(0.0, 360.0), st.floats(-90.0, 90.0)
)
sizes = st.tuples(st.integers(1, 2000), st.integers(1, 2000))
cameras = st.one_of(
    st.builds(Camera, poses, sizes, st.floats(1.0, 170.0)),
    st.builds(Camera, poses, sizes, ortho_height_m=st.floats(1.0, 5000.0)),
    st.builds(lambda pose, height: Camera(pose, (2 * height, height), panorama=True), poses, st.integers(1, 1000)),
)


@given(cameras, st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.floats(0.1, 3000.0))
@settings(max_examples=300, deadline=None)
def test_a_pixel_and_a_depth_make_a_point_that_projects_there(camera: Camera, x: float, y: float, depth: float) -> None:
    pixel = np.array([x * camera.size[0], y * camera.size[1]])
    point = camera.unproject(pixel, depth)
    assert point.shape == (3,)
    seen = camera.project(point)
    stretch = 1.0 if camera.panorama else max(1.0, float(np.linalg.norm(camera.rays(pixel)[1])))
    assert seen[2] == pytest.approx(depth, rel=1e-9, abs=1e-8 * stretch)
    pole = max(1.0 / math.cos((y - 0.5) * math.pi), 1.0) if camera.panorama else 1.0
    assert np.abs(seen[:2] - pixel).max() < 1e-6 * camera.focal_px * stretch * pole / min(depth, 1.0) + 1e-6


@given(cameras, st.tuples(metres, metres, metres))
@example(Camera(Pose(0.0, 0.0, 1.0, 0.0, 2e-310), (1, 1), 1.0), (0.0, 0.0, 0.0))  # a depth too small to divide by
@settings(max_examples=300, deadline=None)
def test_a_point_in_front_projects_to_a_pixel_that_unprojects_to_it(
    camera: Camera, point: tuple[float, float, float]
) -> None:
    x, y, depth = camera.project(point)
    if depth < 0.1 or (camera.ortho_height_m is None and not camera.panorama and math.hypot(x, y) > 1e6):
        return
    assert np.abs(camera.unproject((x, y), depth) - point).max() < 1e-4


@given(cameras, st.tuples(metres, metres, metres))
@settings(max_examples=200, deadline=None)
def test_matrices_say_what_project_says(camera: Camera, point: tuple[float, float, float]) -> None:
    right, down, forward, one = camera.extrinsics @ (*point, 1.0)
    assert one == 1.0
    if math.hypot(right, forward) < 0.5:  # nearly at the eye or a pole, where angles are rounding
        return
    if camera.panorama and forward < 0.0 and abs(right) < 1e-6:  # on the seam, where left and right edge are one place
        return
    assert camera.camera_to_world @ camera.extrinsics == pytest.approx(np.eye(4), abs=1e-7)
    if camera.panorama:
        column = (math.atan2(right, forward), math.atan2(down, math.hypot(right, forward)), 1.0)
    elif camera.ortho_height_m is not None:
        column = (right, down, 1.0)
    elif forward > 0.5:
        column = (right / forward, down / forward, 1.0)
    else:
        return
    assert (camera.intrinsics @ column)[:2] == pytest.approx(camera.project(point)[:2], rel=1e-6, abs=1e-5)


def test_batches_and_single_points_agree() -> None:
    camera = Camera(Pose.from_heading(3, 4, 5, 120, -10), (64, 48))
    points = camera.unproject([(1.5, 2.5), (40.0, 30.0)], [10.0, 20.0])
    assert points.shape == (2, 3)
    assert camera.project(points)[1] == pytest.approx(camera.project(points[1]))


def test_the_middle_of_a_panorama_looks_along_the_heading() -> None:
    camera = Camera(Pose.from_heading(0, 0, 0, 90), (400, 200), panorama=True)  # east
    assert camera.project((10.0, 0.0, 0.0)) == pytest.approx((200.0, 100.0, 10.0))
    assert camera.project((0.0, -10.0, 0.0)) == pytest.approx((300.0, 100.0, 10.0))  # south is a quarter to the right
    assert camera.project((0.0, 0.0, 7.0))[1:] == pytest.approx((0.0, 7.0))  # the zenith is the upper edge


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": (0, 10)}, {"size": (10, MAX_SIZE + 1)}, {"size": (-4, 3)}, {"fov_deg": 0.0}, {"fov_deg": math.nan},
        {"fov_deg": 180.0}, {"pose": Pose(math.nan, 0, 0)}, {"pose": Pose(0, 0, math.inf)},
        {"pose": Pose(0, 0, 0, math.nan)}, {"pose": Pose(0, 0, 0, 0, math.nan)}, {"ortho_height_m": 0.0},
        {"ortho_height_m": math.nan}, {"ortho_height_m": -5.0}, {"panorama": True},
        {"near_m": math.nan}, {"near_m": 0.0}, {"near_m": -1.0}, {"near_m": 5.0, "far_m": 4.0}, {"far_m": math.inf},
        {"size": (3.5, 2)},
        {"panorama": True, "size": (20, 10), "ortho_height_m": 5.0},
    ],
)  # fmt: skip
def test_impossible_cameras_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        replace(Camera(Pose(0, 0, 0)), **wrong)  # type: ignore[arg-type]
