"""MapView: pan, zoom and orbit stay within the city, and pixels, metres and degrees agree both ways."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citysim.city import City
from citysim.errors import InputError
from citysim.pose import Pose
from citysim.render.mapview import CLOSEST_M_PX, STEEPEST_DEG, MapView
from citysim.render.raster import RasterRenderer
from tests.render.scenes import box, merge, quad


def town() -> City:
    ground = quad([(-100, -60, 0), (100, -60, 0), (100, 60, 0), (-100, 60, 0)], label=1)
    return City.in_memory([merge([ground, box((20, 30, 0), (40, 50, 12), label=2)])])


TOWN = town()
moves = st.one_of(
    st.tuples(st.just("pan"), st.floats(-2000, 2000), st.floats(-2000, 2000)),
    st.tuples(st.just("zoom"), st.floats(0.25, 4.0)),
    st.tuples(st.just("orbit"), st.floats(-180, 180), st.floats(-90, 90)),
)


@given(st.lists(moves, max_size=8), st.floats(0.02, 0.98), st.floats(0.02, 0.98))
@settings(max_examples=200, deadline=None)
def test_any_moves_stay_inside_and_invertible(steps: list[tuple[Any, ...]], fx: float, fy: float) -> None:
    view = MapView.of(TOWN, (320, 200))
    for name, *numbers in steps:
        view = getattr(view, name)(*numbers)
    assert -100 <= view.east <= 100
    assert -60 <= view.north <= 60
    assert CLOSEST_M_PX <= view.metres_px <= view.farthest_m_px
    assert 0.0 <= view.bearing_deg < 360.0
    assert 0.0 <= view.tilt_deg <= STEEPEST_DEG
    pixel = np.array([fx * 320, fy * 200])
    place = view.to_local(pixel)
    assert place[2] == pytest.approx(view.ground_m, abs=1e-6)
    assert view.to_pixels(place) == pytest.approx(pixel, abs=1e-6)
    assert view.to_pixels(place[:2]) == pytest.approx(pixel, abs=1e-6)
    assert view.from_lonlat(view.to_lonlat(pixel)) == pytest.approx(pixel, abs=0.05 + 0.02 / view.metres_px)


def test_the_middle_scale_and_bearing_mean_what_they_say() -> None:
    view = MapView.of(TOWN, (320, 200), center=(10, 20), metres_px=0.5, bearing_deg=90.0)
    assert view.to_pixels((10, 20)) == pytest.approx((160, 100))
    assert view.to_pixels((15, 20)) == pytest.approx((160, 90))  # east is up
    assert view.orbit(-90).to_pixels((15, 20)) == pytest.approx((170, 100))
    assert view.orbit(-90).orbit(30).bearing_deg == pytest.approx(30.0)
    assert view.pan(-10, -20).to_pixels((0, 0)) == pytest.approx((160, 100))
    assert view.zoom(0.5).metres_px == 0.25
    assert view.zoom(4.0).zoom(4.0).zoom(4.0).metres_px == view.farthest_m_px


def test_the_whole_city_is_inside_at_first() -> None:
    view = MapView.of(TOWN, (320, 320))
    corners = view.to_pixels([(-100, -60), (100, 60)])
    assert ((corners > 0) & (corners < 320)).all()


def test_a_tilted_map_keeps_its_middle_and_shortens_what_is_far() -> None:
    view = MapView.of(TOWN, (320, 200), metres_px=0.5).orbit(0.0, 60.0)
    assert view.to_pixels((0, 0)) == pytest.approx((160, 100))
    assert view.to_pixels((0, 10)) == pytest.approx((160, 90))  # cos 60 of 20 pixels
    assert view.to_pixels((10, 0)) == pytest.approx((180, 100))


@pytest.mark.parametrize("tilt", [0.0, 45.0])
def test_the_camera_sees_what_stands_there(tilt: float) -> None:
    from citysim.render.base import View

    view = MapView.of(TOWN, (160, 120), metres_px=0.4, center=(30, 40)).orbit(20.0, tilt)
    frame = RasterRenderer(TOWN).render(View(view.camera, depth=True, labels=True))
    assert frame.depth is not None
    assert frame.labels is not None
    roof = view.to_pixels((30.0, 40.0, 12.0)).astype(int)
    assert frame.labels[roof[1], roof[0]] == 2
    place = view.to_local(roof + 0.5, frame.depth[roof[1], roof[0]])
    assert place == pytest.approx((30.0, 40.0, 12.0), abs=1.0)
    assert place[2] == pytest.approx(12.0, abs=0.01)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_numbers_that_are_none_are_refused(number: float) -> None:
    view = MapView.of(TOWN)
    wrongs: list[Callable[[], MapView]] = [
        lambda: view.pan(number, 0.0),
        lambda: view.zoom(number),
        lambda: view.orbit(number),
        lambda: MapView.of(TOWN, center=(number, 0.0)),
        lambda: MapView.of(TOWN, metres_px=number),
    ]
    for wrong in wrongs:
        with pytest.raises(InputError):
            wrong()
    for factor in (0.0, -1.0):
        with pytest.raises(InputError):
            view.zoom(factor)


def test_a_city_of_one_point_has_a_map() -> None:
    dot = quad([(0, 0, 0), (0.001, 0, 0), (0.001, 0.001, 0), (0, 0.001, 0)])
    view = MapView.of(City.in_memory([dot]), (64, 64))
    assert view.zoom(0.001).metres_px == CLOSEST_M_PX
    assert isinstance(view.camera.pose, Pose)
