import json

import pytest

from citysim.errors import FormatError
from citysim.geo.frames import LocalFrame
from citysim.geo.places import parse_places, places_geojson

FRAME = LocalFrame(24.94, 60.17, 0.0)


def test_round_trip() -> None:
    row = {
        "id": "p1", "name": "Café «Ä»", "category": "cafe", "entrance": (12.345, -67.891, 3.25), "building": 7,
        "opening_hours": "Mo-Fr 08:00-18:00", "aliases": ("Kahvila",), "attributes": {"level": 1},
    }  # fmt: skip
    text = places_geojson([row], FRAME)
    (back,) = parse_places(text.encode(), "places.geojson", FRAME)
    assert back.pop("entrance") == pytest.approx((12.345, -67.891, 3.25), abs=2e-4)
    assert back == {key: value for key, value in row.items() if key != "entrance"}
    assert places_geojson([row], FRAME) == text
    lon, lat, height = json.loads(text)["features"][0]["geometry"]["coordinates"]
    assert (round(lon, 2), round(lat, 2), height) == (24.94, 60.17, 3.2504)


def test_foreign_files_need_only_a_name_and_a_point() -> None:
    features = [
        {"geometry": {"type": "Point", "coordinates": [24.94, 60.17]}, "properties": {"name": "A"}},
        {"geometry": None, "properties": {}},
    ]
    (row,) = parse_places(json.dumps({"features": features}).encode(), "x", FRAME)
    assert row["entrance"] == (0.0, 0.0, 0.0)
    assert row["id"] == "place:0"
    assert parse_places(b'{"features":[]}', "x", FRAME) == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"features":5}',
        b'{"features":[{"properties":{"name":"A"},"geometry":{"coordinates":["x",1]}}]}',
        b'{"features":[{"properties":{"name":"A"},"geometry":{"coordinates":[500,1]}}]}',
        b'{"features":[{"properties":{"name":"A"},"geometry":{"coordinates":[NaN,1]}}]}',
    ],
)
def test_broken_files_are_named(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"'p\.geojson'"):
        parse_places(data, "p.geojson", FRAME)
