import numpy as np
import pytest

from citysim.city import City
from citysim.errors import InputError, UnknownNameError
from citysim.geo.network import NetworkEdge
from citysim.geometry.vertical import crossings
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Camera, Frame, View
from citysim.snapshot import VIEWS, eye_notices, ground_height, render, view_notices
from tests.render.scenes import box, merge, quad


def crossing_levels() -> City:
    """A street at 0, a bridge deck at 6 and a subway floor at -4 under the same spot."""

    def slab(height: float) -> object:
        return box((-20, -20, height - 0.5), (20, 20, height))

    street = quad([(-50, -50, 0), (50, -50, 0), (50, 50, 0), (-50, 50, 0)], label=1)
    parts = merge([street, slab(6.0), quad([(-9, -9, -4), (9, -9, -4), (9, 9, -4), (-9, 9, -4)])])  # type: ignore[list-item]
    lines = [(0.0, 1), (6.0, 2), (-4.0, 4)]
    edges = [
        NetworkEdge(
            i + 1, np.array([(-9.0, 0.0, z), (9.0, 0.0, z)]), {"FeatureType": kind, "Direction": 0, "Enabled": 1}
        )
        for i, (z, kind) in enumerate(lines)
    ]
    return City.in_memory([parts], edges=edges)


def test_vertical_lines_meet_surfaces() -> None:
    corners = np.array([(0, 0, 1), (4, 0, 1), (0, 4, 5)], dtype=np.float32)
    heights, ups = crossings(corners, np.array([(0, 1, 2)], dtype=np.int32), 1.0, 1.0)
    assert heights == pytest.approx([2.0])
    assert ups == pytest.approx([0.5**0.5])
    assert len(crossings(corners, np.array([(0, 1, 2)], dtype=np.int32), 3.0, 3.0)[0]) == 0


def test_a_person_stands_on_the_street_between_bridge_and_subway() -> None:
    assert ground_height(crossing_levels(), 1.0, 1.0) == pytest.approx(0.0)
    assert ground_height(crossing_levels(), 40.0, 40.0) == pytest.approx(0.0)


def test_no_ground_is_said() -> None:
    with pytest.raises(InputError, match="east -50 to 50"):
        ground_height(crossing_levels(), 90.0, 0.0)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_its_size(view: str) -> None:
    size = (60, 30) if view == "panorama" else (40, 30)
    frame = render(crossing_levels(), east=30, north=30, heading_deg=225, size=size, view=view)
    assert frame.rgb.shape == (*size[::-1], 3)
    assert len(np.unique(frame.rgb.reshape(-1, 3), axis=0)) > 1
    assert (frame.depth is not None) == (view in ("depth", "map", "satellite"))
    assert (frame.normals is not None) == (view == "normals")


def test_sizes_that_suit_the_view() -> None:
    city = crossing_levels()
    assert render(city, east=30, north=30).rgb.shape == (480, 640, 3)
    assert render(city, east=30, north=30, view="panorama").rgb.shape == (512, 1024, 3)
    for size in ((0, 10), (10, 10**6), (-3, 4)):
        with pytest.raises(InputError, match="size"):
            render(city, east=30, north=30, size=size)
    with pytest.raises(InputError, match="twice as wide"):
        render(city, east=30, north=30, size=(100, 100), view="panorama")


def test_an_eye_inside_something_is_told_and_still_draws() -> None:
    city = City.in_memory(
        [merge([quad([(-50, -50, 0), (50, -50, 0), (50, 50, 0), (-50, 50, 0)]), box((2, 2, 0), (9, 9, 20))])]
    )
    assert eye_notices(city, 0.0, 0.0, 1.6) == []
    assert "inside" in eye_notices(city, 5.0, 5.0, 1.6)[0]
    assert "under ground" in eye_notices(city, 0.0, 0.0, -3.0)[0]
    assert eye_notices(city, 5.0, 5.0, 22.0) == []
    assert eye_notices(city, 500.0, 5.0, 22.0) == []
    renderer = make_renderer("raster", city)
    for place in ((5.0, 5.0, 1.6), (0.0, 0.0, -3.0), (2.0, 5.0, 1.6), (0.0, 0.0, 0.0)):
        for pitch in (0.0, -90.0, 90.0):
            view = View(Camera(Pose.from_heading(*place, 30, pitch), (32, 24)), depth=True, labels=True, normals=True)
            frame = renderer.render(view)
            assert frame.rgb.shape == (24, 32, 3)
            assert frame.depth is not None
            assert not np.isnan(frame.depth).any()


def test_wrong_requests_are_refused() -> None:
    city = crossing_levels()
    with pytest.raises(UnknownNameError):
        render(city, east=0, north=0, view="x-ray")
    with pytest.raises(InputError):
        render(city, east=float("nan"), north=0)
    with pytest.raises(InputError):
        render(city, east=0, north=0, time="noon")


def test_a_crowd_is_in_the_picture_and_not_on_the_map() -> None:
    from tests.towns import grid_town

    def draw(view: str, crowd: int) -> Frame:
        return render(
            grid_town(), east=6, north=40, heading_deg=0, size=(80, 60), view=view, crowd=crowd, seed=5, samples=1
        )

    labels = draw("labels", 60).labels
    assert labels is not None
    assert len(np.unique(labels[labels >= 1 << 30])) > 4
    assert (draw("first-person", 60).rgb == draw("first-person", 60).rgb).all()
    assert (draw("map", 60).rgb == draw("map", 0).rgb).all()
    assert view_notices("map", crowd=60) == ["a crowd makes no difference to the view map"]
    assert view_notices("first-person", crowd=60) == []
    with pytest.raises(InputError, match="population from 0"):
        draw("first-person", -1)
    with pytest.raises(InputError, match="pedestrian network"):
        render(City.in_memory([box((-9, -9, -1), (9, 9, 0))]), east=0, north=0, crowd=3)
