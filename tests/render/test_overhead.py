"""Map and satellite: true to scale, north up, named, and without any route."""

import numpy as np
import pytest

from citysim.city import City, CityObject
from citysim.conditions import Conditions
from citysim.errors import InputError, UnknownNameError
from citysim.geo.network import NetworkEdge
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Frame
from citysim.render.overhead import INKS, overhead_camera, overhead_view
from tests.render.scenes import box, merge, quad


def town() -> City:
    ground = quad([(-100, -100, 0), (100, -100, 0), (100, 100, 0), (-100, 100, 0)], label=1)
    house = box((20, 40, 0), (40, 50, 12), label=2)
    objects = [CityObject(1, "grass"), CityObject(2, "building", "House")]
    line = np.array([(-90.0, -40.0, 0.0), (0.0, -40.0, 0.0), (90.0, -40.0, 0.0)])
    edges = [NetworkEdge(1, line, {"StreetNameEN": "Long Street", "Direction": 0, "Enabled": 1})]
    return City.in_memory([merge([ground, house])], objects=objects, edges=edges)


def draw(style: str = "map", size: tuple[int, int] = (400, 400), **options: object) -> Frame:
    city = town()
    renderer = make_renderer("raster", city)
    center = options.pop("center", (0.0, 0.0))
    return overhead_view(renderer, city, center, Conditions(), size=size, style=style, **options)  # type: ignore[arg-type]


def test_a_house_stands_where_it_stands() -> None:
    frame = draw(extent_m=200.0)
    assert frame.labels is not None
    rows, columns = np.nonzero(frame.labels == 2)
    # 2 pixels a metre, north up: east 20..40 is x 240..280, north 40..50 is y 100..120.
    assert (columns.min(), columns.max() + 1) == (240, 280)
    assert (rows.min(), rows.max() + 1) == (100, 120)
    assert tuple(frame.rgb[110, 260]) == INKS["building"]
    assert tuple(frame.rgb[350, 300]) == INKS["grass"]


def test_another_heading_turns_the_map() -> None:
    frame = draw(extent_m=200.0, heading_deg=90.0)
    assert frame.labels is not None
    rows, columns = np.nonzero(frame.labels == 2)  # east is up: the house lies up and to the left
    assert rows.mean() < 200
    assert columns.mean() < 200


def test_names_are_drawn_and_the_network_is_not() -> None:
    with_name = draw(extent_m=200.0).rgb
    ground = (with_name == np.array(INKS["grass"])).all(axis=2)
    street = ~ground[270:290, :]  # north -40 is y 280
    assert 200 < street.sum() < 2500  # letters with their halo, in one place
    columns = np.flatnonzero(street.any(axis=0))
    assert columns.max() - columns.min() < 160  # a line from end to end would span 360 pixels


def test_a_street_of_one_long_segment_is_named_too() -> None:
    line = np.array([(-90.0, -40.0, 0.0), (90.0, -40.0, 0.0)])
    edges = [NetworkEdge(1, line, {"StreetNameEN": "Long Street", "Direction": 0, "Enabled": 1})]
    ground = quad([(-100, -100, 0), (100, -100, 0), (100, 100, 0), (-100, 100, 0)], label=1)
    shown = []
    for streets in (edges, []):
        city = City.in_memory([ground], objects=[CityObject(1, "grass")], edges=streets)
        renderer = make_renderer("raster", city)
        shown.append(overhead_view(renderer, city, (0.0, 0.0), Conditions(), size=(400, 400), extent_m=200.0).rgb)
    rows = np.nonzero((shown[0] != shown[1]).any(axis=(1, 2)))[0]
    assert len(rows)
    assert abs(rows.mean() - 280.0) < 6.0


def test_satellite_is_the_picture_itself() -> None:
    frame = draw("satellite", extent_m=200.0)
    assert frame.depth is not None
    roof, ground = frame.depth[110, 260], frame.depth[300, 300]
    assert ground - roof == pytest.approx(12.0, abs=0.01)


def test_the_marker_shows_the_agent() -> None:
    plain, marked = draw(extent_m=200.0).rgb, draw(extent_m=200.0, marker=Pose.from_heading(-30, 10, 0, 0)).rgb
    rows, columns = np.nonzero((plain != marked).any(axis=2))
    assert abs(columns.mean() - 140) < 4
    assert rows.min() < 180 - 12  # the wedge points north


def test_the_whole_city_by_default() -> None:
    camera = overhead_camera(town(), (0.0, 0.0), (300, 150), None, 0.0)
    assert camera.ortho_height_m == pytest.approx(200 * 1.02)


@pytest.mark.parametrize("extent", [0.0, -5.0, float("nan"), 1e9])
def test_a_wrong_extent_is_refused(extent: float) -> None:
    with pytest.raises(InputError, match="extent"):
        draw(extent_m=extent)


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        draw("hologram")


@pytest.mark.parametrize("size", [(1, 1), (30, 500), (159, 200)])
def test_odd_sizes(size: tuple[int, int]) -> None:
    assert draw(size=size).rgb.shape == (size[1], size[0], 3)
