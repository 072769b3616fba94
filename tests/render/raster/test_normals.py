"""Normals are those of the triangles that rays hit, on the side that is seen."""

import numpy as np
import pytest

from citysim.city import City, Material
from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from tests.render.rays import cast
from tests.render.scenes import icosphere, quad

CAMERAS = {
    "perspective": Camera(Pose.from_heading(-3.0, 0.4, 0.2, 90, -5), (90, 70)),
    "orthographic": Camera(Pose.from_heading(-3.0, 0.4, 0.2, 80, 10), (90, 70), ortho_height_m=3.0),
}


@pytest.mark.parametrize("name", CAMERAS)
def test_normals_of_a_sphere(name: str) -> None:
    sphere = icosphere(levels=2)
    camera = CAMERAS[name]
    frame = RasterRenderer(City.in_memory([sphere])).render(View(camera, normals=True, labels=True))
    assert frame.normals is not None
    assert frame.normals.dtype == np.float32
    y, x = np.mgrid[0:70:3, 0:90:3]
    pixels = np.stack([x.ravel(), y.ravel()], axis=1)
    hits = cast(camera, sphere, pixels)
    seen = frame.normals[pixels[:, 1], pixels[:, 0]].astype(np.float64)
    corners = sphere.positions[sphere.triangles[hits.triangle]].astype(np.float64)
    true = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    true /= np.linalg.norm(true, axis=1, keepdims=True)
    hit = hits.triangle >= 0
    assert 100 < hit.sum() < len(hit)
    assert (np.abs(seen[hit] - true[hit]).max(axis=1) < 1e-5).mean() > 0.99  # but for pixels on edges
    assert (seen[~hit] == 0.0).all(axis=1).mean() > 0.99
    assert np.linalg.norm(seen[hit], axis=1) == pytest.approx(1.0, abs=1e-5)


def test_the_back_of_a_card_faces_the_eye_too() -> None:
    card = quad([(2, 1, -1), (2, -1, -1), (2, -1, 1), (2, 1, 1)])
    for heading, east, facing in ((90.0, 0.0, -1.0), (270.0, 4.0, 1.0)):
        city = City.in_memory([card], [Material(double_sided=True)])
        view = View(Camera(Pose.from_heading(east, 0, 0, heading), (9, 9)), normals=True)
        normals = RasterRenderer(city).render(view).normals
        assert normals is not None
        assert normals[4, 4] == pytest.approx((facing, 0.0, 0.0))


def test_only_what_is_asked_for() -> None:
    frame = RasterRenderer(City.in_memory([icosphere(levels=1)])).render(View(CAMERAS["perspective"]))
    assert frame.normals is None
    assert frame.depth is None
    assert frame.labels is None
