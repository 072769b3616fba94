"""Pointing at a map: doors first, then named things, then streets."""

import math

import numpy as np
import pytest

from citysim.city import City, CityObject, Place
from citysim.errors import InputError
from citysim.geo.network import NetworkEdge
from citysim.render.mapselect import MapSelection, map_select
from citysim.render.mapview import MapView
from citysim.render.overhead import draw_map
from citysim.render.raster import RasterRenderer
from tests.render.scenes import box, merge, quad

PLACE = Place("p", "Corner Shop", "shop", (30.0, 39.5, 0.0), building=2)


def town() -> City:
    ground = quad([(-100, -100, 0), (100, -100, 0), (100, 100, 0), (-100, 100, 0)], label=1)
    parts = [ground, box((20, 40, 0), (40, 60, 12), label=2), box((-60, 40, 0), (-40, 60, 12), label=3)]
    parts.append(box((-52, 48, 12), (-48, 52, 13), label=4))
    objects = [
        CityObject(1, "street"),
        CityObject(2, "building"),
        CityObject(3, "building", "Town Hall"),
        CityObject(4, "clock", parent=3),
    ]
    line = np.array([(-90.0, -40.0, 0.0), (90.0, -40.0, 0.0)])
    edges = [NetworkEdge(1, line, {"StreetNameEN": "Long Street", "Direction": 0, "Enabled": 1})]
    return City.in_memory([merge(parts)], objects=objects, places=[PLACE], edges=edges)


@pytest.mark.parametrize("tilt", [0.0, 40.0])
def test_what_is_meant(tilt: float) -> None:
    city = town()
    view = MapView.of(city, (400, 400)).orbit(15.0, tilt)
    frame = draw_map(RasterRenderer(city), city, view)

    def at(*place: float) -> MapSelection:
        x, y = view.to_pixels(place)
        return map_select(city, view, frame, float(x), float(y))

    door = at(30.0, 39.5, 0.0)
    assert (door.name, door.category, door.place, door.object_id) == ("Corner Shop", "shop", PLACE, 2)
    house = at(38.0, 58.0, 12.0)
    assert (house.name, house.place) == ("Corner Shop", PLACE)  # known by the only place in it
    assert house.position == pytest.approx((38.0, 58.0, 12.0), abs=1.2)
    clock = at(-50.0, 50.0, 13.0)
    assert (clock.name, clock.category, clock.object_id) == ("Town Hall", "building", 3)
    street = at(5.0, -38.0, 0.0)
    assert (street.name, street.category, street.place) == ("Long Street", "street", None)
    assert street.lonlat == pytest.approx(city.frame.to_geodetic((5.0, -38.0, 0.0))[:2], abs=1e-5)
    lawn = at(-40.0, -70.0, 0.0)
    assert (lawn.name, lawn.object_id) == ("", 1)


def test_beyond_the_city_and_beyond_the_picture() -> None:
    city = town()
    view = MapView.of(city, (400, 100))
    frame = draw_map(RasterRenderer(city), city, view)
    outside = map_select(city, view, frame, 1.0, 50.0)
    assert (outside.name, outside.object_id) == ("", 0)
    assert math.isfinite(outside.position[0])
    for x, y in ((-1.0, 5.0), (5.0, 101.0), (math.nan, 5.0)):
        with pytest.raises(InputError):
            map_select(city, view, frame, x, y)
    with pytest.raises(InputError, match="400x100"):
        map_select(city, view, draw_map(RasterRenderer(city), city, view.resized((50, 50))), 5.0, 5.0)
    assert map_select(city, view, frame, 400.0, 100.0).object_id == 0
