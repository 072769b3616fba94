import numpy as np
import pytest

from citysim.errors import InputError
from citysim.pose import Pose
from citysim.render.base import MAX_SIZE, Camera, View
from citysim.render.raster import RasterRenderer
from citysim.render.smooth import block_means, render_smooth
from tests.render.scenes import street


def test_means_of_blocks() -> None:
    rgb = np.random.default_rng(1).integers(0, 256, (12, 18, 3)).astype(np.uint8)
    for side in (1, 2, 3):
        exact = rgb.reshape(12 // side, side, 18 // side, side, 3).mean(axis=(1, 3))
        assert np.abs(block_means(rgb, side) - exact).max() <= 0.5


def test_colours_are_smooth_and_the_rest_is_exact() -> None:
    renderer = RasterRenderer(street())
    view = View(Camera(Pose.from_heading(0, -3, 1.6, 80), (120, 90)), depth=True, labels=True)
    plain, smooth = renderer.render(view), render_smooth(renderer, view, 4)
    assert plain.depth is not None
    assert smooth.depth is not None
    np.testing.assert_array_equal(plain.depth, smooth.depth)
    np.testing.assert_array_equal(plain.labels, smooth.labels)
    steps = [np.abs(np.diff(frame.rgb.astype(int), axis=1)).max(axis=2) for frame in (plain, smooth)]
    assert np.percentile(steps[1], 98) < np.percentile(steps[0], 98)
    assert np.abs(plain.rgb.astype(int) - smooth.rgb).mean() < 6.0
    np.testing.assert_array_equal(render_smooth(renderer, view, 1).rgb, plain.rgb)


def test_too_large_ones_take_fewer_samples() -> None:
    renderer = RasterRenderer(street())
    wide = View(Camera(Pose.from_heading(0, -3, 1.6, 80), (MAX_SIZE, 2), fov_deg=5.0))
    np.testing.assert_array_equal(render_smooth(renderer, wide, 16).rgb, renderer.render(wide).rgb)
    with pytest.raises(InputError, match="samples"):
        render_smooth(renderer, wide, 5)
