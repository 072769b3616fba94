"""The OpenGL renderer shows what the raster renderer shows."""

from collections.abc import Iterator

import numpy as np
import pytest

from citysim.conditions import Conditions
from citysim.errors import DependencyError
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Camera, Renderer, View
from citysim.render.raster import RasterRenderer
from tests.render.scenes import street


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Renderer, Renderer]]:
    city = street()
    try:
        gl = make_renderer("gl", city)
    except DependencyError as error:
        pytest.skip(f"needs an EGL driver: {error}")
    raster = RasterRenderer(city)
    yield raster, gl
    raster.close()
    gl.close()
    gl.close()


CAMERAS = {
    "street": Camera(Pose.from_heading(0, -3, 1.6, 80), (320, 240)),
    "up": Camera(Pose.from_heading(10, 2, 1.6, 250, 20), (240, 320), fov_deg=80),
    "above": Camera(Pose.from_heading(0, 0, 150, 30, -90), (200, 150), ortho_height_m=60),
}


@pytest.mark.parametrize("name", CAMERAS)
@pytest.mark.parametrize("conditions", [Conditions(), Conditions(clock_s=66600.0, weather="fog")], ids=["day", "fog"])
def test_both_renderers_agree(both: tuple[Renderer, Renderer], name: str, conditions: Conditions) -> None:
    view = View(CAMERAS[name], conditions, depth=True, labels=True)
    a, b = (renderer.render(view) for renderer in both)
    difference = np.abs(a.rgb.astype(int) - b.rgb).max(axis=2)
    assert np.percentile(difference, 90) <= 12  # the tolerance that GlRenderer documents
    assert np.percentile(difference, 50) <= 5
    assert a.depth is not None
    assert b.depth is not None
    assert (np.isfinite(a.depth) == np.isfinite(b.depth)).mean() > 0.99
    shown = np.isfinite(a.depth) & np.isfinite(b.depth)
    assert np.percentile(np.abs(a.depth[shown] - b.depth[shown]), 95) < 0.05
    assert a.labels is not None
    assert (a.labels == b.labels).mean() > 0.99


def test_labels_are_never_blended(both: tuple[Renderer, Renderer]) -> None:
    view = View(CAMERAS["street"], labels=True)
    a, b = (renderer.render(view).labels for renderer in both)
    assert a is not None
    assert b is not None
    assert set(np.unique(b)) <= set(np.unique(a)) | {0}


def test_cameras_agree_within_a_pixel(both: tuple[Renderer, Renderer]) -> None:
    # The boundaries between objects are the same pixels but for a hair along edges: any shift of the picture by one
    # pixel agrees less than no shift.
    view = View(CAMERAS["street"], labels=True)
    a, b = (renderer.render(view).labels for renderer in both)
    assert a is not None
    assert b is not None
    inner = (slice(2, -2), slice(2, -2))
    agreement = {
        (dx, dy): float((np.roll(a, (dy, dx), (0, 1))[inner] == b[inner]).mean())
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
    }
    assert max(agreement, key=lambda shift: agreement[shift]) == (0, 0)


def test_size_changes_and_back(both: tuple[Renderer, Renderer]) -> None:
    small = Camera(CAMERAS["street"].pose, (64, 48))
    first = both[1].render(View(CAMERAS["street"])).rgb
    assert both[1].render(View(small)).rgb.shape == (48, 64, 3)
    np.testing.assert_array_equal(both[1].render(View(CAMERAS["street"])).rgb, first)


def test_tiles_out_of_sight_go_when_there_are_many(both: tuple[Renderer, Renderer]) -> None:
    gl = both[1]
    scene = vars(gl)["_scene"]
    view = View(CAMERAS["street"])
    before = gl.render(view).rgb
    plenty, scene._most = scene._most, 0
    scene.show([])
    assert not scene._nodes
    assert not scene.scene.mesh_nodes
    again = gl.render(view).rgb
    scene._most = plenty
    assert (before == again).all()
