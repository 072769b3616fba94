"""Many pictures at once: the bytes of each alone."""

from itertools import pairwise

import numpy as np

from citysim.conditions import Conditions
from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from tests.render.raster.test_exact import digest, views
from tests.render.scenes import street


def test_a_batch_gives_what_each_view_gives_alone() -> None:
    alone = RasterRenderer(street())
    wanted = [digest(alone.render(view)) for view in views()]
    for threads in (1, 3):
        renderer = RasterRenderer(street(), threads=threads)
        assert [digest(frame) for frame in renderer.render_batch(views())] == wanted
        assert [digest(frame) for frame in renderer.render_batch(views()[::-1])] == wanted[::-1]
        assert renderer.render_batch([]) == []
        renderer.close()


def test_more_sun_maps_than_are_kept_are_drawn_in_turns() -> None:
    """Eyes far apart at several hours: every picture needs maps of its own."""
    many = [
        View(Camera(Pose(float(e), 0.0, 1.6, 0.3), (64, 48)), Conditions(clock_s=3600.0 * hour), True, True)
        for hour in (9, 12, 15)
        for e in (-190, 150)
    ]
    renderer = RasterRenderer(street(), threads=2)
    frames = renderer.render_batch(many)
    for view, frame in zip(many, frames, strict=True):
        assert digest(RasterRenderer(street()).render(view)) == digest(frame)
    assert all((a.rgb != b.rgb).any() for a, b in pairwise(frames))
    renderer.close()


def test_a_panorama_in_a_batch() -> None:
    seen = [
        View(Camera(Pose(0.0, 0.0, 1.6, 0.0), (64, 48))),
        View(Camera(Pose(0.0, 0.0, 1.6, 0.0), (64, 32), panorama=True)),
    ]
    renderer = RasterRenderer(street())
    frames = renderer.render_batch(seen)
    assert [frame.rgb.shape for frame in frames] == [(48, 64, 3), (32, 64, 3)]
    assert (frames[1].rgb == renderer.render(seen[1]).rgb).all()
    assert np.ptp(frames[1].rgb) > 50
