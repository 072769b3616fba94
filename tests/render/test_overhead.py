"""Map and satellite: true to scale, north up, named, and without any route."""

import numpy as np
import pytest

from citysim.city import City, CityObject, Place
from citysim.conditions import Conditions
from citysim.errors import InputError, UnknownNameError
from citysim.geo.network import NetworkEdge
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Frame
from citysim.render.mapmarks import CLOSED, MapPoint
from citysim.render.mapview import MapView
from citysim.render.overhead import INKS, draw_map, overhead_camera, overhead_view
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


def test_pins_are_drawn_with_their_labels_and_closures_as_bars() -> None:
    plain = draw(extent_m=200.0).rgb
    pinned = draw(extent_m=200.0, points=[MapPoint(-60, 0, "Goal")]).rgb
    rows, columns = np.nonzero((plain != pinned).any(axis=2))
    assert columns.min() == pytest.approx(80 - 9, abs=3)  # the pin's tip is at x 80, y 200
    assert rows.max() == pytest.approx(200, abs=4)
    assert columns.max() > 80 + 30  # the label
    closed = draw(
        extent_m=200.0, closures=[[(-60, 0), (-60, 30)], np.array([(0.0, -80.0, 0.0), (30.0, -80.0, 0.0)])]
    ).rgb
    away = np.abs(closed.astype(int) - np.array([int(CLOSED[i : i + 2], 16) for i in (1, 3, 5)]))
    red = np.asarray((away < 30).all(axis=2))
    assert red[145:195, 74:86].sum() > 100
    assert red[355:365, 205:255].sum() > 100
    assert not red[60:130].any()


def test_a_label_at_the_edge_stays_in_the_picture() -> None:
    """Labels of pins at every border are whole: the same number of coloured pixels as in the middle."""

    def inked(east: float, north: float) -> int:
        rgb = draw(extent_m=200.0, points=[MapPoint(east, north, "Destination", color="#ff00ff")]).rgb.astype(int)
        return int(((rgb[..., 0] > 180) & (rgb[..., 1] < 80) & (rgb[..., 2] > 180)).sum())

    middle = inked(0, 0)
    for place in ((97, 0), (-97, 10), (0, 90), (90, -95)):
        assert inked(*place) == pytest.approx(middle, rel=0.15)


def test_names_in_two_scripts() -> None:
    ground = quad([(-100, -100, 0), (100, -100, 0), (100, 100, 0), (-100, 100, 0)], label=1)
    line = np.array([(-90.0, -40.0, 0.0), (90.0, -40.0, 0.0)])
    widths = []
    for chinese in (None, "皇大道中"):
        attributes = {"StreetNameEN": "Queen Road", "StreetNameTC": chinese, "Direction": 0, "Enabled": 1}
        city = City.in_memory([ground], objects=[CityObject(1, "grass")], edges=[NetworkEdge(1, line, attributes)])
        rgb = draw_map(make_renderer("raster", city), city, MapView.of(city, (400, 400))).rgb
        name = (rgb[260:300] != np.array(INKS["grass"])).any(axis=2).any(axis=0)
        widths.append(int(name[40:360].sum()))
    assert widths[1] > widths[0] * 1.25


def test_places_have_dots_and_names_that_do_not_touch() -> None:
    ground = quad([(-100, -100, 0), (100, -100, 0), (100, 100, 0), (-100, 100, 0)], label=1)
    places = [Place(f"p{i}", f"Shop Number {i}", "shop", (float(i), 0.0, 0.0)) for i in range(40)]
    city = City.in_memory([ground], objects=[CityObject(1, "grass")], places=places)
    view = MapView.of(city, (400, 400))
    crowded = draw_map(make_renderer("raster", city), city, view).rgb
    one = City.in_memory([ground], objects=[CityObject(1, "grass")], places=places[:1])
    single = draw_map(make_renderer("raster", one), one, view).rgb
    ink = [int((rgb[150:250] != np.array(INKS["grass"])).any(axis=2).sum()) for rgb in (crowded, single)]
    assert ink[0] <= 5 * ink[1]  # those for which there is room around one spot, and no heap of forty


def test_a_tilted_map_shows_walls_darker_than_roofs() -> None:
    frame = draw(extent_m=120.0, tilt_deg=50.0, center=(30.0, 45.0))
    assert frame.labels is not None
    colours = np.unique(frame.rgb[frame.labels == 2], axis=0)
    assert (colours == np.array(INKS["building"])).all(axis=1).any()
    assert (colours.sum(axis=1) < sum(INKS["building"]) * 0.92).any()
    with pytest.raises(InputError, match="tilt"):
        draw(tilt_deg=80.0)


def test_a_map_does_not_depend_on_the_hour_or_on_other_maps() -> None:
    city = town()
    renderer = make_renderer("raster", city)
    pictures = []
    for clock in (50000.0, 84000.0):
        pictures.append(
            overhead_view(renderer, city, (0.0, 0.0), Conditions(clock), size=(200, 200), style="map").rgb.tobytes()
        )
        overhead_view(renderer, city, (50.0, 0.0), Conditions(clock), size=(64, 64), style="satellite")
    assert pictures[0] == pictures[1]


def test_a_scan_without_names_has_a_map() -> None:
    city = City.in_memory([quad([(-100, -100, 0), (100, -100, 0), (100, 100, 0), (-100, 100, 0)])])
    assert draw_map(make_renderer("raster", city), city, MapView.of(city, (64, 48))).rgb.shape == (48, 64, 3)
