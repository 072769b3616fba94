"""Network files: the real Hong Kong extract, spelling variants, round trips, bad input."""

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyproj
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citysim.errors import FormatError, StorageError
from citysim.geo.frames import LocalFrame
from citysim.geo.network import NetworkEdge, PedestrianNetwork
from citysim.geo.network_codes import DOMAINS, canonical_name, coded_value, domain_name
from citysim.geo.network_io import network_geojson, read_network

FRAME = LocalFrame(114.179, 22.340, 30.0)


@pytest.fixture(scope="module")
def extract(shared_data: Path) -> Path:
    return shared_data / "hk-pedestrian-network" / "kowloon_tong_extract.geojson"


@pytest.fixture(scope="module")
def kowloon(extract: Path) -> PedestrianNetwork:
    return read_network(extract, FRAME)


def test_every_feature_of_the_real_extract(kowloon: PedestrianNetwork, extract: Path) -> None:
    raw = json.loads(extract.read_text())["features"]
    assert len(kowloon.edges) == len(raw) == 21
    assert [e.id for e in kowloon.edges] == [f["properties"]["PedestrianRouteID"] for f in raw]
    assert all("Shape_Length" in e.attributes and "Shape__Length" not in e.attributes for e in kowloon.edges)
    assert all(None not in e.attributes.values() for e in kowloon.edges)


def test_lengths_and_gradients_of_the_real_extract(kowloon: PedestrianNetwork) -> None:
    # Shape_Length is the horizontal length on EPSG:2326; Gradient is atan(rise / that length), radians, unsigned
    to_grid = pyproj.Transformer.from_crs(4326, 2326, always_xy=True)
    right = 0
    for edge in kowloon.edges:
        geodetic = FRAME.to_geodetic(edge.line)
        east, north = to_grid.transform(geodetic[:, 0], geodetic[:, 1])
        flat = float(np.hypot(np.diff(east), np.diff(north)).sum())
        assert flat == pytest.approx(edge.attributes["Shape_Length"], abs=1e-3)
        local = float(np.hypot(*np.diff(edge.line[:, :2], axis=0).T).sum())
        assert local == pytest.approx(flat, rel=2e-4), "the local frame measures what the grid measures"
        rise = abs(geodetic[-1, 2] - geodetic[0, 2])
        right += abs(math.atan2(rise, flat) - edge.attributes["Gradient"]) < 1e-5
    assert right == 20, "one of the 21 is stale in the source"


def test_real_joins_survive_reading(kowloon: PedestrianNetwork, extract: Path) -> None:
    raw = [f["geometry"]["coordinates"] for f in json.loads(extract.read_text())["features"]]
    nodes = {tuple(line[i]) for line in raw for i in (0, -1)}
    assert len(kowloon.walk.places) == len(nodes) < 2 * len(raw)


def test_heights_get_the_offset(extract: Path) -> None:
    plain, raised = read_network(extract, FRAME), read_network(extract, FRAME, height_offset_m=-2.3)
    for a, b in zip(plain.edges, raised.edges, strict=True):
        # raised along the ellipsoid's normal, which leans by up to 4e-5 here
        np.testing.assert_allclose(b.line[:, 2], a.line[:, 2] - 2.3, atol=1e-6)
        np.testing.assert_allclose(b.line[:, :2], a.line[:, :2], atol=1e-3)


def test_codes_agree_with_the_official_layer(shared_data: Path) -> None:
    official = json.loads((shared_data / "hk-pedestrian-network" / "coded_values.json").read_text())["domains"]
    for field, domain in DOMAINS.items():
        assert {str(code): name for code, name in domain.items()} == official[field]
        for code, name in domain.items():
            assert coded_value(field, name) == coded_value(field, code) == coded_value(field, str(code)) == code
            assert domain_name(field, code) == name


@pytest.mark.parametrize(
    ("spelt", "canonical"),
    [
        ("Shape__Length", "Shape_Length"),
        ("SHAPE_Length", "Shape_Length"),
        ("Feature_Type", "FeatureType"),
        ("featuretype", "FeatureType"),
        ("Floor_ID", "FloorID"),
        ("Pedestrian_Route_ID", "PedestrianRouteID"),
        ("Street_Name", "StreetNameEN"),
        ("MyField", "MyField"),
    ],
)
def test_spelling_variants(spelt: str, canonical: str) -> None:
    assert canonical_name(spelt) == canonical


def write(path: Path, *features: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"type": "FeatureCollection", "features": list(features)}))
    return path


def feature(coordinates: Any, kind: str = "LineString", **properties: Any) -> dict[str, Any]:
    return {
        "type": "Feature",
        "geometry": {"type": kind, "coordinates": coordinates},
        "properties": properties,
    }


def test_named_codes_and_multilines(tmp_path: Path) -> None:
    path = write(
        tmp_path / "n.geojson",
        feature([[[114.179, 22.34, 5], [114.180, 22.34, 5]], [[114.181, 22.34, 5], [114.182, 22.34, 5]]],
                "MultiLineString", PEDESTRIAN_ROUTE_ID="77", Feature_Type="Footbridge", direction="One Way Backward",
                ENABLED="False"),
        {"type": "Feature", "geometry": None, "properties": {}},
        feature([[114.182, 22.34], [114.183, 22.34]], Enabled="True"),
    )  # fmt: skip
    network = read_network(path, FRAME)
    assert [e.id for e in network.edges] == [77, 77, 3]
    assert network.edges[0].attributes == {
        "PedestrianRouteID": "77",
        "FeatureType": 2,
        "Direction": -1,
        "Enabled": 2,
    }
    assert not network.edges[0].enabled
    assert network.edges[2].enabled
    assert network.edges[2].line[0, 2] == pytest.approx(-30.0, abs=0.02), "no height means 0"


def test_ends_within_a_millimetre_are_one_node(tmp_path: Path) -> None:
    tiny = 4e-9  # degrees of longitude: 0.4 mm
    path = write(
        tmp_path / "n.geojson",
        feature([[114.179, 22.34, 5], [114.180, 22.34, 5]]),
        feature([[114.180 + tiny, 22.34, 5.0003], [114.181, 22.34, 5]]),
        feature([[114.180 + 5 * tiny, 22.34, 5], [114.180, 22.341, 5]]),
    )
    network = read_network(path, FRAME)
    assert len(network.walk.places) == 5
    a, b = network.edges[0].line[0], network.edges[1].line[-1]
    assert network.walk_distance(a, b) == pytest.approx(206.1, abs=0.5)


lattice = st.integers(-500_000, 500_000).map(lambda k: k / 1024.0)
point = st.tuples(lattice, lattice, st.integers(-20_000, 200_000).map(lambda k: k / 1024.0))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(point, min_size=2, max_size=5), min_size=1, max_size=8))
def test_writing_and_reading_keeps_places_and_joins(tmp_path_factory: pytest.TempPathFactory, lines: Any) -> None:
    edges = [NetworkEdge(i + 1, np.array(line), {"FeatureType": 1}) for i, line in enumerate(lines)]
    for a, b in itertools.pairwise(edges):
        b.line[0] = a.line[-1]
    edges = [e for e in edges if (np.abs(np.diff(e.line, axis=0)).max(axis=1) > 0.01).all()]
    if not edges:
        return
    text = network_geojson(edges, FRAME)
    path = tmp_path_factory.mktemp("net") / "n.geojson"
    path.write_text(text)
    back = read_network(path, FRAME)
    before = PedestrianNetwork(edges)
    assert [e.id for e in back.edges] == [e.id for e in edges]
    for a, b in zip(edges, back.edges, strict=True):
        np.testing.assert_allclose(b.line, a.line, atol=1.1e-3)
    assert (back.walk.tail, back.walk.head) == (before.walk.tail, before.walk.head)
    assert network_geojson(edges, FRAME) == text


def test_derived_attributes() -> None:
    line = np.array([(0.0, 0.0, 0.0), (30.0, 40.0, 5.0)])
    written = json.loads(network_geojson([NetworkEdge(9, line, {"Gradient": 0.5})], FRAME))["features"][0]["properties"]
    assert written == {"Gradient": 0.5, "PedestrianRouteID": 9, "Shape_Length": 50.0}
    written = json.loads(network_geojson([NetworkEdge(9, line)], FRAME))["features"][0]["properties"]
    assert written["Gradient"] == pytest.approx(math.atan(0.1), abs=1e-6)


def test_bad_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        read_network(tmp_path / "absent.geojson", FRAME)
    bad = tmp_path / "bad.geojson"
    bad.write_text("{")
    with pytest.raises(FormatError, match="GeoJSON"):
        read_network(bad, FRAME)
    bad.write_text('{"type": "Topology"}')
    with pytest.raises(FormatError, match="FeatureCollection"):
        read_network(bad, FRAME)
    with pytest.raises(FormatError, match="feature 0"):
        read_network(write(bad, feature([["a", 1], [2, 3]])), FRAME)


LINE = [[114.17, 22.3, 4.0], [114.171, 22.3, 5.0]]


def written(path: Path, document: Any) -> Path:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    path.write_bytes(data)
    return path


def collection(line: Any, properties: Any = None) -> dict[str, Any]:
    feature = {"type": "Feature", "geometry": {"type": "LineString", "coordinates": line}, "properties": properties}
    return {"type": "FeatureCollection", "features": [feature]}


@pytest.mark.parametrize(
    "line",
    [
        [[22.3, 114.17, 0], [22.31, 114.17, 0]],  # latitude first
        [[835000.0, 817000.0, 5], [835010.0, 817000.0, 5]],  # metres of a grid
        [[114.17, 22.3, 1e300], [1e300, 22.3, 0]],
    ],
)
def test_what_are_no_degrees_is_refused_with_the_remedy(tmp_path: Path, line: Any) -> None:
    with pytest.raises(FormatError, match="longitude first"):
        read_network(written(tmp_path / "n.geojson", collection(line)), LocalFrame(114.17, 22.3, 0.0))


def test_esris_form_marks_at_the_start_and_odd_properties_are_read(tmp_path: Path) -> None:
    frame = LocalFrame(114.17, 22.3, 0.0)
    esri = {
        "spatialReference": {"wkid": 4326},
        "features": [{"attributes": {"FEATURE_TYPE": 2}, "geometry": {"paths": [LINE]}}],
    }
    (bridge,) = read_network(written(tmp_path / "e.json", esri), frame).edges
    assert bridge.attributes["FeatureType"] == 2
    given: tuple[Any, ...] = (None, [1], "x", {})
    for number, properties in enumerate(given):
        data = b"\xef\xbb\xbf" + json.dumps(collection(LINE, properties)).encode()
        (way,) = read_network(written(tmp_path / f"{number}.json", data), frame).edges
        assert np.array_equal(way.line, bridge.line)
    with pytest.raises(FormatError, match="GeoJSON"):
        read_network(written(tmp_path / "d.json", b"[" * 100_000), frame)
